"""How places that stick together share what they hold, where that is not unique: the largest part of each is least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.arrays import Array

SHARED = 60  # times that parts of friction are found anew from what they press with
CLOSE = 1e-12  # change of such parts that is none
LEAST = 1e-290  # of bounds that are some


def share_evenly(matrix: Array, needed: Array, bounds: Array, together: Sequence[Sequence[int]]) -> Array:
    """f with *matrix* f = *needed* and the least max |f| / bounds; together: those with one |f|, by places.

    |f| of two components is the largest of u·f for unit vectors u, of which those are taken that are needed.
    """
    values, vectors = np.linalg.eigh(matrix)
    known = vectors[:, values > 1e-10 * values[-1]].T
    n, sizes = len(bounds), np.maximum(bounds, 1e-300 + 1e-12 * np.max(bounds, initial=0.0))
    target = known @ np.linalg.lstsq(matrix, needed, rcond=1e-10)[0]
    if len(known) == 1 and len(together) == n:
        # one freedom, |Σ s f/b| = |target|: all take the same part
        scaled = known[0] * sizes
        whole = float(np.sum(np.abs(scaled)))
        return np.asarray(np.sign(scaled) * sizes * (target[0] / whole if whole > LEAST else 0.0))
    from scipy.optimize import linprog  # slow to import, and few mechanisms have several places that stick

    cuts: list[Array] = []
    for places in together:
        around = np.array([[1.0], [-1.0]])
        if len(places) > 1:
            angles = np.arange(8) * np.pi / 4
            around = np.column_stack([np.cos(angles), np.sin(angles)])
        cuts += [_cut(n, places, way) for way in around]
    for _ in range(SHARED):
        found = linprog(
            np.append(np.zeros(n), 1.0),
            A_ub=np.column_stack([np.array(cuts), -np.ones(len(cuts))]),
            b_ub=np.zeros(len(cuts)),
            A_eq=np.column_stack([known * sizes, np.zeros(len(known))]),
            b_eq=target,
            bounds=[(None, None)] * n + [(0, None)],
            method="highs",
        )
        if found.x is None:
            return np.asarray(known.T @ target)
        f, most = found.x[:n], found.x[n]
        wide = [places for places in together if np.linalg.norm(f[list(places)]) > most * (1.0 + CLOSE) + 1e-300]
        if not wide:
            break
        cuts += [_cut(n, places, f[list(places)] / np.linalg.norm(f[list(places)])) for places in wide]
    return np.asarray(f * sizes)


def _cut(n: int, places: Sequence[int], way: Array) -> Array:
    row = np.zeros(n)
    row[list(places)] = way
    return row
