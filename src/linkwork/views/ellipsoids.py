"""Ellipsoids at the point that they belong to, with the mechanism; along a motion also their semi-axes over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import RefusedError
from linkwork.results.ellipsoids import Array, Ellipsoid
from linkwork.views.figures import Sheet, figure, finish, mechanism_axis
from linkwork.views.palette import SERIES
from linkwork.views.still import draw_still, poses_at

SHOWN = 7  # ellipsoids along a motion
SHARE = 0.22  # largest semi-axis as drawn, of the size of the mechanism
COLOUR = "#cc79a7"
WIDE = 50.0  # ratio of numbers that are drawn over powers of ten


@figure
def plot_ellipsoids(sheet: Sheet, found: Ellipsoid) -> None:
    """Draw ellipsoids and mechanism."""
    if found.places.shape[1] != found.semi_axes.shape[1]:
        raise RefusedError(f"{found.of} has no place to draw an ellipsoid at: ask for a point or a body")
    several = len(found) > 1
    made = sheet.new(*((11.0, 4.8) if several else (6.4, 5.6)), found.title)
    grid = made.add_gridspec(1, 2 if several else 1)
    _draw(mechanism_axis(made, grid[0], found.result.drawing), found)
    if several:
        _over_time(made.add_subplot(grid[1]), found)


def _draw(axis: Any, found: Ellipsoid) -> None:
    samples = np.unique(np.linspace(0, len(found) - 1, SHOWN).round().astype(int)) if len(found) > 1 else np.array([0])
    drawing = found.result.drawing
    for i in samples:
        draw_still(axis, drawing, poses_at(found.result, float(found.time[i])), shade=1.0 if len(samples) == 1 else 0.3)
    finite = found.semi_axes[np.isfinite(found.semi_axes)]
    largest = float(np.max(finite, initial=0.0)) or 1.0
    scale = SHARE * _size(axis) / largest
    for i in samples:
        _draw_one(axis, found, int(i), scale, 3.0 * largest)
    if len(found) > 1:
        axis.plot(*found.places.T, color="0.4", linewidth=0.8, linestyle=":")
    axis.set_title(f"{1.0 / scale:.3g} {found.unit} is drawn as 1 m", fontsize="small")


def _draw_one(axis: Any, found: Ellipsoid, i: int, scale: float, endless: float) -> None:
    """One ellipsoid; endless semi-axes are drawn as long as *endless*."""
    sizes = scale * np.where(np.isinf(found.semi_axes[i]), endless, found.semi_axes[i])
    middle = found.places[i] + scale * found.centres[i]
    axes = found.directions[i] * sizes
    turn = np.linspace(0.0, 2 * np.pi, 73)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    planes = [(0, 1)] if len(sizes) == 2 else [(0, 1), (0, 2), (1, 2)]
    for pair in planes:
        ring = middle + circle @ axes[:, pair].T
        if len(sizes) == 2:
            axis.fill(*ring.T, color=COLOUR, alpha=0.25, linewidth=0, zorder=5)
        axis.plot(*ring.T, color=COLOUR, linewidth=1.2, zorder=5)
    for end in axes.T:
        axis.plot(*np.array([middle - end, middle + end]).T, color=COLOUR, linewidth=0.8, zorder=5)
    if np.any(found.centres[i]):
        axis.plot(*np.array([found.places[i], middle]).T, color="0.3", linewidth=1.0, zorder=6)


def _size(axis: Any) -> float:
    limits: list[Array] = [np.asarray(axis.get_xlim()), np.asarray(axis.get_ylim())]
    return float(max(np.ptp(limit) for limit in limits))


def _over_time(axis: Any, found: Ellipsoid) -> None:
    for i, sizes in enumerate(found.semi_axes.T):
        axis.plot(found.time, np.where(np.isinf(sizes), np.nan, sizes), color=SERIES[i], label=f"semi-axis {i + 1}")
    finish(axis, found.result.variable.label, f"semi-axes [{found.unit}]")
    axis.set_ylim(0.0, None)
    axis.margins(x=0.0)
    other = axis.twinx()
    known = np.isfinite(found.condition)
    other.plot(found.time, np.where(known, found.condition, np.nan), color="0.5", linestyle="--")
    wide = np.any(known) and np.max(found.condition[known]) > WIDE * np.min(found.condition[known])
    other.set(ylabel="condition (dashed)", yscale="log" if wide else "linear")
