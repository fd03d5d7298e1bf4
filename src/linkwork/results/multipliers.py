"""Multipliers of the conditions between the coordinates of a run, and the forces and couples that they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from linkwork.answer import Answer, Column, Grid
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.quantities import NOT_UNIQUE, Array, MultiplierValues
from linkwork.results.run_record import RunRecord


class MultiplierTable(Answer, Mapping[str, MultiplierValues]):
    """Multipliers by the label of their condition; printed, a table of what they stand for."""

    view = "plots.plot_columns"

    def __init__(self, result: RunRecord, scheme: str = "least_norm") -> None:
        self._result, self.scheme = result, scheme
        self._found = {item.label: item for item in result.source.multipliers(scheme)}

    def __call__(self, *, scheme: str) -> MultiplierTable:
        """The same by another scheme: 'least_norm', 'constraint_variation' or 'penalty' (an estimate)."""
        return MultiplierTable(self._result, scheme)

    def of(self, element: str) -> list[MultiplierValues]:
        """Those of one body, joint, relation, driver or coupling."""
        return [item for item in self._found.values() if item.element == element]

    def __getitem__(self, label: str) -> MultiplierValues:
        if label not in self._found:
            raise UnknownNameError(f"there is no condition '{label}'; {did_you_mean(label, list(self._found))}")
        return self._found[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def title(self) -> str:
        kind = self._result.settings.get("coordinates", "")
        return f"Multipliers of '{self._result.name}' in {kind} coordinates ({self.scheme})"

    def report(self) -> list[str | Grid]:
        """What the multipliers stand for, and their largest values."""
        if not self._found:
            return ["there are no conditions between these coordinates"]
        rows = [(label, _largest(item.effort, item.unit), _words(item)) for label, item in self.items()]
        return [Grid(rows, ("condition", "largest", "what it is"))]

    def columns(self) -> list[Column]:
        """The efforts that the multipliers stand for, over time."""
        over = self._result.variable
        return [
            over.column(self._result.time),
            *(Column(name, item.effort, item.unit, "" if item.unique else NOT_UNIQUE) for name, item in self.items()),
        ]


def _largest(effort: Array, unit: str) -> str:
    return f"{np.max(np.abs(effort), initial=0.0):.4g} {unit}"


def _words(item: MultiplierValues) -> str:
    return item.meaning + ("" if item.unique else f" ({NOT_UNIQUE})")
