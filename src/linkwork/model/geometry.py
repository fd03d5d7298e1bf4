"""Values of formulas in the declarations of bodies, and what a rotation turns into.

Whoever has values for formulas may ask: the topology with symbols for the live parameters, the checks with numbers.
"""

from __future__ import annotations

from typing import Protocol

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_x, about_y, about_z, from_quaternion, nearest_rotation
from linkwork.algebra.space import Space
from linkwork.model.rotation import AxisAngle, PlanarAngle, Quaternion, RollPitchYaw, Rotation, RotationMatrix


class Values(Protocol):
    """Gives the values of formulas of parameters."""

    @property
    def space(self) -> Space: ...
    def value(self, expression: Expression) -> ca.SX: ...
    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX: ...


def turned(values: Values, rotation: Rotation | None) -> Frame:
    """A frame at the origin with the axes that a *rotation* says."""
    zero = ca.SX(values.space.dimension, 1)
    match rotation:
        case PlanarAngle(angle):
            return Frame.planar(zero, values.value(angle))
        case AxisAngle(axis, angle):
            direction = values.vector(axis)
            k, turn = ca.skew(direction / ca.norm_2(direction)), values.value(angle)
            return Frame(zero, ca.SX.eye(3) + ca.sin(turn) * k + (1 - ca.cos(turn)) * (k @ k))
        case Quaternion(wxyz):
            e = values.vector(wxyz)
            return Frame(zero, from_quaternion(e / ca.norm_2(e)))
        case RollPitchYaw(roll, pitch, yaw):
            angles = [values.value(angle) for angle in (roll, pitch, yaw)]
            return Frame(zero, about_z(angles[2]) @ about_y(angles[1]) @ about_x(angles[0]))
        case RotationMatrix(rows):
            given = ca.vertcat(*[values.vector(row).T for row in rows])
            return Frame(zero, given if not given.is_constant() else ca.SX(nearest_rotation(np.array(ca.DM(given)))))
    return Frame.identity(values.space.dimension)
