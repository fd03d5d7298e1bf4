"""Fixed joint: no relative motion."""

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
    joint_row,
    point_rows,
    turn_directions,
    turn_row,
    without_turn,
    world_directions,
)


class Fixed(JointKind):
    name = "fixed"
    axes: ClassVar = {"planar": 0, "spatial": 0}
    shares_point = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return ()

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame.identity(space.dimension)

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return ca.SX(space.dimension, 0), ca.SX(space.rotations, 0)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        rows = point_rows(space, a, b)
        if space.planar:
            return [*rows, turn_row(space, a, b)]
        rows.append(joint_row("rotation about x", "lock", ca.dot(a.axis(2), b.axis(1))))
        rows.append(joint_row("rotation about y", "lock", ca.dot(a.axis(0), b.axis(2))))
        return without_turn(a, b, [*rows, turn_row(space, a, b)])

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return ()

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), turn_directions(space, a))
