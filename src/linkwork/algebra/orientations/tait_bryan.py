"""Tait-Bryan angles: yaw ψ about z, then pitch θ about the new y, then roll φ about the new x.

Ā = R_z(ψ) R_y(θ) R_x(φ) (García de Jalón and Bayo, section 2.2.2). With ω in body axes

    ψ̇ = (ω_y sin φ + ω_z cos φ) / cos θ,   θ̇ = ω_y cos φ − ω_z sin φ,   φ̇ = ω_x + ψ̇ sin θ,

singular where the body's x axis stands along the z axis of the frame.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.orientations.charted import ChartedOrientation
from linkwork.algebra.rotations import about_x, about_y, about_z
from linkwork.algebra.turns import angle_near


class TaitBryan(ChartedOrientation):
    name = "tait_bryan"
    summary = "yaw, pitch and roll: angles about z, the new y and the new x; re-framed when the pitch nears ±90°"
    names = ("yaw", "pitch", "roll", "chart")
    turn = (0.0, 1.0)

    def plain_axes(self, e: ca.SX) -> ca.SX:
        return about_z(e[0]) @ about_y(e[1]) @ about_x(e[2])

    def plain_rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        c, s = ca.cos(e[2]), ca.sin(e[2])
        yaw = (omega[1] * s + omega[2] * c) / ca.cos(e[1])
        return ca.vertcat(yaw, omega[1] * c - omega[2] * s, omega[0] + yaw * ca.sin(e[1]))

    def plain_read(self, axes: ca.SX, near: ca.SX | None) -> ca.SX:
        cosine = ca.sqrt(axes[0, 0] ** 2 + axes[1, 0] ** 2)
        guess = ca.SX(3, 1) if near is None else near
        turns = ((axes[0, 0], axes[1, 0]), (cosine, -axes[2, 0]), (axes[2, 2], axes[2, 1]))
        return ca.vertcat(*[angle_near(turn, guess[i]) for i, turn in enumerate(turns)])

    def regularity(self, axes: ca.SX) -> ca.SX:
        return axes[0, 0] ** 2 + axes[1, 0] ** 2
