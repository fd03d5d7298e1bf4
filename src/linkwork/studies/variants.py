"""What the variants of a study are: for each a value of live parameters, and of the state at the start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from linkwork.algebra.expressions import Name, measured, parse
from linkwork.algebra.given import Along, Scalar
from linkwork.algebra.units import Unit, describe, si
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.motion.output_units import output_unit
from linkwork.answer import Column
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnitError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.parameters import ReadNumber, units_of
from linkwork.model.state_units import state_units

MOST = 10**7  # variants


class VariantGrid(Mapping[str, Sequence[Scalar]]):
    """All combinations of some values, the last name changing first: a list of each name, all of one length."""

    def __init__(self, axes: Mapping[str, Sequence[Scalar]]) -> None:
        self.axes = dict(axes)
        every = list(product(*self.axes.values()))
        self._columns = {name: [row[i] for row in every] for i, name in enumerate(self.axes)}

    def __getitem__(self, name: str) -> Sequence[Scalar]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each name has."""
        return tuple(map(len, self.axes.values()))

    def only(self, *names: str) -> dict[str, Sequence[Scalar]]:
        """Some of the lists, such as the parameters of a grid that has initial values too."""
        return {name: self[name] for name in names}

    def __repr__(self) -> str:
        sizes = " x ".join(f"{name} ({size})" for name, size in zip(self.axes, self.shape, strict=True))
        return f"<grid of {int(np.prod(self.shape))} variants: {sizes}>"


@verb
def grid(along: Along) -> VariantGrid:
    """All combinations of values by name, as ``parameters`` of a study: four of {"k": [100, 200], "m": [1, 2]}."""
    axes = {name: _listed(values) for name, values in along.items()}
    empty = [name for name, values in axes.items() if not values]
    if empty or not axes:
        raise RefusedError(
            f"grid: {'no values of ' + ', '.join(empty) if empty else 'no names'}; give a list for each name"
        )
    count = int(np.prod([len(values) for values in axes.values()], dtype=float))
    if count > MOST:
        raise RefusedError(f"grid: {count} variants are more than the {MOST:g} of one study; take fewer values")
    return VariantGrid(axes)


@dataclass(frozen=True, eq=False)
class GivenVariants:
    """N variants of a model, which has their initial values as parameters: names and values (N, names) of the latter.

    given: what users know of them, in SI; doubts: what may be meant otherwise
    """

    model: Model
    names: tuple[str, ...]
    values: Array
    given: tuple[Column, ...]
    doubts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def of(self, number: int) -> dict[str, float]:
        """The parameters of one of them, as a verb takes them."""
        return {name: ReadNumber(value) for name, value in zip(self.names, self.values[number].tolist(), strict=True)}


def read_variants(model: Model, parameters: Any, initial: Any) -> GivenVariants:
    """What is given by name as lists, tables of pandas or datasets of xarray; single values are those of all variants."""
    by_name, at_start = _by_name(parameters, "parameters"), _by_name(initial, "initial")
    lengths = {name: len(values) for name, values in (by_name | at_start).items() if len(values) != 1}
    if len({*lengths.values()}) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise RefusedError(
            f"variants take one value of each list in turn, and these are not of one length: {told}; all combinations are "
            "made by studies.grid"
        )
    count = next(iter(lengths.values()), 1)
    if not count or not (by_name or at_start):
        raise RefusedError("a study is of many variants: give parameters, such as {'k': [100, 200]}, or initial values")
    if count > MOST:
        raise RefusedError(f"{count} variants are more than the {MOST:g} of one study")
    numbers = {model.named(name): _in_si(model, name, values) for name, values in by_name.items()}
    beginning = {model.named(name): values for name, values in at_start.items()}
    doubts = bare_angles(model, beginning)
    model, started = _with_initial(model, beginning, numbers)
    columns = {**numbers, **{name: values for name, (_, values, _) in started.items()}}
    known = units_of(model.parameters)
    units = {name: output_unit(Name(name), {}, known) for name in numbers} | {n: u for n, (_, _, u) in started.items()}
    spread = {name: np.broadcast_to(values, (count,)) for name, values in columns.items()}
    places = (*numbers, *(place for place, _, _ in started.values()))
    return GivenVariants(
        model,
        places,
        np.column_stack([*spread.values()]),
        tuple(Column(name, values, units[name]) for name, values in spread.items()),
        doubts,
    )


