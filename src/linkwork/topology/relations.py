"""The sketch of a mechanism as relations ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.relations.base import Formula, Hinge, Place, Relation
from linkwork.errors import Fault, ModelError
from linkwork.model.fields import as_faults
from linkwork.model.guide import Guide
from linkwork.model.relations import RelationElement
from linkwork.position.geometry import JointGeometry

if TYPE_CHECKING:
    from linkwork.topology.resolve import Resolver

Array = NDArray[np.float64]
LocalPoint = Callable[[str, str], ca.SX]
"""Local coordinates of a point of a body."""


@dataclass(frozen=True, eq=False)
class Parts:
    """What is resolved before the relations: frames in the sketch, the ground included; local points; joints; masses."""

    drawn: Mapping[str, Frame]
    local_point: LocalPoint
    joints: Mapping[str, JointGeometry]
    centres: Mapping[str, ca.SX]


class DrawnMechanism:
    """Names and formulas of a model, turned into places and expressions."""

    def __init__(self, resolver: Resolver, parts: Parts) -> None:
        self._resolver, self._parts = resolver, parts

    @property
    def space(self) -> Space:
        return self._resolver.space

    def place(self, reference: str) -> Place:
        body, point = self._resolver.model.locate(reference)
        return Place(body, self._parts.local_point(body, point))

    def drawn(self, body: str) -> Frame:
        return self._parts.drawn[body]

    def centre(self, body: str) -> Place:
        return Place(body, self._parts.centres[body])

    def hinge(self, joint: str) -> Hinge:
        found = self._parts.joints[joint]
        return Hinge(found.parent, found.child, found.a, found.b)

    def value(self, expression: Expression) -> ca.SX:
        return self._resolver.value(expression)

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return self._resolver.vector(expressions)

    def number(self, expression: ca.SX) -> Array:
        return self._resolver.number(expression)

    def formula(self, expression: Expression, of: str = "t") -> Formula:
        def at(value: ca.SX) -> ca.SX:
            return ca.SX(to_sx(expression, lambda name: value if name == of else self._resolver.parameter(name)))

        return at


def resolve_relations(resolver: Resolver, parts: Parts) -> Mapping[str, Relation]:
    """All relations of a model, and the drivers that guide bodies."""
    sketch = DrawnMechanism(resolver, parts)
    found: dict[str, Relation] = {}
    faults: list[Fault] = []
    sections: dict[str, Mapping[str, RelationElement | Guide]] = {
        "relations": resolver.model.relations,
        "drivers": resolver.model.guides,
    }
    for section, elements in sections.items():
        for name, declared in elements.items():
            try:
                found[name] = declared.relate(sketch)
            except ModelError as error:
                faults += as_faults(f"{section}.{name}", error)
    if faults:
        raise ModelError(faults, resolver.model.name or "model")
    return found
