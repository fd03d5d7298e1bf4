"""In which order a symmetric system is eliminated by straight-line code, ``algebra.linear.solve_symmetric``.

The order is chosen once, from the numbers of a typical state: a pivot must be small neither against the terms that
formed it (no cancellation) nor so that its elimination swamps other pivots, and among those that are not, the one with
the fewest neighbours comes first (little fill-in). These measures do not depend on units or on the scaling of rows. A
multiplier has no pivot of its own before one of the coordinates it acts on has been eliminated, so the order is that of
a saddle-point system by itself. Straight-line code cannot pivot at run time; it reports its smallest pivot, relative to
that of the typical state.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import coo_array, sparray

THRESHOLDS = (0.05, 0.01, 1e-3, 1e-4, 1e-5)  # smallest pivot over the sum of its terms; the first that works is used

NOISE = 1e-12

EliminationOrder = list[tuple[int, ...]]
_Rows = list[dict[int, float]]


def choose_order(matrix: Array | sparray, pattern: NDArray[np.bool_] | sparray) -> EliminationOrder | None:
    """The order of pivots for a symmetric matrix (n × n) with the given pattern of non-zeros; None if there is none.

    A pivot is one index, or two whose 2 × 2 block is regular where no single one is: a coordinate without mass together
    with a multiplier that acts on it. What a pivot costs is what it touches, however large the matrix.
    """
    from scipy.sparse import coo_array  # slow to import, and most mechanisms have no such system

    numbers, n = _without_noise(coo_array(matrix)), matrix.shape[0]
    entries = list(zip(numbers.row.tolist(), numbers.col.tolist(), numbers.data.tolist(), strict=True))
    places = coo_array(pattern)
    known = {*zip(places.row.tolist(), places.col.tolist(), strict=True), *((i, j) for i, j, _ in entries)}
    # where the order with little fill-in runs into a dead end, rows without a diagonal wait until all others are gone
    waiting = frozenset(range(n)) - {i for i, j, _ in entries if i == j}
    orders = (
        _Left(n, entries, known, threshold, late).order()
        for threshold in THRESHOLDS
        for late in (frozenset[int](), waiting)
    )
    return next((order for order in orders if order is not None), None)


def _without_noise(matrix: coo_array) -> coo_array:
    """The matrix less entries that would be zero but for rounding: small where all rows have been brought to one size."""
    rows, columns, values = matrix.row, matrix.col, np.abs(matrix.data)
    scale = np.ones(matrix.shape[0])
    for _ in range(6):
        size = np.zeros_like(scale)
        np.maximum.at(size, rows, values * scale[rows] * scale[columns])
        scale /= np.sqrt(np.where(size > 0.0, size, 1.0))
    clear = values * scale[rows] * scale[columns] >= NOISE
    return type(matrix)((matrix.data[clear], (rows[clear], columns[clear])), shape=matrix.shape)


class _Left:
    """What is left of a matrix while pivots are taken out of it."""

    def __init__(
        self,
        n: int,
        entries: Iterable[tuple[int, int, float]],
        pattern: Iterable[tuple[int, int]],
        threshold: float,
        late: frozenset[int],
    ) -> None:
        self.threshold, self.late = threshold, late
        self.left = set(range(n))
        self.work: _Rows = [{} for _ in range(n)]
        self.terms: _Rows = [
            {} for _ in range(n)
        ]  # the sizes of all that formed each entry: |aᵢⱼ| + Σ |aᵢₖ| |dₖ⁻¹| |aₖⱼ|
        self.graph: list[set[int]] = [set() for _ in range(n)]
        for i, j, value in entries:
            self.work[i][j], self.terms[i][j] = value, abs(value)
        for i, j in pattern:
            self.graph[i].add(j)
        self.versions = [0] * n
        self.waiting: list[tuple[tuple[bool, int, float, int], int]] = []  # what speaks for a sound pivot; its version

    def order(self) -> EliminationOrder | None:
        """All pivots, one after the other; None where there is none that is sound."""
        order: EliminationOrder = []
        self._look_again(self.left)
        while self.left:
            best = self._single() or self._pair()
            if best is None:
                return None
            order.append(best)
            self._take(best)
        return order

    def _look_again(self, rows: Iterable[int]) -> None:
        for i in rows:
            self.versions[i] += 1
            if self._is_sound(i):
                key = i in self.late, self._neighbours(i), -abs(self.work[i][i]) / self.terms[i][i], i
                heapq.heappush(self.waiting, (key, self.versions[i]))

    def _meet(self, i: int, j: int) -> bool:
        """Whether they are eliminated together: those that wait come when all others are gone."""
        return (i in self.late) == (j in self.late)

    def _neighbours(self, *rows: int) -> int:
        near = set().union(*(self.graph[i] for i in rows))
        return sum(self._meet(rows[0], j) for j in near) if self.late else len(near)

    def _is_sound(self, i: int) -> bool:
        """Whether a pivot is neither formed by cancellation nor so small that it swamps the pivots that are left."""
        pivot = abs(self.work[i].get(i, 0.0))
        if not pivot > self.threshold * self.terms[i].get(i, 0.0):
            return False
        sizes = ((value, self.terms[j].get(j, 0.0)) for j, value in self.work[i].items() if self._meet(i, j))
        return all(value * value * self.threshold <= pivot * size or size == 0.0 for value, size in sizes)

    def _single(self) -> tuple[int, ...] | None:
        while self.waiting:
            (late, _, _, i), version = self.waiting[0]
            if i in self.left and version == self.versions[i]:
                # those that wait do so as long as any other is left
                if late and any(j not in self.late for j in self.left):
                    return None
                return (i,)
            heapq.heappop(self.waiting)
        return None

    def _pair(self) -> tuple[int, ...] | None:
        early = [i for i in sorted(self.left) if i not in self.late] or sorted(self.left)
        known, work, terms = set(early), self.work, self.terms
        best: tuple[float, tuple[int, int]] | None = None
        for i in early:
            for j in (j for j in work[i] if j > i and j in known):
                product, cross = work[i].get(i, 0.0) * work[j].get(j, 0.0), work[i][j] ** 2
                size = terms[i].get(i, 0.0) * terms[j].get(j, 0.0) + terms[i][j] ** 2
                if cross > 0.0 and abs(product - cross) > self.threshold * size:
                    fill = self._neighbours(i, j) - abs(product - cross) / size
                    best = min(best, (fill, (i, j))) if best else (fill, (i, j))
        return best[1] if best else None

    def _take(self, pivot: tuple[int, ...]) -> None:
        """Eliminate a pivot."""
        near = sorted(set().union(*(self.graph[i] for i in pivot)).difference(pivot))
        columns = np.array([[self.work[j].get(i, 0.0) for i in pivot] for j in near]).reshape(len(near), len(pivot))
        inverse = np.linalg.inv(np.array([[self.work[i].get(j, 0.0) for j in pivot] for i in pivot]))
        changes = (columns @ inverse @ columns.T).tolist()
        sizes = (np.abs(columns) @ np.abs(inverse) @ np.abs(columns.T)).tolist()
        self.left.difference_update(pivot)
        everyone = set(near)
        for i, change, size in zip(near, changes, sizes, strict=True):
            work, terms = self.work[i], self.terms[i]
            for j in pivot:
                work.pop(j, None)
                terms.pop(j, None)
            for j, less, more in zip(near, change, size, strict=True):
                terms[j] = terms.get(j, 0.0) + more
                value = work.get(j, 0.0) - less
                if abs(value) > NOISE * terms[j]:
                    work[j] = value
                else:
                    work.pop(j, None)
            self.graph[i].difference_update(pivot)
            self.graph[i] |= everyone
        # the pivots of neighbours are judged by what has changed too
        self._look_again(everyone.union(*(self.work[i] for i in near)))
