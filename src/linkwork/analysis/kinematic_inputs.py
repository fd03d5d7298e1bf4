"""The inputs of a kinematic solution as drivers of the model: formulas of time, values one after the other, or its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Binary, Name, Number
from linkwork.algebra.units import si
from linkwork.errors import LinkworkError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Driver, Model
from linkwork.topology import Topology, analyse
from linkwork.topology.assembly import free_rows
from linkwork.topology.condition_rows import condition_rows, reading_of

Array = NDArray[np.float64]
Input = float | str | Sequence[float | str] | Array
TIME = Name("t")
KEPT = 8  # driven models that are remembered
SAMPLES = 1000  # intervals when no spacing is given


@dataclass(frozen=True, eq=False)
class Driven:
    """A model whose motion is prescribed, the times (N), and the coordinate that stands for the time, if one does."""

    model: Model
    times: Array
    swept: str = ""


def drive_inputs(
    model: Model, inputs: Mapping[str, Input] | None, until: float | str | None, times: Sequence[float] | Array | None
) -> Driven:
    """Give the model a driver by position for each input; its own drivers stay on the other joints."""
    keys = {coordinate_key(model, name): value for name, value in (inputs or {}).items()}
    rows = {
        key: np.array([si(item, "any") for item in np.ravel(value).tolist()])
        for key, value in keys.items()
        if not isinstance(value, (str, int, float))
    }
    if rows and (len(keys) > 1 or times is not None or until is not None):
        names = " and ".join(".".join(key) for key in rows)
        raise RefusedError(f"values of {names} are taken one after the other, without times and other inputs; give formulas "
                           "of t, such as '0.5 + sin(t)', where there are times or several inputs")  # fmt: skip
    own = {
        (d.joint, d.freedom or model.joints[d.joint].freedoms[0].coordinate): name
        for name, d in model.joint_drivers.items()
    }
    formulas = {key: str(value) for key, value in keys.items() if key not in rows}
    grid, swept = _grid(until, times) if not rows else np.zeros(0), ""
    for key, values in rows.items():
        formulas[key], grid = _sweep(".".join(key), values)
        swept = ".".join(key)
    drivers = {own.get(key, f"input_{key[0]}_{key[1]}"): Driver(joint=key[0], freedom=key[1], position=text)
               for key, text in formulas.items()}  # fmt: skip
    kept = {name: driver for name, driver in model.drivers.items() if name not in drivers}
    by_rate = [name for name, driver in kept.items() if isinstance(driver, Driver) and driver.level != "position"]
    if not (inputs or by_rate):
        return Driven(model, grid)
    return Driven(_with_drivers(model, drivers, by_rate), grid, swept)


def _with_drivers(model: Model, drivers: Mapping[str, Driver], by_rate: Sequence[str]) -> Model:
    """The model with other drivers; asked again for the same ones, the same model, so that what is compiled serves again."""
    key = id(model), tuple((name, repr(driver)) for name, driver in drivers.items())
    if key not in _remembered:
        kept = {name: driver for name, driver in model.drivers.items() if name not in drivers}
        kept |= _as_positions(model, by_rate) if by_rate else {}
        unchanged = {key: getattr(model, key) for key in type(model).model_fields}
        _remembered[key] = model, Model(**{**unchanged, "drivers": {**kept, **drivers}, "initial": {}})
        while len(_remembered) > KEPT:
            _remembered.pop(next(iter(_remembered)))
    return _remembered[key][1]


# the models are held, so that an id is not given to another one while it is a key here
_remembered: dict[tuple[object, ...], tuple[Model, Model]] = {}


def coordinate_key(model: Model, name: str) -> tuple[str, str]:
    """(joint, freedom) of 'O' or 'O.angle'."""
    joint, _, freedom = name.partition(".")
    known = [f"{key}.{f.coordinate}" for key, item in model.joints.items() for f in item.freedoms]
    if joint in model.joints and model.joints[joint].freedoms and not freedom:
        several = [f"{joint}.{f.coordinate}" for f in model.joints[joint].freedoms]
        if len(several) > 1:
            raise RefusedError(f"joint {joint} has several coordinates: name one of {', '.join(several)}")
        freedom = model.joints[joint].freedoms[0].coordinate
    if f"{joint}.{freedom}" not in known:
        raise UnknownNameError(f"'{name}' is no coordinate of a joint; {did_you_mean(name, known)}")
    return joint, freedom


def check_inputs(topology: Topology) -> None:
    """Refuse inputs that leave some motion open, and conditions on velocities alone."""
    model, conditions, poses = topology.model, topology.conditions, topology.assembly.poses
    if conditions.rate_labels:
        raise RefusedError(f"{conditions.rate_labels[0]} restricts velocities alone: positions follow from the way there, "
                           "not from the inputs; use simulate")  # fmt: skip
    left = topology.mobility.free - len(topology.passive)
    if left <= 0:
        return
    p = topology.geometry.defaults
    rows = condition_rows(model, conditions, poses, p)
    order = [i for i, r in enumerate(conditions.readings) if r.element in model.joints and not r.rate_only]
    names = [
        f"{conditions.readings[i].element}.{conditions.readings[i].name}"
        for i in free_rows(rows.all, rows.readings, order)
    ]
    given = len(model.drivers)
    which = f": {', '.join(names)} could be {'it' if left == 1 else 'they'}" if names else ""
    raise RefusedError(
        f"{given or 'no'} input{'' if given == 1 else 's'} for {given + left} freedom{'' if given + left == 1 else 's'}; "
        f"give {left} more{which}"
    )


def explain_inputs(driven: Model, error: LinkworkError) -> LinkworkError:
    """Why a model cannot be assembled with its inputs: there are too many, or what the error says itself."""
    unchanged = {key: getattr(driven, key) for key in type(driven).model_fields}
    drawn = analyse(Model(**{**unchanged, "drivers": driven.guides}))
    free, joints = drawn.mobility.free - len(drawn.passive), [d.joint for d in driven.joint_drivers.values()]
    if len(joints) <= free:
        return error
    freedoms = "1 freedom" if free == 1 else f"{free} freedoms"
    listed = ", ".join(joints)
    return RefusedError(f"{len(joints)} inputs ({listed}) for {freedoms}: leave {len(joints) - free} out")


def _sweep(name: str, values: Array) -> tuple[str, Array]:
    if values.ndim != 1 or len(values) < 2 or not np.all(np.isfinite(values)):
        raise RefusedError(f"inputs: {name} needs a row of two or more finite values")
    steps = np.diff(values)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise RefusedError(f"inputs: the values of {name} must all grow, or all fall; solve other ways one by one")
    sign = 1.0 if steps[0] > 0 else -1.0
    return f"{float(values[0])!r} {'+' if sign > 0 else '-'} t", sign * (values - values[0])


def _grid(until: float | str | None, times: Sequence[float] | Array | None) -> Array:
    if times is not None:
        grid = np.asarray(times, dtype=float).ravel()
        if grid.size < 1 or not np.all(np.isfinite(grid)) or np.any(np.diff(grid) <= 0) or grid[0] < 0:
            raise RefusedError("times must grow, from zero or later")
        return grid if grid[0] == 0.0 else np.concatenate([[0.0], grid])
    if until is None:
        raise RefusedError(
            "when does the motion end? give until, such as '1 s', or times, or a row of values of one input"
        )
    end = si(until, "time")
    if not end > 0.0:
        raise RefusedError(f"until = {until}: the end must be a positive time such as '1 s'")
    return np.linspace(0.0, end, SAMPLES + 1)


def _as_positions(model: Model, names: Sequence[str]) -> dict[str, Driver]:
    """Drivers by a constant speed or acceleration, by their positions from the assembled one."""
    topology = analyse(model)
    values = topology.conditions.evaluate(topology.assembly.poses, topology.geometry.defaults)[2]
    found = {}
    for name in names:
        driver = model.joint_drivers[name]
        if re.search(r"\bt\b", str(driver.motion)):
            raise RefusedError(
                f"driver '{name}' gives a {driver.level} that changes with time: give its position as a formula, "
                f"inputs={{'{driver.joint}': ...}}, or use simulate"
            )
        first = float(values[reading_of(model, topology.conditions, driver.joint, driver.freedom)])
        start = Number(first) if driver.initial is None else driver.initial
        way = Binary("*", driver.motion, TIME)
        if driver.level == "acceleration":
            # v₀ t + a t² / 2
            way = Binary("/", Binary("*", way, TIME), Number(2.0))
            way = Binary("+", Binary("*", driver.initial_speed or Number(0.0), TIME), way)
        found[name] = Driver(joint=driver.joint, freedom=driver.freedom, position=Binary("+", start, way))
    return found
