"""The contract of a kind of body: where its places are, how it resists, what it weighs, and what it has for itself.

A kind of coordinates says how the frame of a body moves, its *carrier*, and with it the coordinates s that the kind has for
itself: they have inertia, unlike the unknowns of relations. The kind says where a place of the body is then and how fast it
moves, a *marker*. With R the axes of the body and r̄(s) the place in them,

    r = r_o + R r̄,   ṙ = ṙ_o + ω × R r̄ + R ∂r̄/∂s ṡ.

It resists by a block B and loads w, its weight and what is quadratic in velocities, for velocities u of its own choice,
linear in those v of the mechanism. In all coordinates, with J = ∂u/∂v,

    M = Σ Jᵀ B J,   h = Σ Jᵀ (w − B J̇ v).

u begins with the velocity of the centre of mass and the angular velocity: B u begins with the momenta of the body.
What acts along s from inside is a ``Contribution``: efforts, their energy, what they destroy, and readings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, Unknown
from linkwork.elements.inertia import Distribution


def _none() -> ca.SX:
    return ca.SX(0, 1)


@dataclass(frozen=True, eq=False)
class Marker:
    """A place of a body: its frame in the world, the velocity of its origin and its angular velocity."""

    frame: Frame
    twist: Twist


@dataclass(frozen=True, eq=False)
class Carrier:
    """A body as coordinates move it: its frame in the world and the velocity of this; s (n) and ṡ (n), symbols."""

    frame: Frame
    twist: Twist
    own: ca.SX = field(default_factory=_none)
    rates: ca.SX = field(default_factory=_none)

    def follow(self, space: Space, local: ca.SX) -> ca.SX:
        """The velocity of a point r̄(s), in the axes of the body."""
        velocity = self.twist.at(space, self.frame.vector(local))
        if not self.own.numel():
            return velocity
        return velocity + self.frame.vector(ca.jtimes(local, self.own, self.rates))

    def marker(self, space: Space, place: Frame) -> Marker:
        """A place with axes A(s) at r̄(s) in the frame: ω + R ω̄, where ω̄ × = Ȧ Aᵀ."""
        omega = self.twist.omega
        if self.own.numel():
            rate = ca.reshape(ca.jtimes(ca.vec(place.axes), self.own, self.rates), place.axes.shape) @ place.axes.T
            omega = omega + (rate[1, 0] if space.planar else self.frame.vector(ca.inv_skew(rate)))
        return Marker(self.frame @ place, Twist(self.follow(space, place.origin), omega))


@dataclass(frozen=True, eq=False)
class Resistance:
    """u (n): the velocity of the centre of mass (d) and the angular velocity (k) first; B (n × n); w (n)."""

    velocities: ca.SX
    block: ca.SX
    load: ca.SX

    @property
    def momenta(self) -> ca.SX:
        """B u: momentum (d), moment of momentum about the centre of mass (k), and those of ṡ."""
        return self.block @ self.velocities


class BodyKind(ABC):
    """What a kind of body is and does, in its own axes."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def drawn(self) -> Distribution:
        """Mass, centre of mass and inertia of the body as it is drawn, where s = 0."""

    @property
    def matter(self) -> Distribution | None:
        """Of a rigid body: all that there is to know of its mass."""
        return None

    @property
    def is_rigid(self) -> bool:
        return self.matter is not None

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """Coordinates s that it has for itself."""
        return ()

    @property
    def start(self) -> tuple[ca.SX, ca.SX]:
        """s and ṡ at the start, of live parameters."""
        return ca.SX(len(self.unknowns), 1), ca.SX(len(self.unknowns), 1)

    @property
    def mass(self) -> ca.SX:
        """All of it, kg."""
        return self.drawn.mass

    def centre(self, own: ca.SX) -> ca.SX:
        """The centre of mass (d) where s = *own*."""
        return self.drawn.centre

    @abstractmethod
    def released(self, axis: ca.SX, inertia: ca.SX) -> BodyKind:
        """The body without a moment of inertia about an axis, of a rotor that does not turn with it."""

    def seat(self, own: ca.SX, place: Frame) -> Frame:
        """Where a place is in the frame of the body, in the plane with its angle, that is at *place* where s = 0."""
        return place

    @property
    def keeps_shape(self) -> bool:
        """Whether all places stay where they are drawn, whatever s is."""
        return type(self).seat is BodyKind.seat

    def marker(self, space: Space, carrier: Carrier, place: Frame) -> Marker:
        """A place of the body, which is given as it is drawn."""
        return carrier.marker(space, self.seat(carrier.own, place))

    def carried(self, frame: Frame, own: ca.SX) -> Frame:
        """The frame of the body, in which places are where they are now."""
        return frame if self.keeps_shape else replace(frame, seat=lambda place: self.seat(own, place))

    @abstractmethod
    def inertia(self, space: Space, carrier: Carrier, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        """How it resists; *own_axes*: with its angular velocity about its own axes, not those of the world."""

    def weight_potential(self, carrier: Carrier, gravity: ca.SX) -> ca.SX:
        """V = −m g·r_G."""
        return -self.mass * ca.dot(gravity, carrier.frame.point(self.centre(carrier.own)))

    def contribute(self, name: str, carrier: Carrier) -> Contribution:
        """What acts along s from inside, as efforts of the body of this *name*, and what can be read of it."""
        return Contribution()
