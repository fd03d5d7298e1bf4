"""Conditions that depend on time and relations between joint coordinates: drivers and couplings.

A driver given by its position is the condition φ − f(t) = 0. One given by speed or acceleration gets states of its own,
ṡ = f(t) or s̈ = f(t), and the condition φ − s = 0: the loop is then closed in position too, and nothing drifts.
"""

from __future__ import annotations

import casadi as ca

from linkwork.algebra.expressions import to_sx
from linkwork.coordinates.motion import Coordinate
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Condition, Contribution, OwnState
from linkwork.model import Model
from linkwork.position.geometry import Geometry
from linkwork.position.labels import coupling_label


def driven(lookup: Lookup, name: str) -> Contribution:
    """What a driver of a joint contributes."""
    driver = lookup.model.joint_drivers[name]
    coordinate = lookup.coordinate(driver.joint, driver.freedom)
    wanted, states = _wanted(lookup, name, coordinate)
    slides = coordinate.kind != "angle"
    meaning = f"{'force' if slides else 'torque'} along {driver.joint}, on the child"
    row = Condition(f"motion of {driver.joint}", coordinate.value - wanted, is_length=slides, meaning=meaning)
    return Contribution((row,), states=states)


def coupled(lookup: Lookup, name: str) -> Contribution:
    """What a coupling contributes: Σ cᵢ φᵢ = its value at the assembly."""
    coupling = lookup.motion.geometry.couplings[name]
    coordinates = [lookup.coordinate(term.joint, term.freedom) for term in coupling.terms]
    relation = ca.SX(0)
    for term, coordinate in zip(coupling.terms, coordinates, strict=True):
        relation = relation + term.factor * coordinate.value
    phase, slides = ca.SX.sym(f"{name}.phase"), coordinates[0].kind != "angle"
    meaning = f"{'force' if slides else 'torque'} per unit factor along {coupling.terms[0].joint}"
    component = coupling_label(name, coupling).component
    row = Condition(component, relation - phase, is_length=slides, meaning=meaning)
    return Contribution((row,), constants=(OwnState("phase", phase, ca.SX(0), relation),))


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
            freedom = driver.freedom or model.joints[driver.joint].freedoms[0].name
            wanted[driver.joint, freedom] = start
    return {
        key: ca.SX(to_sx(value, values.__getitem__)) for key, value in wanted.items() if not isinstance(value, tuple)
    }


def _wanted(lookup: Lookup, name: str, coordinate: Coordinate) -> tuple[ca.SX, tuple[OwnState, ...]]:
    driver = lookup.model.joint_drivers[name]
    if driver.position is not None:
        return lookup.expression(driver.position), ()
    start = coordinate.value if driver.initial is None else lookup.expression(driver.initial)
    position = ca.SX.sym(f"{name}.position")
    if driver.speed is not None:
        return position, (OwnState("position", position, lookup.expression(driver.speed), start),)
    assert driver.acceleration is not None
    speed = ca.SX.sym(f"{name}.speed")
    first = ca.SX(0) if driver.initial_speed is None else lookup.expression(driver.initial_speed)
    return position, (
        OwnState("position", position, speed, start),
        OwnState("speed", speed, lookup.expression(driver.acceleration), first),
    )
