"""In which order to eliminate in matrices of one pattern: few entries are filled in, and pivots are not small.

Pivots are chosen on one matrix of the family after Markowitz (1957): of the entries that are not small beside the largest of
their row and of their column, one whose row and column have few others. Where all that is left is rounding error, the rank
is reached. The lists that the kernels of ``least_norm`` follow come from the pattern alone, so that entries which vanish in
the chosen matrix are at home in the others. Rows and columns are those of a sparse matrix: a pivot costs what it touches.

What the matrices leave free falls into groups of unknowns, of which those who know the pattern tell: A z = 0 holds for the
part of z in every group alone. Its basis is looked for in each of them by itself.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.matrices.long_rows import LongRows

Integers = NDArray[np.int64]
Triple = tuple[Any, Any, Any]  # slot, to, from

LARGE = 0.1  # part of the largest of its row and of its column that a pivot must have
NOTHING = 1e-11  # part of the largest entry below which nothing is left
_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Pattern:
    """Places of the entries of A (n, m), of b (n) and of W (nc, m), in the order in which a sample has them.

    groups: (m) the number of the group of every unknown; None where all are one
    """

    shape: tuple[int, int]
    rows: Integers
    columns: Integers
    components: int
    weight_rows: Integers
    weight_columns: Integers
    groups: Integers | None = None

    @property
    def width(self) -> int:
        return self.rows.size + self.shape[0] + self.weight_rows.size

    def parts(self, sample: Array) -> tuple[LongRows, Array, Array]:
        """A, b and the entries of W of one sample."""
        first = self.rows.size
        matrix = LongRows.of_entries(self.shape, self.rows, self.columns, sample[:first])
        return matrix, sample[first : first + self.shape[0]], sample[first + self.shape[0] : self.width]


@dataclass(frozen=True)
class Pivot:
    """An entry by which a column is cleared: the other rows of the column, and the other columns of the row."""

    row: int
    column: int
    below: tuple[int, ...]
    beside: tuple[int, ...]


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
    pivots: Integers  # slots of the pivots


class SparseMatrix:
    """What is left of a matrix while pivots are taken out of it; entries of the pattern count though they be zero."""

    def __init__(self, shape: tuple[int, int], rows: Sequence[int], columns: Sequence[int], values: Array) -> None:
        self.rows: list[dict[int, float]] = [{} for _ in range(shape[0])]
        self.columns: list[set[int]] = [set() for _ in range(shape[1])]
        for i, j, value in zip(rows, columns, values.tolist(), strict=True):
            self.rows[i][j] = value
            self.columns[j].add(i)
        self.largest = [self._largest(j) for j in range(shape[1])]

    def _largest(self, j: int) -> float:
        return max((abs(self.rows[i][j]) for i in self.columns[j]), default=0.0)

    def candidate(self, i: int, zero: float) -> tuple[int, float, int] | None:
        """The entry of a row that touches the fewest others: how many it touches, its size with a minus, its column."""
        row = self.rows[i]
        least = max(LARGE * max(map(abs, row.values()), default=0.0), zero)
        others, columns, largest = len(row) - 1, self.columns, self.largest
        return min(
            (
                (others * (len(columns[j]) - 1), -abs(x), j)
                for j, x in row.items()
                if abs(x) >= least and abs(x) > zero and abs(x) >= LARGE * largest[j]
            ),
            default=None,
        )

    def take(self, i: int, j: int) -> Pivot:
        """Clear a column by its entry in a row, and forget both."""
        row = self.rows[i]
        pivot, self.rows[i] = row.pop(j), {}
        below = self.columns[j] - {i}
        self.columns[j] = set()
        for k in below:
            other = self.rows[k]
            factor = other.pop(j) / pivot
            for column, value in row.items():
                other[column] = other.get(column, 0.0) - factor * value
        for column in row:
            self.columns[column] |= below
            self.columns[column].discard(i)
            self.largest[column] = self._largest(column)
        return Pivot(i, j, tuple(below), tuple(row))


def order_pivots(matrix: SparseMatrix) -> list[Pivot]:
    """Pivots of a matrix, one after the other, until nothing is left."""
    zero = NOTHING * max(matrix.largest, default=0.0)
    pivots: list[Pivot] = []
    versions = [0] * len(matrix.rows)
    waiting: list[tuple[float, float, int, int, int]] = []  # cost, size with a minus, row, column or −1, version

    def look_again(rows: Iterable[int]) -> None:
        for i in rows:
            versions[i] += 1
            # what a row costs at least, so that long ones need not be searched
            heapq.heappush(waiting, (len(matrix.rows[i]) - 1, 0.0, i, -1, versions[i]))

    look_again(range(len(matrix.rows)))
    while waiting:
        _, _, i, j, version = heapq.heappop(waiting)
        if version != versions[i]:
            continue
        if j < 0:
            found = matrix.candidate(i, zero)
            if found is not None:
                heapq.heappush(waiting, (found[0], found[1], i, found[2], version))
            continue
        pivots.append(matrix.take(i, j))
        versions[i] += 1
        look_again(set(pivots[-1].below).union(*(matrix.columns[column] for column in pivots[-1].beside)))
    return pivots


def plan_elimination(pattern: Pattern, sample: Array) -> Elimination:
    """The order that suits one sample of the family, and its lists."""
    values = sample[: pattern.rows.size]
    pivots = order_pivots(SparseMatrix(pattern.shape, pattern.rows.tolist(), pattern.columns.tolist(), values))
    rows, columns = (
        _completed([getattr(pivot, name) for pivot in pivots], size)
        for name, size in zip(("row", "column"), pattern.shape, strict=True)
    )
    return _listed(pattern, rows, columns, pivots)


def _completed(first: list[int], size: int) -> Integers:
    return np.array([*first, *sorted(set(range(size)) - set(first))], dtype=np.int64)


def _listed(pattern: Pattern, rows: Integers, columns: Integers, pivots: list[Pivot]) -> Elimination:
    """Lists for matrices in the order of the pivots, which stand on the diagonal."""
    at_row, at_column, rank = np.argsort(rows), np.argsort(columns), len(pivots)
    own = list(zip(at_row[pattern.rows].tolist(), at_column[pattern.columns].tolist(), strict=True))
    touched = [(sorted(at_row[list(x.below)].tolist()), sorted(at_column[list(x.beside)].tolist())) for x in pivots]
    filled = ((i, j) for below, beside in touched for i in below for j in beside)
    slot = {place: number for number, place in enumerate(sorted({*own, *filled}))}
    steps = [rank]
    lower: list[list[Triple]] = []
    upper: list[list[Triple]] = []
    for k, (below, beside) in enumerate(touched):
        steps += [slot[k, k], len(below), len(beside), *(slot[k, j] for j in beside)]
        for i in below:
            steps += [slot[i, k], *(slot[i, j] for j in beside)]
        lower.append([(slot[i, k], i, k) for i in below])
        upper.append([(slot[k, j], k, j) for j in beside])
    turned = [[(s, k, i) for s, i, k in column] for column in reversed(lower)]
    back = [[*row, (slot[k, k], k, -1)] for k, row in reversed(list(enumerate(upper)))]
    forth = [[(slot[k, k], k, -1), *((s, j, k) for s, _, j in row)] for k, row in enumerate(upper)]
    return Elimination(
        pattern=pattern,
        row_order=rows,
        column_order=columns,
        rank=rank,
        slots=len(slot),
        places=np.array([slot[place] for place in own], dtype=np.int64),
        steps=np.array(steps, dtype=np.int64),
        lower=_triples(lower),
        lower_transposed=_triples(turned),
        upper=_triples(back),
        upper_transposed=_triples(forth),
        left=np.array([number for (i, j), number in slot.items() if min(i, j) >= rank], dtype=np.int64),
        pivots=np.array([slot[k, k] for k in range(rank)], dtype=np.int64),
    )


def _triples(groups: list[list[Triple]]) -> Integers:
    return np.array([item for group in groups for item in group], dtype=np.int64).reshape(-1, 3)


@dataclass(frozen=True)
class FreeGroup:
    """Unknowns with some that are free: how many, how many are free, their components, and the list for ``free_group``."""

    size: int
    nullity: int
    parts: int
    listed: Integers


def free_groups(plan: Elimination, weight_columns: Integers) -> Iterator[FreeGroup]:
    """The groups in which something is free; *weight_columns*: of the entries of W, in the order of the pivots."""
    pattern, columns = plan.pattern, plan.column_order
    numbers = np.zeros(columns.size, dtype=np.int64) if pattern.groups is None else pattern.groups[columns]
    to, source = plan.upper[:, 1], plan.upper[:, 2]
    inside = np.flatnonzero((source < 0) | (numbers[to] == numbers[source]))
    members = _sorted_out(np.arange(columns.size), numbers)
    entries = _sorted_out(inside, numbers[to[inside]])
    weights = _sorted_out(np.arange(weight_columns.size), numbers[weight_columns])
    local = np.empty(columns.size, dtype=np.int64)
    for number in dict.fromkeys(numbers[plan.rank :].tolist()):
        own, weighed, rows = members[number], weights.get(number, _NONE), plan.upper[entries.get(number, _NONE)]
        local[own] = np.arange(own.size)
        inner = np.column_stack([rows[:, 0], local[rows[:, 1]], np.where(rows[:, 2] < 0, -1, local[rows[:, 2]])])
        parts, part = np.unique(pattern.weight_rows[weighed], return_inverse=True)
        weighing = np.column_stack([weighed, part, local[weight_columns[weighed]]])
        nullity = int(np.count_nonzero(own >= plan.rank))
        head = np.array([own.size, nullity, len(inner), len(weighing), parts.size])
        lists = [head, own, parts, inner.ravel(), weighing.ravel()]
        yield FreeGroup(own.size, nullity, parts.size, np.concatenate(lists))


def _sorted_out(places: Integers, numbers: Integers) -> dict[int, Integers]:
    """The places of every number, in their order."""
    order = np.argsort(numbers, kind="stable")
    known, first = np.unique(numbers[order], return_index=True)
    parts = np.split(places[order], first)[1:]
    return dict(zip(known.tolist(), parts, strict=True))
