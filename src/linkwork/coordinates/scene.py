"""What forces may ask about a mechanism, answered in its coordinates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.algebra.whole_turns import TURN, turns_beyond, turns_into
from linkwork.arrays import Array
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Frames, JointCoordinate, MeasuredAngle, Solid, Station
from linkwork.elements.couplings.backlash import Backlash
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.forces.moving_base import BaseMotion, CarriedBody
from linkwork.elements.joints import JointKind
from linkwork.elements.relations.clearance import ClearanceRelation
from linkwork.elements.shapes.polygon_gaps import Choosing
from linkwork.elements.shapes.touchables import ContactLaw, Touchables
from linkwork.errors import RefusedError
from linkwork.position.geometry import GROUND
from linkwork.topology.relations import DrawnMechanism

ALIKE = 1e-11  # difference of lengths, of the size of the mechanism, that is none


class MovingScene:
    """A mechanism in motion, by the names of its model."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._motion = lookup, lookup.motion
        self.space, self.time = lookup.motion.geometry.space, lookup.t

    @property
    def sketch(self) -> DrawnMechanism:
        topology = self._lookup.topology
        return DrawnMechanism(topology.model, topology.geometry, topology.local_point)

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

    def holds(self, what: str) -> Callable[[ca.SX], ca.SX]:
        """1 where an expression is positive, else 0, with a branch that can be held; *what* tells whose it is."""

        def positive(measure: ca.SX) -> ca.SX:
            self._lookup.switches.formula = what
            return ca.SX(self._lookup.switches.functions[">"](measure, ca.SX(0)))

        return positive

    def chooses(self, what: str) -> Choosing:
        """The number of the largest of some lengths, which can be held; *what* tells whose it is."""

        def largest(measures: Sequence[ca.SX], second: Sequence[ca.SX]) -> ca.SX:
            self._lookup.switches.formula = what
            alike = ALIKE * float(self._motion.kinematics.length)
            return self._lookup.switches.largest_of(measures, second, alike)

        return largest

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return ca.vertcat(*[self.value(expression) for expression in expressions])

    def station(self, reference: str, body: str | None = None) -> Station:
        return self._lookup.station(reference, body)

    def never_part(self, between: tuple[str, str]) -> bool:
        return self._lookup.topology.never_part(between)

    def solid(self, body: str, point: str | None = None) -> Solid:
        k = self._motion.kinematics
        if point is None:
            return Solid(body, k.frames[body], k.twists[body].omega, self._motion.angles.get(body))
        place = replace(Frame.identity(self.space.dimension), origin=self._lookup.topology.local_point(body, point))
        marker, angle, seat = self._motion.marker(body, place), self._motion.angles.get(body), k.frames[body].seat
        seated = None if seat is None else seat(place).angle
        angle = angle if angle is None or seated is None else angle + seated
        return Solid(body, marker.frame, marker.twist.omega, angle)

    def coordinate(self, joint: str, freedom: str | None) -> JointCoordinate:
        found = self._lookup.coordinate(joint, freedom)
        return JointCoordinate(joint, self._lookup.freedom_index(joint, freedom), found.value, found.rate, found.unit)

    def is_ball(self, joint: str) -> bool:
        return all(f.kind == "spin" for f in self._motion.geometry.joints[joint].kind.freedoms(self.space))

    def joint_kind(self, joint: str) -> JointKind:
        """The kind of a joint, with its own numbers."""
        return self._motion.geometry.joints[joint].kind

    def sides(self, joint: str) -> tuple[Solid, Solid]:
        declared, (a, b) = self._motion.geometry.joints[joint], self._motion.sides(joint)
        return Solid(declared.parent, a.frame, a.twist.omega), Solid(declared.child, b.frame, b.twist.omega)

    def drawn_length(self, between: tuple[str, str]) -> ca.SX:
        return self._lookup.as_drawn(f"drawn {' - '.join(between)}", lambda sketch: sketch.length(between))

    def drawn_angle(self, joint: str, freedom: str | None) -> ca.SX:
        drawn = self._lookup.as_drawn(
            f"drawn {joint}.{freedom or 'angle'}", lambda sketch: sketch.angle(joint, freedom)
        )
        return self._nearest(self.angle(joint, freedom), drawn)

    def drawn_turn(self, bodies: tuple[str, str]) -> ca.SX:
        drawn = self._lookup.as_drawn(f"drawn {' - '.join(bodies)}", lambda sketch: sketch.turn(bodies))
        return self._nearest(self.angle_between(bodies), drawn)

    def angle(self, joint: str, freedom: str | None) -> MeasuredAngle:
        found, key = self._lookup.coordinate(joint, freedom), (joint, self._lookup.freedom_name(joint, freedom))
        return MeasuredAngle(".".join(key), found.value, found.rate, key in self._motion.asked)

    def angle_between(self, bodies: tuple[str, str]) -> MeasuredAngle:
        first, second = (self.solid(body) for body in bodies)
        one, other = (ca.SX(0) if solid.angle is None else solid.angle for solid in (first, second))
        roots = {self._motion.counting.get(body, body) for body in bodies}
        found = MeasuredAngle(
            f"{bodies[1]}.angle - {bodies[0]}.angle", other - one, second.omega - first.omega, len(roots) == 1
        )
        if found.counts:
            return found
        return replace(
            found, value=found.value - TURN * self._lookup.turns(f"turns of {found.name}", turns_beyond(found.value))
        )

    def turns_beyond(self, angle: MeasuredAngle, given: ca.SX) -> ca.SX:
        return self._lookup.turns(f"turns of {angle.name} beyond {given}", turns_beyond(angle.value, given))

    def turns_into(self, angle: MeasuredAngle, low: ca.SX, high: ca.SX) -> ca.SX:
        name = f"turns of {angle.name} into {low} to {high}"
        return self._lookup.turns(name, turns_into(angle.value, low, high))

    def _nearest(self, angle: MeasuredAngle, drawn: ca.SX) -> ca.SX:
        return drawn if angle.counts else drawn + TURN * self.turns_beyond(angle, drawn)

    def multiplier(self, element: str, component: str = "") -> ca.SX:
        return self._lookup.multipliers.setdefault((element, component), ca.SX.sym(f"{element}.{component}"))

    @property
    def touchables(self) -> Touchables:
        """Who touches whom."""
        return self._motion.geometry.touchables

    @property
    def clearings(self) -> Mapping[str, tuple[ClearanceRelation, ContactLaw]]:
        """The clearances of joints whose places rub or give way."""
        return self._motion.geometry.clearings

    @property
    def meshes(self) -> Mapping[str, tuple[Coupled, Backlash]]:
        """The couplings with backlash."""
        return self._motion.geometry.meshes

    @property
    def frames(self) -> Frames:
        """Of all bodies and of the ground."""
        return self._motion.kinematics.frames

    @property
    def drawn_frames(self) -> Frames:
        """Of all where the mechanism is put together."""
        topology = self._lookup.topology
        found = {name: pose.frame() for name, pose in topology.assembly.poses.items() if name in self.frames}
        return {GROUND: topology.geometry.ground_frame, **found}

    def number(self, expression: ca.SX) -> Array:
        """The value of an expression of the parameters, with those of the model."""
        return self._motion.geometry.number(expression)

    def velocity_at(self, body: str, world: ca.SX) -> ca.SX:
        """The velocity of the point of a rigid body that is at a place of the world."""
        frame = self.frames[body]
        if frame.seat is not None:
            raise RefusedError(f"body '{body}' changes its shape: nothing can touch it; name a rigid body")
        return self._motion.kinematics.twists[body].at(self.space, world - frame.origin)

    def masses(self) -> list[CarriedBody]:
        """All bodies, with what they have in world axes."""
        motion, by = self._motion, "mechanisms on a base that moves"
        return [
            CarriedBody(self.solid(name), motion.centre(name), motion.rigid(name, by))
            for name in motion.geometry.bodies
        ]
