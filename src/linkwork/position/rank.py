"""What rows of conditions leave free, which others are independent, and which repeat those before; as ``policy`` has it.

Singular values of all rows decide where there are few unknowns. Where there are many, each row touches few of them, and only
what elimination leaves is decided so (``sparse_rows``): chains of joints that close no loop take no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.numerics.matrices.long_rows import AnyRows, LongRows, stacked
from linkwork.numerics.matrices.sparse_rows import CLEAR, SparseRows
from linkwork.numerics.policy import POLICY, Array

MANY = 150  # unknowns, above which rows are eliminated first
APART = 30.0  # by which clear pivots stand above the singular values that are in question


def decompose(rows: AnyRows) -> tuple[Array, Array, Array]:
    """U, s and Vᵀ, all of them square, of rows (m × n) of length one."""
    if not rows.size:
        return np.eye(len(rows)), np.zeros(0), np.eye(rows.shape[1])
    left, sizes, right = np.linalg.svd(_unit(np.asarray(rows))[0])
    return left, sizes, right


def rank_of(rows: AnyRows) -> int:
    """The rank of rows (m × n)."""
    return _count(_unit(rows)[0])


def null_space(rows: AnyRows) -> Array:
    """An orthonormal basis (n × k) of what rows (m × n) leave free."""
    return _free(_unit(rows)[0])


def _unit(rows: AnyRows) -> tuple[AnyRows, Array]:
    """Rows of length one, and what each was divided by."""
    rows = np.asarray(rows) if rows.shape[1] <= MANY else rows
    sizes = POLICY.sizes(_lengths(rows))
    return rows / sizes[:, None], sizes


def _lengths(rows: AnyRows) -> Array:
    return rows.lengths() if isinstance(rows, LongRows) else np.linalg.norm(rows, axis=1)


def _count(unit: AnyRows) -> int:
    if unit.shape[1] > MANY:
        return _decided(SparseRows(unit))
    return POLICY.count(np.linalg.svd(unit, compute_uv=False)) if unit.size else 0


def _free(unit: AnyRows) -> Array:
    if unit.shape[1] > MANY:
        found = SparseRows(unit)
        return found.null_space(_decided(found))
    if not unit.size:
        return np.eye(unit.shape[1])
    _, sizes, right = np.linalg.svd(unit)
    return np.asarray(right[POLICY.count(sizes) :].T)


def _decided(rows: SparseRows) -> int:
    return rows.clear + POLICY.count(rows.sizes)


def least_solution(rows: AnyRows, right: Array, faint: float = POLICY.followed) -> Array:
    """The x (n) of least length with rows x = right; directions with singular values below *faint* are left alone."""
    unit, lengths = _unit(rows)
    if rows.shape[1] > MANY:
        return SparseRows(unit, right / lengths, max(CLEAR, APART * faint)).solution(faint)
    left, sizes, across = np.linalg.svd(unit, full_matrices=False)
    rank = int(np.sum(sizes > faint))
    return np.asarray(((right / lengths) @ left[:, :rank] / sizes[:rank]) @ across[:rank])


def free_rows(free: Array, candidates: AnyRows, order: Sequence[int]) -> list[int]:
    """The candidates (· × n), in *order*, that are independent of each other and of rows that leave *free* (n × k)."""
    sizes = _lengths(candidates)
    known = [i for i in order if sizes[i] > 0.0]
    left = _left((candidates[known] / sizes[known, None]) @ free, POLICY.faint)
    return [i for i, rest in zip(known, left, strict=True) if rest > POLICY.faint]


def dependent_rows(rows: AnyRows, before: AnyRows | None = None) -> list[int]:
    """The rows that depend linearly on those *before* them all and on the rows in front, as many as the rank says."""
    if not len(rows):
        return []
    count = 0 if before is None else len(before)
    unit = _unit(rows if before is None else stacked([before, rows]))[0]
    first = unit[range(count)]
    wanted = _count(unit) - (_count(first) if count else 0)
    if wanted == len(rows):
        return []
    left = _left(unit[range(count, len(unit))] @ _free(first), POLICY.rank)
    # the rest of a row is never less than a singular value; where it alone is above the limit, the rank decides
    kept = np.argsort(-left, kind="stable")[:wanted]
    return [i for i in range(len(rows)) if i not in kept]


def _left(rows: Array, limit: float) -> Array:
    """The size of what is left of every row (m × k) beside those in front of it of which more is left than the *limit*."""
    left, basis, count = np.zeros(len(rows)), np.zeros((min(rows.shape), rows.shape[1])), 0
    for i, row in enumerate(rows):
        if count == len(basis):
            break
        rest = row
        # twice, for rounding errors
        for _ in range(2):
            rest = rest - (basis[:count] @ rest) @ basis[:count]
        left[i] = np.linalg.norm(rest)
        if left[i] > limit:
            basis[count] = rest / left[i]
            count += 1
    return left
