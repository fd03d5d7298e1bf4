"""Reactions from what closes the loops, and then from body to body (García de Jalón and Bayo, sections 6.2.2, 6.2.4, 6.2.6).

An element whose conditions are rows C_e of C pushes with f_e, which does the same to all motions as its multipliers λ_e:

    Jᵀ G_e f_e = C_eᵀ λ_e

with the velocities J v of the bodies. What has no multipliers, in relative coordinates the joints of the tree, follows from
the equilibrium of a body on which one unknown element is left, G_e f_e = r less all that is known, inwards from the ends of
the chains. In natural coordinates joints share points, and the equilibrium of bodies that are left is solved at once.

A coupling with a contact pushes with its multiplier, but where its bodies touch and not along its coordinates as its row
does: the joints that hold its bodies take the difference, and their multipliers do not know. They follow from equilibrium.

multipliers     Cᵀ λ = Jᵀ r, of least norm (eq. 6.102)
penalty         λ by penalties and their corrections (eq. 6.107; the motion is closed, Φ = Φ̇ = 0)
tree_recursion  no multipliers: all loops are cut, and the virtual power of the open tree gives what closes them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from linkwork.equations.reactions.balance import Array, Balance
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.equations.reactions.push import contacts
from linkwork.numerics.matrices.many_matrices import least_solutions, multipliers, pseudo_inverse, rest_beyond
from linkwork.numerics.policy import POLICY


class FromMultipliers(ReactionScheme):
    """Cᵀ λ = Jᵀ r, then element by element."""

    name: ClassVar[str] = "multipliers"
    summary: ClassVar[str] = "from the multipliers of all conditions, then by equilibrium from body to body"

    def solve(self, balance: Balance) -> Array:
        pushes = np.zeros((len(balance.right), balance.matrix.shape[-1]))
        known = _held(balance)
        if known:
            c, inertia = balance.plan.coordinates, balance.inertia()
            # rows, velocities and multipliers count in metres and newtons
            size = c.kinematics.scale / c.kinematics.length
            jacobian = np.array([row.weight for row in c.rows])[:, None] * inertia.jacobian * size
            effects = (inertia.velocities * size).swapaxes(-1, -2)
            multipliers = self.multipliers(balance, jacobian, effects)
            rigid = _rigid(balance, jacobian)
            touching = contacts(balance.plan.coordinates)
            for element, places in known.items():
                mine = balance.elements[element][0]
                if element in touching:
                    pushes[:, mine] = multipliers[:, places] if places else 0.0
                    continue
                power = np.einsum("nmv,nm->nv", jacobian[:, places], multipliers[:, places])
                pushes[:, mine] = _least(
                    rigid @ effects @ balance.matrix[:, :, mine], (rigid @ power[..., None])[..., 0]
                )
        return inwards(balance, pushes, list(known))

    def multipliers(self, balance: Balance, jacobian: Array, effects: Array) -> Array:
        """λ (N, m) from C (N, m, nv) and Jᵀ (N, nv, n), both in sizes of the coordinates."""
        return multipliers(jacobian, np.einsum("nvi,ni->nv", effects, balance.right))


@dataclass(frozen=True)
class FromPenalties(FromMultipliers):
    """The same with λ by penalties."""

    name: ClassVar[str] = "penalty"
    summary: ClassVar[str] = "from multipliers by penalties, corrected, then by equilibrium from body to body"

    estimate: PenaltyEstimate = field(default_factory=PenaltyEstimate)

    def multipliers(self, balance: Balance, jacobian: Array, effects: Array) -> Array:
        self.require_bodies_alone(balance)
        inertia = balance.inertia()
        weights = np.array([row.weight for row in balance.plan.coordinates.rows])
        resting = inertia.right(np.zeros((len(balance.right), jacobian.shape[-1])))
        mass = effects @ inertia.mass @ effects.swapaxes(-1, -2)
        forces = -np.einsum("nvi,ni->nv", effects, resting)
        return self.estimate.multipliers(mass, jacobian, forces, weights * inertia.bias)


class TreeRecursion(ReactionScheme):
    """All loops are cut: the virtual power of the tree gives what closes them, and equilibrium the rest."""

    name: ClassVar[str] = "tree_recursion"
    summary: ClassVar[str] = "what closes loops by virtual power of the open tree, then from body to body"

    def solve(self, balance: Balance) -> Array:
        tree = _tree(balance)
        cut = [name for name in balance.elements if name not in tree]
        places = [i for name in cut for i in balance.elements[name][0]]
        held = np.delete(balance.matrix, places, axis=-1)
        pushes = np.zeros((len(balance.right), balance.matrix.shape[-1]))
        if cut:
            cutting = np.concatenate([balance.matrix[:, :, places], balance.right[..., None]], axis=-1)
            powers = rest_beyond(cutting, held, balance.tolerance)  # of the motions that the tree allows
            pushes[:, places] = _least(powers[..., :-1], powers[..., -1], balance.tolerance)
        return inwards(balance, pushes, cut)


def inwards(balance: Balance, pushes: Array, known: Sequence[str]) -> Array:
    """The components W f from the pushes (N, nf) of known elements: all others by equilibrium, a body at a time.

    What is not unique is no number.
    """
    left = balance.right - np.einsum("nij,nj->ni", balance.matrix, pushes)
    unknown = [name for name in balance.elements if name not in known]
    while unknown:
        bodies = _loose_ends(balance, unknown)
        for body, name in bodies:
            mine, rows = balance.elements[name][0], balance.rows_of(body)
            pushes[:, mine] = _least(balance.matrix[:, rows][:, :, mine], left[:, rows])
            left = left - np.einsum("nij,nj->ni", balance.matrix[:, :, mine], pushes[:, mine])
        if not bodies:  # loops that no multiplier closes
            mine = [i for name in unknown for i in balance.elements[name][0]]
            pushes[:, mine] = _least(balance.matrix[:, :, mine], left, balance.tolerance)
            break
        unknown = [name for name in unknown if name not in dict(bodies).values()]
    return np.where(balance.open, np.nan, np.einsum("nci,ni->nc", balance.world, pushes))


def _loose_ends(balance: Balance, unknown: Sequence[str]) -> list[tuple[str, str]]:
    """Bodies on which one unknown element is left, with that element, each element once."""
    touching: dict[str, list[str]] = {}
    for name in unknown:
        for body in balance.plan.touched(name):
            touching.setdefault(body, []).append(name)
    found: dict[str, str] = {}
    for body, names in touching.items():
        if len(names) == 1 and names[0] not in found:
            found[names[0]] = body
    return [(body, name) for name, body in found.items()]


def _held(balance: Balance) -> dict[str, list[int]]:
    """Elements whose pushes their multipliers give, and the places of their rows; redundant ones may have been left out."""
    c = balance.plan.coordinates
    rows: dict[str, list[int]] = {name: [] for name in balance.elements}
    for i, row in enumerate(c.rows):
        rows.setdefault(row.label.element, []).append(i)
    bearings = {joint for contact in contacts(balance.plan.coordinates).values() for joint in contact.bearings}
    elements = {name: mine for name, (mine, _) in balance.elements.items() if name not in bearings}
    if c.kind.name == "relative":
        tree = _tree(balance)
        return {name: rows[name] for name in elements if name not in tree}
    if c.kind.name == "reference_point":
        return {name: rows[name] for name in elements}
    # joints share points and vectors: those that share none have a row for each push
    return {name: rows[name] for name, mine in elements.items() if len(rows[name]) == len(mine)}


def _tree(balance: Balance) -> set[str]:
    """The joints of the spanning tree."""
    return {step.link.name for step in balance.plan.coordinates.topology.tree.steps if step.link is not None}


def _rigid(balance: Balance, jacobian: Array) -> Array:
    """Motions (N, k, nv) that respect all conditions which are no element's: those inside a body."""
    c, count = balance.plan.coordinates, len(jacobian)
    inner = [i for i, row in enumerate(c.rows) if row.label.element not in balance.elements]
    if not inner:
        return np.broadcast_to(np.eye(jacobian.shape[-1]), (count, jacobian.shape[-1], jacobian.shape[-1]))
    _, sizes, vt = np.linalg.svd(POLICY.unit_rows(jacobian[:, inner])[0])
    rank = POLICY.count(sizes[0])
    return np.asarray(vt[:, rank:])


def _least(matrix: Array, right: Array, zero: Array | None = None) -> Array:
    """The x (N, k) of least norm with A x = r."""
    if zero is None:
        return least_solutions(matrix, right, POLICY.rank)
    return np.asarray((pseudo_inverse(matrix, zero) @ right[..., None])[..., 0])
