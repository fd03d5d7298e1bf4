"""``integrate``: set a run up, advance the compiled kernel in chunks, collect what it left."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import RefusedError
from linkwork.machine.interrupts import held
from linkwork.numerics.flows.flow import Events, Flow, Solver
from linkwork.numerics.flows.newton import rate_solver
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.nodes import Gather
from linkwork.numerics.integrators.solution import BY_CODE, Leg, Solution, Statistics, located
from linkwork.numerics.integrators.sundials import Sundials, SundialsRun
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.advance import advance
from linkwork.numerics.kernels.stepping.newton import NewtonMemory
from linkwork.numerics.loader import compiled

REPORTS = 100  # calls of `progress` in a run
FIRST_CHUNK = 16  # attempted steps; adapted so that a chunk lasts about CHUNK_TIME
LONGEST_CHUNK = 1 << 16
LONGEST_RUN = 10**7  # steps, unless somebody says otherwise
CHUNK_TIME = 0.2  # s, how long an interrupt may have to wait


class Review(ABC):
    """Looks at steps while a run goes on: where they seem stiff, or after a number of them."""

    @abstractmethod
    def begin(self, memory: Memory) -> None:
        """Say what is watched."""

    @abstractmethod
    def __call__(self, memory: Memory) -> bool:
        """Whether another method should take over."""

    def is_due(self, memory: Memory) -> bool:
        """Whether the kernel has called for it."""
        run = memory.run
        due = 0 < run.review_at <= run.accepted
        return run.status == status.RUNNING and (due or run.suspicion >= run.watch > 0)


def integrate(
    method: Method | str,
    flow: Flow,
    y0: ArrayLike,
    grid: ArrayLike,
    *,
    rtol: float = 1e-8,
    atol: ArrayLike = 1e-10,
    step: float | None = None,
    max_step: float = math.inf,
    max_steps: int = LONGEST_RUN,
    events: Events | None = None,
    review: Review | None = None,
    progress: Callable[[float], object] | None = None,
    gather: Gather | None = None,
) -> Solution:
    """Integrate ẏ = f(t, y) from y0 at grid[0] to grid[-1]; output on the grid by dense output.

    y0: (n). grid: (N), increasing. atol: scalar or (n).
    step: fixed step size; without it the step follows the error (needs an adaptive method).
    max_steps: attempts, rejected ones included.
    review: looks at adaptive steps that seem stiff, and may end the run for another method.
    progress: is called with the fraction done about a hundred times.
    gather: is given states inside the steps, from which integrals along the run can be had afterwards.

    The functions of *events* are compared at the ends of each step, and looked at inside where they may be zero there and
    back (``kernels/stepping/dips.py``); what wavers faster than that needs a *max_step*.
    """
    if isinstance(method, str):
        method = method_named(method)
    flow = with_solver(method, flow, np.size(y0))
    times = _check_grid(grid)
    _check_step(method, step, max_step, rtol, atol)
    if isinstance(method, Sundials):
        adapter = SundialsRun(method, flow, times, rtol, atol, max_step, max_steps, events, gather=gather)
        return adapter.integrate(np.array(y0, dtype=np.float64).ravel(), progress)
    start, counted = time.perf_counter(), _counted(flow)
    memory = Memory(method, flow, np.array(y0, dtype=np.float64).ravel(), times, events, gather)
    memory.set_tolerances(rtol, atol, max_step, max_steps)
    memory.begin(step)
    interrupted = False
    try:
        with held() as check:
            _advance(memory, progress, review if step is None else None, check)
    except KeyboardInterrupt:
        memory.collect()
        interrupted = True
        if memory.run.status in (status.EVENT, status.HANDED_OVER):
            # nothing follows: what has happened at the end of the last step is left as it is
            memory.run.status = status.RUNNING
    memory.finish()
    return _solution(memory, time.perf_counter() - start, counted, interrupted=interrupted)


class ShortRuns:
    """Runs of one flow by steps of fixed size, one after the other: their memory is laid out once.

    size: of the state y; outputs: of each run
    """

    def __init__(self, method: Method, flow: Flow, size: int, outputs: int) -> None:
        self._flow = with_solver(method, flow, size)
        self._memory = Memory(method, self._flow, np.zeros(size), np.arange(float(outputs)), None)
        solver = self._flow.solver
        records = (self._memory.run, flow.memory, *(() if solver is None else (solver.memory,)))
        self._begun = [(record, record.snapshot()) for record in records]
        self._lock = Lock()

    def __call__(self, grid: Array, y: Array, step: float) -> Array | None:
        """States (N, n) on the grid (N), from y at grid[0] on; None: the run fails."""
        memory, start = self._memory, float(grid[0])
        with self._lock:
            for record, begun in self._begun:
                record.restore(begun)
            if self._flow.begin(start, y) < 0:
                return None
            memory.grid[:], memory.state[:] = grid, self._flow.encode(start, y)
            memory.set_tolerances(1e-10, 1e-12, math.inf, LONGEST_RUN)
            memory.begin(step)
            _advance(memory, None, None)
            return memory.output.copy() if memory.run.status == status.COMPLETED else None


def with_solver(method: Method, flow: Flow, n: int) -> Flow:
    """The flow, with a solver of implicit stages where the method needs one."""
    if flow.solver is not None and not method.implicit:
        raise RefusedError(f"the integrator '{method.name}' is explicit: these equations are those of implicit stages")
    if flow.solver is not None:
        _check_conditions(method, flow.solver)
    if method.keeps_energy and (flow.energy is None or flow.own is not None):
        raise RefusedError(
            f"the integrator '{method.name}' keeps the energy of positions and velocities, which these equations do not "
            "have for states: take 'hybrid', 'multipliers' or another formulation in velocities"
        )
    if method.implicit and flow.solver is None:
        return replace(flow, solver=rate_solver(flow, flow.own.size if flow.own else n))
    return flow


def _check_conditions(method: Method, solver: Solver) -> None:
    """Refuse what equations with algebraic conditions cannot be stepped by."""
    working = [
        m for m in ALL_METHODS if m.stiffly_accurate and (isinstance(solver.memory, NewtonMemory) or not m.coupled)
    ]
    why = ""
    if not method.stiffly_accurate:
        why = "does not solve for the end of its step, which would not satisfy the conditions of these equations"
    elif method.coupled and not isinstance(solver.memory, NewtonMemory):
        why = "solves all stages of a step at once, and these equations solve one after the other"
    if why:
        names = " or ".join(f"'{known.name}'" for known in working)
        raise RefusedError(f"the integrator '{method.name}' {why}; take {names}")


def _check_grid(grid: ArrayLike) -> Array:
    times = np.array(grid, dtype=np.float64).ravel()
    if times.size == 0:
        raise RefusedError("the time grid is empty; give at least the start time")
    if not math.isfinite(times.sum()):
        raise RefusedError("the time grid has infinite or undefined values; give finite times")
    if not (times[1:] > times[:-1]).all():
        i = int(np.argmax(np.diff(times) <= 0.0))
        raise RefusedError(
            f"times must grow, but {times[i]:g} s is followed by {times[i + 1]:g} s: sort them, each once; runs go forwards"
        )
    return times


def _check_step(method: Method, step: float | None, max_step: float, rtol: float, atol: ArrayLike) -> None:
    """Refuse steps that a method cannot take, and tolerances that mean nothing."""
    if step is None and not method.adaptive:
        raise RefusedError(f"the integrator '{method.name}' has a fixed step: give step=, or use an adaptive method")
    if step is not None and method.variable_order:
        raise RefusedError(
            f"the integrator '{method.name}' chooses its steps itself, and their order with them: leave the step size "
            "away, or take a method of fixed order such as 'abm4' or 'bdf2'"
        )
    for name, size in (("step", step), ("max_step", max_step)):
        if size is not None and not size > 0.0:
            raise RefusedError(f"{name} = {size} must be positive")
    least = float(atol if isinstance(atol, float) else np.min(np.asarray(atol), initial=math.inf))
    if not (rtol >= 0.0 and least >= 0.0 and (rtol > 0.0 or least > 0.0)):
        raise RefusedError(f"the tolerances rtol = {rtol}, atol = {np.asarray(atol)} must be positive")


def _advance(
    memory: Memory,
    progress: Callable[[float], object] | None,
    review: Review | None,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Let the kernel run in chunks until the run ends; the chunks do not change the steps."""
    kernel, run = compiled(advance), memory.run
    if review is not None:
        review.begin(memory)
    first, last = run.start, run.end
    run.chunk_steps = FIRST_CHUNK
    while run.status == status.RUNNING:
        if progress is not None and run.time >= run.pause:
            run.pause = run.time + (last - first) / REPORTS
        elif progress is None:
            run.pause = math.inf
        before = time.perf_counter()
        kernel(run)
        elapsed = time.perf_counter() - before
        memory.collect()
        check()
        if run.attention:
            run.attention = 0
            memory.flow.look_after()
            if review is not None and review.is_due(memory) and review(memory):
                run.status = status.HANDED_OVER
        if elapsed < 0.5 * CHUNK_TIME:
            longer = 16 if elapsed < CHUNK_TIME / 64 else 2
            run.chunk_steps = min(longer * run.chunk_steps, LONGEST_CHUNK)
        elif elapsed > 2.0 * CHUNK_TIME:
            run.chunk_steps = max(run.chunk_steps // 2, 1)
        if progress is not None and run.time >= run.pause:
            progress((run.time - first) / (last - first))
    if progress is not None and run.status == status.COMPLETED:
        progress(1.0)


def _counted(flow: Flow) -> dict[str, int]:
    return flow.solver.counters() if flow.solver is not None and flow.solver.counters is not None else {}


def _solution(memory: Memory, wall_time: float, counted: dict[str, int], *, interrupted: bool) -> Solution:
    run = memory.run
    count = run.grid_index
    t, y = memory.grid[:count], memory.output[:count]
    reached = run.time
    beyond = run.status == status.EVENT and t[-1] < reached
    if beyond:
        t, y = np.append(t, reached), np.vstack([y, memory.shown])
    statistics = Statistics(
        steps=run.accepted,
        rejected=run.rejected,
        evaluations=run.evaluations,
        wall_time=wall_time,
        iterations=run.iterations,
        **{name: count - counted.get(name, 0) for name, count in _counted(memory.flow).items()},
    )
    return Solution(
        t=t,
        y=y,
        step_times=memory.kept_times.array(),
        status=BY_CODE[run.status],
        failure=min(run.failure, 0),
        t_reached=reached,
        y_reached=memory.shown,
        events=located(memory.kept_records),
        statistics=statistics,
        last_step=run.step,
        last_error=run.error,
        beyond=bool(beyond),
        parts=(Leg(memory.method.name, float(memory.grid[0]), reached, statistics),),
        interrupted=interrupted,
    )
