"""A disc or a sphere that rolls on a plane of another body.

With the centre O, the radius r and the normal n of the plane, and for a disc the unit vector u along its axis, the lowest
point and the contact condition are

    disc:    P = O − r (n − (n·u) u) / s,   s = |u × n|,   Φ = n·(O − E) − r s
    sphere:  P = O − r n,                                  Φ = n·(O − E) − r

where E is a point of the plane. The material points at P have the same velocity, of which Φ̇ = 0 gives the part along n;
the other two parts are no derivatives: ψ = e·(v_P − v_plane) = 0 along the heading e = u × n / s and across it.
A body that slides has the contact condition alone.
Source: García de Jalón and Bayo, section 3.6.3 (wheel in three dimensions): v_P = 0 without its solution for ω.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.elements.contribution import Bound, Condition, Contribution, Frames, Place, Placement, places
from linkwork.elements.drawings import Drawings, Pen, Wheel
from linkwork.elements.relations.base import Relation
from linkwork.elements.relations.curve import CONTACT, GRIP

FLAT = 1e-3  # sine of the angle between axis and normal at which a disc lies
DRAWN = 49  # points of a circle that is drawn


@dataclass(frozen=True, eq=False)
class RollingRelation(Relation):
    """A disc (with an axis) or a sphere (without one) on a plane.

    plane: a point of the plane; normal and tangent: unit vectors in the axes of its body; axis: unit vector in the axes of
    the body that rolls
    """

    kind: ClassVar[str] = "rolling"

    plane: Place
    normal: ca.SX
    tangent: ca.SX
    centre: Place
    radius: ca.SX
    axis: ca.SX | None = None
    slides: bool = False

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.plane.body, self.centre.body

    def _below(self, frames: Frames) -> tuple[ca.SX, ca.SX]:
        """From the centre to the contact in units of the radius, and how far it is below the centre."""
        normal = frames[self.plane.body].vector(self.normal)
        if self.axis is None:
            return -normal, ca.SX(1)
        axis = frames[self.centre.body].vector(self.axis)
        sine = ca.norm_2(ca.cross(axis, normal))
        return (ca.dot(normal, axis) * axis - normal) / sine, sine

    def contact(self, frames: Frames) -> ca.SX:
        """The place of contact in the world."""
        return self.centre.world(frames) + self.radius * self._below(frames)[0]

    def _tangents(self, frames: Frames) -> tuple[ca.SX, ca.SX]:
        normal = frames[self.plane.body].vector(self.normal)
        if self.axis is None:
            first = frames[self.plane.body].vector(self.tangent)
        else:
            heading = ca.cross(frames[self.centre.body].vector(self.axis), normal)
            first = heading / ca.norm_2(heading)
        return first, ca.cross(normal, first)

    def contribute(self, at: Placement) -> Contribution:
        frames, contact = at.frames, self.contact(at.frames)
        normal, depth = frames[self.plane.body].vector(self.normal), self._below(frames)[1]
        height = ca.dot(normal, self.centre.world(frames) - self.plane.world(frames))
        held = Condition("contact", height - self.radius * depth, "normal", group=CONTACT)
        rim = Bound("the end of its rim: the disc lies on the plane", depth - FLAT)
        rows = (held,) if self.slides else (held, *self._slip(at, contact))
        return Contribution(rows, bounds=() if self.axis is None else (rim,), readings=places(at.space, contact))

    def _slip(self, at: Placement, contact: ca.SX) -> Iterator[Condition]:
        below, above = (at.velocity(body, contact) for body in self.bodies)
        names = ("friction_1", "friction_2") if self.axis is None else ("traction", "lateral")
        words = ("first", "second") if self.axis is None else ("forward", "lateral")
        for word, name, tangent in zip(words, names, self._tangents(at.frames), strict=True):
            yield Condition(f"{word} slip", ca.dot(tangent, above - below), name, level="velocity", group=GRIP)

    def drawings(self, pen: Pen) -> Drawings:
        centre, radius = np.ravel(pen.number(self.centre.local)), float(np.ravel(pen.number(self.radius))[0])
        axes = np.eye(3) if self.axis is None else [np.ravel(pen.number(self.axis))]
        rims = tuple((self.centre.body, centre + radius * _circle(axis)) for axis in axes)
        wheels = () if self.axis is None else (Wheel(self.centre.body, centre, np.asarray(axes[0]), radius),)
        return Drawings(rims, wheels=wheels, look="wheel")


def _circle(axis: Array) -> Array:
    """Points (n × 3) of the unit circle about an axis."""
    angle = np.linspace(0.0, 2 * np.pi, DRAWN)
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    return np.outer(np.cos(angle), first) + np.outer(np.sin(angle), np.cross(axis, first))
