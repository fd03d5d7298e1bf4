"""Columns of a table: a name, a unit and values, and how they are chosen and shown in other units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import isfinite
from typing import Any

import numpy as np

from linkwork.errors import RefusedError, UnitError, UnknownNameError, did_you_mean

ANGLES = ("rad", "mrad", "deg", "°", "degree", "degrees")  # in which a formula may already give an output
Units = Mapping[str, str]
"""Names or patterns of columns with the units in which they are shown: {"O.angle": "deg"}."""


def label(name: str, unit: str) -> str:
    """Name with its unit, for headings: ``B.x [m]``."""
    return f"{name} [{unit}]" if unit else name


@dataclass(frozen=True, eq=False)
class Column:
    """Values (N) of one kind, numbers in *unit* ('1' or '' where they have none) or texts; remark: what to know of them."""

    name: str
    values: Any
    unit: str = ""
    remark: str = ""

    @property
    def label(self) -> str:
        """Its heading: ``B.x [m]``, and what has to be known."""
        return label(self.name, self.unit) + (f" ({self.remark})" if self.remark else "")

    def cells(self) -> list[Any]:
        """The values as Python has them."""
        if isinstance(self.values, np.ndarray):
            return list(self.values.tolist())
        return [x.item() if isinstance(x, np.generic) else x for x in self.values]

    def storable(self) -> list[Any]:
        """The values as JSON has them, which has no word for numbers that are not finite."""
        return [str(x) if isinstance(x, float) and not isfinite(x) else x for x in self.cells()]

    def shown_in(self, unit: str) -> Column:
        """The same in another unit, which has to measure it."""
        from linkwork.algebra.unit_texts import read_unit
        from linkwork.algebra.units import check_counted, describe

        wanted = read_unit(unit)
        if self.unit in ("", "1"):
            pure = "; a plain number in a formula may stand for any quantity: write 2 [1] for a pure one, 2 [1]*A.x"
            hint = "; angles are rad by themselves: write its formula without 180/pi" if unit in ANGLES else pure
            raise UnitError(f"units: {self.name} has no unit of its own; '{unit}' cannot be asked for{hint}")
        known = read_unit(self.unit)
        if wanted.exponents != known.exponents:
            raise UnitError(f"units: {self.name} is {describe(known)}, in {self.unit}; '{unit}' is {describe(wanted)}")
        check_counted(known, wanted, f"units: {self.name} is in {self.unit}, not in {unit}")
        factor = wanted.factor / known.factor
        return replace(self, unit=unit, values=self.values if factor == 1.0 else np.asarray(self.values) / factor)


def distinct(columns: Sequence[Column]) -> list[Column]:
    """Columns by names of their own: a parameter called 'stability' beside the stability is 'stability (2)'."""
    found: dict[str, Column] = {}
    for column in columns:
        name, count = column.name, 2
        while name in found:
            name, count = f"{column.name} ({count})", count + 1
        found[name] = column if name == column.name else replace(column, name=name)
    return list(found.values())


def in_units(columns: Sequence[Column], units: Units, select: Callable[[Sequence[str]], list[str]]) -> list[Column]:
    """Columns in the units that are asked for by name or pattern; *select* knows all names that there are."""
    if not isinstance(units, Mapping):
        name = columns[-1].name if columns else "O.angle"
        raise RefusedError(
            f"units = {units!r}: they are given by names or patterns, as in {{{name!r}: {str(units)!r}}}"
        )
    found = {column.name: column for column in columns}
    for pattern, unit in units.items():
        for name in [pattern] if pattern in found else select([pattern]):
            if name in found:
                found[name] = found[name].shown_in(unit)
    return list(found.values())


def matching(pattern: str, names: Iterable[str]) -> list[str]:
    """Names that match a shell pattern (``B.*``, ``*.angle``); case counts."""
    return [name for name in names if fnmatchcase(name, pattern)]


def select(wanted: Sequence[str], names: Sequence[str], *, source: str) -> list[str]:
    """Turn exact names and patterns into a list of names without repeats; unknown ones are an error.

    *source* is what the error calls the place searched: "result 'four_bar'".
    """
    chosen: dict[str, None] = {}
    for entry in [wanted] if isinstance(wanted, str) else wanted:
        found = [entry] if entry in names else matching(entry, names)
        if not found:
            raise UnknownNameError(f"{source} has no quantity '{entry}'; {did_you_mean(entry, names, 'quantity')}")
        chosen.update(dict.fromkeys(found))
    return list(chosen)
