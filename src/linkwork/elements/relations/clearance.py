"""Joints with a clearance: what keeps their parts together, one-sided.

A pin of radius R₁ in a hole of radius R₂, a ball in a hollow ball: with the clearance c = R₂ − R₁ and d from the centre of
the hole to that of the pin,

    Φ = (c² − d·d) / 2c ≥ 0,

whose gradient has size one where they touch, so that λ is the force between them, and vanishes in the middle, where nothing
has a direction. A massless bar between the centres would pull where they touch (García de Jalón and Bayo, 10.3.1). A pin of
length L in a bush does so at both of its ends, across the axis of the bush, and between two shoulders it has a play p to
either side along it:

    Φ = p ∓ z ≥ 0.

A slider of length L and width w has four corners x = ±L/2, y = ±w/2 between two lines, y = ±(w/2 + c) (10.3.2).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.elements.contribution import Condition, Contribution, Frames, Placement, Reading, places
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Relation

TOUCH = ("touches", "is free", "bounces")
REMEDY = "draw the parts nearer to the middle of the joint, or give it more clearance"
TINY = 1e-200  # added to squares: the size of what vanishes has the slope zero
ENDS = {"front": 0.5, "rear": -0.5}
SIDES = {"left": 1, "right": -1}


@dataclass(frozen=True, eq=False)
class ClearanceSizes:
    """Sizes in m, as far as they are given; restitution: the part of the speed that comes back."""

    gap: ca.SX
    restitution: ca.SX = field(default_factory=lambda: ca.SX(0))
    length: ca.SX | None = None
    width: ca.SX | None = None
    radius: ca.SX | None = None
    play: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class ClearancePlace:
    """A place where the parts may touch: the room of its condition, what is left between them, and the normal there.

    normal (d): from the parent to the child, of size one where they touch; at (d): the place; tangents (d): along the
    surface; told: what the gap is, in words
    """

    room: ca.SX
    gap: ca.SX
    normal: ca.SX
    at: ca.SX
    tangents: tuple[ca.SX, ...]
    told: str


@dataclass(frozen=True, eq=False)
class ClearanceRelation(Relation):
    """What all of them have: the frames of the joint in its two bodies, and the sizes of the clearance."""

    kind: ClassVar[str] = "clearance"

    pair: tuple[str, str]
    a: Frame
    b: Frame
    sizes: ClearanceSizes

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.pair

    def seats(self, frames: Frames) -> tuple[Frame, Frame]:
        """The frames of the joint in the world."""
        return frames[self.pair[0]] @ self.a, frames[self.pair[1]] @ self.b

    @abstractmethod
    def places(self, frames: Frames) -> dict[str, ClearancePlace]:
        """Where the parts may touch, by name."""

    def contribute(self, at: Placement) -> Contribution:
        places = self.places(at.frames)
        conditions = tuple(self.condition(name, place.room) for name, place in places.items())
        readings = {f"gap.{name}": Reading("m", place.told, place.gap) for name, place in places.items()}
        return Contribution(conditions, readings=readings)

    def condition(self, component: str, room: ca.SX) -> Condition:
        """One place where the joint may touch."""
        return Condition(
            component,
            room,
            f"force_{component}",
            level="limit",
            words=TOUCH,
            while_held="touches",
            restitution=self.sizes.restitution,
            remedy=REMEDY,
        )


def apart(shift: ca.SX) -> ca.SX:
    """|d|, with a slope also where it vanishes."""
    return ca.sqrt(ca.dot(shift, shift) + TINY)


@dataclass(frozen=True, eq=False)
class PinInHole(ClearanceRelation):
    """A pin in a hole of the plane, or a ball in a hollow ball."""

    def places(self, frames: Frames) -> dict[str, ClearancePlace]:
        (a, b), c = self.seats(frames), self.sizes.gap
        shift = b.origin - a.origin
        outwards = shift / apart(shift)
        at = b.origin if self.sizes.radius is None else a.origin + self.sizes.radius * outwards
        tangents = (ca.vertcat(-outwards[1], outwards[0]),) if shift.numel() == 2 else ()
        room = (c**2 - ca.dot(shift, shift)) / (2 * c)
        place = ClearancePlace(room, c - apart(shift), -outwards, at, tangents, "what is left of the clearance")
        return {"contact": place}

    def contribute(self, at: Placement) -> Contribution:
        (a, b), place = self.seats(at.frames), self.places(at.frames)["contact"]
        readings = {
            "gap": Reading("m", place.told, place.gap),
            "eccentricity": Reading("m", "distance of the centres", apart(b.origin - a.origin)),
        }
        if self.sizes.radius is not None:
            readings |= places(at.space, place.at, "the place of the hole that is nearest to the pin")
        condition = replace(self.condition("contact", place.room), effort="force")
        return Contribution((condition,), readings=readings)

    def drawings(self, pen: Pen) -> Drawings:
        if not pen.space.planar or self.sizes.radius is None:
            return Drawings()
        angle = np.linspace(0.0, 2 * np.pi, 61)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        outer, gap = (float(np.ravel(pen.number(size))[0]) for size in (self.sizes.radius, self.sizes.gap))
        radii = zip(self.pair, (self.a, self.b), (outer, outer - gap), strict=True)
        return Drawings(tuple((body, np.ravel(pen.number(f.origin)) + r * circle) for body, f, r in radii))


@dataclass(frozen=True, eq=False)
class PinInBush(ClearanceRelation):
    """A pin in a bush, in space: its two ends, and with a play along the axis two shoulders."""

    def places(self, frames: Frames) -> dict[str, ClearancePlace]:
        (a, b), c, found = self.seats(frames), self.sizes.gap, {}
        assert self.sizes.length is not None
        axis = a.axis(2)
        for end, part in ENDS.items():
            place = b.origin + part * self.sizes.length * b.axis(2)
            shift = ca.vertcat(*[ca.dot(a.axis(i), place - a.origin) for i in (0, 1)])
            outwards = (a.axis(0) * shift[0] + a.axis(1) * shift[1]) / apart(shift)
            at = place if self.sizes.radius is None else place + (self.sizes.radius - apart(shift)) * outwards
            told = f"what is left of the clearance at the {end} end"
            room, tangents = (c**2 - ca.dot(shift, shift)) / (2 * c), (axis, ca.cross(axis, outwards))
            found[end] = ClearancePlace(room, c - apart(shift), -outwards, at, tangents, told)
        if self.sizes.play is not None:
            along = ca.dot(axis, b.origin - a.origin)
            for end, sign in (("ahead", -1), ("behind", 1)):
                room = self.sizes.play + sign * along
                told = f"what is left of the play {end}, along the axis"
                found[end] = ClearancePlace(room, room, sign * axis, b.origin, (a.axis(0), a.axis(1)), told)
        return found


@dataclass(frozen=True, eq=False)
class SliderInGuide(ClearanceRelation):
    """A slider between two parallel lines of its guide, in the plane."""

    def places(self, frames: Frames) -> dict[str, ClearancePlace]:
        (a, b), found = self.seats(frames), {}
        length, half = self.sizes.length, ca.SX(0) if self.sizes.width is None else self.sizes.width / 2
        assert length is not None
        for end, part in ENDS.items():
            for side, sign in SIDES.items():
                corner = b.origin + part * length * b.axis(0) + sign * half * b.axis(1)
                room = half + self.sizes.gap - sign * ca.dot(a.axis(1), corner - a.origin)
                told = f"distance of the {end} {side} corner from its line"
                found[f"{end}_{side}"] = ClearancePlace(room, room, -sign * a.axis(1), corner, (a.axis(0),), told)
        return found


KINDS: dict[tuple[str, bool], type[ClearanceRelation]] = {
    ("revolute", True): PinInHole,
    ("prismatic", True): SliderInGuide,
    ("spherical", False): PinInHole,
    ("revolute", False): PinInBush,
    ("cylindrical", False): PinInBush,
}
"""By the kind of the joint, and whether it is in the plane."""
