"""Ways to solve G f = r for the reactions, each by its name. All give the same where they work.

Three schemes of Blajer, Schiehlen and Schirm, section 5, here in the velocities w of the bodies (B = Gᵀ, and
T_bd = [B M⁻¹; D] with the admissible motions Dᵀ):

    (35)  f = (B M⁻¹ Bᵀ)⁻¹ B (ξ − M⁻¹ h)        inverse_inertia: ξ is any acceleration that the conditions allow
    (37)  [f; 0] = (T_bd M)⁻ᵀ (M ẇ − h)          projection
    (38)  Bᵀ f = M ẇ − h                         least_squares

and three by virtual power (García de Jalón and Bayo, section 6.2.5): a virtual motion w* in which one component of one
reaction alone has power gives that component, f · 1 = w*ᵀ (M ẇ − h).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from linkwork.equations.balance import OPEN, Array, Balance, BodyInertia, pseudo_inverse
from linkwork.errors import RefusedError, did_you_mean

SINGULAR = 1e-11  # a matrix whose condition number is above the inverse of this is singular


class ReactionScheme(ABC):
    """One way to get the components (N, nc) of all reactions."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def solve(self, balance: Balance) -> Array:
        """The components W f. What is not unique is no number, but in 'least_squares'."""

    def refuse(self, reason: str, works: str = "least_squares") -> RefusedError:
        """An error that says what works instead."""
        return RefusedError(f"reactions by '{self.name}': {reason}; '{works}' works")

    def solve_square(self, balance: Balance, matrix: Array, right: Array) -> Array:
        """Solve regular systems, or say why they are not."""
        conditions = np.linalg.cond(matrix) if matrix.shape[-1] else np.ones(len(matrix))
        worst = int(np.argmax(conditions))
        if conditions[worst] > 1.0 / SINGULAR:
            raise self.refuse(_why(balance, worst))
        return np.asarray(np.linalg.solve(matrix, right))

    def motions(self, balance: Balance) -> Array:
        """Dᵀ (N, n, k): an orthonormal basis of the motions that the conditions allow; with f they must fill the space."""
        inertia, (count, n, unknowns) = balance.inertia(), balance.matrix.shape
        _, sizes, vt = np.linalg.svd(inertia.jacobian * inertia.scale)
        largest = sizes.max(axis=-1, initial=1e-300)
        ranks = np.sum(sizes > 1e-9 * largest[:, None], axis=-1)
        freedoms = vt.shape[-1] - ranks
        wrong = np.flatnonzero(freedoms + unknowns != n)
        if wrong.size:
            raise self.refuse(_why(balance, int(wrong[0])))
        basis = inertia.scale[:, None] * vt[:, vt.shape[-1] - int(freedoms[0]) :].swapaxes(-1, -2)
        motions = inertia.velocities @ basis
        return np.asarray(np.linalg.qr(motions)[0]) if motions.shape[-1] else motions.reshape(count, n, 0)


class LeastSquares(ReactionScheme):
    """(38), of least norm where the solution is not unique."""

    name = "least_squares"
    summary = "least squares, of least norm where conditions are redundant"

    def solve(self, balance: Balance) -> Array:
        return np.einsum("nci,ni->nc", balance.world, balance.least)


class InverseInertia(ReactionScheme):
    """(35): from positions and velocities alone, before any acceleration is known."""

    name = "inverse_inertia"
    summary = "without the accelerations, by the inverse of the inertia of the bodies"

    def solve(self, balance: Balance) -> Array:
        inertia = balance.inertia()
        if np.any(np.linalg.cond(inertia.mass) > 1.0 / SINGULAR):
            idle = _without_inertia(balance, inertia)
            raise self.refuse(f"{idle} has no inertia, so that M has no inverse", "projection")
        shares = np.linalg.solve(inertia.mass, balance.matrix)  # M⁻¹ Bᵀ
        resting = inertia.right(_possible(inertia))  # M ξ − h
        matrix = balance.matrix.swapaxes(-1, -2) @ shares
        pushes = self.solve_square(balance, matrix, shares.swapaxes(-1, -2) @ resting[..., None])
        return np.asarray((balance.world @ pushes)[..., 0])


class Projection(ReactionScheme):
    """(37): (T_bd M)ᵀ = [Bᵀ, M Dᵀ]; the inertia of the bodies may be singular as long as all motions have some."""

    name = "projection"
    summary = "one square system of the reactions and the admissible motions"

    def solve(self, balance: Balance) -> Array:
        momenta = balance.inertia().mass @ self.motions(balance)
        size = np.linalg.norm(momenta, axis=1, keepdims=True)
        matrix = np.concatenate([balance.matrix, momenta / np.maximum(size, 1e-300)], axis=-1)
        found = self.solve_square(balance, matrix, balance.right[..., None])
        return np.asarray((balance.world @ found[:, : balance.matrix.shape[-1]])[..., 0])


class ConstraintVariation(ReactionScheme):
    """One condition is given a unit rate, all others and the inputs none: Gᵀ w* = e, D w* = 0, factored once for all."""

    name = "constraint_variation"
    summary = "virtual power with a unit rate of one condition after the other"

    def solve(self, balance: Balance) -> Array:
        matrix = np.concatenate([balance.matrix, self.motions(balance)], axis=-1).swapaxes(-1, -2)
        rates = np.zeros((*matrix.shape[:2], balance.world.shape[1]))
        rates[:, : balance.matrix.shape[-1]] = balance.world.swapaxes(-1, -2)
        virtual = self.solve_square(balance, matrix, rates)
        return np.einsum("nic,ni->nc", virtual, balance.right)


