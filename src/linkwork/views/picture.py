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

    def local(self, body: str, place: Array) -> Array:
        """A place of the world (d) in the axes of a body or of the ground."""
        pose = self.mode.poses.get(body)
        return place if pose is None else np.asarray(pose.axes.T @ (place - pose.origin))

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
        """Lines (2 × d) between the points of a body; from one with a single point to its joints elsewhere."""
        drawn = self.drawing.bodies[body]
        return [*self._between(body, drawn.segments or _row_of(drawn)), *self._arms(body)]

    def stays(self, body: str) -> list[Array]:
        """Lines (2 × d) that tie points beside its outline to the ends of its first line."""
        drawn = self.drawing.bodies[body]
        segments = drawn.segments or _row_of(drawn)
        tied = {end for segment in segments for end in segment}
        return self._between(
            body, [(point, end) for point in drawn.points if point not in tied and segments for end in segments[0]]
        )

    def plate(self, body: str) -> Array | None:
        """Corners (n × d) of a body whose lines go round, in order along its edges."""
        drawn = self.drawing.bodies[body]
        ring = ring_of(drawn.segments)
        return np.array([self.place(body, drawn.points[name]) for name in ring]) if ring else None

    def outlines(self, body: str) -> list[Array]:
        """Lines (n × d) along the edges of its shapes; of the ground those that stand."""
        lines = self.drawing.outlines if body == GROUND else self.drawing.bodies[body].outlines
        pose = self.mode.poses.get(body)
        return [np.asarray(line) if pose is None else np.asarray(line) @ pose.axes.T + pose.origin for line in lines]

    def _between(self, body: str, pairs: Sequence[tuple[str, str]]) -> list[Array]:
        points = self.drawing.bodies[body].points
        return [np.array([self.place(body, points[name]) for name in pair]) for pair in pairs]

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
        drawing = self.drawing
        places = [corner for body in drawing.bodies for corner in self.corners(body)]
        places += [self.place(joint.body, joint.point) for joint in drawing.joints]
        ends = [end for item in drawing.springs for end in item.ends]
        ends += [stop for item in drawing.strings for stop in item.stops]
        places += [self.place(body, point) for body, point in ends]
        places += [point for body in (GROUND, *drawing.bodies) for line in self.outlines(body) for point in line]
        return places or [np.zeros(drawing.dimension)]


def _row_of(body: BodyDrawing) -> tuple[tuple[str, str], ...]:
    """Lines from each point to the next, where no outline is drawn."""
    return tuple(pairwise(body.points))


def ring_of(segments: Sequence[tuple[str, str]]) -> list[str]:
    """The ends of lines that go round once, in order; none where they do not."""
    if len(segments) < 3 or len(segments) != len({end for pair in segments for end in pair}):
        return []
    left, ring = list(segments), [segments[0][0]]
    while left:
        step = next((pair for pair in left if ring[-1] in pair), None)
        if step is None:
            return []
        left.remove(step)
        ring.append(step[1] if step[0] == ring[-1] else step[0])
    return ring[:-1] if ring[0] == ring[-1] else []
