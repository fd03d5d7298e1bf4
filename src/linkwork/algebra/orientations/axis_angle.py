"""Axis and angle: the unit vector u about which, and the angle φ by which the body is turned.

Ā = 1 + sin φ ũ + (1 − cos φ) ũ² (García de Jalón and Bayo, section 2.2.2). With ω in body axes

    φ̇ = u·ω,   u̇ = ½ (u × ω + cot(φ/2) (ω − (u·ω) u)),

which follows from the rate of the quaternion (cos φ/2, u sin φ/2); singular where φ is a whole turn.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.orientations.charted import ChartedOrientation
from linkwork.algebra.rotations import to_quaternion


class AxisAngleOrientation(ChartedOrientation):
    name = "axis_angle"
    summary = "the unit vector and the angle of a single rotation; re-framed when the angle nears a whole turn"
    names = ("ux", "uy", "uz", "phi", "chart")
    turn = (-1.0, 0.0)

    def plain_axes(self, e: ca.SX) -> ca.SX:
        u = e[:3]
        c, s = ca.cos(e[3]), ca.sin(e[3])
        return c * ca.SX.eye(3) + s * ca.skew(u) + (1 - c) * (u @ u.T)

    def plain_rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        u, along = e[:3], ca.dot(e[:3], omega)
        return ca.vertcat((ca.cross(u, omega) + (omega - along * u) / ca.tan(e[3] / 2)) / 2, along)

    def retract(self, e: ca.SX, delta: ca.SX) -> ca.SX:
        moved = e + self.rates(e, delta)
        return ca.vertcat(moved[:3] / ca.norm_2(moved[:3]), moved[3:])

    def conditions(self, e: ca.SX) -> tuple[tuple[str, ca.SX], ...]:
        return (("length of the axis", (ca.dot(e[:3], e[:3]) - 1) / 2),)

    def plain_read(self, axes: ca.SX, near: ca.SX | None) -> ca.SX:
        quaternion = to_quaternion(axes)
        if near is not None:
            guess = ca.vertcat(ca.cos(near[3] / 2), near[:3] * ca.sin(near[3] / 2))
            quaternion = quaternion * ca.if_else(ca.dot(quaternion, guess) < 0, -1, 1)
        sine = ca.norm_2(quaternion[1:])
        return ca.vertcat(quaternion[1:] / sine, 2 * ca.atan2(sine, quaternion[0]))

    def regularity(self, axes: ca.SX) -> ca.SX:
        return (3 - ca.trace(axes)) / 4
