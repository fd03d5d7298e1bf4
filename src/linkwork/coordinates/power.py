"""The power of the force elements: what they give to the mechanism, destroy, and bring in from outside.

With the power P of the loads and efforts of an element, its own kinetic energy T, its potential V and the power D that it
destroys, it gives P + dT/dt to the mechanism and brings in S = P + D + d(T + V)/dt, if it has a source. Summed over all,

    d/dt (kinetic + potential energy) = Σ S − Σ D + power of the drivers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.coordinates.contributions import joint_rate, load_velocity, own_rates
from linkwork.coordinates.coordinates import Coordinates
from linkwork.elements.contribution import Contribution


@dataclass(frozen=True, eq=False)
class Power:
    """Of one element: to the mechanism, destroyed (never negative), and brought in, all W."""

    given: ca.SX
    dissipated: ca.SX
    supplied: ca.SX


def element_powers(c: Coordinates, vdot: ca.SX) -> Mapping[str, Power]:
    """The powers of all force elements, by name, as expressions of the state and of v̇."""
    return {name: _power(c, name, action, vdot) for name, action in c.loading.actions.items()}


def applied_power(c: Coordinates, name: str, action: Contribution) -> ca.SX:
    """P: the power of the loads and efforts of an element, and of what acts along its own unknowns."""
    total = ca.dot(ca.vertcat(*action.own_forces), own_rates(c.motion, name)) if action.own_forces else ca.SX(1, 1)
    for load in action.loads:
        velocity, omega = load_velocity(c.motion, load)
        total += ca.dot(load.force, velocity) + ca.dot(load.moment, omega)
    for effort in action.efforts:
        total += effort.value * joint_rate(c.motion, effort.joint, effort.freedom)
    return total


def _power(c: Coordinates, name: str, action: Contribution, vdot: ca.SX) -> Power:
    given = applied_power(c, name, action) + _rate(c, action, action.kinetic, vdot)
    stored = _rate(c, action, action.potential, vdot)
    supplied = given + action.dissipation + stored if action.supplies else ca.SX(1, 1)
    return Power(given, action.dissipation, supplied)


def _rate(c: Coordinates, action: Contribution, energy: ca.SX, vdot: ca.SX) -> ca.SX:
    """d/dt of an expression of t, q, v and the states of the element."""
    if energy.is_constant():
        return ca.SX(1, 1)
    total = c.motion.acceleration(energy, vdot) + ca.jtimes(energy, c.t, ca.SX(1))
    for state in action.states:
        total += ca.jtimes(energy, state.symbol, state.rate)
    return total
