"""A mechanism standing still, drawn on an axis of matplotlib: bodies, springs and joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.numerics.geometry.distances import PoseSamples
from linkwork.position.geometry import Pose
from linkwork.results.courses import courses_of
from linkwork.results.drawing import Drawing
from linkwork.results.result import Result
from linkwork.topology.modes.modes import FoundMode
from linkwork.views.palette import SERIES
from linkwork.views.picture import Picture

INK, GREY = "#1f2937", "#6b7280"


def draw_still(axis: Any, drawing: Drawing, poses: Mapping[str, Pose], *, shade: float = 1.0) -> None:
    """Draw the bodies in their colours, with springs and joints; *shade* less than 1 makes them pale."""
    picture = Picture(drawing, FoundMode({}, {}, poses, 0.0))
    for i, name in enumerate(drawing.bodies):
        look = {"color": SERIES[i % len(SERIES)], "alpha": shade, "zorder": 3}
        for line in picture.lines(name):
            axis.plot(*line.T, linewidth=2.4, solid_capstyle="round", **look)
        for corner in picture.corners(name):
            axis.plot(*corner[:, None], ".", markersize=4, **look)
    draw_springs(axis, picture, shade)
    for joint in drawing.joints:
        place = picture.place(joint.body, joint.point)[:, None]
        axis.plot(*place, "o", color=INK, markerfacecolor="white", markersize=4.5, alpha=shade, zorder=4)
    axis.set(**{f"{name}label": f"{name} [m]" for name in "xyz"[: drawing.dimension]})
    axis.set_aspect("equal")
    axis.margins(0.15)
    axis.tick_params(labelsize="x-small")


def draw_springs(axis: Any, picture: Picture, shade: float = 1.0) -> None:
    """The springs as dashed lines."""
    for spring in picture.drawing.springs:
        ends = np.array([picture.place(body, point) for body, point in spring.ends])
        axis.plot(*ends.T, color=GREY, linewidth=1.0, linestyle=(0, (2, 1.5)), alpha=shade, zorder=2)


def poses_at(result: Result, time: float) -> dict[str, Pose]:
    """Where the bodies of a result are at a time."""
    courses = courses_of(result, list(result.drawing.bodies))
    return {name: _pose(course.at(np.array([time]))) for name, course in courses.items()}


def _pose(poses: PoseSamples) -> Pose:
    axes = poses.axes[0]
    return Pose(poses.origin[0], axes, float(np.arctan2(axes[1, 0], axes[0, 0])) if len(axes) == 2 else None)
