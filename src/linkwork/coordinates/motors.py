"""Motors: efforts along joint coordinates, or between two points, whose values are not formulas but unknowns, given sample
by sample.

A motor is an effort like any other, on the child and with the opposite sign on the parent; between two points it pushes them
apart. Its value is one more number of p, behind all others. Its generalised force is (∂r/∂v)ᵀ u, with the rate r of its
coordinate or of the length between its points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.coordinates.base import Later
from linkwork.coordinates.contributions import effort_loads
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.multipliers import require_unread
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Contribution, JointEffort, Load, Reading
from linkwork.elements.forces.spring import Line


@dataclass(frozen=True)
class Motor:
    """Something that pushes: its name, and joint and freedom where it works, or two points that it pushes apart."""

    name: str
    joint: str = ""
    freedom: str = ""
    between: tuple[str, str] | None = None

    @property
    def coordinate(self) -> str:
        """The name of its coordinate: 'A.angle', 'cylinder.length'."""
        return f"{self.name}.length" if self.between else f"{self.joint}.{self.freedom}"

    def turns(self, c: Coordinates) -> bool:
        """Whether its effort is a torque."""
        return not self.between and c.motion.coordinates[self.joint, self.freedom].kind != "length"

    def line(self, c: Coordinates) -> Line:
        """The line between its two points."""
        assert self.between is not None
        lookup = Lookup(c.topology, c.motion, c.t, c.related)
        one, other = (lookup.station(point) for point in self.between)
        return Line((one, other), lookup.topology.never_part(self.between))

    def rate(self, c: Coordinates) -> ca.SX:
        """That of its coordinate."""
        return self.line(c).rate if self.between else c.motion.coordinates[self.joint, self.freedom].rate

    def loads(self, c: Coordinates, effort: ca.SX) -> list[Load]:
        """An effort as loads on bodies."""
        if self.between:
            return list(self.line(c).loads(c.space, -effort))
        return effort_loads(c.motion, self.joint, self._place(c), effort)

    def action(self, c: Coordinates, effort: ca.SX) -> Contribution:
        """What it is among the forces."""
        if self.between:
            line, text = self.line(c), "force, positive when it pushes"
            readings = line.readings(effort, text) | {"effort": Reading("N", text, effort)}
            return Contribution(loads=line.loads(c.space, -effort), supplies=True, readings=readings)
        unit, word = ("N*m", "torque") if self.turns(c) else ("N", "force")
        reading = Reading(unit, f"{word} along {self.coordinate}, on the child", effort)
        pushed = JointEffort(self.joint, self._place(c), effort)
        return Contribution(efforts=(pushed,), supplies=True, readings={"effort": reading})

    def _place(self, c: Coordinates) -> int:
        freedoms = c.geometry.joints[self.joint].kind.freedoms(c.space)
        return [freedom.name for freedom in freedoms].index(self.freedom)


def motor_rates(c: Coordinates, motors: Sequence[Motor]) -> ca.SX:
    """B (k × nv): rates of the coordinates of the motors by the velocities."""
    return ca.jacobian(ca.vertcat(ca.SX(0, 1), *(motor.rate(c) for motor in motors)), c.v)


def with_motors(c: Coordinates, motors: Sequence[Motor]) -> tuple[Coordinates, ca.SX]:
    """The coordinates with motors among their forces, and the symbols u (k) of their efforts, which are the last of p."""
    if not motors:
        return c, ca.SX(0, 1)
    require_unread(c, "an effort of a motor")
    symbols = [ca.SX.sym(f"{motor.name}.effort") for motor in motors]
    actions, loads = dict(c.loading.actions), list(c.loading.loads)
    for motor, symbol in zip(motors, symbols, strict=True):
        actions[motor.name] = motor.action(c, symbol)
        loads += motor.loads(c, symbol)
    u = ca.vertcat(*symbols)
    pushed = motor_rates(c, motors).T @ u
    loading = replace(c.loading, generalised=c.loading.generalised + pushed, loads=tuple(loads), actions=actions)
    return replace(c, loading=loading, driving=Later(lambda: c.forces + pushed), p=ca.vertcat(c.p, u)), u
