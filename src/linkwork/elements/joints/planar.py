"""Planar joint (F, flat): a plane of the child slides and turns on a plane of the parent; z is their common normal."""

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
    gap_along,
    slide_row,
)


class Planar(JointKind):
    name = "planar"
    letter = "F"
    axes: ClassVar = {"spatial": 1}
    shares_axis = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        # not x and y alone: these are the world coordinates of the point that often has the name of the joint
        return (
            Freedom("position_x", "position_x_rate", "length"),
            Freedom("position_y", "position_y_rate", "length"),
            Freedom("angle", "angle_rate", "angle"),
        )

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.vertcat(q[0], q[1], 0), about_z(q[2]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        x, y, z = (ca.SX.eye(3)[:, i] for i in range(3))
        none = ca.SX(3, 1)
        return ca.horzcat(x, y, none), ca.horzcat(none, none, z)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return [slide_row(a, b, 2), *axis_rows(a, b)]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (*(Measure(value=gap_along(a, b, i)) for i in (0, 1)), angle_about_z(space, a, b))

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((a.axis(2),), (a.axis(0), a.axis(1)))
