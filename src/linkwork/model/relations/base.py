"""The contract of a declared relation: its keys, what it demands of the rest of the model, and the mechanics it stands for.

A declaration reads what it needs from the sketch, by the names of the model, and hands it to the mechanics in
``elements/relations``. Numbers are expressions of the live parameters, formulas are functions of the time.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Protocol

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import Place
from linkwork.elements.relations.base import Formula, Hinge, Relation
from linkwork.elements.relations.connection import ConnectionRelation
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.element import Element
from linkwork.model.joint import Joint


class Sketch(Protocol):
    """What a relation may ask about the mechanism as it is drawn."""

    @property
    def space(self) -> Space:
        """The plane or the space."""
        ...

    def place(self, reference: str) -> Place:
        """A point, in the axes of its body."""
        ...

    def drawn(self, body: str) -> Frame:
        """The frame of a body in the sketch."""
        ...

    def centre(self, body: str) -> Place:
        """The centre of mass of a body, in its axes."""
        ...

    def hinge(self, joint: str) -> Hinge:
        """A revolute joint."""
        ...

    def connection(self, joint: Joint, active: bool) -> ConnectionRelation:
        """A joint that closes and opens."""
        ...

    def value(self, expression: Expression) -> ca.SX:
        """A number of the declaration."""
        ...

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        """Several numbers, as a column."""
        ...

    def number(self, expression: ca.SX) -> Array:
        """The value of an expression at the default parameters."""
        ...

    def formula(self, expression: Expression, of: str = "t") -> Formula:
        """A formula of one name, such as the time, and parameters."""
        ...


class RelationElement(Element):
    """A condition between bodies that is no joint."""

    READINGS: ClassVar[tuple[str, ...]] = ()
    """Names of the quantities of a relation that formulas may use."""

    @abstractmethod
    def relate(self, sketch: Sketch) -> Relation:
        """The mechanics of the relation; ModelError where the geometry of the sketch makes no sense."""

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        """Faults that show only beside the rest of the model."""
        yield from ()
