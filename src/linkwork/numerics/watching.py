"""Steps that are watched: what is looked at behind each of them, the samples that are kept, and what the steps have cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.clock import clock
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.stepping.realtime import BINS_PER_OCTAVE, COUNTER, FIRST_BIN, TIMESPEC, Watch

BINS = 256  # eight to an octave: from 10 ns to 43 s
BIN_EDGES = FIRST_BIN * 2.0 ** (np.arange(BINS + 1) / BINS_PER_OCTAVE)


@dataclass(frozen=True, eq=False)
class LiveView:
    """What is looked at after every step, and how much of it is kept.

    outputs: a function (t, [y, v̇], p) with *count* values; p: its parameters, read in place
    positions, velocities: where v̇ stands in a derivative, and how many they are; 0: the flow does not tell
    further: numbers that steps tell besides
    rows: samples of t, y, v̇, p that are kept, one *every* so many steps
    """

    p: Array
    outputs: MachineCode | None = None
    count: int = 0
    positions: int = 0
    velocities: int = 0
    further: int = 0
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


class Watched:
    """The record with which compiled steps are watched, and what it tells.

    shown: length of y; deadline: s, of a step; ticks: the clock, 'wall' or 'processor'
    """

    def __init__(self, view: LiveView, shown: int, deadline: float, ticks: str) -> None:
        own = clock(ticks)
        self.view = view
        self.record = Watch(
            positions=view.positions,
            velocities=view.velocities,
            width=shown + view.velocities + view.further,
            parameter_count=view.p.size,
            parameters=view.p,
            count=view.count,
            outputs=view.outputs,
            ring_rows=view.rows,
            every=view.every,
            bins=BINS,
            clock=own.address if own.kind == TIMESPEC else None,
            counter=own.address if own.kind == COUNTER else None,
            clock_choice=own.choice,
            tick=own.tick,
            deadline=deadline,
        )
        self.seen, self.values, self.histogram = self.record.seen, self.record.values, self.record.histogram
        self.seen[:] = self.values[:] = math.nan
        self._ring = self.record.ring.reshape(max(view.rows, 1), -1)

    def wait(self, waited: float) -> None:
        """The last step has waited so long (s) for something that was done for it."""
        watch = self.record
        before = watch.last
        watch.last, watch.total = before + waited, watch.total + waited
        watch.missed += int(before <= watch.deadline < watch.last)
        if watch.last > watch.worst:
            watch.worst, watch.worst_step = watch.last, watch.steps

    def clear(self) -> None:
        """Forget all samples and times."""
        watch = self.record
        watch.steps = watch.missed = watch.worst_step = watch.ring_next = 0
        watch.total = watch.worst = watch.last = 0.0
        self.histogram[:] = 0

    @property
    def samples(self) -> Array:
        """Rows (N, 1 + n + nv + further + np) of the ring in the order of time."""
        written, rows = self.record.ring_next, self.view.rows
        if written <= rows:
            return self._ring[:written].copy()
        return np.roll(self._ring, -(written % rows), axis=0)

    @property
    def timing(self) -> Durations:
        """What the steps have cost."""
        watch = self.record
        return Durations(
            steps=watch.steps,
            mean=watch.total / max(watch.steps, 1),
            worst=watch.worst,
            worst_step=watch.worst_step,
            missed=watch.missed,
            counts=self.histogram.copy(),
        )
