"""A rigid body: every place keeps its distance from every other.

With the centre of mass at c in the axes of the body and ω its angular velocity,

    u = (ṙ_G, ω),   ṙ_G = ṙ + ω × R c,   B = diag(m 1, I),   w = (m g, −ω × I ω).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.elements.bodies.base import BodyKind, Marker, Resistance
from linkwork.elements.inertia import Distribution


def rigid_marker(space: Space, carrier: Marker, place: Frame) -> Marker:
    """A place of a rigid body, or of the ground."""
    omega = carrier.twist.omega
    velocity = carrier.twist.velocity + space.turn(omega, carrier.frame.vector(place.origin))
    return Marker(carrier.frame @ place, Twist(velocity, omega))


@dataclass(frozen=True, eq=False)
class Rigid(BodyKind):
    """A body that is nothing but its mass and inertia."""

    name: ClassVar[str] = "rigid"

    distribution: Distribution

    @property
    def mass(self) -> ca.SX:
        return self.distribution.mass

    @property
    def centre(self) -> ca.SX:
        return self.distribution.centre

    @property
    def matter(self) -> Distribution:
        return self.distribution

    def released(self, axis: ca.SX, inertia: ca.SX) -> Rigid:
        left = self.distribution.inertia - inertia * (axis @ axis.T)
        return Rigid(replace(self.distribution, inertia=left))

    def marker(self, space: Space, carrier: Marker, place: Frame) -> Marker:
        return rigid_marker(space, carrier, place)

    def inertia(self, space: Space, carrier: Marker, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        omega, axes = carrier.twist.omega, carrier.frame.axes
        velocity = carrier.twist.velocity + space.turn(omega, axes @ self.centre)
        if own_axes:
            matter, spin = self.distribution, omega if space.planar else axes.T @ omega
        else:
            matter, spin = self.distribution.seen(space, axes), omega
        return Resistance(ca.vertcat(velocity, spin), matter.block(space), matter.load(space, gravity, spin))
