"""Integrals of a function from the first of several times to each of them, once and twice:

    I₁(t) = ∫ f(τ) dτ,    I₂(t) = ∫ (t − τ) f(τ) dτ.

Gauss-Legendre nodes in every interval, which is halved until its halves agree with the whole.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.arrays import Array

NODES = 10
AGREED = 1e-14  # of the largest value times the whole time
HALVINGS = 40


def integrals(f: Callable[[Array], Array], times: Array) -> Array:
    """I₁ and I₂ (N × 2) of f, which takes and gives arrays (n), at increasing times (N)."""
    first, last = times[:-1], times[1:]
    parts = _parts(f, first, last, AGREED * max(float(times[-1] - times[0]), 1e-300))
    found = np.zeros((len(times), 2))
    found[1:, 0] = np.cumsum(parts[:, 0])
    # over an interval h from a state with I₁: I₂ grows by h I₁ and by its own part
    found[1:, 1] = np.cumsum((last - first) * found[:-1, 0] + parts[:, 1])
    return found


def _parts(f: Callable[[Array], Array], a: Array, b: Array, allowed: float) -> Array:
    """∫ f and ∫ (b − τ) f (n × 2) over the intervals from a (n) to b (n)."""
    found = np.zeros((len(a), 2))
    owners, low, high = np.arange(len(a)), a, b
    whole = _gauss(f, low, high)
    size = float(np.max(np.abs(f(np.concatenate([a, b[-1:]]))), initial=1e-300))
    for depth in range(HALVINGS):
        middle = (low + high) / 2
        left, right = _gauss(f, low, middle), _gauss(f, middle, high)
        # the far end of the left half is further away by the length of the right one
        left[:, 1] += (high - middle) * left[:, 0]
        halves = left + right
        open_ = (np.abs(halves - whole)[:, 0] > allowed * size) & (depth < HALVINGS - 1)
        done = ~open_
        # what is left of the interval of the owner beyond this piece
        beyond = b[owners[done]] - high[done]
        np.add.at(found[:, 0], owners[done], halves[done, 0])
        np.add.at(found[:, 1], owners[done], halves[done, 1] + beyond * halves[done, 0])
        if not open_.any():
            break
        owners = np.concatenate([owners[open_], owners[open_]])
        low, high = np.concatenate([low[open_], middle[open_]]), np.concatenate([middle[open_], high[open_]])
        whole = _gauss(f, low, high)
    return found


def _gauss(f: Callable[[Array], Array], a: Array, b: Array) -> Array:
    """∫ f and ∫ (b − τ) f (n × 2) over the intervals, by one rule each."""
    points, weights = np.polynomial.legendre.leggauss(NODES)
    half = ((b - a) / 2)[:, None]
    nodes = a[:, None] + half * (1 + points)
    values = f(nodes.ravel()).reshape(nodes.shape) * (half * weights)
    return np.column_stack([values.sum(axis=1), ((b[:, None] - nodes) * values).sum(axis=1)])
