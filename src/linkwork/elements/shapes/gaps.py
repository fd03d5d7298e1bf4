"""Gaps of pairs of shapes as expressions, for pairs whose gap is smooth where they touch.

A gap is the distance of two surfaces along their normal n, from the first shape to the second, negative where they overlap.
With the nearest points a and b, which move with their bodies, its derivative is n · (ẋ_b − ẋ_a), the velocities of the
material points there: where the points wander over the surfaces they do so across n. So gradients of these expressions are
those of the contact. What is chosen on the way, such as the foot on a segment or its end, is chosen by selectors without
branches, and the gap has a continuous derivative across them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.forms import ContactShape, Turned

FLAT = 1e-12  # square of the sine below which a turned shape stands upright
ALONG = 1e-12  # square of the sine between a normal and that of a side that are the same


@dataclass(frozen=True, eq=False)
class Bend:
    """The principal curvatures (1/m) of a surface at a contact: across and along a direction (d); without one in all alike.

    That of a sharp edge is infinite.
    """

    across: ca.SX
    along: ca.SX
    direction: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class ContactGap:
    """A gap (1), its normal (d) from the first shape to the second, and the nearest points of both (d), world axes."""

    gap: ca.SX
    normal: ca.SX
    points: tuple[ca.SX, ca.SX]
    bends: tuple[Bend, Bend]

    def flipped(self) -> ContactGap:
        """With both shapes exchanged."""
        return ContactGap(self.gap, -self.normal, self.points[::-1], self.bends[::-1])


FlatBend = Bend(ca.SX(0), ca.SX(0))
Placed = tuple[Frame, ContactShape]


def _along_normal(
    normal: ca.SX, points: tuple[ca.SX, ca.SX], radii: tuple[ca.SX, ca.SX], bends: tuple[Bend, Bend]
) -> ContactGap:
    """The gap of two places of cores with radii round them."""
    apart = ca.dot(normal, points[1] - points[0])
    ends = points[0] + radii[0] * normal, points[1] - radii[1] * normal
    return ContactGap(apart - radii[0] - radii[1], normal, ends, bends)


def rounded(radius: ca.SX | float, direction: ca.SX | None = None) -> Bend:
    """That of a ball, or of a cylinder along a direction."""
    across = 1 / ca.SX(radius)
    return Bend(across, across if direction is None else ca.SX(0), direction)


def _extent(placed: Placed) -> tuple[ca.SX, ca.SX]:
    """Corners in the world (d × n) and the radius."""
    frame, shape = placed
    assert isinstance(shape.form, Extent)
    corners = [frame.point(shape.form.corners[: frame.origin.numel(), i]) for i in range(shape.form.corners.shape[1])]
    return ca.horzcat(*corners), ca.SX(shape.form.radius)


# -- planes -----------------------------------------------------------------------------------------------------------


def plane_and_corners(plane: Placed, other: Placed) -> tuple[ContactGap, ...]:
    """n · (c − o) − r of every corner c."""
    frame, normal = plane[0], plane[0].axis(plane[0].origin.numel() - 1)
    corners, radius = _extent(other)
    direction = None
    if corners.shape[1] == 2:
        along = corners[:, 1] - corners[:, 0]
        direction = along / ca.norm_2(along)
    return tuple(_over(frame, normal, corners[:, i], radius, direction) for i in range(corners.shape[1]))


def over_plane(plane: Placed, place: ca.SX, radius: ca.SX) -> ContactGap:
    """That of a ball about a place."""
    return _over(plane[0], plane[0].axis(plane[0].origin.numel() - 1), place, radius, None)


def _over(frame: Frame, normal: ca.SX, place: ca.SX, radius: ca.SX, direction: ca.SX | None) -> ContactGap:
    foot = place - ca.dot(normal, place - frame.origin) * normal
    return _along_normal(normal, (foot, place), (ca.SX(0), radius), (FlatBend, rounded(radius, direction)))


def plane_and_turned(plane: Placed, other: Placed) -> tuple[ContactGap, ...]:
    """The lowest points of both rims: c − ρ (n − (n·a) a)/s with s = |n × a|.

    Where the axis a stands along n, all points of a rim are equally low and s has no derivative: there it counts as FLAT.
    Curvatures are those of a cylinder that lies; its rims are sharp.
    """
    frame, normal = plane[0], plane[0].axis(plane[0].origin.numel() - 1)
    form = other[1].form
    assert isinstance(form, Turned)
    axis = other[0].axis("xyz".index(form.axis))
    down = ca.dot(normal, axis) * axis - normal
    down /= ca.sqrt(ca.fmax(ca.dot(down, down), FLAT))
    found = []
    for height, rho in form.stations:
        gap = _over(frame, normal, other[0].origin + height * axis + rho * down, ca.SX(form.radius), None)
        found.append(replace(gap, bends=(FlatBend, rounded(rho + form.radius, axis))))
    return tuple(found)


# -- balls ------------------------------------------------------------------------------------------------------------


def two_balls(one: Placed, other: Placed) -> tuple[ContactGap, ...]:
    """|b − a| − r − s."""
    (a, r), (b, s) = _extent(one), _extent(other)
    return (apart((a, b), (r, s), (rounded(r), rounded(s))),)


def apart(places: tuple[ca.SX, ca.SX], radii: tuple[ca.SX, ca.SX], bends: tuple[Bend, Bend]) -> ContactGap:
    along = places[1] - places[0]
    distance = ca.norm_2(along)
    return _along_normal(along / distance, places, radii, bends)


def bar_and_ball(bar: Placed, ball: Placed) -> tuple[ContactGap, ...]:
    """The distance from the foot p + u d on the bar, u = (c − p)·d/d·d between 0 and 1."""
    (ends, r), (centre, s) = _extent(bar), _extent(ball)
    along = ends[:, 1] - ends[:, 0]
    squared = ca.dot(along, along)
    u = ca.fmin(ca.fmax(ca.dot(centre - ends[:, 0], along) / squared, 0), 1)
    at_end = ca.logic_or(u <= 0, u >= 1)
    bend = Bend(1 / r, ca.if_else(at_end, 1 / r, 0), along / ca.sqrt(squared))
    return (apart((ends[:, 0] + u * along, centre), (r, s), (bend, rounded(s))),)


def polygon_and_ball(polygon: Placed, ball: Placed) -> tuple[ContactGap, ...]:
    """The signed distance of a point from a convex polygon: beyond it that of the nearest side, inside that of its line."""
    (corners, r), (centre, s) = _extent(polygon), _extent(ball)
    count = corners.shape[1]
    ring = [corners[:, i] for i in range(count)]
    twice = sum((_cross(ring[i], ring[(i + 1) % count]) for i in range(count)), ca.SX(0))
    nearest = deepest = None
    for i in range(count):
        along = ring[(i + 1) % count] - ring[i]
        outward = ca.sign(twice) * ca.vertcat(along[1], -along[0]) / ca.norm_2(along)
        u = ca.dot(centre - ring[i], along) / ca.dot(along, along)
        foot = ring[i] + ca.fmin(ca.fmax(u, 0), 1) * along
        away, height = ca.dot(centre - foot, centre - foot), ca.dot(outward, centre - ring[i])
        nearest = _chosen(nearest, (away, foot), lambda new, old: new < old)
        deepest = _chosen(deepest, (height, outward), lambda new, old: new > old)
    assert nearest is not None and deepest is not None
    (away, foot), (height, outward) = nearest, deepest
    inside = height <= 0
    # the foot is a corner where it is not straight below
    at_corner = ca.logic_and(ca.logic_not(inside), away > (1 + ALONG) * height**2)
    bend = ca.if_else(at_corner, 1 / r, 0)
    # the other side of a selector must not divide by zero
    distance = ca.sqrt(ca.if_else(inside, 1, away))
    normal = ca.if_else(inside, outward, (centre - foot) / distance)
    place = ca.if_else(inside, centre - height * outward, foot)
    return (_along_normal(normal, (place, centre), (r, s), (Bend(bend, bend), rounded(s))),)


_Candidate = tuple[ca.SX, ca.SX]


def _chosen(old: _Candidate | None, new: _Candidate, better: Callable[[ca.SX, ca.SX], ca.SX]) -> _Candidate:
    if old is None:
        return new
    take = better(new[0], old[0])
    return ca.if_else(take, new[0], old[0]), ca.if_else(take, new[1], old[1])


def _cross(a: ca.SX, b: ca.SX) -> ca.SX:
    return a[0] * b[1] - a[1] * b[0]