def _by_name(given: Any, what: str) -> dict[str, list[Scalar]]:
    """Lists by name, of what tables and datasets are too."""
    if given is None:
        return {}
    if hasattr(given, "data_vars"):
        return _of_dataset(given)
    if hasattr(given, "columns") and hasattr(given, "iloc"):
        units = given.attrs.get("units", {})
        return {str(name): _with_unit(given[name].tolist(), units.get(name, "")) for name in given.columns}
    if not isinstance(given, Mapping):
        raise RefusedError(
            f"{what}: give lists by name, such as {{'k': [100, 200]}}, a table of pandas or a dataset of xarray, and not "
            f"of type {type(given).__name__}"
        )
    return {str(name): _listed(values) for name, values in given.items()}


def _listed(values: Any) -> list[Scalar]:
    """The values as Python has them; a single one is a list of one."""
    if isinstance(values, (str, int, float, np.generic)):
        return [values.item() if isinstance(values, np.generic) else values]
    return list(np.ravel(values).tolist()) if isinstance(values, np.ndarray) else list(values)


def _of_dataset(given: Any) -> dict[str, list[Scalar]]:
    """The variables of a dataset, spread over all of its dimensions."""
    names = list(given.data_vars) or list(given.coords)
    sizes = dict(given.sizes)
    found = {}
    for name in names:
        spread = given[name].expand_dims({dim: sizes[dim] for dim in sizes if dim not in given[name].dims})
        values = spread.transpose(*sizes).values.ravel().tolist()
        found[str(name)] = _with_unit(values, given[name].attrs.get("units", ""))
    return found


def _with_unit(values: list[Any], unit: str) -> list[Scalar]:
    """Numbers of a column with a unit, as texts."""
    if unit in ("", "1"):
        return values
    return [f"{value!r} {unit}" if isinstance(value, (int, float)) else value for value in values]


def _in_si(model: Model, name: str, values: list[Scalar]) -> Array:
    """Values of a live parameter; what is wrong with them is told with the variant."""
    own = model.named(name)
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
        found = np.array(values, dtype=float)
        if not np.isfinite(found).all():
            where = int(np.argmin(np.isfinite(found)))
            raise UnitError(f"parameter '{name}' of variant {where} is {found[where]}: it is no finite number")
        # what holds of the largest and the smallest holds of all
        for i in (int(np.argmax(np.abs(found))), int(np.argmin(np.abs(found)))):
            model.parameter_values(model.in_si({name: values[i]}))
        return found
    read = [model.in_si({name: value})[own] for value in values]
    model.parameter_values({own: read[0]})
    return np.array(read)


def _with_initial(
    model: Model, initial: Mapping[str, list[Scalar]], others: Iterable[str]
) -> tuple[Model, dict[str, tuple[str, Array, str]]]:
    """The model with live parameters as initial values; these by name, their values and their units."""
    found: dict[str, tuple[str, Array, str]] = {}
    for name, values in initial.items():
        element, _, key = name.rpartition(".")
        units = state_units(model, [name])
        if not element or (name not in units and not _floats(model, element)):
            joints = [
                f"{joint}.{item}" for joint, j in model.joints.items() for f in j.freedoms for item in (f.name, f.rate)
            ]
            raise UnknownNameError(f"initial: there is no value '{name}' at the start; {did_you_mean(name, joints)}")
        place = _new_name(name, model, [*others, *(other for other, _, _ in found.values())])
        numbers = np.array([_initial_value(name, value, units.get(name)) for value in values])
        model = model.with_(
            parameters={
                place: {
                    "value": _before(model, element, key, float(numbers[0])),
                    "live": True,
                    "description": f"initial.{name}",
                }
            },
            initial={element: {key: place}},
        )
        found[name] = (place, numbers, output_unit(Name(name), {}, units) if name in units else "")
    return model, found


def _before(model: Model, element: str, key: str, first: float) -> float:
    """The value in the model as it is, or the first of the study."""
    known = model.initial.get(element, {}).get(key)
    return first if known is None or isinstance(known, tuple) else model.number(known)


def _floats(model: Model, element: str) -> bool:
    return element in model.bodies


def _initial_value(name: str, value: Scalar, unit: Unit | None) -> float:
    own = measured(parse(value)) if isinstance(value, str) else None
    if unit is not None and own is not None and own.words and own.exponents != unit.exponents:
        raise UnitError(f"initial {name}: '{value}' is {describe(own)}; it is {describe(unit)}")
    return si(value, "any")


def _new_name(name: str, model: Model, others: Iterable[str]) -> str:
    word = "".join(letter if letter.isalnum() else "_" for letter in name)
    taken = {*model.parameters, *others, *model.points, *model.bodies, *model.joints, *model.definitions}
    while word in taken:
        word += "_"
    return word
