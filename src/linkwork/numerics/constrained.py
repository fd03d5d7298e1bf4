"""Flows of constrained systems: M v̇ = h + Cᵀλ, C v̇ + b = 0, with Φ(q, t) = 0 kept.

The state is y = [q (nq), v (nv), s (ns)]. Two ways to integrate it:

- ``multipliers_flow``: all of y is integrated and returned to the constraints after each step;
- ``partition_flow``: independent velocities are integrated, the rest is solved for; the independent set changes by the
  projective criterion before it becomes singular.

Nothing here knows mechanics: constraint rows and coordinates are numbers, the caller names them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.numerics.closure import (
    ClosureReport,
    RankReport,
    criterion,
    rank_report,
    solve_positions,
    solve_velocities,
    worth,
)
from linkwork.numerics.context import FAILURES, ConstrainedSystem, Failure, allocate, failure_of, memory_of
from linkwork.numerics.integrators.flow import Flow, Series
from linkwork.numerics.kernels import constrained as kernels
from linkwork.numerics.kernels.records import SeriesFunction
from linkwork.numerics.kernels.slope import Slope
from linkwork.numerics.loader import compiled, kernel_address

__all__ = [
    "FAILURES",
    "AugmentedLog",
    "ClosureReport",
    "ConstrainedSystem",
    "Failure",
    "PartitionError",
    "PartitionLog",
    "RankReport",
    "augmented_flow",
    "augmented_log",
    "criterion",
    "fallback_count",
    "independent_set",
    "last_failure",
    "multipliers_flow",
    "partition_flow",
    "partition_log",
    "rank_report",
    "solve_positions",
    "solve_velocities",
    "worth",
]

LOG_LIMIT = 256
"""Changes of the independent set that are kept with their times; further ones are only counted."""


@dataclass(frozen=True)
class PartitionLog:
    """Independent coordinates (indices into v) over a run.

    initial: the first set; current: the set now; changes: how often it has changed; history: the first changes (t, set).
    """

    initial: tuple[int, ...]
    current: tuple[int, ...]
    changes: int
    history: tuple[tuple[float, tuple[int, ...]], ...]


class PartitionError(LinkworkError):
    """No independent set can be chosen at the initial state; carries the failure."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(f"no independent coordinates can be chosen at the initial state: {failure.message}")


def multipliers_flow(
    system: ConstrainedSystem,
    *,
    project: bool = True,
    health_limit: float = 1e-7,
    series: Series | None = None,
    slope: Slope | None = None,
) -> Flow:
    """Flow in all coordinates with the multipliers eliminated.

    project: return each accepted state to the constraints by the smallest correction in scaled coordinates; without it
    positions only return to the manifold of their retraction, and a step across a singular position is refused.
    health_limit: below this smallest pivot the dense null-space solution replaces the straight-line acceleration.
    series, slope: power series and ∂ẏ/∂y of the straight-line acceleration.
    """
    memory = allocate(system)
    memory.health_limit = health_limit
    refresh = kernel_address(f"constrained.refresh_{'projection' if project else 'drifting'}")
    flow = Flow(kernel_address("constrained.flow_multipliers"), refresh, memory, _owners(system))
    if slope is not None:
        memory.slope = slope
        flow = replace(flow, slope=kernel_address("constrained.slope_multipliers"))
    if series is None:
        return flow
    memory.series, memory.series_work = SeriesFunction(series.address), series.work
    return replace(flow, series=kernel_address("constrained.series_multipliers"))


@dataclass(frozen=True)
class AugmentedLog:
    """Corrections of the multipliers over a run: their number in all, the most of one evaluation, and how often the
    limit was reached before the tolerance."""

    evaluations: int
    corrections: int
    most: int
    unfinished: int


def augmented_flow(
    system: ConstrainedSystem, penalty: np.ndarray, *, corrections: int = 0, tolerance: float = 0, project: bool = False
) -> Flow:
    """Flow in all coordinates by penalties (m), one for each row, with at most so many corrections by multipliers.

    project: return each accepted state to the constraints by the same penalties, in the metric of the mass
    """
    memory = allocate(system, iteration_limit=corrections)
    memory.tolerance = tolerance
    memory.penalty[:] = penalty
    refresh = kernel_address("constrained.refresh_manifold") if system.retract else 0
    if project:
        refresh = kernel_address("augmented.return_state")
    return Flow(kernel_address("augmented.flow_augmented"), refresh, memory, _owners(system))


def augmented_log(flow: Flow) -> AugmentedLog:
    """Read the counters of an augmented flow."""
    memory = memory_of(flow)
    return AugmentedLog(memory.evaluations, memory.iterations, memory.most, memory.fallbacks)


def partition_flow(system: ConstrainedSystem, t0: float, y0: np.ndarray, *, switch_ratio: float = 0.7) -> Flow:
    """Flow by coordinate partitioning; y0 (nq + nv + ns) satisfies the constraints.

    switch_ratio: the set is changed when its criterion falls below this fraction of the best set's.
    The flow belongs to one run forwards in time: the set is examined only at states beyond all earlier ones.
    """
    memory = allocate(system, LOG_LIMIT)
    memory.switch_ratio = switch_ratio
    if compiled(kernels.start_partition)(t0, np.array(y0, dtype=float), memory) < 0:
        raise PartitionError(failure_of(memory))
    flow, refresh = kernel_address("constrained.flow_partition"), kernel_address("constrained.refresh_partition")
    return Flow(flow, refresh, memory, _owners(system))


def independent_set(flow: Flow) -> tuple[int, ...]:
    """Return the independent coordinates (indices into v, ascending) that a partition flow uses now."""
    memory = memory_of(flow)
    return tuple(int(i) for i in memory.order[: memory.nv - max(memory.rank, 0)])


def partition_log(flow: Flow) -> PartitionLog:
    """Read the history of the independent set of a partition flow."""
    memory = memory_of(flow)
    lines = memory.log_sets.reshape(-1, memory.nv)[: memory.logged]
    sets = [tuple(int(i) for i in line if i >= 0) for line in lines]
    history = tuple((float(memory.log_times[entry]), sets[entry]) for entry in range(1, memory.logged))
    return PartitionLog(sets[0], independent_set(flow), memory.changes, history)


def fallback_count(flow: Flow) -> int:
    """Return how often a multipliers flow refused the straight-line acceleration for its small pivots."""
    return memory_of(flow).fallbacks


def last_failure(flow: Flow) -> Failure | None:
    """Return what the last failed evaluation of the flow was about, or None when none has failed."""
    memory = memory_of(flow)
    return failure_of(memory) if memory.failure else None


def _owners(system: ConstrainedSystem) -> tuple[object, ...]:
    return (system.p, system.keepalive)
