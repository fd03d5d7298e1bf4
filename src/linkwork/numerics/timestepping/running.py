"""Runs by time stepping: chunks of compiled steps, with more room where they ask for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.arrays import Array
from linkwork.machine.interrupts import held
from linkwork.numerics.kernels.timestepping.contact_rows import BLOCKS, ROWS
from linkwork.numerics.kernels.timestepping.moreau import PAUSED, run_steps
from linkwork.numerics.kernels.timestepping.pushing import BAND
from linkwork.numerics.kernels.timestepping.step_contacts import PAIRS
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.kernels.timestepping.step_motion import MASS_LOST, NOT_CLOSED, NOT_FINITE
from linkwork.numerics.kernels.timestepping.step_touches import TOUCHES
from linkwork.numerics.loader import compiled
from linkwork.numerics.timestepping.room import (
    GROWTH,
    Room,
    StepSettings,
    grow,
    grow_pairs,
    grow_touches,
    settle_records,
    solved_by,
    step_memory,
)
from linkwork.numerics.timestepping.system import StepSystem

FIRST_CHUNK, CHUNK_TIME = 16, 0.2  # steps, and s
WANTS = (PAIRS, ROWS, BLOCKS, BAND, TOUCHES)  # what steps stop for until there is more room
FAILURES = {
    MASS_LOST: "a velocity has no inertia, and no condition determines it",
    NOT_FINITE: "a value of the model is not finite",
    NOT_CLOSED: "the closing conditions cannot be met near the last position; a smaller fixed_step may help",
}


@dataclass(frozen=True, eq=False)
class SteppedRun:
    """A run: t (N), y (N, n), mean accelerations of the last step (N, nv).

    works: (N, 3) energy that was brought in, that was destroyed, and by which taking overlaps apart has changed it, J
    failure: 0, or a code of FAILURES; memory: with what it has counted; solved: how many problems which solver has solved
    """

    t: Array
    y: Array
    vdot: Array
    works: Array
    failure: int
    interrupted: bool
    memory: StepMemory
    solved: Mapping[str, int]
    wall_time: float

    @property
    def completed(self) -> bool:
        """Whether it has come to its end."""
        return self.failure == 0 and not self.interrupted


def step_through(
    system: StepSystem,
    y: Array,
    grid: Array,
    settings: StepSettings,
    progress: Callable[[float], object] | None = None,
) -> SteppedRun:
    """Step from y at the first time of a grid over all of it; steps end at outputs, none is longer than *settings* say."""
    room = Room.first(system)
    memory = step_memory(system, room, settings, grid, y)
    settle_records(memory)
    began, code, chunk, interrupted = time.perf_counter(), PAUSED, FIRST_CHUNK, False
    step = compiled(run_steps)
    try:
        with held() as check:
            while code == PAUSED:
                memory.chunk, last = chunk, time.perf_counter()
                code = int(step(memory))
                if code in WANTS:
                    enlarge(memory, system, room, settings, code)
                    code = PAUSED
                spent = max(time.perf_counter() - last, 1e-6)
                chunk = int(np.clip(chunk * CHUNK_TIME / spent, 1, 1 << 16))
                if progress is not None:
                    progress((memory.t - memory.start) / max(float(grid[-1]) - memory.start, 1e-300))
                check()
    except KeyboardInterrupt:
        interrupted = True
    done = memory.grid_index
    return SteppedRun(
        t=np.array(grid[:done]),
        y=memory.shown.reshape(-1, system.n)[:done].copy(),
        vdot=memory.accelerations.reshape(len(grid), -1)[:done].copy(),
        works=memory.energies.reshape(-1, 3)[:done].copy(),
        failure=min(code, 0),
        interrupted=interrupted,
        memory=memory,
        solved=solved_by(memory, system, settings),
        wall_time=time.perf_counter() - began,
    )


def enlarge(memory: StepMemory, system: StepSystem, room: Room, settings: StepSettings, code: int) -> None:
    """More room for what a step wants."""
    if code == PAIRS:
        grow_pairs(memory)
        return
    if code == TOUCHES:
        grow_touches(memory)
        return
    if code == ROWS:
        room.contacts, room.numbers = GROWTH * room.contacts, GROWTH * room.numbers
        room.blocks *= GROWTH
    elif code == BLOCKS:
        room.blocks *= GROWTH
    else:
        room.band = max(GROWTH * room.band, memory.pushing.band.width + 12)
    grow(memory, system, room, settings)
