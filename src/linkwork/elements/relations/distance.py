"""Distance link: two points stay at a given distance, as if joined by a massless rod between balls.

Φ = (L² − r·r) / 2L, whose gradient with respect to the end points has size one, so that λ is the tension of the rod. Far
from closed it tells nothing of how far: a mechanism is put together with L − |r|, of the same gradient where it is closed.
Source: García de Jalón and Bayo, number 26 of its capabilities; as a function of time, its Example 3.12.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, Place, Placement, Reading
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Formula, Relation

TINY = 1e-12  # of the length


@dataclass(frozen=True, eq=False)
class DistanceRelation(Relation):
    """A rod of given length, which may be a function of time."""

    kind: ClassVar[str] = "distance"

    ends: tuple[Place, Place]
    length: Formula

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(end.body for end in self.ends)

    def contribute(self, at: Placement) -> Contribution:
        first, second = (end.world(at.frames) for end in self.ends)
        gap, length = second - first, self.length(at.time)
        square = ca.dot(gap, gap)
        # ends that lie on each other are as far apart as rounding errors
        apart = ca.sqrt(square + (TINY * length) ** 2)
        rod = Condition("length", (length**2 - square) / (2 * length), "tension", guarded=length - apart)
        return Contribution((rod,), readings={"length": Reading("m", "distance of the ends", length)})

    def drawings(self, pen: Pen) -> Drawings:
        return Drawings(string=self.ends, look="rod")
