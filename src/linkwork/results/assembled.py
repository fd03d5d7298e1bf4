"""A mechanism put together where it is wanted: what a user reads of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees
from pathlib import Path

from linkwork.answer import Answer, Column, Grid
from linkwork.answer.files import write_bytes
from linkwork.model import Model
from linkwork.position.geometry import Pose
from linkwork.results.drawing import Drawing
from linkwork.results.quantities import named


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


@dataclass(frozen=True, eq=False, repr=False)
class AssembledPose(Answer):
    """The pose nearest to what was asked for, with all joints closed; prints as a table.

    values: coordinates of joints (``O.angle``) and places of points (``B.x``), rad and m, also by ``pose["B.x"]``
    model: the model that starts in this pose; residual: largest gap, m
    iterations: to close the sketch; steps: from there towards what was asked for
    undriven: drivers of joints, which would hold what is asked for, and which this model is without
    doubts: what was asked for and may be meant otherwise
    """

    view = "modes.plot_pose"
    endings = (".yaml", ".csv", ".json")

    name: str
    wishes: tuple[Wish, ...]
    values: Mapping[str, float]
    units: Mapping[str, str]
    poses: Mapping[str, Pose]
    model: Model
    drawing: Drawing
    method: str
    residual: float
    iterations: int
    steps: int
    undriven: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the model of this pose is without, in words."""
        names = ", ".join(self.undriven)
        return (f"begins in a pose, without the drivers of joints: {names}",) if self.undriven else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the model of this pose."""
        return (*self.doubts, *self.left_out, *self.model.remarks)

    @property
    def reached(self) -> bool:
        """Whether everything that was asked for is there."""
        return all(wish.reached for wish in self.wishes)

    @property
    def distance(self) -> float:
        """The largest distance from what was asked for, rad or m."""
        return max((wish.distance for wish in self.wishes), default=0.0)

    def __getitem__(self, name: str) -> float:
        return named(name, self.values, self.drawing.called, "pose has")

    @property
    def title(self) -> str:
        if not self.wishes:
            return f"{self.name}: assembled near its sketch"
        return f"{self.name}: {'all that was asked for' if self.reached else 'the nearest pose that can be reached'}"

    def facts(self) -> list[tuple[str, str]]:
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

    def report(self) -> list[str | Grid]:
        counts = (self.iterations, "iteration"), (self.steps, "step")
        closed, moved = (f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)
        return [
            *map(str, self.wishes),
            Grid(self.facts()),
            f"{self.method}, {closed} to close it, {moved} to get here",
        ]

    def columns(self) -> list[Column]:
        """One row: coordinates of joints and places of points, rad and m."""
        return [
            Column("mechanism", [self.name]),
            *(Column(name, [value], self.units[name]) for name, value in self.values.items()),
        ]

    def write(self, path: Path, overwrite: bool | None) -> Path:
        """Write the model that starts in this pose."""
        from linkwork.formats.native import file_text

        return write_bytes(path, file_text(self.model, path).encode(), overwrite=overwrite)


def _text(values: tuple[float, ...], angular: bool) -> str:
    numbers = [f"{round(degrees(x) if angular else x, 12) + 0.0:.6g}" for x in values]
    joined = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
    return f"{joined} {'deg' if angular else 'm'}"
