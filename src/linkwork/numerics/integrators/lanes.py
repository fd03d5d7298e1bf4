"""Many runs of one system at once, in the lanes of vector registers (``kernels/stepping/lanes.py``).

A system is closed by formulas, or by none; there may be several that close it, each with an end of its own. Tasks go on with
others where these are better, and what lanes cannot do is handed back: whoever asked does it by ``run.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.arrays import Array
from linkwork.numerics.integrators.automatic import PATIENCE, stiff_limit
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.numerics.integrators.memory import SHORTEST
from linkwork.numerics.kernels.constrained.explicit import BETTER, FALL_BACK, WATCH
from linkwork.numerics.kernels.language.records import ModelFunction
from linkwork.numerics.kernels.stepping import lane_tasks
from linkwork.numerics.kernels.stepping.first_step import FELT, SMALLEST_SCALE
from linkwork.numerics.kernels.stepping.lane_tasks import LANES, LaneRun, LanesFunction, begin_lanes
from linkwork.numerics.kernels.stepping.lanes import advance_lanes
from linkwork.numerics.kernels.stepping.status import STRONG
from linkwork.numerics.loader import compiled

ROOM = 16  # for formulas
AT_ONCE = 2000  # steps of the lanes between two looks at whether to go on
Integers = NDArray[np.int64]


class BatchFunction(Protocol):
    """A function of (t, y, p) with code for one state and for eight."""

    @property
    def address(self) -> int: ...
    @property
    def lanes_address(self) -> int: ...
    @property
    def size_out(self) -> int: ...
    @property
    def size_p(self) -> int: ...
    def batch(self, t: ArrayLike, y: ArrayLike, p: ArrayLike = ()) -> Array: ...


@dataclass(frozen=True, eq=False)
class LaneFormulas:
    """One way to close a system: ẏ with its health, positions and velocities with theirs, and the branches of a state.

    A system that needs no closing has ẏ alone. first_selector: place of the branches behind the parameters
    """

    flow: BatchFunction
    state: BatchFunction | None = None
    select: BatchFunction | None = None
    first_selector: int = 0
    selectors: int = 0


@dataclass(eq=False)
class LaneSystem:
    """n states, of which the first *closed* follow from formulas; parameters: numbers in p before all selectors, and all.

    floor: of the health that counts; more: gives further formulas when the first ones come near their end, once
    """

    states: int
    closed: int
    first_place: int
    parameters: int
    floor: float
    formulas: list[LaneFormulas]
    more: Callable[[], Sequence[LaneFormulas]] | None = None

    def __post_init__(self) -> None:
        self._lock = Lock()

    def prepare_more(self) -> None:
        """Ask for further formulas, if nobody has."""
        with self._lock:
            if self.more is not None:
                self.formulas.extend(list(self.more())[: ROOM - len(self.formulas)])
                self.more = None

    def rates(self, which: int, t: ArrayLike, y: Array, p: Array) -> Array:
        """ẏ (N, n) by some formulas."""
        flow = self.formulas[which].flow
        return flow.batch(t, y, np.ascontiguousarray(p[:, : flow.size_p]))[:, : self.states]

    def closed_states(self, which: int, t: ArrayLike, y: Array, p: Array) -> tuple[Array, Array]:
        """States (N, n) put right by some formulas, and their health (N)."""
        state = self.formulas[which].state
        if state is None:
            return y, np.ones(len(y))
        found = state.batch(t, y, np.ascontiguousarray(p[:, : state.size_p]))
        return np.hstack([found[:, : self.closed], y[:, self.closed :]]), found[:, self.closed]

    def select(self, which: int, t: ArrayLike, y: Array, p: Array) -> None:
        """Set the branches of some formulas in p (N, np) to those that states are on."""
        own = self.formulas[which]
        if own.select is not None and own.selectors:
            first = self.first_place + own.first_selector
            found = own.select.batch(t, y, np.ascontiguousarray(p[:, : own.select.size_p]))
            p[:, first : first + own.selectors] = found


@dataclass(frozen=True)
class LaneMethod:
    """An explicit Runge-Kutta method with its tolerances; step: of a size that is given; watched: for stiffness."""

    method: RungeKutta
    rtol: float
    atol: ArrayLike
    step: float | None = None
    max_steps: int = 10**7
    watched: bool = False


@dataclass(frozen=True, eq=False)
class ClosedOutput:
    """Outputs of a task, from a grid point up to another one, which other formulas closed than at first, with p (np)."""

    task: int
    first: int
    last: int
    formulas: int
    p: Array


@dataclass(eq=False)
class LaneTasks:
    """N runs over a grid: states (N, n) and parameters (N, np) that they begin with, and what has become of them.

    output: (N, grid, n), not closed; done (N): those that have reached the end, the others are to be found elsewhere
    stretches: what of the output was made otherwise than at first; accepted, rejected: steps (N)
    """

    states: Array
    parameters: Array
    done: NDArray[np.bool_] = field(init=False)
    output: Array = field(init=False)
    stretches: list[ClosedOutput] = field(init=False)
    accepted: Integers = field(init=False)
    rejected: Integers = field(init=False)

    def begin(self, grid: Array) -> None:
        """Room for what is found."""
        count, n = self.states.shape
        self.done, self.stretches = np.zeros(count, dtype=bool), []
        self.accepted, self.rejected = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.output = np.full((count, grid.size, n), np.nan)
        self.output[:, 0] = self.states


def integrate_lanes(
    system: LaneSystem, way: LaneMethod, tasks: LaneTasks, grid: Array, goes_on: Callable[[], bool] = lambda: True
) -> None:
    """Fill what becomes of the tasks; goes_on: is asked now and then, and where it does not those that are done are kept."""
    tasks.begin(grid)
    run, count = _lay_out(system, way, tasks, grid), len(tasks.states)
    current, written = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    run.task_rates.reshape(count, -1)[:] = system.rates(0, grid[0], tasks.states, tasks.parameters)
    run.sizes[:] = way.step if way.step is not None else _first_steps(system, way, run, grid)
    left, changed = np.arange(count if grid.size > 1 else 0, dtype=np.int64), np.zeros(count, dtype=bool)
    while left.size and goes_on():
        which = int(current[left[0]])
        now = left[current[left] == which]
        otherwise = now[changed[now]]
        before = run.task_parameters.reshape(count, -1)[otherwise]
        _advance(system, run, which, now, goes_on)
        for task, p in zip(otherwise.tolist(), before, strict=True):
            tasks.stretches.append(ClosedOutput(task, int(written[task]), int(run.outputs[task]), which, p))
        written[now] = run.outputs[now]
        changing = now[run.outcomes[now] == lane_tasks.CHANGE]
        if changing.size:
            current[changing], changed[changing] = _change(system, run, changing), True
        left = left[run.outcomes[left] == lane_tasks.CHANGE]
    tasks.done[:] = run.outcomes == lane_tasks.DONE


def _advance(system: LaneSystem, run: LaneRun, which: int, queue: Integers, goes_on: Callable[[], bool]) -> None:
    """Some tasks, as far as these formulas bring them."""
    own = system.formulas[which]
    run.formulas, run.pending = which, int(system.more is not None)
    known = list(system.formulas) if own.state is not None else []
    run.flow = LanesFunction(own.flow.lanes_address)
    run.close = LanesFunction(own.state.lanes_address) if own.state is not None else None
    run.formulas_count = len(known)
    for line, each in zip(run.others, known, strict=False):
        assert each.state is not None
        line.state = ModelFunction(each.state.address)
        line.select = ModelFunction(each.select.address) if each.select is not None else None
        line.first_selector, line.selector_count = each.first_selector, each.selectors
    run.queue_size, run.queue = queue.size, np.ascontiguousarray(queue)
    compiled(begin_lanes)(run)
    while compiled(advance_lanes)(run, AT_ONCE) and goes_on():
        pass


def _change(system: LaneSystem, run: LaneRun, changing: Integers) -> Integers:
    """With which formulas some tasks go on; their rates by these. Further ones are asked for first, once."""
    wishes = run.wishes[changing]
    system.prepare_more()
    times, n = run.times[changing], system.states
    states, p = run.task_states.reshape(-1, n)[changing], run.task_parameters.reshape(-1, run.parameters)[changing]
    for which in np.unique(wishes).tolist():
        own = wishes == which
        run.task_rates.reshape(-1, n)[changing[own]] = system.rates(which, times[own], states[own], p[own])
    return wishes


def _first_steps(system: LaneSystem, way: LaneMethod, run: LaneRun, grid: Array) -> Array:
    """Sizes (N) of first steps, as in ``kernels/stepping/first_step.py``, for all tasks."""
    t, span = float(grid[0]), float(grid[-1] - grid[0])
    y, n = run.task_states.reshape(-1, system.states), system.states
    rates = run.task_rates.reshape(y.shape)
    scale = np.maximum(run.absolute[::LANES] + way.rtol * np.abs(y), SMALLEST_SCALE)

    def size(x: Array) -> Array:
        return np.asarray(np.sqrt(np.sum((x / scale) ** 2, axis=1) / n))

    with np.errstate(all="ignore"):
        here, speed = size(y), size(rates)
        trial = np.where(np.minimum(here, speed) > 1e-5, np.minimum(0.01 * here / speed, span), 1e-6 * span)
        trial = np.minimum(np.maximum(trial, FELT * abs(t)), span)
        there = system.rates(0, t + trial, y + trial[:, None] * rates, run.task_parameters.reshape(len(y), -1))
        bend = size(there - rates) / trial
        largest = np.maximum(speed, bend)
        second = np.where(
            largest > 1e-15, (0.01 / largest) ** (1.0 / way.method.first_order), np.maximum(1e-6 * span, 1e-3 * trial)
        )
        return np.where(np.isfinite(bend), np.minimum(np.minimum(100.0 * trial, second), span), 0.1 * trial)


def _lay_out(system: LaneSystem, way: LaneMethod, tasks: LaneTasks, grid: Array) -> LaneRun:
    """The memory of the lanes, with the arrays of the tasks in it."""
    count, n = len(tasks.states), system.states
    return LaneRun(
        states=n,
        closed=system.closed,
        parameters=system.parameters,
        width=system.formulas[0].flow.size_out,
        floor=system.floor,
        near_end=WATCH,
        better=BETTER,
        hopeless=FALL_BACK,
        room=ROOM,
        first_place=system.first_place,
        absolute=np.repeat(np.full(n, way.atol, dtype=np.float64), LANES),
        min_step=SHORTEST * float(grid[-1] - grid[0]),
        tasks=count,
        start=float(grid[0]),
        end=float(grid[-1]),
        grid_size=grid.size,
        grid=np.ascontiguousarray(grid),
        times=np.full(count, float(grid[0])),
        sizes=np.zeros(count),
        last_errors=np.full(count, 1e-4),
        outcomes=np.full(count, lane_tasks.CHANGE, np.int64),
        wishes=np.zeros(count, np.int64),
        accepted=tasks.accepted,
        rejected=tasks.rejected,
        outputs=np.ones(count, np.int64),
        task_states=np.array(tasks.states, dtype=np.float64, order="C"),
        task_rates=np.zeros((count, n)),
        task_parameters=np.array(tasks.parameters, dtype=np.float64, order="C"),
        output=tasks.output,
        **_of_method(way),
    )


def _of_method(way: LaneMethod) -> dict[str, Any]:
    """What the memory has of a method and its tolerances, by field."""
    method, watched = way.method, way.watched
    alpha, beta = method.exponents
    return {
        "stages": method.stages,
        "all_stages": method.all_stages,
        "degree": method.dense.shape[1],
        "adaptive": int(way.step is None),
        "second_weight": method.second_weight,
        "alpha": alpha,
        "beta": beta,
        "relative": way.rtol,
        "max_attempts": way.max_steps,
        "watch": PATIENCE * STRONG if watched else 0,
        "stiff_limit": stiff_limit(method) if watched else 0.0,
        **method.coefficients(),
    }
