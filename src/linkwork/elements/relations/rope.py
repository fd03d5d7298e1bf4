"""Rope: two points are never farther apart than its length. Taut it pulls, slack it does nothing.

Φ = (L² − r·r) / 2L ≥ 0, as of a rod; λ ≥ 0 is the tension, and λ Φ = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, Place, Placement, Reading
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Relation


@dataclass(frozen=True, eq=False)
class RopeRelation(Relation):
    """A rope of given length without mass, which does not stretch."""

    kind: ClassVar[str] = "rope"

    ends: tuple[Place, Place]
    length: ca.SX

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(end.body for end in self.ends)

    def contribute(self, at: Placement) -> Contribution:
        first, second = (end.world(at.frames) for end in self.ends)
        gap = second - first
        room = (self.length**2 - ca.dot(gap, gap)) / (2 * self.length)
        words = ("goes taut", "goes slack")
        rope = Condition("length", room, "tension", level="limit", words=words, while_held="taut")
        return Contribution((rope,), readings={"distance": Reading("m", "distance of the ends", ca.norm_2(gap))})

    def drawings(self, pen: Pen) -> Drawings:
        return Drawings(string=self.ends, look="rope")
