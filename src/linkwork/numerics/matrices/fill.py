"""In which order the columns of a sparse matrix are taken, so that little fills in whatever rows give the pivots.

The factors of B have no entries but those of the Cholesky factor of BᵀB, wherever its pivots stand (George and Ng, 1985). So
the column that shares rows with the fewest others comes first, then they share what they shared with it.
"""

from __future__ import annotations

import heapq
from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.numerics.kernels.linear.sparse_lu import SparseLu

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Columns:
    """A sparse matrix by columns: where each starts among the entries, and the rows of these.

    order: in which the columns come; lower, upper: entries that their factors have
    """

    size: int
    starts: Integers
    rows: Integers
    order: Integers
    lower: int
    upper: int

    def memory(self, diagonal: float = 0.0) -> SparseLu:
        """The record in which kernels factor such matrices, with room for columns that are left out."""
        count = self.starts.size - 1
        memory = SparseLu(
            size=self.size,
            columns=count,
            entries=self.rows.size,
            lower_room=2 * self.lower + self.size,
            upper_room=self.upper + self.size,
            taken=count,
            diagonal=diagonal,
        )
        memory.starts[:], memory.places[:], memory.order[:] = self.starts, self.rows, self.order
        memory.scales[:] = memory.row_scales[:] = 1.0
        return memory


def by_columns(size: int, starts: ArrayLike, rows: ArrayLike, late: Container[int] = ()) -> Columns:
    """The matrix (size × n) with an order; the columns in *late* come behind all others."""
    first, places = np.array(starts, dtype=np.int64), np.array(rows, dtype=np.int64)
    taken = fewest_neighbours(size, first, places, late)
    lower = _rows_below(size, first, places, taken)
    return Columns(
        size, first, places, np.array([column for column, _ in taken]), lower, sum(1 + len(near) for _, near in taken)
    )


def fewest_neighbours(
    size: int, starts: Integers, rows: Integers, late: Container[int] = ()
) -> list[tuple[int, set[int]]]:
    """The columns in their order, each with those behind it that have an entry in its row of the triangle of BᵀB."""
    near = _sharing(size, starts, rows)
    waiting = [(column in late, len(others), column) for column, others in enumerate(near)]
    heapq.heapify(waiting)
    left = set(range(len(near)))
    found: list[tuple[int, set[int]]] = []
    while waiting:
        _, length, column = heapq.heappop(waiting)
        others = near[column]
        if column not in left or length != len(others):
            continue
        left.discard(column)
        found.append((column, others))
        for other in others:
            mine = near[other]
            mine |= others
            mine -= {column, other}
            heapq.heappush(waiting, (other in late, len(mine), other))
    return found


def _sharing(size: int, starts: Integers, rows: Integers) -> list[set[int]]:
    """Of each column those that share a row with it."""
    columns = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    touching: list[list[int]] = [[] for _ in range(size)]
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        touching[row].append(column)
    near: list[set[int]] = [set() for _ in range(starts.size - 1)]
    for together in touching:
        for column in together:
            near[column].update(together)
    for column, others in enumerate(near):
        others.discard(column)
    return near


def _rows_below(size: int, starts: Integers, rows: Integers, taken: list[tuple[int, set[int]]]) -> int:
    """Entries that L may have: a column hands the rows that it has touched on, less its pivot, to the next one."""
    place = {column: k for k, (column, _) in enumerate(taken)}
    touched = [0] * len(taken)
    known = [False] * size
    for k, (column, _) in enumerate(taken):
        for row in rows[starts[column] : starts[column + 1]].tolist():
            touched[k] += not known[row]
            known[row] = True
    for k, (_, others) in enumerate(taken):
        if others:
            touched[min(place[other] for other in others)] += max(touched[k] - 1, 0)
    return sum(touched)
