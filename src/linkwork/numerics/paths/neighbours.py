"""Many systems Φ(q; x) = 0 with the same unknowns q and other data x each, solved from one another in batches.

Solutions spread from where one is known: every sample is approached from the nearest solved one, in short steps of x
(continuation), each by Newton's method (``many_newton``). A sample that fails is tried again as soon as one that is nearer
has been solved; it is out of reach when none is. A few samples, spread over all, are solved first, so that the rest has near
neighbours.

A solution of another branch is not taken: one to which Newton's steps do not shrink quickly, that lies far from where it was
begun, or on the other side of a singular position, det(G G₀ᵀ) < 0 with G = ∂Φ/∂q, and G₀ at the begin of a step (where the
conditions are independent). Such samples are tried again in shorter steps. Steps of least length have no part along motions
that change no condition, such as the spin of a rod between balls, and these do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.paths.many_newton import ManyDescent, ManySystems, descend_many

Mask = NDArray[np.bool_]
FIRST = 300  # samples that are solved first
STRIDE = 0.1  # of x in one step
NEARER = 0.7  # a sample is tried again from a neighbour at this part of the distance of the last one
ROUNDS = 40
HALVINGS = 10  # of the stride, for samples that have a solution somewhere
FURTHER = 3  # steps for each halving
OTHERS = 3  # neighbours from which these are tried
PORTION = 4096  # samples that are looked at together
KEPT = ManyDescent(contraction=0.2)


@dataclass(frozen=True, eq=False)
class Spread:
    """Solutions q (N × nq), not a number where none is found; which are *solved*; and which of the others (*elsewhere*) have
    a solution, but none to which the branch of the known one leads."""

    q: Array
    solved: Mask
    elsewhere: Mask


def spread(systems: ManySystems, x: Array, known: tuple[Array, Array], features: Array, turns: Mask) -> Spread:
    """Solve for all x (N × k) from one that is *known* (q, x).

    turns (k): components of x that are angles
    features (N + 1 × f): places by which neighbours are near, that of the known one last
    """
    from scipy.spatial import cKDTree

    count = len(x)
    q = np.vstack([np.full((count, len(known[0])), np.nan), known[0]])
    data, solved = np.vstack([x, known[1]]), np.zeros(count + 1, dtype=bool)
    solved[-1] = True

    def go(todo: NDArray[np.intp], tried: Array, way: ManyDescent = KEPT, halvings: int = 0, rank: int = 1) -> Mask:
        """Approach samples from neighbours of a rank, where these are nearer than those tried before; who arrives."""
        distance, place = (part[:, 0] for part in cKDTree(features[solved]).query(features[todo], [rank]))
        again = distance < NEARER * tried[todo]
        start, arrived = np.flatnonzero(solved)[place[again]], np.zeros(len(todo), dtype=bool)
        tried[todo[again]] = distance[again]
        found, ok = _approach(systems, (q[start], data[start], data[todo[again]]), turns, way, halvings)
        arrived[again] = ok
        if way is KEPT:
            q[todo[arrived]], solved[todo[arrived]] = found[ok], True
        return arrived

    tried = np.full(count, np.inf)
    first = np.random.default_rng(0).permutation(count)[:FIRST]
    for number in range(ROUNDS):
        arrived = go(first[~solved[first]] if number < 3 else np.flatnonzero(~solved[:-1]), tried)
        if number >= 3 and not np.any(arrived):
            break
    left = np.flatnonzero(~solved[:-1])
    left = left[go(left, np.full(count, np.inf), ManyDescent())]
    for rank in range(1, 1 + min(OTHERS, int(solved.sum()))):
        left = left[~go(left, np.full(count, np.inf), KEPT, HALVINGS, rank)]
    elsewhere = np.zeros(count, dtype=bool)
    elsewhere[left] = True
    return Spread(q[:-1], solved[:-1], elsewhere)


def _approach(
    systems: ManySystems, between: tuple[Array, Array, Array], turns: Mask, descent: ManyDescent, halvings: int
) -> tuple[Array, Mask]:
    """From solutions q at the *start* to those at the *end*, in short steps of x, halved where they fail; which arrive."""
    q, start, end = between[0].copy(), between[1], between[2]
    # angles the shorter way
    ways = np.where(turns, (end - start + np.pi) % (2 * np.pi) - np.pi, end - start)
    longest = 1.0 / np.maximum(1, np.ceil(np.max(np.abs(ways), axis=1, initial=0.0) / STRIDE - 1e-9))
    done, step = np.zeros(len(q)), longest.copy()
    going = np.arange(len(q))
    for _ in range(int(np.ceil(1.0 / longest.min(initial=1.0))) + FURTHER * halvings):
        for at in range(0, len(going), PORTION):
            part = going[at : at + PORTION]
            share = done[part] + step[part]
            share[share > 1.0 - 1e-9] = 1.0
            wanted = np.where(share[:, None] >= 1.0, end[part], start[part] + share[:, None] * ways[part])
            found, ok, _ = descend_many(systems, q[part], wanted, descent)
            q[part[ok]], done[part[ok]] = found[ok], share[ok]
            step[part[~ok]] /= 2
        going = going[(done[going] < 1.0) & (step[going] >= longest[going] / 2.0**halvings)]
    return q, done >= 1.0
