"""The rotation vector θ from an orientation nearby: canonical coordinates of the group of rotations.

    A = A₀ exp(θ̃),   θ̇ = dexp⁻¹(θ) ω = ω + ½ θ × ω + c θ × (θ × ω),   c = (1 − ½ φ cot ½ φ) / φ²,   φ = |θ|,

with ω in body axes. A₀ is the unit quaternion of the chart, which has no rate; ``reframe`` takes A for A₀ and 0 for θ. Done
after every step, it makes the Munthe-Kaas method of every Runge-Kutta method (H. Munthe-Kaas, High order Runge-Kutta methods
on manifolds, Applied Numerical Mathematics 29, 1999; A. Iserles et al., Lie-group methods, Acta Numerica 9, 2000, section
4): the orientation moves by products of unit quaternions, needs no projection and is a rotation inside the step too, and a
turn at a constant ω is exact. Done only where θ becomes long, it seldom troubles methods that remember earlier steps.

With z = φ²/4 all is made of three functions without singularities, summed as power series, which are exact to rounding up
to a whole turn:  C = cos √z,  S = sin √z / √z  and  U = (S − C) / z,  exp = (C, ½ S θ) as a quaternion,  c = U / (4 S).
"""

from __future__ import annotations

from math import factorial
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.orientations.base import Array, Orientation
from linkwork.algebra.rotations import from_quaternion, matrix_to_quaternion, near_quaternion, quaternion_rate

TERMS = 14  # of the series; z^14 / 28! < 3e-16 at a whole turn
COSINE = [(-1) ** k / factorial(2 * k) for k in range(TERMS)]
SINE = [(-1) ** k / factorial(2 * k + 1) for k in range(TERMS)]
DIFFERENCE = [(-1) ** k * (2 * k + 2) / factorial(2 * k + 3) for k in range(TERMS)]


class Exponential(Orientation):
    name = "exponential"
    summary = "the rotation vector from the orientation at the start of a step: Lie-group steps; no singularity"
    names = ("theta_x", "theta_y", "theta_z", "chart0", "chart1", "chart2", "chart3")
    limit: ClassVar[float] = 0.0  # rad, how long θ may be at the end of a step

    def axes(self, e: ca.SX) -> ca.SX:
        return from_quaternion(self.quaternion(e))

    def rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        theta, turned = e[:3], ca.cross(e[:3], omega)
        z = ca.dot(theta, theta) / 4
        c = _series(DIFFERENCE, z) / (4 * _series(SINE, z))
        return ca.vertcat(omega + turned / 2 + c * ca.cross(theta, turned), ca.SX(4, 1))

    def retract(self, e: ca.SX, delta: ca.SX) -> ca.SX:
        moved = e + self.rates(e, delta)
        return ca.vertcat(moved[:3], moved[3:] / ca.norm_2(moved[3:]))

    def reframe(self, e: ca.SX) -> tuple[ca.SX, ca.SX]:
        leaves = ca.dot(e[:3], e[:3]) > self.limit**2
        start = self.quaternion(e)
        # a product of unit quaternions is one but for rounding, which would add up over many steps of one size
        start = start * (3 - ca.dot(start, start)) / 2
        return ca.if_else(leaves, ca.vertcat(ca.SX(3, 1), start), e), leaves

    def read(self, axes: ca.SX, near: ca.SX) -> ca.SX:
        return ca.vertcat(ca.SX(3, 1), near_quaternion(axes, self.quaternion(near)))

    def coordinates(self, axes: Array) -> Array:
        return np.concatenate([np.zeros(3), matrix_to_quaternion(axes)])

    def quaternion(self, e: ca.SX) -> ca.SX:
        theta, start = e[:3], e[3:]
        z = ca.dot(theta, theta) / 4
        return _series(COSINE, z) * start + _series(SINE, z) * quaternion_rate(start, theta)

    def of_quaternion(self, quaternion: ca.SX, near: ca.SX) -> ca.SX:
        return ca.vertcat(ca.SX(3, 1), quaternion)


class RotationVector(Exponential):
    name = "rotation_vector"
    summary = "the rotation vector from an orientation nearby, which is taken anew when the vector is 1.5 rad long"
    limit = 1.5


def _series(coefficients: list[float], z: ca.SX) -> ca.SX:
    """Σ_k c_k z^k."""
    value = ca.SX(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * z + coefficient
    return value
