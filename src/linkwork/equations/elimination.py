"""Symmetric elimination written out as straight-line code: A x = r by LDLᵀ with a fixed order of pivots.

The order is chosen once, from the numbers of a typical state: a pivot must be small neither against the terms that
formed it (no cancellation) nor so that its elimination swamps other pivots, and among those that are not, the one with
the fewest neighbours comes first (little fill-in). These measures do not depend on units or on the scaling of rows. A
multiplier has no pivot of its own before one of the coordinates it acts on has been eliminated, so the order is that of
a saddle-point system by itself. Straight-line code cannot pivot at run time; it reports its smallest pivot, relative to
that of the typical state.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

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


def solve_symmetric(matrix: ca.SX, right: ca.SX, order: Sequence[tuple[int, ...]]) -> tuple[ca.SX, list[ca.SX]]:
    """x and the pivots (determinants of 2 × 2 ones), for a symmetric SX matrix (n × n) and right-hand side (n)."""
    n = matrix.shape[0]
    rows: list[dict[int, ca.SX]] = [{} for _ in range(n)]
    for i, j in zip(*matrix.sparsity().get_triplet(), strict=True):
        rows[i][j] = matrix[i, j]
    x = [right[i] for i in range(n)]
    pivots: list[ca.SX] = []
    steps: list[tuple[_Block, dict[int, tuple[ca.SX, ...]]]] = []
    for indices in order:
        block = _Block(indices, rows)
        near = {j: None for i in indices for j in rows[i] if j not in indices}
        columns = {j: [rows[i].get(j, ca.SX(0)) for i in indices] for j in near}
        factors = {j: block.solve(column) for j, column in columns.items()}
        _eliminate(rows, x, indices, columns, factors)
        pivots.append(block.determinant)
        steps.append((block, factors))
    for block, factors in reversed(steps):
        values = block.solve([x[i] for i in block.indices])
        for k, i in enumerate(block.indices):
            x[i] = values[k] - sum((factor[k] * x[j] for j, factor in factors.items()), ca.SX(1, 1))
    return (ca.vertcat(*x) if n else ca.SX(0, 1)), pivots


def _eliminate(
    rows: list[dict[int, ca.SX]],
    x: list[ca.SX],
    indices: tuple[int, ...],
    columns: dict[int, list[ca.SX]],
    factors: dict[int, tuple[ca.SX, ...]],
) -> None:
    """Subtract the pivot rows from all rows they touch: a_jl −= f_j·c_l."""
    for j, factor in factors.items():
        for k, i in enumerate(indices):
            x[j] = x[j] - factor[k] * x[i]
            rows[j].pop(i, None)
        for l, column in columns.items():
            if l >= j:
                change = sum((factor[k] * column[k] for k in range(len(indices))), ca.SX(1, 1))
                rows[j][l] = rows[l][j] = rows[j].get(l, ca.SX(0)) - change


class _Block:
    """A pivot of one or two indices."""

    def __init__(self, indices: tuple[int, ...], rows: list[dict[int, ca.SX]]) -> None:
        self.indices = indices
        i, j = indices[0], indices[-1]
        self._a, self._b, self._c = (rows[m].get(l, ca.SX(0)) for m, l in ((i, i), (i, j), (j, j)))
        self.determinant = self._a if len(indices) == 1 else self._a * self._c - self._b**2

    def solve(self, right: list[ca.SX]) -> tuple[ca.SX, ...]:
        """D⁻¹ r."""
        if len(self.indices) == 1:
            return (right[0] / self.determinant,)
        first, second = right
        return (
            (self._c * first - self._b * second) / self.determinant,
            (self._a * second - self._b * first) / self.determinant,
        )
