"""Quantities over time, and numbers of any table, as a matplotlib figure: one axis per unit, events marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, product
from typing import Any

import numpy as np

from linkwork.answer import Answer, Column, Units
from linkwork.errors import ResultError
from linkwork.results.result import Result, ResultAnswer
from linkwork.views.figures import MARGIN, TITLE, WIDTH, Sheet, figure, finish, literal
from linkwork.views.palette import SERIES

STYLES = ("-", "--", ":", "-.")
LEGEND_ROWS = 9
BAR, LETTERS = 0.24, 36  # inches of a bar; letters of a name beside it


def draw_quantities(
    sheet: Sheet, result: Result, *names: str, over: str | None = None, units: Units | None = None
) -> None:
    """Plot quantities (names or patterns such as ``B.*``) over time; without names, a sensible few.

    *over*: another quantity along the axis, such as ``O.angle``; *units*: by names or patterns, ``{"O.angle": "deg"}``.
    """
    wanted = result.select(names) if names else default_names(result)
    along = [] if over in (None, result.variable.name) else result.select([str(over)])[:1]
    first, *others = result.shown([*wanted, *along], units)
    found = {column.name: column for column in others}
    base = found[along[0]] if along else first
    axes = _draw_groups(sheet, base, [found[name] for name in wanted], _title(result))
    for axis in axes:
        _mark_events(axis, base, result, labelled=axis is axes[0])


plot = figure(draw_quantities)


@figure
def plot_quantities(
    sheet: Sheet, answer: ResultAnswer, *names: str, over: str | None = None, units: Units | None = None
) -> None:
    """Plot quantities of the result of an answer; without names, what it says is worth it."""
    draw_quantities(sheet, answer.result, *(names or answer.plotted), over=over, units=units)


@figure
def plot_columns(sheet: Sheet, answer: Answer, *names: str, units: Units | None = None) -> None:
    """Plot the numbers of a table, or some of its columns, over its first one; of named rows as bars."""
    first, *others = answer.shown(names or answer.plotted or None, units)
    numbers = [column for column in others if np.asarray(column.values).dtype.kind in "fiu"]
    if not numbers or not len(first.values):
        raise ResultError(f"{answer.title}: there are no numbers to plot")
    if np.asarray(first.values).dtype.kind in "fiu" and len(first.values) > 1:
        _draw_groups(sheet, first, numbers, answer.title)
    else:
        _draw_bars(sheet, first, numbers, answer.title)


def _draw_bars(sheet: Sheet, rows: Column, columns: Sequence[Column], title: str) -> None:
    """A bar for every row and column, the first row on top; columns of one unit share an axis."""
    groups = by_unit(columns)
    places = np.arange(len(rows.values))
    made = sheet.new(WIDTH, MARGIN + sum(BAR * (2 + len(places) * len(members)) for members in groups.values()))
    shares = [2 + len(places) * len(members) for members in groups.values()]
    axes = made.subplots(len(groups), 1, squeeze=False, height_ratios=shares)[:, 0]
    axes[0].set_title(literal(title), loc="left", wrap=True, **TITLE)
    for axis, members in zip(axes, groups.values(), strict=True):
        height = 0.8 / len(members)
        for i, column in enumerate(members):
            at = places + (i - 0.5 * (len(members) - 1)) * height
            values = np.where(np.isfinite(column.values), column.values, 0.0)
            bars = axis.barh(at, values, height, color=SERIES[i % len(SERIES)], label=literal(column.name))
            axis.bar_label(bars, [f"{value:.4g}" for value in column.values], padding=3, fontsize="x-small")
        axis.set_yticks(places, [literal(shortened(str(value))) for value in rows.cells()], fontsize="small")
        axis.invert_yaxis()
        axis.margins(x=0.12)
        finish(axis, x=shared_label(members), beside=1, legend=len(members) > 1)


def shortened(text: str) -> str:
    """A name that leaves room for the picture."""
    return text if len(text) <= LETTERS else text[: LETTERS - 1] + "…"


def _draw_groups(sheet: Sheet, base: Column, columns: Sequence[Column], title: str) -> list[Any]:
    groups = by_unit(columns)
    axes = sheet.below(len(groups), title)
    for axis, members in zip(axes, groups.values(), strict=True):
        _draw_series(axis, base, members)
    axes[-1].set_xlabel(literal(base.label))
    return axes


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


def by_unit(columns: Sequence[Column]) -> dict[str, list[Column]]:
    """Columns grouped by unit, in the order of first appearance."""
    groups: dict[str, list[Column]] = {}
    for column in columns:
        groups.setdefault(column.unit, []).append(column)
    return groups


def shared_label(columns: Sequence[Column]) -> str:
    """What stands beside an axis with columns of one unit."""
    only, unit = columns[0], columns[0].unit
    if unit in ("", "1"):
        return only.name if len(columns) == 1 else ""
    return f"{only.name} [{unit}]" if len(columns) == 1 else f"[{unit}]"


def _draw_series(axis: Any, base: Column, columns: Sequence[Column]) -> None:
    for column, (style, colour) in zip(columns, cycle(product(STYLES, SERIES)), strict=False):
        name = column.name + (f" ({column.remark})" if column.remark else "")
        axis.plot(base.values, column.values, style, color=colour, linewidth=1.4, label=literal(name))
    finish(axis, y=shared_label(columns), beside=1 + (len(columns) - 1) // LEGEND_ROWS)
    axis.margins(x=0.0)


def _mark_events(axis: Any, base: Column, result: Result, *, labelled: bool) -> None:
    for event in result.events:
        place_at = float(np.interp(event.time, result.time, base.values))
        axis.axvline(place_at, color="#9ca3af", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        if labelled:
            place = {"xy": (place_at, 1.0), "xycoords": ("data", "axes fraction")}
            axis.annotate(
                literal(event.name), **place, xytext=(3, -3), textcoords="offset points", va="top", fontsize="x-small"
            )


def _title(result: Result) -> str:
    title = result.name if result.outcome.completed else f"{result.name}\n{result.outcome}"
    return title + ("" if result.audit else "\nfails its audit: see result.audit")
