"""A wheel on a track in the plane: a disc that rolls on a curve of another body, or slides along it.

The centre O of a wheel of radius r is on the curve at the distance r from the track c(u), on the side of the normal ±n where
it is drawn, and the place u of the contact is an unknown of the relation. With the tangent e, in the axes of the track:

    Φ₁ = e·(p − c(u)),   Φ₂ = ±n·(p − c(u)) − r,   P = c(u)

Where it rolls, the material points of wheel and track at P have the same velocity. Φ̇₂ = 0 gives the part across the track;
the part along it is no derivative: ψ = e·(v_wheel − v_track) = 0 at P. As u has no inertia, λ₁ = 0; λ₂ is the normal force,
and λ of ψ is the traction. Where joints hold the wheel at its distance, Φ₂ has no gradient anywhere and Φ₁ always has one:
the rank is that of every position. This is (3.53) and (3.54) of García de Jalón and Bayo, section 3.6.1, without their
degenerate case, a rim point A in line with P and O. On the inside of a curve a wheel must be smaller than its hollows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Condition, Contribution, Frames, Place, Placement, Reading, Unknown, places
from linkwork.elements.curves import BodyCurve, ToNumbers
from linkwork.elements.drawings import Drawings, Pen, Wheel
from linkwork.elements.relations.base import Relation
from linkwork.elements.relations.curve import DRAWN, GRIP, curve_ends, local_point, touch


@dataclass(frozen=True, eq=False)
class TrackRelation(Relation):
    """A wheel about a place of its body, on a curve of another; ``side`` is 1 on the left of growing u, else −1."""

    kind: ClassVar[str] = "track"

    origin: Place
    curve: BodyCurve
    side: float
    centre: Place
    radius: ca.SX
    slides: bool = False

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.origin.body, self.centre.body

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("u", self.curve.unit == "m"),)

    @cached_property
    def path(self) -> BodyCurve:
        """That of the centre, in the axes of the track."""
        return self.curve.offset(self.side * self.radius)

    def contact(self, frames: Frames, u: ca.SX) -> ca.SX:
        """The place of contact in the world."""
        return self.origin.world(frames) + frames[self.origin.body].vector(self.curve.point(u))

    def contribute(self, at: Placement) -> Contribution:
        u, frames, contact = at.own[0], at.frames, self.contact(at.frames, at.own[0])
        centre = local_point(self.origin, frames, self.centre.world(frames))
        rows: tuple[Condition, ...] = touch(self.path, u, centre, "normal", self.side)
        if not self.slides:
            tangent = self.curve.tangent(u)
            below, above = (at.velocity(body, contact) for body in self.bodies)
            along = frames[self.origin.body].vector(tangent / ca.norm_2(tangent))
            slip = ca.dot(along, above - below)
            rows = (*rows, Condition("slip", slip, "traction", level="velocity", group=GRIP))
        readings = {"u": Reading(self.curve.unit, "place of contact on the track", u), **places(at.space, contact)}
        return Contribution(rows, bounds=curve_ends(self.curve, u), readings=readings)

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        place = np.ravel(number(local_point(self.origin, frames, self.centre.world(frames))))
        return np.array([self.path.nearest(place, number)])

    def drawings(self, pen: Pen) -> Drawings:
        points = self.curve.tabulate(self.curve.point, pen.number, DRAWN)[1]
        centre, radius = np.ravel(pen.number(self.centre.local)), float(np.ravel(pen.number(self.radius))[0])
        wheel = Wheel(self.centre.body, np.append(centre, 0.0), np.array([0.0, 0.0, 1.0]), radius)
        track = np.ravel(pen.number(self.origin.local)) + points
        return Drawings(((self.origin.body, track), (wheel.body, wheel.outline(2))), wheels=(wheel,), look="wheel")
