"""Quantities over time, and numbers of any table, as a matplotlib figure: one axis per unit, events marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, product, takewhile
from typing import Any

import numpy as np

from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.units import describe
from linkwork.answer import Answer, Column, Units
from linkwork.answer.column import in_units, matching
from linkwork.errors import RefusedError, ResultError, UnitError
from linkwork.results.measured import MeasuredValues
from linkwork.results.resolution import AXES, resolutions
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer
from linkwork.views.figures import MARGIN, TITLE, WIDTH, Sheet, figure, finish, level, literal
from linkwork.views.happenings import CROWD, BandRow, band_rows, draw_band, mark_events
from linkwork.views.palette import SERIES

STYLES = ("-", "--", ":", "-.")
LEGEND_ROWS = 9
BAR, LETTERS = 0.24, 36  # inches of a bar; letters of a name beside it
POLAR = 30.0  # points from a round axis to its heading, past its degrees
LOCUS = 6.4  # inches, of a curve of one vector
MOST = 8  # angles that are plotted unasked
STILL = 1e-8  # rad, what turns by less does not turn
NO_VALUES = "no values"  # what is said of a quantity that is no number anywhere
BESIDE = 26  # letters of the names beside an axis


@dataclass(frozen=True, eq=False)
class Curves:
    """What is drawn of one run: quantities over one of them, and what the legend calls the run."""

    base: Column
    columns: Sequence[Column]
    run: str = ""
    least: Mapping[str, float] = field(default_factory=dict)  # changes that say anything, by names, in their units


def draw_quantities(
    sheet: Sheet,
    result: Result,
    *names: str,
    over: str | None = None,
    units: Units | None = None,
    beside: Mapping[str, Result | ResultAnswer] | None = None,
    label: str = "",
    band: bool = True,
) -> None:
    """Plot quantities (names or patterns such as ``B.*``) over time; without names, a sensible few.

    *over*: another quantity along the axis, such as ``O.angle``; *units*: by names or patterns, ``{"O.angle": "deg"}``;
    *beside*: other runs by what the legend calls them, and *label* what it calls this one; *band*: whether a band below
    says what holds when, of what comes and goes, and events have lines.
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
    timely = band and all(item.base.name == run.variable.name for item, run in zip(curves, runs.values(), strict=True))
    rows = band_rows(runs) if timely else []
    axes = _draw_groups(sheet, curves, "\n".join([headline(result), *told]), rows)
    if band:
        _mark_events(axes, curves, list(runs.values()))


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
    band: bool = True,
) -> None:
    """Plot quantities of the result of an answer; without names, what it says is worth it."""
    chosen = answer.select(names or answer.plotted)
    along = over if over in (None, answer.result.variable.name) else answer.select([str(over)])[0]
    if isinstance(units, Mapping):
        units = {own: unit for name, unit in units.items() for own in answer.select([name])}
    draw_quantities(sheet, answer.result, *chosen, over=along, units=units, beside=beside, label=label, band=band)


def _curves(result: Result, wanted: Sequence[str], over: str | None, units: Units | None, run: str) -> Curves:
    along = [] if over in (None, result.variable.name) else result.select([str(over)])[:1]
    first, *others = result.shown([*wanted, *along], units)
    found = {column.name: column for column in (first, *others)}
    least = {name: _in_unit(result, name, size, found[name]) for name, size in resolutions(result, wanted).items()}
    return Curves(found[along[0]] if along else first, [found[name] for name in wanted], run, least)


