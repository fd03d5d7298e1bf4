"""A cable of given length through points of bodies, over pulleys, and on to a drum.

Φ = L(t) − R w − Σ lengths. The gradient of a length has size one at its end, so that λ is the tension, the same everywhere:
pulleys turn without friction and have no inertia. Over a pulley of radius r the cable goes straight from tangent to tangent
and round it in between. With signed radii ρ = ±r (+ where the pulley is on the left of the cable) and d from centre to
centre, a straight part has the length √(d·d − (ρ₂ − ρ₁)²), at the angle −atan2(ρ₂ − ρ₁, length) to d.

A drum of radius R winds the cable up with the angle w of its joint. A frame does not count turns, hence w is an unknown of
the relation with the condition sin(θ − w) = 0, θ being the angle that the frames show; its λ is the torque R λ of the cable.
The cable is two-sided: where its tension is negative, a real one would be slack.
Source: García de Jalón and Bayo, Problems 2/16, 3/14 and 3/15.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Condition, Contribution, Frames, Place, Placement, Reading, Unknown
from linkwork.elements.curves import ToNumbers
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Formula, Hinge, Relation


@dataclass(frozen=True, eq=False)
class Stop:
    """Where a cable ends or runs over a pulley; ``side`` is 1 where the pulley is on its left, −1 on its right."""

    place: Place
    radius: ca.SX | None = None
    side: int = 0

    def signed_radius(self) -> ca.SX:
        return ca.SX(0) if self.radius is None else self.side * self.radius


@dataclass(frozen=True, eq=False)
class WoundDrum:
    """A drum in a joint; a positive angle winds the cable up."""

    hinge: Hinge
    radius: ca.SX


@dataclass(frozen=True, eq=False)
class CableRelation(Relation):
    """A cable from its first stop to its last."""

    kind: ClassVar[str] = "cable"

    stops: tuple[Stop, ...]
    length: Formula
    drum: WoundDrum | None = None

    @property
    def bodies(self) -> tuple[str, ...]:
        joint = () if self.drum is None else (self.drum.hinge.parent, self.drum.hinge.child)
        return (*joint, *(stop.place.body for stop in self.stops))

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return () if self.drum is None else (Unknown("angle"),)

    def contribute(self, at: Placement) -> Contribution:
        own, available = at.own, self._available(at.own, at.time)
        rows = [Condition("length", available - path_length(self.stops, at.frames), "tension", group="taut")]
        if self.drum is not None:
            sine, cosine = self.drum.hinge.turn(at.frames)
            turn = sine * ca.cos(own[0]) - cosine * ca.sin(own[0])
            rows.append(Condition("turn of the drum", turn, is_length=False))
        return Contribution(tuple(rows), readings={"length": Reading("m", "length from end to end", available)})

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        if self.drum is None:
            return np.zeros(0)
        sine, cosine = (float(np.ravel(number(item))[0]) for item in self.drum.hinge.turn(frames))
        return np.array([np.arctan2(sine, cosine)])

    def drawings(self, pen: Pen) -> Drawings:
        angle = np.linspace(0, 2 * np.pi, 49)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        radii = tuple(float(np.ravel(pen.number(stop.signed_radius()))[0]) for stop in self.stops)
        pulleys = tuple(
            (stop.place.body, np.ravel(pen.number(stop.place.local)) + abs(radius) * circle)
            for stop, radius in zip(self.stops, radii, strict=True)
            if stop.radius is not None
        )
        return Drawings(pulleys, tuple(stop.place for stop in self.stops), radii=radii if pulleys else (), look="rope")

    def _available(self, own: ca.SX, t: ca.SX) -> ca.SX:
        return self.length(t) if self.drum is None else self.length(t) - self.drum.radius * own[0]


def path_length(stops: tuple[Stop, ...], frames: Frames) -> ca.SX:
    """The length of a tight cable: straight parts, and arcs round pulleys."""
    total, headings = ca.SX(0), []
    for first, second in pairwise(stops):
        gap = second.place.world(frames) - first.place.world(frames)
        if first.radius is None and second.radius is None:
            straight, heading = ca.norm_2(gap), gap / ca.norm_2(gap)
        else:
            step = second.signed_radius() - first.signed_radius()
            straight = ca.sqrt(ca.dot(gap, gap) - step**2)
            # d turned by −atan2(step, straight), of length one
            heading = ca.vertcat(straight * gap[0] + step * gap[1], straight * gap[1] - step * gap[0]) / ca.dot(
                gap, gap
            )
        total += straight
        headings.append(heading)
    for stop, (into, out) in zip(stops[1:-1], pairwise(headings), strict=True):
        if stop.radius is not None:
            total += stop.radius * wrapped(into, out, stop.side)
    return total


def wrapped(into: ca.SX, out: ca.SX, side: int) -> ca.SX:
    """The angle (0 to 2π) by which a cable turns round a pulley; it jumps only where the cable would lift off."""
    turn = side * (into[0] * out[1] - into[1] * out[0])
    return ca.pi + ca.atan2(-turn, -ca.dot(into, out))
