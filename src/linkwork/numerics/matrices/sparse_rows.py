"""Rows of which each touches few unknowns: rank, null space and shortest solutions without a singular value of the whole.

Columns are eliminated one after the other by reflections of those rows alone that touch them, fewest rows first, as long as
their pivots are clear. What is left, C, stands in few columns x₂: the freedoms, and what depends on each other or nearly so,

    Qᵀ A = [R  S; 0  C],     R x₁ + S x₂ = d,     C x₂ = e.

All x with the first rows are x₀ + N w, with N orthonormal over [−R⁻¹S; 1] and C x₂ = K w. The small singular values of A
are those of K, but for the square of their part of those of R, so that K decides on the rank. Tree-like parts of a mechanism
leave nothing in C: their rank needs no decision. Of the solutions, the shortest is x₀ + N w with
w = K⁺(e + K Nᵀx₀) − Nᵀx₀. A. George, M. T. Heath, *Solution of sparse linear least squares problems using Givens
rotations*, Linear Algebra and its Applications 34 (1980); M. T. Heath, *Some extensions of an algorithm for sparse linear
least squares problems*, SIAM J. Sci. Stat. Comput. 3 (1982), for rows that depend on each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.matrices.long_rows import AnyRows, Integers, LongRows

CLEAR = 1e-4  # of a row of length one: a pivot that is no question of rank
MANY = 100  # columns, above which scalar products are ahead of reflections
APART = (
    1e-3  # smallest pivot of scalar products beside the largest, with which a second time leaves rounding errors alone
)


@dataclass(frozen=True, eq=False)
class _Pivot:
    """A row that gives the unknown of a column from those of other columns: *pivot* x + *factors* · x[others] = due."""

    column: int
    row: int
    pivot: float
    others: Integers
    factors: Array


class SparseRows:
    """Rows A (m × n) of length one, eliminated together with right sides (m)."""

    def __init__(self, rows: AnyRows, right: Array | None = None, clear: float = CLEAR) -> None:
        m, self._n = rows.shape
        self._right = np.zeros(m) if right is None else np.array(right, dtype=np.float64)
        self._columns, self._values = (rows if isinstance(rows, LongRows) else LongRows.of_array(rows)).entries()
        self._pivots: list[_Pivot] = []
        self._rest = np.ones(m, dtype=bool)
        self._core = np.ones(self._n, dtype=bool)
        self._eliminate(clear)

    def _eliminate(self, clear: float) -> None:
        m, touched = len(self._right), [set[int]() for _ in range(self._n)]
        for i, columns in enumerate(self._columns):
            for j in columns.tolist():
                touched[j].add(i)
        never = 4 * m + 1
        # rows that touch each column; far more where there is nothing to do
        waiting = np.array([len(rows) or never for rows in touched])
        while self._n:
            j = int(np.argmin(waiting))
            if waiting[j] > m:
                return
            waiting[j] = never
            found = self._pivot(sorted(touched[j]), j, clear)
            if found is None:
                continue
            self._pivots.append(found)
            self._core[j] = self._rest[found.row] = False
            rest = touched[j] - {found.row}
            touched[j] = set()
            for k in found.others.tolist():
                touched[k] |= rest
                touched[k].discard(found.row)
                if waiting[k] <= m:
                    waiting[k] = len(touched[k])

    def _pivot(self, rows: list[int], j: int, clear: float) -> _Pivot | None:
        """Clear a column by reflecting the rows that touch it; nothing is done where its pivot is small."""
        first, *behind = rows or [-1]
        if first < 0:
            return None
        if not behind:
            columns, values = self._columns[first], self._values[first]
            place = int(np.searchsorted(columns, j))
            if abs(values[place]) < clear:
                return None
            others = np.delete(columns, place)
            return _Pivot(j, first, float(values[place]), others, np.delete(values, place))
        columns = np.unique(np.concatenate([self._columns[i] for i in rows]))
        place = int(np.searchsorted(columns, j))
        block = np.zeros((len(rows), len(columns) + 1))
        for part, i in zip(block, rows, strict=True):
            part[np.searchsorted(columns, self._columns[i])] = self._values[i]
            part[-1] = self._right[i]
        if float(np.linalg.norm(block[:, place])) < clear:
            return None
        _reflect(block, place)
        others, left = np.delete(columns, place), np.delete(block[:, :-1], place, axis=1)
        self._right[rows] = block[:, -1]
        for i, values in zip(behind, left[1:], strict=True):
            self._columns[i], self._values[i] = others, values
        return _Pivot(j, first, float(block[0, place]), others, left[0])

    def _back(self, start: Array, right: Array) -> Array:
        """The values x (n × k) with the rows of the pivots, R x₁ + S x₂ = right, that have the x₂ of *start*."""
        x = start.copy()
        for found, due in zip(reversed(self._pivots), right[::-1], strict=True):
            x[found.column] = (due - found.factors @ x[found.others]) / found.pivot
        return x

    def _across(self, x: Array) -> Array:
        """R x₁ + S x₂ of values (n × k), for every pivot."""
        return np.array([found.pivot * x[found.column] + found.factors @ x[found.others] for found in self._pivots])

    @cached_property
    def _lifted(self) -> tuple[Array, Array]:
        """N (n × f), and K (· × f).

        Pivots are small where sparse: what the columns of [−R⁻¹S; 1] lose where they nearly fall together is put back.
        """
        core = np.flatnonzero(self._core)
        lifted = np.zeros((self._n, len(core)))
        lifted[core, np.arange(len(core))] = 1.0
        basis = _orthonormal(self._back(lifted, np.zeros((self.clear, len(core)))))
        basis = _orthonormal(basis - self._back(np.zeros_like(basis), self._across(basis)))
        rest, places = np.flatnonzero(self._rest), np.zeros(self._n, dtype=np.intp)
        left, places[core] = np.zeros((len(rest), len(core))), np.arange(len(core))
        for row, i in zip(left, rest, strict=True):
            row[places[self._columns[i]]] = self._values[i]
        return basis, left @ basis[core]

    @cached_property
    def _decided(self) -> tuple[Array, Array, Array]:
        """U, s and Vᵀ of K, the last of them square."""
        kernel = self._lifted[1]
        if not kernel.size:
            return np.zeros((len(kernel), 0)), np.zeros(0), np.eye(kernel.shape[1])
        left, sizes, right = np.linalg.svd(kernel)
        return left, sizes, right

    @property
    def clear(self) -> int:
        """How many rows are independent without question."""
        return len(self._pivots)

    @property
    def sizes(self) -> Array:
        """The singular values that decide on the others."""
        return self._decided[1] if np.any(self._rest) and np.any(self._core) else np.zeros(0)

    def null_space(self, rank: int) -> Array:
        """An orthonormal basis (n × k) of what the rows leave free, where they have this rank in all."""
        return np.asarray(self._lifted[0] @ self._decided[2][rank - self.clear :].T)

    def solution(self, faint: float) -> Array:
        """The x (n) of least squares and of least length; directions with singular values below *faint* are left alone."""
        basis = self._lifted[0]
        x = self._back(np.zeros(self._n), self._right[[found.row for found in self._pivots]])
        along = basis.T @ x
        left, sizes, right = self._decided
        rank = int(np.sum(sizes > faint))
        due = left[:, :rank].T @ self._right[self._rest] / sizes[:rank] + right[:rank] @ along
        return np.asarray(x + basis @ (right[:rank].T @ due - along))


def _orthonormal(columns: Array) -> Array:
    """An orthonormal basis of columns (n × f): by their scalar products, LLᵀ, where they are far from depending on each
    other, which for many of them takes a fraction of the time of reflections."""
    if columns.shape[1] > MANY:
        try:
            lower = np.linalg.cholesky(columns.T @ columns)
        except np.linalg.LinAlgError:
            pass
        else:
            pivots = np.diag(lower)
            if np.min(pivots) > APART * np.max(pivots):
                return np.asarray(columns @ np.linalg.inv(lower).T)
    return np.linalg.qr(columns)[0]


def _reflect(block: Array, j: int) -> None:
    """Householder's reflection that leaves the first row alone in column j."""
    mirror = block[:, j].copy()
    mirror[0] += np.copysign(np.linalg.norm(mirror), mirror[0])
    block -= np.outer(2.0 * mirror / (mirror @ mirror), mirror @ block)
    block[1:, j] = 0.0
