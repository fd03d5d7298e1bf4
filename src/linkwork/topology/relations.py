"""The sketch of a mechanism as relations ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.algebra.space import column
from linkwork.arrays import Array
from linkwork.elements.contribution import Place
from linkwork.elements.joints.fixed import Fixed
from linkwork.elements.relations.base import Formula, Hinge, Relation
from linkwork.elements.relations.connection import ConnectionRelation
from linkwork.errors import Fault, ModelError
from linkwork.model.fields import as_faults
from linkwork.model.guide import Guide
from linkwork.model.joint import Joint
from linkwork.model.model import Model
from linkwork.model.relations import RelationElement
from linkwork.position.geometry import GROUND, Geometry, JointGeometry
from linkwork.topology.clearances import clearance_of

LocalPoint = Callable[[str, str], ca.SX]
"""Local coordinates of a point of a body."""
Seating = Callable[[str, Joint], JointGeometry]
"""A joint with its frames in its bodies, by a name."""


class DrawnMechanism:
    """Names and formulas of a model, turned into places and expressions."""

    def __init__(
        self, model: Model, geometry: Geometry, local_point: LocalPoint, seating: Seating | None = None
    ) -> None:
        self.model, self.geometry, self.local_point = model, geometry, local_point
        self.space, self._seating = geometry.space, seating

    def place(self, reference: str) -> Place:
        body, point = self.model.locate(reference)
        return Place(body, self.local_point(body, point))

    def drawn(self, body: str) -> Frame:
        return self.geometry.ground_frame if body == GROUND else self.geometry.bodies[body].drawn

    def centre(self, body: str) -> Place:
        return Place(body, self.geometry.rigid(body, "guides of centres of mass", "guide a point of it").centre)

    def hinge(self, joint: str) -> Hinge:
        found = self.geometry.joints[joint]
        return Hinge(found.parent, found.child, found.a, found.b)

    def connection(self, joint: Joint, active: bool) -> ConnectionRelation:
        assert self._seating is not None
        found = self._seating("connection", joint)
        return ConnectionRelation(self.space, found.kind, found.parent, found.child, found.a, found.b, active)

    def grounded(self, body: str) -> ConnectionRelation:
        """What holds a body where it is."""
        frames = GROUND, body, Frame.identity(self.space.dimension), Frame.identity(self.space.dimension)
        return ConnectionRelation(self.space, Fixed(), *frames, active=False, grounds=True)

    def value(self, expression: Expression) -> ca.SX:
        return ca.SX(to_sx(expression, self.geometry.fixed_values.__getitem__))

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return column([self.value(expression) for expression in expressions])

    def number(self, expression: ca.SX) -> Array:
        return np.ravel(self.geometry.number(expression))

    def formula(self, expression: Expression, of: str = "t") -> Formula:
        def at(value: ca.SX) -> ca.SX:
            return ca.SX(to_sx(expression, {**self.geometry.fixed_values, of: value}.__getitem__))

        return at


def resolve_relations(sketch: DrawnMechanism) -> Mapping[str, Relation]:
    """All relations of a model, the drivers that guide bodies, and what switches ground bodies with."""
    grounding = {name: switch.ground for name, switch in sketch.model.switches.items() if switch.ground is not None}
    found: dict[str, Relation] = {}
    faults: list[Fault] = []
    sections: dict[str, Mapping[str, RelationElement | Guide]] = {
        "relations": sketch.model.relations,
        "drivers": sketch.model.guides,
    }
    for name, joint in sketch.model.joints.items():
        if joint.clearance is not None and not joint.clearance.touches:
            found[name] = clearance_of(sketch, name, joint.clearance)
    for section, elements in sections.items():
        for name, declared in elements.items():
            try:
                found[name] = declared.relate(sketch)
            except ModelError as error:
                faults += as_faults(f"{section}.{name}", error)
    if faults:
        raise ModelError(faults, sketch.model.name or "model")
    return found | {name: sketch.grounded(body) for name, body in grounding.items()}
