"""In which order a symmetric system is eliminated by straight-line code, ``algebra.linear.solve_symmetric``.

The order is chosen once, from the numbers of a typical state: a pivot must be small neither against the terms that
formed it (no cancellation) nor so that its elimination swamps other pivots, and among those that are not, the one with
the fewest neighbours comes first (little fill-in). These measures do not depend on units or on the scaling of rows. A
multiplier has no pivot of its own before one of the coordinates it acts on has been eliminated, so the order is that of
a saddle-point system by itself. Straight-line code cannot pivot at run time; it reports its smallest pivot, relative to
that of the typical state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

THRESHOLDS = (0.05, 0.01, 1e-3, 1e-4, 1e-5)  # smallest pivot over the sum of its terms; the first that works is used

NOISE = 1e-12

EliminationOrder = list[tuple[int, ...]]


def choose_order(matrix: Array, pattern: NDArray[np.bool_]) -> EliminationOrder | None:
    """The order of pivots for a symmetric matrix (n × n) with the given pattern of non-zeros; None if there is none.

    A pivot is one index, or two whose 2 × 2 block is regular where no single one is: a coordinate without mass together
    with a multiplier that acts on it.
    """
    numbers = np.where(_is_noise(matrix), 0.0, matrix)
    # where the order with little fill-in runs into a dead end, rows without a diagonal wait until all others are gone
    waiting = frozenset(np.flatnonzero(np.diag(numbers) == 0.0).tolist())
    orders = (
        _order(numbers.copy(), pattern | (numbers != 0.0), threshold, late)
        for threshold in THRESHOLDS
        for late in (frozenset[int](), waiting)
    )
    return next((order for order in orders if order is not None), None)


def _is_noise(matrix: Array) -> NDArray[np.bool_]:
    """Entries that would be zero but for rounding: small in a matrix whose rows have been brought to one size."""
    scale = np.ones(len(matrix))
    for _ in range(6):
        size = np.max(np.abs(matrix * np.outer(scale, scale)), axis=1, initial=0.0)
        scale /= np.sqrt(np.where(size > 0.0, size, 1.0))
    return np.asarray(np.abs(matrix * np.outer(scale, scale)) < NOISE)


def _order(work: Array, graph: NDArray[np.bool_], threshold: float, late: frozenset[int]) -> EliminationOrder | None:
    left = list(range(len(work)))
    terms = np.abs(work)  # the sizes of all that formed each entry: |aᵢⱼ| + Σ |aᵢₖ| |dₖ⁻¹| |aₖⱼ|
    order: EliminationOrder = []
    while left:
        early = [i for i in left if i not in late] or left
        best = _single(work, graph, terms, early, threshold) or _pair(work, graph, terms, early, threshold)
        if best is None:
            return None
        order.append(best)
        left = [i for i in left if i not in best]
        near = [i for i in left if graph[i, list(best)].any()]
        columns, inverse = work[np.ix_(left, best)], np.linalg.inv(work[np.ix_(best, best)])
        rest = np.ix_(left, left)
        terms[rest] += np.abs(columns) @ np.abs(inverse) @ np.abs(columns.T)
        changed = work[rest] - columns @ inverse @ columns.T
        work[rest] = np.where(np.abs(changed) > NOISE * terms[rest], changed, 0.0)
        graph[np.ix_(near, near)] = True
    return order


def _single(
    work: Array, graph: NDArray[np.bool_], terms: Array, left: list[int], threshold: float
) -> tuple[int, ...] | None:
    sizes = np.diag(terms)[left]
    sound = []
    for i in left:
        pivot = abs(work[i, i])
        # neither formed by cancellation nor so small that it swamps the pivots that are left
        growth = work[i, left] ** 2 * threshold <= pivot * sizes
        if pivot > threshold * terms[i, i] and bool(np.all(growth | (sizes == 0.0))):
            sound.append(i)
    if not sound:
        return None
    return (min(sound, key=lambda i: (int(graph[i, left].sum()), -abs(work[i, i]) / terms[i, i], i)),)


def _pair(
    work: Array, graph: NDArray[np.bool_], terms: Array, left: list[int], threshold: float
) -> tuple[int, ...] | None:
    best: tuple[float, tuple[int, int]] | None = None
    for a, i in enumerate(left):
        for j in left[a + 1 :]:
            product, cross = work[i, i] * work[j, j], work[i, j] ** 2
            size = terms[i, i] * terms[j, j] + terms[i, j] ** 2
            if cross > 0.0 and abs(product - cross) > threshold * size:
                fill = float((graph[i, left] | graph[j, left]).sum()) - abs(product - cross) / size
                best = min(best, (fill, (i, j))) if best else (fill, (i, j))
    return best[1] if best else None
