"""Cylindrical joint (C): a rotation about and a translation along a common axis."""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_z
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    Directions,
    Freedom,
    JointKind,
    Measure,
    angle_about_z,
    axis_rows,
    slide_rows,
)


class Cylindrical(JointKind):
    name = "cylindrical"
    letter = "C"
    axes: ClassVar = {"spatial": 1}
    shares_axis = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("angle", "angle_rate", "angle"), Freedom("position", "position_rate", "length"))

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.vertcat(0, 0, q[1]), about_z(q[0]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        z = ca.SX.eye(3)[:, 2]
        return ca.horzcat(ca.SX(3, 1), z), ca.horzcat(z, ca.SX(3, 1))

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return slide_rows(space, a, b) + axis_rows(a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (angle_about_z(space, a, b), Measure(value=ca.dot(a.axis(2), b.origin - a.origin)))

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((a.axis(0), a.axis(1)), (a.axis(0), a.axis(1)))
