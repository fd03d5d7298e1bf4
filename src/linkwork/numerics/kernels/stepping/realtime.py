"""Steps of fixed size with a clock at each of them: nothing is allocated, and no Python runs between them.

After every step the outputs are evaluated there, a sample goes into the ring of the last ones, and the time that all
this took is entered: sum, worst, missed deadlines, histogram with bins of equal ratio.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    Ints,
    MachineFunction,
    ModelFunction,
    Record,
    array,
    borrowed,
)
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.advance import advance
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import show

TIMESPEC, COUNTER = range(2)
"""Kinds of clocks: ``clock_gettime(choice, {s, ns})``, and ``QueryPerformanceCounter({ticks})``."""

FIRST_BIN = 1e-8
"""s, lower end of the histogram of step times."""

BINS_PER_OCTAVE = 8


class ClockFunction(MachineFunction):
    """``clock_gettime``."""

    def __call__(self, choice: int, ticks: Ints) -> Code:
        raise NotImplementedError


class CounterFunction(MachineFunction):
    """``QueryPerformanceCounter``."""

    def __call__(self, ticks: Ints) -> Code:
        raise NotImplementedError


class Watch(Record):
    """With what steps are watched in real time."""

    steps: int  # taken since the last reset
    missed: int  # of them, those that took longer than the deadline
    worst_step: int  # number of the slowest one
    tried: int  # 1 when the last call ended in a step that failed
    total: float  # s of all steps
    worst: float  # s of the slowest
    last: float  # s of the last
    deadline: float  # s
    tick: float  # s of a tick of the clock
    positions: int  # nq, first of the rates of velocities in a derivative
    velocities: int  # nv of the accelerations that are seen, 0: none
    parameter_count: int
    width: int  # numbers of what is seen: y, v̇
    count: int  # of outputs
    ring_rows: int  # 0: no samples are kept
    ring_next: int  # samples written so far
    every: int  # steps between two samples
    bins: int
    outputs: ModelFunction | None = None  # of (t, [y, v̇], p)
    parameters: Floats = borrowed()  # p
    seen: Floats = array("width")  # [y, v̇] at the end of the last step
    values: Floats = array("max(count, 1)")
    ring: Floats = array("max(ring_rows, 1)", "1 + width + parameter_count")  # rows of t, y, v̇, p
    histogram: Ints = array("bins")
    clock: ClockFunction = borrowed()
    counter: CounterFunction | None = None  # in the place of the clock
    clock_choice: int
    ticks: Ints = array("2")  # what the clock writes to


@kernel
def take_steps(run: Stepping, watch: Watch, count: int) -> int:
    """Take *count* steps, fewer if one fails or the flow asks for its owner; return how many were taken."""
    watch.tried = 0
    for done in range(count):
        begin = now(watch)
        run.chunk_steps = 1
        before = run.accepted
        advance(run)
        if run.accepted == before or run.status != status.RUNNING:
            watch.tried = 1
            return done
        watch.steps += 1
        look(run, watch)
        if watch.ring_rows > 0 and watch.steps % watch.every == 0:
            keep(run.time, watch)
        enter(watch, (now(watch) - begin) * watch.tick)
        if run.attention != 0:
            return done + 1
    return count


@kernel
def now(watch: Watch) -> int:
    """Ticks of a clock that does not go back."""
    ticks = watch.ticks
    if watch.counter is not None:
        watch.counter(ticks)
        return ticks[0]
    watch.clock(watch.clock_choice, ticks)
    return ticks[0] * 1000000000 + ticks[1]


@kernel
def look(run: Stepping, watch: Watch) -> None:
    """What is seen of the state: [y, v̇], and the outputs."""
    seen = watch.seen
    n = run.shown
    if show(run, run.time, run.state, seen) < 0:
        seen[:n] = math.nan
    rates = at(run.derivatives, watch.positions)
    seen[n : n + watch.velocities] = rates[: watch.velocities]
    if watch.outputs is not None:
        watch.outputs(run.time, seen, watch.parameters, watch.values)


@kernel
def keep(t: float, watch: Watch) -> None:
    """Write a sample over the oldest one."""
    size, count = watch.width, watch.parameter_count
    row = at(watch.ring, (watch.ring_next % watch.ring_rows) * (1 + size + count))
    row[0] = t
    row[1 : 1 + size] = watch.seen[:size]
    row[1 + size : 1 + size + count] = watch.parameters[:count]
    watch.ring_next += 1


@kernel
def enter(watch: Watch, duration: float) -> None:
    """Enter the duration of a step, s."""
    watch.last = duration
    watch.total += duration
    if duration > watch.worst:
        watch.worst = duration
        watch.worst_step = watch.steps
    if duration > watch.deadline:
        watch.missed += 1
    place = 0
    if duration > FIRST_BIN:
        place = int(math.log(duration / FIRST_BIN) * (BINS_PER_OCTAVE / math.log(2.0)))
    watch.histogram[min(place, watch.bins - 1)] += 1
