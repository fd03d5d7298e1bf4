"""Steps of fixed size that are asked for one by one: a run without an end, and a clock at every step."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np

from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.memory import Memory
from linkwork.numerics.integrators.solution import BY_CODE, Solution, Statistics, located
from linkwork.numerics.kernels.stepping import realtime, status
from linkwork.numerics.loader import compiled
from linkwork.numerics.watching import LiveView, Watched

ENDLESS = 2**62  # steps


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
    watched: Watched = field(init=False)

    def __post_init__(self) -> None:
        self.watched = Watched(self.view, self.shown, self.step, self.watch)

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
        compiled(realtime.look)(memory.run, self.watched.record)
        return True

    def take(self, count: int) -> int:
        """Take so many steps; return how many could be taken."""
        take, left, run, watch = compiled(realtime.take_steps), count, self.memory.run, self.watched.record
        while left > 0:
            left -= take(run, watch, left)
            if watch.tried:
                break
            if run.attention:
                run.attention = 0
                begin = time.perf_counter()
                self.memory.flow.look_after()
                self.watched.wait(time.perf_counter() - begin)
        return count - left

    def keep(self) -> None:
        """Put what is seen now into the ring."""
        if self.view.rows:
            compiled(realtime.keep)(self.time, self.watched.record)

    @property
    def running(self) -> bool:
        """Whether nothing has failed or ended."""
        return self.memory.run.status == status.RUNNING

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return self.memory.run.time

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
            statistics=Statistics(self.watched.record.steps, 0, run.evaluations, 0.0),
        )
