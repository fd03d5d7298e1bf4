"""Variations of linear equations over time, whole and by modes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.results.files import refuse_existing
from linkwork.results.linear_motion import LinearMotion
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, AXIS_HEIGHT, MARGIN = 8.0, 2.1, 0.9  # inches


def plot_motion(
    motion: LinearMotion,
    names: Sequence[str],
    *,
    modes: bool,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Draw quantities below each other, with the parts of the modes dashed if wanted; *path* also writes the figure."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    figure = new_figure((WIDTH, MARGIN + AXIS_HEIGHT * max(len(names), 1.4)), show)
    rows = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        parts = motion.contributions(name) if modes else {}
        axes.plot(motion.time, motion[name], color="0.2" if modes else SERIES[0], linewidth=1.6, label="all")
        for i, (label, values) in enumerate(parts.items()):
            axes.plot(motion.time, values, "--", color=SERIES[i % len(SERIES)], linewidth=1.1, label=label)
        unit = motion.linearisation.source.unit(name)
        axes.set_ylabel(literal(f"{name} [{unit}]" if unit else name))
        axes.grid(True, linewidth=0.5, alpha=0.35)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
        if modes:
            axes.legend(loc="center left", bbox_to_anchor=(1.005, 0.5), frameon=False, fontsize="small")
    rows[-1].set_xlabel("time [s]")
    title = f"{motion.title}, by {motion.by}"
    rows[0].set_title(literal(title), loc="left", fontsize="medium", fontweight="bold")
    figure.align_ylabels()
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure
