"""Curves through given points, as expressions: piecewise linear, or smooth and monotone where the points are.

With knots x₀ < x₁ < …, widths hᵢ = xᵢ₊₁ − xᵢ and the part uᵢ = min(max(x − xᵢ, 0), hᵢ) of each interval that lies before
x, a curve is the sum of the increments of its pieces,

    f(x) = f₀ + Σ uᵢ (bᵢ + uᵢ (cᵢ + uᵢ dᵢ)),

to which the lines beyond the ends are added, with the slope at the end. No piece is selected, so that the code has no
branches: five operations for each interval of a linear curve, nine of a smooth one. The primitive is as exact.

Smooth curves are those of ``monotone.py``: they have a continuous derivative and no maximum that the points do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca

from linkwork.algebra.monotone import hermite, smooth_slopes


@dataclass(frozen=True, eq=False)
class Cubic:
    """A piecewise cubic f(x): knots (n), values (n), coefficients b, c, d of the pieces (n − 1), slopes at the ends."""

    knots: Sequence[ca.SX]
    values: Sequence[ca.SX]
    pieces: Sequence[tuple[ca.SX, ca.SX, ca.SX]]
    ends: tuple[ca.SX, ca.SX]

    def value(self, x: ca.SX) -> ca.SX:
        """f(x)."""
        total = self.values[0]
        for i, (b, c, d) in enumerate(self.pieces):
            u = self._part(i, x)
            total = total + u * (b + u * (c + u * d))
        below, above = self._beyond(x)
        return total + self.ends[0] * below + self.ends[1] * above

    def primitive(self, x: ca.SX) -> ca.SX:
        """∫ f from the first knot to x."""
        total = self.values[0] * (x - self.knots[0])
        for i, (b, c, d) in enumerate(self.pieces):
            u = self._part(i, x)
            total = total + u * u * (b / 2 + u * (c / 3 + u * (d / 4)))
            total = total + (self.values[i + 1] - self.values[i]) * ca.fmax(x - self.knots[i + 1], 0)
        below, above = self._beyond(x)
        return total + self.ends[0] * below**2 / 2 + self.ends[1] * above**2 / 2

    def _part(self, i: int, x: ca.SX) -> ca.SX:
        return ca.fmin(ca.fmax(x - self.knots[i], 0), self.knots[i + 1] - self.knots[i])

    def _beyond(self, x: ca.SX) -> tuple[ca.SX, ca.SX]:
        return ca.fmin(x - self.knots[0], 0), ca.fmax(x - self.knots[-1], 0)


def linear_curve(knots: Sequence[ca.SX], values: Sequence[ca.SX]) -> Cubic:
    """Straight lines between the points (at least two)."""
    means, none = _means(knots, values), ca.SX(1, 1)
    return Cubic(knots, values, [(mean, none, none) for mean in means], (means[0], means[-1]))


def smooth_curve(knots: Sequence[ca.SX], values: Sequence[ca.SX]) -> Cubic:
    """A curve with a continuous derivative through the points (at least two), monotone where they are."""
    if len(knots) < 3:
        return linear_curve(knots, values)
    widths, means = [b - a for a, b in pairwise(knots)], _means(knots, values)
    slopes = smooth_slopes(widths, means, ca.if_else)
    pieces = [hermite(h, mean, *ends) for h, mean, ends in zip(widths, means, pairwise(slopes), strict=True)]
    return Cubic(knots, values, pieces, (slopes[0], slopes[-1]))


def _means(knots: Sequence[ca.SX], values: Sequence[ca.SX]) -> list[ca.SX]:
    return [(f1 - f0) / (x1 - x0) for (x0, x1), (f0, f1) in zip(pairwise(knots), pairwise(values), strict=True)]
