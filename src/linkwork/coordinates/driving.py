"""Conditions that depend on time and relations between joint coordinates: drivers and couplings.

A driver given by its position is the condition φ − f(t) = 0. One given by speed or acceleration gets states of its own,
ṡ = f(t) or s̈ = f(t), and the condition φ − s = 0: the loop is then closed in position too, and nothing drifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.coordinates.base import ConstraintRow, RowLabel
from linkwork.coordinates.motion import Auxiliary, Coordinate
from linkwork.coordinates.naming import Lookup


@dataclass(frozen=True)
class Constant:
    """A number that the assembly fixes: a symbol of p and its value as an expression of t, q, s and p."""

    name: str
    symbol: ca.SX
    start: ca.SX


@dataclass(frozen=True)
class Conditions:
    """Rows with the states and constants they need."""

    rows: tuple[ConstraintRow, ...]
    states: tuple[Auxiliary, ...] = ()
    constants: tuple[Constant, ...] = ()


def drive(lookup: Lookup) -> Conditions:
    """The conditions of all drivers."""
    rows: list[ConstraintRow] = []
    states: list[Auxiliary] = []
    constants: list[Constant] = []
    length = lookup.motion.kinematics.length
    for name, driver in lookup.model.drivers.items():
        coordinate = lookup.coordinate(driver.joint, driver.freedom)
        wanted, own = _wanted(lookup, name, coordinate)
        states += own
        residual = coordinate.value - wanted
        if coordinate.kind == "angle":
            # the driver may start any number of turns away from the coordinate
            turns = ca.SX.sym(f"{name}.turns")
            gap = coordinate.value - wanted
            constants.append(Constant(f"{name}.turns", turns, 2 * ca.pi * ca.floor(gap / (2 * ca.pi) + 0.5)))
            residual = residual - turns
        weight = length if coordinate.kind == "angle" else 1.0
        rows.append(ConstraintRow(RowLabel(name, f"motion of {driver.joint}", "driver"), residual, weight))
    return Conditions(tuple(rows), tuple(states), tuple(constants))


def _wanted(lookup: Lookup, name: str, coordinate: Coordinate) -> tuple[ca.SX, list[Auxiliary]]:
    driver = lookup.model.drivers[name]
    if driver.position is not None:
        return lookup.expression(driver.position), []
    start = coordinate.value if driver.initial is None else lookup.expression(driver.initial)
    position = ca.SX.sym(f"{name}.position")
    if driver.speed is not None:
        return position, [Auxiliary(f"{name}.position", position, lookup.expression(driver.speed), start, "driver")]
    assert driver.acceleration is not None
    speed = ca.SX.sym(f"{name}.speed")
    first = ca.SX(0) if driver.initial_speed is None else lookup.expression(driver.initial_speed)
    return position, [
        Auxiliary(f"{name}.position", position, speed, start, "driver"),
        Auxiliary(f"{name}.speed", speed, lookup.expression(driver.acceleration), first, "driver"),
    ]


def couple(lookup: Lookup) -> Conditions:
    """The conditions of all couplings: φ_a − ratio φ_b = its value at the assembly."""
    rows: list[ConstraintRow] = []
    constants: list[Constant] = []
    for name, coupling in lookup.model.couplings.items():
        first, second = (
            lookup.coordinate(joint, freedom)
            for joint, freedom in zip(coupling.joints, coupling.freedoms or (None, None), strict=True)
        )
        relation = first.value - lookup.expression(coupling.ratio) * second.value
        phase = ca.SX.sym(f"{name}.phase")
        constants.append(Constant(f"{name}.phase", phase, relation))
        weight = lookup.motion.kinematics.length if first.kind == "angle" else 1.0
        label = RowLabel(name, " and ".join(coupling.joints), "coupling")
        rows.append(ConstraintRow(label, relation - phase, weight))
    return Conditions(tuple(rows), (), tuple(constants))
