"""How near bodies come to each other in a motion, as a user reads it."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.answer import Answer, Column, Grid
from linkwork.arrays import Array
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.result import Result

Spot = tuple[float, ...]


@dataclass(frozen=True)
class Encounter:
    """A time in which two bodies are nearer than they may be: from start to end, s.

    least: the smallest distance in it, m, negative where they overlap; at: when that is; place (d): where, world axes
    """

    start: float
    end: float
    least: float
    at: float
    place: Spot


@dataclass(frozen=True, eq=False)
class PairClearance:
    """The distance of two bodies: at the samples (N), and its least value with the time and the nearest places of both.

    contacts: when they are nearer than they may be
    """

    bodies: tuple[str, str]
    distances: Array = field(repr=False)
    least: float
    at: float
    places: tuple[Spot, Spot]
    contacts: tuple[Encounter, ...]

    @property
    def name(self) -> str:
        return " - ".join(self.bodies)


@dataclass(frozen=True, eq=False, repr=False)
class Interference(Answer):
    """Clearances of pairs of bodies over a motion, the smallest first; prints as a table.

    clearance: the distance that they must keep, m; time (N), s
    """

    view = "room.plot_interference"

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

    @property
    def title(self) -> str:
        bad, wanted = sum(bool(pair.contacts) for pair in self.pairs), f"{self.clearance:g} m apart"
        stay = f"stay {wanted if self.clearance else 'apart'}"
        verdict = f"{bad} of {len(self)} pairs of bodies do not {stay}" if bad else f"all pairs of bodies {stay}"
        return f"{self.name}: {verdict}"

    def report(self) -> list[Grid]:
        """The pairs, their least distances, when and where, and how often too near."""
        over = self.result.variable
        heads = ("bodies", "least, m", over.at, "too near", "nearest places, m")
        size = max((abs(x) for pair in self.pairs for place in pair.places for x in place), default=0.0)
        rows = [
            (
                pair.name,
                f"{pair.least if abs(pair.least) > 1e-12 * size else 0.0:.5g}",
                f"{pair.at:.4g}",
                ", ".join(f"{contact.start:.6g} to {contact.end:.6g} {over.unit}" for contact in pair.contacts)
                or "never",
                " and\n".join(_text(place, size) for place in pair.places),
            )
            for pair in self.pairs
        ]
        return [Grid(rows, heads)]

    def columns(self) -> list[Column]:
        """The distances of all pairs over time."""
        over = self.result.variable
        distances = (Column(pair.name, pair.distances, "m") for pair in self.pairs)
        return [over.column(self.time), *distances]


def _text(place: Spot, size: float) -> str:
    """Coordinates, of which those that are rounding errors beside the *size* of all are zero."""
    return f"({', '.join(f'{x if abs(x) > 1e-6 * size else 0.0:.5g}' for x in place)})"
