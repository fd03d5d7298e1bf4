"""A motion as somebody gives it: joint coordinates over time by name, with derivatives or without.

It comes as a mapping of names to arrays, to functions or to formulas of t; as a table in a file (``motion_table``); or as
a result.
Formulas are differentiated exactly; where an array or a function comes without its derivatives, a spline of fifth degree
gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import Expression, check_formula, to_sx
from linkwork.algebra.expressions.undefined import find_hole
from linkwork.arrays import Array
from linkwork.coordinates.undefined import is_number, steepness
from linkwork.errors import Faults, LinkworkError, RefusedError, UnitError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.dependence import in_order
from linkwork.model.parameters import formulas_of
from linkwork.results.quantities import TIME, Variable

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

GivenCourse = ArrayLike | str | Callable[[Array], ArrayLike]
DEGREE = 5  # of the splines
SAMPLE = Variable("sample", "")


@dataclass(frozen=True, eq=False)
class GivenMotion:
    """Of N samples: time (N), and for each joint coordinate (joint, freedom) its values, rates and accelerations (N).

    measured: the coordinates whose rates are those of splines, and single rates that are; variable: what the time is
    unread: a note on columns of a file that are no motion, by all quantities that are known
    doubts: what may be meant otherwise
    """

    time: Array
    values: Mapping[tuple[str, str], tuple[Array, Array, Array]]
    measured: tuple[str, ...] = ()
    variable: Variable = TIME
    unread: Callable[[Container[str]], tuple[str, ...]] | None = None
    doubts: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        return [".".join(key) for key in self.values]

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known of it: which rates nobody has given, and what may be meant otherwise."""
        if not self.measured:
            return self.doubts
        one = len(self.measured) == 1 and not self.measured[0].startswith("rates")
        splines = f"{' and '.join(self.measured)} {'is that of a spline' if one else 'are those of splines'}"
        return splines, *self.doubts


def read_record(model: Model, motion: Mapping[str, GivenCourse], time: ArrayLike | None) -> GivenMotion:
    """The motion of the joint coordinates that are named; columns of other quantities are an error."""
    names, faults, motion = level_names(model), Faults("the motion"), model.with_names(motion)
    moments = motion.get("time", motion.get("t", time))
    if moments is None:
        raise RefusedError(
            "when are the samples of the motion? give times, in seconds, or 'time' beside the coordinates; rows of "
            "positions alone need none: they are poses at rest"
        )
    t = _times(moments, faults)
    given: dict[tuple[str, str], list[Array | None]] = {}
    told: dict[tuple[tuple[str, str], int], str] = {}
    for name, item in motion.items():
        if name in ("time", "t"):
            continue
        with faults:
            if name not in names:
                refuse_other(model, name)
                raise UnknownNameError(f"the motion names '{name}'; {did_you_mean(name, list(names))}")
            key, level = names[name]
            if (first := told.setdefault((key, level), name)) != name:
                raise RefusedError(f"the motion gives the same as '{first}' and as '{name}'; give it once")
            refuse_range(name, item)
            found = given.setdefault(key, [None, None, None])
            levels = _levels(model, name, item, t)[: 3 - level] if t.size else ()
            for i, values in enumerate(levels):
                found[level + i] = values
    if not given and not faults.found:
        such = f"give some, such as {', '.join(list(names)[:3])}" if names else "the model has none, give a result"
        raise RefusedError(f"the motion gives no joint coordinate; {such}")
    faults.tell()
    completed: dict[tuple[str, str], tuple[Array, Array, Array]] = {}
    for key, known in given.items():
        with faults:
            completed[key] = _completed(".".join(key), known, t)
    faults.tell()
    return GivenMotion(t, completed, tuple(_measured(model, given)))


def _measured(model: Model, given: Mapping[tuple[str, str], list[Array | None]]) -> Iterator[str]:
    """What splines give: 'rates of A.angle, B.angle' for all rates, 'C.speed' for one."""
    whole = [".".join(key) for key, (_, *rates) in given.items() if all(rate is None for rate in rates)]
    if whole:
        yield f"rates of {', '.join(whole)}"
    called = {item: name for name, item in level_names(model).items() if "." in name}
    for key, (_, *rates) in given.items():
        if ".".join(key) not in whole:
            yield from (called[key, level] for level, rate in enumerate(rates, start=1) if rate is None)


