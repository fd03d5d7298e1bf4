"""Canonical equations as differential and algebraic ones of index 2 (García de Jalón and Bayo, eqs. 5.97 and 5.98):

    π = M v,   π̇ = h + Ṁ v + Cᵀ λ,   C v + a = 0

with implicit stages π = π̂ + τ π̇, q = q̂ + τ T v put into them: velocities and multipliers at the end of a stage are solved
for, and the conditions on velocities hold there. h + Ṁ v takes the place of the derivative of the Lagrangian by the
coordinates (``equations/momenta.py``). The multipliers are found with penalties,

    λ* ← λ* + α (C v + a) / τ

raised after every iteration, so that redundant constraints do no harm. Positions drift like errors of the integrator; they
are returned to their conditions after every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.index_three import check_stage_options, stage_notes, unfinished_stages
from linkwork.equations.formulations.penalty import penalties
from linkwork.equations.momenta import momentum_rate, momentum_units, velocity_functions
from linkwork.equations.stages import TANGENTS, StageTerms, applied_slope, is_symmetric, open_stage, stage_functions
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.implicit import StageRule, by_momentum_stages


@dataclass(frozen=True)
class CanonicalIndex2(Formulation):
    """Momenta as states of implicit steps; *alpha* relative to the largest mass.

    project: return every step to its conditions. tolerance: largest correction of a position, relative to its typical
    size, that ends the iteration; None takes exactly *iterations* in every step, for real time. tangent: 'quasi' or 'exact'.
    """

    name: ClassVar[str] = "canonical_index2"
    summary: ClassVar[str] = "momenta and multipliers of velocities, solved for at the end of every implicit step"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)
    implicit: ClassVar[bool] = True
    solves_stages: ClassVar[bool] = True

    alpha: float = 1e6
    iterations: int = 20
    tolerance: float | None = 1e-10
    tangent: str = "quasi"
    project: bool = True

    def __post_init__(self) -> None:
        self.require("tangent", TANGENTS)
        check_stage_options(self, ("alpha",), self.iterations, self.tolerance)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c, stage = coordinates, open_stage(coordinates)
        alpha, unit = penalties(c, self.alpha, t, y, p), momentum_units(c, t, y, p)
        gain = c.forces + momentum_rate(c, ca.SX(len(c.rows), 1))
        terms = StageTerms(
            residual=(c.mass @ c.v - ca.SX(unit) * stage.v_hat) / stage.tau - gain,
            residual_slope=c.mass / stage.tau - applied_slope(stage),
            penalty=ca.SX(alpha) * (c.jacobian @ c.v + c.a) / stage.tau,
            penalty_slope=ca.SX(alpha) * c.jacobian / stage.tau,
        )
        vdot = ca.SX.sym("vdot", c.v.numel())
        rates = ca.vertcat(c.kinematics.rates, (c.mass @ vdot + gain - c.forces) / unit, c.s_rates)
        functions = velocity_functions(c, c.a, unit) | stage_functions(stage, terms, self.tangent)
        functions["momentum_rates"] = make_function("momentum_rates", c, {"zdot": rates}, vdot)
        rule = StageRule(is_symmetric(stage, self.tangent), self.iterations, self.tolerance, None)

        notes = partial(stage_notes, returned=self.project)
        return Scheme(functions, by_momentum_stages(rule, self.project), notes, doubts=unfinished_stages)
