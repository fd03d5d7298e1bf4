"""A driver of a joint coordinate φ, of which a function of the time is given.

By its position it is the condition φ − f(t) = 0. One given by speed or acceleration has states of its own, ṡ = f(t) or
s̈ = f(t), and the condition φ − s = 0: the loop is then closed in position too, and nothing drifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.elements.contribution import Condition, Contribution, JointCoordinate, OwnState


@dataclass(frozen=True, eq=False)
class PrescribedCourse:
    """What is given of a coordinate, at a level: 'position', 'speed' or 'acceleration'; and where it begins, if known."""

    level: str
    value: ca.SX
    start: ca.SX | None = None
    start_speed: ca.SX | None = None


def drive_joint(coordinate: JointCoordinate, given: PrescribedCourse) -> Contribution:
    """Make a coordinate follow."""
    wanted, states = _wanted(coordinate, given)
    slides = coordinate.unit == "m"
    meaning = f"{'force' if slides else 'torque'} along {coordinate.joint}, on the child"
    row = Condition(f"motion of {coordinate.joint}", coordinate.value - wanted, is_length=slides, meaning=meaning)
    return Contribution((row,), states=states)


def _wanted(coordinate: JointCoordinate, given: PrescribedCourse) -> tuple[ca.SX, tuple[OwnState, ...]]:
    if given.level == "position":
        return given.value, ()
    start = coordinate.value if given.start is None else given.start
    position = ca.SX.sym(f"{coordinate.joint}.wanted")
    if given.level == "speed":
        return position, (OwnState("position", position, given.value, start),)
    speed = ca.SX.sym(f"{coordinate.joint}.wanted speed")
    first = ca.SX(0) if given.start_speed is None else given.start_speed
    return position, (OwnState("position", position, speed, start), OwnState("speed", speed, given.value, first))
