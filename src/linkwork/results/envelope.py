"""The room that bodies sweep in a motion, as a user reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.numerics.geometry.polygons import signed_area
from linkwork.results.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class Envelope(Answer):
    """The region that bodies sweep; prints as a table.

    outlines: in the plane, closed lines (n, 2) to the left round it and to the right round its holes, m; area, m²
    hull (k, d): corners of the smallest convex region around it, with its hull_content, m² or m³
    low, high (d): corners of the box around it; error: how far the outline may be off, m
    """

    view = "room.plot_envelope"

    name: str
    bodies: tuple[str, ...]
    outlines: tuple[Array, ...]
    area: float | None
    hull: Array
    hull_content: float
    low: Array
    high: Array
    error: float
    result: Result

    @property
    def holes(self) -> tuple[Array, ...]:
        """The outlines of its holes."""
        return tuple(ring for ring in self.outlines if signed_area(ring) < 0.0)

    def reach(self, place: str | Sequence[float] | None = None) -> float:
        """The farthest distance of the region from a place or a point of the ground; by default from the origin, m."""
        d = len(self.low)
        if isinstance(place, str):
            known = self.result.drawing.ground
            if place not in known:
                raise UnknownNameError(f"'{place}' is no point of the ground; {did_you_mean(place, list(known))}")
            place = known[place]
        about = np.zeros(d) if place is None else np.asarray(place, dtype=float)
        if about.shape != (d,):
            raise RefusedError(f"a place has {d} coordinates")
        return float(np.max(np.linalg.norm(self.hull - about, axis=1)))

    @property
    def title(self) -> str:
        return f"{self.name}: what {', '.join(self.bodies)} sweep{'s' if len(self.bodies) == 1 else ''}"

    def facts(self) -> list[tuple[str, str]]:
        """Its sizes."""
        rows = []
        if self.area is not None:
            count = len(self.holes)
            holes = f", {count} hole{'s' * (count > 1)}" if count else ""
            rows.append(("area", f"{self.area:.6g} m^2{holes}"))
        size = float(max(np.max(np.abs(self.low)), np.max(np.abs(self.high))))
        ends = ([x if abs(x) > 1e-12 * size else 0.0 for x in pair] for pair in zip(self.low, self.high, strict=True))
        rows += [(axis, f"{a:.6g} to {b:.6g} m") for axis, (a, b) in zip("xyz", ends, strict=False)]
        rows.append(("convex hull", f"{self.hull_content:.6g} m^{len(self.low)}"))
        rows.append(("reach", f"{self.reach():.6g} m from the origin"))
        return [*rows, ("exact to", f"{self.error:.2g} m")]

    def columns(self) -> list[Column]:
        """The outlines, numbered, or in space the corners of the hull."""
        lines = self.outlines or (self.hull,)
        numbers = np.concatenate([np.full(len(line), i + 1) for i, line in enumerate(lines)])
        places = np.concatenate(lines)
        axes = (Column(axis, places[:, i], "m") for i, axis in enumerate("xyz"[: len(self.low)]))
        return [Column("line", numbers), *axes]
