"""The contract of a declared force: its keys, what it demands of the rest of the model, and how it comes to act.

A declaration reads what it needs from the scene, by the names of the model, and hands it to the mechanics in
``elements/forces``. What the scene gives are expressions, in any kind of coordinates.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, JointCoordinate, MeasuredAngle, Solid, Station
from linkwork.elements.drawings import Drawings, Pen
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import Element
from linkwork.model.fields import VectorOfExpressions
from linkwork.model.relations.base import Sketch


class Scene(Protocol):
    """What a force may ask about the mechanism on which it acts."""

    @property
    def space(self) -> Space:
        """The plane or the space."""
        ...

    @property
    def sketch(self) -> Sketch:
        """The mechanism as it is drawn."""
        ...

    @property
    def time(self) -> ca.SX:
        """The symbol of the time."""
        ...

    @property
    def parameters(self) -> Collection[str]:
        """The names of all parameters."""
        ...

    @property
    def turning(self) -> ca.SX:
        """The angular velocity of a ground that moves."""
        ...

    def value(self, expression: Expression, local: Mapping[str, ca.SX] | None = None) -> ca.SX:
        """A formula of the declaration; *local* are the names that the element itself gives."""
        ...

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        """Several formulas, as a column."""
        ...

    def station(self, reference: str, body: str | None = None) -> Station:
        """A point, with its velocity."""
        ...

    def never_part(self, between: tuple[str, str]) -> bool:
        """Whether joints hold two points together at all times."""
        ...

    def solid(self, body: str, point: str | None = None) -> Solid:
        """A body, or a place of it at a point, with its angular velocity."""
        ...

    def is_ball(self, joint: str) -> bool:
        """Whether a joint leaves three rotations free that are nobody's coordinates."""
        ...

    def sides(self, joint: str) -> tuple[Solid, Solid]:
        """Parent and child of a joint, at their places of it."""
        ...

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        """A joint coordinate, with its rate."""
        ...

    def drawn_length(self, between: tuple[str, str]) -> ca.SX:
        """The distance of two points in the mechanism as it is drawn, with all joints closed."""
        ...

    def drawn_angle(self, joint: str, freedom: str | None) -> ca.SX:
        """An angle of a joint there; of those that differ by turns the nearest to the start, where none was asked for."""
        ...

    def drawn_turn(self, bodies: tuple[str, str]) -> ca.SX:
        """The angle there of the second of two bodies of the plane less that of the first, likewise."""
        ...

    def angle(self, joint: str, freedom: str | None) -> MeasuredAngle:
        """An angle of a joint."""
        ...

    def angle_between(self, bodies: tuple[str, str]) -> MeasuredAngle:
        """The angle of the second of two bodies of the plane less that of the first."""
        ...

    def turns_beyond(self, angle: MeasuredAngle, given: ca.SX) -> ca.SX:
        """By how many whole turns an angle starts beyond a constant one."""
        ...

    def turns_into(self, angle: MeasuredAngle, low: ca.SX, high: ca.SX) -> ca.SX:
        """How many whole turns bring an angle into a range where it starts; none if it is there, or if none do."""
        ...

    def multiplier(self, element: str, component: str = "") -> ca.SX:
        """The force (N) or moment (N·m) with which a condition pushes, of a joint on its child; loads are affine in it.

        component: which of the conditions of the element, where it has several: 'position along y' of a slide
        """
        ...


class AppliedForce(Element):
    """Base of the declarations of forces."""

    @abstractmethod
    def contribute(self, scene: Scene) -> Contribution:
        """What the force does in a mechanism."""

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        """Faults that show when the rest of the model is known."""
        yield from ()

    @property
    def joints(self) -> tuple[str, ...]:
        """Joints whose coordinates the force reads or works on."""
        return ()

    @property
    def pointwise(self) -> bool:
        """Whether it acts at points only, in directions that turn with no body."""
        return False

    @property
    def carried(self) -> tuple[str, VectorOfExpressions, Expression] | None:
        """A body, an axis in it, and the moment of inertia about the axis that does not turn with the body."""
        return None

    def drawings(self, pen: Pen) -> Drawings:
        """What is drawn of it."""
        return Drawings()
