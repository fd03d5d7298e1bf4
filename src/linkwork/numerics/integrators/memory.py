"""The memory of one run: control blocks and arrays that the kernels work on."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import RefusedError
from linkwork.numerics import bounds
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.flow import Events, Flow
from linkwork.numerics.integrators.keeping import Keeper
from linkwork.numerics.integrators.nodes import Gather
from linkwork.numerics.integrators.step_times import StepTimes
from linkwork.numerics.kernels import control as slot
from linkwork.numerics.loader import kernel_address

STEP_ROOM = 8192  # times of steps between two collections
NODE_ROOM = 1 << 13  # numbers in the first block of what is kept of steps
RECORD_ROOM = 64  # events between two collections, at least
SHORTEST = 1e-24  # step near t = 0, of the run: stiff equations may begin that fast
NO_EVENTS = Events(0, 0)
FAMILY = {
    slot.ATTEMPT: "attempt",
    slot.INTERPOLATE: "interpolate",
    slot.DENSIFY: "densify",
    slot.ACCEPT: "accept",
    slot.RESTART_HISTORY: "restart",
}
"""The kernels of a family."""
BEGIN = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2)
CHOOSE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double)


class Memory:
    """All that a run remembers. The kernel knows it as two blocks, ``control`` and ``real``."""

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
        n, shown, count = inner.size, y0.size, self.events.count
        self.p = np.array(self.events.p, dtype=np.float64).ravel()
        self.control = np.zeros(slot.CONTROL_SIZE, np.int64)
        self.real = np.zeros(slot.REAL_SIZE)
        self._set_sizes(n, shown)
        self._lay_out(n, shown, count)
        self.state[:] = inner
        self._keeper: Keeper | None = None
        self.kept_times = StepTimes(float(grid[0]))
        self.kept_records: list[Array] = [np.empty((0, 2 + shown))]

    def _set_sizes(self, n: int, shown: int) -> None:
        stages, all_stages = self.method.rows
        solver = self.flow.solver
        for place, value in {
            slot.STATES: n,
            slot.SHOWN: shown,
            slot.POSITIONS: self.flow.positions,
            slot.STAGES: stages,
            slot.ALL_STAGES: all_stages,
            slot.OWN_CONTROL: int(self.method.own_control),
            slot.GRID_SIZE: self.grid.size,
            slot.EVENT_COUNT: self.events.count,
            slot.STEP_CAPACITY: STEP_ROOM,
            slot.RECORD_CAPACITY: RECORD_ROOM + 2 * self.events.count,
            slot.FLOW: self.flow.flow,
            slot.REFRESH: self.flow.refresh,
            slot.SERIES: self.flow.series,
            slot.SOLVE: solver.solve if solver else 0,
            slot.NEWTON: int(solver is not None and solver.newton),
            slot.DECODE: self.flow.own.decode if self.flow.own else 0,
            slot.EVENT_FUNCTION: self.events.address,
            slot.VELOCITIES: self.flow.energy.velocities if self.flow.energy else 0,
            slot.ENERGY_FUNCTION: self.flow.energy.address if self.flow.energy else 0,
            **self.method.counts,
        }.items():
            self.control[place] = value

    def _lay_out(self, n: int, shown: int, count: int) -> None:
        """One array for everything that the kernel writes: a run of a tenth of a millisecond must not wait for twenty."""
        all_stages, points = self.method.rows[1], self.grid.size
        sizes = {
            slot.STATE: n,
            slot.NEW_STATE: 2 * n,
            slot.SCRATCH: n,
            slot.HAT: n,
            slot.VIEW: shown,
            slot.ABSOLUTE: n,
            slot.DERIVATIVES: (all_stages + 1) * n,
            slot.STAGE_STATES: all_stages * n,
            slot.WEIGHTS: all_stages,
            slot.EVENT_VALUES: (slot.EVENT_ROWS + slot.LOOKS) * count + slot.CORNER,
            slot.OUTPUT: points * shown,
            slot.STEP_TIMES: STEP_ROOM,
            slot.RECORDS: (RECORD_ROOM + 2 * count) * (2 + shown),
        }
        self._work = np.empty(sum(sizes.values()))
        base = self._work.ctypes.data
        views, offset = {}, 0
        bounds.note(self._work)
        for place, size in sizes.items():
            bounds.note(self._work[offset : offset + size])
            views[place] = self._work[offset : offset + size]
            self.control[place] = base + 8 * offset
            offset += size
        self.state, self.absolute = views[slot.STATE], views[slot.ABSOLUTE]
        self.output = views[slot.OUTPUT].reshape(points, shown)
        self.derivatives = views[slot.DERIVATIVES].reshape(all_stages + 1, n)
        self.event_values = views[slot.EVENT_VALUES][: slot.EVENT_ROWS * count].reshape(slot.EVENT_ROWS, count)
        self.event_values[4] = self.events.rounding
        self.event_values[6] = math.inf
        self.step_times, self.records = views[slot.STEP_TIMES], views[slot.RECORDS].reshape(-1, 2 + shown)
        self.output.fill(math.nan)
        self.derivatives.fill(0.0)
        solver = self.flow.solver
        self._own = self.method.own_integers(n), self.method.own_numbers(n)
        self._levels = np.zeros(0) if solver is None or solver.levels is None else np.ascontiguousarray(solver.levels)
        for place, array in {
            slot.OWN_INTEGERS: self._own[0],
            slot.OWN_NUMBERS: self._own[1],
            slot.SOLVER_INTEGERS: solver.ic if solver else self.flow.ic,
            slot.SOLVER_WORK: solver.w if solver else self.flow.w,
            slot.FLOW_INTEGERS: self.flow.ic,
            slot.FLOW_WORK: self.flow.w,
            slot.GRID: self.grid,
            slot.EVENT_PARAMETERS: self.p,
            slot.ENERGY_PARAMETERS: self.flow.energy.p if self.flow.energy else self.p,
        }.items():
            bounds.note(array)
            self.control[place] = array.ctypes.data
        for block in (self.control, self.real, self._levels):
            bounds.note(block)
        self.control[slot.LEVELS] = self._levels.ctypes.data if self._levels.size else 0
        for place, address in _data(self.method).items():
            self.control[place] = address
        if count:
            self._kept = [
                np.array(np.broadcast_to(np.asarray(given, np.int64), count))
                for given in (self.events.directions, self.events.terminal)
            ]
            for given in self._kept:
                bounds.note(given)
            self.control[slot.EVENT_DIRECTIONS] = self._kept[0].ctypes.data
            self.control[slot.EVENT_TERMINAL] = self._kept[1].ctypes.data

    def set_tolerances(self, rtol: float, atol: ArrayLike, max_step: float, max_steps: int) -> None:
        """Tolerances and limits of the run."""
        n = self.state.size
        absolute = np.asarray(atol, dtype=np.float64)
        if absolute.ndim > 0 and absolute.shape != (n,):
            raise RefusedError(f"atol has the shape {absolute.shape}; give a number, or one for each of the {n} states")
        self.absolute[:] = absolute
        start, end = self.grid[0], self.grid[-1]
        self.control[slot.MAX_STEPS] = max_steps
        self.real[[slot.TIME, slot.START, slot.PAUSE, slot.STALL_TIME]] = start
        self.real[slot.END] = end
        self.real[slot.RELATIVE] = rtol
        self.real[slot.MAX_STEP] = max_step
        self.real[slot.MIN_STEP] = SHORTEST * (end - start)
        self.real[slot.LAST_ERROR] = 1e-4
        for place, number in self.method.numbers.items():
            self.real[place] = number
        self.real[slot.ALPHA], self.real[slot.BETA] = self.method.exponents

    def begin(self, step: float | None) -> None:
        """Correct the initial state, evaluate there, and choose the first step."""
        self.control[slot.ADAPTIVE] = int(step is None)
        if self.flow.solver is not None and self.flow.solver.tolerate is not None:
            self.flow.solver.tolerate(float(self.real[slot.RELATIVE]), self.absolute if step is None else None)
        blocks = self.control.ctypes.data, self.real.ctypes.data
        code = _kernel("begin")(*blocks)
        if code < 0:
            failed = slot.NOT_FINITE if code == slot.NOT_FINITE_CODE else slot.FLOW_FAILED
            self.control[[slot.STATUS, slot.FAILURE]] = failed, code
            return
        _kernel("void_history")(*blocks)
        if self._gather is not None:
            self._keeper = Keeper(self.method, self.control, self._own, self._gather)
            self._keeper.begin(float(self.grid[0]), NODE_ROOM)
        self.output[0] = self.shown
        self.control[slot.GRID_INDEX] = 1
        if self.events.count > 0:
            self.events.evaluate(float(self.grid[0]), self.output[0], self.p, self.event_values[0])
        if self.grid.size == 1:
            self.control[slot.STATUS] = slot.COMPLETED
        elif step is not None:
            self.real[slot.STEP] = step
        elif self.real[slot.STEP] == 0.0:  # unless the family has chosen it
            _kernel("choose_step")(*blocks, 1.0 / self.method.first_order)

    def forget(self) -> None:
        """Let the family of the method know no more than at the start of a run."""
        n = self.state.size
        for kept, first in zip(self._own, (self.method.own_integers(n), self.method.own_numbers(n)), strict=True):
            kept[:] = first

    @property
    def shown(self) -> Array:
        """The state at the end of the last step, as the outside sees it."""
        return self.flow.decode(float(self.real[slot.TIME]), self.state, self.output.shape[1])

    def collect(self) -> None:
        """Take over what the kernel has left in its buffers."""
        steps, records = int(self.control[slot.STEP_INDEX]), int(self.control[slot.RECORD_INDEX])
        self.control[slot.STEP_INDEX] = self.control[slot.RECORD_INDEX] = 0
        self.kept_times.add(self.step_times[:steps])
        if self._keeper is not None:
            self._keeper.collect(float(self.real[slot.TIME]), self.state, self.derivatives[0])
        if records:
            self.kept_records.append(self.records[:records].copy())

    def finish(self) -> None:
        """The run goes no further: hand on what was kept of its last steps."""
        if self._keeper is not None:
            self._keeper.hand_on(float(self.real[slot.TIME]), self.state, self.derivatives[0])


@cache
def _kernel(name: str) -> Callable[..., int]:
    address = kernel_address(f"first_step.{name}")
    return (CHOOSE if name == "choose_step" else BEGIN)(address)


@cache
def _data(method: Method) -> dict[int, int]:
    """Addresses of the kernels and coefficients of a method, whose arrays are kept for good."""
    arrays = {place: np.ascontiguousarray(array) for place, array in method.coefficients().items()}
    _kept.extend(arrays.values())
    for array in arrays.values():
        bounds.note(array)
    kernels = {place: kernel_address(f"{method.family}.{name}") for place, name in FAMILY.items()}
    return {place: array.ctypes.data for place, array in arrays.items()} | kernels


_kept: list[Array] = []
