"""Slender bars between balls: bodies whose spin about their own line is nobody's concern.

Such a bar has all its points, its balls and its mass on one line. Its spin then moves nothing and weighs nothing, and
coordinates need not describe it (García de Jalón and Bayo, section 2.2.3.1, element with two points, and eq. 4.86).
A torque on the bar, a force in its axes, a relation, an initial spin or a formula with its orientation makes it
somebody's concern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from linkwork.model import Model
from linkwork.model.forces import AppliedForce
from linkwork.topology.geometry import Geometry


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
        and name not in related
        and _is_line(geometry, name, balls)
        and not _is_asked(model, name, balls)
    )


def _balls(geometry: Geometry, name: str) -> dict[str, ca.SX]:
    """The places of the balls on a body, by the names of the joints; none if it has other joints."""
    found: dict[str, ca.SX] = {}
    for joint in geometry.joints.values():
        if name in (joint.parent, joint.child):
            kinds = [f.kind for f in joint.kind.freedoms(geometry.space)]
            if not joint.kind.shares_point or kinds != ["spin"] * 3:
                return {}
            found[joint.name] = (joint.a if name == joint.parent else joint.b).origin
    return found


def _is_line(geometry: Geometry, name: str, balls: Mapping[str, ca.SX]) -> bool:
    """Whether all points and masses of the body lie on the line of its balls."""
    line = _line(geometry, balls)
    if line is None:
        return False
    inertia = geometry.bodies[name].inertia
    return geometry.vanishes(ca.vertcat(_beside(geometry, name, balls, line), inertia @ line / _moment(geometry, name)))


def _beside(geometry: Geometry, name: str, balls: Mapping[str, ca.SX], line: ca.SX) -> ca.SX:
    """How far points, balls and the centre of mass are from the line, over its length."""
    body, (start, *others) = geometry.bodies[name], balls.values()
    length = max(float(np.linalg.norm(geometry.number(place - start))) for place in others)
    return ca.vertcat(*[ca.cross(place - start, line) / length for place in (*others, *body.points.values(), body.com)])


def _moment(geometry: Geometry, name: str) -> float:
    """The size of the inertia of a body."""
    inertia = geometry.number(geometry.bodies[name].inertia)
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
    if any(_turns(model, force, name, balls) for force in model.forces.values()):
        return True
    if any("omega" in model.initial.get(item, {}) for item in (name, *balls)):
        return True
    data = model.to_dict()
    formulas = " ".join(_texts([data.get(section) for section in ("forces", "outputs", "drivers", "couplings")]))
    items = "|".join(re.escape(item) for item in (name, *balls))
    return re.search(rf"\b({items})\.(q[0-3]|w[xyz]|alpha[xyz])\b", formulas) is not None


def _turns(model: Model, force: AppliedForce, name: str, balls: Mapping[str, ca.SX]) -> bool:
    """Whether a force may depend on the orientation of the body, or have a moment about its line."""
    if force.pointwise:
        return False
    ours = {name, *balls, *model.bodies[name].point_names}
    return any(text in ours or text.partition(".")[0] == name for text in _texts(force.to_dict()))


def _texts(data: Any) -> list[str]:
    """All texts among the values of a declaration."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        data = list(data.values())
    return [text for item in data for text in _texts(item)] if isinstance(data, list | tuple) else []
