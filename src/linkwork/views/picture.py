"""A mechanism in one position: where the points and lines of its drawing are in the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linkwork.arrays import Array
from linkwork.position.geometry import GROUND
from linkwork.results.drawing import BodyDrawing, Drawing, JointDrawing
from linkwork.topology.modes.modes import FoundMode


@dataclass(frozen=True)
class Picture:
    """A mode with what its bodies look like; all places (d) in world axes, m."""

    drawing: Drawing
    mode: FoundMode

    def place(self, body: str, local: Sequence[float]) -> Array:
        """A point of a body or of the ground in the world."""
        pose = self.mode.poses.get(body)
        return np.asarray(local) if pose is None else pose.point(np.asarray(local))

    def axis(self, joint: JointDrawing) -> Array | None:
        """The direction of a joint in the world."""
        if joint.axis is None:
            return None
        local = np.asarray(joint.axis)[: self.drawing.dimension]
        pose = self.mode.poses.get(joint.carrier)
        return local if pose is None else pose.axes @ local

    def corners(self, body: str) -> list[Array]:
        """The points of a body; its centre of mass where it has no others. The ground has none."""
        if body == GROUND:
            return []
        drawn = self.drawing.bodies[body]
        points = list(drawn.points.values()) or ([drawn.com] if drawn.com else [])
        return [self.place(body, point) for point in points]

    def lines(self, body: str) -> list[Array]:
        """Lines (2 × d) between the points of a body; points beside its outline are tied to it."""
        drawn = self.drawing.bodies[body]
        segments = drawn.segments or _row_of(drawn)
        tied = {end for segment in segments for end in segment}
        stays = [(point, end) for point in drawn.points if point not in tied and segments for end in segments[0]]
        outline = [np.array([self.place(body, drawn.points[name]) for name in pair]) for pair in (*segments, *stays)]
        return [*outline, *self._arms(body)]

    def _arms(self, body: str) -> list[Array]:
        """From a body with one point to its joints elsewhere."""
        corners = self.corners(body)
        if len(corners) != 1:
            return []
        ends = [self.place(joint.body, joint.point) for joint in self.drawing.joints if joint.body == body]
        return [np.array([corners[0], end]) for end in ends if np.linalg.norm(end - corners[0]) > 0]

    @property
    def low(self) -> Array:
        """Low corner (d) of the box round everything."""
        return np.asarray(np.min(self._places, axis=0))

    @property
    def high(self) -> Array:
        """High corner (d) of the box round everything."""
        return np.asarray(np.max(self._places, axis=0))

    @property
    def _places(self) -> list[Array]:
        joints = self.drawing.joints
        places = [corner for body in self.drawing.bodies for corner in self.corners(body)]
        return [*places, *(self.place(joint.body, joint.point) for joint in joints)] or [
            np.zeros(self.drawing.dimension)
        ]


def _row_of(body: BodyDrawing) -> tuple[tuple[str, str], ...]:
    """Lines from each point to the next, where no outline is drawn."""
    return tuple(pairwise(body.points))
