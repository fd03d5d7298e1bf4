"""The contract of a kind of body: where its places are, how it resists, and what it weighs.

A kind of coordinates says how the frame of a body moves, its *carrier*. The kind of body says where a place of it is then
and how fast it moves, a *marker*. It resists by a block B and loads w, its weight and what is quadratic in velocities, for
velocities u of its own choice, linear in those v of the mechanism. In all coordinates, with J = ∂u/∂v,

    M = Σ Jᵀ B J,   h = Σ Jᵀ (w − B J̇ v).

Coordinates that describe rigid bodies alone ask for ``matter``, and refuse bodies without it by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.elements.inertia import Distribution


@dataclass(frozen=True, eq=False)
class Marker:
    """A place of a body: its frame in the world, the velocity of its origin and its angular velocity."""

    frame: Frame
    twist: Twist


@dataclass(frozen=True, eq=False)
class Resistance:
    """u (n): the velocity of the centre of mass (d) and the angular velocity (k) first; B (n × n); w (n)."""

    velocities: ca.SX
    block: ca.SX
    load: ca.SX


class BodyKind(ABC):
    """What a kind of body is and does, in its own axes."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def mass(self) -> ca.SX:
        """All of it, kg."""

    @property
    @abstractmethod
    def centre(self) -> ca.SX:
        """The centre of mass (d) of the body as it is drawn."""

    @property
    def matter(self) -> Distribution | None:
        """Of a rigid body: all that there is to know of its mass."""
        return None

    @abstractmethod
    def released(self, axis: ca.SX, inertia: ca.SX) -> BodyKind:
        """The body without a moment of inertia about an axis, of a rotor that does not turn with it."""

    @abstractmethod
    def marker(self, space: Space, carrier: Marker, place: Frame) -> Marker:
        """A place of the body, which is given as it is drawn."""

    @abstractmethod
    def inertia(self, space: Space, carrier: Marker, gravity: ca.SX, own_axes: bool = False) -> Resistance:
        """How it resists; *own_axes*: with its angular velocity about its own axes, not those of the world."""
