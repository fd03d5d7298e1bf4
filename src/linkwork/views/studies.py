"""Studies as pictures: quantities of all variants over time, or their last values over what was varied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.answer import Column, Units
from linkwork.answer.column import in_units
from linkwork.errors import RefusedError
from linkwork.results.study import Study
from linkwork.views.figures import Sheet, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.plots import by_unit, shared_label

LINES = 40  # variants that are drawn one by one; of more the range is shown, and the middle half
FAINT = {"linewidth": 0.8, "alpha": 0.6}


@figure
def plot_study(sheet: Sheet, study: Study, *names: str, over: str | None = None, units: Units | None = None) -> None:
    """Plot quantities (all by default), one axis per unit.

    *over*: what was varied, or time; by default time, or of last values what was varied first. *units*: by names or patterns
    """
    chosen = _chosen(study, names)
    varied = {column.name: column for column in study.given}
    base = over or (study.variable.name if study.samples is not None else study.given[0].name)
    along = base == study.variable.name and study.samples is not None
    if not along and base not in varied:
        known = [*varied, *([study.variable.name] if study.samples is not None else [])]
        raise RefusedError(f"a study is drawn over {' or '.join(known)}, not over '{base}'")
    table = {column.name: column for column in study.columns()}
    raw = [Column(n, study.values[n], study.quantities[n].unit) if along else table[n] for n in chosen]
    axis_column = study.variable.column(study.time) if along else varied[base]
    *columns, axis_column = in_units([*raw, axis_column], units, study.select) if units else [*raw, axis_column]
    groups = by_unit(columns)
    axes = sheet.below(len(groups), study.title)
    for axis, members in zip(axes, groups.values(), strict=True):
        for i, column in enumerate(members):
            draw = _draw_samples if along else _draw_last
            draw(axis, np.asarray(axis_column.values), column, SERIES[i % len(SERIES)])
        finish(axis, y=shared_label(members), beside=1)
    axes[-1].set_xlabel(literal(axis_column.label))


def _chosen(study: Study, names: Sequence[str]) -> list[str]:
    chosen = [name for name in study.select(list(names)) if name in study.values] if names else list(study.values)
    if not chosen:
        raise RefusedError(
            f"the study '{study.name}' has no quantities of these names to draw; kept: {', '.join(study.values)}"
        )
    return chosen


def _draw_samples(axis: Any, times: Any, column: Column, colour: str) -> None:
    """A line for each variant; of many the range, the middle half, and the median."""
    values, label = np.asarray(column.values), literal(column.name)
    if len(values) <= LINES:
        for i, row in enumerate(values):
            axis.plot(times, row, color=colour, label=label if i == 0 else None, **FAINT)
        return
    known = np.isfinite(values).any(axis=0)
    levels = np.nanquantile(values[:, known], [0.0, 0.25, 0.5, 0.75, 1.0], axis=0)
    axis.fill_between(times[known], levels[0], levels[4], color=colour, alpha=0.15, linewidth=0)
    axis.fill_between(times[known], levels[1], levels[3], color=colour, alpha=0.35, linewidth=0)
    axis.plot(times[known], levels[2], color=colour, linewidth=1.4, label=f"{label}: range, middle half, median")


def _draw_last(axis: Any, values: Any, column: Column, colour: str) -> None:
    """A point for each variant."""
    axis.plot(values, np.asarray(column.values), ".", color=colour, markersize=4, label=literal(column.name))
