"""Euler parameters: a unit quaternion e = (e₀, e₁, e₂, e₃), w first. Four numbers, one condition, no singularity.

A = (2 e₀² − 1) 1 + 2 (e eᵀ + e₀ ẽ) (García de Jalón and Bayo, eq. 2.80); ė = ½ e ⊗ (0, ω).
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.orientations.base import Array, Orientation
from linkwork.algebra.rotations import (
    from_quaternion,
    matrix_to_quaternion,
    near_quaternion,
    quaternion_rate,
    retract_quaternion,
)


class EulerParameters(Orientation):
    name = "euler_parameters"
    summary = "a unit quaternion, w first: no singularity"
    names = ("q0", "q1", "q2", "q3")

    def axes(self, e: ca.SX) -> ca.SX:
        return from_quaternion(e)

    def rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        return quaternion_rate(e, omega)

    def retract(self, e: ca.SX, delta: ca.SX) -> ca.SX:
        return retract_quaternion(e, delta)

    def conditions(self, e: ca.SX) -> tuple[tuple[str, ca.SX], ...]:
        return (("length of the quaternion", (ca.dot(e, e) - 1) / 2),)

    def read(self, axes: ca.SX, near: ca.SX) -> ca.SX:
        return near_quaternion(axes, near)

    def coordinates(self, axes: Array) -> Array:
        return matrix_to_quaternion(axes)

    def quaternion(self, e: ca.SX) -> ca.SX:
        return e

    def of_quaternion(self, quaternion: ca.SX, near: ca.SX) -> ca.SX:
        return quaternion
