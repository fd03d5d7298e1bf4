"""Slopes of a smooth curve through points that is monotone where they are, in floats and in expressions.

They are those of F. N. Fritsch and J. Butland, "A method for constructing local monotone piecewise cubic interpolants",
SIAM J. Sci. Stat. Comput. 5 (1984), with one-sided three-point slopes at the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

Choice = Callable[[Any, Any, Any], Any]
"""(condition, then, otherwise): one of both."""


def smooth_slopes(widths: Sequence[Any], means: Sequence[Any], choose: Choice) -> list[Any]:
    """Slopes at all knots (n + 1) from widths and mean slopes of the pieces between them (n, at least two)."""
    slopes = [_end_slope(widths[0], widths[1], means[0], means[1], choose)]
    for (h0, h1), (m0, m1) in zip(pairwise(widths), pairwise(means), strict=True):
        w0, w1 = 2 * h1 + h0, h1 + 2 * h0
        opposite = m0 * m1 <= 0
        harmonic = (w0 + w1) * m0 * m1 / choose(opposite, 1.0, w0 * m1 + w1 * m0)
        slopes.append(choose(opposite, 0.0, harmonic))
    return [*slopes, _end_slope(widths[-1], widths[-2], means[-1], means[-2], choose)]


def hermite(h: Any, mean: Any, first: Any, last: Any) -> tuple[Any, Any, Any]:
    """b, c, d of a piece of width h from its mean slope and the slopes at both ends."""
    return first, (3 * mean - 2 * first - last) / h, (first + last - 2 * mean) / h**2


def _end_slope(h0: Any, h1: Any, m0: Any, m1: Any, choose: Choice) -> Any:
    """Slope at an end by three points, kept from overshooting."""
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    limited = choose(m0 * m1 < 0, choose(abs(slope) > 3 * abs(m0), 3 * m0, slope), slope)
    return choose(slope * m0 <= 0, 0.0, limited)
