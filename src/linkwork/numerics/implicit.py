"""Flows whose equations are those of implicit stages (``kernels/implicit.py``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.numerics.canonical import Momenta
from linkwork.numerics.context import ConstrainedSystem, allocate, memory_of
from linkwork.numerics.integrators.flow import Flow, OwnState, Solver
from linkwork.numerics.kernels.records import ModelFunction
from linkwork.numerics.kernels.workspace import Workspace
from linkwork.numerics.loader import kernel_address

CORRECTIONS, EXACT = 20, 1e-12  # of the multipliers of accelerations at the start


@dataclass(frozen=True, eq=False)
class StageRule:
    """How stages are solved.

    stage, place: addresses of their functions; symmetric: whether the tangent is
    iterations: the most of them; tolerance: scaled correction of the positions that ends them, None: never
    augmentations: how often multipliers are raised after convergence, None: after every iteration
    """

    stage: int
    place: int
    symmetric: bool
    iterations: int
    tolerance: float | None
    augmentations: int | None


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


def velocity_stages(system: ConstrainedSystem, rule: StageRule, penalties: np.ndarray) -> Flow:
    """Stages of y = [q, v, s]; *penalties* (m) are those of the accelerations at the start."""
    memory = _memory(system, rule)
    memory.penalty[:] = penalties
    refresh = kernel_address("implicit.keep_manifold") if system.retract else 0
    flow, solve = (kernel_address(f"implicit.{name}") for name in ("flow_index_three", "stage_velocities"))
    # velocities follow from positions with a power of the step size less
    levels = np.repeat([0.0, 1.0, 0.0], [system.nq, system.nv, system.ns])
    return Flow(flow, refresh, memory, (system.p, system.keepalive), solver=Solver(solve, memory, levels=levels))


def momentum_stages(system: ConstrainedSystem, momenta: Momenta, rule: StageRule, *, project: bool) -> Flow:
    """Stages of z = [q, π, s]; *project* returns every step to its conditions."""
    memory = _memory(replace(system, terms=momenta.terms), rule)
    memory.encode, memory.rates = ModelFunction(momenta.encode), ModelFunction(momenta.rates)
    memory.acceleration_terms = ModelFunction(system.terms)
    refresh = kernel_address("implicit.project_momenta" if project else "canonical.keep_momenta")
    flow, solve = (kernel_address(f"implicit.{name}") for name in ("flow_index_two", "stage_momenta"))
    own = OwnState(system.size, *(kernel_address(f"canonical.{name}_momenta") for name in ("encode", "decode")))
    return Flow(flow, refresh, memory, (system.p, system.keepalive), own=own, solver=Solver(solve, memory))


def stage_log(flow: Flow) -> StageLog:
    """Read the counters of a flow of stages."""
    memory = memory_of(flow)
    return StageLog(
        stages=memory.stages,
        iterations=memory.stage_iterations,
        most=memory.stage_most,
        unfinished=memory.unfinished,
        error=memory.worst_error,
        multipliers=-memory.stage_in[2 * memory.n + 3 :],
    )


def _memory(system: ConstrainedSystem, rule: StageRule) -> Workspace:
    return allocate(
        system,
        iteration_limit=CORRECTIONS,
        tolerance=EXACT,
        stage=rule.stage,
        place=rule.place,
        stage_limit=rule.iterations,
        augmentations=-1 if rule.augmentations is None else rule.augmentations,
        symmetric=int(rule.symmetric),
        stage_tolerance=rule.tolerance or 0.0,
    )
