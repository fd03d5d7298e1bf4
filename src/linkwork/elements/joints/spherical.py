"""Spherical joint (S, or G for globe): three rotations about a common point.

As a tree joint it carries a unit quaternion (w first, child to parent) and, as velocity, the relative angular velocity
in the axes of the child: q̇ = T(q) v.
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion, quaternion_rate
from linkwork.algebra.space import Space
from linkwork.elements.joints.base import (
    Directions,
    Freedom,
    JointKind,
    Measure,
    Row,
    point_rows,
    world_directions,
)

SPINS = tuple(Freedom(f"spin{axis}", f"spin{axis}", "spin") for axis in "xyz")


def retract_quaternion(e: ca.SX, delta: ca.SX) -> ca.SX:
    """e turned by the small body-fixed rotation vector *delta*, scaled back to unit length."""
    moved = e + quaternion_rate(e, delta)
    return moved / ca.norm_2(moved)


class Spherical(JointKind):
    name = "spherical"
    letter = "G"
    axes: ClassVar = {"spatial": 0}
    shares_point = True

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return SPINS

    def count_positions(self, space: Space) -> int:
        return 4

    def neutral(self, space: Space) -> ca.SX:
        return ca.SX([1, 0, 0, 0])

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.SX(3, 1), from_quaternion(q))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        return ca.SX(3, 3), from_quaternion(q)

    def rates(self, space: Space, q: ca.SX, v: ca.SX) -> ca.SX:
        return quaternion_rate(q, v)

    def retract(self, space: Space, q: ca.SX, delta: ca.SX) -> ca.SX:
        return retract_quaternion(q, delta)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Row]:
        return point_rows(space, a, b)

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return ()

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions(world_directions(space), ())

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        return tuple((ca.SX(3, 1), b.axis(i)) for i in range(3))
