"""The contract of a parametrisation of orientations, on expressions.

A rotation matrix A (body to reference) is given by coordinates e. The velocity is in every parametrisation the angular
velocity ω in body axes, which is nobody's rate: Ȧ = A ω̃ and ė = T(e) ω. Mass matrices and equations of motion therefore
do not know which parametrisation is used. Where e has more than three numbers they satisfy conditions of their own; the
rates keep these, and ``retract`` returns to them what an integration has lost.

Source: García de Jalón and Bayo, sections 2.1.2 and 2.2.2 (reference-point coordinates), 8.2 (angular velocities as
dependent velocities of their own).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import casadi as ca

from linkwork.algebra.rotations import from_quaternion, to_quaternion
from linkwork.arrays import Array


class Orientation(ABC):
    """One way to write a rotation in coordinates; without state."""

    name: ClassVar[str]
    summary: ClassVar[str]
    names: ClassVar[tuple[str, ...]]  # of the coordinates

    @property
    def count(self) -> int:
        """How many coordinates there are."""
        return len(self.names)

    @abstractmethod
    def axes(self, e: ca.SX) -> ca.SX:
        """A (3 × 3)."""

    @abstractmethod
    def rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        """ė, with the angular velocity *omega* in body axes."""

    def retract(self, e: ca.SX, delta: ca.SX) -> ca.SX:
        """e turned by the small body-fixed rotation vector *delta*, to first order, back on its manifold."""
        return e + self.rates(e, delta)

    def conditions(self, e: ca.SX) -> tuple[tuple[str, ca.SX], ...]:
        """What vanishes on the manifold, by name."""
        return ()

    def reframe(self, e: ca.SX) -> tuple[ca.SX, ca.SX] | None:
        """The same rotation away from a singularity, and whether that is another e; None: there are no singularities."""
        return None

    @abstractmethod
    def read(self, axes: ca.SX, near: ca.SX) -> ca.SX:
        """The coordinates of a rotation matrix, those that lie next to *near*."""

    @abstractmethod
    def coordinates(self, axes: Array) -> Array:
        """The coordinates of a rotation matrix of numbers, away from singularities."""

    def quaternion(self, e: ca.SX) -> ca.SX:
        """The same rotation as a unit quaternion, of either sign."""
        return to_quaternion(self.axes(e))

    def of_quaternion(self, quaternion: ca.SX, near: ca.SX) -> ca.SX:
        """The coordinates of the rotation of a unit quaternion, those that lie next to *near*."""
        return self.read(from_quaternion(quaternion), near)

    def __str__(self) -> str:
        return self.name
