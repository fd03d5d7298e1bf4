"""Applied forces: from the declarations to generalised forces by virtual power, to wrenches on bodies, to energies.

A force f at a point with velocity w(q, v), linear in v, gives Q = (∂w/∂v)ᵀ f, in every kind of coordinates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.coordinates.motion import Auxiliary, Motion
from linkwork.coordinates.naming import Lookup
from linkwork.elements.forces import Action, JointCoordinate, Load, Solid, Station
from linkwork.elements.forces.moving_base import BaseMotion, Mass, moving_base
from linkwork.errors import RefusedError
from linkwork.model.places import never_part
from linkwork.position.geometry import GROUND

BASE = "base"  # name of the inertia forces of a ground that moves, among the force elements


@dataclass(frozen=True, eq=False)
class Loading:
    """All applied forces but gravity: generalised (nv), as loads on bodies, and with their energies.

    The potential energy is that of all elements and of gravity; the kinetic energy that of parts which elements have
    for themselves.
    """

    generalised: ca.SX
    loads: tuple[Load, ...]
    potential: ca.SX
    kinetic: ca.SX
    states: tuple[Auxiliary, ...]
    actions: Mapping[str, Action]

    @property
    def by_element(self) -> dict[str, ca.SX]:
        """All values that each force element applies, for diagnosis."""
        return {name: _values(action) for name, action in self.actions.items()}


def gather_loads(lookup: Lookup) -> Loading:
    """Collect what every force element of the model does."""
    motion, scene = lookup.motion, _Scene(lookup)
    actions = {name: _acted(name, force.act(scene)) for name, force in lookup.model.forces.items()}
    if lookup.model.base is not None:
        actions[BASE] = moving_base(scene.space, scene.base, scene.masses())
    generalised = ca.SX(motion.kinematics.v.numel(), 1)
    loads: list[Load] = []
    for action in actions.values():
        for load in action.loads:
            generalised += _power_of_load(motion, load)
            loads.append(load)
        for item in action.efforts:
            rate = joint_rate(motion, item.joint, item.freedom)
            generalised += _project(motion, rate, item.value)
            loads += effort_loads(motion, item.joint, item.freedom, item.value)
    return Loading(
        generalised=generalised,
        loads=tuple(loads),
        potential=sum((action.potential for action in actions.values()), _gravity_potential(motion)),
        kinetic=sum((action.kinetic for action in actions.values()), ca.SX(1, 1)),
        states=tuple(
            Auxiliary(f"{name}.{state.name}", state.symbol, state.rate, state.start, "force")
            for name, action in actions.items()
            for state in action.states
        ),
        actions=actions,
    )


def _values(action: Action) -> ca.SX:
    loads = [ca.vertcat(load.force, load.moment) for load in action.loads]
    return ca.vertcat(*loads, *[item.value for item in action.efforts])


def _project(motion: Motion, velocity: ca.SX, force: ca.SX) -> ca.SX:
    v = motion.kinematics.v
    return ca.jacobian(velocity, v).T @ force if v.numel() else ca.SX(0, 1)


def load_velocity(motion: Motion, load: Load) -> tuple[ca.SX, ca.SX]:
    """Velocity of the point on which a load acts, and angular velocity of its body."""
    frame, twist = motion.kinematics.frames[load.body], motion.kinematics.twists[load.body]
    arm = load.at - frame.origin
    if load.body not in motion.kinematics.of_points:
        return twist.velocity + motion.geometry.space.turn(twist.omega, arm), twist.omega
    # a combination of the velocities of its points: a force along a bar is a load of the bar
    local = ca.SX.sym("local", arm.numel())
    velocity = motion.drift(frame.origin + frame.axes @ local)
    return ca.substitute(velocity, local, ca.densify(frame.axes.T @ arm)), twist.omega


def _power_of_load(motion: Motion, load: Load) -> ca.SX:
    if load.body == GROUND:
        return ca.SX(motion.kinematics.v.numel(), 1)
    velocity, omega = load_velocity(motion, load)
    return _project(motion, velocity, load.force) + _project(motion, omega, load.moment)


def joint_rate(motion: Motion, joint: str, freedom: int) -> ca.SX:
    """The rate along which an effort acts: of a coordinate, or of a spin, which is none, u·(ω − ω of the parent)."""
    geometry, kinematics = motion.geometry, motion.kinematics
    declared = geometry.joints[joint]
    named = declared.kind.freedoms(geometry.space)[freedom]
    if named.kind != "spin":
        return motion.coordinates[joint, named.name].rate
    _, moment = declared.kind.efforts(geometry.space, *declared.frames(kinematics.frames))[freedom]
    return ca.dot(moment, kinematics.twists[declared.child].omega - kinematics.twists[declared.parent].omega)


def effort_loads(motion: Motion, joint: str, freedom: int, value: ca.SX) -> list[Load]:
    """An effort on the child and its opposite on the parent, at the same place."""
    geometry = motion.geometry
    declared = geometry.joints[joint]
    a, b = declared.frames(motion.kinematics.frames)
    force, moment = declared.kind.efforts(geometry.space, a, b)[freedom]
    return [
        Load(declared.child, b.origin, force * value, moment * value),
        Load(declared.parent, b.origin, -force * value, -moment * value),
    ]


def _acted(name: str, action: object) -> Action:
    """What a force does, if it says so in the way that is read here."""
    if not isinstance(action, Action):
        raise RefusedError(f"force '{name}': its method act gives {brief_type(action)}; it has to give an Action")
    loads = action.loads if isinstance(action.loads, tuple) else (action.loads,)
    wrong = [load for load in loads if not isinstance(load, Load)]
    if wrong or not isinstance(action.loads, tuple):
        given = brief_type(wrong[0] if wrong else action.loads)
        raise RefusedError(f"force '{name}': the loads of its Action are a tuple of Load, not {given}")
    return action


def brief_type(thing: object) -> str:
    """A thing by its type."""
    return "None" if thing is None else f"a '{type(thing).__name__}'"


def _gravity_potential(motion: Motion) -> ca.SX:
    """V = −Σ m g·r_G."""
    geometry = motion.geometry
    heights = [
        -body.kind.mass * ca.dot(geometry.gravity, motion.centre(name).position)
        for name, body in geometry.bodies.items()
    ]
    return sum(heights, ca.SX(1, 1))


class _Scene:
    """What forces may ask about a mechanism, answered in its coordinates."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._motion = lookup, lookup.motion
        self.space, self.time = lookup.motion.geometry.space, lookup.t

    @property
    def parameters(self) -> Collection[str]:
        return self._motion.geometry.fixed_values.keys()

    @cached_property
    def base(self) -> BaseMotion:
        assert self._lookup.model.base is not None
        return self._lookup.model.base.motion(self)

    @property
    def turning(self) -> ca.SX:
        return ca.SX(self.space.rotations, 1) if self._lookup.model.base is None else self.base.omega

    def value(self, expression: Expression, local: Mapping[str, ca.SX] | None = None) -> ca.SX:
        return self._lookup.expression(expression, local)

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return ca.vertcat(*[self.value(expression) for expression in expressions])

    def station(self, reference: str, body: str | None = None) -> Station:
        return self._lookup.station(reference, body)

    def never_part(self, between: tuple[str, str]) -> bool:
        return never_part(self._lookup.model, between)

    def solid(self, body: str) -> Solid:
        k = self._motion.kinematics
        return Solid(body, k.frames[body], k.twists[body].omega, self._motion.angles.get(body))

    def drawn(self, body: str) -> Frame:
        geometry = self._motion.geometry
        return geometry.ground_frame if body == GROUND else geometry.bodies[body].drawn

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        found = self._lookup.coordinate(joint, freedom)
        return JointCoordinate(joint, self._lookup.freedom_index(joint, freedom), found.value, found.rate, found.unit)

    def is_ball(self, joint: str) -> bool:
        return all(f.kind == "spin" for f in self._motion.geometry.joints[joint].kind.freedoms(self.space))

    def sides(self, joint: str) -> tuple[str, str]:
        declared = self._motion.geometry.joints[joint]
        return declared.parent, declared.child

    def masses(self) -> list[Mass]:
        """All bodies, with what they have in world axes."""
        motion = self._motion
        return [Mass(self.solid(name), motion.centre(name), motion.matter(name)) for name in motion.geometry.bodies]
