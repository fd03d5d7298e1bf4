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

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

Integers = NDArray[np.intp]
CLEAR = 1e-4  # of a row of length one: a pivot that is no question of rank


class SparseRows:
    """Rows A (m × n) of length one, eliminated together with right sides (m)."""

    def __init__(self, rows: Array, right: Array | None = None, clear: float = CLEAR) -> None:
        m, self._n = rows.shape
        self._work = np.column_stack([rows, np.zeros(m) if right is None else right])
        self._pivots: list[tuple[int, int, Integers]] = []  # column, row, the other columns of the row
        self._rest = np.ones(m, dtype=bool)
        self._core = np.ones(self._n, dtype=bool)
        self._eliminate(clear)

    def _eliminate(self, clear: float) -> None:
        work, m, never = self._work, len(self._work), 4 * len(self._work)
        present = work[:, :-1] != 0.0
        waiting = present.sum(axis=0)  # rows that touch each column; far more where there is nothing to do
        waiting[waiting == 0] = never
        while work.size > m:
            j = int(np.argmin(waiting))
            if waiting[j] > m:
                return
            waiting[j] = never
            touching = np.flatnonzero(present[:, j])
            pivot = float(np.linalg.norm(work[touching, j]))
            if pivot < clear:
                continue
            before = present[touching].sum(axis=0)
            columns = np.flatnonzero(before)
            _reflect(work, touching, np.append(columns, self._n), j)
            others = columns[columns != j]
            row = int(touching[0])
            self._pivots.append((j, row, others))
            self._core[j] = self._rest[row] = False
            present[row] = present[touching, j] = False
            present[np.ix_(touching[1:], others)] = True
            waiting[others] += len(touching) - 1 - before[others]

    def _back(self, start: Array, right: Array) -> Array:
        """The values x (n × k) with the rows of the pivots, R x₁ + S x₂ = right, that have the x₂ of *start*."""
        x = start.copy()
        for (j, row, others), due in zip(reversed(self._pivots), right[::-1], strict=True):
            x[j] = (due - self._work[row, others] @ x[others]) / self._work[row, j]
        return x

    def _values(self, x: Array) -> Array:
        """R x₁ + S x₂ of values (n × k), for every pivot."""
        return np.array(
            [self._work[row, j] * x[j] + self._work[row, others] @ x[others] for j, row, others in self._pivots]
        )

    @cached_property
    def _lifted(self) -> tuple[Array, Array]:
        """N (n × f), and K (· × f).

        Pivots are small where sparse: what the columns of [−R⁻¹S; 1] lose where they nearly fall together is put back.
        """
        core = np.flatnonzero(self._core)
        lifted = np.zeros((self._n, len(core)))
        lifted[core, np.arange(len(core))] = 1.0
        basis = np.linalg.qr(self._back(lifted, np.zeros((self.clear, len(core)))))[0]
        basis = np.linalg.qr(basis - self._back(np.zeros_like(basis), self._values(basis)))[0]
        return basis, self._work[self._rest][:, core] @ basis[core]

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
        x = self._back(np.zeros(self._n), self._work[[row for _, row, _ in self._pivots], -1])
        along = basis.T @ x
        left, sizes, right = self._decided
        rank = int(np.sum(sizes > faint))
        due = left[:, :rank].T @ self._work[self._rest, -1] / sizes[:rank] + right[:rank] @ along
        return np.asarray(x + basis @ (right[:rank].T @ due - along))


def _reflect(work: Array, rows: Integers, columns: Integers, j: int) -> None:
    """Householder's reflection of rows that leaves the first of them alone in column j."""
    if len(rows) == 1:
        return
    mirror = work[rows, j].copy()
    mirror[0] += np.copysign(np.linalg.norm(mirror), mirror[0])
    part = work[np.ix_(rows, columns)]
    part -= np.outer(2.0 * mirror / (mirror @ mirror), mirror @ part)
    work[np.ix_(rows, columns)] = part
    work[rows[1:], j] = 0.0
