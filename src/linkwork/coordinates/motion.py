"""The motion of a mechanism as expressions, whatever the coordinates: joint coordinates, stations, time derivatives.

Angles count turns. Where a kind of coordinates knows an angle only by its sine and cosine, a *turn counter* is added to
the states: θ_s with θ̇_s = ω. It only selects the turn; the angle itself is exact,
θ = θ_s + atan2(sin(α − θ_s), cos(α − θ_s)), so that a counter never disturbs the accuracy.

``settling`` says in which turn they start. The angle of a screw is different: each of its turns is another position, which
tells the turn, so that it needs no counter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.coordinates.base import Kinematics
from linkwork.coordinates.settling import settle_turns
from linkwork.elements.bodies import BodyKind, Marker, Resistance
from linkwork.elements.contribution import Contribution, OwnState, Station
from linkwork.elements.inertia import Distribution
from linkwork.outline import outlined
from linkwork.position.geometry import GROUND, Geometry


@dataclass(frozen=True, eq=False)
class Coordinate:
    """The value of a joint coordinate and its rate; ``kind`` is 'angle' or 'length'."""

    value: ca.SX
    rate: ca.SX
    kind: str
    unit: str
    winds: bool = False  # every turn is another position


@outlined
@dataclass(frozen=True, eq=False)
class Motion:
    """Frames, angles and joint coordinates of a mechanism as expressions of t, q, v, s and p."""

    geometry: Geometry
    kinematics: Kinematics
    angles: Mapping[str, ca.SX]  # planar bodies, counting turns
    coordinates: Mapping[tuple[str, str], Coordinate]  # (joint, freedom)
    counters: tuple[OwnState, ...]
    constants: tuple[OwnState, ...] = ()  # whole turns of angles at the start
    counting: Mapping[str, str] = field(default_factory=dict)  # by body, that from which its turns are counted
    asked: frozenset[tuple[str, str]] = frozenset()  # coordinates whose values at the start are given, with their turns

    def station(self, body: str, local: ca.SX) -> Station:
        """A point of a body, with its velocity."""
        marker = self.marker(body, Frame(local, ca.SX.eye(self.geometry.space.dimension)))
        return Station(body, marker.frame.origin, marker.twist.velocity)

    def marker(self, body: str, place: Frame) -> Marker:
        """A place of a body, or of the ground, as it is drawn."""
        space, carrier = self.geometry.space, self.kinematics.carrier(body)
        return carrier.marker(space, place) if body == GROUND else self._kind(body).marker(space, carrier, place)

    def spin(self, joint: str) -> ca.SX:
        """The angular velocity of the child beside that of the parent, at a joint."""
        a, b = self.sides(joint)
        return b.twist.omega - a.twist.omega

    def sides(self, joint: str) -> tuple[Marker, Marker]:
        """The places of a joint in parent and child."""
        found = self.geometry.joints[joint]
        return self.marker(found.parent, found.a), self.marker(found.child, found.b)

    def centre(self, body: str) -> Station:
        """The centre of mass of a body, with its velocity."""
        if body not in self._centres:
            carrier = self.kinematics.carrier(body)
            local = self._kind(body).centre(carrier.own)
            self._centres[body] = Station(body, carrier.frame.point(local), carrier.follow(self.geometry.space, local))
        return self._centres[body]

    @cached_property
    def _centres(self) -> dict[str, Station]:
        """Of the bodies that were asked for: energies, momenta and reactions ask all of them again."""
        return {}

    def weight_potential(self) -> ca.SX:
        """V of the weights of all bodies."""
        bodies, k, gravity = self.geometry.bodies, self.kinematics, self.geometry.gravity
        parts = [body.kind.weight_potential(k.carrier(name), gravity) for name, body in bodies.items()]
        return sum(parts, ca.SX(1, 1))

    def insides(self) -> dict[str, Contribution]:
        """What acts inside the bodies that have coordinates of their own."""
        k = self.kinematics
        return {name: self._kind(name).contribute(name, k.carrier(name)).plain for name in k.own}

    def _kind(self, body: str) -> BodyKind:
        return self.geometry.bodies[body].kind

    def rigid(self, body: str, by: str) -> Distribution:
        """The mass of a body that has to be rigid in world axes, from the origin of its frame; *by*: who takes no other."""
        matter = self.geometry.rigid(body, by, "make it a rigid body, or two with a joint and a spring")
        return matter.seen(self.geometry.space, self.kinematics.frames[body].axes)

    def inertia(self, body: str) -> Resistance:
        """How a body resists, with its angular velocity in world axes."""
        if body not in self._resisting:
            geometry, carrier = self.geometry, self.kinematics.carrier(body)
            self._resisting[body] = self._kind(body).inertia(geometry.space, carrier, geometry.gravity)
        return self._resisting[body]

    @cached_property
    def _resisting(self) -> dict[str, Resistance]:
        """Of the bodies that were asked for."""
        return {}

    def resistances(self, vdot: ca.SX) -> dict[str, ca.SX]:
        """B u̇ − w of all bodies: what a motion takes of each, force and moment about its centre of mass (world axes)."""
        own, k = {name: self.inertia(name) for name in self.geometry.bodies}, self.geometry.space.freedoms
        sizes = np.cumsum([0, *(item.velocities.numel() for item in own.values())])
        # at once: what bodies have in common is differentiated once
        whole = self.acceleration(ca.vertcat(ca.SX(0, 1), *[item.velocities for item in own.values()]), vdot)
        rates = zip(own.items(), ca.vertsplit(whole, sizes.tolist()), strict=True)
        return {name: (item.block @ rate - item.load)[:k] for (name, item), rate in rates}

    def drift(self, expression: ca.SX) -> ca.SX:
        """The part of d/dt of an expression of q that comes from q̇."""
        k = self.kinematics
        return ca.jtimes(expression, k.q, k.rates) if k.q.numel() else ca.SX(*expression.shape)

    def acceleration(self, velocity: ca.SX, vdot: ca.SX) -> ca.SX:
        """d/dt of an expression of q that is linear in v."""
        k = self.kinematics
        if not k.v.numel():
            return ca.SX(*velocity.shape)
        return self.drift(velocity) + ca.jtimes(velocity, k.v, vdot)


def trace_motion(
    geometry: Geometry, kinematics: Kinematics, asked: Mapping[tuple[str, str], ca.SX] | None = None
) -> Motion:
    """Read the angles of the bodies and the coordinates of all joints off the kinematics, adding turn counters.

    asked: angles at the start, by (joint or body, freedom), where somebody gives them.
    """
    counters: list[OwnState] = []
    angles: dict[str, ca.SX] = {}
    frames = dict(kinematics.frames)
    if geometry.space.planar:
        for name, frame in kinematics.frames.items():
            if frame.angle is None:
                omega = kinematics.twists[name].omega
                angle, counter = count_turns(f"{name}.turns", frame.axes[1, 0], frame.axes[0, 0], omega)
                counters.append(counter)
                frames[name] = replace(frame, angle=angle)
            angle_now = frames[name].angle
            assert angle_now is not None
            angles[name] = angle_now
    coordinates: dict[tuple[str, str], Coordinate] = {}
    draft = Motion(geometry, kinematics, angles, coordinates, ())
    for name in geometry.joints:
        _joint_coordinates(draft, name, frames, coordinates, counters)
    angles.pop(GROUND, None)
    turning = {key: item for key, item in coordinates.items() if item.kind == "angle" and not item.winds}
    settled = settle_turns(geometry, angles, turning, asked or {}, partial(_between, draft, frames))
    coordinates |= {key: replace(item, value=settled.angles[key]) for key, item in turning.items()}
    angles = {name: settled.angles[name, "angle"] for name in angles}
    turns = tuple(settled.constants), settled.counting, frozenset(asked or ())
    return Motion(geometry, kinematics, angles, coordinates, tuple(counters), *turns)


def _between(motion: Motion, frames: Mapping[str, Frame], name: str) -> ca.SX:
    """The angle between the frames of a joint in its parent and in its child."""
    joint, seats = motion.geometry.joints[name], []
    for body, frame in zip((joint.parent, joint.child), _with_angles(motion, name, frames), strict=True):
        outer = frames[body].angle
        assert outer is not None
        assert frame.angle is not None
        seats.append(frame.angle - outer)
    return seats[0] - seats[1]


def count_turns(name: str, sine: ca.SX, cosine: ca.SX, rate: ca.SX) -> tuple[ca.SX, OwnState]:
    """An angle from its sine and cosine, with a counter of its turns."""
    counter = ca.SX.sym(name)
    c, s = ca.cos(counter), ca.sin(counter)
    angle = counter + ca.atan2(sine * c - cosine * s, cosine * c + sine * s)
    return angle, OwnState(name, counter, rate, ca.atan2(sine, cosine), "turns")


def _joint_coordinates(
    motion: Motion,
    name: str,
    frames: Mapping[str, Frame],
    coordinates: dict[tuple[str, str], Coordinate],
    counters: list[OwnState],
) -> None:
    geometry, kinematics = motion.geometry, motion.kinematics
    joint = geometry.joints[name]
    freedoms = joint.kind.scalars(geometry.space)
    if name in kinematics.joint_values:
        for i, f in enumerate(freedoms):
            value, rate = kinematics.joint_values[name][i], kinematics.joint_rates[name][i]
            coordinates[name, f.name] = Coordinate(value, rate, f.kind, f.unit, f.winds)
        return
    spin = motion.spin(name)
    measures = joint.kind.measure(geometry.space, *_with_angles(motion, name, frames))
    for f, measure in zip(freedoms, measures, strict=True):
        value = measure.principal
        rate = ca.dot(measure.axis, spin) if measure.axis is not None else motion.drift(value)
        if measure.sine is not None and measure.cosine is not None:
            value, counter = count_turns(f"{name}.{f.name}.turns", measure.sine, measure.cosine, rate)
            counters.append(counter)
        coordinates[name, f.name] = Coordinate(value, rate, f.kind, f.unit, f.winds)


def _with_angles(motion: Motion, name: str, frames: Mapping[str, Frame]) -> tuple[Frame, Frame]:
    """The joint frames; in the plane with angles, but with the axes of the kind (no new sines and cosines)."""
    joint = motion.geometry.joints[name]
    if not motion.geometry.space.planar:
        return joint.frames(frames)
    plain = {body: replace(frames[body], angle=None) for body in (joint.parent, joint.child)}
    result = []
    for body, drawn, frame in zip((joint.parent, joint.child), (joint.a, joint.b), joint.frames(plain), strict=True):
        outer, seat = frames[body].angle, frames[body].seat
        local = drawn if seat is None else seat(drawn)
        assert outer is not None and local.angle is not None
        result.append(Frame(frame.origin, frame.axes, outer + local.angle))
    return result[0], result[1]
