"""Rows of which each has few entries: what conditions of large mechanisms are, so that nothing is as large as their square.

Where NumPy asks for an array, it gets the whole matrix: right everywhere, and slow where there are many rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

Integers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LongRows:
    """Rows (m × width): the entries of row i are those from starts[i] on, up to starts[i + 1], columns rising."""

    width: int
    starts: Integers  # (m + 1)
    columns: Integers
    values: Array

    @classmethod
    def of_entries(cls, shape: tuple[int, int], rows: Integers, columns: Integers, values: Array) -> LongRows:
        """From entries in any order, each place once."""
        order = np.lexsort((columns, rows))
        starts = np.append(0, np.cumsum(np.bincount(rows, minlength=shape[0])))
        return cls(shape[1], starts, np.asarray(columns)[order], np.asarray(values, dtype=np.float64)[order])

    @classmethod
    def of_array(cls, rows: Array) -> LongRows:
        """The entries of a matrix that are not zero."""
        at, columns = np.nonzero(rows)
        return cls.of_entries((rows.shape[0], rows.shape[1]), at, columns, rows[at, columns])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.width

    @property
    def size(self) -> int:
        return len(self) * self.width

    @cached_property
    def owners(self) -> Integers:
        """The row of every entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        whole = np.zeros(self.shape, dtype=dtype or np.float64)
        whole[self.owners, self.columns] = self.values
        return whole

    def with_values(self, values: Array) -> LongRows:
        """Other values at the same places."""
        return replace(self, values=values)

    def row(self, i: int) -> Array:
        """A row (width) with all its zeros."""
        found, part = np.zeros(self.width), slice(self.starts[i], self.starts[i + 1])
        found[self.columns[part]] = self.values[part]
        return found

    def __getitem__(self, places: Sequence[int] | Integers) -> LongRows:
        """Some of the rows, in the order of *places*."""
        chosen = np.asarray(places, dtype=np.intp)
        counts = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(counts))
        entries = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], counts)
        return LongRows(self.width, starts, self.columns[entries], self.values[entries])

    def __matmul__(self, other: Array) -> Array:
        """Products with a vector (width) or with columns (width × k)."""
        if other.ndim == 1:
            return self._sums(self.values * other[self.columns])
        parts = [self @ column for column in other.T]
        return np.array(parts).T if parts else np.zeros((len(self), 0))

    def onto(self, others: LongRows) -> LongRows:
        """Products of rows with *others* (m × count), where both have entries."""
        order = np.argsort(others.columns, kind="stable")
        first = np.searchsorted(others.columns[order], np.arange(self.width + 1))
        counts = np.diff(first)[self.columns]
        each = np.repeat(np.arange(self.values.size), counts)
        before = np.cumsum(counts) - counts
        places = order[np.arange(each.size) + np.repeat(first[self.columns] - before, counts)]
        pairs, at = np.unique(self.owners[each] * len(others) + others.owners[places], return_inverse=True)
        products = np.bincount(at, self.values[each] * others.values[places], minlength=pairs.size)
        rows, columns = np.divmod(pairs, max(len(others), 1))
        return LongRows.of_entries((len(self), len(others)), rows, columns, products.astype(np.float64))

    def __truediv__(self, sizes: Array) -> LongRows:
        """Every row over its size (m × 1)."""
        return self.with_values(self.values / np.ravel(sizes)[self.owners])

    def lengths(self) -> Array:
        """The length of every row."""
        return np.sqrt(self._sums(self.values**2))

    def _sums(self, entries: Array) -> Array:
        """The sum of the entries of every row."""
        return np.bincount(self.owners, entries, minlength=len(self)).astype(np.float64)

    def entries(self) -> tuple[list[Integers], list[Array]]:
        """Columns and values of the entries of every row, without those that are zero."""
        known = self.values != 0.0
        cuts = np.cumsum(np.bincount(self.owners[known], minlength=len(self)))[:-1]
        columns, values = np.split(self.columns[known], cuts), np.split(self.values[known], cuts)
        return columns[: len(self)], values[: len(self)]


AnyRows: TypeAlias = Array | LongRows
"""Rows (m × n) either way."""


def stacked(parts: Sequence[AnyRows]) -> AnyRows:
    """Rows one below the other; short ways are kept where there are any."""
    if not any(isinstance(part, LongRows) for part in parts):
        return np.vstack([np.asarray(part) for part in parts])
    long = [part if isinstance(part, LongRows) else LongRows.of_array(np.atleast_2d(part)) for part in parts]
    counts = np.concatenate([np.diff(part.starts) for part in long])
    columns, values = (np.concatenate([getattr(part, name) for part in long]) for name in ("columns", "values"))
    return LongRows(long[0].width, np.append(0, np.cumsum(counts)), columns, values)


def is_finite(rows: AnyRows) -> bool:
    """Whether all entries are numbers."""
    return bool(np.all(np.isfinite(rows.values if isinstance(rows, LongRows) else rows)))


def row_of(rows: AnyRows, i: int) -> Array:
    """A row with all its zeros."""
    return rows.row(i) if isinstance(rows, LongRows) else rows[i]
