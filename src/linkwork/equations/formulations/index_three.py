"""Index-3 equations with penalties and an augmented Lagrangian (Bayo and others, Comput. Methods Appl. Mech. Engrg. 92,
1991; García de Jalón and Bayo, section 8.5, eqs. 8.124 to 8.135):

    M v̇ + Cᵀ [α (Φ + μ Φ̇) + λ*] = h,   λ* ← λ* + α (Φ + μ Φ̇)

with the trapezoidal rule put into them, so that the state at the end of a step is what is solved for. Φ is not
differentiated twice, and the system has the size of v whatever the rank of C: redundant constraints and singular positions
do no harm. λ* begins at zero in every step. The penalties follow the size of the steps, and no estimate of errors of v̇ sees
what they leave open: steps have one size, and convergence is that of the size.

Conditions on velocities alone, ψ = 0, have τ ψ in the place of Φ and ψ in that of Φ̇, τ = h/2; their multipliers go on from
the last step and are raised after every iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.penalty import penalties
from linkwork.equations.stages import TANGENTS, StageTerms, applied_slope, is_symmetric, open_stage, stage_functions
from linkwork.equations.terms import closure_function, position_functions, terms_function
from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.implicit import StageRule, by_velocity_stages, stage_log

STIFFNESS = 500.0  # of the penalties, in units of the largest mass over the square of half a step
FIRST_ALPHA = 1e4  # of the accelerations at the start


@dataclass(frozen=True)
class Index3AugmentedLagrangian(Formulation):
    """Steps of the trapezoidal rule with penalties *alpha*, relative to the largest mass, in 1/s²; None: 500 (2/h)².

    damping_ratio: h/μ. augmentations: how often λ* is raised in a step. tolerance: largest correction of a position,
    relative to its typical size, that ends the iteration; None takes exactly *iterations* in every step, for real time.
    tangent: 'quasi' or 'exact'.
    """

    name: ClassVar[str] = "index3_augmented_lagrangian"
    summary: ClassVar[str] = "penalties and multipliers of positions, solved for at the end of every implicit step"
    abilities: ClassVar[Abilities] = Abilities(
        closes_loops=False, rolling=True, singular_positions=True, singular_start=True
    )
    implicit: ClassVar[bool] = True
    solves_stages: ClassVar[bool] = True
    needs_fixed_step: ClassVar[bool] = True

    alpha: float | None = None
    damping_ratio: float = 40.0
    augmentations: int = 0
    iterations: int = 20
    tolerance: float | None = 1e-10
    tangent: str = "quasi"

    def __post_init__(self) -> None:
        self.require("tangent", TANGENTS)
        positive = ("damping_ratio",) if self.alpha is None else ("alpha", "damping_ratio")
        check_stage_options(self, positive, self.iterations, self.tolerance)
        self.require_numbers(not_negative=("augmentations",))

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c, stage = coordinates, open_stage(coordinates)
        alpha = STIFFNESS / stage.longest**2 if self.alpha is None else self.alpha
        unit = penalties(c, 1.0, t, y, p)
        stiffness = alpha * ca.SX(unit)
        # μ = h / ratio
        mu = 2 * stage.longest / self.damping_ratio
        rate = c.jacobian @ c.v + c.a
        # Φ is zero where a row restricts velocities only
        rolling = np.array([label.level == "velocity" for label in c.labels], dtype=float)
        positions = c.phi + stage.tau_q * ca.SX(rolling) * rate
        terms = StageTerms(
            residual=c.mass @ (c.v - stage.v_hat) / stage.tau - c.forces,
            residual_slope=c.mass / stage.tau - applied_slope(stage),
            penalty=stiffness * (positions + mu * rate),
            penalty_slope=(stage.tau_q + mu) * stiffness * c.jacobian,
        )
        functions = {"closure": closure_function(c), "terms": terms_function(c, c.b), **position_functions(c)}
        rule = StageRule(is_symmetric(stage, self.tangent), self.iterations, self.tolerance, self.augmentations)
        sizes = c.q.numel(), c.v.numel(), c.s.numel()
        procedure = by_velocity_stages(rule, FIRST_ALPHA * unit, sizes)

        return Scheme(
            functions | stage_functions(stage, terms, self.tangent), procedure, stage_notes, doubts=unfinished_stages
        )


def check_stage_options(
    formulation: Formulation, positive: tuple[str, ...], iterations: int, tolerance: float | None
) -> None:
    """Refuse numbers with which no stage can be solved."""
    name = type(formulation).__name__
    formulation.require_numbers(positive)
    if iterations < 1:
        raise RefusedError(f"{name}: iterations = {iterations}; at least 1 is needed")
    if tolerance is not None and not tolerance > 0:
        raise RefusedError(
            f"{name}: tolerance = {tolerance} must be positive, or None for a fixed number of iterations"
        )


def stage_notes(flow: Flow, returned: bool = False) -> tuple[str, ...]:
    """Iterations of the steps of a run, and how well it has kept its conditions; *returned*: before it returns to them."""
    log = stage_log(flow)
    if not log.stages:
        return ()
    text = f"{log.iterations / log.stages:.3g} iterations a step, at most {log.most}"
    if log.error > 0:
        text += f"; conditions open by at most {log.error:.2g} m at the end of a step"
        text += ", before it returns to them" if returned else ""
    return (text,)


def unfinished_stages(flow: Flow) -> tuple[str, ...]:
    """Steps whose equations are not solved as well as the formulation asks for."""
    log = stage_log(flow)
    if not log.unfinished:
        return ()
    return (
        f"{log.unfinished} of {log.stages} steps are not solved to the tolerance: take shorter steps, or "
        "allow more iterations",
    )
