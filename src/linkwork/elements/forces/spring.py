"""Elements along the line between two points: springs and dampers pull, a linear actuator pushes.

A pull f acts on both ends, towards each other, along the unit vector of the line; its power is −f L̇. Where the ends lie on
each other there is no such vector: a force that is proportional to the length needs none, one that is proportional to the
rate is along the velocity there, and any other one is undefined. Ends that joints hold together never part: whatever the
force, it has no power and moves nothing.
Source: García de Jalón and Bayo, eqs. 4.102 to 4.107 and 4.117 to 4.122, with the sign of an applied force.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, Load, Reading, Station
from linkwork.elements.forces.law import LawForce

ROUNDING = 2e-15  # of positions
PULL = "force of spring and damper, positive when it pulls"


@dataclass(frozen=True, eq=False)
class Line:
    """The line between two stations; *closed*: joints hold them together at all times."""

    ends: tuple[Station, Station]
    closed: bool = False

    @property
    def _gap(self) -> ca.SX:
        return self.ends[1].position - self.ends[0].position

    @property
    def length(self) -> ca.SX:
        return ca.SX(0) if self.closed else ca.sqrt(ca.dot(self._gap, self._gap))

    @property
    def _parting(self) -> ca.SX:
        return self.ends[1].velocity - self.ends[0].velocity

    @property
    def apart(self) -> ca.SX:
        """Whether the ends do not lie on each other, but for rounding errors of their positions."""
        size = sum((ca.dot(end.position, end.position) for end in self.ends), ca.SX(0))
        return ca.dot(self._gap, self._gap) > ROUNDING**2 * size

    @property
    def rate(self) -> ca.SX:
        """dL/dt."""
        if self.closed:
            return ca.SX(0)
        v = self._parting
        return ca.if_else(self.apart, ca.dot(self._gap / self.length, v), ca.sqrt(ca.dot(v, v)))

    def loads(
        self, space: Space, pull: ca.SX, stretch: ca.SX | float = 0.0, drag: ca.SX | float = 0.0
    ) -> tuple[Load, ...]:
        """A force *pull* on each end, towards the other, and *stretch* times the length; *drag* times the rate is in it."""
        if self.closed:
            return ()
        (first, second), still, force = self.ends, ca.SX(space.rotations, 1), stretch * self._gap
        if not ca.SX(pull).is_zero():
            undirected = ca.if_else(pull == drag * self.rate, 0, ca.SX.nan())
            force += ca.if_else(self.apart, pull * (self._gap / self.length), drag * self._parting + undirected)
        return (
            Load(first.body, first.position, force, still, first.velocity),
            Load(second.body, second.position, -force, still, second.velocity),
        )

    def readings(self, force: ca.SX, text: str) -> dict[str, Reading]:
        """Length, its rate and force."""
        return {
            "length": Reading("m", "length", self.length),
            "speed": Reading("m/s", "rate of the length", self.rate),
            "force": Reading("N", text, force),
        }


def spring(space: Space, line: Line, answer: LawForce) -> Contribution:
    """A spring and damper that pull with the force of the answer."""
    extension = {"extension": Reading("m", "length less the free one", answer.deflection)}
    if line.closed or answer.force.is_zero():
        return Contribution(readings=line.readings(ca.SX(0), PULL) | extension)
    return answer.acting(
        loads=line.loads(space, answer.rest, answer.stretch, answer.drag),
        readings=line.readings(answer.force, PULL) | extension,
    )
