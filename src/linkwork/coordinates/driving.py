"""Conditions that depend on time and relations between joint coordinates: drivers and couplings.

A driver given by its position is the condition φ − f(t) = 0. One given by speed or acceleration gets states of its own,
ṡ = f(t) or s̈ = f(t), and the condition φ − s = 0: the loop is then closed in position too, and nothing drifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.expressions import to_sx
from linkwork.coordinates.base import ConstraintRow, Meaning, RowLabel
from linkwork.coordinates.motion import AssemblyConstant, Auxiliary, Coordinate
from linkwork.coordinates.naming import Lookup
from linkwork.model import Model
from linkwork.position.geometry import Geometry
from linkwork.position.labels import coupling_label


@dataclass(frozen=True, eq=False)
class DrivenRows:
    """Rows with the states and constants they need."""

    rows: tuple[ConstraintRow, ...]
    states: tuple[Auxiliary, ...] = ()
    constants: tuple[AssemblyConstant, ...] = ()


def drive(lookup: Lookup) -> DrivenRows:
    """The conditions of all drivers."""
    rows: list[ConstraintRow] = []
    states: list[Auxiliary] = []
    length = lookup.motion.kinematics.length
    for name, driver in lookup.model.joint_drivers.items():
        coordinate = lookup.coordinate(driver.joint, driver.freedom)
        wanted, own = _wanted(lookup, name, coordinate)
        states += own
        weight = length if coordinate.kind == "angle" else 1.0
        label = RowLabel(name, f"motion of {driver.joint}", "driver")
        turns = coordinate.kind == "angle"
        meaning = Meaning(f"{'torque' if turns else 'force'} along {driver.joint}, on the child", turns)
        rows.append(ConstraintRow(label, coordinate.value - wanted, weight, meaning))
    return DrivenRows(tuple(rows), tuple(states))


def asked_angles(model: Model, geometry: Geometry, t: ca.SX) -> dict[tuple[str, str], ca.SX]:
    """Where drivers and initial values want coordinates to start, by (joint or body, freedom)."""
    values = {**geometry.fixed_values, "t": t}
    wanted = {(name, key): value for name, given in model.initial.items() for key, value in given.items()}
    wanted |= {
        (guide.body, "angle"): guide.angle
        for guide in model.guides.values()
        if guide.body is not None and guide.angle is not None
    }
    for driver in model.joint_drivers.values():
        start = driver.position if driver.position is not None else driver.initial
        if start is not None:
            freedom = driver.freedom or model.joints[driver.joint].freedoms[0].coordinate
            wanted[driver.joint, freedom] = start
    return {
        key: ca.SX(to_sx(value, values.__getitem__)) for key, value in wanted.items() if not isinstance(value, tuple)
    }


def _wanted(lookup: Lookup, name: str, coordinate: Coordinate) -> tuple[ca.SX, list[Auxiliary]]:
    driver = lookup.model.joint_drivers[name]
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


def couple(lookup: Lookup) -> DrivenRows:
    """The conditions of all couplings: Σ cᵢ φᵢ = its value at the assembly."""
    rows: list[ConstraintRow] = []
    constants: list[AssemblyConstant] = []
    for name, coupled in lookup.motion.geometry.couplings.items():
        coordinates = [lookup.coordinate(term.joint, term.freedom) for term in coupled.terms]
        relation = ca.SX(0)
        for term, coordinate in zip(coupled.terms, coordinates, strict=True):
            relation = relation + term.factor * coordinate.value
        phase = ca.SX.sym(f"{name}.phase")
        constants.append(AssemblyConstant(f"{name}.phase", phase, relation))
        turns = coordinates[0].kind == "angle"
        weight = lookup.motion.kinematics.length if turns else 1.0
        what = f"{'torque' if turns else 'force'} per unit factor along {coupled.terms[0].joint}"
        rows.append(ConstraintRow(coupling_label(name, coupled), relation - phase, weight, Meaning(what, turns)))
    return DrivenRows(tuple(rows), (), tuple(constants))
