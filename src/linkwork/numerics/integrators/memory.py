"""The memory of one run: control blocks and arrays that the Runge-Kutta kernel works on."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.flow import Events, Flow, Integers
from linkwork.numerics.kernels import control as slot

STEP_ROOM = 8192  # times of steps between two collections
RECORD_ROOM = 64  # events between two collections, at least
EPSILON = float(np.finfo(np.float64).eps)


class Memory:
    """All that a run remembers. The kernel knows it as two blocks, ``control`` and ``real``."""

    def __init__(self, method: Method, flow: Flow, y0: Array, grid: Array, events: Events | None) -> None:
        self.method, self.flow, self.grid = method, flow, grid
        self.events = events if events is not None else Events(0, 0)
        n, count = y0.size, self.events.count
        self.state = y0
        self.output = np.full((grid.size, n), math.nan)
        self.p = np.array(self.events.p, dtype=np.float64).ravel()
        self.step_times = np.empty(STEP_ROOM)
        self.records = np.empty((RECORD_ROOM + 2 * count, 2 + n))
        self.event_values = np.zeros((4, count))
        self.derivatives = np.zeros((method.all_stages + 1, n))
        self.kept_times: list[Array] = [grid[:1].copy()]
        self.kept_records: list[Array] = [np.empty((0, 2 + n))]
        self.control = np.zeros(slot.CONTROL_SIZE, np.int64)
        self.real = np.zeros(slot.REAL_SIZE)
        self._kept: list[Array | Integers] = []
        self._set_sizes(n)
        self._set_addresses(n)

    def _set_sizes(self, n: int) -> None:
        for place, value in {
            slot.STATES: n,
            slot.STAGES: self.method.stages,
            slot.ALL_STAGES: self.method.all_stages,
            slot.DEGREE: self.method.dense.shape[1],
            slot.GRID_SIZE: self.grid.size,
            slot.EVENT_COUNT: self.events.count,
            slot.STEP_CAPACITY: self.step_times.size,
            slot.RECORD_CAPACITY: len(self.records),
            slot.FLOW: self.flow.flow,
            slot.REFRESH: self.flow.refresh,
            slot.EVENT_FUNCTION: self.events.address,
        }.items():
            self.control[place] = value

    def _set_addresses(self, n: int) -> None:
        method, count = self.method, self.events.count
        error = np.zeros((2, method.all_stages))
        error[: len(method.error)] = method.error
        for place, array in {
            slot.FLOW_INTEGERS: self.flow.ic,
            slot.FLOW_WORK: self.flow.w,
            slot.NODES: np.ascontiguousarray(method.nodes),
            slot.MATRIX: np.ascontiguousarray(method.matrix),
            slot.ERROR: error,
            slot.DENSE: np.ascontiguousarray(method.dense),
            slot.GRID: self.grid,
            slot.OUTPUT: self.output,
            slot.STEP_TIMES: self.step_times,
            slot.EVENT_PARAMETERS: self.p,
            slot.EVENT_DIRECTIONS: np.array(np.broadcast_to(np.asarray(self.events.directions, np.int64), count)),
            slot.EVENT_TERMINAL: np.array(np.broadcast_to(np.asarray(self.events.terminal, np.int64), count)),
            slot.RECORDS: self.records,
            slot.STATE: self.state,
            slot.NEW_STATE: np.zeros((2, n)),
            slot.SCRATCH: np.zeros(n),
            slot.DERIVATIVES: self.derivatives,
            slot.WEIGHTS: np.zeros(method.all_stages),
            slot.EVENT_VALUES: self.event_values,
        }.items():
            self._point(place, array)

    def _point(self, place: int, array: Array | Integers) -> None:
        self._kept.append(array)
        self.control[place] = array.ctypes.data

    def set_tolerances(self, rtol: float, atol: ArrayLike, max_step: float, max_steps: int) -> None:
        """Tolerances and limits of the run."""
        n = self.state.size
        absolute = np.asarray(atol, dtype=np.float64)
        if absolute.ndim > 0 and absolute.shape != (n,):
            raise RefusedError(f"atol has the shape {absolute.shape}; give a number, or one for each of the {n} states")
        self.absolute = np.array(np.broadcast_to(absolute, n))
        self._point(slot.ABSOLUTE, self.absolute)
        start, end = self.grid[0], self.grid[-1]
        self.control[slot.MAX_STEPS] = max_steps
        self.real[slot.TIME] = self.real[slot.START] = self.real[slot.PAUSE] = start
        self.real[slot.END] = end
        self.real[slot.RELATIVE] = rtol
        self.real[slot.MAX_STEP] = max_step
        self.real[slot.MIN_STEP] = 16.0 * EPSILON * max(abs(start), abs(end), end - start)
        self.real[slot.LAST_ERROR] = 1e-4
        self.real[slot.SECOND_WEIGHT] = self.method.second_weight
        self.real[slot.ALPHA], self.real[slot.BETA] = self.method.exponents

    def begin(self, step: float | None) -> None:
        """Correct the initial state, evaluate there, and choose the first step."""
        self.control[slot.ADAPTIVE] = int(step is None)
        t = float(self.grid[0])
        derivative = self.derivatives[0]
        code = self.flow.correct(t, self.state)
        if code >= 0:
            self.control[slot.EVALUATIONS] += 1
            code = self.flow.evaluate(t, self.state, derivative)
        finite = np.all(np.isfinite(self.state)) and np.all(np.isfinite(derivative))
        if code < 0 or not finite:
            self.control[slot.STATUS] = slot.FLOW_FAILED if code < 0 else slot.NOT_FINITE
            self.control[slot.FAILURE] = code if code < 0 else slot.NOT_FINITE_CODE
            return
        self.output[0] = self.state
        self.control[slot.GRID_INDEX] = 1
        if self.events.count > 0:
            self.events.evaluate(t, self.state, self.p, self.event_values[0])
        if self.grid.size == 1:
            self.control[slot.STATUS] = slot.COMPLETED
            return
        self.real[slot.STEP] = self._first_step() if step is None else step

    def _first_step(self) -> float:
        """Hairer, Nørsett, Wanner I, section II.4: from the size of y, y' and of y'' along an Euler step."""
        span = float(self.grid[-1] - self.grid[0])
        limit = min(span, float(self.real[slot.MAX_STEP]))
        if self.state.size == 0:
            return limit
        scale = self.absolute + self.real[slot.RELATIVE] * np.abs(self.state)
        scale = np.maximum(scale, np.finfo(np.float64).tiny)
        derivative = self.derivatives[0]
        size, speed = _mean_square(self.state / scale), _mean_square(derivative / scale)
        trial = min(0.01 * size / speed if min(size, speed) > 1e-5 else 1e-6 * span, limit)
        ahead, there = self.state + trial * derivative, np.empty_like(derivative)
        self.control[slot.EVALUATIONS] += 1
        code = self.flow.evaluate(float(self.grid[0]) + trial, ahead, there)
        bend = _mean_square((there - derivative) / scale) / trial
        if code < 0 or not math.isfinite(bend):
            return 0.1 * trial
        largest = max(speed, bend)
        second = (0.01 / largest) ** (1.0 / self.method.order) if largest > 1e-15 else max(1e-6 * span, trial * 1e-3)
        return min(100.0 * trial, second, limit)

    def collect(self) -> None:
        """Take over what the kernel has left in its buffers."""
        steps, records = int(self.control[slot.STEP_INDEX]), int(self.control[slot.RECORD_INDEX])
        self.control[slot.STEP_INDEX] = self.control[slot.RECORD_INDEX] = 0
        self.kept_times.append(self.step_times[:steps].copy())
        self.kept_records.append(self.records[:records].copy())


def _mean_square(x: Array) -> float:
    return float(np.sqrt(np.mean(x * x)))
