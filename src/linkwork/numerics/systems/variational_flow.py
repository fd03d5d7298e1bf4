"""Ẏ = J(t) Y by collocation at Gauss-Legendre points, where J is known: of order 2 s with s points in an interval.

With the points c_i of an interval of length h, the weights b_i and a_ij = ∫₀^{c_i} ℓ_j,

    K_i = J_i (Y + h Σ_j a_ij K_j),   Y⁺ = Y + h Σ_i b_i K_i ,

which is linear in the K. They are found by iteration, products of small matrices alone, and by one large system for each
interval where h J is too large for that.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from linkwork.arrays import Array

POINTS = 6  # in an interval
ITERATIONS, SETTLED, GROWING = 60, 1e-14, 10.0  # of the slopes; their last change, and growth of it that has no end


@cache
def _rule() -> tuple[Array, Array, Array]:
    """c (s), b (s) and a (s, s) of the interval from 0 to 1."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    c = (points + 1) / 2
    powers = np.vander(c, POINTS, increasing=True)
    integrals = c[:, None] * powers / np.arange(1, POINTS + 1)
    return c, weights / 2, integrals @ np.linalg.inv(powers)


def collocation_times(start: float, end: float, intervals: int) -> Array:
    """Times (intervals · s) at which J must be known."""
    edges = np.linspace(start, end, intervals + 1)
    return (edges[:-1, None] + np.diff(edges)[:, None] * _rule()[0]).ravel()


def transition(jacobians: Array, span: float) -> Array:
    """Y at the end for Y = 1 at the start (n, n), from J (intervals · s, n, n) at the collocation times."""
    n = jacobians.shape[1]
    parts = jacobians.reshape(-1, POINTS, n, n)
    h = span / len(parts)
    slopes = _iterated(parts, h)
    slopes = _solved(parts, h) if slopes is None else slopes
    found = np.eye(n)
    for step in np.eye(n) + h * np.einsum("i,kipq->kpq", _rule()[1], slopes):
        found = step @ found
    return found


def _iterated(parts: Array, h: float) -> Array | None:
    """K (intervals, s, n, n) by iteration, where it converges."""
    count, _, n, _ = parts.shape
    a, slopes, last = h * _rule()[2], parts, np.inf
    for _ in range(ITERATIONS):
        inner = np.eye(n) + (a @ slopes.reshape(count, POINTS, n * n)).reshape(parts.shape)
        following = parts @ inner
        change = float(np.max(np.abs(following - slopes)) / max(float(np.max(np.abs(following))), 1e-300))
        slopes = following
        if change <= SETTLED:
            return slopes
        if not np.isfinite(change) or change > GROWING * last:
            return None
        last = change
    return None


def _solved(parts: Array, h: float) -> Array:
    """K (intervals, s, n, n) by a linear system of s n unknowns for each interval."""
    count, _, n, _ = parts.shape
    # rows and columns: point, component
    matrix = -h * np.einsum("kipq,ij->kipjq", parts, _rule()[2]).reshape(count, POINTS * n, POINTS * n)
    matrix += np.eye(POINTS * n)
    return np.linalg.solve(matrix, parts.reshape(count, POINTS * n, n)).reshape(parts.shape)
