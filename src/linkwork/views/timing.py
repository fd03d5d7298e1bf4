"""Histogram of the durations of steps in real time."""

from __future__ import annotations

import numpy as np

from linkwork.results.timing import Timing
from linkwork.views.figures import Sheet, figure, finish
from linkwork.views.palette import SERIES


@figure
def plot_timing(sheet: Sheet, timing: Timing) -> None:
    """How many steps took how long, on logarithmic scales, with the mean, the worst and the deadline."""
    axes = sheet.one(7.0, 3.5, timing.title)
    filled = np.flatnonzero(timing.counts)
    shown = slice(filled[0], filled[-1] + 1) if filled.size else slice(0, 1)
    edges = 1e6 * timing.edges[shown.start : shown.stop + 1]
    axes.stairs(timing.counts[shown], edges, fill=True, color=SERIES[0], alpha=0.6)
    marks = ((timing.mean, "mean", "-"), (timing.worst, "worst", ":"), (timing.step, "deadline", "--"))
    for value, name, style in marks:
        axes.axvline(1e6 * value, linestyle=style, color="0.2", linewidth=1, label=name)
    axes.set(xscale="log", yscale="log")
    finish(axes, "duration of a step [µs]", "steps")
