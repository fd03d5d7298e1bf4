"""A point of a mechanism dragged along a path: where it went, as a result with a picture, an animation and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.algebra.rotations import matrix_to_quaternion
from linkwork.answer import Column, Grid
from linkwork.arrays import Array
from linkwork.position.geometry import Pose
from linkwork.results.drawing import Drawing
from linkwork.results.quantities import ArraySource, Quantity, named
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer

FOLLOWED = 1e-8  # of the size of the mechanism, within which a point is where it is wanted


@dataclass(frozen=True, eq=False, repr=False)
class DraggedPoint(ResultAnswer):
    """A point led along a path while the mechanism holds together: poses as near to it as can be.

    path (N, d): where the point was wanted; places (N, d): where it was; distances (N), m
    values: coordinates of joints and places of points (N each), also by ``drag["O.angle"]``
    """

    view = "drag.plot_drag"

    name: str
    point: str
    path: Array
    places: Array
    values: Mapping[str, Array]
    units: Mapping[str, str]
    poses: tuple[Mapping[str, Pose], ...]
    drawing: Drawing
    size: float  # of the mechanism, m
    remarked: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return self.remarked

    @property
    def distances(self) -> Array:
        return np.asarray(np.linalg.norm(self.places - self.path, axis=1))

    @property
    def followed(self) -> bool:
        """Whether the point was wherever it was wanted."""
        return bool(np.all(self.distances < FOLLOWED * self.size))

    def __getitem__(self, name: str) -> Array:
        return named(name, self.values, self.drawing.called, "drag has")

    def __len__(self) -> int:
        return len(self.path)

    @property
    def title(self) -> str:
        told = f"{self.point} dragged through {len(self)} places: it"
        if self.followed:
            return f"{told} follows"
        missed, most = int(np.sum(self.distances >= FOLLOWED * self.size)), float(np.max(self.distances))
        return f"{told} cannot follow to {missed} of them, and stays at most {most:.6g} m away"

    def report(self) -> list[str | Grid]:
        """Where it is farthest from where it is wanted."""
        if self.followed:
            return []
        i = int(np.argmax(self.distances))
        wanted, found = (f"({', '.join(f'{x:.5g}' for x in place)}) m" for place in (self.path[i], self.places[i]))
        return [f"farthest at place {i + 1}: wanted at {wanted}, and it gets to {found}"]

    def columns(self) -> Sequence[Column]:
        """Coordinates of joints and places of points over the number of the place."""
        return self.pick([f"{self.point}.distance", *self.values])

    @cached_property
    def result(self) -> Result:  # type: ignore[override]
        """The drag as a result over the number of the place, counted from 0, which stands for the time in seconds."""
        catalogue, arrays = self._columns()
        # the wanted path is drawn on the ground
        line = tuple(map(tuple, self.path.tolist()))
        drawing = replace(self.drawing, outlines=(*self.drawing.outlines, line))
        note = "time is the number of the place on the path"
        source = ArraySource(catalogue, arrays)
        return Result(
            self.name, np.arange(float(len(self))), source, drawing, settings={"dragged": self.point}, noted=(note,)
        )

    def _columns(self) -> tuple[dict[str, Quantity], dict[str, Array]]:
        miss = f"{self.point}.distance"
        catalogue = {miss: Quantity(miss, "m", "distance from where it is wanted")}
        arrays: dict[str, Array] = {miss: self.distances}
        for name, array in self.values.items():
            catalogue[name], arrays[name] = Quantity(name, self.units[name]), array
        for body in self.drawing.bodies:
            columns = np.array([_numbers(poses[body]) for poses in self.poses])
            for name, column in zip(self.drawing.pose_names(body), columns.T, strict=True):
                unit = "rad" if name.endswith(".angle") else "m" if ".origin." in name else ""
                catalogue[name], arrays[name] = Quantity(name, unit), np.unwrap(column) if unit == "rad" else column
        return catalogue, arrays

    def animate(self, path: FilePath, **options: Any) -> Path:
        """Write one self-contained HTML page with the moving mechanism and the path that was wanted."""
        return super().animate(path, **{"trace": self.point, "plot": self._plotted(), **options})

    def _plotted(self) -> list[str]:
        joints = [name for name in self.values if self.units[name] == "rad"]
        return [f"{self.point}.distance", *joints[:3]]


def _numbers(pose: Pose) -> Array:
    """Origin and angle, or origin and quaternion."""
    if len(pose.axes) == 2:
        return np.array([*pose.origin, np.arctan2(pose.axes[1, 0], pose.axes[0, 0])])
    return np.concatenate([pose.origin, matrix_to_quaternion(pose.axes)])
