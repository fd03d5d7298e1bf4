"""The contract of a relation: conditions between the frames of some bodies, which never carry a body by themselves.

A joint can stand in a spanning tree, a relation cannot: it only takes freedoms away. A relation may need unknowns of its
own, such as the place of contact on a curve, which its conditions determine, or that of a mass, which has inertia.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Contribution, Frames, Place, Placement, Unknown
from linkwork.elements.curves import ToNumbers
from linkwork.elements.drawings import Drawings, Pen

Formula = Callable[[ca.SX], ca.SX]
"""A function of one number, such as the time."""


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
    def contribute(self, at: Placement) -> Contribution:
        """What must vanish, those of positions first; where it ends, and what can be read."""

    def start(self, space: Space, frames: Frames, number: ToNumbers) -> Array:
        """Values of the unknowns near which to begin, for frames of constants."""
        return np.zeros(len(self.unknowns))

    def orientation(self, t: ca.SX) -> tuple[Place, ca.SX] | None:
        """The axes in space that it gives to the body of a place at a time, if it does."""
        return None

    def drawings(self, pen: Pen) -> Drawings:
        """What is drawn of it."""
        return Drawings()
