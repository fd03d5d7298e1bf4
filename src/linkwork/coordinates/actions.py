"""Applied forces: from the declarations to generalised forces by virtual power, to wrenches on bodies, to a potential.

A force f at a point with velocity w(q, v), linear in v, gives Q = (∂w/∂v)ᵀ f, in every kind of coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from linkwork.coordinates.motion import Motion
from linkwork.coordinates.naming import Lookup
from linkwork.elements.forces import Action, Load, effort, point_force, spring, torque, torsion_spring
from linkwork.topology.geometry import GROUND


@dataclass(frozen=True, eq=False)
class Loading:
    """All applied forces but gravity: generalised (nv), as loads on bodies, and with their potential energy."""

    generalised: ca.SX
    loads: tuple[Load, ...]
    potential: ca.SX
    by_element: Mapping[str, ca.SX]  # all values that one force element applies, for diagnosis


def gather_loads(lookup: Lookup) -> Loading:
    """Collect what every force element of the model does."""
    motion = lookup.motion
    actions = {name: KINDS[force.kind](lookup, force) for name, force in lookup.model.forces.items()}
    generalised = ca.SX(motion.kinematics.v.numel(), 1)
    loads: list[Load] = []
    for action in actions.values():
        for load in action.loads:
            generalised += _power_of_load(motion, load)
            loads.append(load)
        for item in action.efforts:
            rate = _rate(motion, item.joint, item.freedom)
            generalised += _project(motion, rate, item.value)
            loads += _effort_loads(motion, item.joint, item.freedom, item.value)
    potential = sum((action.potential for action in actions.values()), ca.SX(1, 1))
    values = {name: _values(action) for name, action in actions.items()}
    return Loading(generalised, tuple(loads), potential + _gravity_potential(motion), values)


def _values(action: Action) -> ca.SX:
    loads = [ca.vertcat(load.force, load.moment) for load in action.loads]
    return ca.vertcat(*loads, *[item.value for item in action.efforts])


def _project(motion: Motion, velocity: ca.SX, force: ca.SX) -> ca.SX:
    v = motion.kinematics.v
    return ca.jacobian(velocity, v).T @ force if v.numel() else ca.SX(0, 1)


def _power_of_load(motion: Motion, load: Load) -> ca.SX:
    if load.body == GROUND:
        return ca.SX(motion.kinematics.v.numel(), 1)
    frame, twist = motion.kinematics.frames[load.body], motion.kinematics.twists[load.body]
    space = motion.geometry.space
    arm = load.at - frame.origin
    velocity = twist.velocity + space.turn(twist.omega, arm)
    return _project(motion, velocity, load.force) + _project(motion, twist.omega, load.moment)


def _rate(motion: Motion, joint: str, freedom: int) -> ca.SX:
    names = [f.name for f in motion.geometry.joints[joint].kind.freedoms(motion.geometry.space)]
    return motion.coordinates[joint, names[freedom]].rate


def _effort_loads(motion: Motion, joint: str, freedom: int, value: ca.SX) -> list[Load]:
    """An effort on the child and its opposite on the parent, at the same place."""
    geometry = motion.geometry
    declared = geometry.joints[joint]
    a, b = declared.frames(motion.kinematics.frames)
    force, moment = declared.kind.efforts(geometry.space, a, b)[freedom]
    return [
        Load(declared.child, b.origin, force * value, moment * value),
        Load(declared.parent, b.origin, -force * value, -moment * value),
    ]


def _gravity_potential(motion: Motion) -> ca.SX:
    """V = −Σ m g·r_G."""
    geometry = motion.geometry
    heights = [
        -body.mass * ca.dot(geometry.gravity, motion.kinematics.frames[name].point(body.com))
        for name, body in geometry.bodies.items()
    ]
    return sum(heights, ca.SX(1, 1))


# -- declarations to elements, one function per kind -------------------------------------------------------------------


def _vector(lookup: Lookup, expressions: tuple[Any, ...]) -> ca.SX:
    return ca.vertcat(*[lookup.expression(expression) for expression in expressions])


def _force(lookup: Lookup, force: Any) -> Action:
    station = lookup.station(force.at, force.body)
    value = _vector(lookup, force.value)
    if force.axes == "body" and station.body != GROUND:
        value = lookup.motion.kinematics.frames[station.body].vector(value)
    return point_force(lookup.motion.geometry.space, station, value)


def _torque(lookup: Lookup, force: Any) -> Action:
    motion = lookup.motion
    space = motion.geometry.space
    station = motion.station(force.body, ca.SX(space.dimension, 1))
    value = _vector(lookup, force.value)
    if force.axes == "body" and not space.planar:
        value = motion.kinematics.frames[force.body].vector(value)
    return torque(space, station, value)


def _effort(lookup: Lookup, force: Any) -> Action:
    freedom = lookup.freedom_index(force.joint, force.freedom)
    return effort(force.joint, freedom, lookup.expression(force.value))


def _spring(lookup: Lookup, force: Any) -> Action:
    first, second = (lookup.station(name) for name in force.between)
    values = [lookup.expression(value) for value in (force.stiffness, force.damping, force.free_length)]
    return spring(lookup.motion.geometry.space, (first, second), *values)


def _torsion_spring(lookup: Lookup, force: Any) -> Action:
    freedom = lookup.freedom_index(force.joint, force.freedom)
    coordinate = lookup.coordinate(force.joint, force.freedom)
    values = [lookup.expression(value) for value in (force.stiffness, force.damping, force.free_angle)]
    return torsion_spring(force.joint, freedom, (coordinate.value, coordinate.rate), *values)


KINDS: Mapping[str, Callable[[Lookup, Any], Action]] = {
    "force": _force,
    "torque": _torque,
    "effort": _effort,
    "spring": _spring,
    "torsion_spring": _torsion_spring,
}
