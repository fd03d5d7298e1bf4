"""Eigenvalues by the blocks of a matrix that do not lead back to each other.

A state that no other one reads, or that reads no other one, is a block of its own: the matrix is block triangular in some
order, which the strongly connected components of its pattern give. Free motions have chains of such blocks; taken together
their zeros form Jordan blocks, of which eigenvalues are found to a root of the rounding error. By blocks they are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

NOTHING = 1e-13  # of an entry, beside the largest, that counts as none


def block_eigenvalues(matrix: NDArray[np.float64]) -> NDArray[np.complex128]:
    """The eigenvalues of a square matrix, the smallest first, conjugate ones side by side."""
    if not matrix.size:
        return np.zeros(0, dtype=complex)
    size = np.abs(matrix)
    largest = float(size.max())
    count, owner = connected_components(size > NOTHING * largest, directed=True, connection="strong")
    blocks = [matrix[np.ix_(owner == k, owner == k)] for k in range(count)]
    values = [block.ravel() * (abs(block[0, 0]) > NOTHING * largest) for block in blocks if len(block) == 1]
    values += [np.linalg.eigvals(block) for block in blocks if len(block) > 1]
    return _sorted(np.concatenate(values))


def sorted_eigenvalues(matrix: NDArray[np.float64]) -> NDArray[np.complex128]:
    """The same of the whole matrix at once, where entries differ too much in size to tell blocks."""
    return _sorted(np.linalg.eigvals(matrix))


def _sorted(values: NDArray[Any]) -> NDArray[np.complex128]:
    found = values.astype(complex)
    return found[np.lexsort((-found.imag, found.real, np.round(np.abs(found), 9)))]
