"""Histogram of the durations of steps in real time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import refuse_existing
from linkwork.results.timing import Timing
from linkwork.views.figures import new_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (7.0, 3.5)  # inches


def plot_timing(timing: Timing, path: str | Path | None = None, *, overwrite: bool | None = None) -> Figure:
    """How many steps took how long, on logarithmic scales, with the mean, the worst and the deadline."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure(SIZE)
    axes = figure.subplots()
    filled = np.flatnonzero(timing.counts)
    shown = slice(filled[0], filled[-1] + 1) if filled.size else slice(0, 1)
    edges = 1e6 * timing.edges[shown.start : shown.stop + 1]
    axes.stairs(timing.counts[shown], edges, fill=True, color=SERIES[0], alpha=0.6)
    for value, name, style in (
        (timing.mean, "mean", "-"),
        (timing.worst, "worst", ":"),
        (timing.step, "deadline", "--"),
    ):
        axes.axvline(1e6 * value, linestyle=style, color="0.2", linewidth=1, label=name)
    axes.set(xscale="log", yscale="log", xlabel="duration of a step [µs]", ylabel="steps")
    axes.legend(frameon=False)
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    return figure
