"""A study, as a user reads it: what became of many variants of a mechanism, in one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column, Grid
from linkwork.answer.column import select
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.extras import bring
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import TIME, Array, Quantity, Variable
from linkwork.results.study_store import PEAKS, save_study
from linkwork.results.summary import many

if TYPE_CHECKING:
    import xarray

LISTED = 5  # variants that did not end well, in print
NOT_BEGUN = Outcome(Status.INTERRUPTED, "it was not begun")
"""Of a variant that an interrupt came before."""


@dataclass(frozen=True, eq=False, repr=False)
class Study(Answer):
    """What became of N variants: ``study["B.x"]`` has a row for each, over ``study.time``, nan where there is no value.

    given: parameters and initial values, N each, in SI; samples: of all variants; none: the last one of each alone is kept
    values: by quantity, (N, samples), or (N); peaks: by quantity, (N, 4) as in ``PEAKS``, where they were asked for
    outcomes: how each variant ended, with its reason; words: what is told of each in a word, such as its stability
    """

    view = "studies.plot_study"
    endings = (".nc", ".csv", ".json")

    name: str
    verb: str
    given: tuple[Column, ...]
    quantities: Mapping[str, Quantity]
    values: Mapping[str, Array]
    outcomes: tuple[Outcome, ...]
    samples: Array | None = None
    variable: Variable = TIME
    peaks: Mapping[str, Array] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    statistics: Mapping[str, float | int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    # -- by name -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.outcomes)

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __getitem__(self, name: str) -> Array:
        if name not in self.values:
            kept = [*self.values]
            raise UnknownNameError(
                f"the study '{self.name}' does not keep '{name}'; {did_you_mean(name, kept, 'quantity')}: what is kept "
                "is chosen before the run, by quantities"
            )
        return self.values[name]

    @property
    def time(self) -> Array:
        """The samples of all variants, s, or what else they are over."""
        if self.samples is None:
            raise RefusedError("of each variant the last sample alone is kept: outcomes have its time")
        return self.samples

    @cached_property
    def completed(self) -> NDArray[np.bool_]:
        """Which variants have reached their end (N)."""
        return np.array([outcome.completed for outcome in self.outcomes], dtype=bool)

    @property
    def failures(self) -> Failures:
        """The variants that did not reach their end, with what they were given and why."""
        return Failures(self.name, self.given, self.outcomes)

    def variant(self, number: int) -> dict[str, float]:
        """What one of them was given, in SI, by the names of parameters and initial values."""
        return {column.name: float(column.values[number]) for column in self.given}

    # -- in print and as a table -------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        ended = int(np.count_nonzero(self.completed))
        told = "all completed" if ended == len(self) else f"{ended} completed"
        return f"Study of '{self.name}': {many(len(self), 'variants')} by {self.verb}, {told}"

    def report(self) -> list[str | Grid]:
        """What was varied and kept, what it took, and the first of those that did not end well."""
        rows = [("varied", "\n".join(map(_range, self.given)) or "nothing")]
        over = "the last sample" if self.samples is None else f"{many(len(self.samples), 'samples')} each"
        rows += [("kept", f"{', '.join(self.values) or 'nothing'}; {over}{' and peaks' if self.peaks else ''}")]
        rows += [(name, _counted(told)) for name, told in self.words.items()]
        rows += [("settings", ", ".join(f"{key} {value}" for key, value in self.settings.items()))]
        rows += [("took", ", ".join(f"{key} {_number(value)}" for key, value in self.statistics.items()))]
        failed = self.failures.lines
        shown = [f"{line}" for line in failed[:LISTED]]
        rest = len(failed) - len(shown)
        return [
            Grid([row for row in rows if row[1]]),
            *shown,
            *([f"... and {rest} more: print(failures)"] if rest else []),
        ]

    def columns(self) -> list[Column]:
        """A row for each variant: what it was given, how it ended, and the last value and the peaks of each quantity."""
        number = Column("variant", np.arange(len(self)))
        ended = Column("outcome", [outcome.status.message for outcome in self.outcomes])
        told = [Column(name, list(words)) for name, words in self.words.items()]
        return [number, *self.given, ended, *told, *self._last(), *self._peaks()]

    def _last(self) -> list[Column]:
        return [
            Column(name, values if values.ndim == 1 else _last_values(values), self.quantities[name].unit)
            for name, values in self.values.items()
        ]

    def _peaks(self) -> list[Column]:
        return [
            Column(f"{name} {PEAKS[i]}", found[:, i], self.quantities[name].unit)
            for name, found in self.peaks.items()
            for i in range(2)
        ]

    def select(self, names: Sequence[str]) -> list[str]:
        """Columns of the table by their names or patterns."""
        return select(names, [column.name for column in self.columns()[1:]], source=f"study '{self.name}'")

    # -- elsewhere ---------------------------------------------------------------------------------------------

    def write(self, path: Path, overwrite: bool | None) -> Path:
        """Write everything to a netCDF file (.nc); `studies.load_study` reads it back."""
        return save_study(self, path, overwrite)

    def to_xarray(self) -> xarray.Dataset:
        """All of it as a Dataset over *variant*, and over the samples; parameters are coordinates, units in ``attrs``."""
        xarray = bring("xarray")
        over = self.variable.name
        dims = ("variant",) if self.samples is None else ("variant", over)
        variables = {name: (dims, self.values[name], self._attributes(name)) for name in self.values}
        for name, found in self.peaks.items():
            for i, what in enumerate(PEAKS):
                unit = self.quantities[name].unit if i < 2 else self.variable.unit
                variables[f"{name} {what}"] = (("variant",), found[:, i], {"units": unit or "1"})
        coordinates = {c.name: (("variant",), np.asarray(c.values), {"units": c.unit or "1"}) for c in self.given}
        coordinates |= {name: (("variant",), np.array(words), {}) for name, words in self.words.items()}
        told = {"outcome": [o.status.message for o in self.outcomes], "reason": [o.reason for o in self.outcomes]}
        coordinates |= {name: (("variant",), np.array(texts, dtype=str), {}) for name, texts in told.items()}
        coordinates["reached"] = (("variant",), np.array([o.time for o in self.outcomes]), {"units": "s"})
        coordinates["variant"] = (("variant",), np.arange(len(self)), {})
        if self.samples is not None:
            coordinates[over] = ((over,), self.samples, {"units": self.variable.unit or "1"})
        attributes = {"title": self.name, "verb": self.verb, **self.settings}
        return xarray.Dataset(variables, coords=coordinates, attrs=attributes)

    def _attributes(self, name: str) -> dict[str, str]:
        quantity = self.quantities[name]
        return {"units": quantity.unit or "1", "long_name": quantity.description}


@dataclass(frozen=True, eq=False, repr=False)
class Failures(Answer):
    """The variants of a study that did not reach their end: numbers, what they were given, and why."""

    name: str
    given: tuple[Column, ...]
    outcomes: tuple[Outcome, ...]

    plotted = ("variant",)

    @cached_property
    def numbers(self) -> list[int]:
        """Which variants they are."""
        return [i for i, outcome in enumerate(self.outcomes) if not outcome.completed]

    @property
    def lines(self) -> list[str]:
        """Each in words; those that an interrupt came before in one line."""
        begun = [i for i in self.numbers if self.outcomes[i] is not NOT_BEGUN]
        left = len(self.numbers) - len(begun)
        lines = [f"variant {i} ({self._given(i)}): {self.outcomes[i]}" for i in begun]
        return [*lines, *([f"{many(left, 'variants')} not begun"] if left else [])]

    def _given(self, i: int) -> str:
        return ", ".join(f"{c.name} = {c.values[i]:.6g} {c.unit}".rstrip() for c in self.given)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def title(self) -> str:
        return f"{len(self)} of {many(len(self.outcomes), 'variants')} of '{self.name}' did not reach their end"

    def report(self) -> list[str]:
        return self.lines

    def columns(self) -> list[Column]:
        chosen = [self.outcomes[i] for i in self.numbers]
        return [
            Column("failure", np.arange(1, len(self) + 1)),
            Column("variant", np.array(self.numbers, dtype=int), "1"),
            *(Column(c.name, np.asarray(c.values)[self.numbers], c.unit) for c in self.given),
            Column("outcome", [outcome.status.message for outcome in chosen]),
            Column("reached", np.array([outcome.time for outcome in chosen]), "s"),
            Column("reason", [outcome.reason for outcome in chosen]),
        ]


def _last_values(values: Array) -> Array:
    """The last value (N) of each row that is one."""
    known = np.isfinite(values)
    last = values.shape[1] - 1 - np.argmax(known[:, ::-1], axis=1)
    return np.asarray(np.where(known.any(axis=1), values[np.arange(len(values)), last], np.nan))


def _range(column: Column) -> str:
    values = np.asarray(column.values)
    if not values.size:
        return f"{column.label}: none"
    return f"{column.label} from {np.min(values):.6g} to {np.max(values):.6g}"


def _number(value: float | int) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def _counted(told: Sequence[str]) -> str:
    return ", ".join(f"{word or 'unknown'} {told.count(word)}" for word in dict.fromkeys(told))
