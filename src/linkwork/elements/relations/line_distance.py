"""A point at a given distance from a line of another body.

In space, with the unit vector u along the line and r from the line to the point, Φ = (r·r − (r·u)² − d²) / 2d. In the
plane the side on which the point is drawn is kept, and Φ = s (u × r) − d with s = ±1: twice an area over the length of
its base, which does not degenerate. Both have gradients of size one, so that λ is the force away from the line.
Source: García de Jalón and Bayo, equation (2.2) and Problem 2/14.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.elements.contribution import Condition, Contribution, Frames, Place, Placement, Reading
from linkwork.elements.drawings import Drawings, Pen
from linkwork.elements.relations.base import Formula, Relation


@dataclass(frozen=True, eq=False)
class LineDistanceRelation(Relation):
    """A point at a distance, which may be a function of time, from the line through two points of another body."""

    kind: ClassVar[str] = "line_distance"

    line: tuple[Place, Place]
    point: Place
    distance: Formula
    side: ca.SX  # 1 on the left of the line, −1 on its right; counts in the plane only

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.line[0].body, self.point.body

    def contribute(self, at: Placement) -> Contribution:
        (along, gap), distance = self._directions(at.frames), self.distance(at.time)
        if at.space.planar:
            residual = self.side * at.space.moment(along, gap) - distance
        else:
            residual = (ca.dot(gap, gap) - ca.dot(gap, along) ** 2 - distance**2) / (2 * distance)
        foot = Reading("m", "place of the foot along the line, from its first point,", ca.dot(along, gap))
        readings = {"distance": Reading("m", "distance from the line", distance), "along": foot}
        return Contribution((Condition("distance", residual, "force"),), readings=readings)

    def drawings(self, pen: Pen) -> Drawings:
        return Drawings(((self.line[0].body, np.array([np.ravel(pen.number(end.local)) for end in self.line])),))

    def _directions(self, frames: Frames) -> tuple[ca.SX, ca.SX]:
        """The unit vector along the line, and the vector from its first point to the point."""
        body = frames[self.line[0].body]
        local = self.line[1].local - self.line[0].local
        along = body.vector(local / ca.norm_2(local))
        return along, self.point.world(frames) - self.line[0].world(frames)
