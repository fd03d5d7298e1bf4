"""Many systems Φ(q; x) = 0 with the same unknowns q and other data x each, solved from one another in batches.

Solutions spread from where one is known: every sample is approached from the nearest solved one, in short steps of x
(continuation), each by Newton's method (``many_newton``). A sample that fails is tried again as soon as one that is nearer
has been solved; it is out of reach when none is. A few samples, spread over all, are solved first, so that the rest has near
neighbours.

A solution of another branch is not taken: one that lies far from where it was begun, or on the other side of a singular
position, det(G G₀ᵀ) < 0 with G = ∂Φ/∂q, and G₀ at the begin of a step (where the conditions are independent). Such samples
are tried again in shorter steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.paths.many_newton import ManyDescent, ManySystems, descend_many

Mask = NDArray[np.bool_]
FIRST = 300  # samples that are solved first
STRIDE = 0.1  # of x in one step
NEARER = 0.7  # a sample is tried again from a neighbour at this part of the distance of the last one
ROUNDS = 40
SHORTER = 0.1  # of the stride, for samples that came to another branch
PORTION = 4096  # samples that are looked at together


def spread(
    systems: ManySystems, x: Array, known: tuple[Array, Array], features: Array, turns: Mask
) -> tuple[Array, Mask]:
    """Solve for all x (N × k) from one that is *known* (q, x); q (N × nq), not a number where nothing is found, and where.

    turns (k): components of x that are angles
    features (N + 1 × f): places by which neighbours are near, that of the known one last
    """
    from scipy.spatial import cKDTree

    count = len(x)
    q = np.vstack([np.full((count, len(known[0])), np.nan), known[0]])
    data, solved = np.vstack([x, known[1]]), np.zeros(count + 1, dtype=bool)
    solved[-1] = True
    tried, crossed = np.full(count, np.inf), np.zeros(count, dtype=bool)
    random = np.random.default_rng(0)
    first = random.permutation(count)[:FIRST]
    for number in range(ROUNDS):
        open_ones = first[~solved[first]] if number < 3 else np.flatnonzero(~solved[:-1])
        tree = cKDTree(features[solved])
        distance, place = tree.query(features[open_ones])
        again = distance < NEARER * tried[open_ones]
        todo, start = open_ones[again], np.flatnonzero(solved)[place[again]]
        tried[todo] = distance[again]
        found, ok, over = _approach(systems, q[start], data[start], data[todo], turns)
        q[todo[ok]], solved[todo[ok]] = found[ok], True
        crossed[todo] = over
        if number >= 3 and not np.any(ok):
            break
    todo = np.flatnonzero(~solved[:-1] & crossed)
    start = np.flatnonzero(solved)[cKDTree(features[solved]).query(features[todo])[1]]
    found, ok, _ = _approach(systems, q[start], data[start], data[todo], turns, SHORTER)
    q[todo[ok]], solved[todo[ok]] = found[ok], True
    return q[:-1], solved[:-1]


def _approach(
    systems: ManySystems, q: Array, start: Array, end: Array, turns: Mask, shorter: float = 1.0
) -> tuple[Array, Mask, Mask]:
    """From solutions at the *start* to those at the *end*, in short steps of x; which arrive, and which leave the branch."""
    # angles the shorter way
    ways = np.where(turns, (end - start + np.pi) % (2 * np.pi) - np.pi, end - start)
    size = np.max(np.abs(ways), axis=1, initial=0.0)
    stride = np.minimum(STRIDE, np.maximum(size, 1e-12)) * shorter
    steps = np.maximum(1, np.ceil(size / stride - 1e-9).astype(int))
    q, alive, crossed = q.copy(), np.ones(len(q), dtype=bool), np.zeros(len(q), dtype=bool)
    for step in range(1, int(np.max(steps, initial=0)) + 1):
        going = np.flatnonzero(alive & (steps >= step))
        for at in range(0, len(going), PORTION):
            part = going[at : at + PORTION]
            share = (step / steps[part])[:, None]
            wanted = np.where(share >= 1.0, end[part], start[part] + share * ways[part])
            q[part], alive[part], crossed[part] = descend_many(systems, q[part], wanted, ManyDescent())
    return q, alive, crossed
