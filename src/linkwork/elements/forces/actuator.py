"""Actuators: a signal, amplified, limited and perhaps delayed, becomes a force.

    demand u = min(max(g·signal, lower), upper),   force f = u   or   τ ḟ = u − f

with a time constant τ; the delayed force is a state of its own, which the limits hold as they hold the demand.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Contribution, JointCoordinate, JointEffort, OwnState, Reading
from linkwork.elements.forces.spring import Line


@dataclass(frozen=True, eq=False)
class Amplifier:
    """From a signal to a force."""

    signal: ca.SX
    gain: ca.SX
    limits: tuple[ca.SX, ca.SX] | None = None
    lag: ca.SX | None = None
    start: ca.SX | None = None  # delayed force at the start; without it the demand at the start

    @property
    def demand(self) -> ca.SX:
        wanted = self.gain * self.signal
        return wanted if self.limits is None else ca.fmin(ca.fmax(wanted, self.limits[0]), self.limits[1])

    def force(self) -> tuple[ca.SX, tuple[OwnState, ...]]:
        """The force, and its state where it is delayed."""
        demand = self.demand
        if self.lag is None:
            return demand, ()
        force = ca.SX.sym("force")
        start = demand if self.start is None else self.start
        return force, (OwnState("force", force, (demand - force) / self.lag, start),)

    def readings(self, unit: str, word: str, force: ca.SX) -> dict[str, Reading]:
        return {
            "signal": Reading("", "signal", self.signal),
            "demand": Reading(unit, "amplified and limited signal", self.demand),
            word: Reading(unit, f"{word} of the actuator", force),
        }


def line_actuator(space: Space, line: Line, amplifier: Amplifier) -> Contribution:
    """Push two points apart."""
    force, states = amplifier.force()
    readings = line.readings(force, "force, positive when it pushes") | amplifier.readings("N", "force", force)
    return Contribution(loads=line.loads(space, -force), supplies=True, states=states, readings=readings)


def joint_actuator(coordinate: JointCoordinate, amplifier: Amplifier) -> Contribution:
    """Act on the child along a joint coordinate."""
    effort, states = amplifier.force()
    word = "force" if coordinate.unit == "m" else "torque"
    return Contribution(
        efforts=(JointEffort(coordinate.joint, coordinate.freedom, effort),),
        supplies=True,
        states=states,
        readings=amplifier.readings(coordinate.effort_unit, word, effort) | _followed(coordinate),
    )


def _followed(coordinate: JointCoordinate) -> dict[str, Reading]:
    unit, what = coordinate.unit, coordinate.word
    return {
        what: Reading(unit, f"{what} that it works on", coordinate.value),
        "speed": Reading(f"{unit}/s", f"rate of the {what} that it works on", coordinate.rate),
    }
