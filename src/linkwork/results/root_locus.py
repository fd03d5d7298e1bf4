"""Eigenvalues of a mechanism over a parameter, as a user reads them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.results.equilibrium_path import Snap
from linkwork.results.files import write_rows
from linkwork.results.linearisation import ComplexArray
from linkwork.shown import drawn

NONE, FLAT = 1e-6, 1e-9  # of the largest eigenvalue, or of 1/s: a size, and a real part, that count as none

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def size_of_none(roots: ComplexArray) -> float:
    """Size of an eigenvalue among others that counts as none: double zeros are found to the root of rounding errors."""
    return NONE * float(np.max(np.abs(roots), initial=1.0))


def growths(roots: ComplexArray) -> NDArray[np.float64]:
    """Real parts, 0 where they or all of the eigenvalue are none."""
    largest = float(np.max(np.abs(roots), initial=1.0))
    none = (np.abs(roots.real) <= FLAT * largest) | (np.abs(roots) <= size_of_none(roots))
    return np.where(none, 0.0, roots.real)


@dataclass(frozen=True)
class Crossing:
    """A value of the parameter at which a mode changes between decay and growth.

    omega: angular frequency of the mode there, rad/s, zero where it does not oscillate; grows: beyond the value
    meeting: two modes that nothing damps meet there, and neither grows nor decays on the other side
    """

    value: float
    omega: float
    grows: bool
    meeting: bool = False

    def __str__(self) -> str:
        mode = f"a mode of {self.omega:.6g} rad/s" if self.omega else "a mode without oscillation"
        after = "grows" if self.grows else "grows no more" if self.meeting else "decays"
        return f"{mode} {after} beyond {self.value:.10g}"


@dataclass(frozen=True, eq=False, repr=False)
class RootLocus:
    """Eigenvalues over values of a live parameter; prints as a summary.

    values (N); eigenvalues (N, n), 1/s, each column one branch, those that stay zero left out (neutral counts them)
    crossings: where branches cross the imaginary axis, found to rounding errors
    snaps: where the position of rest breaks off about which it is, and goes to another one
    unsteady: values, of the first, the middle and the last, at which the motion is not steady and eigenvalues say little
    """

    name: str
    parameter: str
    values: NDArray[np.float64]
    eigenvalues: ComplexArray
    neutral: int
    crossings: tuple[Crossing, ...]
    snaps: tuple[Snap, ...] = ()
    unsteady: tuple[float, ...] = ()

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether no branch grows (N)."""
        return np.all(growths(self.eigenvalues) <= 0.0, axis=1)

    @property
    def ranges(self) -> list[tuple[float, float]]:
        """Intervals of the parameter in which no mode grows."""
        edges = np.array([self.values[0], *(crossing.value for crossing in self.crossings), self.values[-1]])
        found: list[tuple[float, float]] = []
        for low, high in pairwise(edges):
            inside = (self.values >= low) & (self.values <= high)
            # the ends of an interval lie on the axis
            inner = inside & ~np.isin(self.values, edges[1:-1])
            if np.any(inner) and np.all(self.stable[inner]):
                joined = bool(found) and found[-1][1] == low
                found[-1:] = [(found[-1][0], float(high))] if joined else [*found[-1:], (float(low), float(high))]
        return found

    @property
    def title(self) -> str:
        return f"root locus of {self.name} over {self.parameter} from {self.values[0]:g} to {self.values[-1]:g}"

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __str__(self) -> str:
        spans = [f"{low:.10g} to {high:.10g}" for low, high in self.ranges]
        lines = [self.title, f"  no mode grows  {', '.join(spans) or 'nowhere'}"]
        lines += [f"  crossing       {crossing}" for crossing in self.crossings]
        lines += [f"  {snap}" for snap in self.snaps]
        lines += [f"  {self.neutral} eigenvalues stay zero"] if self.neutral else []
        if self.unsteady:
            values = ", ".join(f"{value:g}" for value in self.unsteady)
            lines.append(
                f"  not steady in these states, so at {self.parameter} = {values}: eigenvalues hold for a moment"
            )
        return "\n".join(lines)

    def table(self) -> list[list[str]]:
        """Rows of texts below a row of heads: the parameter and all branches."""
        heads = [self.parameter, *(f"eigenvalue {i + 1}" for i in range(self.eigenvalues.shape[1]))]
        rows = zip(self.values, self.eigenvalues, strict=True)
        return [heads, *([f"{value:g}", *(f"{x:.6g}" for x in roots)] for value, roots in rows)]

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write all numbers as comma-separated values."""
        count = self.eigenvalues.shape[1]
        heads = [self.parameter, *(f"{part} {i + 1} [1/s]" for i in range(count) for part in ("re", "im"))]
        rows = zip(self.values, self.eigenvalues, strict=True)
        numbers = ([float(value), *(float(x) for w in roots for x in (w.real, w.imag))] for value, roots in rows)
        return write_rows(path, [heads, *numbers], overwrite=overwrite)

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw the branches over the parameter and in the complex plane; returns the matplotlib Figure."""
        return drawn("vibrations.plot_locus", self, path=path, show=show, overwrite=overwrite)