def read_poses(model: Model, motion: Mapping[str, GivenCourse]) -> GivenMotion | None:
    """Rows of positions alone, pose by pose at rest, over the number of the sample; None where there is anything else."""
    names, rows = level_names(model), model.with_names(motion)
    keys = [names[name][0] for name in rows if name in names]
    if not rows or any(isinstance(row, str) or callable(row) for row in rows.values()):
        return None
    if any(names[name][1] for name in rows if name in names):
        return None
    still = {name: 0.0 for name, (key, level) in names.items() if level and key in keys}
    count = max(np.size(row) for row in rows.values())  # type: ignore[arg-type]
    return replace(read_record(model, {**rows, **still}, np.arange(float(count))), variable=SAMPLE)


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


def dimension_of(model: Model, name: str) -> str:
    """What a coordinate of a joint, or a rate of one, measures."""
    (joint, freedom), level = level_names(model)[name]
    found = next(item for item in model.joints[joint].freedoms if item.name == freedom)
    return (found.dimension, found.rate_dimension, found.acceleration_dimension)[level]


def course_formula(model: Model, name: str, text: str) -> Expression:
    """The formula of a motion, which must measure what is moved."""
    formula = model.formula(text)
    try:
        check_formula(formula, dimension_of(model, name))
    except UnitError as error:
        raise UnitError(f"the motion of {name}: {error}") from None
    return formula


def refuse_other(model: Model, name: str) -> None:
    """Say how else something is moved that is no coordinate of a joint, but a point, a length or an output."""
    _refuse_length(model, name)
    _refuse_point(model, name)


def _refuse_length(model: Model, name: str) -> None:
    """Say that a relation leads the distance of two points, where what is between them, or an output, is named."""
    owner = name.partition(".")[0]
    element = model.forces.get(owner) or model.relations.get(owner)
    between = getattr(element, "between", None)
    if between is not None:
        ends = ", ".join(between)
        what, key = f"is no coordinate of a joint, but of '{owner}' between {' and '.join(between)}", f"{owner}_length"
        key = owner if owner in model.relations else key
    elif name in model.outputs:
        ends, what, key = (
            "crank.A, frame.B",
            "is an output, which follows from the motion of the joints",
            f"{name}_length",
        )
    else:
        return
    raise RefusedError(
        f"'{name}' {what}: give a coordinate of a joint; a distance of two points is led by the model, as in relations: "
        f"{{{key}: {{kind: distance, between: [{ends}], length: 1 + 0.1*t}}}} with your formula of t, without an input here"
    )


def _refuse_point(model: Model, name: str) -> None:
    """Say how points and bodies are moved where one, or a component 'arm.P.x', is named among joint coordinates."""
    point, _, axis = name.rpartition(".")
    d = 2 if model.space == "planar" else 3
    if axis == "rotation" and d == 3 and point in model.bodies:
        raise RefusedError(
            f"'{name}' is the attitude of a body: give its rows over times, roll, pitch and yaw (N × 3), rad, or matrices "
            f"(N × 3 × 3); formulas of t are those of a driver in the model, such as path: {{body: {point}, rotation: "
            "{roll: ..., pitch: ..., yaw: ...}}; inverse dynamics takes motors=[...] beside it"
        )
    if _is_point(model, name):
        raise RefusedError(
            f"'{name}' is a point: give its places over times, a row for each (N × {d}), m; formulas of t are those of a "
            f"driver in the model, such as path: {{point: {name}, position: [...]}}; inverse dynamics takes motors=[...] "
            "beside it"
        )
    if axis not in ("x", "y", "z") or not _is_point(model, point):
        return
    raise RefusedError(
        f"'{name}' is a component of a point, not a coordinate of a joint: give a driver of the point in the model, such as "
        f"path: {{point: {point}, position: [...]}}, with formulas of t and null where it is free"
    )


def refuse_range(name: str, value: object) -> None:
    """Say how values are given where a range of the command line, '0 deg:360 deg', stands for them."""
    if isinstance(value, str) and ":" in value:
        raise RefusedError(
            f"the motion of {name} is '{value}': ranges are for the command line; in Python give a row of values, such as "
            "np.linspace(0, 2*np.pi, 181), angles in rad and lengths in m"
        )


def _is_point(model: Model, name: str) -> bool:
    try:
        model.locate(name)
    except (LinkworkError, ValueError):
        return False
    return True


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

    formula = course_formula(model, name, item)
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
