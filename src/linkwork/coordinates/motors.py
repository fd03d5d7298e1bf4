"""Motors: efforts along joint coordinates whose values are not formulas but unknowns, given sample by sample.

A motor is an effort like any other, on the child and with the opposite sign on the parent; its value is one more number of
p, behind all others. Its generalised force is (∂r/∂v)ᵀ u, with the rate r of its coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.coordinates.contributions import effort_loads
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.multipliers import require_unread
from linkwork.elements.contribution import Contribution, JointEffort, Reading


@dataclass(frozen=True)
class Motor:
    """Something that pushes along a joint coordinate: ``name`` is its own, ``joint`` and ``freedom`` where it works."""

    name: str
    joint: str
    freedom: str

    @property
    def coordinate(self) -> str:
        """The name of its coordinate: 'A.angle'."""
        return f"{self.joint}.{self.freedom}"


def motor_rates(c: Coordinates, motors: Sequence[Motor]) -> ca.SX:
    """B (k × nv): rates of the coordinates of the motors by the velocities."""
    rates = [c.motion.coordinates[motor.joint, motor.freedom].rate for motor in motors]
    return ca.jacobian(ca.vertcat(ca.SX(0, 1), *rates), c.v)


def with_motors(c: Coordinates, motors: Sequence[Motor]) -> tuple[Coordinates, ca.SX]:
    """The coordinates with motors among their forces, and the symbols u (k) of their efforts, which are the last of p."""
    if not motors:
        return c, ca.SX(0, 1)
    require_unread(c, "an effort of a motor")
    symbols = [ca.SX.sym(f"{motor.name}.effort") for motor in motors]
    actions, loads = dict(c.loading.actions), list(c.loading.loads)
    for motor, symbol in zip(motors, symbols, strict=True):
        place = _place(c, motor)
        unit = "N" if c.motion.coordinates[motor.joint, motor.freedom].kind == "length" else "N*m"
        reading = Reading(
            unit, f"{'force' if unit == 'N' else 'torque'} along {motor.coordinate}, on the child", symbol
        )
        actions[motor.name] = Contribution(
            efforts=(JointEffort(motor.joint, place, symbol),), supplies=True, readings={"effort": reading}
        )
        loads += effort_loads(c.motion, motor.joint, place, symbol)
    u = ca.vertcat(*symbols)
    pushed = motor_rates(c, motors).T @ u
    loading = replace(c.loading, generalised=c.loading.generalised + pushed, loads=tuple(loads), actions=actions)
    return replace(c, loading=loading, forces=c.forces + pushed, p=ca.vertcat(c.p, u)), u


def _place(c: Coordinates, motor: Motor) -> int:
    freedoms = c.geometry.joints[motor.joint].kind.freedoms(c.space)
    return [freedom.name for freedom in freedoms].index(motor.freedom)
