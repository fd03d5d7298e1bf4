"""Steps of fixed size that are asked for one by one: a run without an end, and a clock at every step."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.clock import clock
from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.solution import BY_CODE, Solution, Statistics, located
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.stepping import realtime, status
from linkwork.numerics.kernels.stepping.realtime import BINS_PER_OCTAVE, COUNTER, FIRST_BIN, TIMESPEC, Watch
from linkwork.numerics.loader import compiled

BINS = 256  # eight to an octave: from 10 ns to 43 s
BIN_EDGES = FIRST_BIN * 2.0 ** (np.arange(BINS + 1) / BINS_PER_OCTAVE)
ENDLESS = 2**62  # steps


@dataclass(frozen=True, eq=False)
class LiveView:
    """What is looked at after every step, and how much of it is kept.

    outputs: a function (t, [y, v̇], p) with *count* values; p: its parameters, read in place
    positions, velocities: where v̇ stands in a derivative, and how many they are; 0: the flow does not tell
    rows: samples of t, y, v̇, p that are kept, one *every* so many steps
    """

    p: Array
    outputs: MachineCode | None = None
    count: int = 0
    positions: int = 0
    velocities: int = 0
    rows: int = 0
    every: int = 1


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
    view: LiveView
    shown: int
    watch: str = "wall"
    memory: Memory = field(init=False)
    _watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        view, ticks = self.view, clock(self.watch)
        self._watch = Watch(
            positions=view.positions,
            velocities=view.velocities,
            width=self.shown + view.velocities,
            parameter_count=view.p.size,
            parameters=view.p,
            count=view.count,
            outputs=view.outputs,
            ring_rows=view.rows,
            every=view.every,
            bins=BINS,
            clock=ticks.address if ticks.kind == TIMESPEC else None,
            counter=ticks.address if ticks.kind == COUNTER else None,
            clock_choice=ticks.choice,
            tick=ticks.tick,
            deadline=self.step,
        )
        self.seen, self.values, self.histogram = self._watch.seen, self._watch.values, self._watch.histogram
        self.seen[:] = self.values[:] = math.nan
        self.ring = self._watch.ring.reshape(max(view.rows, 1), -1)

    def begin(self, flow: Flow, t: float, y: Array, events: Events | None = None) -> bool:
        """Go on from a state y at t; whether the equations can be evaluated there."""
        self.memory = Memory(self.method, flow, y, np.array([t, math.inf]), events)
        self.memory.set_tolerances(1e-10, 1e-12, math.inf, ENDLESS)
        return self.evaluate()

    def evaluate(self) -> bool:
        """Correct and evaluate the state again, after something in its flow has changed; whether that was possible."""
        memory = self.memory
        memory.run.status = status.RUNNING
        memory.grid[0] = memory.run.time
        memory.forget()
        memory.begin(self.step)
        if not self.running:
            return False
        compiled(realtime.look)(memory.run, self._watch)
        return True

    def take(self, count: int) -> int:
        """Take so many steps; return how many could be taken."""
        take, left, run = compiled(realtime.take_steps), count, self.memory.run
        while left > 0:
            left -= take(run, self._watch, left)
            if self._watch.tried:
                break
            if run.attention:
                run.attention = 0
                self._look_after()
        return count - left

    def _look_after(self) -> None:
        """Do what the flow has asked for; the last step has waited for it."""
        begin = time.perf_counter()
        self.memory.flow.look_after()
        waited = time.perf_counter() - begin
        watch = self._watch
        before = watch.last
        watch.last, watch.total = before + waited, watch.total + waited
        watch.missed += int(before <= self.step < watch.last)
        if watch.last > watch.worst:
            watch.worst, watch.worst_step = watch.last, watch.steps

    def keep(self) -> None:
        """Put what is seen now into the ring."""
        if self.view.rows:
            compiled(realtime.keep)(self.memory.run, self._watch)

    def clear(self) -> None:
        """Forget all samples and times."""
        watch = self._watch
        watch.steps = watch.missed = watch.worst_step = watch.ring_next = 0
        watch.total = watch.worst = watch.last = 0.0
        self.histogram[:] = 0

    @property
    def running(self) -> bool:
        """Whether nothing has failed or ended."""
        return self.memory.run.status == status.RUNNING

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return self.memory.run.time

    @property
    def samples(self) -> Array:
        """Rows (N, 1 + n + nv + np) of the ring in the order of time."""
        written, rows = self._watch.ring_next, self.view.rows
        if written <= rows:
            return self.ring[:written].copy()
        return np.roll(self.ring, -(written % rows), axis=0)

    @property
    def timing(self) -> Durations:
        """What the steps have cost."""
        watch = self._watch
        return Durations(
            steps=watch.steps,
            mean=watch.total / max(watch.steps, 1),
            worst=watch.worst,
            worst_step=watch.worst_step,
            missed=watch.missed,
            counts=self.histogram.copy(),
        )

    @property
    def counted(self) -> dict[str, int]:
        """Evaluations and iterations since the last beginning."""
        run = self.memory.run
        found = {"evaluations": run.evaluations}
        return found | {"iterations": run.iterations} if self.method.implicit else found

    def solution(self) -> Solution:
        """What is known after a step that has failed."""
        memory, time = self.memory, self.time
        run, y = memory.run, memory.shown
        memory.collect()
        return Solution(
            t=np.array([time]),
            y=y[None, :],
            step_times=np.array([time - self.step, time]),
            status=BY_CODE[run.status],
            failure=min(run.failure, 0),
            t_reached=time,
            y_reached=y,
            events=located(memory.kept_records),
            statistics=Statistics(self._watch.steps, 0, run.evaluations, 0.0),
        )
