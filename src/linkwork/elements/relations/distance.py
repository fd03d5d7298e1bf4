"""Distance link: two points stay at a given distance, as if joined by a massless rod between balls.

Φ = (L² − r·r) / 2L, whose gradient with respect to the end points has size one, so that λ is the tension of the rod.
Source: García de Jalón and Bayo, number 26 of its capabilities; as a function of time, its Example 3.12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.relations.base import Condition, Formula, Frames, Place, Relation


@dataclass(frozen=True, eq=False)
class DistanceRelation(Relation):
    """A rod of given length, which may be a function of time."""

    kind: ClassVar[str] = "distance"

    ends: tuple[Place, Place]
    length: Formula

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(end.body for end in self.ends)

    def conditions(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> tuple[Condition, ...]:
        first, second = (end.world(frames) for end in self.ends)
        gap, length = second - first, self.length(t)
        return (Condition("length", (length**2 - ca.dot(gap, gap)) / (2 * length), "tension"),)

    def readings(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> Mapping[str, tuple[str, str, ca.SX]]:
        return {"length": ("m", "distance of the ends", self.length(t))}

    def lines(self) -> tuple[Place, ...]:
        return self.ends
