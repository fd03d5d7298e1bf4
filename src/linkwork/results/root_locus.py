"""Eigenvalues of a mechanism over a parameter, as a user reads them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column, Grid
from linkwork.results.equilibrium_path import Snap
from linkwork.results.linear_system import ComplexArray

NONE, FLAT = 1e-6, 1e-9  # of the largest eigenvalue, or of 1/s: a size, and a real part, that count as none


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
class RootLocus(Answer):
    """Eigenvalues over values of a live parameter; prints as a summary.

    values (N); eigenvalues (N, n), 1/s, each column one branch, those that stay zero left out (neutral counts them)
    crossings: where branches cross the imaginary axis, found to rounding errors
    snaps: where the position of rest breaks off about which it is, and goes to another one
    unsteady: values, of the first, the middle and the last, at which the motion is not steady and eigenvalues say little
    notes: what has to be known of the model, and of forces that bend or jump just there
    unit: of the parameter, '' where the model gives it as a bare number
    """

    view = "vibrations.plot_locus"

    name: str
    parameter: str
    values: NDArray[np.float64]
    eigenvalues: ComplexArray
    neutral: int
    crossings: tuple[Crossing, ...]
    snaps: tuple[Snap, ...] = ()
    unsteady: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    unit: str = ""

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
        span = f"{self.values[0]:g} to {self.values[-1]:g} {self.unit}".rstrip()
        return f"root locus of {self.name} over {self.parameter} from {span}"

    def report(self) -> list[str | Grid]:
        spans = [f"{low:.10g} to {high:.10g} {self.unit}".rstrip() for low, high in self.ranges]
        rows = [("no mode grows", ", ".join(spans) or "nowhere")]
        rows += [("crossing", f"{crossing} {self.unit}".rstrip()) for crossing in self.crossings]
        lines: list[str | Grid] = [Grid(rows), *map(str, self.snaps)]
        lines += [f"{self.neutral} eigenvalues stay zero"] if self.neutral else []
        if self.unsteady:
            values = ", ".join(f"{value:g}" for value in self.unsteady)
            lines.append(
                f"not steady in these states, so at {self.parameter} = {values}: eigenvalues hold for a moment"
            )
        return lines

    def columns(self) -> list[Column]:
        """The parameter and all branches."""
        branches = enumerate(self.eigenvalues.T, start=1)
        pairs = ((Column(f"re {i}", w.real, "1/s"), Column(f"im {i}", w.imag, "1/s")) for i, w in branches)
        return [Column(self.parameter, self.values, self.unit), *(column for pair in pairs for column in pair)]
