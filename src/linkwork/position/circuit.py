"""A motion followed all the way: until it comes back to where it began, or for good leaves; and where it turns back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from linkwork.arrays import Array
from linkwork.position.poses import PoseConditions, Poses, wrap
from linkwork.position.tracing import Point, PoseCurve, TracedStep

HOME = 1e-7  # distance (of the size of the mechanism, rad) at which a position counts as reached again
FAR = 1e5  # sizes of the mechanism after which a motion counts as unbounded
LONGEST = 2000  # steps, unless more are asked for


class Continuation(Enum):
    """How a motion goes on; the value says it in words."""

    CLOSED = "a closed circuit"
    UNBOUNDED = "unbounded"
    ENDLESS = (
        "no return found in as many steps as were asked for; ranges are those seen so far, more steps may widen them"
    )
    ENDED = "it cannot be followed any further: the degree of freedom is only infinitesimal there"


@dataclass(frozen=True, eq=False)
class Trace:
    """The steps of a motion and how it went on."""

    steps: tuple[TracedStep, ...]
    course: Continuation

    @property
    def last(self) -> Point:
        return self.steps[-1].end


def trace(curve: PoseCurve, base: Point, longest: int = LONGEST) -> Trace:
    """Follow the curve from a point until it returns there, leaves for good, or has gone on for so many steps."""
    home = _Home(curve, base)
    steps: list[TracedStep] = []
    for step in curve.steps(base):
        last = home.reached(step)
        if last is not None:
            return Trace((*steps, last), Continuation.CLOSED)
        steps.append(step)
        if curve.travel(step.end) > FAR:
            return Trace(tuple(steps), Continuation.UNBOUNDED)
        if len(steps) >= longest:
            return Trace(tuple(steps), Continuation.ENDLESS)
    return Trace(tuple(steps), Continuation.ENDED)


def turning_point(curve: PoseCurve, step: TracedStep, reading: int) -> Point:
    """The point in a step where the rate of a reading vanishes; the rates at its ends have opposite signs.

    Regula falsi with halved weights (M. Dowell, P. Jarratt, *A modified regula falsi method*, BIT 11 (1971) 168-174) on
    the distance along the tangent. Every trial is a point on the curve, so that the error of the reading there is of
    second order.
    """
    low, high = 0.0, step.length
    at_low, at_high = (float(point.rates[reading]) for point in (step.start, step.end))
    best, side = step.start if abs(at_low) < abs(at_high) else step.end, 0
    for _ in range(60):
        middle = low + (high - low) * at_low / (at_low - at_high)
        point = curve.advance(step.start, middle) if low < middle < high else None
        if point is None:
            break
        best, rate = point, float(point.rates[reading])
        if rate == 0.0 or high - low < 1e-15 * step.length:
            break
        if (rate > 0) == (at_low > 0):
            at_high = at_high / 2 if side == 1 else at_high
            low, at_low, side = middle, rate, 1
        else:
            at_low = at_low / 2 if side == -1 else at_low
            high, at_high, side = middle, rate, -1
    return best


class _Home:
    """Tells when a walk is back where it began: all bodies in their poses, but for motions that no joint shows.

    Unknowns of relations, such as the place of a touching point on its curve, do not count: they follow from the poses.
    Where every body takes part in such a motion, as a rod alone that spins, the coordinates of the joints tell.
    """

    def __init__(self, curve: PoseCurve, base: Point) -> None:
        self.curve, self.base = curve, base
        moving = curve.moving(base.kernel, base.reading_rows)
        idle = (base.kernel - (base.kernel @ moving.T) @ moving)[:, : curve.conditions.moving]
        k = curve.conditions.space.freedoms
        spins = np.abs(idle).reshape(len(idle), -1, k).max(axis=(0, 2))
        self._shown = np.repeat(spins < 1e-6, k)

    def reached(self, step: TracedStep) -> TracedStep | None:
        """The step shortened so that it ends at home, if home lies on it."""
        length, distance = self._ahead(step.start)
        if not (length > HOME and distance < 3 * step.length and self._ahead(step.end)[0] <= HOME):
            return None
        end = step.end
        for _ in range(20):
            trial = self.curve.advance(step.start, length)
            if trial is None:
                return None
            end, (rest, distance) = trial, self._ahead(trial)
            if abs(rest) < 1e-13:
                break
            length += rest
        forward = float(self._seen(end)[1] @ self._seen(self.base)[1]) > 0
        same = forward and distance < HOME and self._same_readings(end)
        return TracedStep(step.start, end, length, step.branch) if same else None

    def _ahead(self, point: Point) -> tuple[float, float]:
        """How far ahead along the tangent home lies, and how far away it is."""
        gap, tangent = self._seen(point)
        return float(gap @ tangent / (tangent @ tangent)), float(np.linalg.norm(gap))

    def _seen(self, point: Point) -> tuple[Array, Array]:
        """The way home and the tangent, of unit length, as far as they are seen."""
        if np.any(self._shown):
            gap = difference(self.curve.conditions, point.poses, self.base.poses)
            return self._shown * gap, self._shown * point.tangent[: self.curve.conditions.moving]
        rates = (point.rates / self.curve.scale)[self.curve.of_joints]
        size = float(np.linalg.norm(rates))
        return self._readings_home(point) / size, rates / size

    def _readings_home(self, point: Point) -> Array:
        """What the coordinates of the joints lack, over the size of the mechanism or rad."""
        change = (self.base.values - point.values)[self.curve.of_joints]
        wraps = np.array([reading.wraps for reading in self.curve.readings])[self.curve.of_joints]
        return np.where(wraps, wrap(change), change / self.curve.scale[self.curve.of_joints])

    def _same_readings(self, end: Point) -> bool:
        """Bodies whose poses do not count may still not have moved against each other."""
        return bool(np.all(np.abs(self._readings_home(end)) < HOME))


def difference(conditions: PoseConditions, start: Poses, end: Poses) -> Array:
    """The displacement δ (moving) of the bodies from some poses to others, by the shorter rotation."""
    parts: list[Array] = []
    for name in conditions.bodies:
        a, b = start[name], end[name]
        parts.append((b.origin - a.origin) / conditions.length)
        if a.angle is not None and b.angle is not None:
            parts.append(np.atleast_1d(wrap(b.angle - a.angle)))
            continue
        turn = b.axes @ a.axes.T
        axis = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        sine, cosine = float(np.linalg.norm(axis)), float(np.trace(turn) - 1) / 2
        parts.append(axis * (np.arctan2(sine, cosine) / sine) if sine > 1e-9 else axis + np.pi * (cosine < 0))
    return np.concatenate(parts)
