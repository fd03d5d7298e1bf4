"""Slender bars between balls: bodies whose spin about their own line is nobody's concern.

Such a bar has all its points, its balls and its mass on one line. Its spin then moves nothing and weighs nothing, and
coordinates need not describe it (García de Jalón and Bayo, section 2.2.3.1, element with two points, and eq. 4.86).
A torque on the bar, a force in its axes, a relation, an initial spin or a formula with its orientation makes it
somebody's concern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from linkwork.model import Model
from linkwork.model.element import expressions_in
from linkwork.model.forces import AppliedForce
from linkwork.position.geometry import Geometry, JointGeometry

SLENDER = "bars between balls"


def find_slender(model: Model, geometry: Geometry) -> frozenset[str]:
    """The names of all slender bars."""
    if geometry.space.planar:
        return frozenset()
    held = {name: _balls(geometry, name) for name in geometry.bodies}
    related = {name for relation in geometry.relations.values() for name in relation.bodies}
    return frozenset(
        name
        for name, balls in held.items()
        if len(balls) > 1
        and geometry.bodies[name].kind.is_rigid
        and name not in related
        and _is_line(geometry, name, balls)
        and not _is_asked(model, name, balls)
    )


def _balls(geometry: Geometry, name: str) -> dict[str, ca.SX]:
    """The places of the balls on a body, by the names of the joints; none if it has other joints."""
    found: dict[str, ca.SX] = {}
    for joint in geometry.joints.values():
        if name in (joint.parent, joint.child):
            if not is_ball(geometry, joint):
                return {}
            found[joint.name] = joint.frame_in(name).origin
    return found


def is_ball(geometry: Geometry, joint: JointGeometry) -> bool:
    """Whether a joint holds a point and lets its bodies turn anyhow."""
    kinds = [f.kind for f in joint.kind.freedoms(geometry.space)]
    return joint.kind.shares_point and kinds == ["spin"] * 3


def _is_line(geometry: Geometry, name: str, balls: Mapping[str, ca.SX]) -> bool:
    """Whether all points and masses of the body lie on the line of its balls."""
    line = _line(geometry, balls)
    if line is None:
        return False
    inertia = geometry.rigid(name, SLENDER).inertia
    return geometry.vanishes(ca.vertcat(_beside(geometry, name, balls, line), inertia @ line / _moment(geometry, name)))


def _beside(geometry: Geometry, name: str, balls: Mapping[str, ca.SX], line: ca.SX) -> ca.SX:
    """How far points, balls and the centre of mass are from the line, over its length."""
    body, (start, *others) = geometry.bodies[name], balls.values()
    length = max(float(np.linalg.norm(geometry.number(place - start))) for place in others)
    places = (*others, *body.places)
    return ca.vertcat(*[ca.cross(place - start, line) / length for place in places])


def _moment(geometry: Geometry, name: str) -> float:
    """The size of the inertia of a body."""
    inertia = geometry.number(geometry.rigid(name, SLENDER).inertia)
    return max(float(np.max(np.abs(inertia))), np.finfo(float).tiny)


def line_of_balls(geometry: Geometry, name: str) -> ca.SX | None:
    """The unit vector from ball to ball of a body that has two balls and no other joints, in its axes."""
    balls = _balls(geometry, name)
    return _line(geometry, balls) if len(balls) > 1 else None


def _line(geometry: Geometry, balls: Mapping[str, ca.SX]) -> ca.SX | None:
    """From the first ball to the one farthest from it; None where all are at one place."""
    start, *others = balls.values()
    end = max(others, key=lambda place: float(np.linalg.norm(geometry.number(place - start))))
    return (
        None if float(np.linalg.norm(geometry.number(end - start))) == 0.0 else (end - start) / ca.norm_2(end - start)
    )


def _is_asked(model: Model, name: str, balls: Mapping[str, ca.SX]) -> bool:
    """Whether anything in the model concerns the orientation or the spin of the body."""
    formulas = _formulas(model, ("outputs", "definitions"))
    return bool(concern_of(model, name, list(balls))) or _names_attitude(formulas, (name, *balls))


def concern_of(model: Model, name: str, joints: Sequence[str], beside: Sequence[str] = ()) -> str:
    """What in a model acts on the spin of a body, or depends on it; empty if nothing does.

    joints: those about whose axes or points it spins; beside: its points that are not on its line
    """
    for label, force in model.forces.items():
        if _turns(model, force, name, joints) or _mentions(force, name, beside):
            return f"the force '{label}' acts on it, or depends on it"
    given = next((item for item in (name, *joints) if "omega" in model.initial.get(item, {})), None)
    if given is not None:
        return f"initial.{given} gives a spin"
    if _names_attitude(_formulas(model, ("forces", "drivers", "couplings")), (name, *joints)):
        return f"a formula asks for the orientation of {name}"
    return ""


def _formulas(model: Model, sections: Sequence[str]) -> str:
    found = (formula for section in sections for _, formula in expressions_in(getattr(model, section), section))
    return " ".join(name for formula in found for name in formula.names())


def _names_attitude(formulas: str, names: Sequence[str]) -> bool:
    """Whether formulas name orientations or angular velocities of bodies or joints."""
    items = "|".join(map(re.escape, names))
    return re.search(rf"\b({items})\.(q[0-3]|w[xyz]|alpha[xyz])\b", formulas) is not None


def _turns(model: Model, force: AppliedForce, name: str, joints: Sequence[str]) -> bool:
    """Whether a force may depend on the orientation of the body, or have a moment about its line."""
    if force.pointwise or getattr(force, "freedom", None) == "position":
        return False
    ours = {name, *joints, *model.bodies[name].point_names}
    return any(text in ours or text.partition(".")[0] == name for text in _words(force))


def _mentions(force: AppliedForce, name: str, points: Sequence[str]) -> bool:
    """Whether a force names one of these points of a body, as a place or in a formula."""
    if not points:
        return False
    items, texts = "|".join(map(re.escape, points)), " ".join(_words(force))
    return re.search(rf"(^|[^\w.]|\b{re.escape(name)}\.)({items})\b", texts) is not None


def _words(force: AppliedForce) -> list[str]:
    """All texts of a declaration, and the names in its formulas, also by definitions."""
    return [*_texts(force.to_dict()), *(name for _, _, formula in force.expressions() for name in formula.names())]


def _texts(data: Any) -> list[str]:
    """All texts among the values of a declaration."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        data = list(data.values())
    return [text for item in data for text in _texts(item)] if isinstance(data, list | tuple) else []
