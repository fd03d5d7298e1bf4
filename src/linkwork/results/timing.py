"""How long the steps of a real-time run took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column
from linkwork.answer.grid import rounded
from linkwork.arrays import Array


@dataclass(frozen=True, eq=False, repr=False)
class Timing(Answer):
    """Durations of steps, each from its beginning to the evaluation of the outputs behind it; times in s.

    step: size of a step, which is its deadline; missed: steps that took longer
    worst_at: the time in the model at the end of the slowest step
    edges (bins + 1), counts (bins): histogram of the durations, bins of equal ratio
    """

    view = "timing.plot_timing"

    step: float
    steps: int
    mean: float
    worst: float
    worst_at: float
    missed: int
    edges: Array
    counts: NDArray[np.int64]

    @property
    def factor(self) -> float:
        """Real-time factor: mean duration of a step over its size. Below 1 is faster than real time."""
        return self.mean / self.step

    def quantile(self, fraction: float) -> float:
        """Duration that this fraction of the steps did not exceed, to the width of a bin (9 %)."""
        if not self.steps:
            return 0.0
        reached = np.searchsorted(np.cumsum(self.counts), np.ceil(fraction * self.steps))
        return float(min(self.edges[reached + 1], self.worst))

    @property
    def pace(self) -> str:
        """How fast it is, in words."""
        if not self.steps:
            return "no steps yet"
        faster = 1.0 / self.factor if self.factor > 0 else np.inf
        return f"{rounded(max(faster, self.factor))} times {'faster' if faster >= 1 else 'slower'} than real time"

    @property
    def title(self) -> str:
        return f"Timing of steps of {duration(self.step)}: {self.pace}"

    def facts(self) -> list[tuple[str, str]]:
        """What the steps have cost."""
        if not self.steps:
            return [("steps", f"none yet, of {duration(self.step)} each")]
        return [
            ("steps", f"{self.steps} of {duration(self.step)}"),
            ("step time", f"mean {duration(self.mean)}, 99.9 % within {duration(self.quantile(0.999))}"),
            ("worst step", f"{duration(self.worst)}, at t = {self.worst_at:.6g} s"),
            ("real-time factor", f"{self.factor:.3g} (mean step time / step): {self.pace}"),
            ("missed deadlines", str(self.missed)),
        ]

    def columns(self) -> list[Column]:
        """How many steps took how long: the histogram of their durations."""
        edges = Column("from", self.edges[:-1], "s"), Column("to", self.edges[1:], "s")
        return [Column("bin", np.arange(len(self.counts))), *edges, Column("steps", self.counts)]


def duration(seconds: float) -> str:
    """A duration with a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
