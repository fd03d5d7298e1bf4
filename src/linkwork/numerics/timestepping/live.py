"""Steps with contacts that are asked for one by one: a run without an end, and a clock at every step."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.collision.broad_phase import make_room
from linkwork.numerics.kernels.stepping import realtime
from linkwork.numerics.kernels.timestepping import live_steps
from linkwork.numerics.kernels.timestepping.live_steps import LiveSteps
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.loader import compiled
from linkwork.numerics.timestepping.room import (
    Room,
    StepSettings,
    begin_tally,
    begin_touching,
    fill_laws,
    settle_records,
    step_memory,
)
from linkwork.numerics.timestepping.running import WANTS, enlarge
from linkwork.numerics.timestepping.system import ShapePlan, StepSystem
from linkwork.numerics.watching import LiveView, Watched

TOLD = 32  # pairs of shapes whose forces are seen at each step
CROWD = 64  # shapes all pairs of which have room from the beginning


def told_pairs(system: StepSystem) -> list[tuple[int, int]]:
    """The pairs of shapes that may touch, where they are few: of these every step tells what they push with."""
    found = [(int(one), int(other)) for one, other in zip(*np.nonzero(np.triu(system.shapes.pairs >= 0)), strict=True)]
    return found if len(found) <= TOLD else []


@dataclass(eq=False)
class LiveStepper:
    """A run with contacts in steps of one size. ``begin`` before the first step, and wherever it goes on from another state.

    system: reads its parameters in place; settings: with the bound of iterations
    """

    system: StepSystem
    settings: StepSettings
    view: LiveView
    watch: str = "wall"
    memory: StepMemory = field(init=False)
    watched: Watched = field(init=False)
    live: LiveSteps = field(init=False)

    def __post_init__(self) -> None:
        system, settings = self.system, self.settings
        self.watched = Watched(self.view, system.n, settings.step, self.watch)
        self._room = Room.lasting(system)
        self.memory = step_memory(system, self._room, settings, np.zeros(1), np.zeros(system.n))
        settle_records(self.memory)
        count = len(system.shapes.records)
        if self.memory.scene is not None and count <= CROWD:
            make_room(self.memory.scene, max(count * (count - 1) // 2, 1))
        told = told_pairs(system)
        self.live = LiveSteps(n=system.n, h=settings.step, slots=len(told), pairs=max(count * count, 1))
        self.live.slot[:] = -1
        for place, (one, other) in enumerate(told):
            self.live.pair[place] = one * count + other
            self.live.slot[[one * count + other, other * count + one]] = place

    def begin(self, t: float, y: Array) -> int:
        """Go on from a state at t, brought onto the conditions that hold; a failure, or 0."""
        memory = self.memory
        memory.t, memory.state[:] = t, y
        return int(compiled(live_steps.begin_live)(memory, self.live, self.watched.record))

    def look(self) -> None:
        """See again what is seen of the state."""
        compiled(live_steps.look_live)(self.memory, self.live, self.watched.record)

    def take(self, count: int) -> int:
        """Take so many steps; return how many could be taken."""
        take, left = compiled(live_steps.take_live_steps), count
        while left > 0:
            left -= take(self.memory, self.live, self.watched.record, left)
            if self.live.code not in WANTS:
                break
            begin = time.perf_counter()
            enlarge(self.memory, self.system, self._room, self.settings, self.live.code)
            self.watched.wait(time.perf_counter() - begin)
        return count - left

    def keep(self) -> None:
        """Put what is seen now into the ring."""
        if self.view.rows:
            compiled(realtime.keep)(self.time, self.watched.record)

    def forget(self) -> None:
        """Forget what was counted so far."""
        live, memory = self.live, self.memory
        live.most = live.late = live.contacts = live.iterations = live.unsolved = 0
        live.worst = live.deepest = live.residual = live.overlap = 0.0
        memory.tally, memory.kept = begin_tally(self.system), begin_touching(self.system, self._room)
        pushing = memory.pushing
        pushing.failures = pushing.iterations = 0
        pushing.worst = 0.0

    def set_shapes(self, shapes: ShapePlan) -> None:
        """The same shapes with other sizes, places and laws."""
        fill_laws(self.memory, shapes)
        if self.memory.scene is None:
            return
        for entry, shape in zip(self.memory.scene.entries, shapes.records, strict=True):
            entry.shape = shape

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return self.memory.t

    @property
    def counted(self) -> dict[str, float | int]:
        """What the steps so far have come to."""
        memory, live = self.memory, self.live
        return {
            "most contacts": int(memory.tally.contacts),
            "contacts begun": int(memory.tally.hit_count),
            "iterations of cones": int(memory.pushing.iterations),
            "most iterations of a step": live.most,
            "steps not solved": live.late,
            "largest residual of cones": live.worst,
            "largest overlap": live.deepest,
        }
