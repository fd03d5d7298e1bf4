"""Gaps of shapes whose corners and sides take turns: polygons, bars and arcs of the plane, and hulls on planes.

With the heights of a corner over the lines of all sides of a convex polygon, hᵢ = nᵢ · (c − vᵢ), the corner is outside where
the largest is positive, and on the polygon where it is zero. So it is a gap, of one pair of a corner and a side as long as
one side has the largest. Two polygons that have not overlapped touch with a corner first, of the one or of the other.

Corners that cannot touch together, as no side has both, are one place: that of the lowest of them. A box has two places on
a plane, and four in space. Which side and which corner it is are numbers (``Choosing``), others from the moment on at which
a corner has passed the end of a side, or another corner has become the lower one.

A ball is over a side, or about one of its ends: its gap is smooth across that, but what it takes to stay on it is not.
Polygons with round edges touch as their corners do with balls about them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.forms import ContactShape, Outline
from linkwork.elements.shapes.gaps import (
    Bend,
    ContactGap,
    FlatBend,
    Placed,
    apart,
    bar_and_ball,
    over_plane,
    plane_and_corners,
    polygon_and_ball,
    rounded,
)
from linkwork.errors import RefusedError

Choosing = Callable[[Sequence[ca.SX], Sequence[ca.SX]], ca.SX]
"""The number of the largest of some measures, from 0; of those that are alike, and change alike, by the second ones."""


def largest(measures: Sequence[ca.SX], _second: Sequence[ca.SX]) -> ca.SX:
    """The first of the largest, as it is now."""
    best, found = measures[0], ca.SX(0)
    for i, measure in enumerate(measures[1:], start=1):
        found = ca.if_else(measure > best, i, found)
        best = ca.fmax(measure, best)
    return found


def picked(number: ca.SX, values: Sequence[ca.SX]) -> ca.SX:
    """The value of a number, exactly."""
    found = values[0]
    for i, value in enumerate(values[1:], start=1):
        found = ca.if_else(ca.fabs(number - i) < 0.5, value, found)
    return found


def corner_places(form: Extent) -> list[list[int]]:
    """The corners of each place: of a polygon every other one, of a prism about a quadrangle those across its middle."""
    corners = form.corners
    dimension, count = corners.shape
    if dimension == 2 and count > 2:
        even = count - count % 2
        return [[*range(0, even, 2)], [*range(1, even, 2)], *([[count - 1]] if count % 2 else [])]
    if dimension == 3 and count == 8 and all(ca.is_equal(corners[:2, i], corners[:2, i + 4], 3) for i in range(4)):
        return [[i, 4 + (i + 2) % 4] for i in range(4)]
    return [[i] for i in range(count)]


def _form(placed: Placed) -> Extent:
    form = placed[1].form
    assert isinstance(form, Extent)
    return form


def _corners(placed: Placed) -> list[ca.SX]:
    """Its corners in the world."""
    frame, corners = placed[0], _form(placed).corners
    return [frame.point(corners[: frame.origin.numel(), i]) for i in range(corners.shape[1])]


# -- on planes -----------------------------------------------------------------------------------------------------------


def plane_and_hull(plane: Placed, hull: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """The lowest corner of every place."""
    if choose is None:
        return plane_and_corners(plane, hull)
    corners, form = _corners(hull), _form(hull)
    normal = plane[0].axis(plane[0].origin.numel() - 1)
    found = []
    for place in corner_places(form):
        own = [corners[i] for i in place]
        depths = [-ca.dot(normal, corner - plane[0].origin) for corner in own]
        found.append(over_plane(plane, picked(choose(depths, depths), own), ca.SX(form.radius)))
    return tuple(found)


# -- on each other -------------------------------------------------------------------------------------------------------


def two_polygons(one: Placed, other: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """All places of the first over the second, and then those of the second over the first."""
    if _sharp(one) and _sharp(other):
        there = _corners_over(other, one, choose)
        return (*(gap.flipped() for gap in there), *_corners_over(one, other, choose))
    there = _round_corners(other, one, choose)
    return (*(gap.flipped() for gap in there), *_round_corners(one, other, choose))


def polygon_and_point(polygon: Placed, point: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """That of a point, or of a ball about it."""
    if _sharp(polygon) and _sharp(point):
        return _corners_over(polygon, point, choose)
    if choose is None:
        return polygon_and_ball(polygon, point)
    return (_ball_over(polygon, point, choose),)


def bar_and_point(bar: Placed, point: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """That of a bar and a ball, whose foot is inside or at an end as long as nothing else is chosen."""
    if choose is None:
        return bar_and_ball(bar, point)
    (first, last), (centre,), r, s = _corners(bar), _corners(point), *(ca.SX(_form(x).radius) for x in (bar, point))
    along = last - first
    unit = along / ca.norm_2(along)
    part, foot = _foot(centre, (first, unit, ca.norm_2(along)), choose)
    bend = Bend(1 / r, ca.if_else(ca.fabs(part - 1) < 0.5, 0, 1 / r), unit)
    return (apart((foot, centre), (r, s), (bend, rounded(s))),)


def _ball_over(polygon: Placed, ball: Placed, choose: Choosing) -> ContactGap:
    """Over the highest of all sides, or about one of its ends, which is the same corner as that of the next side."""
    frame, (points, normals) = polygon[0], _sides(polygon)
    (centre,), r, s = _corners(ball), ca.SX(_form(polygon).radius), ca.SX(_form(ball).radius)
    local = frame.axes.T @ (centre - frame.origin)
    heights = [ca.dot(n, local - v) for v, n in zip(points, normals, strict=True)]
    side = choose(heights, heights)
    normal, first, last = picked(side, normals), picked(side, points), picked(side, [*points[1:], points[0]])
    unit = ca.vertcat(-normal[1], normal[0])
    unit = ca.if_else(ca.dot(unit, last - first) >= 0, unit, -unit)
    part, foot = _foot(local, (first, unit, ca.dot(unit, last - first)), choose)
    flat = ca.fabs(part - 1) < 0.5
    # from a corner by the distance, from a side by the height, which has a sign
    way = local - foot
    distance = ca.sqrt(ca.if_else(flat, 1, ca.dot(way, way)))
    height, along = ca.if_else(flat, ca.dot(normal, way), distance), ca.if_else(flat, normal, way / distance)
    n = frame.vector(along)
    place, bend = frame.point(foot), ca.if_else(flat, 0, 1 / r)
    ends = place + r * n, place + (height - s) * n
    return ContactGap(height - r - s, n, ends, (Bend(bend, bend), rounded(s)))


def _foot(place: ca.SX, side: tuple[ca.SX, ca.SX, ca.SX], choose: Choosing) -> tuple[ca.SX, ca.SX]:
    """The nearest place of a side (first point, direction, length): 0 at its first point, 2 at its last, 1 between."""
    first, unit, length = side
    along = ca.dot(unit, place - first)
    parts = [-along, ca.fmin(along, length - along), along - length]
    part = choose(parts, parts)
    return part, first + picked(part, [ca.SX(0), along, length]) * unit


def arc_and_point(arc: Placed, ball: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """± (|d| − R) − s with d from the centre of the arc; beyond its ends that of the nearer end, a sharp corner."""
    frame, form = arc[0], arc[1].form
    assert isinstance(form, Outline) and form.radius is not None
    (centre,), s, radius, out = _corners(ball), ca.SX(_form(ball).radius), ca.SX(form.radius), -form.side
    away = centre - frame.origin
    distance = ca.norm_2(away)
    normal, foot = out * away / distance, frame.origin + radius * away / distance
    if form.curve.closed:
        gap = out * (distance - radius) - s
        return (ContactGap(gap, normal, (foot, centre - s * normal), (rounded(out * radius), rounded(s))),)
    if s.is_zero():
        raise RefusedError(
            f"'{ball[1].name}' has no radius, and what is between it and an end of the arc '{arc[1].name}' has no "
            "direction; give it a radius"
        )
    first, last = form.curve.first, form.curve.last
    middle, ends = (
        frame.vector(_at_angle((first + last) / 2)),
        [frame.point(radius * _at_angle(u)) for u in (first, last)],
    )
    # what is below the arc by more than its own radius has gone in through the gap between the ends
    height = out * (distance - radius)
    inside = ca.fmin(ca.dot(middle, away) - ca.cos((last - first) / 2) * distance, height + s)
    after = middle[0] * away[1] - middle[1] * away[0]
    parts = [ca.fmin(-inside, -after), inside, ca.fmin(-inside, after)]
    part = (choose or largest)(parts, parts)
    between, end = ca.fabs(part - 1) < 0.5, ca.if_else(part > 1.5, ends[1], ends[0])
    off = ca.sqrt(ca.if_else(between, 1, ca.dot(centre - end, centre - end)))
    n = ca.if_else(between, normal, (centre - end) / off)
    gap = ca.if_else(between, height, off) - s
    bend = ca.if_else(between, out / radius, ca.SX.inf())
    points = ca.if_else(between, foot, end), centre - s * n
    return (ContactGap(gap, n, points, (Bend(bend, bend), rounded(s))),)


def _at_angle(angle: ca.SX) -> ca.SX:
    return ca.vertcat(ca.cos(angle), ca.sin(angle))


def _sharp(placed: Placed) -> bool:
    """Whether it is known to have no radius."""
    return bool(ca.SX(_form(placed).radius).is_zero())


def _corners_over(polygon: Placed, other: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """In the axes of the polygon; of sides with the same height that which keeps all of the other polygon off counts."""
    frame, (points, normals), world = polygon[0], _sides(polygon), _corners(other)
    local = [frame.axes.T @ (corner - frame.origin) for corner in world]
    heights = [[ca.dot(n, corner - v) for v, n in zip(points, normals, strict=True)] for corner in local]
    keeps, sharp = [reduce(ca.fmin, column) for column in zip(*heights, strict=True)], Bend(ca.SX.inf(), ca.SX.inf())
    found = []
    for place in corner_places(_form(other)) if choose is not None else [[i] for i in range(len(world))]:
        depths = [-reduce(ca.fmax, heights[i]) for i in place]
        lowest = (choose or largest)(depths, depths)
        own = [picked(lowest, column) for column in zip(*(heights[i] for i in place), strict=True)]
        side, corner = (choose or largest)(own, keeps), picked(lowest, [world[i] for i in place])
        height, normal = picked(side, own), frame.vector(picked(side, normals))
        found.append(ContactGap(height, normal, (corner - height * normal, corner), (FlatBend, sharp)))
    return tuple(found)


def _sides(polygon: Placed) -> tuple[list[ca.SX], list[ca.SX]]:
    """The first points of the sides, and their outward normals, in its own axes."""
    corners = _form(polygon).corners
    count = corners.shape[1]
    if count < 3:
        raise RefusedError(
            f"'{polygon[1].name}' has no thickness, and which side of it is touched by corners and points is not known in "
            "runs with events; give it a radius, or take a thin box"
        )
    ring = [corners[:2, i] for i in range(count)]
    ways = [b - a for a, b in pairwise([*ring, ring[0]])]
    twice = sum((a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*ring, ring[0]])), ca.SX(0))
    return ring, [ca.sign(twice) * ca.vertcat(way[1], -way[0]) / ca.norm_2(way) for way in ways]


def _round_corners(polygon: Placed, other: Placed, choose: Choosing | None) -> tuple[ContactGap, ...]:
    """Those of the balls about all corners of the other."""
    frame, shape = other
    gap = bar_and_point if _form(polygon).corners.shape[1] == 2 else polygon_and_point
    balls = [_ball(frame, shape, i) for i in range(_form(other).corners.shape[1])]
    return tuple(found for ball in balls for found in gap(polygon, ball, choose))


def _ball(frame: Frame, shape: ContactShape, i: int) -> Placed:
    """The ball about a corner."""
    assert isinstance(shape.form, Extent)
    return frame, replace(shape, form=Extent(shape.form.corners[:, i], shape.form.radius))
