"""Elements along the line between two points: springs and dampers pull, a linear actuator pushes.

A pull f acts on both ends, towards each other, along the unit vector of the line; its power is −f L̇.
Source: García de Jalón and Bayo, eqs. 4.102 to 4.107 and 4.117 to 4.122, with the sign of an applied force.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.forces.base import Action, Load, Reading, Station
from linkwork.elements.forces.law import Answer


@dataclass(frozen=True, eq=False)
class Line:
    """The line between two stations."""

    ends: tuple[Station, Station]

    @property
    def _gap(self) -> ca.SX:
        return self.ends[1].position - self.ends[0].position

    @property
    def length(self) -> ca.SX:
        return ca.sqrt(ca.dot(self._gap, self._gap))

    @property
    def direction(self) -> ca.SX:
        """From the first end to the second."""
        return self._gap / self.length

    @property
    def rate(self) -> ca.SX:
        """dL/dt."""
        return ca.dot(self.direction, self.ends[1].velocity - self.ends[0].velocity)

    def loads(self, space: Space, pull: ca.SX) -> tuple[Load, Load]:
        """A force *pull* on each end, towards the other."""
        (first, second), force, still = self.ends, pull * self.direction, ca.SX(space.rotations, 1)
        return Load(first.body, first.position, force, still), Load(second.body, second.position, -force, still)

    def readings(self, force: ca.SX, text: str) -> dict[str, Reading]:
        """Length, rate and force."""
        return {
            "length": Reading("m", "length", self.length),
            "rate": Reading("m/s", "rate of the length", self.rate),
            "force": Reading("N", text, force),
        }


def spring(space: Space, line: Line, answer: Answer) -> Action:
    """A spring and damper that pull with the force of the answer."""
    if answer.force.is_zero():
        return Action(readings=line.readings(answer.force, "force, positive when it pulls"))
    return Action(
        loads=line.loads(space, answer.force),
        potential=answer.potential,
        dissipation=answer.dissipation,
        supplies=answer.supplies,
        readings=line.readings(answer.force, "force, positive when it pulls"),
    )
