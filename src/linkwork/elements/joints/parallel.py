"""Parallel joint: a plane of the child stays parallel to a plane of the parent, whose normal is z.

The child can be anywhere and turn about the normal: three translations and one rotation, two conditions (García de Jalón
and Bayo, problem 2/15).
"""

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
)


class Parallel(JointKind):
    name = "parallel"
    axes: ClassVar = {"spatial": 1}
    shares_axis = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        shifts = (Freedom(f"position_{axis}", f"position_{axis}_rate", "length") for axis in "xyz")
        return (*shifts, Freedom("angle", "angle_rate", "angle"))

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(q[:3], about_z(q[3]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        unit, none = ca.SX.eye(3), ca.SX(3, 1)
        return ca.horzcat(unit, none), ca.horzcat(ca.SX(3, 3), unit[:, 2])

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return axis_rows(a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (*(Measure(value=gap_along(a, b, i)) for i in range(3)), angle_about_z(space, a, b))

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((), (a.axis(0), a.axis(1)))
