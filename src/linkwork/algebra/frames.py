"""Frames, an origin and a set of orthonormal axes, and their velocities, on expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.rotations import planar_rotation
from linkwork.algebra.space import Space
from linkwork.algebra.written import written


@written((2, 1), (2, 2), (2, 1))
def _planar_point(origin: ca.SX, axes: ca.SX, local: ca.SX) -> list[ca.SX]:
    return [origin + axes @ local]


@written((3, 1), (3, 3), (3, 1))
def _spatial_point(origin: ca.SX, axes: ca.SX, local: ca.SX) -> list[ca.SX]:
    return [origin + axes @ local]


@written((2, 1), (2, 2), (1, 1), (2, 1), (1, 1))
def _planar_frame(origin: ca.SX, axes: ca.SX, angle: ca.SX, local: ca.SX, turned: ca.SX) -> list[ca.SX]:
    """Origin, axes and angle of a frame that is seen from another one."""
    return [origin + axes @ local, planar_rotation(angle + turned), angle + turned]


@dataclass(frozen=True, eq=False)
class Frame:
    """Axes (columns of ``axes``, d × d) at ``origin`` (d), seen from another frame.

    In the plane a frame that is given by its angle keeps it: the angle counts turns, and the sum of two angles needs one
    sine and one cosine only.

    seat: of a body that changes its shape, where a place of it is now in this frame; None: where it is drawn
    """

    origin: ca.SX
    axes: ca.SX
    angle: ca.SX | None = None
    seat: Callable[[Frame], Frame] | None = None

    @staticmethod
    def planar(origin: ca.SX, angle: ca.SX) -> Frame:
        return Frame(origin, planar_rotation(angle), angle)

    @staticmethod
    def identity(dimension: int) -> Frame:
        angle = ca.SX(1, 1) if dimension == 2 else None
        return Frame(ca.SX(dimension, 1), ca.SX.eye(dimension), angle)

    def point(self, local: ca.SX) -> ca.SX:
        """Position of a point with coordinates *local* in this frame."""
        if self.seat is not None:
            local = self.seat(Frame(local, ca.SX.eye(local.numel()))).origin
        return (_planar_point if self.origin.numel() == 2 else _spatial_point)(self.origin, self.axes, local)[0]

    def vector(self, local: ca.SX) -> ca.SX:
        """Components of a direction with components *local* in this frame."""
        return self.axes @ local

    def __matmul__(self, inner: Frame) -> Frame:
        """The frame *inner*, given in this frame, seen from where this frame is seen."""
        if self.seat is not None:
            return Frame(self.origin, self.axes, self.angle) @ self.seat(inner)
        if self.angle is not None and inner.angle is not None:
            origin, axes, angle = _planar_frame(self.origin, self.axes, self.angle, inner.origin, inner.angle)
            return Frame(origin, axes, angle)
        origin = self.point(inner.origin)
        return Frame(origin, self.axes @ inner.axes)

    def inverse(self) -> Frame:
        """This frame's outside, seen from this frame."""
        if self.angle is not None:
            axes = planar_rotation(-self.angle)
            return Frame(-(axes @ self.origin), axes, -self.angle)
        return Frame(-(self.axes.T @ self.origin), self.axes.T)

    def axis(self, i: int) -> ca.SX:
        return self.axes[:, i]


@dataclass(frozen=True, eq=False)
class Twist:
    """Velocity (d) of a body's origin and angular velocity (k), world axes, as expressions."""

    velocity: ca.SX
    omega: ca.SX

    def at(self, space: Space, arm: ca.SX) -> ca.SX:
        """The velocity of the point that is *arm* (d, world axes) away from the origin and moves with the body."""
        return self.velocity + space.turn(self.omega, arm)
