"""The room that bodies take: distances over time, swept regions, and the mechanism in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from linkwork.numerics.geometry.convex import hull_of
from linkwork.results.courses import courses_of
from linkwork.results.envelope import Envelope
from linkwork.results.interference import Interference
from linkwork.results.result import Result
from linkwork.views.figures import TITLE, Sheet, figure, finish, literal, mechanism_axis
from linkwork.views.palette import SERIES
from linkwork.views.still import draw_still, poses_at

MOST = 8  # pairs that are drawn
POSES = 5  # of a mechanism in the region that it sweeps
ALARM = "#b91c1c"


@figure
def plot_interference(sheet: Sheet, found: Interference) -> None:
    """Draw the distances over time and the mechanism where two bodies are nearest."""
    grid = sheet.new(11.0, 4.6).add_gridspec(1, 2, width_ratios=(1.3, 1.0))
    over = sheet.figure.add_subplot(grid[0])
    for i, pair in enumerate(found.pairs[:MOST]):
        over.plot(found.time, pair.distances, color=SERIES[i % len(SERIES)], label=literal(pair.name))
        over.plot([pair.at], [pair.least], "o", color=SERIES[i % len(SERIES)], markersize=4)
        for contact in pair.contacts:
            over.axvspan(contact.start, contact.end, color=ALARM, alpha=0.10, linewidth=0)
    over.axhline(found.clearance, color=ALARM, linewidth=0.9, linestyle=(0, (4, 3)))
    finish(over, found.result.variable.label, "distance [m]")
    over.margins(x=0.0)
    over.set_title(literal(found.name), loc="left", **TITLE)
    picture = mechanism_axis(sheet.figure, grid[1], found.result.drawing)
    nearest = found.least
    draw_still(picture, found.result.drawing, poses_at(found.result, nearest.at))
    for name in found.result.drawing.bodies:
        _draw_room(picture, found.result, name, nearest.at)
    picture.plot(*np.array(nearest.places).T, "o-", color=ALARM, markersize=3.5, linewidth=1.2, zorder=6)
    where = f"{nearest.name}: {nearest.least:.4g} m at {nearest.at:.4g} {found.result.variable.unit}"
    picture.set_title(literal(where), fontsize="small")


def _draw_room(axis: Any, result: Result, body: str, time: float) -> None:
    """The pieces of a body in the plane at a time."""
    if result.drawing.space != "planar":
        return
    index = list(result.drawing.bodies).index(body)
    poses = courses_of(result, [body])[body].at(np.array([time]))
    for piece in result.drawing.bodies[body].pieces:
        ring = rounded(np.asarray(piece.corners), piece.radius)
        if len(ring) > 2:
            places = poses.points(ring)[0]
            axis.fill(*places.T, color=SERIES[index % len(SERIES)], alpha=0.22, linewidth=0, zorder=1)


def rounded(corners: np.ndarray, radius: float, sides: int = 48) -> np.ndarray:
    """The outline of a convex piece of the plane (n, 2), with arcs as polygons."""
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    circle = radius * np.column_stack([np.cos(turn), np.sin(turn)]) if radius > 0 else np.zeros((1, 2))
    return hull_of((corners[:, None, :] + circle[None, :, :]).reshape(-1, 2)).corners


@figure
def plot_envelope(sheet: Sheet, found: Envelope) -> None:
    """Draw the swept region with the mechanism in some of its poses."""
    drawing = found.result.drawing
    axis = sheet.one(7.0, 6.0, found.title, drawing)
    if drawing.space == "planar":
        _fill_rings(axis, found)
    elif found.hull_content > 0.0:
        faces = ConvexHull(found.hull).simplices
        axis.plot_trisurf(*found.hull.T, triangles=faces, color=SERIES[4], alpha=0.25, linewidth=0)
    times = found.result.time
    for i in np.unique(np.linspace(0, len(times) - 1, POSES).round().astype(int)):
        draw_still(axis, drawing, poses_at(found.result, float(times[i])), shade=1.0 if i == 0 else 0.25)


def _fill_rings(axis: Any, found: Envelope) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Line

    if not found.outlines:
        return
    rings = [Line(np.vstack([ring, ring[:1]]), closed=True) for ring in found.outlines]
    patch = PathPatch(Line.make_compound_path(*rings), facecolor=SERIES[4], edgecolor=SERIES[0], alpha=0.45, zorder=2.5)
    axis.add_patch(patch)
    axis.update_datalim(found.hull)
