"""A mechanism standing still, drawn on an axis of matplotlib as on the animated page; films are made of such pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.geometry.distances import PoseSamples
from linkwork.position.geometry import Pose
from linkwork.results.courses import courses_of
from linkwork.results.drawing import GROUND, Drawing, JointDrawing, SpringDrawing, StopDrawing
from linkwork.results.result import Result
from linkwork.topology.modes.modes import FoundMode
from linkwork.views.backdrop import SLIDING, SLOTTED, Backdrop, body_poses, has_rates, pose_samples, standing
from linkwork.views.palette import SERIES
from linkwork.views.picture import Picture
from linkwork.views.symbols import BAR, GUIDE, INK, JOINT, PAPER, SHADOW, SLOT, STEEL, Brush, circle, mixed

PLANE = 0.6  # half of what is seen of a plane, beside the size of the mechanism
MARGIN = 0.15  # round a mechanism, beside its box
# half the length and the diameter of what turns or slides about an axis in space, in widths of a link
BARRELS = {kind: (1.5, 1.25) for kind in SLIDING} | {"planar": (0.2, 2.6), "parallel": (0.12, 1.8)}
PIN, CENTRED = (0.95, 1.05), ("spherical", "universal", "constant_velocity", "point_on_line", "point_on_plane")


def draw_still(
    axis: Any,
    drawing: Drawing,
    poses: Mapping[str, Pose],
    *,
    shade: float = 1.0,
    backdrop: Backdrop | None = None,
) -> None:
    """Draw the mechanism, and name the axes; *shade* less than 1 makes it pale.

    backdrop: of the motion that it stands in, by default of this position alone
    """
    draw_mechanism(axis, picture_of(drawing, poses), shade=shade, backdrop=backdrop)
    axis.set(**{f"{name}label": f"{name} [m]" for name in "xyz"[: drawing.dimension]})
    axis.set_aspect("equal")
    axis.margins(MARGIN)
    axis.tick_params(labelsize="x-small")


def picture_of(drawing: Drawing, poses: Mapping[str, Pose]) -> Picture:
    """A mechanism in given poses."""
    return Picture(drawing, FoundMode({}, {}, poses, 0.0))


def draw_mechanism(axis: Any, picture: Picture, *, shade: float = 1.0, backdrop: Backdrop | None = None) -> None:
    """Draw what stands, then springs, bodies, ropes and joints."""
    backdrop = backdrop or standing(picture)
    brush, drawing = _brush(axis, picture, backdrop, shade), picture.drawing
    draw_joint = _draw_pin if brush.frame is None else _draw_bearing
    _draw_ground(brush, picture, backdrop)
    for joint in drawing.joints:
        if joint.name in backdrop.guides:
            _draw_guide(brush, picture, joint, backdrop.guides[joint.name])
    _draw_planes(brush, picture, backdrop)
    for spring in drawing.springs:
        _draw_spring(brush, picture, spring, backdrop)
    for name in drawing.bodies:
        _draw_body(brush, picture, name, _colour(picture, name))
    for item in drawing.strings:
        stops = np.array([picture.place(body, point) for body, point in item.stops])
        if item.name in backdrop.cylinders:
            brush.strut(stops[[0, -1]], backdrop.cylinders[item.name], brush.order(SLOT + 0.1, stops))
            continue
        for colour, width in ((PAPER, 3.2), (mixed(STEEL, INK, 0.45), 1.6)):
            brush.line(stops, colour, width, brush.order(SLOT + 0.1, stops))
    # slides first: a pin in a block lies on it
    for joint in sorted(drawing.joints, key=lambda joint: joint.kind not in SLIDING):
        draw_joint(brush, picture, joint)
    if brush.frame is None:
        for stop in drawing.stops:
            _draw_stop(brush, picture, stop)


def _brush(axis: Any, picture: Picture, backdrop: Backdrop, shade: float) -> Brush:
    """The brush for an axis, with the scale that it has, or will have when the mechanism fills it."""
    room = axis.get_window_extent()
    points = np.array([room.width, room.height]) * 72.0 / axis.figure.dpi
    if picture.drawing.space == "spatial":
        axis.computed_zorder = False
        frame = _eyes(axis, picture)
        return Brush(
            axis, backdrop.centre, backdrop.size, _scale(axis, backdrop, frame, float(min(points))), frame, shade
        )
    if axis.get_autoscale_on():
        span = np.maximum((1.0 + 2.0 * MARGIN) * (backdrop.high - backdrop.low), 0.1 * backdrop.size)
    else:
        span = np.abs(np.array([np.diff(axis.get_xlim())[0], np.diff(axis.get_ylim())[0]]))
    return Brush(axis, backdrop.centre, backdrop.size, float(np.min(points / span)), None, shade)


def _scale(axis: Any, backdrop: Backdrop, frame: Array, points: float) -> float:
    """Points of print for a metre in the middle of an axis in space that is *points* wide."""
    if axis.get_autoscale_on():
        return points / (1.2 * backdrop.size)
    from mpl_toolkits.mplot3d import proj3d

    ends = np.array([backdrop.centre, backdrop.centre + 0.1 * backdrop.size * frame[0]])
    flat = axis.transData.transform(np.column_stack(proj3d.proj_transform(*ends.T, axis.get_proj())[:2]))
    return float(np.linalg.norm(flat[1] - flat[0]) * 72.0 / axis.figure.dpi / (0.1 * backdrop.size))


def _eyes(axis: Any, picture: Picture) -> Array:
    """Directions (3 × 3) to the right, up and to the eye of an axis in space."""
    e, a = np.radians([axis.elev, axis.azim])
    right, eye = (
        np.array([-np.sin(a), np.cos(a), 0.0]),
        np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]),
    )
    return np.roll([right, np.cross(eye, right), eye], picture.drawing.upright - 2, axis=1)


# -- what stands -----------------------------------------------------------------------------------------------


def _draw_ground(brush: Brush, picture: Picture, backdrop: Backdrop) -> None:
    """Outlines of the ground, supports of its joints, in space with shadows on the floor."""
    outlines = picture.outlines(GROUND)
    if outlines:
        brush.lines(outlines, STEEL, 1.5, brush.order(GUIDE, np.vstack(outlines)))
    grounded = [
        joint for joint in picture.drawing.joints if GROUND in (joint.body, joint.parent) and joint.kind != "free"
    ]
    places = [picture.place(joint.body, joint.point) for joint in grounded]
    if brush.frame is None:
        for joint, place in zip(grounded, places, strict=True):
            if joint.kind not in SLIDING + SLOTTED:
                brush.support(place, _radius(brush))
        return
    up = picture.drawing.upright
    floor = backdrop.floor[up]
    if brush.shade >= 1.0:
        lines = [line.copy() for name in picture.drawing.bodies for line in picture.lines(name)]
        for line in lines:
            line[:, up] = floor
        brush.lines(lines, SHADOW, 0.8 * brush.width, 0.5)
    for place in places:
        _draw_stand(brush, place, up, floor, hangs=bool(place[up] > backdrop.centre[up]))


def _draw_planes(brush: Brush, picture: Picture, backdrop: Backdrop) -> None:
    """What is solid below a plane, as a hatched line; in space a square of it below the mechanism."""
    half = PLANE * backdrop.size
    for plane in picture.drawing.planes:
        at = picture.place(plane.body, plane.point)
        n = picture.place(plane.body, tuple(np.add(plane.point, plane.normal))) - at
        foot = backdrop.centre - np.dot(backdrop.centre - at, n) * n
        if brush.frame is None:
            along = half * np.array([n[1], -n[0]])
            brush.wall(np.array([foot - along, foot + along]), 0.36 * brush.width, brush.order(GUIDE, foot))
            continue
        across = half * np.linalg.svd(n[None])[2][1:]
        ring = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)])
        brush.line(foot + ring @ across, STEEL, 0.9, 0.4)


def _draw_stop(brush: Brush, picture: Picture, stop: StopDrawing) -> None:
    """A short wall that a slider meets, or that a link lies along, in the plane; hatched where nothing can go."""
    at = picture.place(stop.body, stop.point)
    u, w = picture.place(stop.body, tuple(np.add(stop.point, stop.direction))) - at, brush.metres(brush.width)
    aside = np.array([u[1], -u[0]])
    if not stop.turns:
        ends = at + 1.1 * w * u + np.outer((0.8 * w, -0.8 * w), aside)
    elif stop.condition.endswith("upper"):
        ends = at - 0.58 * w * aside + np.outer((2.6 * w, 1.1 * w), u)
    else:
        ends = at + 0.58 * w * aside + np.outer((1.1 * w, 2.6 * w), u)
    brush.wall(ends, 0.3 * brush.width, brush.order(JOINT, at))


def _draw_stand(brush: Brush, place: Array, up: int, floor: float, *, hangs: bool) -> None:
    """A stand from a joint of the ground down to the floor, or a bracket above it where the mechanism hangs below."""
    assert brush.frame is not None
    foot = place.copy()
    foot[up] = place[up] + 0.09 * brush.size if hangs else floor
    colour, ends = mixed(STEEL, PAPER, 0.45), np.array([foot, place])
    order = brush.order(GUIDE, ends)
    brush.line(ends, colour, max(0.28 * brush.width, 1.5), order)
    brush.mark(
        foot, 0.9 * brush.width * circle() * (1.0, abs(brush.frame[2][up]) + 0.05), order, face=colour, edge=STEEL
    )


def _draw_guide(brush: Brush, picture: Picture, joint: JointDrawing, local: Array) -> None:
    """What a joint slides along: a hatched wall of the ground, a rod of another body, or a slot."""
    ends, w = np.array([picture.place(joint.parent, end) for end in local]), brush.width
    axis = picture.axis(joint)
    if joint.kind in SLIDING and axis is not None:
        pad = (0.05 * brush.size if brush.frame is not None else brush.metres(1.4 * w)) * axis
        ends = ends + np.array([-pad, pad])
    order = brush.order(GUIDE, ends)
    colour = mixed(_colour(picture, joint.parent), INK, 0.2 if joint.parent != GROUND else 0.0)
    if joint.kind in SLOTTED and brush.frame is None:
        for shade, width in ((colour, 1.25 * w), (PAPER, 0.85 * w)):
            brush.line(ends, shade, width, brush.order(SLOT, ends))
    elif brush.frame is not None or joint.parent != GROUND:
        brush.line(ends, colour, 0.3 * w, order)
    else:
        # the wall lies below the slider, or left of it where it runs upright
        if (ends[0][0], -ends[0][1]) > (ends[1][0], -ends[1][1]):
            ends = ends[::-1]
        u = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-300)
        brush.wall(ends + brush.metres(0.72 * w) * np.array([u[1], -u[0]]), 0.36 * w, order)


# -- what moves ------------------------------------------------------------------------------------------------


def _draw_spring(brush: Brush, picture: Picture, spring: SpringDrawing, backdrop: Backdrop) -> None:
    ends = np.array([picture.place(body, point) for body, point in spring.ends])
    for (body, _), end in zip(spring.ends, ends, strict=True):
        if body == GROUND and brush.frame is None:
            half = np.array([brush.metres(0.6 * brush.width), 0.0])
            brush.wall(np.array([end - half, end + half]), 0.36 * brush.width, brush.order(GUIDE, end))
    if spring.name in backdrop.cylinders:
        brush.strut(ends, backdrop.cylinders[spring.name], brush.order(SLOT + 0.1, ends))
    else:
        brush.spring(ends, brush.order(BAR - 0.1, ends))


def _draw_body(brush: Brush, picture: Picture, name: str, colour: str) -> None:
    """Its plate or its bars, with the edges of its shapes; a ball at an end that carries no joint."""
    corners, lines, plate = picture.corners(name), picture.lines(name), picture.plate(name)
    for line in picture.stays(name):
        brush.link(line, colour, 0.45 * brush.width, brush.order(BAR, line))
    if plate is not None:
        brush.plate(plate, colour, 0.8 * brush.width, brush.order(BAR, plate))
    for line in lines if plate is None else ():
        brush.link(line, colour, brush.width, brush.order(BAR, line))
    outlines = picture.outlines(name)
    if outlines:
        brush.lines(outlines, mixed(colour, INK, 0.25), 0.9, brush.order(BAR + 0.05, np.vstack(outlines)))
    if brush.frame is not None:
        held = [picture.place(j.body, j.point) for j in picture.drawing.joints if name in (j.body, j.parent)]
        for corner in corners:
            if not any(np.linalg.norm(corner - place) < 1e-6 * brush.size for place in held):
                brush.ball(corner, 0.7 * brush.width, colour, brush.order(JOINT, corner, *lines[:1]))
    elif not lines and corners:
        brush.disc(corners[0], 0.75 * brush.width, brush.order(BAR, corners[0]), mixed(colour, PAPER, 0.42))


def _colour(picture: Picture, body: str) -> str:
    """Of a body, or of the ground."""
    return STEEL if body == GROUND else SERIES[list(picture.drawing.bodies).index(body) % len(SERIES)]


def _radius(brush: Brush) -> float:
    """Of a pin, in points."""
    return max(0.27 * brush.width, 1.4)


def _draw_pin(brush: Brush, picture: Picture, joint: JointDrawing) -> None:
    """A joint in the plane: a block that slides, a square, or a pin."""
    place, r, w = picture.place(joint.body, joint.point), _radius(brush), brush.width
    if joint.kind in SLIDING:
        axis, face = picture.axis(joint), mixed(_colour(picture, joint.body), PAPER, 0.42)
        brush.block(place, np.array([1.0, 0.0]) if axis is None else axis, 2.1 * w, 1.35 * w, face)
        brush.disc(place, 0.45 * r, brush.order(JOINT, place), INK, None)
    elif joint.kind == "fixed":
        brush.block(place, np.array([1.0, 0.0]), 2.2 * r, 2.2 * r, PAPER)
    elif joint.kind != "free":
        brush.disc(place, r, brush.order(JOINT, place), PAPER)


def _draw_bearing(brush: Brush, picture: Picture, joint: JointDrawing) -> None:
    """A joint in space: a barrel about its axis, a puck on a plane, or a ball."""
    if joint.kind == "free":
        return
    place, axis, w = picture.place(joint.body, joint.point), picture.axis(joint), brush.width
    links = [
        line for body in (joint.body, joint.parent) if body in picture.drawing.bodies for line in picture.lines(body)
    ]
    order = brush.order(JOINT, place, *links)
    if axis is None or joint.kind in CENTRED:
        brush.ball(place, 0.62 * w, STEEL, order)
        return
    long, wide = BARRELS.get(joint.kind, PIN)
    half = brush.metres(long * w) * axis / max(float(np.linalg.norm(axis)), 1e-300)
    brush.barrel(np.array([place - half, place + half]), wide * w, order)


def poses_at(result: Result, time: float) -> dict[str, Pose]:
    """Where the bodies of a result are at a time."""
    return {name: found[0] for name, found in poses_along(result, np.array([time])).items()}


def poses_along(result: Result, times: Array) -> dict[str, list[Pose]]:
    """Where the bodies of a result are at several times, by bodies; between samples smooth where it has their rates."""
    bodies = list(result.drawing.bodies)
    if has_rates(result):
        return {name: _poses(course.at(times)) for name, course in courses_of(result, bodies).items()}
    order = np.argsort(result.time, kind="stable")
    samples = {body: body_poses(result, body)[order].T for body in bodies}
    return {
        body: _poses(pose_samples(np.column_stack([np.interp(times, result.time[order], x) for x in columns])))
        for body, columns in samples.items()
    }


def _poses(samples: PoseSamples) -> list[Pose]:
    flat = samples.axes.shape[1] == 2
    return [
        Pose(origin, axes, float(np.arctan2(axes[1, 0], axes[0, 0])) if flat else None)
        for origin, axes in zip(samples.origin, samples.axes, strict=True)
    ]
