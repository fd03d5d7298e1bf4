"""Knife edge: a point of a body does not move sideways over another body, as the blade of a skate or a narrow wheel.

ψ = e · (v_P − v_S) = 0, with v_S the velocity of the other body at the same place and e the direction across the edge. It
restricts velocities and no positions: the edge reaches every place by steering. λ is the force across the edge.
Source: García de Jalón and Bayo, section 3.6 (non-holonomic joints).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, Frames, Place, Placement
from linkwork.elements.relations.base import Relation
from linkwork.elements.relations.curve import GRIP


@dataclass(frozen=True, eq=False)
class KnifeEdgeRelation(Relation):
    """An edge at a point, given by the direction across it, or by the one along it and the normal of what it runs on.

    across, along: in the axes of the body of the point; normal: in those of the other body (in space only)
    """

    kind: ClassVar[str] = "knife_edge"

    surface: str
    point: Place
    across: ca.SX | None = None
    along: ca.SX | None = None
    normal: ca.SX | None = None

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.surface, self.point.body

    def contribute(self, at: Placement) -> Contribution:
        first, second = (at.velocity(body, self.point.world(at.frames)) for body in self.bodies)
        slip = ca.dot(self._sideways(at.frames), second - first)
        return Contribution((Condition("slip across the edge", slip, "lateral", level="velocity", group=GRIP),))

    def _sideways(self, frames: Frames) -> ca.SX:
        frame = frames[self.point.body]
        if self.across is not None:
            return frame.vector(self.across / ca.norm_2(self.across))
        assert self.along is not None
        along = frame.vector(self.along)
        if self.normal is None:
            return ca.vertcat(-along[1], along[0]) / ca.norm_2(self.along)
        side = ca.cross(frames[self.surface].vector(self.normal), along)
        return side / ca.norm_2(side)
