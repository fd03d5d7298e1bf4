"""Ways to solve G f = r for the reactions, each by its name. All give the same where they work.

Three schemes of Blajer, Schiehlen and Schirm, section 5, here in the velocities w of the bodies (B = Gᵀ, and
T_bd = [B M⁻¹; D] with the admissible motions Dᵀ):

    (35)  f = (B M⁻¹ Bᵀ)⁻¹ B (ξ − M⁻¹ h)        inverse_inertia: ξ is any acceleration that the conditions allow
    (37)  [f; 0] = (T_bd M)⁻ᵀ (M ẇ − h)          projection
    (38)  Bᵀ f = M ẇ − h                         least_squares

Those of García de Jalón and Bayo, section 6.2, stand in files of their own: by virtual power (``reaction_virtual_power``),
by Newton's equations with all components of every joint (``reaction_newton``), from multipliers and from body to body
(``reaction_equilibrium``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.equations.reactions.balance import Array, Balance, BodyInertia
from linkwork.equations.reactions.base import SINGULAR, ReactionScheme
from linkwork.equations.reactions.equilibrium import FromMultipliers, FromPenalties, TreeRecursion
from linkwork.equations.reactions.newton import NewtonScheme
from linkwork.equations.reactions.virtual_power import ConstraintScheme, ElementScheme, JointScheme
from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.paths.many_newton import exact_steps
from linkwork.numerics.policy import POLICY


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
        self.require_bodies_alone(balance)
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


def _possible(inertia: BodyInertia) -> Array:
    """Accelerations v̇ (N, nv) that the conditions allow, C v̇ + b = 0, the smallest ones."""
    return inertia.scale * exact_steps(inertia.jacobian * inertia.scale, inertia.bias, POLICY.rank)


def _without_inertia(balance: Balance, inertia: BodyInertia) -> str:
    geometry = balance.plan.coordinates.geometry
    for body in geometry.bodies:
        rows = balance.rows_of(body)
        if np.any(np.linalg.cond(inertia.mass[:, rows][:, :, rows]) > 1.0 / SINGULAR):
            return f"body '{body}'"
    return "an unknown of " + ", ".join(name for name, relation in geometry.relations.items() if relation.unknowns)


LEAST = LeastSquares()


@dataclass(frozen=True)
class Completed(ReactionScheme):
    """A scheme whose components that are not unique are those of least norm, instead of no number."""

    scheme: ReactionScheme

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.scheme.name

    @property
    def summary(self) -> str:  # type: ignore[override]
        return self.scheme.summary

    def solve(self, balance: Balance) -> Array:
        found = self.scheme.solve(balance)
        return np.where(np.isnan(found), LEAST.solve(balance), found) if np.isnan(found).any() else found


ALL_REACTION_SCHEMES: tuple[ReactionScheme, ...] = (
    LEAST,
    Projection(),
    InverseInertia(),
    JointScheme(),
    ElementScheme(),
    ConstraintScheme(),
    NewtonScheme(),
    FromMultipliers(),
    FromPenalties(),
    TreeRecursion(),
)


def reaction_scheme(name: str) -> ReactionScheme:
    """The scheme with this name."""
    known = {scheme.name: scheme for scheme in ALL_REACTION_SCHEMES}
    if name not in known:
        raise RefusedError(f"unknown scheme of reactions '{name}'; {did_you_mean(name, list(known))}")
    return known[name]
