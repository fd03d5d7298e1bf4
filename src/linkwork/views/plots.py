"""Quantities over time as a matplotlib figure: one axis per unit, events marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ResultError
from linkwork.results import Result
from linkwork.results.files import refuse_existing
from linkwork.results.quantities import NOT_UNIQUE
from linkwork.results.shown_units import Shown, Units, shown_units
from linkwork.views.figures import literal, new_figure, show_figure, write_figure
from linkwork.views.palette import SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, AXIS_HEIGHT, MARGIN = 8.0, 2.1, 0.9  # inches
STYLES = ("-", "--", ":", "-.")
LEGEND_ROWS = 9


def plot(
    result: Result,
    *names: str,
    over: str | None = None,
    units: Units | None = None,
    path: str | Path | None = None,
    show: bool = False,
    overwrite: bool | None = None,
) -> Figure:
    """Plot quantities (names or patterns such as ``B.*``) over time; without names, a sensible few.

    *over*: another quantity along the axis, such as ``O.angle``; *units*: by names or patterns, ``{"O.angle": "deg"}``.
    The figure belongs to no window and changes no global state of matplotlib; *path* also writes it (png, svg, pdf),
    *show* opens a window.
    """
    chosen = result.select(names) if names else default_names(result)
    if path is not None:
        refuse_existing(Path(path), overwrite=overwrite)
    base = _Base(result, [*chosen], over, units)
    groups = by_unit(base.shown, chosen)
    figure = new_figure((WIDTH, MARGIN + AXIS_HEIGHT * max(len(groups), 1.4)), show)
    axes = list(figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0])
    for axis, (unit, members) in zip(axes, groups.items(), strict=True):
        _draw_series(axis, base, members, unit)
        _mark_events(axis, base, labelled=axis is axes[0])
    axes[-1].set_xlabel(literal(base.label))
    _finish(figure, axes, result)
    if path is not None:
        write_figure(figure, Path(path), overwrite)
    if show:
        show_figure(figure)
    return figure


def default_names(result: Result) -> list[str]:
    """What to plot unasked: angles of bodies (or joints) and energies, else the first quantities that are no pose."""
    bodies = [name for name in result.names("*.angle") if name.removesuffix(".angle") in result.drawing.bodies]
    names = (bodies or result.names("*.angle"))[:8] + result.names("energy.*")
    if not names:
        poses = {name for body in result.drawing.bodies for name in result.drawing.pose_names(body)}
        names = ([name for name in result.names() if name not in poses] or result.names())[:6]
    if not names:
        raise ResultError(f"result '{result.name}' has no quantities to plot")
    return names


def by_unit(shown: Mapping[str, Shown], names: Sequence[str]) -> dict[str, list[str]]:
    """Names grouped by unit, in the order of first appearance."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(shown[name].unit, []).append(name)
    return groups


class _Base:
    """What is along the axis, and in which units everything is shown."""

    def __init__(self, result: Result, names: list[str], over: str | None, units: Units | None) -> None:
        along = result.variable.name if over is None or over == result.variable.name else result.select([over])[0]
        self.result, self.own = result, along == result.variable.name
        self.shown = shown_units(result, names if self.own else [*names, along], units)
        self.values = self.shown[along].of(result.time if self.own else result[along])
        self.label = self.shown[along].label(along)

    def at(self, time: float) -> float:
        """Where a time is along the axis."""
        return float(np.interp(time, self.result.time, self.values))


def _draw_series(axis: Any, base: _Base, names: Sequence[str], unit: str) -> None:
    result, shown = base.result, base.shown
    values, loose = result.values(names), result.undetermined(names)
    looks = cycle(product(STYLES, SERIES))
    for name, (style, colour) in zip(names, looks, strict=False):
        # a leading underscore would hide the name from the legend
        label = name if not name.startswith("_") else f"\u200b{name}"
        label += f" ({NOT_UNIQUE})" if name in loose else ""
        axis.plot(base.values, shown[name].of(values[name]), style, color=colour, linewidth=1.4, label=literal(label))
    only = shown[names[0]].label(names[0])
    axis.set_ylabel(literal(only if len(names) == 1 else f"[{unit}]" if unit else ""))
    columns = 1 + (len(names) - 1) // LEGEND_ROWS
    axis.legend(loc="center left", bbox_to_anchor=(1.005, 0.5), frameon=False, fontsize="small", ncols=columns)
    axis.grid(True, linewidth=0.5, alpha=0.35)
    axis.spines[["top", "right"]].set_visible(False)
    axis.margins(x=0.0)


def _mark_events(axis: Any, base: _Base, *, labelled: bool) -> None:
    for event in base.result.events:
        place_at = base.at(event.time)
        axis.axvline(place_at, color="#9ca3af", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        if labelled:
            place = {"xy": (place_at, 1.0), "xycoords": ("data", "axes fraction")}
            axis.annotate(
                literal(event.name), **place, xytext=(3, -3), textcoords="offset points", va="top", fontsize="x-small"
            )


def _finish(figure: Figure, axes: Sequence[Any], result: Result) -> None:
    title = result.name if result.outcome.completed else f"{result.name}\n{result.outcome}"
    title += "" if result.audit else "\nfails its audit: see result.audit"
    axes[0].set_title(literal(title), loc="left", fontsize="medium", fontweight="bold", wrap=True)
    figure.align_ylabels()
