"""The path of a point: its length, tangent, curvature and torsion, and the circle that fits it best.

    t = v / |v|,   κ = |v × a| / |v|³,   n = (a − (a·t) t) / |...|,   τ = (v × a)·j / |v × a|²,   centre r + n / κ

(Frenet; in the plane κ has a sign, positive where the path bends to the left). Where the point stands still they are not
defined, nor are normal, centre and torsion where the path is straight: not a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.results.quantities import TIME
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer, motion_of

STRAIGHT = 1e-9  # curvature times the size of the path below which it has no centre and no torsion


@dataclass(frozen=True, eq=False, repr=False)
class PointPath(Answer):
    """A path sampled at N times: places, velocities and accelerations (N, d), jerks too where the result has them; prints.

    d = 2 in the plane and 3 in space; everything by its name, in world axes and SI units.
    """

    view = "paths.plot_path"

    point: str
    time: Array
    places: Array
    velocities: Array
    accelerations: Array
    jerks: Array | None = None
    result: Result | None = None

    @cached_property
    def tangent(self) -> Array:
        """Unit vectors (N, d) along the motion."""
        return _unit(self.velocities)

    @cached_property
    def normal(self) -> Array:
        """Unit vectors (N, d) towards the centre of curvature."""
        along = np.sum(self.accelerations * self.tangent, axis=1)[:, None]
        across = self.accelerations - along * self.tangent
        return np.where(self._bent[:, None], _unit(across), np.nan)

    @cached_property
    def curvature(self) -> Array:
        """κ (N), 1/m; in the plane positive where the path bends to the left."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._turning / np.linalg.norm(self.velocities, axis=1) ** 3)

    @cached_property
    def radius(self) -> Array:
        """``1 / |κ|`` (N), m; infinite where the path is straight."""
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / np.abs(self.curvature))

    @cached_property
    def centre(self) -> Array:
        """Centres of curvature (N, d), m; not a number where the path is straight."""
        return np.asarray(self.places + self.normal * self.radius[:, None])

    @cached_property
    def torsion(self) -> Array:
        """τ (N), 1/m: how the plane of the path turns; zero in the plane. It needs jerks, as solve_kinematics gives them."""
        if self._d == 2:
            return np.zeros(len(self.time))
        if self.jerks is None:
            raise RefusedError(f"the torsion of the path of {self.point} needs its jerk, which solve_kinematics gives")
        across = np.cross(self.velocities, self.accelerations)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.sum(across * self.jerks, axis=1) / np.sum(across**2, axis=1)
        return np.where(self._bent, found, np.nan)

    @cached_property
    def length(self) -> Array:
        """The way along the path (N) from its first sample, m: by Hermite's cubic of the speed between samples."""
        speed = np.linalg.norm(self.velocities, axis=1)
        rate = np.sum(self.tangent * self.accelerations, axis=1)
        rate = np.where(np.isfinite(rate), rate, 0.0)
        h = np.diff(self.time)
        parts = np.abs(h) * ((speed[1:] + speed[:-1]) / 2 - h * (rate[1:] - rate[:-1]) / 12)
        return np.concatenate([[0.0], np.cumsum(parts)])

    @property
    def closed(self) -> bool:
        """Whether it ends where it began, also by its direction."""
        gap = float(np.linalg.norm(self.places[-1] - self.places[0]))
        return gap < 1e-9 * max(self._size, 1e-300) and bool(self.tangent[0] @ self.tangent[-1] > 0.999)

    @cached_property
    def _turning(self) -> Array:
        if self._d == 2:
            v, a = self.velocities, self.accelerations
            return np.asarray(v[:, 0] * a[:, 1] - v[:, 1] * a[:, 0])
        return np.asarray(np.linalg.norm(np.cross(self.velocities, self.accelerations), axis=1))

    @cached_property
    def _bent(self) -> NDArray[np.bool_]:
        return np.abs(self.curvature) * max(self._size, 1e-300) > STRAIGHT

    @property
    def _size(self) -> float:
        return float(np.linalg.norm(np.ptp(self.places, axis=0)))

    @property
    def title(self) -> str:
        return f"path of {self.point}, {len(self.time)} samples"

    def facts(self) -> list[tuple[str, str]]:
        """What it is like."""
        with np.errstate(invalid="ignore"):
            sharp = float(np.nanmin(self.radius)) if np.any(np.isfinite(self.radius)) else np.inf
        box = " × ".join(f"{x:.6g}" for x in np.ptp(self.places, axis=0))
        rows = [("length", f"{self.length[-1]:.6g} m{', closed' if self.closed else ''}"), ("box", f"{box} m")]
        return [*rows, ("least radius", f"{sharp:.6g} m" if np.isfinite(sharp) else "straight")]

    def columns(self) -> list[Column]:
        """Places, length and curvature over time."""
        over = TIME if self.result is None else self.result.variable
        places = (Column(f"{self.point}.{axis}", self.places[:, i], "m") for i, axis in enumerate("xyz"[: self._d]))
        last = Column("length", self.length, "m"), Column("curvature", self.curvature, "1/m")
        return [over.column(self.time), *places, *last]

    @property
    def _d(self) -> int:
        return int(self.places.shape[1])


def point_path(result: Result | ResultAnswer, point: str) -> PointPath:
    """The path of a point of any result, 'P' or 'coupler.P', of a joint, or of the centre of mass of a body ('coupler')."""
    result = motion_of(result)
    axes, point = "xyz"[: result.drawing.dimension], result.drawing.named(point)
    if any(f"{point}.{axis}" not in result for axis in axes):
        known = [name.removesuffix(".vx") for name in result.names("*.vx")]
        raise UnknownNameError(f"'{point}' is no point, joint or body that moves; {did_you_mean(point, known)}")
    names = {level: [f"{point}.{level}{axis}" for axis in axes] for level in ("", "v", "a", "j")}
    if names["v"][0] not in result or names["a"][0] not in result:
        raise RefusedError(f"the result has no velocities and accelerations of {point}: a path needs them")
    asked = [level for level in names if names[level][0] in result]
    values = result.values([name for level in asked for name in names[level]])
    columns = {level: np.column_stack([values[name] for name in names[level]]) for level in asked}
    return PointPath(point, result.time, columns[""], columns["v"], columns["a"], columns.get("j"), result)


def _unit(vectors: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1)[:, None])
