"""Quantities over time, and numbers of any table, as a matplotlib figure: one axis per unit, events marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from typing import Any

import numpy as np

from linkwork.algebra.units import describe, read_unit
from linkwork.answer import Answer, Column, Units
from linkwork.errors import RefusedError, ResultError, UnitError
from linkwork.results.measured import MeasuredValues
from linkwork.results.result import Result, ResultAnswer
from linkwork.views.figures import MARGIN, TITLE, WIDTH, Sheet, figure, finish, literal
from linkwork.views.palette import SERIES

STYLES = ("-", "--", ":", "-.")
LEGEND_ROWS = 9
BAR, LETTERS = 0.24, 36  # inches of a bar; letters of a name beside it
BESIDE = 26  # letters of the names beside an axis


@dataclass(frozen=True, eq=False)
class Curves:
    """What is drawn of one run: quantities over one of them, and what the legend calls the run."""

    base: Column
    columns: Sequence[Column]
    run: str = ""


def draw_quantities(
    sheet: Sheet,
    result: Result,
    *names: str,
    over: str | None = None,
    units: Units | None = None,
    beside: Mapping[str, Result | ResultAnswer] | None = None,
    label: str = "",
) -> None:
    """Plot quantities (names or patterns such as ``B.*``) over time; without names, a sensible few.

    *over*: another quantity along the axis, such as ``O.angle``; *units*: by names or patterns, ``{"O.angle": "deg"}``;
    *beside*: other runs by what the legend calls them, and *label* what it calls this one.
    """
    wanted = result.select(names) if names else default_names(result)
    others = _others(beside or {})
    own = label or (result.name if others else "")
    if own in others:
        raise ResultError(f"beside: this run is called '{own}' too; label='...' gives it another name")
    runs = {own: result, **others}
    curves = [_curves(run, wanted, over, units, name) for name, run in runs.items()]
    _refuse_mixed(curves)
    told = [f"{name}: {line}" for name, run in others.items() for line in headline(run).split("\n")[1:]]
    axes = _draw_groups(sheet, curves, "\n".join([headline(result), *told]))
    for axis in axes:
        for item, run in zip(curves, runs.values(), strict=True):
            _mark_events(axis, item, run, labelled=axis is axes[0])


plot = figure(draw_quantities)


@figure
def plot_quantities(
    sheet: Sheet,
    answer: ResultAnswer,
    *names: str,
    over: str | None = None,
    units: Units | None = None,
    beside: Mapping[str, Result | ResultAnswer] | None = None,
    label: str = "",
) -> None:
    """Plot quantities of the result of an answer; without names, what it says is worth it."""
    chosen = names or answer.plotted
    draw_quantities(sheet, answer.result, *chosen, over=over, units=units, beside=beside, label=label)


def _curves(result: Result, wanted: Sequence[str], over: str | None, units: Units | None, run: str) -> Curves:
    along = [] if over in (None, result.variable.name) else result.select([str(over)])[:1]
    first, *others = result.shown([*wanted, *along], units)
    found = {column.name: column for column in others}
    return Curves(found[along[0]] if along else first, [found[name] for name in wanted], run)


def _others(beside: Mapping[str, Result | ResultAnswer]) -> dict[str, Result]:
    """Other runs by their names."""
    if not isinstance(beside, Mapping) or not all(isinstance(x, Result | ResultAnswer) for x in beside.values()):
        raise RefusedError("beside: other runs by what the legend calls them, as in beside={'stiff': other}")
    return {name: item.result if isinstance(item, ResultAnswer) else item for name, item in beside.items()}


def _refuse_mixed(curves: Sequence[Curves]) -> None:
    """What is drawn on one axis is of one unit, and over the same."""
    first, *others = curves
    for item in others:
        if item.base.label != first.base.label:
            raise ResultError(
                f"'{item.run}' is over {item.base.label}, '{first.run}' over {first.base.label}: "
                f"choose a quantity that both have, as in over='O.angle'"
            )
        for own, other in zip(first.columns, item.columns, strict=True):
            if own.unit != other.unit:
                raise ResultError(f"{own.name} is in {own.unit} in '{first.run}', and in {other.unit} in '{item.run}'")


@figure
def plot_columns(sheet: Sheet, answer: Answer, *names: str, units: Units | None = None) -> None:
    """Plot the numbers of a table, or some of its columns, over its first one; of named rows as bars."""
    first, *others = answer.shown(names or answer.plotted or None, units)
    numbers = [column for column in others if np.asarray(column.values).dtype.kind in "fiu"]
    if not numbers or not len(first.values):
        raise ResultError(f"{answer.title}: there are no numbers to plot")
    if np.asarray(first.values).dtype.kind in "fiu" and len(first.values) > 1:
        _draw_groups(sheet, [Curves(first, numbers)], answer.title)
    else:
        _draw_bars(sheet, first, numbers, answer.title)


@figure
def plot_measured(
    sheet: Sheet, measured: MeasuredValues, *names: str, over: str | None = None, units: Units | None = None
) -> None:
    """Plot a measure along a run; *over*: another quantity of the run along the axis, such as ``O.angle``."""
    first, *others = measured.shown(names or None, units)
    if over is not None and over != first.name:
        if measured.along is None:
            raise RefusedError(f"{measured.of} is over {first.name} alone, and has no run with '{over}'")
        first = measured.along(over)
    _draw_groups(sheet, [Curves(first, others)], measured.title)


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


def _draw_groups(sheet: Sheet, curves: Sequence[Curves], title: str) -> list[Any]:
    """An axis for every unit; quantities in their colours and runs in their styles, runs of one quantity in colours."""
    groups = by_unit(curves[0].columns)
    axes = sheet.below(len(groups), title)
    for axis, members in zip(axes, groups.values(), strict=True):
        looks = cycle(product(STYLES, SERIES))
        for k, item in enumerate(curves):
            for i, column in enumerate(x for x in item.columns if x.name in {member.name for member in members}):
                style, colour = next(looks) if 1 in (len(members), len(curves)) else _look(k, i)
                name = _called(item, column, alone=len(members) == 1)
                axis.plot(item.base.values, column.values, style, color=colour, linewidth=1.4, label=name)
        finish(axis, y=shared_label(members), beside=1 + (len(members) * len(curves) - 1) // LEGEND_ROWS)
        axis.margins(x=0.0)
    axes[-1].set_xlabel(literal(curves[0].base.label))
    return axes


def _look(run: int, quantity: int) -> tuple[str, str]:
    return STYLES[run % len(STYLES)], SERIES[quantity % len(SERIES)]


def _called(item: Curves, column: Column, *, alone: bool) -> str:
    """What the legend says: the quantity, the run, or both where there are several of both."""
    name = column.name + (f" ({column.remark})" if column.remark else "")
    if not item.run:
        return literal(name)
    return literal(item.run if alone else f"{name}, {item.run}")


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
    """What stands beside an axis with columns of one unit: their names, what these have in common, or what they measure."""
    unit, names = columns[0].unit, [column.name for column in columns]
    text = ", ".join(names)
    if len(names) > 1 and len(text) > BESIDE:
        firsts, lasts = ({name.partition(".")[0] for name in names}, {name.rpartition(".")[2] for name in names})
        text = lasts.pop() if len(lasts) == 1 else firsts.pop() if len(firsts) == 1 else _measured(unit)
    return text if unit in ("", "1") else f"{text} [{unit}]".strip()


def _measured(unit: str) -> str:
    """What a unit measures, 'length' or 'torque or energy'; nothing where there is no word for it."""
    if unit in ("", "1"):
        return ""
    try:
        spoken = describe(read_unit(unit))
    except UnitError:
        return ""
    words = [word for word in spoken.split() if word not in ("a", "an")]
    return "" if words[0] == "in" else " ".join(words)


def _mark_events(axis: Any, item: Curves, run: Result, *, labelled: bool) -> None:
    for event in run.events:
        place_at = float(np.interp(event.time, run.time, item.base.values))
        axis.axvline(place_at, color="#9ca3af", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
        if labelled:
            place = {"xy": (place_at, 1.0), "xycoords": ("data", "axes fraction")}
            text = f"{event.name}, {item.run}" if item.run else event.name
            look: dict[str, Any] = {
                "xytext": (3, -3),
                "textcoords": "offset points",
                "va": "top",
                "fontsize": "x-small",
            }
            axis.annotate(literal(text), **place, **look)


def headline(result: Result) -> str:
    """The name of a run, and what has to be known of it: that it stopped, or fails its audit."""
    title = result.name if result.outcome.completed else f"{result.name}\n{result.outcome}"
    return title + ("" if result.audit else "\nfails its audit: see result.audit")
