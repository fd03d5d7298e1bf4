"""Positions of rest as pictures, one panel each, and paths of them over a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ResultError
from linkwork.numerics.paths.arc_length import BIFURCATION, LIMIT
from linkwork.results.equilibrium import UNSTABLE, Equilibrium
from linkwork.results.equilibrium_path import EquilibriumPath
from linkwork.results.files import refuse_existing
from linkwork.results.shown_units import shown_units
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES
from linkwork.views.plots import by_unit
from linkwork.views.still import draw_still, poses_at

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANEL, COLUMNS, MOST = 3.2, 4, 24  # inches, panels in a row, panels
INK = "#1f2937"
THINNEST = 0.5  # side of a spatial box, beside the longest one
MARKS = {LIMIT: "o", BIFURCATION: "D"}


def plot_rest(
    positions: Sequence[Equilibrium],
    *,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Draw positions of rest with their stability and energy; *path* also writes the figure (png, svg, pdf)."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    shown = positions[:MOST]
    if not shown:
        raise ResultError("there is no position of rest to draw")
    columns = min(len(shown), COLUMNS)
    rows = ceil(len(shown) / columns)
    figure = new_figure((max(columns, 1.5) * PANEL, rows * PANEL), show)
    for i, item in enumerate(shown):
        spatial = {} if item.result.drawing.space == "planar" else {"projection": "3d"}
        if spatial:
            # a spatial axis registers itself when it is imported
            import mpl_toolkits.mplot3d  # noqa: F401
        axis = figure.add_subplot(rows, columns, i + 1, **spatial)
        _draw(axis, item)
    figure.suptitle(literal(shown[0].name), fontsize="medium", fontweight="bold")
    return _finished(figure, path, show, overwrite)


def plot_path(
    along: EquilibriumPath,
    names: Sequence[str],
    *,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Plot quantities (all joint coordinates by default) of a path over its first parameter."""
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    chosen = along.result.select(names) if names else list(along.joints)
    groups = by_unit(shown_units(along.result, chosen, None), chosen)
    parameter, over = next(iter(along.parameters.items()))
    figure = new_figure((7.0, 0.8 + 2.2 * len(groups)), show)
    axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (unit, members) in zip(axes, groups.items(), strict=True):
        for i, name in enumerate(members):
            _draw_path(axis, along, (name, over), SERIES[i % len(SERIES)])
        axis.set_ylabel(f"[{unit}]")
        axis.legend(loc="center left", bbox_to_anchor=(1.005, 0.5), frameon=False, fontsize="small")
        axis.grid(True, linewidth=0.5, alpha=0.35)
    axes[-1].set_xlabel(literal(parameter))
    figure.suptitle(literal(f"{along.name}: positions of rest (dashed: not stable)"), fontsize="medium")
    return _finished(figure, path, show, overwrite)


def _draw_path(axis: Any, along: EquilibriumPath, series: tuple[str, np.ndarray], colour: str) -> None:
    """One quantity: pieces between snaps, in full where the path is stable; critical points in their shapes."""
    name, over = series
    values, held = along.result[name], np.array([kind != UNSTABLE for kind in along.stability])
    joined = ~np.isin(np.arange(1, len(over)), [snap.index for snap in along.snaps])
    full = held[1:] & held[:-1]
    for kept, style, label in ((full, "-", literal(name)), (~full, (0, (3, 1.5)), None)):
        ends = np.array(
            [[(over[k], values[k]) for k in (i, i + 1)] + [(np.nan, np.nan)] for i in np.flatnonzero(kept & joined)]
        )
        axis.plot(*ends.reshape(-1, 2).T, linestyle=style, color=colour, linewidth=1.4, label=label)
    if not along.critical:
        axis.plot(over[held], values[held], "o", color=colour, markersize=3.5)
        axis.plot(over[~held], values[~held], "o", color=colour, markersize=4.5, markerfacecolor="white")
    for point in along.critical:
        place = over[point.index], values[point.index]
        axis.plot(*place, MARKS[point.kind], color=INK, markerfacecolor="white", markersize=5.5, zorder=4)


def _finished(figure: Figure, path: str | Path | None, show: bool, overwrite: bool | None) -> Figure:
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure


def _draw(axis: Any, item: Equilibrium) -> None:
    drawing = item.result.drawing
    draw_still(axis, drawing, poses_at(item.result, float(item.result.time[0])))
    if drawing.space == "spatial":
        _make_room(axis)
    axis.set_title(f"{item.stability}, {item.energy:.4g} J", fontsize="small")


def _make_room(axis: Any) -> None:
    """No side of a spatial box is much shorter than the longest one: marks would lie on each other."""
    low, high = np.array([axis.get_xlim3d(), axis.get_ylim3d(), axis.get_zlim3d()]).T
    size = np.maximum(high - low, THINNEST * np.max(high - low))
    middle = 0.5 * (low + high)
    for place, (set_limits, side) in enumerate(
        ((axis.set_xlim3d, axis.xaxis), (axis.set_ylim3d, axis.yaxis), (axis.set_zlim3d, axis.zaxis))
    ):
        set_limits(middle[place] - 0.5 * size[place], middle[place] + 0.5 * size[place])
        side.get_major_locator().set_params(nbins=4)
    axis.set_box_aspect(size)
