"""Universal joint (U): rotations about two crossing perpendicular axes, the first fixed in the parent (z of frame a),
the second in the child (x of frame b)."""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_x, about_z
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    Directions,
    Freedom,
    JointKind,
    Measure,
    joint_row,
    point_rows,
    world_directions,
)


class Universal(JointKind):
    name = "universal"
    letter = "U"
    axes: ClassVar = {"spatial": 2}
    shares_point = True
    compared_axes = (2, 0)

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("angle1", "angle1_rate", "angle"), Freedom("angle2", "angle2_rate", "angle"))

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.SX(3, 1), about_z(q[0]) @ about_x(q[1]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        second = ca.vertcat(ca.cos(q[0]), ca.sin(q[0]), 0)
        return ca.SX(3, 2), ca.horzcat(ca.SX.eye(3)[:, 2], second)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return [*point_rows(space, a, b), joint_row("rotation about y", "lock", ca.dot(a.axis(2), b.axis(0)))]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        first = Measure(sine=ca.dot(a.axis(1), b.axis(0)), cosine=ca.dot(a.axis(0), b.axis(0)))
        second = Measure(sine=ca.dot(a.axis(2), b.axis(1)), cosine=ca.dot(a.axis(2), b.axis(2)))
        return (first, second)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), (ca.cross(a.axis(2), b.axis(0)),))

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        # dual directions: a unit effort along one angle does no work on the other (the axes are perpendicular)
        return ((ca.SX(3, 1), a.axis(2)), (ca.SX(3, 1), b.axis(0)))