def _in_unit(result: Result, name: str, size: float, shown: Column) -> float:
    """A size of a quantity in the unit in which it is shown."""
    own = Column(name, np.array([size]), result.quantity(name).unit)
    return float(own.values[0] if own.unit == shown.unit else own.shown_in(shown.unit).values[0])


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
    """Plot a measure along a run; *over*: another quantity of the run along the axis, such as ``O.angle``.

    *units*: of the measure and of what it is over, by names or patterns: ``{"*": "deg"}``, ``{"O.angle": "deg"}``
    """
    first, *others = measured.shown(names or None)
    if over is not None and over != first.name:
        if measured.along is None:
            raise RefusedError(f"{measured.of} is over {first.name} alone, and has no run with '{over}'")
        first = measured.along(over)
    if units:
        drawn = [first, *others] if over is not None else others
        first, *others = in_units([first, *others], units, partial(_drawn, measured, [item.name for item in drawn]))
    _draw_groups(sheet, [Curves(first, others)], measured.title)


def _drawn(measured: MeasuredValues, names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Those of the names that patterns choose; others are in the run, or an error that names the nearest."""
    found = [name for pattern in patterns for name in matching(pattern, names)]
    if not found and measured.along is None:
        return measured.select(patterns)
    for pattern in () if found else patterns:
        measured.along(pattern)  # type: ignore[misc]
    return found


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


def _draw_groups(sheet: Sheet, curves: Sequence[Curves], title: str, band: Sequence[BandRow] = ()) -> list[Any]:
    """An axis for every unit; quantities in their colours and runs in their styles, runs of one quantity in colours.

    band: what stands below them, on the last one of the axes
    """
    groups, base = by_unit(curves[0].columns), curves[0].base
    locus = all(_beside(base, column) for column in curves[0].columns)
    axes = [sheet.one(LOCUS, LOCUS, title)] if locus else sheet.below(len(groups), title, len(band))
    for axis, members in zip(axes, groups.values(), strict=False):
        looks = cycle(product(STYLES, SERIES))
        for k, item in enumerate(curves):
            for i, column in enumerate(x for x in item.columns if x.name in {member.name for member in members}):
                style, colour = next(looks) if 1 in (len(members), len(curves)) else _look(k, i)
                name = _called(item, column, alone=len(members) == 1)
                along = _turned(item.base) if axis.name == "polar" else item.base.values
                axis.plot(along, column.values, style, color=colour, linewidth=1.4, label=name)
        many, heading = len(members) * len(curves), shared_label(members)
        if axis.name == "polar":
            finish(axis, y=heading, legend=many > 1)
            axis.yaxis.labelpad = POLAR
            continue
        told = many > 1 or bool(curves[0].run or members[0].remark)
        finish(axis, y=heading, beside=1 + (many - 1) // LEGEND_ROWS, legend=told)
        if locus:
            axis.set_aspect("equal", adjustable="datalim")
            axis.locator_params(nbins=6)
            continue
        axis.margins(x=0.0)
        level(axis, max(item.least.get(member.name, 0.0) for item in curves for member in members))
        if all(_empty(x) for item in curves for x in item.columns if x.unit == members[0].unit):
            axis.text(0.5, 0.5, NO_VALUES, transform=axis.transAxes, ha="center", va="center", color="0.4")
            axis.set_yticks([])
    if len(axes) > len(groups):
        draw_band(axes[-1], band)
    axes[-1].set_xlabel(literal(base.label))
    return axes


def _beside(base: Column, column: Column) -> bool:
    """Whether both are components of one vector, such as ``A.fx`` and ``A.fy``: their curve has one scale."""
    one, other = base.name, column.name
    return base.unit == column.unit and one != other and one[:-1] == other[:-1] and {one[-1], other[-1]} <= {*"xyz"}


def _turned(base: Column) -> Any:
    """What a polar axis has round it, rad."""
    if base.unit not in ("rad", "deg"):
        raise RefusedError(f"axes: round a polar axis goes an angle, not {base.label}: name one, as in over='O.angle'")
    return np.radians(base.values) if base.unit == "deg" else base.values


def _look(run: int, quantity: int) -> tuple[str, str]:
    return STYLES[run % len(STYLES)], SERIES[quantity % len(SERIES)]


def _called(item: Curves, column: Column, *, alone: bool) -> str:
    """What the legend says: the quantity, the run, or both where there are several of both."""
    remark = ", ".join(filter(None, [column.remark, NO_VALUES if _empty(column) else ""]))
    name = column.name + (f" ({remark})" if remark else "")
    if not item.run:
        return literal(name)
    return literal(item.run if alone else f"{name}, {item.run}")


def _empty(column: Column) -> bool:
    return not np.any(np.isfinite(column.values))


def default_names(result: Result) -> list[str]:
    """What to plot unasked: angles of bodies (or joints) that turn and energies, else the first quantities that are no pose.

    Where nothing turns, its degrees of freedom stand in the place of angles.
    """
    bodies = [name for name in result.names("*.angle") if name.removesuffix(".angle") in result.drawing.bodies]
    angles = (bodies or result.names("*.angle"))[:MOST]
    free = [name for name in result.freedoms[:MOST] if name in result]
    names = (_changing(result, angles) or _changing(result, free) or angles) + result.names("energy.*")
    if not names:
        poses = {name for body in result.drawing.bodies for name in result.drawing.pose_names(body)}
        names = ([name for name in result.names() if name not in poses] or result.names())[:6]
    if not names:
        raise ResultError(f"result '{result.name}' has no quantities to plot")
    return names


def _changing(result: Result, names: Sequence[str]) -> list[str]:
    """Those that change by more than an error."""
    least = resolutions(result, names)
    known = {name: result[name][np.isfinite(result[name])] for name in names}
    smallest = {name: max(least[name], STILL if result.quantity(name).unit == "rad" else 0.0) for name in names}
    return [name for name, values in known.items() if values.size and float(np.ptp(values)) > smallest[name]]


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
        text = _in_common(names) or _measured(unit)
    return text if unit in ("", "1") else f"{text} [{unit}]".strip()


def _in_common(names: Sequence[str]) -> str:
    """The last parts that names share, else the first ones; of components of vectors, these without their axes."""
    parts = [name.split(".") for name in names]
    ends = _shared([part[::-1] for part in parts])[::-1]
    found = ends or _shared(parts)
    if {name[-1:] for name in names} <= set(AXES):
        # wx, wy and wz are w
        stems = [name[:-1].rstrip(".").split(".") for name in names]
        found = ends or _shared([stem[::-1] for stem in stems])[::-1] or found
    return ".".join(found)


def _shared(parts: Sequence[Sequence[str]]) -> list[str]:
    """What sequences have in common at their beginning."""
    return [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*parts, strict=False))]


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


def _mark_events(axes: Sequence[Any], curves: Sequence[Curves], runs: Sequence[Result]) -> None:
    """Lines of all events across all axes, and their names on the first one."""
    from linkwork.views.event_names import EventNames  # which loads matplotlib

    found: dict[float, list[str]] = {}
    for item, run in ((item, run) for item, run in zip(curves, runs, strict=True) if len(run)):
        along = _turned(item.base) if axes[0].name == "polar" else item.base.values
        places = np.interp([event.time for event in run.events], run.time, along)
        ending = f", {item.run}" if item.run else ""
        for at, event in zip(places, run.events, strict=True):
            found.setdefault(float(at), []).append(literal(event.name + ending))
    for axis in axes:
        mark_events(axis, list(found))
    told = {at: names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "") for at, names in found.items()}
    if len(found) > CROWD:
        # each name once, where it comes first
        told = {at: name for name, at in {name: at for at, name in sorted(told.items(), reverse=True)}.items()}
    if axes[0].name != "polar" and found:
        axes[0].add_artist(EventNames(list(told.items())))


def headline(result: Result) -> str:
    """The name of a run, and what has to be known of it: that it stopped, or fails its audit."""
    title = result.name if result.outcome.completed else f"{result.name}\n{result.outcome}"
    return title + ("" if result.audit else "\nfails its audit: see result.audit")
