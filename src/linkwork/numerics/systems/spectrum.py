"""A matrix taken apart by its eigenvalues: subspaces that it keeps, and what lies along them.

With right bases X_g and left ones Y_g of groups g of eigenvalues,

    A = Σ X_g A_g Y_g,   Y_g X_h = δ_gh 1,

so that every group of ẋ = A x + B u goes its own way: ẏ_g = A_g y_g + Y_g B u, y_g = Y_g x. Rows of Y are left
eigenvectors: the right ones that García de Jalón and Bayo put there (9.62 to 9.66) do for symmetric matrices only.

A group is a real eigenvalue or a pair of conjugate ones. Eigenvalues that lie together without vectors of their own, those
of a Jordan block, are one group, with a basis by the Schur form; so are all that are zero, to which free motions belong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import schur
from scipy.sparse.csgraph import connected_components

from linkwork.arrays import Array

ComplexArray = NDArray[np.complex128]
NEUTRAL = 1e-6  # size of an eigenvalue beside the largest one, and beside 1, that counts as zero
BESIDE, STEPS = 1e-8, 4  # of inverse iteration: distance from the eigenvalue beside its size, and how many
NEAR = 1e-3  # distance of eigenvalues, beside their size, that may be one of a Jordan block
PARALLEL = 1e-2  # smallest singular value of their vectors of length 1, if they are: ten times as much


@dataclass(frozen=True, eq=False)
class Group:
    """Eigenvalues (m) that are taken together, a right basis X (n, m) and a left one Y (m, n), all of them real."""

    values: ComplexArray
    right: Array
    left: Array
    neutral: bool

    def part(self, x: Array) -> Array:
        """The part of vectors (..., n) that lies along it."""
        return x @ self.left.T @ self.right.T


def neutral_size(values: ComplexArray) -> float:
    """Eigenvalues that are not larger count as zero."""
    return NEUTRAL * max(1.0, float(np.max(np.abs(values), initial=0.0)))


def eigenpairs(matrix: Array) -> tuple[ComplexArray, ComplexArray]:
    """Eigenvalues (n) and vectors (n, n) of a real matrix, conjugate ones side by side, the upper one first.

    The library scales rows and columns first, by rounding errors where others are zero, and vectors come out to few digits
    or to none: steps of inverse iteration, from beside the eigenvalues, give them all. Where another eigenvalue lies exactly
    there, one of a Jordan block, the vector stays that of the library: it is no basis of its own.
    """
    found, vectors = (item.astype(complex) for item in np.linalg.eig(matrix))
    for i in np.flatnonzero((found.imag >= 0.0) & (np.abs(found) > neutral_size(found))):
        shifted = matrix - found[i] * (1.0 + BESIDE) * np.eye(len(matrix))
        try:
            inverse = np.linalg.inv(shifted)
        except np.linalg.LinAlgError:
            continue
        vector = vectors[:, i]
        for _ in range(STEPS):
            vector = inverse @ vector
            vector /= np.linalg.norm(vector)
        # the phase of the library is kept, in which vectors of real eigenvalues are real
        vector *= np.exp(-1j * np.angle(np.vdot(vectors[:, i], vector)))
        vectors[:, i] = vector
        if found[i].imag > 0.0:
            vectors[:, i + 1] = vector.conj()
    return found, vectors


def split(matrix: Array) -> list[Group]:
    """The groups of eigenvalues of a real matrix (n, n)."""
    if not matrix.size:
        return []
    values, vectors = eigenpairs(matrix)
    zero = np.abs(values) <= neutral_size(values)
    members = [np.flatnonzero(zero)] if zero.any() else []
    bases = [_kept_subspace(matrix, values, zero)] if zero.any() else []
    for group in _clusters(values, vectors, np.flatnonzero(~zero)):
        members.append(group)
        upper = [i for i in group if values[i].imag >= 0.0]
        if len(upper) == 1 and not _beside_axis(values[upper[0]]):
            vector = vectors[:, upper[0]]
            bases.append(np.column_stack([vector.real, vector.imag] if len(group) == 2 else [vector.real]))
        else:
            bases.append(_kept_subspace(matrix, values, np.isin(np.arange(len(values)), group)))
    left = np.linalg.inv(np.hstack(bases))
    ends = np.cumsum([0, *(basis.shape[1] for basis in bases)])
    return [
        Group(values[group], basis, left[ends[k] : ends[k + 1]], bool(zero[group[0]]))
        for k, (group, basis) in enumerate(zip(members, bases, strict=True))
    ]


def _clusters(values: ComplexArray, vectors: ComplexArray, places: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Places of eigenvalues that belong together, conjugate ones included."""
    upper = np.array([i for i in places if values[i].imag >= 0.0], dtype=int)
    if not upper.size:
        return []
    size = np.abs(values[upper])
    near = np.abs(values[upper, None] - values[upper]) <= NEAR * np.maximum(size[:, None], size)
    count, owner = connected_components(near, directed=False)
    found: list[NDArray[np.intp]] = []
    for k in range(count):
        group = upper[owner == k]
        # a double real eigenvalue may come out as two real ones or as a pair beside the axis
        pairs = group[_beside_axis(values[group])]
        together = np.hstack([vectors[:, group], vectors[:, pairs].conj()])
        own = np.linalg.svd(together, compute_uv=False)[-1] > PARALLEL
        found += [np.array([i]) for i in group] if own else [group]
    # conjugate eigenvalues of a real matrix stand side by side, the upper one first
    return [np.concatenate([group, [i + 1 for i in group if values[i].imag > 0.0]]).astype(int) for group in found]


def _beside_axis(values: ComplexArray) -> NDArray[np.bool_]:
    """Which are one of a pair so near to the real axis that it may be a double real eigenvalue."""
    return np.asarray((values.imag > 0.0) & (values.imag <= NEAR * np.abs(values)))


def _kept_subspace(matrix: Array, values: ComplexArray, chosen: NDArray[np.bool_]) -> Array:
    """A real orthonormal basis of the invariant subspace of chosen eigenvalues, by the Schur form."""

    def belongs(value: complex) -> bool:
        return bool(chosen[np.argmin(np.abs(values - value))])

    basis, count = schur(matrix, output="complex", sort=belongs)[1:]
    both = np.hstack([basis[:, :count].real, basis[:, :count].imag])
    return np.asarray(np.linalg.svd(both)[0][:, :count], dtype=float)
