"""A path of positions of rest under a load μ, followed by its length: it may turn back in μ, and branch.

Forces r(a, μ) in admissible directions a vanish along the path. With the slope J = [K, −∂r/∂μ] (k, k + 1) its tangent is the
null vector of J, of unit length in a metric G, and points on as the last one did. A step along the tangent is put right by
Newton's method with the corrections J δ = r that are shortest in G, so that nothing is singular where K is (E. Riks, Int. J.
Solids and Structures 15, 1979; E. L. Allgower and K. Georg, Numerical Continuation Methods, chapters 3 and 8).

At a limit point the part of the tangent along μ changes its sign. At a bifurcation that of det [J; tangent] does: another
path crosses. Both are found by Brent's method on positions of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.optimize import brentq

from linkwork.arrays import Array
from linkwork.numerics.policy import POLICY

LIMIT, BIFURCATION, END = "limit point", "bifurcation", "end"
BEND = 0.25  # rad between tangents of neighbours: sharper turns are taken in shorter steps
ASTRAY = 0.5  # of a step, that a correction may be
CORRECTIONS, PATIENT = 8, 60  # of a step; next to a bifurcation they converge slowly
ASIDE = 0.05  # of a step aside, that is left of it on a path that crosses
SHORTEST = 1e-7  # of the longest step
FIRST = 0.1
GROWTH = 1.5
EASY = 3  # corrections after which the next step may be longer
SINGULAR = POLICY.soft  # of stiffnesses and forces: smaller singular values of J are none
REFINING = (1e-4, 1e-3, 1e-2, 1e-1)  # of a step, to both sides of a bifurcation
PARALLEL = 1e-6  # part of a heading along a path
TOGETHER = 1e-4  # of a step: a limit point and a bifurcation so near are one


@dataclass(frozen=True, eq=False)
class PathSlope:
    """Forces near a position: r (k), J (k, k + 1), and by (a, μ) displacements (nv, k + 1) and what measures them.

    gauge (n, k + 1): motions of all bodies, and the load in the last row
    error: the largest force beside those that act; size: of stiffnesses and forces
    """

    force: Array
    matrix: Array
    lift: Array
    gauge: Array
    error: float
    size: float

    @cached_property
    def units(self) -> Array:
        """L⁻ᵀ of the metric L Lᵀ: (a, μ) of steps of unit length."""
        metric = self.gauge.T @ self.gauge
        return np.linalg.inv(np.linalg.cholesky(metric + 1e-14 * np.trace(metric) * np.eye(len(metric)))).T

    @cached_property
    def unit(self) -> Array:
        """J by steps of unit length."""
        return np.asarray(self.matrix @ self.units)

    @property
    def singular(self) -> bool:
        """Whether the position belongs to more than one path."""
        values = np.linalg.svd(self.unit, compute_uv=False)
        return bool(len(values) and values[-1] <= SINGULAR * self.size)


class PathSystem(Protocol):
    """What is asked of a system."""

    def slope(self, x: Array, load: float) -> PathSlope: ...
    def move(self, x: Array, delta: Array, load: float) -> tuple[Array, bool]: ...


@dataclass(frozen=True, eq=False)
class PathPlace:
    """A position of a path, its load, and the tangent there: along (a, μ), and of all that is measured."""

    x: Array
    load: float
    slope: PathSlope
    tangent: Array
    ray: Array
    corrections: int
    strayed: Array  # what corrections have added to a step, as it is measured
    crossing: tuple[float, float]  # sign and logarithm of det [J; tangent]
    loose: int  # null vectors of J beside the tangent
    kind: str = ""

    @property
    def turn(self) -> float:
        """How the load changes along the path."""
        return float(self.ray[-1])


@dataclass(frozen=True)
class Walk:
    """How to go: bounds of μ, the longest step, the largest force left; whether to turn off at the first bifurcation."""

    bounds: tuple[float, float] = (-1.0, 1.0)
    longest: float = 0.05
    tolerance: float = 1e-12
    switch: bool = False


def walk(curve: PathSystem, x: Array, how: Walk) -> Iterator[PathPlace]:
    """Positions from x at μ = 0, towards greater ones, until μ leaves its bounds; special ones are of a kind.

    The last one is of the kind 'end' where a bound is reached; otherwise the path could not be followed.
    """
    slope = curve.slope(x, 0.0)
    upwards = np.eye(1, len(slope.gauge), len(slope.gauge) - 1)[0]
    here = _point(x, 0.0, slope, upwards, 0, np.zeros(len(slope.gauge)))
    yield here
    share, switch = FIRST, how.switch
    while share > SHORTEST:
        ahead = _stepped(curve, here, share * how.longest, how.tolerance)
        if ahead is None or float(ahead.ray @ here.ray) < np.cos(BEND):
            share *= 0.5
            continue
        for point in _events(curve, here, (share * how.longest, ahead), how):
            yield point
            if point.kind == END:
                return
            if switch and point.kind == BIFURCATION:
                turned = _turned(curve, point, here.ray, FIRST * how.longest, how.tolerance)
                if turned is not None:
                    switch, share, ahead = False, FIRST, turned
                    break
        yield ahead
        share = min(1.0, GROWTH * share) if ahead.corrections <= EASY else share
        here = ahead


def _turned(curve: PathSystem, point: PathPlace, heading: Array, step: float, tolerance: float) -> PathPlace | None:
    """The first position of the path that crosses at a bifurcation, next to a step at right angles to the heading."""
    slope = point.slope
    both = slope.units @ np.linalg.svd(slope.unit)[2][-2:].T
    along = (slope.gauge @ both).T @ heading
    tangent = both @ np.array([-along[1], along[0]]) / np.linalg.norm(along)
    aside = replace(point, tangent=tangent, ray=slope.gauge @ tangent)
    found = _stepped(curve, aside, step, tolerance, PATIENT, np.inf)
    if found is None or float((step * aside.ray + found.strayed) @ aside.ray) < ASIDE * step:
        return None
    return found


def _stepped(
    curve: PathSystem,
    here: PathPlace,
    step: float,
    tolerance: float,
    corrections: int = CORRECTIONS,
    astray: float = ASTRAY,
) -> PathPlace | None:
    """The position of the path next to a step along the tangent, or None where there is none near enough."""
    load = here.load + step * here.tangent[-1]
    x, closed = curve.move(here.x, step * here.slope.lift @ here.tangent, load)
    strayed = np.zeros_like(here.ray)
    for count in range(corrections if closed else 0):
        slope = curve.slope(x, load)
        if slope.error <= tolerance:
            return _point(x, load, slope, here.ray, count, strayed)
        shortest = np.linalg.lstsq(slope.unit, slope.force, rcond=1e-13)[0]
        change = slope.units @ shortest
        load, strayed = load + float(change[-1]), strayed + slope.gauge @ change
        x, closed = curve.move(x, slope.lift @ change, load)
        if not closed or float(np.linalg.norm(strayed)) > astray * abs(step):
            return None
    return None


def _point(x: Array, load: float, slope: PathSlope, heading: Array, count: int, strayed: Array) -> PathPlace:
    """A position with its tangent: of several null vectors of J the one nearest to the heading."""
    _, values, right = np.linalg.svd(slope.unit)
    rank = int(np.sum(values > SINGULAR * slope.size))
    ahead = right[rank:] @ (slope.units.T @ (slope.gauge.T @ heading))
    length = float(np.linalg.norm(ahead))
    null = right[rank:].T @ ahead / length if length > PARALLEL else right[-1]
    tangent = slope.units @ null
    sign, logarithm = np.linalg.slogdet(np.vstack([slope.unit, null]))
    crossing = float(sign), float(logarithm)
    return PathPlace(x, load, slope, tangent, slope.gauge @ tangent, count, strayed, crossing, len(right) - rank - 1)


def _events(curve: PathSystem, here: PathPlace, onwards: tuple[float, PathPlace], how: Walk) -> list[PathPlace]:
    """What lies between two positions, in order; nothing behind an end."""
    (step, ahead), (low, high), tolerance = onwards, how.bounds, how.tolerance
    tests = {
        LIMIT: lambda point: point.turn,
        # where a direction is neutral all along every determinant is zero
        BIFURCATION: (lambda point: 0.0) if here.loose and ahead.loose else _determinant(here),
        END: lambda point: (high - point.load) * (point.load - low),
    }
    found = []
    for kind, test in tests.items():
        if test(here) * test(ahead) < 0.0:
            at = _located(curve, here, (0.0, step), test, tolerance)
            point = _stepped(curve, here, at, tolerance, PATIENT)
            if point is not None:
                exact = _refined(curve, point, step, tolerance) if kind == BIFURCATION else point
                found.append((at, replace(exact, kind=kind)))
    found.sort(key=lambda item: item[0])
    both = {point.kind for _, point in found[:2]} == {LIMIT, BIFURCATION}
    if both and found[1][0] - found[0][0] < TOGETHER * step:
        # a path that turns where another one crosses it
        found = [next(item for item in found[:2] if item[1].kind == BIFURCATION), *found[2:]]
    kinds = [point.kind for _, point in found]
    last = kinds.index(END) + 1 if END in kinds else len(found)
    return [point for _, point in found[:last]]


def _determinant(unit: PathPlace) -> Callable[[PathPlace], float]:
    """det [J; tangent] in units of that of one point."""
    return lambda point: point.crossing[0] * float(np.exp(point.crossing[1] - unit.crossing[1]))


def _refined(curve: PathSystem, point: PathPlace, step: float, tolerance: float) -> PathPlace:
    """A bifurcation once more, along the tangent of the path on which it was found.

    Next to it a position on the path that crosses is as good for the corrections as one on the path that was followed.
    """
    test, ends = _determinant(point), (0.0, 0.0)
    for share in () if point.slope.singular else REFINING:
        ends = -share * step, share * step
        behind, ahead = (_stepped(curve, point, end, tolerance, PATIENT) for end in ends)
        if behind is not None and ahead is not None and test(behind) * test(ahead) < 0.0:
            exact = _stepped(curve, point, _located(curve, point, ends, test, tolerance), tolerance, PATIENT)
            return exact if exact is not None else point
    return point


def _located(
    curve: PathSystem, here: PathPlace, ends: tuple[float, float], test: Callable[[PathPlace], float], tolerance: float
) -> float:
    """The length along the tangent at which a test changes its sign."""

    def value(at: float) -> float:
        point = here if at == 0.0 else _stepped(curve, here, at, tolerance, PATIENT)
        return test(point) if point is not None else 0.0

    return float(brentq(value, *ends, xtol=1e-14 * max(ends[1], 1e-3), rtol=1e-14))
