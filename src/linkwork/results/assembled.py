"""A mechanism put together where it is wanted: what a user reads of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.position.geometry import Pose
from linkwork.results.drawing import Drawing
from linkwork.results.files import write_bytes
from linkwork.results.quantities import known_name
from linkwork.shown import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Wish:
    """What was asked for and what was reached: rad or m, one number or the components of a point."""

    name: str
    asked: tuple[float, ...]
    found: tuple[float, ...]
    distance: float  # rad or m
    angular: bool
    reached: bool

    def __str__(self) -> str:
        asked, found = (_text(values, self.angular) for values in (self.asked, self.found))
        miss = _text((self.distance,), self.angular)
        return f"{self.name} at {asked}" if self.reached else f"{self.name} at {found}, nearest to {asked}: {miss} away"


@dataclass(frozen=True, eq=False)
class AssembledPose:
    """The pose nearest to what was asked for, with all joints closed; prints as a table.

    values: coordinates of joints (``O.angle``) and places of points (``B.x``), rad and m, also by ``pose["B.x"]``
    model: the model that starts in this pose; residual: largest gap, m
    iterations: to close the sketch; steps: from there towards what was asked for
    undriven: drivers of joints, which would hold what is asked for, and which this model is without
    """

    name: str
    wishes: tuple[Wish, ...]
    values: Mapping[str, float]
    units: Mapping[str, str]
    poses: Mapping[str, Pose] = field(repr=False)
    model: Model = field(repr=False)
    drawing: Drawing = field(repr=False)
    method: str
    residual: float
    iterations: int
    steps: int
    undriven: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the model of this pose."""
        names = ", ".join(self.undriven)
        return (f"begins in a pose, without the drivers of joints: {names}",) if self.undriven else ()

    @property
    def reached(self) -> bool:
        """Whether everything that was asked for is there."""
        return all(wish.reached for wish in self.wishes)

    @property
    def distance(self) -> float:
        """The largest distance from what was asked for, rad or m."""
        return max((wish.distance for wish in self.wishes), default=0.0)

    def __getitem__(self, name: str) -> float:
        known = known_name(name, self.values, self.drawing.points_of)
        if known not in self.values:
            raise UnknownNameError(f"the pose has no '{name}'; {did_you_mean(name, list(self.values))}")
        return self.values[known]

    def table(self) -> list[tuple[str, str]]:
        """Coordinates of joints and places of points with their units; a point of several names once."""
        places: dict[str, list[float]] = {}
        rows = []
        for name, value in self.values.items():
            owner, _, axis = name.rpartition(".")
            if axis in ("x", "y", "z"):
                places.setdefault(owner, []).append(value)
            else:
                rows.append((name, _text((value,), self.units[name] == "rad")))
        shown = [name for name in places if "." not in name or name.rpartition(".")[2] not in places]
        return [*rows, *((name, _text(tuple(places[name]), False)) for name in shown)]

    def __str__(self) -> str:
        how = f"{self.method}, {self.iterations} iterations to close it, {self.steps} steps to get here"
        rows = self.table()
        width = max((len(name) for name, _ in rows), default=0)
        lines = [f"{self.name}: {'all that was asked for' if self.reached else 'the nearest pose that can be reached'}"]
        lines += [f"  {wish}" for wish in self.wishes]
        lines += [f"  {note}" for note in self.notes]
        lines += [f"  {how}", *(f"  {name:<{width}}  {text}" for name, text in rows)]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.model.remarks)])

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write the model that starts in this pose (.yaml, .json)."""
        from linkwork.formats.native import file_text

        return write_bytes(path, file_text(self.model, path).encode(), overwrite=overwrite)

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw the pose; returns the matplotlib Figure."""
        from linkwork.results.assembly_modes import AssemblyModes
        from linkwork.topology.modes.modes import AssemblyMode

        mode = AssemblyMode({"": "assembled"}, {}, self.poses, self.residual)
        alone = AssemblyModes(self.name, {}, (), (mode,), True, self.drawing)
        return drawn("modes.plot_modes", alone, path=path, show=show, overwrite=overwrite)


def _text(values: tuple[float, ...], angular: bool) -> str:
    numbers = [f"{round(degrees(x) if angular else x, 12) + 0.0:.6g}" for x in values]
    joined = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
    return f"{joined} {'deg' if angular else 'm'}"
