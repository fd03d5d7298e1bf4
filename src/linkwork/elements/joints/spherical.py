"""Spherical joint (S, or G for globe): three rotations about a common point."""

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
    point_rows,
    world_directions,
)


class Spherical(JointKind):
    name = "spherical"
    letter = "G"
    axes: ClassVar = {"spatial": 0}
    shares_point = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return SPINS

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.SX(3, 1), self.orientation.axes(q))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return ca.SX(3, 3), self.orientation.axes(q)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return point_rows(space, a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return ()

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), ())
