"""The inputs of a kinematic solution: formulas of time, values at samples, or drivers of the model.

Drivers of the model by position stay what they are. All else is an input of ``input_samples.py``, whose numbers stand in p:
other formulas or samples of the same inputs have the same equations. One row of values without times is swept: its own way
stands for the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import Binary, Expression, Name, Number, known_definitions, to_float
from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.kinematics.input_samples import (
    SampledInput,
    sampled_from_formula,
    sampled_from_rate,
    sampled_from_record,
)
from linkwork.analysis.kinematics.leading import independent, leading_columns
from linkwork.analysis.kinematics.motion_table import MotionTable, read_motion_table
from linkwork.analysis.kinematics.record import (
    SAMPLE,
    course_formula,
    dimension_of,
    level_names,
    read_record,
    refuse_other,
    refuse_range,
)
from linkwork.analysis.kinematics.swept import Swept
from linkwork.analysis.prepared.memo import of_model
from linkwork.arrays import Array
from linkwork.errors import ModelError, RefusedError, UnitError, UnknownNameError, did_you_mean
from linkwork.model import Driver, Model
from linkwork.position.drives import Drives, FreedomName, key_of
from linkwork.results.quantities import TIME as TIME_VARIABLE
from linkwork.results.quantities import Variable
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer, motion_of
from linkwork.results.time_grid import as_times, first_asked
from linkwork.topology import Topology
from linkwork.topology.analyse import assemble

Input = float | str | Sequence[float | str] | Array | Callable[[Array], ArrayLike]
Inputs = Mapping[str, Input] | str | Path | Result | ResultAnswer
TIME = Name("t")
SAMPLES = 1000  # intervals when no spacing is given
BY_RATE = {1: "speed", 2: "acceleration"}


@dataclass(frozen=True, eq=False)
class Driven:
    """A motion that is prescribed: its times (N), its inputs by name, and values of live parameters.

    model: as it is written down, with formulas of inputs as drivers; drives: the first numbers of the inputs among them;
    table: the file that the samples come from; first: which of the times is the first that was asked for
    swept: of what is over a coordinate, whose way the times are then
    """

    model: Model
    drives: Drives
    times: Array
    values: Mapping[str, float]
    notes: tuple[str, ...] = ()
    samples: tuple[SampledInput, ...] = ()
    variable: Variable = TIME_VARIABLE
    table: MotionTable | None = None
    first: int = 0
    swept: Swept | None = None

    @property
    def breaks(self) -> tuple[float, ...]:
        """Times between two samples where the speed of an input jumps."""
        middle = (self.times[1:] + self.times[:-1]) / 2
        jumps = (
            np.any([sample.jumps(self.times) for sample in self.samples], axis=0) if self.samples else np.zeros(0, bool)
        )
        return tuple(map(self.place, middle[np.flatnonzero(jumps)].tolist()))

    def place(self, time: float) -> float:
        """What stands for a time of the motion: the value of the coordinate that it is over, or the time itself."""
        return time if self.swept is None else self.swept.place(time)

    @property
    def goes_on(self) -> bool:
        """Whether the inputs are known after the last time too."""
        return all(sample.formula is not None for sample in self.samples)

    def along(self, p: Array, live: int) -> Array | None:
        """The parameters (N × np) up to every time and at it, of which the first are live; None: always p."""
        if not self.samples:
            return None
        table = np.tile(p, (len(self.times), 1))
        numbers = np.hstack([sample.values(self.times) for sample in self.samples])
        table[:, live : live + numbers.shape[1]] = numbers
        return table


def _by_name(
    topology: Topology, inputs: Inputs | None, values: Mapping[str, float]
) -> tuple[Mapping[str, Input] | None, MotionTable | None, list[str]]:
    """Inputs by their names, the file that they come from, and what to know of them."""
    if isinstance(inputs, Result | ResultAnswer):
        run = motion_of(inputs)
        return leading_columns(topology, run), None, list(run.variable.pace)
    if isinstance(inputs, str | Path):
        table = read_motion_table(topology.model, inputs, values)
        return _leading(topology, table), table, list(table.notes)
    return inputs, None, []


def _leading(topology: Topology, table: MotionTable) -> dict[str, Array]:
    """The columns of a table; of that of a run those that lead the others."""
    known = level_names(topology.model)
    leading = {known[name][0] for name in independent(topology, [name for name in table.columns if name in known])}
    follow = {name for name in table.columns if table.others and name in known and known[name][0] not in leading}
    return {name: column for name, column in table.columns.items() if name not in follow}


@dataclass(frozen=True, eq=False)
class _Given:
    """What somebody gives: formulas of positions and of rates, and columns of samples by the name of their quantity."""

    formulas: dict[FreedomName, str] = field(default_factory=dict)
    rates: dict[FreedomName, tuple[str, str]] = field(default_factory=dict)  # level and formula
    columns: dict[str, Array | Callable[[Array], ArrayLike]] = field(default_factory=dict)
    times: ArrayLike | None = None

    @property
    def rows(self) -> list[str]:
        return [name for name, column in self.columns.items() if not callable(column)]


def drive_inputs(
    topology: Topology,
    inputs: Inputs | None,
    until: Scalar | None,
    times: ArrayLike | None,
    parameters: Mapping[str, float] | None = None,
) -> Driven:
    """The motion that inputs give; drivers of the model stay on the other joints."""
    model, values = topology.model, dict(parameters or {})
    inputs, table, notes = _by_name(topology, inputs, values)
    given = _sort(model, inputs or {}, times)
    timed = "|".join(["t", *(name for name, formula in model.definitions.items() if "t" in formula.names())])
    moving = any(re.search(rf"\b({timed})\b", text) for text in given.formulas.values()) or bool(given.rates)
    samples: list[SampledInput] = []
    variable, swept = TIME_VARIABLE, None
    timeless = given.times is None and until is None and not moving
    if timeless and len(given.columns) == len(given.rows) == 1 and level_names(model)[given.rows[0]][1] == 0:
        key = level_names(model)[given.rows[0]][0]
        given.formulas[key], grid, swept = _sweep(".".join(key), np.asarray(given.columns[given.rows[0]]))
        # what else moves by itself does so along the way
        swept = None if _moves_itself(topology.drives) else swept
        variable = _over(model, key, "way of " if swept is None else "")
        pace = f"forces and energies those at 1 {variable.unit}/s"
        notes.append(f"over {variable.name}: velocities are derivatives with respect to it, and {pace}")
    elif given.columns:
        samples, grid, told = _recorded(topology, given, until, moving)
        notes += told
        variable = TIME_VARIABLE if given.times is not None or not given.rows else SAMPLE
    else:
        grid = _grid(until, given.times)
    with _as_motion(given):
        wanted = _wanted(topology, given, [sample.key for sample in samples], values)
        written = _written(topology, wanted, samples)
    samples += [_sampled(topology, driver, values, grid) for driver in wanted.values()]
    first = first_asked(given.times, grid)
    if not samples:
        return Driven(model, topology.drives, grid, values, first=first)
    notes += bare_angles(model, model.with_names(inputs)) if isinstance(inputs, Mapping) else ()
    names = {key: name for name, key in topology.drives.keys.items()}
    named = {names.get(sample.key, input_name(sample.key)): sample.key for sample in samples}
    drives = topology.drives.moved(named, np.concatenate([sample.first for sample in samples]))
    given_as = tuple(notes), tuple(samples), variable, table, first, swept
    return Driven(written, drives, grid, values, *given_as)


@contextmanager
def _as_motion(given: _Given) -> Iterator[None]:
    """Faults of drivers that stand for formulas of a motion, as faults of the motion."""
    try:
        yield
    except ModelError as error:
        paths = {f"drivers.{input_name(key)}": ".".join(key) for key in (*given.formulas, *given.rates)}
        found = []
        for fault in error.faults:
            driver = ".".join(fault.path.split(".")[:2])
            found.append(replace(fault, path=paths.get(driver, fault.path)))
        raise ModelError(found, "the motion" if found != list(error.faults) else error.source) from None


def input_name(key: FreedomName) -> str:
    """What an input is called where no driver of the model has its coordinate."""
    return "_".join(("input", *key))


def _over(model: Model, key: FreedomName, what: str) -> Variable:
    """A coordinate, or its way, as what a motion is over."""
    kinds = {freedom.name: freedom.dimension for freedom in model.joints[key[0]].freedoms}
    return Variable(f"{what}{'.'.join(key)}", "rad" if kinds[key[1]] == "angle" else "m")


def _sort(model: Model, inputs: Mapping[str, Input], times: ArrayLike | None) -> _Given:
    """Formulas apart from samples."""
    given = _Given(times=times)
    names = level_names(model)
    for name, value in inputs.items():
        if name in ("time", "t") and name not in names:
            if times is not None:
                raise RefusedError(f"the times are given twice: as '{name}' of the inputs and as times")
            given = _Given(given.formulas, given.rates, given.columns, np.asarray(value, dtype=float))
            continue
        if name not in names:
            refuse_other(model, name)
            coordinate_key(model, name)  # says which coordinates a joint has
        key, level = names[name]
        refuse_range(name, value)
        if callable(value):
            given.columns[name] = value
        elif isinstance(value, str | int | float):
            if key in given.formulas or key in given.rates:
                raise RefusedError(f"inputs: {'.'.join(key)} is given twice; give its position, or its rate")
            if level:
                course_formula(model, name, str(value))
                given.rates[key] = BY_RATE[level], str(value)
            else:
                given.formulas[key] = str(value)
        else:
            given.columns[name] = _column(name, value, dimension_of(model, name))
    twice = [name for name in given.columns if names[name][0] in {**given.formulas, **given.rates}]
    if twice:
        raise RefusedError(f"inputs: {twice[0]} is given by samples and by a formula; give one of them")
    return given


def _column(name: str, value: object, dimension: str) -> Array:
    """A row of values, numbers or texts with units."""
    items = np.asarray(value, dtype=object)
    if items.ndim != 1 or not items.size:
        raise RefusedError(f"inputs: {name} is a formula of t, a function, or a row of values, not {value!r:.60}")
    try:
        return np.array([si(item, dimension) for item in items.tolist()])
    except UnitError as error:
        raise RefusedError(f"inputs: {name} has a value that is none: {error}") from None


def _recorded(
    topology: Topology, given: _Given, until: Scalar | None, moving: bool
) -> tuple[list[SampledInput], Array, list[str]]:
    """Inputs at samples: over times, or by their numbers."""
    notes, model = [], topology.model
    if given.rows and until is not None:
        raise RefusedError(f"values of {' and '.join(given.rows)} are taken one after the other, without times up to "
                           "an end: give times, one for every value")  # fmt: skip
    if given.rows and given.times is None:
        if moving or len(given.rows) < len(given.columns):
            raise RefusedError(f"when is {' and '.join(given.rows)} at its values? give times, one for every value, where "
                               "other inputs are functions of time")  # fmt: skip
        grid = np.arange(float(np.asarray(given.columns[given.rows[0]]).size))
        notes.append("over the number of the sample: velocities are changes from sample to sample")
    else:
        grid = _grid(until, given.times, whole=not given.rows)
    if grid[0] != 0.0 and (moving or _moves_itself(topology.drives)):
        raise RefusedError(f"the times of the samples begin at {grid[0]:g} s, and other inputs are functions of time, which "
                           "begin at zero: let the samples begin at zero too")  # fmt: skip
    record = read_record(model, given.columns, grid)
    return sampled_from_record(record), record.time, [*notes, *record.notes]


def _moves_itself(drives: Drives) -> bool:
    return any("t" in driver.motion.names() for driver in drives.drivers.values()) or bool(drives.model.guides)


def _wanted(
    topology: Topology, given: _Given, taken: Sequence[FreedomName], values: Mapping[str, float]
) -> dict[str, Driver]:
    """Inputs by formulas, and drivers by a rate that inputs leave; by position where the rate is constant."""
    drives = topology.drives
    names = {key: name for name, key in drives.keys.items()}
    given_keys = {*taken, *given.formulas, *given.rates}
    found = {
        drives.keys[name]: driver
        for name, driver in drives.drivers.items()
        if driver.level != "position" and drives.keys[name] not in given_keys
    }
    formulas = {key: ("position", text) for key, text in given.formulas.items()} | given.rates
    with known_definitions(topology.model.definitions):
        found |= {key: Driver(joint=key[0], freedom=key[1], **{level: text}) for key, (level, text) in formulas.items()}
    return {names.get(key, input_name(key)): _steady(topology, driver, values) for key, driver in found.items()}


def _written(topology: Topology, wanted: Mapping[str, Driver], samples: Sequence[SampledInput]) -> Model:
    """The model as it is written down with the motion: its inputs by formulas are drivers, which are checked with it."""
    model, drives = topology.model, topology.drives
    if not wanted:
        return model
    taken = {key_of(model, driver) for driver in wanted.values()} | {sample.key for sample in samples}
    kept = {name: driver for name, driver in drives.drivers.items() if drives.keys[name] not in taken}

    def written() -> Model:
        unchanged = {key: getattr(model, key) for key in type(model).model_fields}
        return Model(**{**unchanged, "drivers": {**model.guides, **kept, **wanted}, "initial": {}})

    return of_model(model, "written", tuple((name, repr(item)) for name, item in {**kept, **wanted}.items()), written)


def _sampled(topology: Topology, driver: Driver, values: Mapping[str, float], grid: Array) -> SampledInput:
    """An input by a formula of its position or rate at all times."""
    model, key = topology.model, key_of(topology.model, driver)
    if driver.position is not None:
        return sampled_from_formula(key, driver.position, model.parameter_values(values), grid)
    first = _first_value(topology, driver, values)
    return SampledInput(*key, sampled_from_rate(driver, model, first, grid, values))


def coordinate_key(model: Model, name: str) -> tuple[str, str]:
    """(joint, freedom) of 'O' or 'O.angle'."""
    joint, _, freedom = model.named(name).partition(".")
    known = [f"{key}.{f.name}" for key, item in model.joints.items() for f in item.freedoms]
    if joint in model.joints and model.joints[joint].freedoms and not freedom:
        several = [f"{joint}.{f.name}" for f in model.joints[joint].freedoms]
        if len(several) > 1:
            raise RefusedError(f"joint {joint} has several coordinates: name one of {', '.join(several)}")
        freedom = model.joints[joint].freedoms[0].name
    if f"{joint}.{freedom}" not in known:
        raise UnknownNameError(f"'{name}' is no coordinate of a joint; {did_you_mean(name, known)}")
    return joint, freedom


def _sweep(name: str, values: Array) -> tuple[str, Array, Swept]:
    if values.ndim != 1 or len(values) < 2 or not np.all(np.isfinite(values)):
        raise RefusedError(f"inputs: {name} needs a row of two or more finite values")
    steps = np.diff(values)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        raise RefusedError(f"inputs: the values of {name} must all grow, or all fall; give times for other ways")
    sign = 1.0 if steps[0] > 0 else -1.0
    formula = f"{float(values[0])!r} {'+' if sign > 0 else '-'} t"
    return formula, sign * (values - values[0]), Swept(float(values[0]), sign)


def _grid(until: Scalar | None, times: ArrayLike | None, *, whole: bool = True) -> Array:
    """The times; *whole*: from zero on."""
    if times is not None:
        grid = as_times(times)
        if grid.size < 1 or np.any(np.diff(grid) <= 0) or (whole and grid[0] < 0):
            raise RefusedError(f"times must grow{', from zero or later' if whole else ''}")
        return grid if grid[0] == 0.0 or not whole else np.concatenate([[0.0], grid])
    if until is None:
        raise RefusedError("when does the motion end? give until, such as '1 s', or times, or rows of values of inputs")
    end = si(until, "time")
    if not end > 0.0:
        raise RefusedError(f"until = {until}: the end must be a positive time such as '1 s'")
    return np.linspace(0.0, end, SAMPLES + 1)


def _first_value(topology: Topology, driver: Driver, given: Mapping[str, float]) -> float:
    """Where a driver by its rate begins: as it says, or as assembled."""
    model = topology.model
    if driver.initial is not None:
        return to_float(driver.initial, {**model.parameter_values(given), "t": 0.0}.__getitem__)
    p = topology.parameters(given)
    poses = assemble(topology, p).poses if given else topology.assembly.poses
    values = topology.conditions.readings_at(poses, p)
    return float(values[topology.conditions.index(*key_of(model, driver))])


def _steady(topology: Topology, driver: Driver, values: Mapping[str, float]) -> Driver:
    """A driver by a constant speed or acceleration by its position from the assembled one."""
    if driver.level == "position" or "t" in driver.motion.names():
        return driver
    start: Expression = Number(_first_value(topology, driver, values)) if driver.initial is None else driver.initial
    way = Binary("*", driver.motion, TIME)
    if driver.level == "acceleration":
        # v₀ t + a t² / 2
        way = Binary("/", Binary("*", way, TIME), Number(2.0))
        way = Binary("+", Binary("*", driver.initial_speed or Number(0.0), TIME), way)
    return Driver(joint=driver.joint, freedom=driver.freedom, position=Binary("+", start, way))
