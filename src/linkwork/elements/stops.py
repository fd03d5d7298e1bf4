"""What a joint coordinate x meets at its limits: a rigid stop, or a spring with a damper.

A rigid stop is a condition that comes and goes, with the room Φ = x − low or high − x. An angle counts with a lever, so that
rooms of all stops are lengths and their multipliers forces:

    Φ = l (x − low) ≥ 0,   τ = l λ

A stop that gives way pushes back over its depth δ > 0 with a force that never pulls,

    F = max(0, k δ + c δ̇),   V = ½ k δ²,   D = (F − k δ) δ̇,

D ≥ 0: what the damper takes while it is pressed, and the energy of a spring that its damper lets go alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, JointCoordinate, JointEffort, Reading

Holds = Callable[[ca.SX], ca.SX]
"""1 where an expression is positive, else 0; a run holds the branch and finds its zero."""
SpringLaw = tuple[ca.SX, ca.SX]
"""Stiffness and damping."""
LOWER, UPPER = "lower", "upper"


@dataclass(frozen=True, eq=False)
class Travel:
    """The lowest and the highest value (rad or m) of a coordinate; None: there is no stop on that side."""

    low: ca.SX | None
    high: ca.SX | None

    def rooms(self, value: ca.SX) -> dict[str, ca.SX]:
        """How far a value is from its stops, by side."""
        rooms = {LOWER: None if self.low is None else value - self.low}
        rooms[UPPER] = None if self.high is None else self.high - value
        return {side: room for side, room in rooms.items() if room is not None}


def rigid_stops(coordinate: JointCoordinate, range_: Travel, restitution: ca.SX, length: float) -> Contribution:
    """Conditions that hold while the coordinate is pressed on a stop; *length*: the lever of angles (m)."""
    lever = 1.0 if coordinate.unit == "m" else length
    what = "force" if coordinate.unit == "m" else "torque"
    rows = [
        Condition(
            side,
            lever * room,
            level="limit",
            words=("is reached", "is left", "is hit"),
            while_held="pressed",
            meaning=f"{what} of the {side} stop of {coordinate.joint}, away from it",
            restitution=restitution,
            lever=None if coordinate.unit == "m" else lever,
            remedy=f"draw it inside, give {coordinate.joint} an initial {coordinate.word} there, or other limits",
        )
        for side, room in range_.rooms(coordinate.value).items()
    ]
    return Contribution(tuple(rows))


@dataclass(frozen=True, eq=False)
class Sprung:
    """A spring with a damper that pushes and never pulls: F, V and D."""

    force: ca.SX
    potential: ca.SX
    dissipation: ca.SX


def sprung(depth: ca.SX, rate: ca.SX, law: SpringLaw, holds: Holds) -> Sprung:
    """What gives way by δ, at the rate δ̇."""
    stiffness, damping = law
    pressed = holds(depth)
    force = stiffness * depth + damping * rate
    force = pressed * (force if damping.is_zero() else holds(force) * force)
    return Sprung(force, pressed * stiffness * depth**2 / 2, (force - pressed * stiffness * depth) * rate)


def sprung_stops(coordinate: JointCoordinate, range_: Travel, law: SpringLaw, holds: Holds) -> Contribution:
    """Springs with dampers at both ends."""
    effort, potential, dissipation = ca.SX(0), ca.SX(0), ca.SX(0)
    for side, room in range_.rooms(coordinate.value).items():
        sign = 1 if side == LOWER else -1
        found = sprung(-room, -sign * coordinate.rate, law, holds)
        effort += sign * found.force
        potential += found.potential
        dissipation += found.dissipation
    text = f"{'force' if coordinate.unit == 'm' else 'torque'} of the stops along the coordinate, on the child"
    return Contribution(
        efforts=(JointEffort(coordinate.joint, coordinate.freedom, effort),),
        potential=potential,
        dissipation=dissipation,
        readings={"stop": Reading(coordinate.effort_unit, text, effort)},
    )
