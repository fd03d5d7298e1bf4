"""A state of a run as a model that begins there: values of joints, drivers and floating bodies, checked by assembling it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.singular import motion_of, state_values
from linkwork.analysis.walk.prepare import Mechanism, analysed
from linkwork.errors import AssemblyError, RefusedError
from linkwork.model import Driver, Model
from linkwork.model.checks.initial import connected_to_ground
from linkwork.model.element import expressions_in
from linkwork.numerics.integrators.solution import Mode
from linkwork.position.assembly import Assembly
from linkwork.position.geometry import Pose
from linkwork.topology.analyse import OMEGA

Array = NDArray[np.float64]
Initial = dict[str, float | tuple[float, ...]]
SAME = 1e-7  # rad, or of the size of the mechanism: poses that are nearer are the same
STILL = 1e-12  # s: a time that is none


@dataclass(frozen=True, eq=False)
class Standing:
    """A mechanism in a state: y and p at a time, and its mode where that is known."""

    mechanism: Mechanism
    t: float
    y: Array
    p: Array
    mode: Mode | None = None


def twists_of(state: Standing) -> dict[str, Array]:
    """Velocity and angular velocity of all bodies at a state, and the rates of the unknowns of relations."""
    c = state.mechanism.coordinates
    twists = [c.kinematics.twists[name] for name in c.geometry.bodies]
    parts = [item for twist in twists for item in (twist.velocity, twist.omega)]
    found = [item.ravel() for item in state_values(state.mechanism, state.t, state.y, state.p, parts)]
    pairs = zip(found[::2], found[1::2], strict=True)
    known = {name: np.concatenate(pair) for name, pair in zip(c.geometry.bodies, pairs, strict=True)}
    # the rates of unknowns are the last of v
    place = c.q.numel() + c.v.numel() - sum(unknowns.numel() for unknowns in c.unknowns.values())
    for name, unknowns in c.unknowns.items():
        known[name] = state.y[place : place + unknowns.numel()]
        place += unknowns.numel()
    return known


def starting_model(state: Standing, live: Mapping[str, float], near: Mapping[str, Pose], verb: str) -> Model:
    """The model whose ``initial`` and drivers put its joints where they are in a state, with their speeds; checked."""
    model, moment = state.mechanism.model, state.t
    if abs(moment) > STILL and _depends_on_time(model):
        raise RefusedError(
            f"{verb}: formulas of the model contain t, and a model begins at t = 0, not at {moment:.6g} s where this state "
            "is; simulate goes on from it"
        )
    values = _joint_values(state)
    for element, given in _body_values(state, near).items():
        values.setdefault(element, {}).update(given)
    drivers = {name: _begun(model, driver, values) for name, driver in model.joint_drivers.items()}
    for driver in drivers.values():
        for key in _keys(model, driver):
            values[driver.joint].pop(key)
    changed = model.with_(
        initial={**dict.fromkeys(model.initial), **values},
        parameters={name: model.parameters[name].with_(value=value) for name, value in live.items()},
        drivers=drivers,
        branches=None,
    )
    try:
        placed = analysed(changed, near).assembly
    except AssemblyError as error:
        raise RefusedError(f"{verb}: the model cannot begin in this state: {error}") from None
    away = _elsewhere(state, near, placed)
    if away:
        raise RefusedError(
            f"{verb}: the model would not begin with {', '.join(away)} in this state; simulate goes on from it"
        )
    return changed


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
    motion = motion_of(mechanism, state.t, state.y, state.p)
    if motion is None:
        return {}
    p = state.p[: len(mechanism.topology.geometry.defaults)]
    _, _, places, rows = conditions.evaluate(near, p)
    rates, values = rows @ motion, dict[str, Initial]()
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


def _elsewhere(state: Standing, near: Mapping[str, Pose], placed: Assembly) -> list[str]:
    """Bodies whose pose or velocity an assembly does not have."""
    size, bodies = state.mechanism.topology.conditions.length, state.mechanism.model.bodies
    twists = twists_of(state)
    fastest = max((float(np.max(np.abs(twists[name]), initial=0.0)) for name in bodies), default=0.0)
    return [
        name
        for name in bodies
        if _distance(near[name], placed.poses[name], size) > SAME
        or float(np.max(np.abs(twists[name] - placed.twists[name]))) > 10 * SAME * max(fastest, 1.0)
    ]


def _begun(model: Model, driver: Driver, values: Mapping[str, Initial]) -> Driver:
    """A driver by its rate that begins where its joint is."""
    if driver.level == "position":
        return driver
    given = values[driver.joint]
    coordinate, rate = _keys(model, driver)
    speed = {"initial_speed": given[rate]} if driver.level == "acceleration" else {}
    return driver.with_(initial=given[coordinate], **speed)


def _keys(model: Model, driver: Driver) -> tuple[str, str]:
    """Names of the coordinate of a driver, and of its rate."""
    freedoms = model.joints[driver.joint].freedoms
    found = next((f for f in freedoms if f.name == driver.freedom), freedoms[0])
    return found.name, found.rate


def _depends_on_time(model: Model) -> bool:
    found = (item for key in type(model).model_fields for _, item in expressions_in(getattr(model, key), key))
    return any("t" in formula.names() for formula in found)


def _distance(one: Pose, other: Pose, size: float) -> float:
    """How far two poses are apart: of the size of the mechanism, or of axes."""
    return max(float(np.max(np.abs(one.origin - other.origin))) / size, float(np.max(np.abs(one.axes - other.axes))))
