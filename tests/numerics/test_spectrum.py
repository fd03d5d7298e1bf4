"""A matrix taken apart by its eigenvalues: projections that commute with it, also where it has Jordan blocks."""

import numpy as np
import pytest
from scipy.linalg import block_diag

from linkwork.numerics.systems.spectrum import eigenpairs, split

RANDOM = np.random.default_rng(7)
PAIR = np.array([[-0.1, 3.0], [-3.0, -0.1]])
MATRICES = {
    "none": np.zeros((0, 0)),
    "distinct": block_diag(PAIR, [[-2.0]], [[1.0]]),
    "equal pairs with shapes of their own": block_diag(PAIR, PAIR, [[-2.0]]),
    "critical damping": block_diag([[-2.0, 1.0], [0.0, -2.0]], PAIR),
    "a chain of three": block_diag([[-2.0, 1.0, 0.0], [0.0, -2.0, 1.0], [0.0, 0.0, -2.0]], PAIR),
    "equal pairs in a chain": np.block([[PAIR, np.eye(2)], [np.zeros((2, 2)), PAIR]]),
    "free motions": block_diag([[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]], PAIR),
}


def turned(inner, seed):
    """The same matrix in other axes, which are neither orthogonal nor far from it."""
    change = np.random.default_rng(seed).normal(size=inner.shape) + 2.0 * np.eye(len(inner))
    return change @ inner @ np.linalg.inv(change) if inner.size else inner


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", MATRICES)
def test_parts_add_up_and_are_kept(name, seed):
    inner = MATRICES[name]
    matrix = turned(inner, seed)
    groups = split(matrix)
    total = sum((group.right @ group.left for group in groups), np.zeros_like(matrix))
    np.testing.assert_allclose(total, np.eye(len(matrix)), atol=1e-9)
    for group in groups:
        projection = group.right @ group.left
        np.testing.assert_allclose(projection @ projection, projection, atol=1e-9)
        np.testing.assert_allclose(projection @ matrix, matrix @ projection, atol=1e-7)
        own = group.left @ matrix @ group.right
        np.testing.assert_allclose(np.trace(own), np.sum(group.values).real, atol=1e-7)


def test_vectors_beside_rounding_errors_in_the_place_of_zeros():
    """A free chain whose zeros are rounding errors: scaling by them would leave vectors with few digits."""
    noise = 1e-16 * RANDOM.normal(size=(6, 6))
    matrix = block_diag([[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [-8.0, 0.0]])
    matrix[3, 4], matrix[1, 4] = 5.0, -2.0
    values, vectors = eigenpairs(matrix + noise)
    for value, vector in zip(values, vectors.T, strict=True):
        if abs(value) > 1.0:
            np.testing.assert_allclose(matrix @ vector, value * vector, atol=1e-13)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("distinct", [1, 1, 2]),
        ("equal pairs with shapes of their own", [1, 2, 2]),
        ("critical damping", [2, 2]),
        ("a chain of three", [2, 3]),
        ("equal pairs in a chain", [4]),
        ("free motions", [2, 4]),
    ],
)
def test_what_is_taken_together(name, sizes):
    groups = split(MATRICES[name])
    assert sorted(len(group.values) for group in groups) == sizes
    assert [group.neutral for group in groups].count(True) == (name == "free motions")
