"""Conditions that depend on time and relations between joint coordinates: drivers and couplings.

A driver given by its position is the condition φ − f(t) = 0. One given by speed or acceleration gets states of its own,
ṡ = f(t) or s̈ = f(t), and the condition φ − s = 0: the loop is then closed in position too, and nothing drifts. An input of
an analysis is a polynomial whose numbers stand in p, so that all its motions have the same equations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.expressions import to_sx
from linkwork.coordinates.motion import Coordinate
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Condition, Contribution, OwnState
from linkwork.position.drives import NUMBERS, Drives
from linkwork.position.geometry import Geometry
from linkwork.position.labels import coupling_label


def driven(lookup: Lookup, name: str) -> Contribution:
    """What a driver of a joint contributes."""
    joint, freedom = lookup.topology.drives.keys[name]
    coordinate = lookup.coordinate(joint, freedom)
    wanted, states = _wanted(lookup, name, coordinate)
    slides = coordinate.kind != "angle"
    meaning = f"{'force' if slides else 'torque'} along {joint}, on the child"
    row = Condition(f"motion of {joint}", coordinate.value - wanted, is_length=slides, meaning=meaning)
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


@dataclass(frozen=True, eq=False)
class InputMotion:
    """An input of an analysis: u(t), and the numbers of p that it is made of."""

    value: ca.SX
    numbers: tuple[OwnState, ...]


def input_motions(drives: Drives, t: ca.SX) -> dict[str, InputMotion]:
    """The inputs by name: c₀ + x (c₁ + x (c₂ + ...)) with x = t − t_k."""
    found = {}
    for name in drives.inputs:
        at, *terms = symbols = [ca.SX.sym(f"{name}.{i}") for i in range(NUMBERS)]
        value = terms[-1]
        for term in reversed(terms[:-1]):
            value = term + (t - at) * value
        # they stay what they are given as
        found[name] = InputMotion(value, tuple(OwnState(str(x), x, ca.SX(0), x) for x in symbols))
    return found


def asked_angles(
    drives: Drives, geometry: Geometry, t: ca.SX, inputs: Mapping[str, InputMotion]
) -> dict[tuple[str, str], ca.SX]:
    """Where drivers, inputs and initial values want coordinates to start, by (joint or body, freedom)."""
    values, model = {**geometry.fixed_values, "t": t}, drives.model
    wanted = {(name, key): value for name, given in drives.initial.items() for key, value in given.items()}
    wanted |= {
        (guide.body, "angle"): guide.angle
        for guide in model.guides.values()
        if guide.body is not None and guide.angle is not None
    }
    for name, driver in drives.drivers.items():
        start = driver.position if driver.position is not None else driver.initial
        if start is not None:
            wanted[drives.keys[name]] = start
    found = {
        key: ca.SX(to_sx(value, values.__getitem__)) for key, value in wanted.items() if not isinstance(value, tuple)
    }
    return found | {drives.inputs[name]: motion.value for name, motion in inputs.items()}


def _wanted(lookup: Lookup, name: str, coordinate: Coordinate) -> tuple[ca.SX, tuple[OwnState, ...]]:
    if name in lookup.inputs:
        return lookup.inputs[name], ()
    driver = lookup.topology.drives.drivers[name]
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
