"""Curves through given points, as expressions: piecewise linear, or smooth and monotone where the points are.

With knots x₀ < x₁ < …, widths hᵢ = xᵢ₊₁ − xᵢ and the part uᵢ = min(max(x − xᵢ, 0), hᵢ) of each interval that lies before
x, a curve is the sum of the increments of its pieces,

    f(x) = f₀ + Σ uᵢ (bᵢ + uᵢ (cᵢ + uᵢ dᵢ)),

to which the lines beyond the ends are added, with the slope at the end. No piece is selected, so that the code has no
branches: five operations for each interval of a linear curve, nine of a smooth one. The primitive is as exact.

Smooth curves are the piecewise cubic Hermite interpolation of F. N. Fritsch and J. Butland, "A method for constructing
local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5 (1984), with one-sided three-point slopes at the
ends. They have a continuous derivative and no maximum that the points do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import casadi as ca


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
    slopes = [_end_slope(widths[0], widths[1], means[0], means[1])]
    for (h0, h1), (m0, m1) in zip(pairwise(widths), pairwise(means), strict=True):
        w0, w1 = 2 * h1 + h0, h1 + 2 * h0
        opposite = m0 * m1 <= 0
        harmonic = (w0 + w1) * m0 * m1 / ca.if_else(opposite, 1, w0 * m1 + w1 * m0)
        slopes.append(ca.if_else(opposite, 0, harmonic))
    slopes.append(_end_slope(widths[-1], widths[-2], means[-1], means[-2]))
    pieces = [_hermite(h, mean, *ends) for h, mean, ends in zip(widths, means, pairwise(slopes), strict=True)]
    return Cubic(knots, values, pieces, (slopes[0], slopes[-1]))


def _hermite(h: ca.SX, mean: ca.SX, first: ca.SX, last: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """b, c, d of a piece of width h from its mean slope and the slopes at both ends."""
    return first, (3 * mean - 2 * first - last) / h, (first + last - 2 * mean) / h**2


def _means(knots: Sequence[ca.SX], values: Sequence[ca.SX]) -> list[ca.SX]:
    return [(f1 - f0) / (x1 - x0) for (x0, x1), (f0, f1) in zip(pairwise(knots), pairwise(values), strict=True)]


def _end_slope(h0: ca.SX, h1: ca.SX, m0: ca.SX, m1: ca.SX) -> ca.SX:
    """Slope at an end by three points, kept from overshooting."""
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    limited = ca.if_else(ca.logic_and(m0 * m1 < 0, ca.fabs(slope) > 3 * ca.fabs(m0)), 3 * m0, slope)
    return ca.if_else(slope * m0 <= 0, 0, limited)
