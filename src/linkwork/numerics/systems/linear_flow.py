"""ẋ = A x + B u(t) without a step error: the matrix exponential, and inputs as polynomials of time between breakpoints.

On an interval of length h, with u = Σ_j d_j θ^j / j! and θ from 0 to 1,

    x(h) = e^{Ah} x(0) + Σ_j Φ_j d_j,   Φ_j = h ∫ e^{Ah(1−θ)} B θ^j / j! dθ,

and all of these stand in the first rows of one exponential (C. F. Van Loan, IEEE Trans. Automatic Control 23, 1978),

    exp [Ah  Bh  0 ]
        [0   0   1 ]
        [0   0   0 ] .

Intervals are halved where a polynomial does not follow its input, down to the rounding error of time, so that jumps of
inputs are found where they are. Stiffness of A and growth make no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from linkwork.arrays import Array
from linkwork.errors import RefusedError

Signal = Callable[[Array], Array]  # times (N) -> inputs (N, nu)
DEGREE = 7  # of the polynomials
CLOSE = 1e-11  # error of a polynomial beside the largest input
SHORTEST = 1e-13  # interval beside the whole time that is not halved further
MOST = 200_000  # intervals


@dataclass(frozen=True, eq=False)
class Pieces:
    """Inputs as polynomials: ends of intervals (K + 1) and coefficients d (K, degree + 1, nu)."""

    ends: Array
    coefficients: Array


def pieces(signal: Signal, breaks: Array) -> Pieces:
    """Polynomials that follow inputs between breaks (K + 1), halved where they must be."""
    # inside of an interval, so that a jump at one of its ends is on one side only
    nodes = 0.5 - 0.5 * np.cos((2 * np.arange(DEGREE + 1) + 1) * np.pi / (2 * DEGREE + 2))
    between = (nodes[1:] + nodes[:-1]) / 2
    scale = np.cumprod(np.concatenate([[1.0], 1.0 / np.arange(1, DEGREE + 1)]))
    fit = np.linalg.inv(np.vander(nodes, DEGREE + 1, increasing=True) * scale)
    check = np.vander(between, DEGREE + 1, increasing=True) * scale
    points = np.concatenate([nodes, between])
    low, high = breaks[:-1], breaks[1:]
    done: list[tuple[Array, Array, Array]] = []
    shortest, largest, count = SHORTEST * (breaks[-1] - breaks[0]), np.zeros(1), 0
    while low.size:
        times = low[:, None] + (high - low)[:, None] * points
        flat = signal(times.ravel())
        values = flat.reshape(*times.shape, flat.shape[1])
        if not np.all(np.isfinite(values)):
            where = times.ravel()[np.argmin(np.all(np.isfinite(values), axis=2).ravel())]
            raise RefusedError(f"an input has no finite value at t = {where:g} s")
        largest = np.maximum(largest, np.max(np.abs(flat), axis=0))
        found = np.einsum("ij,kjm->kim", fit, values[:, : len(nodes)])
        off = np.abs(np.einsum("ij,kjm->kim", check, found) - values[:, len(nodes) :])
        good = np.all(off <= CLOSE * largest, axis=(1, 2)) | (high - low <= shortest)
        done.append((low[good], high[good], found[good]))
        count += int(good.sum())
        low, high = low[~good], high[~good]
        if count + 2 * len(low) > MOST:
            raise RefusedError("an input changes so fast or so often that no polynomials follow it; give samples of it")
        middle = (low + high) / 2
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    starts = np.concatenate([part[0] for part in done])
    order = np.argsort(starts)
    ends = np.concatenate([starts[order], breaks[-1:]])
    return Pieces(ends, np.concatenate([part[2] for part in done])[order])


def advance(a: Array, b: Array, x: Array, given: Pieces) -> Array:
    """States (K + 1, n) at the ends of all intervals, from x (n) at the first."""
    lengths = np.diff(given.ends)
    # lengths that are one but for rounding
    keys = np.round(np.log(lengths) * 1e10).astype(np.int64)
    kinds, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    found, pushed = np.empty((len(lengths) + 1, len(x))), np.empty((len(lengths), len(x)))
    moves = []
    for k in range(len(kinds)):
        move, pushes = _transition(a, b, float(lengths[first[k]]), given.coefficients.shape[1])
        moves.append(move)
        pushed[kind == k] = np.einsum("njm,kjm->kn", pushes, given.coefficients[kind == k])
    found[0] = x
    for i in range(len(lengths)):
        found[i + 1] = moves[kind[i]] @ found[i] + pushed[i]
    return found


def _transition(a: Array, b: Array, h: float, count: int) -> tuple[Array, Array]:
    """e^{Ah} (n, n) and Φ (n, count, nu)."""
    n, nu = b.shape
    whole = np.zeros((n + count * nu, n + count * nu))
    whole[:n, :n], whole[:n, n : n + nu] = h * a, h * b
    rows = np.arange(n, n + (count - 1) * nu)
    whole[rows, rows + nu] = 1.0
    found = expm(whole)[:n]
    return found[:, :n], found[:, n:].reshape(n, count, nu)
