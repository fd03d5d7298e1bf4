"""Procedures of constrained systems by projection: on the range of the conditions, on the admissible velocities, on a set.

The rows of B say which velocities are independent, ż = B v; R gives all velocities, v = R ż + S̄(−a) (``inputs.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from linkwork.numerics.flows.constrained import LOG_LIMIT, by_multipliers, by_partition
from linkwork.numerics.flows.context import memory_of
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import Operations, Procedure
from linkwork.numerics.kernels.constrained import codes, differentiable_r, extended, inputs, partition, r_anew
from linkwork.numerics.kernels.constrained import r_matrix as kernels
from linkwork.numerics.kernels.constrained import state as constrained
from linkwork.numerics.kernels.constrained.closing import project as project_state
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms
from linkwork.numerics.kernels.constrained.projection import evaluate_closure
from linkwork.numerics.kernels.constrained.range_space import solve_range_space
from linkwork.numerics.kernels.constrained.straight import rechart

BASES = {"gauss": codes.GAUSS, "qr": codes.QR, "svd": codes.SVD, "gram_schmidt": codes.GRAM_SCHMIDT}
"""Ways to choose a constant B, by name."""
ANEW = {"svd_each": codes.SVD, "eigen_each": codes.EIGENVECTORS}
"""Ways to R at every position anew, by name."""
DIFFERENTIABLE = "differentiable"
"""R by rows that are made orthonormal, with its derivative."""


CORRECTED = inputs.keep_positions, kernels.return_if_open, inputs.meet_velocities
"""Operations on positions that are integrated, and return to the conditions where a row is open."""
WATCHED = kernels.look_after_inputs, rechart
"""Operations at the end of a refresh: B is chosen anew where it is worn."""
LOOKED_AFTER = extended.look_after_set, rechart
"""The same of an independent set."""


def by_inputs(flow: Operations, refresh: Operations, basis: str, switch_ratio: float, **more: Any) -> Procedure:
    """A procedure in ż = B v, whose first B is chosen at the start; *more*: numbers, and names of functions."""
    kind = {**BASES, **ANEW, DIFFERENTIABLE: codes.GAUSS}[basis]
    numbers = {"log_limit": LOG_LIMIT, "switch_ratio": switch_ratio, "basis_kind": kind, **more.pop("numbers", {})}
    return Procedure(flow=flow, refresh=refresh, start=kernels.start_inputs, numbers=numbers, **more)


def by_range_space(project: bool = True) -> Procedure:
    """All coordinates by the range space of the conditions; steps projected as with multipliers."""
    return replace(by_multipliers(project), flow=(evaluate_terms, solve_range_space), series=None, slope=None)


def by_projected_equations(basis: str, switch_ratio: float, project: bool = True) -> Procedure:
    """All coordinates by the equations that R projects."""
    flow = inputs.keep_positions, evaluate_terms, kernels.solve_projected_equations
    returned = project_state if project else kernels.watch_drift
    return by_inputs(flow, (returned, rechart, evaluate_closure, *WATCHED), basis, switch_ratio)


def by_independent_velocities(basis: str, switch_ratio: float, tolerance: float | None = None) -> Procedure:
    """In z, or with a tolerance in ż and all positions, which are corrected when a row is open by more than it."""
    solved = inputs.meet_velocities, evaluate_terms, kernels.solve_r_method
    if tolerance is None:
        met = inputs.meet_conditions, inputs.meet_velocities
        return by_inputs((inputs.meet_conditions, *solved), (*met, *WATCHED), basis, switch_ratio)
    numbers = {"tolerance": tolerance}
    return by_inputs((inputs.keep_positions, *solved), (*CORRECTED, *WATCHED), basis, switch_ratio, numbers=numbers)


def by_moving_r(basis: str, switch_ratio: float, tolerance: float) -> Procedure:
    """All of q and v with an R that has a derivative, from the function 'jacobian_rate', or that is found anew at every
    position."""
    numbers = {"tolerance": tolerance}
    if basis == DIFFERENTIABLE:
        flow = differentiable_r.find_rows, evaluate_terms, differentiable_r.solve_moving_r
        names = {"jacobian_rate": "jacobian_rate"}
        return by_inputs(flow, (*CORRECTED, *WATCHED), basis, switch_ratio, numbers=numbers, functions=names)
    anew = r_anew.choose_anew, inputs.meet_velocities, evaluate_terms, kernels.solve_r_method
    returned = r_anew.choose_anew, kernels.return_if_open, r_anew.choose_again, inputs.meet_velocities, rechart
    return by_inputs(anew, returned, basis, switch_ratio, numbers=numbers)


def by_extended_set(switch_ratio: float, tolerance: float) -> Procedure:
    """Partition with all positions integrated; they are corrected when a row is open by more than the tolerance."""
    return replace(
        by_partition(switch_ratio, tolerance=tolerance),
        flow=(extended.keep_positions, partition.solve_velocities, evaluate_terms, partition.solve_reduced),
        refresh=(extended.keep_positions, extended.return_dependent, partition.solve_velocities, *LOOKED_AFTER),
    )


def by_damped_set(switch_ratio: float, tolerance: float, damping: tuple[float, float]) -> Procedure:
    """Partition in all coordinates; damping (α, β) acts where a row is open by more than the tolerance."""
    alpha, beta = damping
    return replace(
        by_partition(switch_ratio, tolerance=tolerance, alpha=alpha, beta=beta),
        flow=(extended.take_positions, evaluate_terms, extended.damp, constrained.solve_rates),
        refresh=(extended.keep_positions, extended.choose_mode, *LOOKED_AFTER),
    )


@dataclass(frozen=True)
class StepCounts:
    """Steps of a run after which positions were solved for, and steps taken with damped errors."""

    solved: int
    damped: int


def step_counts(flow: Flow) -> StepCounts:
    """Read the counters of an extended or stabilised flow, or of one in ż and all positions."""
    memory = memory_of(flow)
    return StepCounts(memory.fallbacks, memory.evaluations)
