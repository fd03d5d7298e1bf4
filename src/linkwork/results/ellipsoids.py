"""Ellipsoids of velocities, accelerations or forces of a point, in one position or along a motion, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gamma, pi
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import RefusedError
from linkwork.results.files import write_rows
from linkwork.results.result import Result
from linkwork.results.writing import aligned
from linkwork.shown import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Ellipsoid:
    """What a point can do with inputs inside their limits, at N samples; prints as a table or a summary.

    centres (N, r); semi_axes (N, r), the largest first; directions (N, r, r): their unit vectors as columns, world axes. A
    semi-axis of zero is a direction in which nothing is possible, an infinite one a direction that no limit bounds.
    places (N, d): where the point is, m
    """

    name: str
    kind: str  # 'velocity', 'acceleration' or 'force'
    of: str
    components: tuple[str, ...]
    unit: str
    inputs: Mapping[str, float]  # with their limits
    time: Array
    centres: Array
    directions: Array
    semi_axes: Array
    places: Array
    result: Result

    def __len__(self) -> int:
        return len(self.time)

    @property
    def measure(self) -> Array:
        """The product of the semi-axes (N): √det J Jᵀ of velocities, with limits 1 that of Yoshikawa."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.prod(self.semi_axes, axis=1))

    @property
    def volume(self) -> Array:
        """Volume of the ellipsoid, area of the ellipse (N)."""
        r = self.semi_axes.shape[1]
        return np.asarray(pi ** (r / 2) / gamma(r / 2 + 1) * self.measure)

    @property
    def condition(self) -> Array:
        """The largest semi-axis over the smallest (N): 1 of a ball, infinite in a singular position."""
        largest, smallest = self.semi_axes[:, 0], self.semi_axes[:, -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where((smallest == 0.0) | np.isinf(largest), np.inf, largest / smallest))

    @property
    def singular(self) -> NDArray[np.bool_]:
        """Where a semi-axis is zero or infinite (N)."""
        return np.asarray((self.semi_axes[:, -1] == 0.0) | np.isinf(self.semi_axes[:, 0]))

    def matrix(self, sample: int = 0) -> Array:
        """A (r, r) of the ellipsoid (x − c)ᵀ A⁻¹ (x − c) ≤ 1: J Jᵀ of velocities with limits 1."""
        axes = self.directions[sample] * self.semi_axes[sample]
        return np.asarray(axes @ axes.T)

    def along(self, direction: Sequence[float]) -> Array:
        """The largest component in a direction, apart from that of the centre (N)."""
        unit = np.asarray(direction, dtype=float)
        if unit.shape != (self.semi_axes.shape[1],) or not np.any(unit):
            raise RefusedError(f"a direction has {self.semi_axes.shape[1]} components, not all of them zero")
        cosines = np.einsum("i,nij->nj", unit / np.linalg.norm(unit), self.directions)
        parts = np.where(np.abs(cosines) > 1e-12, np.abs(cosines), 0.0)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.linalg.norm(np.where(parts > 0.0, parts * self.semi_axes, 0.0), axis=1))

    @property
    def title(self) -> str:
        limits = ", ".join(f"{name} up to {value:g}" if value != 1.0 else name for name, value in self.inputs.items())
        if len(self.inputs) > 3:
            limits = f"{len(self.inputs)} inputs"
        return f"{self.name}: {self.kind} ellipsoid of {self.of} by {limits}"

    def __repr__(self) -> str:
        return f"<{self.title}, {len(self)} sample{'s' if len(self) > 1 else ''}>"

    def table(self) -> list[tuple[str, ...]]:
        """Rows of texts below a row of heads: semi-axes and directions of one position, or measures along a motion."""
        if len(self) == 1:
            heads = (f"semi-axis, {self.unit}", f"along ({', '.join(self.components)})")
            pairs = zip(self.semi_axes[0], self.directions[0].T, strict=True)
            return [heads, *((f"{size:.6g}", _text(axis)) for size, axis in pairs)]
        axes = [f"semi-axis {i + 1}, {self.unit}" for i in range(self.semi_axes.shape[1])]
        rows = zip(self.time, self.semi_axes, self.measure, self.condition, strict=True)
        return [
            (self.result.variable.label, *axes, "measure", "condition"),
            *((f"{t:g}", *(f"{x:.6g}" for x in sizes), f"{m:.6g}", f"{k:.6g}") for t, sizes, m, k in rows),
        ]

    def __str__(self) -> str:
        if len(self) > 1:
            return self._summary()
        lines = [self.title, *aligned(self.table())]
        if np.any(np.abs(self.centres[0]) > 1e-12 * max(1.0, float(np.max(self.semi_axes[0])))):
            lines.append(f"  about the centre {_text(self.centres[0])} {self.unit}")
        lines.append(f"  measure {self.measure[0]:.6g}, condition {self.condition[0]:.6g}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes())])

    def notes(self, sample: int = 0) -> list[str]:
        """What is special about a singular position."""
        able = {"velocity": ("cannot move", "can move while all inputs stand"),
                "acceleration": ("cannot be accelerated by the inputs", "has no inertia"),
                "force": ("cannot hold any force", "holds any force without efforts")}[self.kind]  # fmt: skip
        found = []
        for size, axis in zip(self.semi_axes[sample], self.directions[sample].T, strict=True):
            if size == 0.0 or np.isinf(size):
                found.append(f"singular: {self.of} {able[int(size > 0.0)]} along {_text(axis)}")
        return found

    def _summary(self) -> str:
        low, high = int(np.argmin(self.measure)), int(np.argmax(self.measure))
        worst = int(np.argmax(self.condition))
        lines = [
            f"{self.title}, {len(self)} samples",
            f"  measure    {self.measure[low]:.6g} (at {self.time[low]:g} s) to {self.measure[high]:.6g} "
            f"(at {self.time[high]:g} s)",
            f"  condition  up to {self.condition[worst]:.6g} at {self.time[worst]:g} s",
            f"  semi-axes  {np.min(self.semi_axes):.6g} to {np.max(self.semi_axes):.6g} {self.unit}",
        ]
        return "\n".join(
            [*lines, *([f"  {np.sum(self.singular)} samples are singular"] if np.any(self.singular) else [])]
        )

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write times, centres, semi-axes and directions as comma-separated values."""
        r, names = self.semi_axes.shape[1], self.components
        heads = [self.result.variable.label, *(f"centre {name} [{self.unit}]" for name in names)]
        heads += [f"semi-axis {i + 1} [{self.unit}]" for i in range(r)]
        heads += [f"direction {i + 1} {name}" for i in range(r) for name in names]
        turned = np.swapaxes(self.directions, 1, 2).reshape(len(self), -1)
        rows = np.column_stack([self.time, self.centres, self.semi_axes, turned])
        return write_rows(path, [heads, *rows.tolist()], overwrite=overwrite)

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw the ellipsoids with the mechanism, and over time their semi-axes; returns the matplotlib Figure."""
        return drawn("ellipsoids.plot_ellipsoids", self, path=path, show=show, overwrite=overwrite)


def _text(vector: Array) -> str:
    size = float(np.max(np.abs(vector), initial=0.0))
    return f"({', '.join(f'{x if abs(x) > 1e-9 * size else 0.0:.5g}' for x in vector)})"
