"""The memory of one run."""

from __future__ import annotations

import math
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.keeping import Keeper
from linkwork.numerics.integrators.nodes import Gather
from linkwork.numerics.integrators.step_times import StepTimes
from linkwork.numerics.kernels.language.calling import kernel_file
from linkwork.numerics.kernels.stepping import first_step, status
from linkwork.numerics.kernels.stepping.newton import NewtonMemory
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.loader import compiled

STEP_ROOM = 8192  # times of steps between two collections
NODE_ROOM = 1 << 13  # numbers in the first block of what is kept of steps
RECORD_ROOM = 64  # events between two collections, at least
SHORTEST = 1e-24  # step near t = 0, of the run: stiff equations may begin that fast
NO_EVENTS = Events(None, 0)
FAMILY = {
    "attempt": "attempt",
    "interpolate": "interpolate",
    "densify": "densify",
    "accept": "accept",
    "restart_history": "restart",
}
"""The kernels of a family, by the field that holds them."""


class Memory:
    """All that a run remembers; *run* is what the kernels know of it."""

    def __init__(
        self,
        method: Method,
        flow: Flow,
        y0: Array,
        grid: Array,
        events: Events | None,
        gather: Gather | None = None,
    ) -> None:
        self.method, self.flow, self.grid, self._gather = method, flow, grid, gather
        self.events = events if events is not None else NO_EVENTS
        inner = flow.encode(float(grid[0]), y0)
        self.p = np.array(self.events.p, dtype=np.float64).ravel()
        self.run = self._lay_out(inner.size, y0.size)
        self._name_arrays(y0.size)
        self.state[:] = inner
        for name, values in _own_arrays(method):
            getattr(self.run, name)[: values.size] = values
        self._keeper: Keeper | None = None
        self.kept_times = StepTimes(float(grid[0]))
        self.kept_records: list[Array] = [np.empty((0, 2 + y0.size))]

    def _lay_out(self, n: int, shown: int) -> Stepping:
        events, count = self.events, self.events.count
        if self.method not in self.flow.kept:
            self.flow.kept[self.method] = _of_flow(self.method, self.flow)
        template: Stepping = self.flow.kept[self.method]
        return template.made(
            states=n,
            shown=shown,
            grid_size=self.grid.size,
            grid=self.grid,
            event_count=count,
            event_function=events.function,
            event_parameters=self.p if self.p.size else None,
            event_directions=np.full(count, events.directions, np.int64) if count else None,
            event_terminal=np.full(count, events.terminal, np.int64) if count else None,
            record_capacity=RECORD_ROOM + 2 * status.CROSSINGS * count,
        )

    def _name_arrays(self, shown: int) -> None:
        run = self.run
        self.state, self.absolute, self.step_times = run.state, run.absolute, run.step_times
        self.output = run.output.reshape(self.grid.size, shown)
        self.output.fill(math.nan)
        if self.events.count > 0:
            run.noise[:] = self.events.rounding
            run.event_rates[:] = math.inf

    @property
    def rates(self) -> Array:
        """ẏ at the end of the last step."""
        return self.run.derivatives[: self.run.states]

    @cached_property
    def records(self) -> Array:
        """Events that were located: index, t, y."""
        return self.run.records.reshape(-1, 2 + self.run.shown)

    def set_tolerances(self, rtol: float, atol: ArrayLike, max_step: float, max_steps: int) -> None:
        """Tolerances and limits of the run."""
        n = self.state.size
        absolute = np.asarray(atol, dtype=np.float64)
        if absolute.ndim > 0 and absolute.shape != (n,):
            raise RefusedError(f"atol has the shape {absolute.shape}; give a number, or one for each of the {n} states")
        self.absolute[:] = absolute
        start, end, run = self.grid[0], self.grid[-1], self.run
        run.max_steps = max_steps
        run.time = run.start = run.pause = run.stall_time = start
        run.end, run.relative, run.max_step = end, rtol, max_step
        run.min_step, run.last_error = SHORTEST * (end - start), 1e-4
        run.alpha, run.beta = self.method.exponents

    def begin(self, step: float | None) -> None:
        """Correct the initial state, evaluate there, and choose the first step."""
        run = self.run
        run.adaptive = int(step is None)
        if self.flow.solver is not None and self.flow.solver.tolerate is not None:
            self.flow.solver.tolerate(run.relative, self.absolute if step is None else None)
        code = compiled(first_step.begin)(run)
        if code < 0:
            failed = status.NOT_FINITE if code == status.NOT_FINITE_CODE else status.FLOW_FAILED
            run.status, run.failure = failed, code
            return
        compiled(first_step.void_history)(run)
        if self._gather is not None:
            self._keeper = Keeper(self.method, run, self._gather)
            self._keeper.begin(float(self.grid[0]), NODE_ROOM)
        self.output[0] = self.shown
        run.grid_index = 1
        if self.events.count > 0:
            self.events.evaluate(float(self.grid[0]), self.output[0], self.p, run.at_start)
        if self.grid.size == 1:
            run.status = status.COMPLETED
        elif step is not None:
            run.step = step
        elif run.step == 0.0:  # unless the family has chosen it
            compiled(first_step.choose_step)(run, 1.0 / self.method.first_order)

    def forget(self) -> None:
        """Let the family of the method know no more than at the start of a run."""
        run, known = self.run, self.method.own()
        run.order = 0
        for name, field in run.fields().items():
            if name in Stepping.fields():
                continue
            if field.kind in ("int64", "double"):
                setattr(run, name, known.get(name, 0))
            else:
                place, first = getattr(run, name), np.ravel(known.get(name, 0.0))
                place[:] = 0.0
                place[: first.size] = first

    @property
    def shown(self) -> Array:
        """The state at the end of the last step, as the outside sees it."""
        return self.flow.decode(self.run.time, self.state, self.run.shown)

    def collect(self) -> None:
        """Take over what the kernel has left in its buffers."""
        run = self.run
        steps, records = run.step_index, run.record_index
        run.step_index = run.record_index = 0
        self.kept_times.add(self.step_times[:steps])
        if self._keeper is not None:
            self._keeper.collect(run.time, self.state, self.rates)
        if records:
            self.kept_records.append(self.records[:records].copy())

    def finish(self) -> None:
        """The run goes no further: hand on what was kept of its last steps."""
        if self._keeper is not None:
            self._keeper.hand_on(self.run.time, self.state, self.rates)


