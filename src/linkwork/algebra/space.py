"""The plane and the space behind one interface, on CasADi SX expressions.

A vector is an SX column of length ``dimension`` (2 or 3). A rotation vector (angular velocity, moment) is an SX column
of length ``rotations`` (1 or 3): in the plane it is the component along the axis that points at the reader. An inertia
is ``rotations`` × ``rotations``. With these few products every formula of rigid-body mechanics is written once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from linkwork.algebra.written import written
from linkwork.arrays import Array


@written((1, 1), (2, 1))
def _turned(omega: ca.SX, r: ca.SX) -> list[ca.SX]:
    return [ca.vertcat(-omega * r[1], omega * r[0])]


@written((2, 1), (2, 1))
def _moment(r: ca.SX, f: ca.SX) -> list[ca.SX]:
    return [r[0] * f[1] - r[1] * f[0]]


@dataclass(frozen=True)
class Space:
    """Products of vectors and rotation vectors in the plane or in space."""

    name: str
    dimension: int
    rotations: int

    @property
    def freedoms(self) -> int:
        """Freedoms of one rigid body: 3 or 6."""
        return self.dimension + self.rotations

    @property
    def planar(self) -> bool:
        return self.dimension == 2

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the components of a vector."""
        return ("x", "y", "z")[: self.dimension]

    @property
    def turn_names(self) -> tuple[str, ...]:
        """Names of the components of a rotation vector."""
        return ("z",) if self.planar else ("x", "y", "z")

    def turn(self, omega: ca.SX, r: ca.SX) -> ca.SX:
        """ω × r: velocity of the end of *r* when it turns with *omega*."""
        if self.planar:
            return _turned(omega, r)[0]
        return ca.cross(omega, r)

    def moment(self, r: ca.SX, f: ca.SX) -> ca.SX:
        """r × f: moment of the force *f* that acts at *r*."""
        if self.planar:
            return _moment(r, f)[0]
        return ca.cross(r, f)

    def gyroscopic(self, inertia: ca.SX, omega: ca.SX) -> ca.SX:
        """ω × (I ω); zero in the plane."""
        if self.planar:
            return ca.SX(1, 1)
        return ca.cross(omega, inertia @ omega)

    def rotate_inertia(self, axes: ca.SX, inertia: ca.SX) -> ca.SX:
        """R I Rᵀ: inertia in world axes of a body whose axes are the columns of *axes*."""
        if self.planar:
            return inertia
        return axes @ inertia @ axes.T

    def steiner(self, mass: ca.SX, r: ca.SX) -> ca.SX:
        """m (r·r 1 − r rᵀ): inertia about the origin of a point mass at *r*."""
        if self.planar:
            return mass * ca.dot(r, r)
        return mass * (ca.dot(r, r) * ca.SX.eye(3) - r @ r.T)

    def shift_inertia(self, inertia: ca.SX, mass: ca.SX, first: ca.SX, shift: ca.SX) -> ca.SX:
        """Inertia about a point *shift* behind the present one, of a system with first moment *first* about that one.

        I' = I + m (d·d 1 − d dᵀ) + 2 (c·d) 1 − c dᵀ − d cᵀ, with d = shift and c = Σ m r.
        """
        moved = inertia + self.steiner(mass, shift)
        if self.planar:
            return moved + 2 * ca.dot(first, shift)
        return moved + 2 * ca.dot(first, shift) * ca.SX.eye(3) - first @ shift.T - shift @ first.T


PLANAR = Space("planar", 2, 1)
SPATIAL = Space("spatial", 3, 3)


def space_named(name: str) -> Space:
    """Return the space called *name* ('planar' or 'spatial')."""
    return PLANAR if name == "planar" else SPATIAL


def column(values: ca.SX | np.ndarray | list | tuple) -> ca.SX:
    """Return *values* as an SX column; exact zeros become structural zeros, so that products with them vanish."""
    return ca.sparsify(ca.vertcat(*[ca.SX(value) for value in values])) if not isinstance(values, ca.SX) else values


def numbers(expression: ca.SX) -> Array:
    """An expression without symbols as an array of its shape."""
    entries: list[Any] = expression.elements()
    values = np.array([float(entry) for entry in entries], dtype=np.float64)
    return np.ascontiguousarray(values.reshape(expression.shape, order="F"))
