"""Point on a line: a point of the child slides along a line of the parent, and the child can turn about it anyhow.

In the plane it is the pin in a slot: the line is the x axis of frame a, one condition (García de Jalón and Bayo, eq. 2.2
with A = 0). In space it is the z axis, two conditions (section 2.2.3.2; 2 of the 3 of r × u = 0).
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    SPINS,
    Directions,
    Freedom,
    JointKind,
    Measure,
    angle_about_z,
    gap_along,
    slide_rows,
)
from linkwork.elements.joints.prismatic import sliding_axis


class PointOnLine(JointKind):
    name = "point_on_line"
    letter = "L"
    axis_on_parent = True
    axes: ClassVar = {"planar": 1, "spatial": 1}

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        slide = Freedom("position", "position_rate", "length")
        return (slide, Freedom("angle", "angle_rate", "angle")) if space.planar else (slide, *SPINS)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        if space.planar:
            return Frame.planar(ca.vertcat(q[0], 0), q[1])
        return Frame(ca.vertcat(0, 0, q[0]), self.orientation.axes(q[1:]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        d, k = space.dimension, space.rotations
        rotation = ca.SX.eye(1) if space.planar else self.orientation.axes(q[1:])
        slide = ca.SX.eye(d)[:, sliding_axis(space)]
        return ca.horzcat(slide, ca.SX(d, k)), ca.horzcat(ca.SX(k, 1), rotation)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return slide_rows(space, a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        slide = Measure(value=gap_along(a, b, sliding_axis(space)))
        return (slide, angle_about_z(space, a, b)) if space.planar else (slide,)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((a.axis(1),) if space.planar else (a.axis(0), a.axis(1)), ())
