"""Prismatic joint (P): one translation along a common axis, no rotation."""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    Directions,
    Freedom,
    JointKind,
    Measure,
    axis_rows,
    slide_rows,
    turn_directions,
    turn_row,
    without_turn,
)


def sliding_axis(space: Space) -> int:
    """Index of the joint axis along which a prismatic joint slides: x in the plane, z in space."""
    return 0 if space.planar else 2


class Prismatic(JointKind):
    name = "prismatic"
    letter = "P"
    axes: ClassVar = {"planar": 1, "spatial": 1}
    shares_axis = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("position", "speed", "length"),)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        still = Frame.identity(space.dimension)
        return Frame(still.axes[:, sliding_axis(space)] * q[0], still.axes, still.angle)

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return ca.SX.eye(space.dimension)[:, sliding_axis(space)], ca.SX(space.rotations, 1)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        rows = slide_rows(space, a, b)
        if space.planar:
            return [*rows, turn_row(space, a, b)]
        return without_turn(a, b, [*rows, *axis_rows(a, b), turn_row(space, a, b)])

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (Measure(value=ca.dot(a.axis(sliding_axis(space)), b.origin - a.origin)),)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        across = (1,) if space.planar else (0, 1)
        return Directions(tuple(a.axis(i) for i in across), turn_directions(space, a))
