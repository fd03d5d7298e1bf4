"""A point of a mechanism dragged along a path: where it went, as a result with a picture, an animation and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.rotations import matrix_to_quaternion
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.position.geometry import Pose
from linkwork.results.drawing import Drawing
from linkwork.results.quantities import ArraySource, Quantity, known_name
from linkwork.results.result import Result
from linkwork.shown import drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
FOLLOWED = 1e-8  # of the size of the mechanism, within which a point is where it is wanted


@dataclass(frozen=True, eq=False)
class DraggedPoint:
    """A point led along a path while the mechanism holds together: poses as near to it as can be.

    path (N, d): where the point was wanted; places (N, d): where it was; distances (N), m
    values: coordinates of joints and places of points (N each), also by ``drag["O.angle"]``
    """

    name: str
    point: str
    path: Array
    places: Array
    values: Mapping[str, Array] = field(repr=False)
    units: Mapping[str, str] = field(repr=False)
    poses: tuple[Mapping[str, Pose], ...] = field(repr=False)
    drawing: Drawing = field(repr=False)
    size: float  # of the mechanism, m

    @property
    def distances(self) -> Array:
        return np.asarray(np.linalg.norm(self.places - self.path, axis=1))

    @property
    def followed(self) -> bool:
        """Whether the point was wherever it was wanted."""
        return bool(np.all(self.distances < FOLLOWED * self.size))

    def __getitem__(self, name: str) -> Array:
        known = known_name(name, self.values, self.drawing.points_of)
        if known not in self.values:
            raise UnknownNameError(f"the drag has no '{name}'; {did_you_mean(name, list(self.values))}")
        return self.values[known]

    def __len__(self) -> int:
        return len(self.path)

    def __str__(self) -> str:
        if self.followed:
            return f"{self.point} dragged through {len(self)} places: it follows"
        far = self.distances
        missed = int(np.sum(far >= FOLLOWED * self.size))
        return (
            f"{self.point} dragged through {len(self)} places: it cannot follow to {missed} of them, "
            f"and stays at most {float(np.max(far)):.6g} m away"
        )

    @cached_property
    def result(self) -> Result:
        """The drag as a result over the number of the place, counted from 0, which stands for the time in seconds."""
        catalogue, arrays = self._columns()
        # the wanted path is drawn on the ground
        line = tuple(map(tuple, self.path.tolist()))
        drawing = replace(self.drawing, outlines=(*self.drawing.outlines, line))
        note = "time is the number of the place on the path"
        source = ArraySource(catalogue, arrays)
        return Result(
            self.name, np.arange(float(len(self))), source, drawing, settings={"dragged": self.point}, notes=(note,)
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

    def animate(
        self, path: str | Path, *, trace: str | Sequence[str] | None = None, overwrite: bool | None = None
    ) -> Path:
        """Write one self-contained HTML page with the moving mechanism and the path that was wanted."""
        shown = self._plotted()
        return self.result.animate(path, trace=self.point if trace is None else trace, plot=shown, overwrite=overwrite)

    def _plotted(self) -> list[str]:
        joints = [name for name in self.values if self.units[name] == "rad"]
        return [f"{self.point}.distance", *joints[:3]]

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write everything to a netCDF file (.nc); `load_result` reads it back as a result."""
        return self.result.save(path, overwrite=overwrite)

    def to_csv(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write coordinates of joints and places of points as text, with units in the heading."""
        return self.result.to_csv(path, [f"{self.point}.distance", *self.values], overwrite=overwrite)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        axes: Axes | None = None,
        show: bool = False,
        overwrite: bool | None = None,
    ) -> Figure:
        """Draw the wanted path, the way of the point and the mechanism; returns the matplotlib Figure.

        *axes*: where to draw, by default on a new figure.
        """
        return drawn("drag.plot_drag", self, axis=axes, path=path, show=show, overwrite=overwrite)


def _numbers(pose: Pose) -> Array:
    """Origin and angle, or origin and quaternion."""
    if len(pose.axes) == 2:
        return np.array([*pose.origin, np.arctan2(pose.axes[1, 0], pose.axes[0, 0])])
    return np.concatenate([pose.origin, matrix_to_quaternion(pose.axes)])
