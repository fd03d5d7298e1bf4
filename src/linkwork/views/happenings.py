"""What happens in a run, below and across its curves: a band of what holds when, and events as thin lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwork.results.result import Result
from linkwork.views.figures import GRID, literal
from linkwork.views.palette import SERIES

Span = tuple[float, float]
ROWS = 12  # of a band; what else there is stands in one of them
COLOURS = {"sticks": SERIES[1], "pressed": SERIES[0], "taut": SERIES[2]}
OTHER, MANY = SERIES[6], SERIES[7]
CROWD = 40  # more events than that are pale
LINE: dict[str, Any] = {"color": "#9ca3af", "linewidth": 0.7, "zorder": 0}


@dataclass(frozen=True)
class BandRow:
    """When something holds (s), what it is called, its colour, and its name in the result."""

    name: str
    spans: tuple[Span, ...]
    colour: str
    condition: str = ""


def band_rows(runs: Mapping[str, Result]) -> list[BandRow]:
    """What holds when in runs by their names, those that begin first on top; of many those that hold longest."""
    rows = [row for name, run in runs.items() for row in rows_of(run, name)]
    if len(rows) <= ROWS:
        return rows
    longest = sorted(rows, key=lambda row: -sum(b - a for a, b in row.spans))[: ROWS - 1]
    others = [row for row in rows if row not in longest]
    joined = tuple(_joined(sorted(span for row in others for span in row.spans)))
    return [*(row for row in rows if row in longest), BandRow(f"any of {len(others)} others", joined, MANY)]


def rows_of(run: Result, name: str = "") -> Iterator[BandRow]:
    """All of one run, those that begin first before others; *name*: what the run is called."""
    modes = run.modes
    for condition, spans in modes.spans.items():
        told = modes.told(condition)
        colour = COLOURS.get(modes.words.get(condition, ""), OTHER)
        yield BandRow(f"{told}, {name}" if name else told, tuple(spans), colour, condition)


def _joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Spans in the order of their beginnings, those that overlap as one."""
    begun, end = spans[0]
    for a, b in spans[1:]:
        if a > end:
            yield begun, end
            begun = a
        end = max(end, b)
    yield begun, end


def draw_band(axis: Any, rows: Sequence[BandRow]) -> None:
    """A bar for every time during which something holds, in a row of its own."""
    for place, row in enumerate(rows):
        # with a hairline round them what is shorter than a point is seen too
        bars = [(a, b - a) for a, b in row.spans]
        axis.broken_barh(bars, (place - 0.34, 0.68), facecolors=row.colour, edgecolors=row.colour, linewidth=0.4)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.yaxis.tick_right()
    axis.set_yticks(range(len(rows)), [literal(row.name) for row in rows], fontsize="small")
    axis.tick_params(axis="y", length=0)
    axis.set_ylabel("holds")
    axis.grid(True, axis="x", **GRID)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)


def mark_events(axis: Any, places: Sequence[float]) -> None:
    """Thin lines across an axis; pale ones where there are many."""
    if len(places):
        look = {"linestyles": [(0, (4, 3))]} if len(places) <= CROWD else {"alpha": 0.4, "linewidth": 0.4}
        axis.vlines(places, 0.0, 1.0, transform=axis.get_xaxis_transform(), **LINE | look)
