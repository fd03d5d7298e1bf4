"""Least squares, pseudo-inverses and null spaces of many small matrices at once.

What elimination in one order settles is solved by compiled code (``least_norm``); singular values do the rest.
"""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.matrices.elimination import Pattern
from linkwork.numerics.matrices.least_norm import LeastNormSolver
from linkwork.numerics.policy import POLICY

FEW = 32  # matrices for which no order of elimination is looked for
INDEPENDENT = 0.1  # smallest singular value, beside that of other matrices, that is enough


def pseudo_inverse(matrix: Array, zero: Array) -> Array:
    """The pseudo-inverse (N, k, m) of matrices (N, m, k) whose singular values below *zero* (N) vanish."""
    u, sizes, vt = np.linalg.svd(matrix, full_matrices=False)
    kept = sizes > zero[:, None]
    inverse = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=kept)
    return np.asarray((vt.swapaxes(-1, -2) * inverse[:, None, :]) @ u.swapaxes(-1, -2))


def rest_beyond(vectors: Array, matrix: Array, zero: Array) -> Array:
    """What is left of vectors (N, n, k) without their parts in the span of the columns of matrices (N, n, m).

    zero: (N) singular values below it vanish

    Taken away twice by orthonormal columns, these parts are gone to rounding errors of what is left, however little that is
    and whatever the condition, as they are not by the pseudo-inverse.
    SOURCE: L. Giraud, J. Langou, M. Rozložník, J. van den Eshof, *Rounding error analysis of the classical Gram-Schmidt
    orthogonalization process*, Numerische Mathematik 101 (2005).
    """
    u, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    basis = u * (sizes > zero[:, None])[:, None, :]
    for _ in range(2):
        vectors = vectors - basis @ (basis.swapaxes(-1, -2) @ vectors)
    return vectors


def multipliers(rows: Array, force: Array) -> Array:
    """λ (..., m) of least length with Aᵀλ = f, by least squares, for conditions A (..., m × n) and f (..., n)."""
    if not rows.size:
        return np.zeros(rows.shape[:-1])
    rank = np.sum(np.linalg.svd(POLICY.unit_rows(rows)[0], compute_uv=False) > POLICY.rank, axis=-1)
    left, sizes, across = np.linalg.svd(rows, full_matrices=False)
    kept = np.arange(sizes.shape[-1]) < rank[..., None]
    along = np.divide((across @ force[..., None])[..., 0], sizes, out=np.zeros_like(sizes), where=kept)
    return np.asarray((left @ along[..., None])[..., 0])


def least_solutions(
    matrix: Array, right: Array, zero: float, kept: dict[bytes, LeastNormSolver] | None = None
) -> Array:
    """The shortest x (N, m) of least squares with A x = b, for A (N, n, m) and b (N, n).

    zero: singular values below this part of the largest vanish
    kept: solvers of earlier calls, by the patterns of their matrices
    """
    count, _, m = matrix.shape
    if count < FEW or not matrix.size:
        return _by_singular_values(matrix, right, zero)
    pattern = _pattern(matrix)
    samples = np.concatenate([matrix[:, pattern.rows, pattern.columns], right, np.ones((count, m))], axis=1)
    solvers = {} if kept is None else kept
    key = repr(pattern.shape).encode() + pattern.rows.tobytes() + pattern.columns.tobytes()
    found = solvers.setdefault(key, LeastNormSolver(pattern)).solve(samples, np.full(count, zero))
    left = np.flatnonzero(~found.certain)
    if left.size:
        found.values[left] = _by_singular_values(matrix[left], right[left], zero)
    return found.values


def _by_singular_values(matrix: Array, right: Array, zero: float) -> Array:
    if not matrix.size:
        return np.zeros((len(matrix), matrix.shape[2]))
    largest = np.linalg.norm(matrix, ord=2, axis=(-2, -1))
    return np.asarray((pseudo_inverse(matrix, np.maximum(zero * largest, 1e-300)) @ right[..., None])[..., 0])


def null_spaces(matrix: Array, zero: float, rank: int | None = None) -> Array:
    """Orthonormal bases (N, m, k) of the null spaces of matrices A (N, n, m).

    All have one dimension: where rows depend on each other at single samples alone, the vectors of the smallest singular
    values are left out. rank: of matrices at other samples; by default that of most of them
    """
    count, n, m = matrix.shape
    if count < FEW or not matrix.size:
        return _singular_vectors(matrix, zero, rank)
    pattern = _pattern(matrix)
    samples = np.concatenate(
        [matrix[:, pattern.rows, pattern.columns], np.zeros((count, n)), np.ones((count, m))], axis=1
    )
    basis, certain = LeastNormSolver(pattern).null_spaces(samples, np.full(count, zero))
    left = np.flatnonzero(~certain)
    if 2 * left.size >= count or rank not in (None, m - basis.shape[1]):
        return _singular_vectors(matrix, zero, rank)
    if left.size:
        k = basis.shape[1]
        basis[left] = np.linalg.svd(matrix[left])[2][:, m - k :]
    return basis.swapaxes(-1, -2)


def greatest_lengths(rows: Array) -> Array:
    """(m) of the rows of matrices A (N, m, n); those that are nothing beside the others count as these."""
    found = np.linalg.norm(rows, axis=-1).max(axis=0)
    longest = found.max(initial=0.0)
    return np.asarray(np.maximum(found, POLICY.faint * longest if longest > 0.0 else 1.0))


def most_independent(rows: Array) -> int:
    """Of matrices A (N, m, n) one whose rows are as independent as they can be: the first, unless it is much less so.

    Rows count beside the greatest lengths that they have, since they may also vanish.
    """
    if not rows.size:
        return 0
    sizes = np.linalg.svd(rows / greatest_lengths(rows)[:, None], compute_uv=False)
    rank = int(np.sum(sizes > POLICY.rank, axis=-1).max())
    least = sizes[:, rank - 1] if rank else np.ones(len(rows))
    return 0 if least[0] > INDEPENDENT * least.max() else int(np.argmax(least))


def _singular_vectors(matrix: Array, zero: float, rank: int | None) -> Array:
    _, sizes, vt = np.linalg.svd(matrix)
    if rank is None:
        ranks = np.sum(sizes > zero * sizes.max(axis=-1, initial=1e-300, keepdims=True), axis=-1)
        rank = int(np.median(ranks)) if len(matrix) else 0
    return np.asarray(vt[:, rank:].swapaxes(-1, -2))


def _pattern(matrix: Array) -> Pattern:
    """Where any of the matrices has an entry; all unknowns are components."""
    rows, columns = np.nonzero(np.any(matrix != 0.0, axis=0))
    own = np.arange(matrix.shape[2])
    return Pattern(matrix.shape[1:], rows, columns, own.size, own, own)