class JointElimination(ReactionScheme):
    """One joint is cut: of the motions that this sets free, w* opens the joint along one component alone."""

    name = "joint_elimination"
    summary = "virtual power of a motion that opens one joint after the other"

    def solve(self, balance: Balance) -> Array:
        values, zero = np.zeros(balance.world.shape[:2]), balance.tolerance
        for pushes, components in balance.elements.values():
            others = np.delete(balance.matrix, pushes, axis=-1)
            opening = balance.matrix[:, :, pushes].swapaxes(-1, -2)
            # what is left of it when nothing else may open
            opening = opening - (opening @ others) @ pseudo_inverse(others, zero)
            wanted = balance.world[:, components][:, :, pushes]
            virtual = wanted @ pseudo_inverse(opening, zero).swapaxes(-1, -2)
            missed = np.abs(virtual @ opening.swapaxes(-1, -2) - wanted).max(axis=-1, initial=0.0)
            found = np.einsum("nci,ni->nc", virtual, balance.right)
            values[:, components] = np.where(missed > OPEN, np.nan, found)
        return values


class ElementElimination(ReactionScheme):
    """One body is taken out: its own equilibrium and the virtual power of what is left give the pushes on it alone."""

    name = "element_elimination"
    summary = "equilibrium of one body after the other, with the virtual power of all others"

    def solve(self, balance: Balance) -> Array:
        values, plan = np.zeros(balance.world.shape[:2]), balance.plan
        for body in dict.fromkeys(plan.touched(element)[0] for element in balance.elements):
            mine = [name for name in balance.elements if plan.touched(name)[0] == body]
            pushes, found, free = self._pushes_on(balance, body)
            for name in mine:
                components = balance.elements[name][1]
                wanted = balance.world[:, components][:, :, pushes]
                loose = np.abs(wanted @ free).max(axis=-1, initial=0.0)
                values[:, components] = np.where(loose > OPEN, np.nan, (wanted @ found)[..., 0])
        return values

    def _pushes_on(self, balance: Balance, body: str) -> tuple[list[int], Array, Array]:
        """The pushes on a body, their values (N, k, 1), and a projection (N, k, k) on what is not unique of them."""
        own, zero = balance.rows_of(body), balance.tolerance
        touching = [i for i, push in enumerate(balance.plan.pushes) if body in [item[0] for item in push.wrenches]]
        rest = np.delete(balance.matrix, own, axis=1)
        others = np.delete(rest, touching, axis=-1)
        inverse = pseudo_inverse(others, zero)

        def powers(part: Array) -> Array:
            """Of the motions of the rest that the other pushes allow."""
            return np.asarray(part - others @ (inverse @ part))

        matrix = np.concatenate([balance.matrix[:, own][:, :, touching], powers(rest[:, :, touching])], axis=1)
        right = np.concatenate(
            [balance.right[:, own, None], powers(np.delete(balance.right, own, axis=1)[..., None])], axis=1
        )
        solved = pseudo_inverse(matrix, zero)
        return touching, solved @ right, np.eye(len(touching)) - solved @ matrix


def _possible(inertia: BodyInertia) -> Array:
    """Accelerations v̇ (N, nv) that the conditions allow, C v̇ + b = 0, the smallest ones."""
    zero = np.full(len(inertia.bias), 1e-300)
    if inertia.jacobian.shape[1]:
        zero = 1e-9 * np.linalg.norm(inertia.jacobian * inertia.scale, ord=2, axis=(-2, -1))
    inverse = pseudo_inverse(inertia.jacobian * inertia.scale, zero)
    return np.asarray(-inertia.scale * (inverse @ inertia.bias[..., None])[..., 0])


def _without_inertia(balance: Balance, inertia: BodyInertia) -> str:
    geometry = balance.plan.coordinates.geometry
    for body in geometry.bodies:
        rows = balance.rows_of(body)
        if np.any(np.linalg.cond(inertia.mass[:, rows][:, :, rows]) > 1.0 / SINGULAR):
            return f"body '{body}'"
    return "an unknown of " + ", ".join(name for name, relation in geometry.relations.items() if relation.unknowns)


def _why(balance: Balance, sample: int) -> str:
    """Why the reactions are not determined at one sample."""
    names = [f"{element}.{name}" for element, name in balance.plan.components]
    loose = [name for name, is_open in zip(names, balance.open[sample], strict=True) if is_open]
    if not loose:
        return "there is a motion that meets no inertia"
    listed = ", ".join(loose[:6]) + (f" and {len(loose) - 6} more" if len(loose) > 6 else "")
    if np.any(np.atleast_1d(balance.open.all(axis=0))[balance.open[sample]]):
        return f"conditions are redundant, and {listed} are not unique"
    return f"the position at t = {balance.time[sample]:.6g} s is singular, and {listed} are not unique there"


LEAST = LeastSquares()

ALL_REACTION_SCHEMES: tuple[ReactionScheme, ...] = (
    LEAST,
    Projection(),
    InverseInertia(),
    JointElimination(),
    ElementElimination(),
    ConstraintVariation(),
)


def reaction_scheme(name: str) -> ReactionScheme:
    """The scheme with this name."""
    known = {scheme.name: scheme for scheme in ALL_REACTION_SCHEMES}
    if name not in known:
        raise RefusedError(f"unknown scheme of reactions '{name}'; {did_you_mean(name, list(known))}")
    return known[name]
