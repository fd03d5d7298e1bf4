"""The clearances of joints as relations between their bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Protocol

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.arrays import Array
from linkwork.elements.relations.clearance import KINDS, ClearanceRelation, ClearanceSizes
from linkwork.elements.shapes.touchables import LINEAR, ContactCompliance, ContactLaw
from linkwork.errors import Fault, ModelError
from linkwork.model.joint_clearance import JointClearance
from linkwork.model.model import Model
from linkwork.position.geometry import Geometry


class Sketched(Protocol):
    """What is asked of a sketch."""

    @property
    def model(self) -> Model:
        """The model that is drawn."""
        ...

    @property
    def geometry(self) -> Geometry:
        """Its bodies and joints."""
        ...

    def value(self, expression: Expression) -> ca.SX:
        """A number of the declaration."""
        ...


def clearings_of(sketch: Sketched) -> dict[str, tuple[ClearanceRelation, ContactLaw]]:
    """The clearances whose places rub or give way, by their joints, with their laws."""
    joints = sketch.model.joints.items()
    declared = {
        name: joint.clearance for name, joint in joints if joint.clearance is not None and joint.clearance.touches
    }
    return {name: (clearance_of(sketch, name, item), _law(sketch, item)) for name, item in declared.items()}


def _law(sketch: Sketched, declared: JointClearance) -> ContactLaw:
    def value(expression: Expression | None) -> ca.SX:
        return ca.SX(0) if expression is None else sketch.value(expression)

    compliance = None
    if declared.stiffness is not None:
        compliance = ContactCompliance(declared.law or LINEAR, value(declared.stiffness), value(declared.damping))
    return ContactLaw(
        friction=value(declared.friction),
        static=value(declared.friction if declared.static is None else declared.static),
        smoothing=None if declared.smoothing is None else sketch.value(declared.smoothing),
        restitution=value(declared.restitution),
        compliance=compliance,
    )


def clearance_of(sketch: Sketched, name: str, declared: JointClearance) -> ClearanceRelation:
    """What keeps the two parts of a joint together."""
    joint, geometry = sketch.geometry.joints[name], sketch.geometry
    given = {item.name: getattr(declared, item.name) for item in fields(ClearanceSizes)}
    sizes = ClearanceSizes(**{key: sketch.value(value) for key, value in given.items() if value is not None})
    _require_small(geometry, name, float(geometry.number(sizes.gap)), geometry.bodies)
    kind = KINDS[sketch.model.joints[name].kind, geometry.space.planar]
    return kind((joint.parent, joint.child), joint.a, joint.b, sizes)


def _require_small(geometry: Geometry, name: str, gap: float, bodies: Mapping[str, object]) -> None:
    """Refuse a clearance as large as the bodies that it joins."""
    joint = geometry.joints[name]
    for body in (joint.parent, joint.child):
        if body not in bodies:
            continue
        places = np.array([np.ravel(geometry.number(place)) for place in geometry.bodies[body].points.values()])
        size = _span(places)
        if 0.0 < size <= gap:
            reason = f"{gap:g} m is as large as '{body}' itself, whose points are at most {size:g} m apart"
            hint = "a clearance is small beside the parts; was a unit forgotten?"
            raise ModelError([Fault(f"joints.{name}.clearance", reason, hint)])


def _span(places: Array) -> float:
    """The size of a box round some places."""
    return float(np.linalg.norm(places.max(axis=0) - places.min(axis=0))) if len(places) > 1 else 0.0
