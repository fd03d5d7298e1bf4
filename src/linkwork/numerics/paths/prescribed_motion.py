"""A prescribed motion between its samples: positions, conditions and what tells them apart at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.paths.displacement import Displacements, PrescribedSystem, complete, follow

POINTS = 6  # on either side
SAME = 1e-6  # difference of positions and speeds that are the same
REACH = 1.5  # spacings within which a pivot that falls on would vanish


@dataclass(frozen=True, eq=False)
class SmoothPassage:
    """A singular position that the motion goes through: t*, the spacing s, times (2P) of the points, and what holds there.

    rows (2P, n + 2 nv): y, v̇ and v̈
    """

    time: float
    spacing: float
    points: Array
    rows: Array

    def at(self, times: Array) -> Array:
        """The polynomial at some times: rows (N, n + 2 nv)."""
        return lagrange(self.points, times) @ self.rows


@dataclass(frozen=True, eq=False)
class PrescribedMotion:
    """The conditions of a motion at all times, also between its samples (N) and shortly beyond them."""

    system: PrescribedSystem
    times: Array
    along: Array | None

    @property
    def sizes(self) -> tuple[int, int, int]:
        """nq, nv and n."""
        nq, nv, ns, _ = self.system.sizes
        return nq, nv, nq + nv + ns

    def parameters(self, times: Array) -> Array | None:
        """The parameters (N, np) at any times; beyond the ends those of the first and last interval."""
        if self.along is None:
            return None
        return self.along[np.clip(np.searchsorted(self.times, times), min(1, len(self.times) - 1), len(self.times) - 1)]

    def walk(self, times: Array, y: Array) -> tuple[Array, Array]:
        """Rows and pivots at growing times, of which y is the state at the first one; as many as can be reached."""
        found = follow(self.system, times, y, method="newton", prediction=2, along=self.parameters(times))
        return self.measured(times, joined(found))

    def closed(self, times: Array, y: Array) -> tuple[Array, Array]:
        """Rows and pivots at positions near y (N, n), as many as can be closed from the first on."""
        found = complete(self.system, times, y, self.parameters(times), improve=True)
        return self.measured(times, joined(found))

    def measured(self, times: Array, rows: Array) -> tuple[Array, Array]:
        """Rows, and the smallest singular values of C there, which change steadily."""
        t = times[: len(rows)]
        if not len(t):
            return rows, np.empty(0)
        values: Array = np.linalg.svd(self.slopes(t, rows), compute_uv=False).astype(np.float64)
        return rows, values[:, self.system.rank - 1]

    def slopes(self, times: Array, rows: Array) -> Array:
        """C (N, m, nv), every row over its greatest length."""
        found = self.system.rows(times, rows[:, : self.sizes[2]], self.parameters(times))
        return np.asarray(found / np.maximum(self.system.lengths, 1e-300)[:, None])

    def speeds(self, rows: Array) -> Array:
        """v (..., nv) in sizes of coordinates."""
        nq, nv, _ = self.sizes
        return rows[..., nq : nq + nv] / self.system.scale

    def same(self, one: Array, other: Array) -> bool:
        """Whether two rows are those of one motion."""
        nq = self.sizes[0]
        places = np.abs(one[:nq] - other[:nq]) <= SAME * np.maximum(1.0, np.abs(other[:nq]))
        first, second = self.speeds(one), self.speeds(other)
        return bool(
            places.all() and np.all(np.abs(first - second) <= SAME * (1e-9 + np.abs(second).max(initial=0.0)) * 10)
        )

    def hurry(self, row: Array) -> float:
        """1/time: how fast a motion goes its way, by its speeds, accelerations and jerks."""
        n, nv = self.sizes[2], self.sizes[1]
        levels = (self.speeds(row), row[n : n + nv] / self.system.scale, row[n + nv :] / self.system.scale)
        return float(sum(np.abs(level).max(initial=0.0) ** (1 / (i + 1)) for i, level in enumerate(levels)))

    def turned_over(self, times: Array, rows: Array) -> bool:
        """Whether det of the conditions has changed its sign between two positions: a step over a singular position, or onto
        another branch."""
        one, other = self.slopes(times, rows)
        return bool(np.linalg.slogdet(one.T @ other)[0] < 0)

    def apart(self, rows: Array, others: Array) -> float:
        """Difference of speeds, over their size."""
        one, other = self.speeds(rows), self.speeds(others)
        return float(np.abs(one - other).max() / max(np.abs(one).max(), 1e-300))


def joined(found: Displacements) -> Array:
    """Rows (N, n + 2 nv) of y, v̇ and v̈."""
    return np.asarray(np.hstack([found.y, found.vdot, found.jerk]))


def lagrange(points: Array, times: Array) -> Array:
    """(N, k) weights of the values at k points in the polynomial through them, at N times."""
    gaps = points[:, None] - points[None, :]
    np.fill_diagonal(gaps, 1.0)
    weights: Array = np.empty((len(times), len(points)))
    for j in range(len(points)):
        others = np.delete(points, j)
        weights[:, j] = np.prod(times[:, None] - others, axis=1) / np.prod(gaps[j])
    return weights


def points_around(centre: float, spacing: float) -> Array:
    """The times of the points."""
    return np.float64(centre) + np.asarray(np.arange(2 * POINTS) - POINTS + 0.5) * spacing


def dips(t: Array, p: Array, tiny: float, whole: bool = True) -> NDArray[np.bool_]:
    """At which of N ≥ 2 times a pivot is smallest and may vanish near by; *whole*: whether the first may be one."""
    dt, change = np.diff(t), np.diff(p)
    lower = np.append(whole, change < 0) & np.append(change >= 0, True)
    fall, rise = np.append(0.0, -change / dt), np.append(change / dt, 0.0)
    ahead, back = np.append(dt, dt[-1]), np.append(dt[0], dt)
    vanishes = (p <= REACH * ahead * fall) | (p <= REACH * back * rise) | (p < tiny)
    # what rises from the next position
    vanishes[:-1] |= p[1:] <= REACH * dt * rise[1:]
    return np.asarray(lower & vanishes)
