"""Paths of points with the mechanism that draws them: coupler curves, centrodes, instant centres, osculating circles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.answer import Column, Units
from linkwork.errors import RefusedError
from linkwork.results.equivalent_linkage import EquivalentLinkage
from linkwork.results.measures import Centrodes, centrodes
from linkwork.results.outcome import refuse_without_samples
from linkwork.results.point_paths import Array, PointPath, point_path
from linkwork.results.result import Result
from linkwork.results.sketch import draw
from linkwork.views.backdrop import backdrop_of
from linkwork.views.figures import SMALL, Sheet, figure, literal, make_room, show_lengths
from linkwork.views.palette import SERIES
from linkwork.views.still import draw_still, poses_at

FIXED, MOVING = "#6b7280", "#7c3aed"
FAR = 1.6  # sizes of the picture within which an instant centre makes it larger


def draw_paths(
    sheet: Sheet,
    result: Result,
    *points: str,
    time: Scalar | None = None,
    body: str | None = None,
    circle: bool = False,
    dashes: int = 0,
    units: Units | None = None,
) -> None:
    """Draw the paths of points, and the mechanism at a time.

    time: by default the first one; body: whose centrodes and instant centre are drawn (in the plane); circle: the
    circle of curvature of every point at this time; dashes: samples of one dash, so that dashes are long where it is fast;
    units: of a place by its name or a pattern; all axes have the same
    """
    refuse_without_samples(result.name, len(result), result.outcome)
    unit = _length_unit(result, units)
    i = _sample(result, time)
    title = f"{result.name} at {result.time[i]:.4g} {result.variable.unit}".rstrip()
    axis = sheet.one(7.0, 5.6, title, result.drawing)
    draw_still(axis, result.drawing, poses_at(result, float(result.time[i])), backdrop=backdrop_of(result))
    found = [point_path(result, name) for name in points]
    colours = [SERIES[(k + len(result.drawing.bodies)) % len(SERIES)] for k in range(len(points))]
    for item, colour in zip(found, colours, strict=True):
        draw_path(axis, item.places, dashes, color=colour, linewidth=1.5, label=literal(item.point))
        axis.plot(*item.places[i][:, None], "o", color=colour, markersize=5, zorder=6)
    box = np.array([getattr(axis, f"get_{name}lim")() for name in "xyz"[: result.drawing.dimension]])
    if body is not None:
        box = _draw_centrodes(axis, result, body, i, box)
    for item, colour in zip(found, colours, strict=True):
        if circle:
            _draw_circle(axis, item, i, colour)
    # circles and centrodes go on beyond the picture
    for name, limits in zip("xyz", box if circle or body is not None else (), strict=False):
        getattr(axis, f"set_{name}lim")(*limits)
    if unit:
        show_lengths(axis, unit, result.drawing.dimension)
    if result.drawing.space == "spatial":
        make_room(axis)
    if points or body is not None:
        axis.legend(**SMALL)


plot_paths = figure(draw_paths)


def _length_unit(result: Result, units: Units | None) -> str:
    """The one unit of length of all axes; empty for that of SI."""
    columns = [] if not units else result.shown(list(units) if isinstance(units, Mapping) else [], units)[1:]
    for column in columns:
        Column(column.name, np.zeros(1), "m").shown_in(column.unit)
    asked = sorted({column.unit for column in columns})
    if len(asked) > 1:
        raise RefusedError(f"units: all axes of a path have one unit, such as 'mm', not {' and '.join(asked)}")
    return asked[0] if asked else ""


@figure
def plot_path(sheet: Sheet, found: PointPath) -> None:
    """Draw one path with the mechanism that draws it."""
    if found.result is None:
        raise RefusedError(f"the path of {found.point} belongs to no result whose mechanism could be drawn")
    draw_paths(sheet, found.result, found.point)


@figure
def plot_centrodes(sheet: Sheet, found: Centrodes) -> None:
    """Draw both centrodes of a body as they touch at the first sample, with the mechanism."""
    draw_paths(sheet, found.result, body=found.body)


@figure
def plot_linkage(sheet: Sheet, found: EquivalentLinkage) -> None:
    """Draw the rods that stand for a wheel on its track, with the mechanism."""
    topology = found.topology
    drawing = draw(topology, topology.geometry.defaults)
    axis = sheet.one(6.4, 6.4, found.title, drawing)
    draw_still(axis, drawing, topology.assembly.poses, shade=0.45)
    for i, rod in enumerate(found.rods):
        look: dict[str, Any] = {"color": SERIES[(i + len(drawing.bodies)) % len(SERIES)], "zorder": 5}
        ends = np.array([rod.place] if rod.centre is None else [rod.place, rod.centre])
        axis.plot(*ends.T, "o-", linewidth=1.6, markersize=4.5, label=literal(str(rod)), **look)
    axis.plot(*found.contact[:, None], "D", color="black", markersize=5, zorder=6, label="contact")
    axis.legend(**SMALL)


def draw_path(axis: Any, places: Array, dashes: int = 0, **look: Any) -> None:
    """A path (N, d) as a line, or as dashes of so many samples."""
    if dashes <= 0:
        axis.plot(*places.T, **look)
        return
    label = look.pop("label", None)
    for k, first in enumerate(range(0, len(places) - 1, 2 * dashes)):
        axis.plot(*places[first : first + dashes + 1].T, label=label if k == 0 else None, **look)


def _sample(result: Result, time: Scalar | None) -> int:
    """The sample nearest to a time."""
    if time is None:
        return 0
    at = si(time, "time" if result.variable.is_time else "any")
    if not np.min(result.time) <= at <= np.max(result.time):
        raise RefusedError(
            f"time = {at:g}: the result goes from {result.time[0]:g} to {result.time[-1]:g} {result.variable.unit}"
        )
    return int(np.argmin(np.abs(result.time - at)))


def _draw_circle(axis: Any, found: PointPath, i: int, colour: str) -> None:
    """The circle of curvature at a sample, where the path is no straight line."""
    centre, radius = found.centre[i], float(found.radius[i])
    if not np.all(np.isfinite(centre)):
        return
    turn = np.linspace(0.0, 2 * np.pi, 181)[:, None]
    ring = centre + radius * (np.cos(turn) * found.normal[i] + np.sin(turn) * found.tangent[i])
    axis.plot(*ring.T, color=colour, linewidth=0.9, linestyle=(0, (4, 2)), zorder=2)
    axis.plot(*centre[:, None], "+", color=colour, markersize=8, zorder=6)
    axis.plot(*np.array([centre, found.places[i]]).T, color=colour, linewidth=0.7, zorder=2)


def _draw_centrodes(axis: Any, result: Result, body: str, i: int, box: Array) -> Array:
    """Both centrodes as they are at a sample, where they touch; returns the box (2 × 2) with the instant centre."""
    found = centrodes(result, body)
    angle = float(result[f"{body}.angle"][i])
    c, s = np.cos(angle), np.sin(angle)
    origin = np.array([result[f"{body}.origin.x"][i], result[f"{body}.origin.y"][i]])
    rolled = origin + found.moving @ np.array([[c, s], [-s, c]])
    centre, middle, size = found.fixed[i], box.mean(axis=1), float(np.ptp(box, axis=1).max())
    if np.all(np.abs(centre - middle) < FAR * size):
        room = 0.06 * size
        box = np.column_stack([np.minimum(box[:, 0], centre - room), np.maximum(box[:, 1], centre + room)])
        look: dict[str, Any] = {"color": "black", "markersize": 5, "zorder": 6}
        axis.plot(*centre[:, None], "D", label=literal(f"instant centre of {body}"), **look)
    for places, colour, label in ((found.fixed, FIXED, "fixed centrode"), (rolled, MOVING, "moving centrode")):
        # lines through the infinite are cut where they leave the surroundings
        near = np.all(np.abs(places - box.mean(axis=1)) < 3 * np.ptp(box, axis=1).max(), axis=1)
        axis.plot(*np.where(near[:, None], places, np.nan).T, color=colour, linewidth=1.3, label=label, zorder=2)
    return box
