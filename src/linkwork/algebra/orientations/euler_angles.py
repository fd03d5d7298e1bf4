"""Euler angles: precession φ about z, nutation θ about the new x, spin ψ about the new z.

Ā = R_z(φ) R_x(θ) R_z(ψ) (3-1-3; García de Jalón and Bayo, section 2.2.2). With ω in body axes

    φ̇ = (ω_x sin ψ + ω_y cos ψ) / sin θ,   θ̇ = ω_x cos ψ − ω_y sin ψ,   ψ̇ = ω_z − φ̇ cos θ,

singular where the body's z axis stands along the z axis of the frame.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.orientations.charted import ChartedOrientation
from linkwork.algebra.rotations import about_x, about_z
from linkwork.algebra.turns import angle_near


class EulerAngles(ChartedOrientation):
    name = "euler_angles"
    summary = "precession, nutation and spin: angles about z, the new x and the new z; re-framed when z nears the axis"
    names = ("phi", "theta", "psi", "chart")
    turn = (0.0, 1.0)

    def plain_axes(self, e: ca.SX) -> ca.SX:
        return about_z(e[0]) @ about_x(e[1]) @ about_z(e[2])

    def plain_rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        c, s = ca.cos(e[2]), ca.sin(e[2])
        precession = (omega[0] * s + omega[1] * c) / ca.sin(e[1])
        return ca.vertcat(precession, omega[0] * c - omega[1] * s, omega[2] - precession * ca.cos(e[1]))

    def plain_read(self, axes: ca.SX, near: ca.SX | None) -> ca.SX:
        sine = ca.sqrt(axes[0, 2] ** 2 + axes[1, 2] ** 2)
        guess = ca.SX(3, 1) if near is None else near
        turns = ((-axes[1, 2], axes[0, 2]), (axes[2, 2], sine), (axes[2, 1], axes[2, 0]))
        return ca.vertcat(*[angle_near(turn, guess[i]) for i, turn in enumerate(turns)])

    def regularity(self, axes: ca.SX) -> ca.SX:
        return axes[0, 2] ** 2 + axes[1, 2] ** 2
