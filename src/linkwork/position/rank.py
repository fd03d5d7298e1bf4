"""What rows of conditions span, and which others they leave free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FAINT = 1e-6  # of the longest row; fainter ones are not stretched to full length, lest their rounding errors count
RANK = 1e-8  # relative size below which a direction counts as dependent


def row_space(rows: Array) -> Array:
    """An orthonormal basis (r × n) of what rows (m × n) span."""
    if rows.size == 0:
        return np.zeros((0, rows.shape[1]))
    _, sizes, vt = np.linalg.svd(rows, full_matrices=False)
    return np.asarray(vt[sizes > RANK * max(float(sizes[0]), 1e-300)])


def null_space(rows: Array) -> Array:
    """An orthonormal basis (n × k) of what rows (m × n) leave free."""
    if rows.size == 0:
        return np.eye(rows.shape[1])
    _, sizes, vt = np.linalg.svd(rows)
    return np.asarray(vt[int(np.sum(sizes > RANK * max(float(sizes[0]), 1e-300))) :].T)


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
        rest = candidates[i] / size
        for _ in range(2):
            rest = rest - basis.T @ (basis @ rest)
        if np.linalg.norm(rest) > 1e-6:
            chosen.append(i)
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
    return chosen


def dependent_rows(rows: Array) -> list[int]:
    """The rows that depend linearly on the rows before them; one that is a rounding error beside the others does."""
    basis = np.zeros((0, rows.shape[1]))
    found = []
    sizes = np.linalg.norm(rows, axis=1)
    faint = FAINT * float(np.max(sizes, initial=0.0)) or 1.0
    for i, (row, size) in enumerate(zip(rows, sizes, strict=True)):
        rest = row / max(size, faint)
        for _ in range(2):
            rest = rest - basis.T @ (basis @ rest)
        left = float(np.linalg.norm(rest))
        if left > 1e-7:
            basis = np.vstack([basis, rest / left])
        else:
            found.append(i)
    return found
