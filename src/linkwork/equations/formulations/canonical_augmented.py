"""The augmented Lagrangian in momenta (García de Jalón and Bayo, eqs. 5.118 to 5.121, algorithm 5-8, signs as in 5.115):

    (M + Cᵀ α C) v = π − Cᵀ α (a + 2 μ Ω Φ + Ω² ∫Φ dt) − Cᵀ σ*,   σ* ← σ* + α (Φ̇ + 2 μ Ω Φ + Ω² ∫Φ dt)
    π̇ = h + Ṁ v + Ċᵀ τ,   τ = σ* + α (Φ̇ + 2 μ Ω Φ + Ω² ∫Φ dt)

∫Φ are further states. Redundant constraints and singular positions do no harm, and conditions that are differentiated only
once pass singular positions again and again. Conditions on velocities alone have ψ in the place of Φ̇ and no Φ (5.125 and
5.126 without ∫ψ, which the corrections make needless).

The basic form (eq. 5.116) has penalties of Φ̇ in the momentum alone and those of Φ as forces, which makes it stiff:
π̇ = h + Ṁ v + Ċᵀ τ − Cᵀ α (Ω² Φ + 2 Ω μ Φ̇) with τ = α Φ̇.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.augmented_lagrangian import correction_notes, unfinished_corrections
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.penalty import penalties
from linkwork.equations.momenta import MomentumTerms, momentum_functions, momentum_units
from linkwork.numerics.flows.canonical import Penalties, by_momenta


@dataclass(frozen=True)
class CanonicalAugmented(Formulation):
    """Momenta and integrals of the conditions as states; *basic* takes the stiff form without integrals and corrections.

    *alpha* relative to the largest mass, *omega* in 1/s; at most *corrections* of the multipliers, until they change by
    less than *tolerance*.
    """

    name: ClassVar[str] = "canonical_augmented"
    summary: ClassVar[str] = "momenta as states, penalties with corrected multipliers; passes singular positions"
    renews: ClassVar[bool] = True
    abilities: ClassVar[Abilities] = Abilities(
        closes_loops=False, rolling=True, singular_positions=True, singular_start=True
    )

    alpha: float = 1e4
    omega: float = 10.0
    mu: float = 1.0
    corrections: int = 20
    tolerance: float = 1e-10
    basic: bool = False

    def __post_init__(self) -> None:
        self.require_numbers(positive=("alpha",), not_negative=("omega", "mu", "corrections", "tolerance"))

    @property
    def able(self) -> Abilities:
        return replace(super().able, exact=self.corrections > 0 and not self.basic)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        alpha = penalties(c, self.alpha, t, y, p)
        rule = Penalties(alpha, 0 if self.basic else self.corrections, self.tolerance)
        terms = self._basic(c, alpha) if self.basic else self._modified(c)
        functions = momentum_functions(c, terms, momentum_units(c, t, y, p))
        procedure = by_momenta(terms.integrals.numel(), rule, renew=not self.basic)

        if self.basic:
            return Scheme(functions, procedure)
        doubts = partial(unfinished_corrections, corrections=self.corrections, tolerance=self.tolerance)
        return Scheme(functions, procedure, correction_notes, doubts=doubts)

    def _modified(self, c: Coordinates) -> MomentumTerms:
        integrals = ca.SX.sym("integral", len(c.rows))
        mismatch = c.a + 2 * self.mu * self.omega * c.phi + self.omega**2 * integrals
        return MomentumTerms(mismatch, integrals, ca.SX(c.v.numel(), 1))

    def _basic(self, c: Coordinates, alpha: Array) -> MomentumTerms:
        error = self.omega**2 * c.phi + 2 * self.omega * self.mu * (c.jacobian @ c.v + c.a)
        push = -c.jacobian.T @ (alpha * error) if c.rows else ca.SX(c.v.numel(), 1)
        return MomentumTerms(c.a, ca.SX(0, 1), push)
