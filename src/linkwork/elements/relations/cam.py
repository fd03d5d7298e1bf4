"""A cam and its follower: a knife edge, a roller or a flat face that stays on a closed profile.

The place u of the contact on the profile c(u) is an unknown of the relation. A roller of radius r has its centre on the
curve at the distance r, p − c(u) − r n(u) = 0, along the curve and across it as a point on any curve; a knife edge is a
roller without radius. A flat face has the contact on its line, m·(a − c(u)) = 0, and the tangent of the profile along it,
m·c'(u)/|c'(u)| = 0; as u has no inertia, the second condition takes no force. Contact is two-sided, and a negative force
means that the follower would lift off, unless it lifts: then p or a may be anywhere off the cam, u is the place of the
profile that is nearest to it, and the condition of the contact is a limit.

In space the profile lies in the x-y plane of the axes of its body, and the cam is as thick as it need be: what counts is
the follower as seen along the z axis.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Condition, Contribution, Frames, Place, Placement, Reading, Unknown, places
from linkwork.elements.curves import BodyCurve, ToNumbers
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Relation
from linkwork.elements.relations.curve import CONTACT, DRAWN, local_point, touch

TOUCH = ("touches", "lifts off", "bounces")


@dataclass(frozen=True, eq=False)
class Lifting:
    """That a follower may lift off; restitution: the part of the speed that comes back where it lands."""

    restitution: ca.SX


@dataclass(frozen=True, eq=False)
class CamRelation(Relation):
    """What all cams have: a closed profile about a place of the cam."""

    kind: ClassVar[str] = "cam"

    origin: Place
    profile: BodyCurve
    lifting: Lifting | None = field(default=None, kw_only=True)

    def one_sided(self, contact: Condition) -> Condition:
        """The condition of the contact, of a follower that lifts a limit."""
        if self.lifting is None:
            return contact
        remedy = "draw the follower off the cam, or touching it"
        return replace(
            contact,
            level="limit",
            words=TOUCH,
            while_held="touches",
            restitution=self.lifting.restitution,
            remedy=remedy,
        )

    def off(self, room: ca.SX) -> dict[str, Reading]:
        """How far the follower is off the cam, where it lifts."""
        return {} if self.lifting is None else {"gap": Reading("m", "distance of the follower from the cam", room)}

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("u", self.profile.unit == "m"),)

    @property
    @abstractmethod
    def follower(self) -> Place:
        """The place of the follower by which it is held."""

    @abstractmethod
    def contact(self, u: ca.SX) -> ca.SX:
        """The point of contact in the axes of the cam, from its origin."""

    def seen(self, frames: Frames, place: Place) -> ca.SX:
        """A place in the plane of the profile (2), from its origin."""
        return local_point(self.origin, frames, place.world(frames))[:2]

    def readings(self, at: Placement) -> dict[str, Reading]:
        """The place of the contact."""
        # in space as far along the axis of the cam as the follower is
        frames, u = at.frames, at.own[0]
        beside = local_point(self.origin, frames, self.follower.world(frames))[2:]
        local = ca.vertcat(self.contact(u), beside)
        place = self.origin.world(frames) + frames[self.origin.body].vector(local)
        return {"u": Reading(self.profile.unit, "place of contact on the profile", u), **places(at.space, place)}

    def drawings(self, pen: Pen) -> Drawings:
        points = self.profile.tabulate(self.profile.point, pen.number, DRAWN)[1]
        flat = np.hstack([points, np.zeros((len(points), pen.space.dimension - 2))])
        return Drawings(((self.origin.body, np.ravel(pen.number(self.origin.local)) + flat),))


@dataclass(frozen=True, eq=False)
class RollerCam(CamRelation):
    """A roller, or a knife edge of radius 0; ``path`` is that of its centre, ``outwards`` ±1 along its normal."""

    path: BodyCurve
    outwards: float
    point: Place
    radius: ca.SX

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.origin.body, self.point.body

    @property
    def follower(self) -> Place:
        return self.point

    def contact(self, u: ca.SX) -> ca.SX:
        return self.path.point(u) - self.outwards * self.radius * self.path.normal(u)

    def contribute(self, at: Placement) -> Contribution:
        along, contact = touch(self.path, at.own[0], self.seen(at.frames, self.point), "force", self.outwards)
        readings = {**self.readings(at), **self.off(contact.residual)}
        return Contribution((along, self.one_sided(contact)), readings=readings)

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        place = np.ravel(number(self.seen(frames, self.point)))
        return np.array([self.path.nearest(place, number)])

    def drawings(self, pen: Pen) -> Drawings:
        profile = super().drawings(pen)
        angle, radius = np.linspace(0, 2 * np.pi, 61), float(np.ravel(pen.number(self.radius))[0])
        if not pen.space.planar or radius <= 0.0:
            return profile
        circle = radius * np.column_stack([np.cos(angle), np.sin(angle)])
        roller = (self.point.body, np.ravel(pen.number(self.point.local)) + circle)
        return Drawings((*profile.outlines, roller))


@dataclass(frozen=True, eq=False)
class FlatCam(CamRelation):
    """A flat face through two places of the follower; ``side`` is 1 where its left normal points off the cam, else −1."""

    face: tuple[Place, Place]
    side: float

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.origin.body, self.face[0].body

    @property
    def follower(self) -> Place:
        return self.face[0]

    def contact(self, u: ca.SX) -> ca.SX:
        return self.profile.point(u)

    def contribute(self, at: Placement) -> Contribution:
        u, (start, normal, along) = at.own[0], self._face(at.frames)
        point, tangent = self.profile.point(u), self.profile.tangent(u)
        contact = Condition("contact on the face", ca.dot(normal, start - point), "force", group=CONTACT)
        rows = (
            self.one_sided(contact),
            Condition("tangent along the face", ca.dot(normal, tangent) / ca.norm_2(tangent), is_length=False),
        )
        text = "place of the contact on the face, from its first point,"
        place = Reading("m", text, ca.dot(along, point - start))
        return Contribution(rows, readings={**self.readings(at), "along": place, **self.off(contact.residual)})

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        normal = np.ravel(number(self._face(frames)[1]))
        u, points = self.profile.tabulate(self.profile.point, number)
        # where the profile reaches farthest towards the face
        return u[[int(np.argmax(points @ normal))]]

    def drawings(self, pen: Pen) -> Drawings:
        line = np.array([np.ravel(pen.number(end.local)) for end in self.face])
        return Drawings((*super().drawings(pen).outlines, (self.face[0].body, line)))

    def _face(self, frames: Frames) -> tuple[ca.SX, ca.SX, ca.SX]:
        """First point, normal off the cam and direction of the face, in the axes of the cam."""
        local = self.face[1].local - self.face[0].local
        cam, follower = frames[self.origin.body], frames[self.face[0].body]
        # the face stands on the plane of the profile, so that its direction keeps its length as seen there
        along = (cam.axes.T @ follower.vector(local / ca.norm_2(local)))[:2]
        start = self.seen(frames, self.face[0])
        return start, self.side * ca.vertcat(-along[1], along[0]), along
