"""Steps of fixed size that are asked for one by one: a run without an end, and a clock at every step."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.clock import clock
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.flow import Events, Flow
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.solution import BY_CODE, Solution, Statistics, located
from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import realtime_slots as watch
from linkwork.numerics.loader import kernel_address

BINS = 256  # eight to an octave: from 10 ns to 43 s
BIN_EDGES = watch.FIRST_BIN * 2.0 ** (np.arange(BINS + 1) / watch.BINS_PER_OCTAVE)
ENDLESS = 2**62  # steps
LOOK = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
TAKE = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 4, ctypes.c_int64)


@dataclass(frozen=True, eq=False)
class View:
    """What is looked at after every step, and how much of it is kept.

    outputs: address of a function (t, [y, v̇], p) with *count* values, 0: none; p: its parameters, read in place
    positions, velocities: where v̇ stands in a derivative, and how many they are; 0: the flow does not tell
    rows: samples of t, y, v̇, p that are kept, one *every* so many steps
    """

    p: Array
    outputs: int = 0
    count: int = 0
    positions: int = 0
    velocities: int = 0
    rows: int = 0
    every: int = 1
    keepalive: tuple[object, ...] = ()


@dataclass(frozen=True, eq=False)
class Durations:
    """Durations of steps in s: mean, worst and which step it was, steps above the deadline; counts in BIN_EDGES."""

    steps: int
    mean: float
    worst: float
    worst_step: int
    missed: int
    counts: NDArray[np.int64]


@dataclass(eq=False)
class Stepper:
    """A run in steps of one size. ``begin`` before the first step, and again wherever the run goes on from another state.

    shown: length of y. watch: the clock, 'wall' or 'processor'. The deadline of a step is its size.
    """

    method: Method
    step: float
    view: View
    shown: int
    watch: str = "wall"
    memory: Memory = field(init=False)
    _blocks: tuple[int, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        view, ticks = self.view, clock(self.watch)
        width = self.shown + view.velocities
        self.seen = np.full(width, math.nan)
        self.values = np.full(max(view.count, 1), math.nan)
        self.ring = np.zeros((max(view.rows, 1), 1 + width + view.p.size))
        self.histogram = np.zeros(BINS, np.int64)
        self.counters = np.zeros(watch.WATCH_SIZE, np.int64)
        self.times = np.zeros(watch.TIMES_SIZE)
        self._ticks = np.zeros(2, np.int64)
        arrays = {
            watch.PARAMETERS: view.p,
            watch.SEEN: self.seen,
            watch.VALUES: self.values,
            watch.RING: self.ring,
            watch.HISTOGRAM: self.histogram,
            watch.TICKS: self._ticks,
        }
        numbers = {
            watch.POSITIONS: view.positions,
            watch.VELOCITIES: view.velocities,
            watch.PARAMETER_COUNT: view.p.size,
            watch.RING_ROWS: view.rows,
            watch.EVERY: view.every,
            watch.BINS: BINS,
            watch.OUTPUTS: view.outputs,
            watch.CLOCK: ticks.address,
            watch.CLOCK_KIND: ticks.kind,
            watch.CLOCK_CHOICE: ticks.choice,
        }
        for place, number in {**numbers, **{k: a.ctypes.data for k, a in arrays.items()}}.items():
            self.counters[place] = number
        self.times[[watch.DEADLINE, watch.TICK]] = self.step, ticks.tick

    def begin(self, flow: Flow, t: float, y: Array, events: Events | None = None) -> bool:
        """Go on from a state y at t; whether the equations can be evaluated there."""
        self.memory = Memory(self.method, flow, y, np.array([t, math.inf]), events)
        self.memory.set_tolerances(1e-10, 1e-12, math.inf, ENDLESS)
        blocks = (self.memory.control, self.memory.real, self.counters, self.times)
        self._blocks = tuple(block.ctypes.data for block in blocks)
        return self.evaluate()

    def evaluate(self) -> bool:
        """Correct and evaluate the state again, after something in its flow has changed; whether that was possible."""
        memory = self.memory
        memory.control[slot.STATUS] = slot.RUNNING
        memory.grid[0] = memory.real[slot.TIME]
        memory.forget()
        memory.begin(self.step)
        if not self.running:
            return False
        self._call("look")
        return True

    def take(self, count: int) -> int:
        """Take so many steps; return how many could be taken."""
        kernel, left, control = _take(), count, self.memory.control
        while left > 0:
            left -= kernel(*self._blocks, left)
            if self.counters[watch.TRIED]:
                break
            if control[slot.ATTENTION]:
                control[slot.ATTENTION] = 0
                self._look_after()
        return count - left

    def _look_after(self) -> None:
        """Do what the flow has asked for; the last step has waited for it."""
        begin = time.perf_counter()
        self.memory.flow.look_after()
        waited = time.perf_counter() - begin
        last = self.times[watch.LAST] + waited
        self.counters[watch.MISSED] += int(self.times[watch.LAST] <= self.step < last)
        self.times[[watch.LAST, watch.TOTAL]] += waited
        if last > self.times[watch.WORST]:
            self.times[watch.WORST] = last
            self.counters[watch.WORST_STEP] = self.counters[watch.STEPS]

    def keep(self) -> None:
        """Put what is seen now into the ring."""
        if self.view.rows:
            self._call("keep")

    def clear(self) -> None:
        """Forget all samples and times."""
        self.counters[[watch.STEPS, watch.MISSED, watch.WORST_STEP, watch.RING_NEXT]] = 0
        self.times[[watch.TOTAL, watch.WORST, watch.LAST]] = 0.0
        self.histogram[:] = 0

    @property
    def running(self) -> bool:
        """Whether nothing has failed or ended."""
        return bool(self.memory.control[slot.STATUS] == slot.RUNNING)

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return float(self.memory.real[slot.TIME])

    @property
    def samples(self) -> Array:
        """Rows (N, 1 + n + nv + np) of the ring in the order of time."""
        written, rows = int(self.counters[watch.RING_NEXT]), self.view.rows
        if written <= rows:
            return self.ring[:written].copy()
        return np.roll(self.ring, -(written % rows), axis=0)

    @property
    def timing(self) -> Durations:
        """What the steps have cost."""
        steps = int(self.counters[watch.STEPS])
        return Durations(
            steps=steps,
            mean=float(self.times[watch.TOTAL]) / max(steps, 1),
            worst=float(self.times[watch.WORST]),
            worst_step=int(self.counters[watch.WORST_STEP]),
            missed=int(self.counters[watch.MISSED]),
            counts=self.histogram.copy(),
        )

    @property
    def counted(self) -> dict[str, int]:
        """Evaluations and iterations since the last beginning."""
        control = self.memory.control
        found = {"evaluations": int(control[slot.EVALUATIONS])}
        return found | {"iterations": int(control[slot.ITERATIONS])} if self.method.implicit else found

    def solution(self) -> Solution:
        """What is known after a step that has failed."""
        memory, time = self.memory, self.time
        control, y = memory.control, memory.shown
        memory.collect()
        return Solution(
            t=np.array([time]),
            y=y[None, :],
            step_times=np.array([time - self.step, time]),
            status=BY_CODE[int(control[slot.STATUS])],
            failure=min(int(control[slot.FAILURE]), 0),
            t_reached=time,
            y_reached=y,
            events=located(memory.kept_records),
            statistics=Statistics(int(self.counters[watch.STEPS]), 0, int(control[slot.EVALUATIONS]), 0.0),
        )

    def _call(self, name: str) -> None:
        _look(name)(*self._blocks[:3])


@cache
def _take() -> Callable[..., int]:
    return TAKE(kernel_address("realtime.take_steps"))


@cache
def _look(name: str) -> Callable[..., None]:
    return LOOK(kernel_address(f"realtime.{name}"))
