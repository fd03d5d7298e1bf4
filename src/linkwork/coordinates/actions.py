"""Applied forces: from the declarations to generalised forces by virtual power, to wrenches on bodies, to a potential.

A force f at a point with velocity w(q, v), linear in v, gives Q = (∂w/∂v)ᵀ f, in every kind of coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.coordinates.motion import Motion
from linkwork.coordinates.naming import Lookup
from linkwork.elements.forces import Action, JointCoordinate, Load, Solid, Station
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
    scene = _Scene(lookup)
    actions = {name: force.act(scene) for name, force in lookup.model.forces.items()}
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


class _Scene:
    """What forces may ask about a mechanism, answered in its coordinates."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._motion = lookup, lookup.motion
        self.space, self.time = lookup.motion.geometry.space, lookup.t

    def value(self, expression: Expression) -> ca.SX:
        return self._lookup.expression(expression)

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return ca.vertcat(*[self.value(expression) for expression in expressions])

    def station(self, reference: str, body: str | None = None) -> Station:
        return self._lookup.station(reference, body)

    def solid(self, body: str) -> Solid:
        k = self._motion.kinematics
        return Solid(body, k.frames[body], k.twists[body].omega)

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        found = self._lookup.coordinate(joint, freedom)
        return JointCoordinate(joint, self._lookup.freedom_index(joint, freedom), found.value, found.rate)
