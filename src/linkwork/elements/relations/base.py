"""The contract of a relation: conditions between the frames of some bodies, which never carry a body by themselves.

A joint can stand in a spanning tree, a relation cannot: it only takes freedoms away. A relation may need unknowns of its
own, such as the place of contact on a curve. They have no inertia: its conditions determine them.

A condition Φ = 0 pushes with λ ∂Φ/∂(displacement) on every body that it depends on. Residuals are scaled so that λ is the
force (or torque) that the relation is known for: the gradient of a length with respect to the point that it is
measured at has size one.

Some conditions restrict velocities and are nobody's derivative (an edge that does not slip sideways, a wheel that rolls):
ψ = A v + a = 0, which pushes with λ ∂ψ/∂(velocity). They are given apart from those that restrict positions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.frames import Frame, Twist
from linkwork.algebra.space import Space
from linkwork.elements.curves import Number

Array = NDArray[np.float64]
Frames = Mapping[str, Frame]
Twists = Mapping[str, Twist]
Formula = Callable[[ca.SX], ca.SX]
"""A function of one number, such as the time."""


@dataclass(frozen=True, eq=False)
class Place:
    """A point fixed in a body, in the axes of the body."""

    body: str
    local: ca.SX

    def world(self, frames: Frames) -> ca.SX:
        return frames[self.body].point(self.local)


def velocity_at(space: Space, frames: Frames, twists: Twists, body: str, world: ca.SX) -> ca.SX:
    """The velocity of the point of a body that is at a place of the world."""
    return twists[body].velocity + space.turn(twists[body].omega, world - frames[body].origin)


@dataclass(frozen=True, eq=False)
class Hinge:
    """A revolute joint between two bodies, with its frames in their axes."""

    parent: str
    child: str
    a: Frame
    b: Frame

    def turn(self, frames: Frames) -> tuple[ca.SX, ca.SX]:
        """Sine and cosine of its angle."""
        a, b = frames[self.parent] @ self.a, frames[self.child] @ self.b
        return ca.dot(a.axis(1), b.axis(0)), ca.dot(a.axis(0), b.axis(0))


@dataclass(frozen=True)
class Unknown:
    """An unknown of a relation; a length (m), or a pure number."""

    name: str
    is_length: bool = False


@dataclass(frozen=True, eq=False)
class Condition:
    """One condition; ``effort`` is the name of what it pushes with, if any: a force (N) where the residual is a length."""

    component: str
    residual: ca.SX
    effort: str = ""
    is_length: bool = True


@dataclass(frozen=True, eq=False)
class Bound:
    """Where a relation ends: it holds as long as ``room`` is not negative; ``end`` says what ends there."""

    end: str
    room: ca.SX


class Relation(ABC):
    """What a relation between bodies is and does."""

    kind: ClassVar[str]
    driving: ClassVar[bool] = False  # whether its conditions count as those of a driver

    @property
    @abstractmethod
    def bodies(self) -> tuple[str, ...]:
        """The bodies that it acts on, the one whose force is reported last; the ground may be among them."""

    @property
    def unknowns(self) -> tuple[Unknown, ...]:
        """Unknowns of its own."""
        return ()

    @abstractmethod
    def conditions(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> tuple[Condition, ...]:
        """What must vanish; *own* are the values of the unknowns, *t* is the time."""

    def rate_conditions(
        self, space: Space, frames: Frames, own: ca.SX, twists: Twists, t: ca.SX
    ) -> tuple[Condition, ...]:
        """What must vanish of the velocities and is no derivative: residuals that are linear in the *twists*."""
        return ()

    def start(self, space: Space, frames: Frames, number: Number) -> Array:
        """Values of the unknowns near which to begin, for frames of constants."""
        return np.zeros(len(self.unknowns))

    def orientation(self, t: ca.SX) -> tuple[Place, ca.SX] | None:
        """The axes in space that it gives to the body of a place at a time, if it does."""
        return None

    def bounds(self, frames: Frames, own: ca.SX) -> tuple[Bound, ...]:
        """Where it ends, for the frames of its bodies and values of its unknowns."""
        return ()

    def efforts(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> Mapping[str, ca.SX]:
        """What it is known to push with, each as a column of weights of the λ of its conditions, those of rates last."""
        still = {body: Twist(ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)) for body in self.bodies}
        conditions = (*self.conditions(space, frames, own, t), *self.rate_conditions(space, frames, own, still, t))
        unit = ca.SX.eye(len(conditions))
        return {condition.effort: unit[:, i] for i, condition in enumerate(conditions) if condition.effort}

    def readings(self, space: Space, frames: Frames, own: ca.SX, t: ca.SX) -> Mapping[str, tuple[str, str, ca.SX]]:
        """Named quantities of a user's interest: name -> (unit, description, value)."""
        return {}

    def outline(self, space: Space, number: Number) -> tuple[tuple[str, Array], ...]:
        """Lines to draw: points (n × d) in the axes of a body each."""
        return ()

    def lines(self) -> tuple[Place, ...]:
        """Points that are joined by straight lines when it is drawn: a rod, a cable."""
        return ()