@cache
def _template(method: Method) -> Stepping:
    """What the memory of all runs by a method has: its kernels, coefficients and numbers."""
    kernels = {field: getattr(kernel_file(method.family), name) for field, name in FAMILY.items()}
    arrays = {name: np.ascontiguousarray(array) for name, array in method.coefficients().items()}
    own = {name: value for name, value in method.own().items() if not isinstance(value, np.ndarray)}
    return method.memory.template(**kernels, **arrays, **method.numbers, **own)


def _of_flow(method: Method, flow: Flow) -> Stepping:
    """The same with what belongs to a flow."""
    solver, energy = flow.solver, flow.energy
    stages, all_stages = method.rows
    return _template(method).with_(
        positions=flow.positions,
        velocities=energy.velocities if energy else 0,
        stages=stages,
        all_stages=all_stages,
        own_control=int(method.own_control),
        step_capacity=STEP_ROOM,
        flow=flow.flow,
        refresh=flow.refresh,
        series=flow.series,
        reads=None if method.implicit else flow.reads,
        decode=flow.own.decode if flow.own else None,
        flow_memory=flow.memory,
        solve=solver.solve if solver else None,
        solver_memory=solver.memory if solver else None,
        newton=solver.memory if solver and isinstance(solver.memory, NewtonMemory) else None,
        levels=np.ascontiguousarray(solver.levels) if solver and solver.levels is not None else None,
        energy_function=energy.function if energy else None,
        energy_parameters=energy.p if energy else None,
    )


@cache
def _own_arrays(method: Method) -> tuple[tuple[str, Array], ...]:
    """What arrays of the memory of its family hold at the start of a run."""
    return tuple((name, value.ravel()) for name, value in method.own().items() if isinstance(value, np.ndarray))
