"""Flows of constrained systems: M v̇ = h + Cᵀλ, C v̇ + b = 0, with Φ(q, t) = 0 kept.

The state is y = [q (nq), v (nv), s (ns)]. Two ways to integrate it:

- ``by_multipliers``: all of y is integrated and returned to the constraints after each step;
- ``by_partition``: independent velocities are integrated, the rest is solved for; the independent set changes by the
  projective criterion before it becomes singular.

Nothing here knows mechanics: constraint rows and coordinates are numbers, the caller names them.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.numerics.flows.context import Failure, choose_active, failure_of, memory_of
from linkwork.numerics.flows.explicit import Formulas
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import Array, Procedure
from linkwork.numerics.kernels.constrained import augmented, explicit, straight
from linkwork.numerics.kernels.constrained import state as kernels
from linkwork.numerics.kernels.constrained.closing import project as project_state
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms, solve_null_space
from linkwork.numerics.kernels.constrained.passage import watch_branch
from linkwork.numerics.policy import POLICY

ANY = 1e9  # change of multipliers, as a part of all forces, that may cease to shrink
NOISE = 1e-14  # pivots of inertias below this part of a usual one are rounding errors
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


RETURNED = project_state, straight.rechart
"""Operations that return a state to its conditions by the smallest correction in scaled coordinates."""
SETTLED = straight.settle_state, straight.rechart
"""Operations that only return positions to the manifold of their retraction."""
PARTITIONED = kernels.solve_state, evaluate_terms, kernels.solve_rates
"""Operations that solve the dependent part of y, which is not integrated, and give ẏ by the reduced equations."""


def by_multipliers(project: bool = True, health_limit: float = POLICY.rank) -> Procedure:
    """All coordinates with the multipliers eliminated.

    project: return each accepted state to its conditions; without it a step across a singular position is refused.
    health_limit: below this smallest pivot the dense null-space solution replaces the straight-line acceleration.
    """
    return Procedure(
        flow=(straight.accelerate_straight, evaluate_terms, solve_null_space),
        refresh=RETURNED if project else (watch_branch, *SETTLED),
        numbers={"health_limit": health_limit},
        series=straight.series_multipliers,
        slope=straight.slope_multipliers,
    )


def by_accelerations(health_limit: float = NOISE) -> Procedure:
    """All coordinates of a system without conditions, by the function 'accelerate' alone.

    health_limit: below this smallest pivot, over that of a typical state, something moves without inertia.
    """
    return Procedure(
        flow=(straight.accelerate_or_fail,),
        refresh=(straight.refuse_endless, *SETTLED),
        numbers={"health_limit": health_limit},
        series=straight.series_multipliers,
        slope=straight.slope_multipliers,
        dense=False,
    )


def by_recursion(project: bool = True, health_limit: float = POLICY.rank) -> Procedure:
    """All coordinates of a system with conditions, by the function 'accelerate' alone.

    project: return each accepted state to its conditions
    health_limit: below this smallest pivot the position is singular, and nothing else is there to pass it
    """
    return Procedure(
        flow=(straight.accelerate_or_fail,),
        refresh=RETURNED if project else (watch_branch, *SETTLED),
        numbers={"health_limit": health_limit},
        series=straight.series_multipliers,
        slope=straight.slope_multipliers,
        dense=False,
    )


def by_penalties(penalty: Array, corrections: int = 0, tolerance: float = 0.0, project: bool = False) -> Procedure:
    """All coordinates by penalties (m), one for each row, with at most so many corrections by multipliers.

    project: return each accepted state to its conditions by the same penalties, in the metric of the mass
    """
    return Procedure(
        flow=(evaluate_terms, augmented.solve_augmented),
        refresh=(augmented.return_state, straight.rechart) if project else SETTLED,
        numbers={"penalty": penalty, "multiplier_policy": correction_policy(corrections, tolerance)},
    )


def correction_policy(corrections: int, tolerance: float) -> dict[str, float]:
    """When corrections of multipliers end, see `IterationPolicy`: below the tolerance, or where they cease to shrink."""
    return {"limit": corrections, "tolerance": tolerance, "rounding": ANY, "stalled": 1.0}


def by_partition(switch_ratio: float = 0.7, **numbers: float) -> Procedure:
    """Coordinate partitioning, from a state that satisfies the conditions.

    switch_ratio: the set is changed when its criterion falls below this fraction of the best set's.
    The flow belongs to one run forwards in time: the set is examined only at states beyond all earlier ones.
    """
    return Procedure(
        flow=PARTITIONED,
        refresh=(kernels.solve_and_watch, straight.rechart),
        start=kernels.start_partition,
        numbers={"switch_ratio": switch_ratio, "log_limit": LOG_LIMIT, **numbers},
    )


def by_formulas(formulas: Formulas, net: Procedure | None = None) -> Procedure:
    """Dependent states by formulas, and by coordinate partitioning, the *net*, near a position where all of them end.

    The flow belongs to one run forwards in time, from a state that satisfies the conditions.
    """
    return Procedure(
        flow=(explicit.flow_explicit,),
        refresh=(explicit.refresh_explicit,),
        start=explicit.start_explicit,
        numbers={"log_limit": LOG_LIMIT} if net is None else net.numbers,
        series=explicit.series_explicit,
        slope=explicit.slope_explicit,
        dense=net is not None,
        formulas=formulas,
        net=net,
    )


@dataclass(frozen=True)
class AugmentedLog:
    """Corrections of the multipliers over a run: their number in all, the most of one evaluation, and how often the
    limit was reached before the tolerance."""

    evaluations: int
    corrections: int
    most: int
    unfinished: int


def augmented_log(flow: Flow) -> AugmentedLog:
    """Read the counters of an augmented flow."""
    memory = memory_of(flow)
    return AugmentedLog(memory.evaluations, memory.iterations, memory.most, memory.fallbacks)


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


def begin_again(flow: Flow, t: float, y: Array, *, first: bool) -> Failure | None:
    """Let a flow go on from a state with the conditions that hold from now on; first: before its first step."""
    memory = memory_of(flow)
    choose_active(memory)
    memory.logged = 0 if first else memory.logged
    return None if flow.begin(t, y) >= 0 else failure_of(memory)


def last_failure(flow: Flow) -> Failure | None:
    """Return what the last failed evaluation of the flow was about, or None when none has failed."""
    memory = memory_of(flow)
    return failure_of(memory) if memory.failure else None
