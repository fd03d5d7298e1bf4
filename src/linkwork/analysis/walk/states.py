"""A state of a run as what a mechanism is asked for that begins there: values of joints, drivers and floating bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkwork.algebra.expressions import Number
from linkwork.analysis.motion.singular import state_values, twists_of
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.model import Driver
from linkwork.model.checks.initial import connected_to_ground
from linkwork.numerics.integrators.solution import Mode
from linkwork.position.drives import Drives
from linkwork.position.geometry import Pose
from linkwork.topology.targets import OMEGA

Initial = dict[str, float | tuple[float, ...]]


@dataclass(frozen=True, eq=False)
class Standing:
    """A mechanism in a state: y and p at a time, and its mode where that is known."""

    mechanism: Mechanism
    t: float
    y: Array
    p: Array
    mode: Mode | None = None


def drives_at(state: Standing, poses: Mapping[str, Pose]) -> Drives:
    """What a mechanism is asked for that begins in a state: values and speeds of joints and floating bodies, at its time."""
    drives, values = state.mechanism.topology.drives, _joint_values(state)
    for element, given in _body_values(state, poses).items():
        values.setdefault(element, {}).update(given)
    drivers = {name: _begun(drives, name, values) for name in drives.drivers}
    for joint, freedom in drives.keys.values():
        rates = {f.name: f.rate for f in drives.model.joints[joint].freedoms}
        values[joint].pop(freedom)
        values[joint].pop(rates[freedom])
    return replace(drives, drivers=drivers, initial=_numbers(values), time=state.t)


def _numbers(values: Mapping[str, Initial]) -> dict[str, dict[str, Number | tuple[Number, ...]]]:
    """Values as expressions, as a model has them."""
    return {
        name: {key: tuple(map(Number, x)) if isinstance(x, tuple) else Number(x) for key, x in given.items()}
        for name, given in values.items()
    }


def _joint_values(state: Standing) -> dict[str, Initial]:
    """Coordinates and rates of all joints at a state, as ``initial`` has them."""
    c, model = state.mechanism.coordinates, state.mechanism.model
    keys = [key for key in c.motion.coordinates if key[0] in model.joints]
    parts = [part for key in keys for part in (c.motion.coordinates[key].value, c.motion.coordinates[key].rate)]
    found = state_values(state.mechanism, state.t, state.y, state.p, parts)
    values: dict[str, Initial] = {}
    for (joint, freedom), value, rate in zip(keys, found[::2], found[1::2], strict=True):
        names = {f.name: f.rate for f in model.joints[joint].freedoms}
        values.setdefault(joint, {}).update({freedom: value.item(), names[freedom]: rate.item()})
    return values


def _body_values(state: Standing, near: Mapping[str, Pose]) -> dict[str, Initial]:
    """What ``initial`` has beside coordinates of joints: places and speeds of bodies that float, and spins of balls."""
    mechanism, conditions = state.mechanism, state.mechanism.topology.conditions.at(state.t)
    motion = conditions.velocities(twists_of(mechanism, state.t, state.y, state.p))
    p = state.p[: len(mechanism.topology.geometry.defaults)]
    _, _, places, rows = conditions.evaluate(near, p)
    rates, values = rows @ motion + conditions.drift(near, p)[1], dict[str, Initial]()
    spatial = not mechanism.topology.geometry.space.planar
    joints = mechanism.model.joints
    allowed = {*joints, *({*mechanism.model.bodies} - connected_to_ground(joints))}
    for i, reading in enumerate(conditions.readings):
        if reading.element not in allowed or (reading.element in joints and reading.name not in OMEGA):
            continue
        entry = values.setdefault(reading.element, {})
        if reading.name in OMEGA:
            _append(entry, "omega", rates[i])
        elif spatial:
            _append(entry, "position", places[i])
            _append(entry, "velocity", rates[i])
        else:
            entry[reading.name] = float(places[i])
            entry["speed" if reading.angular else f"v{reading.name}"] = float(rates[i])
    return values


def _append(entry: Initial, key: str, component: float) -> None:
    before = entry.get(key, ())
    entry[key] = (*(before if isinstance(before, tuple) else ()), float(component))


def _begun(drives: Drives, name: str, values: Mapping[str, Initial]) -> Driver:
    """A driver by its rate that begins where its joint is."""
    driver, (joint, freedom) = drives.drivers[name], drives.keys[name]
    if driver.level == "position":
        return driver
    rates = {f.name: f.rate for f in drives.model.joints[joint].freedoms}
    speed = {"initial_speed": values[joint][rates[freedom]]} if driver.level == "acceleration" else {}
    return driver.with_(initial=values[joint][freedom], **speed)


def mode_in(c: Coordinates, p: Array) -> Mode:
    """What holds, as parameters say it."""
    held = tuple(np.flatnonzero(p[c.limit_places] > 0.5).tolist())
    seats = [place for places in c.seat_places.values() for place in places]
    numbers = (p[places] for places in (c.switch_places, c.slide_places, c.side_places, seats))
    return Mode(held, *(tuple(item.tolist()) for item in numbers))
