"""What forces may ask about a mechanism, answered in its coordinates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import JointCoordinate, Solid, Station
from linkwork.elements.forces.moving_base import BaseMotion, CarriedBody
from linkwork.elements.forces.torsion_spring import relative_angle
from linkwork.topology.relations import DrawnMechanism


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

    def sides(self, joint: str) -> tuple[Solid, Solid]:
        declared, (a, b) = self._motion.geometry.joints[joint], self._motion.sides(joint)
        return Solid(declared.parent, a.frame, a.twist.omega), Solid(declared.child, b.frame, b.twist.omega)

    def drawn_length(self, between: tuple[str, str]) -> ca.SX:
        return self._lookup.as_drawn(f"drawn {' - '.join(between)}", lambda sketch: sketch.length(between))

    def drawn_angle(self, joint: str, freedom: str | None) -> ca.SX:
        lookup, coordinate = self._lookup, self.coordinate(joint, freedom)
        name = f"{joint}.{freedom or 'angle'}"
        drawn, drives = (
            lookup.as_drawn(f"drawn {name}", lambda sketch: sketch.angle(joint, freedom)),
            lookup.topology.drives,
        )
        if name in self._asked or any(key[0] == joint for key in drives.keys.values()):
            return drawn
        return lookup.nearest_turn(f"nearest {name}", drawn, coordinate.value)

    def drawn_turn(self, bodies: tuple[str, str]) -> ca.SX:
        lookup, name = self._lookup, " - ".join(bodies)
        drawn = lookup.as_drawn(f"drawn {name}", lambda sketch: sketch.turn(bodies))
        if {f"{body}.angle" for body in bodies} & self._asked or lookup.model.guides:
            return drawn
        return lookup.nearest_turn(
            f"nearest {name}", drawn, relative_angle((self.solid(bodies[0]), self.solid(bodies[1])))[0]
        )

    @property
    def _asked(self) -> set[str]:
        """Coordinates whose values at the start are given, with their turns."""
        return {f"{name}.{key}" for name, given in self._lookup.topology.drives.initial.items() for key in given}

    def multiplier(self, element: str, component: str = "") -> ca.SX:
        return self._lookup.multipliers.setdefault((element, component), ca.SX.sym(f"{element}.{component}"))

    def masses(self) -> list[CarriedBody]:
        """All bodies, with what they have in world axes."""
        motion, by = self._motion, "mechanisms on a base that moves"
        return [
            CarriedBody(self.solid(name), motion.centre(name), motion.rigid(name, by))
            for name in motion.geometry.bodies
        ]
