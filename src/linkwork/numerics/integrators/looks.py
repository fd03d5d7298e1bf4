"""Zeros of event functions along the dense output of another program, step by step.

What ``kernels/stepping/crossings.py`` does for the integrators of Linkwork: signs are compared at both ends of a step. A
function that is not farther from zero than it moves in a step is looked at in a few places inside too, and around the lowest
of these by golden sections, for it may cross zero there and back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.kernels.stepping.dips import REACH
from linkwork.numerics.kernels.stepping.status import HELD, LOOKS

SECTIONS = 40  # of the place of a lowest value
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
PLACES = 0.5 - 0.5 * np.cos(np.pi * np.arange(LOOKS + 2) / (LOOKS + 1))  # extrema of a Chebyshev polynomial

Height = Callable[[float], float]
Knot = tuple[float, float]  # a time, and the value there


class Looks:
    """Looks at the event functions of one run; *directions* and *rounding* are those of all functions."""

    def __init__(self, directions: Array, rounding: Array) -> None:
        self._directions, self._rounding = directions, rounding
        self._rates = np.full(directions.shape, np.inf)  # in the last step

    def zeros(self, g: Callable[[float], Array], start: float, end: float) -> list[tuple[float, int]]:
        """Times just behind zeros of functions g(t) within a step, and their numbers, in order.

        Of functions that are held only the first way down is told.
        """
        first, last = g(start), g(end)
        signs = np.where(self._directions > HELD, np.where(first < 0.0, -1.0, 1.0), 1.0)
        moved = np.maximum(self._rates * (end - start), np.abs(last - first))
        self._rates = np.abs(last - first) / (end - start)
        near = ~(np.minimum(signs * first, signs * last) > REACH * moved)
        inside = near & (self._directions != HELD)
        places = start + (end - start) * (PLACES if inside.any() else PLACES[[0, -1]])
        values = np.array([first, *[g(float(t)) for t in places[1:-1]], last])
        found: list[tuple[float, int]] = []
        for e in np.flatnonzero(near):
            knots = [(float(t), float(value)) for t, value in zip(places, values[:, e], strict=True)]

            def height(t: float, e: int = int(e)) -> float:
                return float(g(t)[e])

            knots = _with_dips(height, knots) if inside[e] else [knots[0], knots[-1]]
            found += [(t, int(e)) for t in self._crossings(height, knots, int(e))]
        return sorted(found)

    def _crossings(self, height: Height, knots: list[Knot], e: int) -> list[float]:
        direction, noise = self._directions[e], float(self._rounding[e])
        if direction <= HELD:
            for (a, before), (b, behind) in pairwise(knots):
                if before > 0.0 and behind < -noise:
                    return [_change(height, a, b, 1.0)]
            return []
        # zeros at the start were counted before
        known = [knot for i, knot in enumerate(knots) if knot[1] != 0.0 or i == len(knots) - 1]
        changed = [pair for pair in pairwise(known) if pair[0][1] * pair[1][1] <= 0.0 and pair[0][1] != 0.0]
        return [
            _change(height, a, b, math.copysign(1.0, before))
            for (a, before), (b, _) in changed
            if direction * before <= 0.0
        ]


def _with_dips(height: Height, knots: list[Knot]) -> list[Knot]:
    """Knots, and between them those at which a function has another sign than at both neighbours."""
    found = list(knots)
    for i, (_, value) in enumerate(knots):
        low, high = max(i - 1, 0), min(i + 1, len(knots) - 1)
        sign = math.copysign(1.0, value)
        if all(0.0 < sign * value <= sign * knots[j][1] for j in (low, high)):
            place = _lowest(height, sign, knots[low][0], knots[high][0])
            depth = height(place)
            if sign * depth < 0.0:
                found.append((place, depth))
    return sorted(found)


def _lowest(height: Height, sign: float, a: float, b: float) -> float:
    """Where a function times a sign, with one lowest place between a and b, is lowest, or negative: golden sections."""
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    at_c, at_d = sign * height(c), sign * height(d)
    for _ in range(SECTIONS):
        if min(at_c, at_d) < 0.0:
            break
        if at_c < at_d:
            b, d, at_d = d, c, at_c
            c = b - GOLDEN * (b - a)
            at_c = sign * height(c)
        else:
            a, c, at_c = c, d, at_d
            d = a + GOLDEN * (b - a)
            at_d = sign * height(d)
    return c if at_c < at_d else d


def _change(height: Height, a: float, b: float, sign: float) -> float:
    """Just behind the place at which a function that has a sign at a, and not at b, changes it."""
    while True:
        middle = 0.5 * (a + b)
        if not a < middle < b:
            return b
        a, b = (middle, b) if sign * height(middle) > 0.0 else (a, middle)
