"""How near bodies come to each other in a motion, as a user reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.files import write_rows
from linkwork.results.result import Result
from linkwork.results.writing import aligned
from linkwork.shown import drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Place = tuple[float, ...]


@dataclass(frozen=True)
class Encounter:
    """A time in which two bodies are nearer than they may be: from start to end, s.

    least: the smallest distance in it, m, negative where they overlap; at: when that is; place (d): where, world axes
    """

    start: float
    end: float
    least: float
    at: float
    place: Place


@dataclass(frozen=True, eq=False)
class PairClearance:
    """The distance of two bodies: at the samples (N), and its least value with the time and the nearest places of both.

    contacts: when they are nearer than they may be
    """

    bodies: tuple[str, str]
    distances: Array = field(repr=False)
    least: float
    at: float
    places: tuple[Place, Place]
    contacts: tuple[Encounter, ...]

    @property
    def name(self) -> str:
        return " - ".join(self.bodies)


@dataclass(frozen=True, eq=False, repr=False)
class Interference:
    """Clearances of pairs of bodies over a motion, the smallest first; prints as a table.

    clearance: the distance that they must keep, m; time (N), s
    """

    name: str
    clearance: float
    time: Array
    pairs: tuple[PairClearance, ...]
    result: Result

    @property
    def clear(self) -> bool:
        """Whether all pairs keep the clearance."""
        return not any(pair.contacts for pair in self.pairs)

    @property
    def least(self) -> PairClearance:
        """The pair that comes nearest."""
        return self.pairs[0]

    def __getitem__(self, bodies: tuple[str, str]) -> PairClearance:
        known = {frozenset(pair.bodies): pair for pair in self.pairs}
        if frozenset(bodies) not in known:
            names = [pair.name for pair in self.pairs]
            raise UnknownNameError(
                f"there is no pair '{' - '.join(bodies)}'; {did_you_mean(' - '.join(bodies), names)}"
            )
        return known[frozenset(bodies)]

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"<interference in {self.name}: {len(self)} pairs, least clearance {self.least.least:.6g} m>"

    def table(self) -> list[tuple[str, ...]]:
        """Rows of texts below a row of heads: the pairs, their least distances, when and where, and how often too near."""
        heads = ("bodies", "least, m", "at t, s", "between", "and", "too near")
        size = max((abs(x) for pair in self.pairs for place in pair.places for x in place), default=0.0)
        rows = [
            (
                pair.name,
                f"{pair.least:.6g}",
                f"{pair.at:.6g}",
                *(_text(place, size) for place in pair.places),
                ", ".join(f"{contact.start:.6g} to {contact.end:.6g} s" for contact in pair.contacts) or "never",
            )
            for pair in self.pairs
        ]
        return [heads, *rows]

    def __str__(self) -> str:
        bad, wanted = sum(bool(pair.contacts) for pair in self.pairs), f"{self.clearance:g} m apart"
        stay = f"stay {wanted if self.clearance else 'apart'}"
        verdict = f"{bad} of {len(self)} pairs of bodies do not {stay}" if bad else f"all pairs of bodies {stay}"
        return "\n".join([f"{self.name}: {verdict}", *aligned(self.table())])

    def save(self, path: str | Path, *, overwrite: bool | None = None) -> Path:
        """Write the distances over time as comma-separated values."""
        heads = [self.result.variable.label, *(f"{pair.name} [m]" for pair in self.pairs)]
        rows = np.column_stack([self.time, *(pair.distances for pair in self.pairs)]).tolist()
        return write_rows(path, [heads, *rows], overwrite=overwrite)

    def plot(self, path: str | Path | None = None, *, show: bool = False, overwrite: bool | None = None) -> Figure:
        """Draw the distances over time, and the mechanism where two bodies are nearest; returns the matplotlib Figure."""
        return drawn("room.plot_interference", self, path=path, show=show, overwrite=overwrite)


def _text(place: Place, size: float) -> str:
    """Coordinates, of which those that are rounding errors beside the *size* of all are zero."""
    return f"({', '.join(f'{x if abs(x) > 1e-6 * size else 0.0:.5g}' for x in place)})"
