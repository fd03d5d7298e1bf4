"""A point on a curve of another body: a pin in a curved slot, a bead on a wire.

The curve c(u) is fixed in the axes of its body, and u is an unknown of the relation. With the point at p in these axes,
p − c(u) = 0; in the plane it is taken along the tangent e and across it, along the normal n:

    Φ₁ = e·(p − c(u)),   Φ₂ = n·(p − c(u))

As u has no inertia, λ₁ = 0, and λ₂ is what the curve pushes with. Where joints hold the point on the curve, as in a slot
about their axis, Φ₂ has no gradient anywhere and Φ₁ always has one: the rank is that of every position, and so are the
redundant constraints. Along fixed axes they would change from position to position.

In space the same holds for the curve as seen along one of the axes, across which it runs everywhere, and the third condition
is that along this axis. A curve that runs along each of the axes somewhere has its conditions along all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Bound, Condition, Contribution, Frames, Place, Placement, Reading, Unknown
from linkwork.elements.curves import BodyCurve, ToNumbers
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Relation

CONTACT = "contact"  # the group of the conditions by which bodies touch
GRIP = "grip"  # that of those by which they do not slip
DRAWN = 181  # points of a curve that is drawn


@dataclass(frozen=True, eq=False)
class OnCurve(Relation):
    """A point of a body on a curve of another, whose origin is a place of that body."""

    kind: ClassVar[str] = "curve"

    origin: Place
    curve: BodyCurve
    point: Place
    upright: int | None = None  # in space: the axis along which it is seen

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.origin.body, self.point.body

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("u", self.curve.unit == "m"),)

    def contribute(self, at: Placement) -> Contribution:
        u, place = at.own[0], local_point(self.origin, at.frames, self.point.world(at.frames))
        reading = Reading(self.curve.unit, "place on the curve", u)
        return Contribution(self._rows(at.space, u, place), bounds=curve_ends(self.curve, u), readings={"u": reading})

    def _rows(self, space: Space, u: ca.SX, place: ca.SX) -> tuple[Condition, ...]:
        if space.planar:
            return touch(self.curve, u, place, "normal")
        gap = place - self.curve.point(u)
        straight = [Condition(f"point along {axis}", gap[i], group=CONTACT) for i, axis in enumerate(space.axis_names)]
        if self.upright is None:
            return tuple(straight)
        plane = [i for i in range(3) if i != self.upright]
        return *touch(self.curve.seen(plane), u, place[plane], ""), straight[self.upright]

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        place = np.ravel(number(local_point(self.origin, frames, self.point.world(frames))))
        return np.array([self.curve.nearest(place, number)])

    def drawings(self, pen: Pen) -> Drawings:
        points = self.curve.tabulate(self.curve.point, pen.number, DRAWN)[1]
        return Drawings(((self.origin.body, np.ravel(pen.number(self.origin.local)) + points),))


def touch(curve: BodyCurve, u: ca.SX, place: ca.SX, effort: str, side: float = 1.0) -> tuple[Condition, Condition]:
    """A place of the plane on a curve: along it and across it, with a push towards the *side* (±1) of its normal."""
    gap, normal = place - curve.point(u), side * curve.normal(u)
    along = normal[1] * gap[0] - normal[0] * gap[1]
    contact = Condition("contact", ca.dot(normal, gap), effort, group=CONTACT)
    return Condition("along the curve", along), contact


def curve_ends(curve: BodyCurve, u: ca.SX) -> tuple[Bound, ...]:
    """Where an open curve ends."""
    if curve.closed:
        return ()
    return Bound("the beginning of its curve", u - curve.first), Bound("the end of its curve", curve.last - u)


def local_point(origin: Place, frames: Frames, world: ca.SX) -> ca.SX:
    """A point of the world in the axes of a body, from a place of that body."""
    return frames[origin.body].axes.T @ (world - origin.world(frames))
