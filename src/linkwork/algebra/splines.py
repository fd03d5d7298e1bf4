"""Cubic splines through points, as expressions that every backend compiles.

A spline is a cubic between two knots, and twice differentiable; its second derivatives at the knots follow from a
tridiagonal system. The instruction list knows no tables: what belongs to the place u is picked by comparing u with knots,
and every number of the table costs a product and a sum. Eight pieces share one row, the first cubic and the jumps of its
last coefficient, so that there are fewer numbers than in a table of cubics:

    s(u) = a + b x + c x² + d x³ + Σ_k j_k max(x − x_k, 0)³,   x = u − first knot of the row

What is picked does not depend on u otherwise: derivatives of any order need no further picking.
Source of the system: C. de Boor, A Practical Guide to Splines, chapter IV (natural and periodic end conditions).
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np

from linkwork.arrays import Array

SHARING = 8  # pieces of one row
EVEN = 3.0  # ratio of steps up to which pieces share a row


def cubic_spline(knots: Array, values: ca.SX, periodic: bool) -> Callable[[ca.SX], ca.SX]:
    """The spline (d) with given values (d × n) at increasing knots (n); a periodic one ends where it begins.

    One that is not periodic has no curvature at its ends, and goes on beyond them with its last cubics.
    """
    a, b, c, d = _cubics(knots, values, periodic)
    rows = _rows(np.diff(knots))
    most = max(len(row) for row in rows) - 1
    # a row that is not full is filled up with knots at which nothing jumps
    table = ca.horzcat(
        *[
            ca.vertcat(
                *(knots[k], a[:, k], b[:, k], c[:, k], d[:, k]),
                *(float(knots[i] - knots[k]) if i in row else 0.0 for i in range(k + 1, k + 1 + most)),
                *(d[:, i] - d[:, i - 1] if i in row else 0 * d[:, k] for i in range(k + 1, k + 1 + most)),
            )
            for row in rows
            for k in row[:1]
        ]
    )
    first = [float(knots[row[0]]) for row in rows]
    places = np.cumsum([0, 1, *[values.shape[0]] * 4, *[1] * most, *[values.shape[0]] * most]).tolist()

    def at(u: ca.SX) -> ca.SX:
        passed = ca.vertcat(1, *[u >= knot for knot in first[1:]], 0)
        here = passed[:-1] - passed[1:]  # 1 for the row that holds u, 0 for all others
        start, a, b, c, d, *rest = ca.vertsplit(table @ here, places)
        x = u - start
        cubic = a + x * (b + x * (c + x * d))
        half = len(rest) // 2
        for knot, jump in zip(rest[:half], rest[half:], strict=True):
            beyond = ca.fmax(x - knot, 0)
            cubic += jump * (beyond * beyond * beyond)
        return cubic

    return at


def _rows(h: Array) -> list[range]:
    """Pieces that share a row; steps that differ much do not, as cubes of distances would then lose digits."""
    rows, start = [], 0
    for k in range(1, len(h) + 1):
        steps = h[start : k + 1]
        if k == len(h) or k - start == SHARING or np.max(steps) > EVEN * np.min(steps):
            rows.append(range(start, k))
            start = k
    return rows


def _cubics(knots: Array, values: ca.SX, periodic: bool) -> tuple[ca.SX | ca.DM, ...]:
    """Coefficients a, b, c, d (d × pieces each) of powers of the distance from the first knot of a piece."""
    table = ca.DM(values) if values.is_constant() else values
    h = np.diff(knots)
    wide = ca.repmat(ca.DM(h).T, values.shape[0], 1)
    bending = table @ ca.DM(_second_derivatives(h, periodic)).T
    now, then = bending[:, :-1], bending[:, 1:]
    slope = (table[:, 1:] - table[:, :-1]) / wide - wide * (2 * now + then) / 6
    return table[:, :-1], slope, now / 2, (then - now) / (6 * wide)


def _second_derivatives(h: Array, periodic: bool) -> Array:
    """The matrix (n × n) from the values of a spline at its knots to its second derivatives there.

    h_{k−1} M_{k−1} + 2 (h_{k−1} + h_k) M_k + h_k M_{k+1} = 6 ((y_{k+1} − y_k)/h_k − (y_k − y_{k−1})/h_{k−1}).
    """
    n = len(h) + 1
    left, right = np.zeros((n, n)), np.zeros((n, n))
    rows = [(k, (k - 1, k, k + 1), h[k - 1], h[k]) for k in range(1, n - 1)]
    if periodic:
        rows.append((0, (n - 2, 0, 1), h[-1], h[0]))
        left[n - 1, [0, n - 1]] = 1.0, -1.0
    else:
        left[0, 0] = left[n - 1, n - 1] = 1.0
    for row, places, before, after in rows:
        left[row, list(places)] += before, 2 * (before + after), after
        right[row, list(places)] += 6 / before, -6 / before - 6 / after, 6 / after
    return np.asarray(np.linalg.solve(left, right))
