"""Motions as pages get them: where bodies are at samples, and how fast they move there.

Between two samples a page draws cubic polynomials that fit both (Hermite): smooth however coarse the samples are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.rotations import matrix_to_quaternion
from linkwork.arrays import Array
from linkwork.position.geometry import Pose
from linkwork.results.courses import half_product, plane_axes, space_axes
from linkwork.results.drawing import GROUND, Drawing
from linkwork.results.result import Result
from linkwork.views.backdrop import body_poses, place

LINK, SLENDER, THIN = 0.032, 0.14, 0.008  # width of a link beside the mechanism, a usual link, at least the mechanism


@dataclass(frozen=True, eq=False)
class SampledMotion:
    """Numbers that place bodies at samples (N), by bodies: centre of mass and angle (N, 3), or and quaternion (N, 7).

    rates: of these numbers over the variable of the samples
    """

    drawing: Drawing
    time: Array
    values: Mapping[str, Array]
    rates: Mapping[str, Array]

    @property
    def poses(self) -> dict[str, Array]:
        """Those of the frames of the bodies, likewise."""
        return {name: self._pose(name) for name in self.drawing.bodies}

    def _pose(self, body: str) -> Array:
        d, values = self.drawing.dimension, self.values[body]
        axes = self.axes(body)
        return np.hstack([values[:, :d] - axes @ centre(self.drawing, body), values[:, d:]])

    def axes(self, body: str) -> Array:
        """Of a body at the samples (N, d, d)."""
        values = self.values[body]
        return plane_axes(values[:, 2]) if self.drawing.dimension == 2 else space_axes(values[:, 3:])

    @property
    def size(self) -> float:
        """Of the mechanism itself, m: the usual diagonal of the box round its bodies and ties, however far they go."""
        poses, d = self.poses, self.drawing.dimension
        places = [
            place(poses[name], point)
            for name, body in self.drawing.bodies.items()
            for point in [*body.points.values(), *(p for line in body.outlines for p in line[::8]), (0.0,) * d][:60]
        ]
        ties = [*(spring.ends for spring in self.drawing.springs), *(string.stops for string in self.drawing.strings)]
        places += [np.tile(point, (len(self.time), 1)) for tie in ties for body, point in tie if body == GROUND]
        if not places:
            return 0.0
        spread = np.ptp(np.array(places), axis=0)
        sizes = np.linalg.norm(spread, axis=1)
        return float(np.median(sizes[np.isfinite(sizes)])) if np.any(np.isfinite(sizes)) else 0.0

    def link_width(self, size: float) -> float:
        """How wide a link is drawn, m: slender beside the mechanism, and beside a usual link of it."""
        lengths = [
            float(np.max(np.linalg.norm(places[:, None] - places[None, :], axis=2)))
            for body in self.drawing.bodies.values()
            if len(places := np.array(list(body.points.values()))) > 1
        ]
        usual = SLENDER * float(np.median(lengths)) if lengths else LINK * size
        return float(np.clip(usual, THIN * size, LINK * size))


def centre(drawing: Drawing, body: str) -> Array:
    """The centre of mass of a body in its axes (d); its origin where it has none."""
    com = drawing.bodies[body].com
    return np.zeros(drawing.dimension) if com is None else np.asarray(com)


def sampled(result: Result, kept: NDArray[np.intp]) -> SampledMotion:
    """Some samples of a result; rates from its velocities, or from differences where it has none."""
    drawing, time = result.drawing, result.time[kept]
    if not (result.variable.unit and all(f"{body}.vx" in result for body in drawing.bodies)):
        values = {body: _centred(result, body) for body in drawing.bodies}
        rates = {body: slopes(result.time, x)[kept] for body, x in values.items()}
        return SampledMotion(drawing, time, {body: x[kept] for body, x in values.items()}, rates)
    d = drawing.dimension
    parts = [["x", "y", "angle"], ["vx", "vy", "speed"]] if d == 2 else [*_spatial("", "v"), *_spatial("w")]
    turned = [] if d == 2 else [f"q{i}" for i in range(4)]
    names = [name for part in (*parts, turned) for name in part]
    found = result.values([f"{body}.{name}" for body in drawing.bodies for name in names])

    def column(body: str, part: list[str]) -> Array:
        return np.column_stack([found[f"{body}.{name}"] for name in part])[kept]

    if d == 2:
        columns = {body: (column(body, parts[0]), column(body, parts[1])) for body in drawing.bodies}
    else:
        columns = {body: _in_space(*(column(body, part) for part in (*parts, turned))) for body in drawing.bodies}
    return SampledMotion(drawing, time, {b: c[0] for b, c in columns.items()}, {b: c[1] for b, c in columns.items()})


def standing_samples(drawing: Drawing, positions: list[Mapping[str, Pose]]) -> SampledMotion:
    """Positions that have nothing to do with each other, numbered from 1."""
    values = {body: np.array([_numbers(drawing, body, poses[body]) for poses in positions]) for body in drawing.bodies}
    time = np.arange(1.0, len(positions) + 1.0)
    return SampledMotion(drawing, time, values, {body: np.zeros_like(x) for body, x in values.items()})


def _numbers(drawing: Drawing, body: str, pose: Pose) -> Array:
    place = pose.point(centre(drawing, body))
    if drawing.dimension == 2:
        return np.array([*place, np.arctan2(pose.axes[1, 0], pose.axes[0, 0])])
    return np.hstack([place, np.ravel(matrix_to_quaternion(pose.axes))])


def _spatial(*kinds: str) -> list[list[str]]:
    return [[f"{kind}{axis}" for axis in "xyz"] for kind in kinds]


def _in_space(place: Array, velocity: Array, omega: Array, e: Array) -> tuple[Array, Array]:
    """Numbers and rates, with quaternions of one sign."""
    flips = np.where(np.sum(e[1:] * e[:-1], axis=1) < 0, -1.0, 1.0)
    e = e * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    return np.hstack([place, e]), np.hstack([velocity, half_product(omega, e)])


def _centred(result: Result, body: str) -> Array:
    """Poses of a body without jumps, of its centre of mass."""
    poses, d = body_poses(result, body), result.drawing.dimension
    return np.hstack([place(poses, tuple(centre(result.drawing, body))), poses[:, d:]])


def slopes(time: Array, values: Array) -> Array:
    """Rates (N, k) of samples (N, k): those of parabolas through three neighbours, of straight lines where there are two."""
    steps = np.diff(time)
    if len(steps) == 0:
        return np.zeros_like(values)
    chords = np.divide(np.diff(values, axis=0), steps[:, None], out=np.zeros_like(values[1:]), where=steps[:, None] > 0)
    if len(steps) == 1:
        return np.vstack([chords, chords])
    before, after = steps[:-1, None], steps[1:, None]
    total = np.maximum(before + after, 1e-300)
    inner = (after * chords[:-1] + before * chords[1:]) / total
    return np.vstack([2 * chords[:1] - inner[:1], inner, 2 * chords[-1:] - inner[-1:]])
