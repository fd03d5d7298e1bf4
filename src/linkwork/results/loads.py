"""What motors have to give and what joints have to bear along a motion, as a user reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from linkwork.answer import AnswerList, Column, Grid, Units
from linkwork.arrays import Array


@dataclass(frozen=True)
class PeakLoad:
    """The largest force and moment of one joint or relation, and when they occur: no number where it transmits none."""

    element: str
    force: float
    force_time: float
    moment: float
    moment_time: float
    not_unique: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of the table; dashes where a joint transmits nothing."""
        peaks = (self.force, self.force_time), (self.moment, self.moment_time)
        texts = (("-", "-") if np.isnan(when) else (f"{size:.4g}", f"{when:.4g}") for size, when in peaks)
        return (self.element, *(text for pair in texts for text in pair), " ".join(self.not_unique))


@dataclass(frozen=True)
class MotorLoad:
    """What one motor has to give: effort (N or N m) by its peak and root of the mean square over time, power and work."""

    motor: str
    coordinate: str
    unit: str
    peak: float
    peak_time: float
    rms: float
    peak_power: float
    mean_power: float
    energy: float

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of the table."""
        named = self.motor if self.motor == self.coordinate else f"{self.motor} ({self.coordinate})"
        efforts = (f"{self.peak:.4g} {self.unit}", f"{self.peak_time:.4g}", f"{self.rms:.4g} {self.unit}")
        return named, *efforts, *(f"{number:.4g}" for number in (self.peak_power, self.mean_power, self.energy))


Load = TypeVar("Load", MotorLoad, PeakLoad)


@dataclass(frozen=True, eq=False, repr=False)
class LoadTable(AnswerList[Load]):
    """Loads of one run as a table, printed in units of its columns that are chosen; the loads themselves are in SI units."""

    name: str
    loads: tuple[Load, ...]
    at: str = "at t, s"  # what stands above the places of the peaks
    units: Units = field(default_factory=dict, kw_only=True)

    @property
    def items(self) -> Sequence[Load]:
        return self.loads

    def shown(self, names: Sequence[str] | None = None, units: Units | None = None) -> list[Column]:
        """The columns of the table, or some of them, in the units of the table or in others."""
        return super().shown(names, {**self.units, **(units or {})})

    def above(self, unit: str) -> str:
        """What stands above the places of the peaks, which are shown in a unit."""
        return self.at if unit == "s" else f"at t, {unit}"

    def printed(self) -> tuple[list[Load], dict[str, str]]:
        """The loads as they are printed, and the units of their numbers by name."""
        columns = {column.name.replace(" ", "_"): column for column in self.shown()}
        numbers = {name: column for name, column in columns.items() if column.unit}
        rows = zip(*(column.cells() for column in numbers.values()), strict=True)
        loads = [
            replace(load, **dict(zip(numbers, row, strict=True))) for load, row in zip(self.loads, rows, strict=True)
        ]
        return loads, {name: column.unit for name, column in numbers.items()}


@dataclass(frozen=True, eq=False, repr=False)
class MotorLoads(LoadTable[MotorLoad]):
    """What every motor has to give; prints as a table."""

    plotted = ("peak", "rms", "peak power", "mean power", "energy")

    @property
    def title(self) -> str:
        return f"loads of the motors of '{self.name}'"

    def report(self) -> list[Grid]:
        loads, units = self.printed()
        heads = [f"{name.replace('_', ' ')}, {units[name]}" for name in ("peak_power", "mean_power", "energy")]
        return [Grid([load.cells for load in loads], ["motor", "peak", self.above(units["peak_time"]), "rms", *heads])]

    def columns(self) -> list[Column]:
        """A row for every motor; efforts in the unit of the row, N or N*m."""
        heads = {"peak": "", "peak_time": "s", "rms": "", "peak_power": "W", "mean_power": "W", "energy": "J"}
        texts = (Column(name, [getattr(load, name) for load in self.loads]) for name in ("motor", "coordinate", "unit"))
        numbers = (Column(k.replace("_", " "), [getattr(x, k) for x in self.loads], u) for k, u in heads.items())
        return [*texts, *numbers]


@dataclass(frozen=True, eq=False, repr=False)
class PeakLoads(LoadTable[PeakLoad]):
    """The largest loads of joints and relations; prints as a table."""

    plotted = ("force", "moment")

    @property
    def title(self) -> str:
        return f"peak loads of the joints of '{self.name}'"

    def report(self) -> list[Grid]:
        loads, units = self.printed()
        at = [self.above(units[name]) for name in ("force_time", "moment_time")]
        heads = ("joint", f"force, {units['force']}", at[0], f"moment, {units['moment']}", at[1], "not unique")
        loose = any(load.not_unique for load in loads)
        rows = [load.cells if loose else load.cells[:-1] for load in loads]
        return [Grid(rows, heads if loose else heads[:-1])]

    def columns(self) -> list[Column]:
        """A row for every joint and relation."""
        heads = {"force": "N", "force_time": "s", "moment": "N*m", "moment_time": "s"}
        numbers = (Column(k.replace("_", " "), [getattr(x, k) for x in self.loads], u) for k, u in heads.items())
        loose = Column("not unique", [" ".join(load.not_unique) for load in self.loads])
        return [Column("element", [load.element for load in self.loads]), *numbers, loose]


def largest_of(time: Array, sizes: Array) -> tuple[float, float]:
    """The largest of the sizes that are numbers, and its time."""
    known = np.where(np.isfinite(sizes), sizes, -1.0)
    place = int(np.argmax(known))
    return (float(known[place]), float(time[place])) if known[place] >= 0.0 else (float("nan"), float(time[place]))


def extreme_of(time: Array, values: Array) -> tuple[float, float]:
    """The value that is farthest from zero, with its sign, and its time; no number where there is none."""
    if not len(time):
        return 0.0, float("nan")
    place = int(np.argmax(np.where(np.isfinite(values), np.abs(values), -1.0)))
    return float(values[place]), float(time[place])
