"""Positions of rest as pictures, one panel each, and paths of them over a parameter."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from linkwork.answer import Column, Units
from linkwork.errors import ResultError
from linkwork.numerics.paths.arc_length import BIFURCATION, LIMIT
from linkwork.results.equilibrium import SINGULAR, UNSTABLE, Equilibria, Equilibrium
from linkwork.results.equilibrium_path import EquilibriumPath
from linkwork.views.figures import Sheet, figure, finish, literal, make_room, mechanism_axis
from linkwork.views.palette import SERIES
from linkwork.views.plots import by_unit, shared_label
from linkwork.views.still import draw_still, poses_at

PANEL, COLUMNS, MOST = 3.2, 4, 24  # inches, panels in a row, panels
INK = "#1f2937"
MARKS = {LIMIT: "o", BIFURCATION: "D"}


@figure
def plot_rest(sheet: Sheet, found: Equilibrium | Equilibria) -> None:
    """Draw positions of rest with their stability and energy, one panel each."""
    shown = [found] if isinstance(found, Equilibrium) else found[:MOST]
    if not shown:
        raise ResultError("there is no position of rest to draw")
    columns = min(len(shown), COLUMNS)
    rows = ceil(len(shown) / columns)
    grid = sheet.new(max(columns, 1.5) * PANEL, rows * PANEL, shown[0].name).add_gridspec(rows, columns)
    for i, item in enumerate(shown):
        _draw(mechanism_axis(sheet.figure, grid[divmod(i, columns)], item.result.drawing), item)


@figure
def plot_path(
    sheet: Sheet, along: EquilibriumPath, *names: str, over: str | None = None, units: Units | None = None
) -> None:
    """Plot quantities and parameters (all joint coordinates by default) of a path.

    *over*: a quantity or parameter along the axis, by default the first parameter; *units*: by names or patterns
    """
    (base_name,) = along.select([over or next(iter(along.parameters))])[:1]
    wanted = along.select(names or list(along.joints))
    columns = {column.name: column for column in along.shown([*wanted, base_name], units)}
    groups, base = by_unit([columns[name] for name in wanted]), columns[base_name]
    axes = sheet.below(len(groups), f"{along.name}: positions of rest (dashed: not stable)")
    for axis, members in zip(axes, groups.values(), strict=True):
        for i, column in enumerate(members):
            _draw_path(axis, along, (column, base), SERIES[i % len(SERIES)])
        finish(axis, y=shared_label(members), beside=1)
    axes[-1].set_xlabel(literal(base.label))


def _draw_path(axis: Any, along: EquilibriumPath, series: tuple[Column, Column], colour: str) -> None:
    """One quantity: pieces between snaps, in full where the path is stable; critical points in their shapes."""
    name, values, over = series[0].name, np.asarray(series[0].values), np.asarray(series[1].values)
    held = np.array([kind not in (UNSTABLE, SINGULAR) for kind in along.stability])
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


def _draw(axis: Any, item: Equilibrium) -> None:
    drawing = item.result.drawing
    draw_still(axis, drawing, poses_at(item.result, float(item.result.time[0])))
    if drawing.space == "spatial":
        make_room(axis)
    axis.set_title(f"{item.stability}, {item.energy:.4g} J", fontsize="small")
