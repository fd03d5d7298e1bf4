"""Drivers of joints and inputs: an input of an analysis is a polynomial whose numbers stand in p, so that all its motions
have the same equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.expressions import to_sx
from linkwork.coordinates.naming import Lookup
from linkwork.elements.contribution import Contribution, OwnState
from linkwork.elements.drivers.joint_driver import PrescribedCourse, drive_joint
from linkwork.model.forces.base import Scene
from linkwork.position.drives import NUMBERS, Drives
from linkwork.position.geometry import Geometry


def driven(lookup: Lookup, scene: Scene, name: str) -> Contribution:
    """What a driver of a joint contributes, or the input that stands in its place."""
    drives = lookup.topology.drives
    if name not in lookup.inputs:
        return drives.drivers[name].contribute(scene)
    return drive_joint(scene.coordinate(*drives.keys[name]), PrescribedCourse("position", lookup.inputs[name]))


@dataclass(frozen=True, eq=False)
class MovedInput:
    """An input of an analysis: u(t), and the numbers of p that it is made of."""

    value: ca.SX
    numbers: tuple[OwnState, ...]


def input_motions(drives: Drives, t: ca.SX) -> dict[str, MovedInput]:
    """The inputs by name: c₀ + x (c₁ + x (c₂ + ...)) with x = t − t_k."""
    found = {}
    for name in drives.inputs:
        at, *terms = symbols = [ca.SX.sym(f"{name}.{i}") for i in range(NUMBERS)]
        value = terms[-1]
        for term in reversed(terms[:-1]):
            value = term + (t - at) * value
        # they stay what they are given as
        found[name] = MovedInput(value, tuple(OwnState(str(x), x, ca.SX(0), x) for x in symbols))
    return found


def asked_angles(
    drives: Drives, geometry: Geometry, t: ca.SX, inputs: Mapping[str, MovedInput]
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
