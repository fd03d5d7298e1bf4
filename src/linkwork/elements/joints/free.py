"""The absence of a joint: all relative motions. It carries a body that is not connected to the ground.

Plane: x, y, angle. Space: position in the parent's axes and a unit quaternion; the velocities are those of the origin
in the parent's axes and the angular velocity in the child's axes.
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion, quaternion_rate
from linkwork.algebra.space import Space
from linkwork.elements.joints.base import Directions, Freedom, JointKind, Measure, Row
from linkwork.elements.joints.spherical import SPINS, retract_quaternion


class Free(JointKind):
    name = "free"
    axes: ClassVar = {"planar": 0, "spatial": 0}

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        shifts = tuple(Freedom(axis, f"v{axis}", "length") for axis in space.axis_names)
        return (*shifts, Freedom("angle", "speed", "angle")) if space.planar else (*shifts, *SPINS)

    def count_positions(self, space: Space) -> int:
        return 3 if space.planar else 7

    def neutral(self, space: Space) -> ca.SX:
        return ca.SX(3, 1) if space.planar else ca.SX([0, 0, 0, 1, 0, 0, 0])

    def motion(self, space: Space, q: ca.SX) -> Frame:
        if space.planar:
            return Frame.planar(q[:2], q[2])
        return Frame(q[:3], from_quaternion(q[3:]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        d, k = space.dimension, space.rotations
        rotation = ca.SX.eye(1) if space.planar else from_quaternion(q[3:])
        return ca.horzcat(ca.SX.eye(d), ca.SX(d, k)), ca.horzcat(ca.SX(k, d), rotation)

    def rates(self, space: Space, q: ca.SX, v: ca.SX) -> ca.SX:
        return v if space.planar else ca.vertcat(v[:3], quaternion_rate(q[3:], v[3:]))

    def retract(self, space: Space, q: ca.SX, delta: ca.SX) -> ca.SX:
        if space.planar:
            return q + delta
        return ca.vertcat(q[:3] + delta[:3], retract_quaternion(q[3:], delta[3:]))

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Row]:
        return []

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return ()

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((), ())

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        # forces along the parent's axes; torques about the child's, in which the angular velocity is counted
        none, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
        turns = (ca.SX(1),) if space.planar else tuple(b.axis(i) for i in range(3))
        return (*((a.axis(i), still) for i in range(space.dimension)), *((none, turn) for turn in turns))
