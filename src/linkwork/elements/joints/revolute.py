"""Revolute joint (R): one rotation about a common axis through a common point."""

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
    point_rows,
    turn_directions,
    world_directions,
)


class Revolute(JointKind):
    name = "revolute"
    letter = "R"
    axes: ClassVar = {"planar": 0, "spatial": 1}
    shares_point = True
    shares_axis = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("angle", "speed", "angle"),)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        if space.planar:
            return Frame.planar(ca.SX(2, 1), q[0])
        return Frame(ca.SX(3, 1), about_z(q[0]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        rotation = ca.SX(1) if space.planar else ca.SX.eye(3)[:, 2]
        return ca.SX(space.dimension, 1), rotation

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return point_rows(space, a, b) + ([] if space.planar else axis_rows(a, b))

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (angle_about_z(space, a, b),)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), () if space.planar else turn_directions(space, a)[:2])
