"""The rotation matrix itself: nine numbers, column by column, six conditions AᵀA = 1, no singularity.

Ȧ = A ω̃; the columns a, b, c change by ȧ = ω_z b − ω_y c and so on in turn. A moved matrix is made orthonormal column by
column.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.algebra.orientations.base import Array, Orientation


class RotationMatrixOrientation(Orientation):
    name = "rotation_matrix"
    summary = "the nine entries of the rotation matrix, column by column: no singularity"
    names = tuple(f"{column}{row}" for column in ("i", "j", "k") for row in "xyz")

    def axes(self, e: ca.SX) -> ca.SX:
        return ca.reshape(e, 3, 3)

    def rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        return ca.vec(self.axes(e) @ ca.skew(omega))

    def retract(self, e: ca.SX, delta: ca.SX) -> ca.SX:
        moved = self.axes(e + self.rates(e, delta))
        first = moved[:, 0] / ca.norm_2(moved[:, 0])
        rest = moved[:, 1] - ca.dot(first, moved[:, 1]) * first
        second = rest / ca.norm_2(rest)
        return ca.vertcat(first, second, ca.cross(first, second))

    def conditions(self, e: ca.SX) -> tuple[tuple[str, ca.SX], ...]:
        a = self.axes(e)
        lengths = [(f"length of {'ijk'[i]}", (ca.dot(a[:, i], a[:, i]) - 1) / 2) for i in range(3)]
        pairs = ((0, 1), (1, 2), (2, 0))
        return (*lengths, *((f"angle of {'ijk'[i]} and {'ijk'[j]}", ca.dot(a[:, i], a[:, j])) for i, j in pairs))

    def read(self, axes: ca.SX, near: ca.SX) -> ca.SX:
        return ca.vec(axes)

    def coordinates(self, axes: Array) -> Array:
        return np.asarray(axes, dtype=np.float64).ravel(order="F")
