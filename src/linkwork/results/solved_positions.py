"""The positions of a mechanism for many targets: what a user reads of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import degrees

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.results.quantities import Called, named
from linkwork.results.timing import duration

LISTED = 8  # coordinates in print


@dataclass(frozen=True, eq=False, repr=False)
class SolvedPositions(Answer):
    """Coordinates of joints and places of points for many targets; prints as a summary.

    targets: what was asked for, by name; reached (N): whether a sample was solved
    elsewhere (N): whether one that was not reached has a solution, but in another branch or beyond a singular position
    values (N each): by name (``q1.angle``, ``P.x``), rad and m, also by ``found["P.x"]``; nan where it was not reached
    attitudes: of every body, what gives its attitude when it is asked for, ``found["hand.yaw"]``: in space roll, pitch, yaw
    and the quaternion q0 to q3, in the plane its angle
    doubts: what was asked for and may be meant otherwise
    wall_time: s; starting: of the number of a sample, the model that starts there; points: of every body
    """

    view = "plots.plot_columns"

    name: str
    targets: Mapping[str, Array]
    reached: NDArray[np.bool_]
    elsewhere: NDArray[np.bool_]
    values: Mapping[str, Array]
    units: Mapping[str, str]
    wall_time: float
    starting: Callable[[int], Model]
    called: Called = field(default_factory=Called)
    attitudes: Mapping[str, Callable[[], Mapping[str, Array]]] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()

    def model(self, sample: int) -> Model:
        """The model that starts in the position of a sample, counted from 0; for any verb, or to be saved."""
        if not -len(self) <= sample < len(self) or not self.reached[sample]:
            raise RefusedError(f"sample {sample} of {len(self)} was not reached, or is not there; see reached")
        return self.starting(sample % len(self))

    def __len__(self) -> int:
        return len(self.reached)

    def __getitem__(self, name: str) -> Array:
        known = self.called.known(name, self.values)
        body, _, turn = known.rpartition(".")
        if known not in self.values and body in self.attitudes:
            return named(turn, self.attitudes[body](), Called(), f"positions have of the body {body}")
        return named(name, self.values, self.called, "positions have")

    @property
    def title(self) -> str:
        count, out = len(self), int(np.sum(~self.reached))
        what = ", ".join(self.targets)
        told = "all of them reached" if out == 0 else f"{count - out} reached, {out} out of reach (nan)"
        return f"{self.name}: {count} targets of {what}: {told}"

    @property
    def notes(self) -> tuple[str, ...]:
        count = int(np.sum(self.elsewhere))
        if not count:
            return self.doubts
        have = "has a position" if count == 1 else "have positions"
        return (
            *self.doubts,
            f"{count} of the targets out of reach {have} in another branch, or beyond a "
            "singular position: no way leads there in the branch of the sketch (elsewhere)",
        )

    def facts(self) -> list[tuple[str, str]]:
        """Between which values the coordinates of the joints are, and how long it took."""
        rows: list[tuple[str, str]] = []
        for name, unit in self.units.items():
            known = self.values[name][self.reached]
            if name.rpartition(".")[2] not in ("x", "y", "z") and known.size and len(rows) < LISTED:
                ends = [degrees(x) if unit == "rad" else float(x) for x in (known.min(), known.max())]
                rows.append((name, f"{ends[0]:.6g} to {ends[1]:.6g} {'deg' if unit == 'rad' else unit}"))
        return [*rows, ("cost", f"{duration(self.wall_time)} of computing")]

    def columns(self) -> list[Column]:
        """A row for every sample, with columns that say whether it was reached, or lies elsewhere."""
        values = (Column(name, array, self.units.get(name, "")) for name, array in self.values.items())
        marks = Column("reached", self.reached), Column("elsewhere", self.elsewhere)
        return [Column("sample", np.arange(len(self))), *marks, *values]
