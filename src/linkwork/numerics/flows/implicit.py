"""Procedures whose equations are those of implicit stages (``kernels/constrained/implicit.py``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.numerics.flows.canonical import MOMENTA
from linkwork.numerics.flows.constrained import SETTLED, correction_policy
from linkwork.numerics.flows.context import memory_of
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import Array, Implicit, OwnTerms, Procedure
from linkwork.numerics.kernels.constrained import canonical
from linkwork.numerics.kernels.constrained import implicit as kernels
from linkwork.numerics.kernels.constrained.augmented import solve_augmented
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms
from linkwork.numerics.kernels.constrained.straight import rechart

CORRECTIONS, EXACT = 20, 1e-12  # of the multipliers of accelerations at the start
STALLED = 0.5  # of the last correction: no longer shrinking
ROUNDING = 1e-7  # scaled corrections that may stall
ASTRAY = 1e3  # a scaled correction that leads nowhere
STAGES = {"stage": "stage", "place": "place"}
"""Functions of a stage by the fields that call them."""


@dataclass(frozen=True, eq=False)
class StageRule:
    """How stages are solved.

    symmetric: whether the tangent is; iterations: the most of them; tolerance: scaled correction of the positions that ends
    them, None: never; augmentations: how often multipliers are raised after convergence, None: after every iteration
    """

    symmetric: bool
    iterations: int
    tolerance: float | None
    augmentations: int | None

    @property
    def numbers(self) -> dict[str, Any]:
        """What the kernels know of it."""
        return {
            "multiplier_policy": correction_policy(CORRECTIONS, EXACT),
            "augmentations": -1 if self.augmentations is None else self.augmentations,
            "symmetric": int(self.symmetric),
            "stage_policy": self.policy,
        }

    @property
    def policy(self) -> dict[str, float]:
        """When the iteration of a stage ends, see `IterationPolicy`."""
        tolerance = self.tolerance or 0.0
        end = {"tolerance": tolerance, "rounding": ROUNDING, "stalled": STALLED, "longest": ASTRAY}
        return {"limit": self.iterations, "fixed": int(not tolerance), **end}


@dataclass(frozen=True, eq=False)
class StageLog:
    """Stages of a run: their number, iterations in all and most of one, those above their tolerance; the largest error of
    the conditions at the end of a stage, and the multipliers λ (m) of the last one, M v̇ = h + Cᵀ λ."""

    stages: int
    iterations: int
    most: int
    unfinished: int
    error: float
    multipliers: np.ndarray


def by_velocity_stages(rule: StageRule, penalties: Array, sizes: tuple[int, int, int]) -> Procedure:
    """Stages of y = [q, v, s] of so many numbers; *penalties* (m) are those of the accelerations at the start."""
    # velocities follow from positions with a power of the step size less
    levels = np.repeat([0.0, 1.0, 0.0], sizes)
    return Procedure(
        flow=(evaluate_terms, solve_augmented, kernels.keep_multipliers),
        refresh=(kernels.settle_quietly, rechart),
        functions=STAGES,
        numbers={**rule.numbers, "penalty": penalties},
        implicit=Implicit(kernels.stage_velocities, levels=levels),
    )


def by_momentum_stages(rule: StageRule, project: bool) -> Procedure:
    """Stages of z = [q, π, s]; *project* returns every step to its conditions."""
    return Procedure(
        flow=(canonical.open_state, kernels.rates_index_two),
        refresh=(canonical.open_state, kernels.project_momenta) if project else SETTLED,
        functions=STAGES | MOMENTA | {"acceleration_terms": "terms"},
        numbers=rule.numbers,
        own=OwnTerms(canonical.encode_momenta, canonical.decode_momenta),
        implicit=Implicit(kernels.stage_momenta),
    )


def stage_log(flow: Flow) -> StageLog:
    """Read the counters of a flow of stages."""
    memory = memory_of(flow)
    return StageLog(
        stages=memory.stages,
        iterations=memory.stage_iterations,
        most=memory.stage_most,
        unfinished=memory.unfinished,
        error=memory.worst_error,
        multipliers=-memory.raised,
    )
