"""A point on a curve of another body: a pin in a curved slot, a bead on a wire.

The curve c(u) is fixed in the axes of its body, and u is an unknown of the relation: with the point at p in these axes,
Φ = p − c(u). As u has no inertia, c' · λ = 0: what the curve pushes with is normal to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.elements.curves import Curve, Number
from linkwork.elements.relations.base import Array, Bound, Condition, Frames, Place, Relation, Unknown

DRAWN = 181  # points of a curve that is drawn


@dataclass(frozen=True, eq=False)
class OnCurve(Relation):
    """A point of a body on a curve of another, whose origin is a place of that body."""

    kind: ClassVar[str] = "curve"

    origin: Place
    curve: Curve
    point: Place

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.origin.body, self.point.body

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        return (Unknown("u", self.curve.unit == "m"),)

    def conditions(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> tuple[Condition, ...]:
        gap = local_point(self.origin, frames, self.point.world(frames)) - self.curve.point(own[0])
        return tuple(Condition(f"point along {axis}", gap[i]) for i, axis in enumerate(space.axis_names))

    def start(self, space: Space, frames: Frames, number: Number) -> Array:
        place = np.ravel(number(local_point(self.origin, frames, self.point.world(frames))))
        return np.array([self.curve.nearest(place, number)])

    def bounds(self, frames: Frames, own: ca.SX) -> tuple[Bound, ...]:
        return curve_ends(self.curve, own[0])

    def efforts(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> Mapping[str, ca.SX]:
        return {"normal": self.curve.normal(own[0])} if space.planar else {}

    def readings(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> Mapping[str, tuple[str, str, ca.SX]]:
        return {"u": (self.curve.unit, "place on the curve", own[0])}

    def outline(self, space: Space, number: Number) -> tuple[tuple[str, Array], ...]:
        points = self.curve.tabulate(self.curve.point, number, DRAWN)[1]
        return ((self.origin.body, np.ravel(number(self.origin.local)) + points),)


def curve_ends(curve: Curve, u: ca.SX) -> tuple[Bound, ...]:
    """Where an open curve ends."""
    if curve.closed:
        return ()
    return Bound("the beginning of its curve", u - curve.first), Bound("the end of its curve", curve.last - u)


def local_point(origin: Place, frames: Frames, world: ca.SX) -> ca.SX:
    """A point of the world in the axes of a body, from a place of that body."""
    return frames[origin.body].axes.T @ (world - origin.world(frames))
