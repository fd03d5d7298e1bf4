"""What one unknown of the reactions does, and the pushes of relations.

The push of a condition Φ follows from its gradient: with displacements δ and small rotations θ of a body about its origin,
force ∂Φ/∂δ and moment ∂Φ/∂θ. The unknowns u of a relation have no inertia, hence ∂Φ/∂u λ = 0 stands beside Newton's
and Euler's equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.coordinates.numbering import Coordinates
from linkwork.elements.relations import Relation
from linkwork.topology.geometry import GROUND

Wrench = tuple[str, ca.SX, ca.SX, ca.SX]
"""Body, force, moment at the point, point."""


@dataclass(frozen=True, eq=False)
class Push:
    """One unknown: its wrenches on bodies, whether its size is a torque, its name, and what it does to unknowns."""

    element: str
    wrenches: tuple[Wrench, ...]
    moment: bool
    effort: str = "effort"
    own: ca.SX | None = None  # ∂Φ/∂u of the unknowns of its relation
    drift: ca.SX | None = None  # ∂Φ/∂t of a condition that moves by itself


def relation_pushes(c: Coordinates) -> Iterator[Push]:
    """One push for every condition of every relation."""
    for name, relation in c.geometry.relations.items():
        bodies = [body for body in dict.fromkeys(relation.bodies) if body != GROUND]
        moved, delta = _displaced(c, bodies)
        own = ca.SX.sym("own", len(relation.unknowns))
        for condition in relation.conditions(c.space, {**c.kinematics.frames, **moved}, own, c.t):
            at_rest = ca.vertcat(ca.SX.zeros(delta.numel()), c.unknowns[name])
            here = ca.vertcat(delta, own)
            gradient = ca.substitute(ca.jacobian(condition.residual, here).T, here, at_rest)
            wrenches = tuple(_wrenches(c, bodies, gradient))
            moment = not condition.is_length
            drift = ca.substitute(ca.jacobian(condition.residual, c.t), here, at_rest)
            yield Push(name, wrenches, moment, condition.effort, gradient[delta.numel() :], drift)


def _displaced(c: Coordinates, bodies: list[str]) -> tuple[dict[str, Frame], ca.SX]:
    """The frames of some bodies after small displacements, and the symbols of these."""
    d, moved, symbols = c.space.dimension, {}, [ca.SX(0, 1)]
    for body in bodies:
        frame, delta = c.kinematics.frames[body], ca.SX.sym(f"delta_{body}", c.space.freedoms)
        turned = frame.axes + _turn(c.space, delta[d:]) @ frame.axes
        angle = None if frame.angle is None else frame.angle + delta[d]
        moved[body] = Frame(frame.origin + delta[:d], turned, angle)
        symbols.append(delta)
    return moved, ca.vertcat(*symbols)


def _turn(space: Space, rotation: ca.SX) -> ca.SX:
    return rotation * ca.SX([[0, -1], [1, 0]]) if space.planar else ca.skew(rotation)


def _wrenches(c: Coordinates, bodies: list[str], gradient: ca.SX) -> Iterator[Wrench]:
    d, k = c.space.dimension, c.space.freedoms
    for i, body in enumerate(bodies):
        part = gradient[i * k : (i + 1) * k]
        yield body, part[:d], part[d:], c.kinematics.frames[body].origin


def balance_of_unknowns(c: Coordinates, pushes: list[Push]) -> ca.SX:
    """∂Φ/∂u of all unknowns of relations, a column for every push."""
    rows = []
    for name, relation in c.geometry.relations.items():
        block = ca.SX(len(relation.unknowns), len(pushes))
        for i, push in enumerate(pushes):
            if push.element == name and push.own is not None:
                block[:, i] = push.own
        rows.append(block)
    return ca.vertcat(ca.SX(0, len(pushes)), *rows)


def force_components(c: Coordinates, pushes: list[Push]) -> tuple[list[ca.SX], list[tuple[str, str]]]:
    """World components of the force of every relation on the last of its bodies, its efforts, its power if it moves."""
    rows: list[ca.SX] = []
    names: list[tuple[str, str]] = []
    none = ca.SX(c.space.dimension, 1)
    for name, relation in c.geometry.relations.items():
        target, mine = _reported(relation), [i for i, push in enumerate(pushes) if push.element == name]
        block = ca.SX(c.space.dimension, len(pushes))
        for i in mine:
            block[:, i] = sum((force for body, force, _, _ in pushes[i].wrenches if body == target), none)
        efforts = relation.efforts(c.space, c.kinematics.frames, c.unknowns[name], c.t)
        for weights in efforts.values():
            row = ca.SX(1, len(pushes))
            row[0, mine] = weights.T
            block = ca.vertcat(block, row)
        names += [(name, f"f{axis}") for axis in c.space.axis_names] + [(name, effort) for effort in efforts]
        power = _power(pushes, mine)
        if power.nnz():
            block = ca.vertcat(block, power)
            names.append((name, "power"))
        rows += [block[i, :] for i in range(block.shape[0])]
    return rows, names


def _power(pushes: list[Push], mine: list[int]) -> ca.SX:
    """−∂Φ/∂t for every push of a relation: λ ∂Φ/∂δ does the work λ (dΦ/dt − ∂Φ/∂t), and dΦ/dt vanishes."""
    row = ca.SX(1, len(pushes))
    for i in mine:
        drift = pushes[i].drift
        if drift is not None and not drift.is_zero():
            row[0, i] = -drift
    return row


def _reported(relation: Relation) -> str:
    """The last body of a relation that moves."""
    return next(body for body in reversed(relation.bodies) if body != GROUND)
