"""A motion as somebody gives it: joint coordinates over time by name, with derivatives or without.

It comes as a mapping of names to arrays, to functions or to formulas of t; as a table in a file (.csv); or as a result.
Formulas are differentiated exactly; where an array or a function comes without its derivatives, a spline of fifth degree
gives them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import to_sx
from linkwork.algebra.expressions.undefined import find_hole
from linkwork.arrays import Array
from linkwork.coordinates.undefined import is_number, steepness
from linkwork.errors import Faults, LinkworkError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.dependence import in_order
from linkwork.model.parameters import formulas_of

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

GivenCourse = ArrayLike | str | Callable[[Array], ArrayLike]
DEGREE = 5  # of the splines
SHOWN = 5  # faults of a table


@dataclass(frozen=True, eq=False)
class GivenMotion:
    """Of N samples: time (N), and for each joint coordinate (joint, freedom) its values, rates and accelerations (N).

    measured: the coordinates whose derivatives are those of a spline
    """

    time: Array
    values: Mapping[tuple[str, str], tuple[Array, Array, Array]]
    measured: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        return [".".join(key) for key in self.values]


def read_record(model: Model, motion: Mapping[str, GivenCourse], time: ArrayLike | None) -> GivenMotion:
    """The motion of the joint coordinates that are named; columns of other quantities are an error."""
    names, faults, motion = level_names(model), Faults("the motion"), model.with_names(motion)
    moments = motion.get("time", motion.get("t", time))
    if moments is None:
        raise RefusedError(
            "when are the samples of the motion? give times, in seconds, or 'time' beside the coordinates"
        )
    t = _times(moments, faults)
    given: dict[tuple[str, str], list[Array | None]] = {}
    for name, item in motion.items():
        if name in ("time", "t"):
            continue
        with faults:
            if name not in names:
                refuse_point(model, name)
                raise UnknownNameError(f"the motion names '{name}'; {did_you_mean(name, list(names))}")
            key, level = names[name]
            found = given.setdefault(key, [None, None, None])
            levels = _levels(model, name, item, t)[: 3 - level] if t.size else ()
            for i, values in enumerate(levels):
                found[level + i] = values
    if not given and not faults.found:
        such = f"give some, such as {', '.join(list(names)[:3])}" if names else "the model has none, give a result"
        raise RefusedError(f"the motion gives no joint coordinate; {such}")
    faults.tell()
    measured = tuple(".".join(key) for key, levels in given.items() if any(item is None for item in levels))
    completed: dict[tuple[str, str], tuple[Array, Array, Array]] = {}
    for key, known in given.items():
        with faults:
            completed[key] = _completed(".".join(key), known, t)
    faults.tell()
    return GivenMotion(t, completed, measured)


def _times(moments: GivenCourse, faults: Faults) -> Array:
    """The times of the samples, which must grow."""
    t = np.zeros(0)
    with faults:
        t = _samples("time", moments, None)
        if t.size == 0:
            raise RefusedError("the motion has no samples")
        back = np.flatnonzero(np.diff(t) <= 0.0)
        if back.size:
            raise RefusedError(
                f"the times of the motion must grow from sample to sample: sample {back[0]} is at {t[back[0]]:g} s, "
                f"the next at {t[back[0] + 1]:g} s"
            )
    return t


def read_table(model: Model, path: str | Path) -> dict[str, GivenCourse]:
    """The columns of a file of joint coordinates and their rates, with headings such as ``A.angle [rad]``; in SI units."""
    source = Path(path)
    if not source.is_file():
        raise RefusedError(f"there is no motion file '{source}'")
    try:
        with source.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise RefusedError(f"'{source}' is no table of text: {error}") from None
    headings = [cell.partition("[")[0].partition("(")[0].strip() for cell in (rows[0] if rows else [])]
    known = {*level_names(model), "time", "t"}
    places = [i for i, heading in enumerate(headings) if heading in known]
    if not {"time", "t"}.intersection(headings) or len(places) < 2:
        wanted = ", ".join(list(level_names(model))[:3])
        named = ", ".join(headings[:6]) or "nothing"
        raise RefusedError(
            f"'{source}' has no motion: its first line must name time and coordinates such as {wanted}; it names {named}"
        )
    columns = _columns(source, rows, places)
    return {headings[i]: column for i, column in zip(places, columns, strict=True)}


def _columns(source: Path, rows: list[list[str]], places: list[int]) -> list[Array]:
    """Some columns of a table as numbers; all cells that are none are named by their lines."""
    faults, columns = Faults(f"'{source}'"), [np.zeros(len(rows)) for _ in places]
    lines = [(number, row) for number, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)]
    for place, (number, row) in enumerate(lines):
        for column, i in zip(columns, places, strict=True):
            with faults:
                column[place] = _cell(
                    f"line {number} of '{source}'", rows[0][i].strip(), row[i] if i < len(row) else ""
                )
    if len(faults.found) > SHOWN:
        faults.found[SHOWN:] = [RefusedError(f"and {len(faults.found) - SHOWN} more")]
    faults.tell()
    return [column[: len(lines)] for column in columns]


def _cell(where: str, heading: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise RefusedError(f"{where}: {heading} is '{text.strip()}', which is no number")
    return value


def level_names(model: Model) -> dict[str, tuple[tuple[str, str], int]]:
    """All names of joint coordinates, of their rates and accelerations, with the number of derivatives."""
    found: dict[str, tuple[tuple[str, str], int]] = {}
    for name, joint in model.joints.items():
        for f in joint.freedoms:
            key = (name, f.name)
            found |= {f"{name}.{word}": (key, i) for i, word in enumerate((f.name, f.rate, f.acceleration))}
        if len(joint.freedoms) == 1:
            found[name] = ((name, joint.freedoms[0].name), 0)
    return found


def refuse_point(model: Model, name: str) -> None:
    """Say how a point is moved where a component of one, 'arm.P.x', is named among joint coordinates."""
    point, _, axis = name.rpartition(".")
    if axis not in ("x", "y", "z") or not point:
        return
    try:
        model.locate(point)
    except (LinkworkError, ValueError):
        return
    raise RefusedError(
        f"'{name}' is a component of a point, not a coordinate of a joint: give a driver of the point in the model, such as "
        f"path: {{point: {point}, position: [...]}}, with formulas of t and null where it is free"
    )


def fixed_values(model: Model) -> dict[str, float]:
    """Values of the parameters that no live one changes."""
    live = set(model.live_parameters)
    for name in in_order(formulas_of(model.parameters)):
        if model.parameters[name].value.names() & live:
            live.add(name)
    return {name: value for name, value in model.parameter_values().items() if name not in live}


def _levels(model: Model, name: str, item: GivenCourse, t: Array) -> list[Array]:
    """The samples, and of a formula those of its derivatives too."""
    if not isinstance(item, str):
        return [_samples(name, item, t)]
    symbol = ca.SX.sym("t")
    fixed = fixed_values(model)

    def value(word: str) -> ca.SX | float:
        if word == "t":
            return symbol
        if word not in fixed:
            raise UnknownNameError(f"the formula '{item}' of {name} names '{word}'; it may depend on t alone")
        return fixed[word]

    formula = model.formula(item)
    position = ca.SX(to_sx(formula, value))
    levels = [position, ca.jacobian(position, symbol)]
    levels.append(ca.jacobian(levels[1], symbol))
    found = ca.Function("given", [symbol], [ca.densify(ca.vertcat(*levels))])
    values = np.array(found.map(t.size)(t.reshape(1, -1)))
    missing = ~np.all(is_number(values), axis=0)
    if missing.any():
        i = int(np.argmax(missing))
        first = float(t[i])
        hole = find_hole(formula, {**fixed, "t": first}.__getitem__)
        why = steepness(values[:, i]) if hole is None else hole.reason
        raise RefusedError(f"'{name}' of the motion: '{item}' has no value at t = {first:.6g} s ({why}); end before")
    return list(values)


def _samples(name: str, item: ArrayLike | Callable[[Array], ArrayLike], t: Array | None) -> Array:
    try:
        values = np.asarray(item(t) if callable(item) and t is not None else item, dtype=np.float64)
    except (TypeError, ValueError):
        raise RefusedError(f"'{name}' of the motion is {item!r:.60}; it must be numbers") from None
    if t is not None and values.ndim == 0:
        values = np.full(t.size, float(values))
    if values.ndim != 1 or (t is not None and values.shape != t.shape):
        wanted = "one number for every sample" if t is None else f"{t.size} numbers, one for every time"
        raise RefusedError(f"'{name}' of the motion has the shape {values.shape}; it must have {wanted}")
    if not np.all(np.isfinite(values)):
        first = int(np.argmin(np.isfinite(values)))
        when = "" if t is None else f", t = {t[first]:.6g} s"
        raise RefusedError(f"'{name}' of the motion is not finite at sample {first}{when}: {values[first]}")
    return values


def _completed(name: str, levels: list[Array | None], t: Array) -> tuple[Array, Array, Array]:
    """Derivatives that are missing, by splines of what is there."""
    first, *_ = levels
    if first is None:
        raise RefusedError(
            f"the motion gives derivatives of {name}, but not {name} itself: give it too, or move the mechanism by "
            "solve_kinematics, which integrates them, and give its result"
        )
    _, speed, acceleration = levels
    if acceleration is None:
        acceleration = (
            spline(name, t, first).derivative(2)(t) if speed is None else spline(name, t, speed).derivative(1)(t)
        )
    if speed is None:
        speed = spline(name, t, first).derivative(1)(t)
    return first, np.asarray(speed), np.asarray(acceleration)


def spline(name: str, t: Array, values: Array) -> BSpline:
    """The spline through all samples."""
    from scipy.interpolate import make_interp_spline

    if t.size < 3:
        raise RefusedError(
            f"{t.size} sample{' gives' if t.size == 1 else 's give'} no derivatives: give rates and accelerations of "
            f"{name}, or 3 samples"
        )
    degree = 2 if t.size == 3 else 3 if t.size <= DEGREE else DEGREE
    return make_interp_spline(t, values, k=degree)
