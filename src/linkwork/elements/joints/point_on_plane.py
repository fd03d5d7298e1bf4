"""Point on a plane: a point of the child stays on a plane of the parent (normal z), and the child can turn about it anyhow.

One condition (r_j − r_i)·u = 0 (García de Jalón and Bayo, problem 2/13).
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import SPINS, Directions, Freedom, JointKind, Measure, gap_along, slide_row


class PointOnPlane(JointKind):
    name = "point_on_plane"
    axis_on_parent = True
    axes: ClassVar = {"spatial": 1}

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        shifts = (Freedom(f"position_{axis}", f"position_{axis}_rate", "length") for axis in "xy")
        return (*shifts, *SPINS)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.vertcat(q[0], q[1], 0), self.orientation.axes(q[2:]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        along = ca.SX.eye(3)[:, :2]
        return ca.horzcat(along, ca.SX(3, 3)), ca.horzcat(ca.SX(3, 2), self.orientation.axes(q[2:]))

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return [slide_row(a, b, 2)]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return tuple(Measure(value=gap_along(a, b, i)) for i in (0, 1))

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((a.axis(2),), ())
