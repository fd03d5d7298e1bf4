"""The rods that stand for a wheel on a track at an instant, as a user reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.topology import Topology


@dataclass(frozen=True, eq=False)
class InstantRod:
    """A point of the wheel and its centre of curvature, both in the world; none where its path is straight."""

    point: str
    place: Array
    centre: Array | None

    @property
    def length(self) -> float:
        """Infinite where the path is straight."""
        return np.inf if self.centre is None else float(np.linalg.norm(self.centre - self.place))

    def __str__(self) -> str:
        if self.centre is None:
            return f"{self.point}: straight on"
        return f"{self.point}: rod of {self.length:.6g} m from {_where(self.centre, self.length)}"


@dataclass(frozen=True, eq=False, repr=False)
class EquivalentLinkage(Answer):
    """What holds a wheel at this instant: the contact (world), and rods whose far ends are fixed in the track's body."""

    view = "paths.plot_linkage"

    topology: Topology
    relation: str
    track: str
    contact: Array
    rods: tuple[InstantRod, ...]

    @property
    def title(self) -> str:
        size = float(np.max(np.abs(self.contact)))
        return f"{self.relation}: contact at {_where(self.contact, size)}; rods fixed in {self.track}"

    def report(self) -> list[str]:
        """The rods."""
        return [str(rod) for rod in self.rods]

    def columns(self) -> list[Column]:
        """The rods: where they end, and their lengths; a straight path has no centre."""
        places = np.array([rod.place for rod in self.rods])
        centres = np.array([np.full(2, np.nan) if rod.centre is None else rod.centre for rod in self.rods])
        ends = (("place", places), ("centre", centres))
        axes = (Column(f"{end} {axis}", values[:, i], "m") for end, values in ends for i, axis in enumerate("xy"))
        lengths = Column("length", [rod.length for rod in self.rods], "m")
        return [Column("point", [rod.point for rod in self.rods]), *axes, lengths]


def _where(place: Array, size: float) -> str:
    """Coordinates, of which those that are rounding errors beside a *size* are zero."""
    return f"[{', '.join(f'{x if abs(x) > 1e-9 * size else 0.0:.6g}' for x in place)}] m"
