"""What rows of conditions span, which others they leave free, and which repeat those before; as ``policy`` has it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.numerics.policy import POLICY, Array


def decompose(rows: Array) -> tuple[Array, Array, Array]:
    """U, s and Vᵀ, all of them square, of rows (m × n) of length one."""
    if not rows.size:
        return np.eye(len(rows)), np.zeros(0), np.eye(rows.shape[1])
    left, sizes, right = np.linalg.svd(POLICY.unit_rows(rows)[0])
    return left, sizes, right


def row_space(rows: Array) -> Array:
    """An orthonormal basis (r × n) of what rows (m × n) span."""
    return _spanned(POLICY.unit_rows(rows)[0])


def _spanned(unit: Array) -> Array:
    _, sizes, right = np.linalg.svd(unit, full_matrices=False)
    return np.asarray(right[: POLICY.count(sizes)])


def null_space(rows: Array) -> Array:
    """An orthonormal basis (n × k) of what rows (m × n) leave free."""
    _, sizes, right = decompose(rows)
    return np.asarray(right[POLICY.count(sizes) :].T)


def least_solution(rows: Array, right: Array, faint: float = POLICY.followed) -> Array:
    """The x (n) of least length with rows x = right; directions with singular values below *faint* are left alone."""
    unit, lengths = POLICY.unit_rows(rows)
    left, sizes, across = np.linalg.svd(unit, full_matrices=False)
    rank = int(np.sum(sizes > faint))
    return np.asarray(((right / lengths) @ left[:, :rank] / sizes[:rank]) @ across[:rank])


def free_rows(rows: Array, candidates: Array, order: Sequence[int]) -> list[int]:
    """The candidates, in *order*, that are linearly independent of *rows* and of each other."""
    basis = row_space(rows)
    chosen = []
    for i in order:
        if len(basis) == rows.shape[1]:
            break
        size = float(np.linalg.norm(candidates[i]))
        if size == 0.0:
            continue
        rest = _rest(candidates[i] / size, basis)
        if np.linalg.norm(rest) > POLICY.faint:
            chosen.append(i)
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
    return chosen


def dependent_rows(rows: Array, before: Array | None = None) -> list[int]:
    """The rows that depend linearly on those *before* them all and on the rows in front, as many as the rank says."""
    before = np.zeros((0, rows.shape[1])) if before is None else before
    unit = POLICY.unit_rows(np.vstack([before, rows]))[0]
    basis, wanted = _spanned(unit[: len(before)]), POLICY.count(np.linalg.svd(unit, compute_uv=False))
    wanted -= len(basis)
    left = np.zeros(len(rows))
    for i, row in enumerate(unit[len(before) :]):
        rest = _rest(row, basis)
        left[i] = np.linalg.norm(rest)
        if left[i] > POLICY.rank:
            basis = np.vstack([basis, rest / left[i]])
    # the rest of a row is never less than a singular value; where it alone is above the limit, the rank decides
    kept = np.argsort(-left, kind="stable")[:wanted]
    return [i for i in range(len(rows)) if i not in kept]


def _rest(row: Array, basis: Array) -> Array:
    """What a basis leaves of a row; twice, for rounding errors."""
    for _ in range(2):
        row = row - basis.T @ (basis @ row)
    return row
