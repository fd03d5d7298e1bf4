"""Where a body is at any time of a result: its poses at the samples, and between them polynomials of degree five.

They have the places, velocities and accelerations of the samples at both ends, so that between samples the error shrinks
with the sixth power of their distance. In space the quaternion e of a body is such a polynomial before it is made a unit
one again, with

    ė = ½ ω e,   ë = ½ α e + ½ ω ė     (ω, α in world axes, as quaternions without a scalar part).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.geometry.distances import PoseSamples
from linkwork.results.result import Result

_PLANE = [["x", "y", "angle"], ["vx", "vy", "speed"], ["ax", "ay", "acceleration"]]
_SPACE = [
    *([f"{kind}{axis}" for axis in "xyz"] for kind in ("", "v", "a")),
    [f"q{i}" for i in range(4)],
    *([f"{kind}{axis}" for axis in "xyz"] for kind in ("w", "alpha")),
]


@dataclass(frozen=True, eq=False)
class BodyCourse:
    """Samples (N, k) of the numbers that place a body, with their first and second rates: centre of mass and turn.

    com (d): the centre of mass in the axes of the body
    """

    time: Array
    values: Array
    rates: Array
    seconds: Array
    com: Array

    def samples(self) -> PoseSamples:
        """Poses at the times of the result."""
        return self._poses(self.values)

    def at(self, times: Array) -> PoseSamples:
        """Poses at any times between the first and the last."""
        if len(self.time) < 2:
            return self._poses(np.repeat(self.values, len(times), axis=0))
        return self._poses(between(self.time, (self.values, self.rates, self.seconds), times))

    def _poses(self, values: Array) -> PoseSamples:
        d = len(self.com)
        axes = plane_axes(values[:, 2]) if d == 2 else space_axes(values[:, 3:])
        return PoseSamples(values[:, :d] - axes @ self.com, axes)


def between(time: Array, samples: tuple[Array, Array, Array], times: Array) -> Array:
    """Values (M, k) at any times, of samples (N, k) at times (N) that grow, or fall, with their first and second rates."""
    values, rates, seconds = samples
    onwards = 1.0 if time[-1] >= time[0] else -1.0
    k = np.clip(np.searchsorted(onwards * time, onwards * times, side="right") - 1, 0, len(time) - 2)
    h = onwards * np.maximum(onwards * (time[k + 1] - time[k]), 1e-300)[:, None]
    s = (times - time[k])[:, None] / h
    x0, v0, a0 = values[k], h * rates[k], h * h * seconds[k]
    x1, v1, a1 = values[k + 1], h * rates[k + 1], h * h * seconds[k + 1]
    # what is left of the end values beyond the series from the start
    x, v, a = x1 - x0 - v0 - a0 / 2, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10 * x - 4 * v + a / 2, -15 * x + 7 * v - a, 6 * x - 3 * v + a / 2
    return np.asarray(x0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5)))))


def courses_of(result: Result, bodies: Sequence[str]) -> dict[str, BodyCourse]:
    """The courses of some bodies of a result; their quantities are evaluated together."""
    parts = _PLANE if result.drawing.space == "planar" else _SPACE
    found = result.values([f"{body}.{name}" for body in bodies for part in parts for name in part])
    columns = {body: [np.column_stack([found[f"{body}.{name}"] for name in part]) for part in parts] for body in bodies}
    return {body: _course(result, body, columns[body]) for body in bodies}


def _course(result: Result, body: str, columns: Sequence[Array]) -> BodyCourse:
    given = result.drawing.bodies[body].com
    com = np.asarray(given if given is not None else np.zeros(result.drawing.dimension))
    if len(columns) == len(_PLANE):
        return BodyCourse(result.time, columns[0], columns[1], columns[2], com)
    place, velocity, acceleration, e, omega, alpha = columns
    first = half_product(omega, e)
    second = half_product(alpha, e) + half_product(omega, first)
    x, v, a = np.hstack([place, e]), np.hstack([velocity, first]), np.hstack([acceleration, second])
    return BodyCourse(result.time, x, v, a, com)


def half_product(omega: Array, e: Array) -> Array:
    """½ ω e of quaternions (N, 4), w first."""
    scalar = -np.sum(omega * e[:, 1:], axis=1, keepdims=True)
    return 0.5 * np.hstack([scalar, omega * e[:, :1] + np.cross(omega, e[:, 1:])])


def plane_axes(angle: Array) -> Array:
    """Axes (N, 2, 2) at angles (N)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, -s], axis=1), np.stack([s, c], axis=1)], axis=1)


def space_axes(e: Array) -> Array:
    """Axes (N, 3, 3) of quaternions (N, 4), w first, of any length."""
    w, x, y, z = (e / np.linalg.norm(e, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
