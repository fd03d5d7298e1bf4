"""Many systems Φ(q; x) = 0 with the same unknowns q and other data x each, solved from one another in batches.

Solutions spread from where one is known: every sample is approached from the nearest solved one, in short steps of x
(continuation), each by Newton's method with steps of least length,

    q ← q ⊕ δ,   δ = −Gᵀ (G Gᵀ + ε)⁻¹ Φ,   G = ∂Φ/∂q,

in which redundant conditions and freedoms do no harm. A sample that fails is tried again as soon as one that is nearer to it
has been solved; it is out of reach when none is. A few samples, spread over all, are solved first, so that the rest has near
neighbours.

A solution of another branch is not taken: one that lies far from where it was begun, or on the other side of a singular
position, det(G G₀ᵀ) < 0 with G₀ at the begin of a step (where the conditions are independent). Such samples are tried again
in shorter steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
FIRST = 300  # samples that are solved first
STRIDE = 0.1  # of x in one step
LONGEST = 0.5  # step of Newton's method, in units of the scale
FARTHEST = 1.0  # change of q in one step of x
ITERATIONS = 30
SLOW = 6  # iterations in which the residual must fall to a half
CLOSED, ENOUGH = 1e-12, 1e-9  # residuals: no more is wanted; the most that is taken
NEARER = 0.7  # a sample is tried again from a neighbour at this part of the distance of the last one
ROUNDS = 40
DEPENDENT = -12.0  # logarithm of the mean factor of a determinant below which conditions count as redundant
SHORTER = 0.1  # of the stride, for samples that came to another branch
PORTION = 4096  # samples that are looked at together


@dataclass(frozen=True, eq=False)
class ManySystems:
    """residual(q, x): Φ (N × m) and ∂Φ/∂δ (N × m × n) for unknowns (N × nq) and data (N × k); move(q, δ): q ⊕ δ (N × nq).

    turns (k): components of x that are angles; scale (n): sizes of δ that count as one
    """

    residual: Callable[[Array, Array], tuple[Array, Array]]
    move: Callable[[Array, Array], Array]
    turns: Mask
    scale: Array

    def gap(self, start: Array, end: Array) -> Array:
        """How x changes, angles the shorter way."""
        way = end - start
        return np.asarray(np.where(self.turns, (way + np.pi) % (2 * np.pi) - np.pi, way))


def spread(systems: ManySystems, x: Array, known: tuple[Array, Array], features: Array) -> tuple[Array, Mask]:
    """Solve for all x (N × k) from one that is *known* (q, x); q (N × nq), not a number where nothing is found, and where.

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
        found, ok, over = _approach(systems, q[start], data[start], data[todo])
        q[todo[ok]], solved[todo[ok]] = found[ok], True
        crossed[todo] = over
        if number >= 3 and not np.any(ok):
            break
    todo = np.flatnonzero(~solved[:-1] & crossed)
    start = np.flatnonzero(solved)[cKDTree(features[solved]).query(features[todo])[1]]
    found, ok, _ = _approach(systems, q[start], data[start], data[todo], SHORTER)
    q[todo[ok]], solved[todo[ok]] = found[ok], True
    return q[:-1], solved[:-1]


def _approach(
    systems: ManySystems, q: Array, start: Array, end: Array, shorter: float = 1.0
) -> tuple[Array, Mask, Mask]:
    """From solutions at the *start* to those at the *end*, in short steps of x; which arrive, and which leave the branch."""
    ways = systems.gap(start, end)
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
            q[part], alive[part], crossed[part] = _newton(systems, q[part], wanted)
    return q, alive, crossed


def _newton(systems: ManySystems, q: Array, x: Array) -> tuple[Array, Mask, Mask]:
    """Solutions near q, which of them were found, and which of those to be found lie in another branch."""
    q, ok, crossed = q.copy(), np.zeros(len(q), dtype=bool), np.zeros(len(q), dtype=bool)
    first: Array | None = None
    active, travelled = np.arange(len(q)), np.zeros((len(q), len(systems.scale)))
    best, since = np.full(len(q), np.inf), np.zeros(len(q), dtype=int)
    for _ in range(ITERATIONS):
        phi, slope = systems.residual(q[active], x[active])
        size = np.max(np.abs(phi), axis=1, initial=0.0)
        # what falls no further has arrived where rounding errors end
        stalls = (size > 0.5 * best[active]) & (size < ENOUGH)
        arrived = (size < CLOSED) | stalls
        first = slope if first is None else first
        other = _passed(first[active[arrived]], slope[arrived])
        ok[active[arrived]], crossed[active[arrived]] = ~other, other
        fell = size < 0.5 * best[active]
        since[active] = np.where(fell, 0, since[active] + 1)
        best[active] = np.where(fell, size, best[active])
        stay = ~arrived & np.isfinite(size) & (since[active] < SLOW)
        active = active[stay]
        if not len(active):
            break
        step = _steps(slope[stay] * systems.scale, phi[stay])
        length = np.max(np.abs(step), axis=1, keepdims=True)
        step *= np.minimum(1.0, LONGEST / np.maximum(length, 1e-300))
        travelled[active] += step
        near = np.max(np.abs(travelled[active]), axis=1, initial=0.0) < FARTHEST
        crossed[active[~near]] = True
        active, step = active[near], step[near]
        q[active] = systems.move(q[active], step * systems.scale)
    return q, ok, crossed


def _passed(first: Array, last: Array) -> Mask:
    """Whether a singular position lies between two slopes (N × m × n) of independent conditions."""
    wide = last.shape[1] <= last.shape[2]
    product = last @ first.transpose(0, 2, 1) if wide else first.transpose(0, 2, 1) @ last
    sign, size = np.linalg.slogdet(product)
    # conditions that are redundant have no determinant
    return np.asarray((sign < 0) & (size > DEPENDENT * product.shape[1]))


def _steps(slope: Array, phi: Array) -> Array:
    """δ (N × n) of least length with G δ = −Φ."""
    turned = slope.transpose(0, 2, 1)
    wide = slope.shape[1] <= slope.shape[2]
    square = slope @ turned if wide else turned @ slope
    square += 1e-13 * np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(square.shape[1])
    right = phi[:, :, None] if wide else turned @ phi[:, :, None]
    try:
        found = np.linalg.solve(square, right)
    except np.linalg.LinAlgError:
        found = np.linalg.pinv(square) @ right
    return np.asarray(-(turned @ found if wide else found)[:, :, 0])
