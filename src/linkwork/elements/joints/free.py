"""The absence of a joint: all relative motions. It carries a body that is not connected to the ground.

Plane: x, y, angle. Space: position in the parent's axes and orientation, by default as a unit quaternion; the velocities
are those of the origin in the parent's axes and the angular velocity in the child's axes.
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
)


class Free(JointKind):
    name = "free"
    axes: ClassVar = {"planar": 0, "spatial": 0}

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        shifts = tuple(Freedom(axis, f"v{axis}", "length") for axis in space.axis_names)
        return (*shifts, Freedom("angle", "speed", "angle")) if space.planar else (*shifts, *SPINS)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        if space.planar:
            return Frame.planar(q[:2], q[2])
        return Frame(q[:3], self.orientation.axes(q[3:]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        d, k = space.dimension, space.rotations
        rotation = ca.SX.eye(1) if space.planar else self.orientation.axes(q[3:])
        return ca.horzcat(ca.SX.eye(d), ca.SX(d, k)), ca.horzcat(ca.SX(k, d), rotation)

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return []

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        shifts = tuple(Measure(value=gap_along(a, b, i)) for i in range(space.dimension))
        return (*shifts, angle_about_z(space, a, b)) if space.planar else shifts

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((), ())
