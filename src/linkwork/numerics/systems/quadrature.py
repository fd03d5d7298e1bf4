"""Integrals of a function from the first of several times to each of them, once and twice:

    I₁(t) = ∫ f(τ) dτ,    I₂(t) = ∫ (t − τ) f(τ) dτ.

Gauss-Legendre nodes in every interval, which is halved until its halves agree with the whole, and the polynomial through
its nodes with f at its ends: between these and the nodes next to them a jump would not be felt.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander

from linkwork.arrays import Array

NODES = 10
AGREED = 1e-14  # of the largest value times the whole time
HALVINGS = 40
INSIDE = 1e-9  # of a half interval: so near to its ends f is looked at


def integrals(f: Callable[[Array], Array], times: Array) -> Array:
    """I₁ and I₂ (N × 2) of f, which takes and gives arrays (n), at increasing times (N)."""
    first, last = times[:-1], times[1:]
    size = float(np.max(np.abs(f(times)), initial=1e-300))
    parts = _parts(f, first, last, AGREED * max(float(times[-1] - times[0]), 1e-300) * size)
    found = np.zeros((len(times), 2))
    found[1:, 0] = np.cumsum(parts[:, 0])
    # over an interval h from a state with I₁: I₂ grows by h I₁ and by its own part
    found[1:, 1] = np.cumsum((last - first) * found[:-1, 0] + parts[:, 1])
    return found


def over_intervals(f: Callable[[Array], Array], a: Array, b: Array, size: float) -> Array:
    """∫ f (n) over the intervals from a (n) to b (n), to rounding errors beside a *size* of such integrals."""
    return _parts(f, a, b, AGREED * size)[:, 0] if len(a) else np.zeros(0)


def _parts(f: Callable[[Array], Array], a: Array, b: Array, allowed: float) -> Array:
    """∫ f and ∫ (b − τ) f (n × 2) over the intervals from a (n) to b (n), of which halves agree to what is allowed."""
    found = np.zeros((len(a), 2))
    owners, low, high = np.arange(len(a)), a, b
    whole = _gauss(f, low, high)[0]
    for depth in range(HALVINGS):
        middle = (low + high) / 2
        (left, one), (right, other) = _gauss(f, low, middle), _gauss(f, middle, high)
        # the far end of the left half is further away by the length of the right one
        left[:, 1] += (high - middle) * left[:, 0]
        halves = left + right
        missed = np.maximum(np.abs(halves - whole)[:, 0], np.maximum(one, other))
        open_ = (missed > allowed) & (depth < HALVINGS - 1)
        done = ~open_
        # what is left of the interval of the owner beyond this piece
        beyond = b[owners[done]] - high[done]
        np.add.at(found[:, 0], owners[done], halves[done, 0])
        np.add.at(found[:, 1], owners[done], halves[done, 1] + beyond * halves[done, 0])
        if not open_.any():
            break
        owners = np.concatenate([owners[open_], owners[open_]])
        low, high = np.concatenate([low[open_], middle[open_]]), np.concatenate([middle[open_], high[open_]])
        whole = _gauss(f, low, high)[0]
    return found


def _gauss(f: Callable[[Array], Array], a: Array, b: Array) -> tuple[Array, Array]:
    """∫ f and ∫ (b − τ) f (n × 2) over the intervals, by one rule each; what it may miss (n) of a jump at their ends."""
    points, weights = leggauss(NODES)
    half = ((b - a) / 2)[:, None]
    ends = np.array([INSIDE - 1.0, 1.0 - INSIDE])
    through = legvander(ends, NODES - 1) @ np.linalg.inv(legvander(points, NODES - 1))
    nodes = a[:, None] + half * (1 + points)
    found = f(np.hstack([nodes, a[:, None] + half * (1 + ends)]).ravel()).reshape(len(a), NODES + 2)
    values, misfit = found[:, :NODES], found[:, NODES:] - found[:, :NODES] @ through.T
    values = values * (half * weights)
    missed = half[:, 0] * (1.0 + points[0]) * np.abs(misfit).max(axis=1, initial=0.0)
    return np.column_stack([values.sum(axis=1), ((b[:, None] - nodes) * values).sum(axis=1)]), missed
