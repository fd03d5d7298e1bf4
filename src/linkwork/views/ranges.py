"""How far the coordinates of a mechanism go, as bars."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.topology.limits.motion_limits import CoordinateLimits, MotionLimits, range_text
from linkwork.views.figures import MARGIN, TITLE, WIDTH, Sheet, figure, finish, literal
from linkwork.views.palette import SERIES
from linkwork.views.plots import BAR

INK, TURNING = "#1f2937", SERIES[1]


@figure
def plot_limits(sheet: Sheet, found: MotionLimits) -> None:
    """Draw the range of every coordinate, the position in which it is assembled, and where it turns back."""
    kinds = [
        [(name, item) for name, item in found.coordinates.items() if item.angular is angular]
        for angular in (True, False)
    ]
    groups = [group for group in kinds if group]
    made = sheet.new(WIDTH, MARGIN + sum(2.2 * BAR * (1.2 + len(group)) for group in groups))
    axes = made.subplots(len(groups), 1, squeeze=False, height_ratios=[1.2 + len(group) for group in groups])[:, 0]
    axes[0].set_title(literal(found.title), loc="left", wrap=True, **TITLE)
    for axis, group in zip(axes, groups, strict=True):
        _draw_ranges(axis, group, found.input)


def _draw_ranges(axis: Any, group: list[tuple[str, CoordinateLimits]], driving: str) -> None:
    factor, unit = (180.0 / np.pi, "deg") if group[0][1].angular else (1.0, "m")
    ends = [factor * x for _, item in group for x in (item.range.low, item.range.high, item.start) if np.isfinite(x)]
    room = 0.08 * (max(ends) - min(ends)) or 1.0
    low, high = min(ends) - room, max(ends) + room
    for place, (_, item) in enumerate(group):
        first, last = np.clip([factor * item.range.low, factor * item.range.high], low, high)
        axis.barh(place, last - first, 0.5, left=first, color=SERIES[0], alpha=0.25 if item.full_turn else 0.6)
        axis.plot(factor * item.start, place, "o", color=INK, markersize=5, label="start" if place == 0 else None)
        turns = [factor * dead.value for dead in item.dead_centres if not item.full_turn]
        axis.plot(turns, [place] * len(turns), "|", color=TURNING, markersize=14, markeredgewidth=2.2)
        look: dict[str, Any] = {"fontsize": "x-small", "va": "bottom", "ha": "center"}
        axis.text(0.5 * (first + last), place - 0.27, range_text(item), **look)
    axis.plot([], [], "|", color=TURNING, markersize=10, markeredgewidth=2.2, label="turns back")
    axis.set_yticks(range(len(group)), [literal(name + (" (input)" if name == driving else "")) for name, _ in group])
    axis.set_ylim(len(group) - 0.5, -0.7)
    axis.set_xlim(low, high)
    finish(axis, f"[{unit}]", beside=1)
