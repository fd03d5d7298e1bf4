"""What is measured along a run or a series: numbers that are a table, a plot and a file, and an array too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import UnknownNameError, did_you_mean


@dataclass(frozen=True, eq=False, repr=False)
class MeasuredValues(NDArrayOperatorsMixin, Answer):
    """One measure over the samples of a run; NumPy takes it for its ``values`` (N,) or (N, d), which give arrays again.

    of: what is measured, such as 'transmission angle at B'; over: what the samples are over; axes: names of d components
    name: of the run, where it is one; along: what gives another quantity of it, to plot over
    """

    view = "plots.plot_measured"

    of: str
    over: Column
    values: Array
    unit: str = "1"
    axes: tuple[str, ...] = ()
    name: str = ""
    along: Callable[[str], Column] | None = None
    notes: tuple[str, ...] = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = (item.values if isinstance(item, MeasuredValues) else item for item in inputs)
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, index: Any) -> Any:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    @property
    def title(self) -> str:
        return self.of + (f" in '{self.name}'" if self.name else "") + f", {len(self)} samples"

    def facts(self) -> list[tuple[str, str]]:
        """The ranges."""
        return _ranges(self.columns())

    def columns(self) -> list[Column]:
        """A row for every sample."""
        if not self.axes:
            return [self.over, Column(self.of, self.values, self.unit)]
        return [self.over, *(Column(axis, self.values[:, i], self.unit) for i, axis in enumerate(self.axes))]


@dataclass(frozen=True, eq=False, repr=False)
class NamedValues(Answer, Mapping[str, Array]):
    """Several measures of one kind over the same samples, (N,) each, by name: ``found["O.speed"]``."""

    of: str
    over: Column
    found: Mapping[str, Array]
    unit: str = "1"

    def __getitem__(self, name: str) -> Array:
        if name not in self.found:
            raise UnknownNameError(f"{self.of} has no '{name}'; {did_you_mean(name, list(self.found))}")
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __contains__(self, name: object) -> bool:
        return name in self.found

    @property
    def title(self) -> str:
        return f"{self.of}, {len(self.over.values)} samples"

    def facts(self) -> list[tuple[str, str]]:
        """The ranges."""
        return _ranges(self.columns())

    def columns(self) -> list[Column]:
        """A row for every sample."""
        return [self.over, *(Column(name, values, self.unit) for name, values in self.found.items())]


def _ranges(columns: Sequence[Column]) -> list[tuple[str, str]]:
    """Of all columns over the first one; angles in degrees."""
    over, *others = columns
    shown = (Column(c.name, np.degrees(c.values), "deg") if c.unit == "rad" else c for c in others)
    return [(column.label, _range(column, over)) for column in shown]


def _range(column: Column, over: Column) -> str:
    """From where to where, and at which samples."""
    known = np.isfinite(column.values)
    if not known.any():
        return "no finite value"
    missing = int(np.sum(~known))
    ends = (f(np.where(known, column.values, stand)) for f, stand in ((np.argmin, np.inf), (np.argmax, -np.inf)))
    texts = (f"{column.values[i]:.6g} (at {f'{over.values[i]:.4g} {over.unit}'.rstrip()})" for i in ends)
    return " to ".join(texts) + (f", {missing} not finite" if missing else "")
