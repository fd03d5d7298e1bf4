"""Ellipsoids of velocities, accelerations or forces of a point, in one position or along a motion, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gamma, pi

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column, Grid
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.results.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class Ellipsoid(Answer):
    """What a point can do with inputs inside their limits, at N samples; prints as a table or a summary.

    centres (N, r); semi_axes (N, r), the largest first; directions (N, r, r): their unit vectors as columns, world axes. A
    semi-axis of zero is a direction in which nothing is possible, an infinite one a direction that no limit bounds.
    places (N, d): where the point is, m
    jacobian (N, r, k): J of robotics, velocities of the components, in their order, by the rates of the inputs, in theirs;
    not a number in components that the inputs do not determine
    units: of the components; where they differ, semi-axes, measure and condition mix them, in SI units
    """

    view = "ellipsoids.plot_ellipsoids"

    name: str
    kind: str  # 'velocity', 'acceleration' or 'force'
    of: str
    components: tuple[str, ...]
    units: tuple[str, ...]
    inputs: Mapping[str, float]  # with their limits
    time: Array
    centres: Array
    directions: Array
    semi_axes: Array
    places: Array
    jacobian: Array
    result: Result

    def __len__(self) -> int:
        return len(self.time)

    @property
    def unit(self) -> str:
        """That of the components; all of them where they differ: 'm/s, rad/s'."""
        return ", ".join(dict.fromkeys(self.units))

    @property
    def notes(self) -> tuple[str, ...]:
        if len(set(self.units)) == 1:
            return ()
        return (
            f"components are in {' and '.join(dict.fromkeys(self.units))}: semi-axes, measure and condition mix these units "
            "and depend on them; ask for a point and for an angular velocity apart to be independent of them",
        )

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
        samples = f", {len(self)} samples" if len(self) > 1 else ""
        return f"{self.name}: {self.kind} ellipsoid of {self.of} by {limits}{samples}"

    def report(self) -> list[str | Grid]:
        """Semi-axes and directions in one position, a summary along a motion."""
        if len(self) > 1:
            return self._summary()
        pairs = zip(self.semi_axes[0], self.directions[0].T, strict=True)
        heads = (f"semi-axis, {self.unit}", f"along ({', '.join(self.components)})")
        lines: list[str | Grid] = [Grid([(f"{size:.6g}", _text(axis)) for size, axis in pairs], heads)]
        if np.any(np.abs(self.centres[0]) > 1e-12 * max(1.0, float(np.max(self.semi_axes[0])))):
            lines.append(f"about the centre {_text(self.centres[0])} {self.unit}")
        return [*lines, f"measure {self.measure[0]:.6g}, condition {self.condition[0]:.6g}", *self.singularities()]

    def columns(self) -> list[Column]:
        """Over time: centres, semi-axes, their directions, the measure and the condition."""
        over, r = self.result.variable, self.semi_axes.shape[1]
        centres = [
            Column(f"centre {name}", self.centres[:, i], self.units[i]) for i, name in enumerate(self.components)
        ]
        sizes = [Column(f"semi-axis {i + 1}", self.semi_axes[:, i], self.unit) for i in range(r)]
        axes = [
            Column(f"direction {i + 1} {name}", self.directions[:, k, i], "1")
            for i in range(r)
            for k, name in enumerate(self.components)
        ]
        last = [Column("measure", self.measure), Column("condition", self.condition, "1")]
        return [over.column(self.time), *centres, *sizes, *axes, *last]

    def singularities(self, sample: int = 0) -> list[str]:
        """What is special about a singular position."""
        able = {"velocity": ("cannot move", "can move while all inputs stand"),
                "acceleration": ("cannot be accelerated by the inputs", "has no inertia"),
                "force": ("cannot hold any force", "holds any force without efforts")}[self.kind]  # fmt: skip
        found = []
        for size, axis in zip(self.semi_axes[sample], self.directions[sample].T, strict=True):
            if size == 0.0 or np.isinf(size):
                found.append(f"singular: {self.of} {able[int(size > 0.0)]} along {_text(axis)}")
        return found

    def _summary(self) -> list[str | Grid]:
        low, high = int(np.argmin(self.measure)), int(np.argmax(self.measure))
        worst, count = int(np.argmax(self.condition)), int(np.sum(self.singular))
        unit = self.result.variable.unit
        from_, to = (f"{self.measure[i]:.6g} (at {self.time[i]:g} {unit})" for i in (low, high))
        rows = [
            ("measure", f"{from_} to {to}"),
            ("condition", f"up to {self.condition[worst]:.6g} at {self.time[worst]:g} {unit}"),
            ("semi-axes", f"{np.min(self.semi_axes):.6g} to {np.max(self.semi_axes):.6g} {self.unit}"),
        ]
        return [Grid(rows), *([f"{count} samples are singular"] if count else [])]


def _text(vector: Array) -> str:
    size = float(np.max(np.abs(vector), initial=0.0))
    return f"({', '.join(f'{x if abs(x) > 1e-9 * size else 0.0:.5g}' for x in vector)})"
