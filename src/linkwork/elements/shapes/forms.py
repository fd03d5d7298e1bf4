"""What may touch: hulls with round edges (``Extent``), turned shapes, planes, fields of heights and curves of the plane."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Frames
from linkwork.elements.curves import BodyCurve
from linkwork.elements.extents import Extent, turned_solid

Stations = tuple[tuple[ca.SX | float, ca.SX | float], tuple[ca.SX | float, ca.SX | float]]
"""Height and radius of both ends, from below up."""


@dataclass(frozen=True, eq=False)
class Turned:
    """A cylinder, or the frustum of a cone, about a local axis in space; all places at most *radius* away count too."""

    axis: str
    stations: Stations
    radius: ca.SX | float = 0.0


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """All that is below a plane through the origin: its normal is the local z axis, in the plane the local y axis."""


@dataclass(frozen=True, eq=False)
class HeightField:
    """Ground with heights (rows, columns) along z, over a grid about the origin with a spacing along x and y, m.

    Between four points it is two triangles, parted from the lowest x and y to the highest.
    """

    heights: Array
    spacing: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Outline:
    """The curve that bounds a shape of the plane, such as a cam; ``side`` is 1 where its normal points off it, else −1.

    radius: of a part of a circle about the origin, counter-clockwise by its angle
    """

    curve: BodyCurve
    side: float = 1.0
    radius: ca.SX | float | None = None


Form = Extent | Turned | HalfSpace | HeightField | Outline


@dataclass(frozen=True, eq=False)
class ContactShape:
    """A form at its place in a body, *frame* in the axes of the body; it and others of one group do not touch."""

    name: str
    body: str
    form: Form
    frame: Frame
    groups: frozenset[str] = frozenset()

    def seen(self, frames: Frames) -> Frame:
        """Its frame in the world."""
        return frames[self.body] @ self.frame

    @property
    def word(self) -> str:
        """The kind of its form, as pairs are listed by it."""
        return word_of(self.form)


def word_of(form: Form) -> str:
    """point, ball, bar, hull, turned, plane, field, arc, curve: what tells pairs apart."""
    match form:
        case Extent(corners, radius):
            sharp = isinstance(radius, float) and radius == 0.0
            return {1: "point" if sharp else "ball", 2: "bar"}.get(corners.shape[1], "hull")
        case Turned():
            return "turned"
        case HalfSpace():
            return "plane"
        case HeightField():
            return "field"
    return "curve" if form.radius is None else "arc"


def turned(space: Space, axis: str, stations: Stations) -> Extent | Turned:
    """What is round about a local axis: itself in space; in the plane the disc or the outline that is seen of it."""
    if not space.planar:
        return Turned(axis, stations)
    if axis == "z":
        return turned_solid(space, axis, list(stations))
    (low, r), (high, s) = stations
    along = ca.horzcat(low, low, high, high)
    across = ca.horzcat(-r, r, s, -s)
    return Extent(ca.vertcat(along, across) if axis == "x" else ca.vertcat(-across, along))


def arc(centre: ca.SX, radius: ca.SX | float, first: ca.SX | float, last: ca.SX | float) -> BodyCurve:
    """A part of a circle from one angle to a larger one; from 0 to 2π all of it. Its outward side is -1."""
    closed = not isinstance(first, ca.SX) and not isinstance(last, ca.SX) and abs(last - first - 2 * pi) < 1e-12

    def point(angle: ca.SX) -> ca.SX:
        return centre + radius * ca.vertcat(ca.cos(angle), ca.sin(angle))

    return BodyCurve(point, ca.SX(first), ca.SX(last), closed, "rad")
