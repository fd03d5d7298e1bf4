"""A rigid body: every place keeps its distance from every other.

With the centre of mass at c in the axes of the body and ω its angular velocity,

    u = (ṙ_G, ω),   ṙ_G = ṙ + ω × R c,   B = diag(m 1, I),   w = (m g, −ω × I ω).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.bodies.base import BodyKind, Carrier, Resistance
from linkwork.elements.inertia import Distribution


@dataclass(frozen=True, eq=False)
class Rigid(BodyKind):
    """A body that is nothing but its mass and inertia."""

    name: ClassVar[str] = "rigid"

    distribution: Distribution

    @property
    def drawn(self) -> Distribution:
        return self.distribution

    @property
    def matter(self) -> Distribution:
        return self.distribution

    def released(self, axis: ca.SX, inertia: ca.SX) -> Rigid:
        left = self.distribution.inertia - inertia * (axis @ axis.T)
        return Rigid(replace(self.distribution, inertia=left))

    def inertia(self, space: Space, carrier: Carrier, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        omega, axes = carrier.twist.omega, carrier.frame.axes
        if own_axes:
            matter, spin = self.distribution, omega if space.planar else axes.T @ omega
        else:
            matter, spin = self.distribution.seen(space, axes), omega
        velocity = carrier.follow(space, self.distribution.centre)
        return Resistance(ca.vertcat(velocity, spin), matter.block(space), matter.load(space, gravity, spin))
