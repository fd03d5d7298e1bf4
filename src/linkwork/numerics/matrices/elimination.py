"""In which order to eliminate in matrices of one pattern: few entries are filled in, and pivots are not small.

Pivots are chosen on one matrix of the family after Markowitz (1957): of the entries that are not small beside the largest of
their row and of their column, the one whose row and column have the fewest others. Where all that is left is rounding error,
the rank is reached. The lists that the kernels of ``least_norm`` follow come from the pattern alone, so that entries which
vanish in the chosen matrix are at home in the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

Integers = NDArray[np.int64]
Triple = tuple[Any, Any, Any]  # slot, to, from

LARGE = 0.1  # part of the largest of its row and of its column that a pivot must have
NOTHING = 1e-11  # part of the largest entry below which nothing is left


@dataclass(frozen=True)
class Pattern:
    """Places of the entries of A (n, m), of b (n) and of W (nc, m), in the order in which a sample has them."""

    shape: tuple[int, int]
    rows: Integers
    columns: Integers
    components: int
    weight_rows: Integers
    weight_columns: Integers

    @property
    def width(self) -> int:
        return self.rows.size + self.shape[0] + self.weight_rows.size

    def dense(self, sample: Array) -> Array:
        """A of one sample."""
        matrix = np.zeros(self.shape)
        matrix[self.rows, self.columns] = sample[: self.rows.size]
        return matrix


@dataclass(frozen=True, eq=False)
class Elimination:
    """Rows and columns in the order of their pivots, the rank, and the lists of operations on slots of entries."""

    pattern: Pattern
    row_order: Integers
    column_order: Integers
    rank: int
    slots: int
    places: Integers  # slots of the entries of A
    steps: Integers
    lower: Integers  # (entries, 3)
    lower_transposed: Integers
    upper: Integers
    upper_transposed: Integers
    left: Integers  # slots behind the last pivot


def order_pivots(matrix: Array, pattern: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Pivots (row, column) of a matrix whose other entries outside the *pattern* are zero in the whole family."""
    left, held = matrix.copy(), pattern.copy()
    zero = NOTHING * np.abs(matrix).max(initial=0.0)
    pivots: list[tuple[int, int]] = []
    while min(left.shape, default=0) > len(pivots):
        size = np.abs(left)
        if not size.max(initial=0.0) > zero:
            break
        high = (size >= LARGE * size.max(axis=1, keepdims=True)) & (size >= LARGE * size.max(axis=0)) & (size > zero)
        cost = np.multiply.outer(held.sum(axis=1) - 1, held.sum(axis=0) - 1)
        best = high & (cost == cost[high].min())
        i, j = np.unravel_index(int(np.argmax(np.where(best, size, -1.0))), size.shape)
        pivots.append((int(i), int(j)))
        below = np.flatnonzero(held[:, j])
        beside = np.flatnonzero(held[i])
        left[np.ix_(below, beside)] -= np.multiply.outer(left[below, j] / left[i, j], left[i, beside])
        held[np.ix_(below, beside)] = True
        left[i], left[:, j], held[i], held[:, j] = 0.0, 0.0, False, False
    return pivots


def plan_elimination(pattern: Pattern, matrix: Array) -> Elimination:
    """The order that suits one matrix of the family, and its lists."""
    held = np.zeros(pattern.shape, dtype=bool)
    held[pattern.rows, pattern.columns] = True
    pivots = order_pivots(matrix, held)
    rows, columns = (_completed([pivot[i] for pivot in pivots], pattern.shape[i]) for i in (0, 1))
    return _listed(pattern, rows, columns, len(pivots), held[np.ix_(rows, columns)])


def _completed(first: list[int], size: int) -> Integers:
    return np.array([*first, *sorted(set(range(size)) - set(first))], dtype=np.int64)


def _listed(pattern: Pattern, rows: Integers, columns: Integers, rank: int, held: NDArray[np.bool_]) -> Elimination:
    """Lists for matrices in the order of the pivots, which stand on the diagonal."""
    n, m = held.shape
    for k in range(rank):
        held[k + 1 :, k + 1 :] |= np.multiply.outer(held[k + 1 :, k], held[k, k + 1 :])
    slot = np.full((n, m), -1, dtype=np.int64)
    slot[held] = np.arange(np.count_nonzero(held))
    steps = [rank]
    lower: list[list[Triple]] = []
    upper: list[list[Triple]] = []
    for k in range(rank):
        below, beside = (k + 1 + np.flatnonzero(item) for item in (held[k + 1 :, k], held[k, k + 1 :]))
        steps += [slot[k, k], below.size, beside.size, *slot[k, beside]]
        for i in below:
            steps += [slot[i, k], *slot[i, beside]]
        lower.append([(slot[i, k], i, k) for i in below])
        upper.append([(slot[k, j], k, j) for j in beside])
    turned = [[(s, k, i) for s, i, k in column] for column in reversed(lower)]
    back = [[*row, (slot[k, k], k, -1)] for k, row in reversed(list(enumerate(upper)))]
    forth = [[(slot[k, k], k, -1), *((s, j, k) for s, _, j in row)] for k, row in enumerate(upper)]
    at_row, at_column = np.argsort(rows), np.argsort(columns)
    left = [slot[i, j] for i, j in product(range(rank, n), range(rank, m)) if held[i, j]]
    return Elimination(
        pattern=pattern,
        row_order=rows,
        column_order=columns,
        rank=rank,
        slots=int(np.count_nonzero(held)),
        places=slot[at_row[pattern.rows], at_column[pattern.columns]],
        steps=np.array(steps, dtype=np.int64),
        lower=_triples(lower),
        lower_transposed=_triples(turned),
        upper=_triples(back),
        upper_transposed=_triples(forth),
        left=np.array(left, dtype=np.int64),
    )


def _triples(groups: list[list[Triple]]) -> Integers:
    return np.array([item for group in groups for item in group], dtype=np.int64).reshape(-1, 3)
