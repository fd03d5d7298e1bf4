"""Least squares and null spaces of many matrices, against one by one."""

import numpy as np
import pytest

from linkwork.numerics.matrices.many_matrices import least_solutions, null_spaces

SHAPES = [(3, 5, 3), (5, 3, 3), (6, 6, 4), (2, 2, 2), (0, 3, 0)]


def family(n: int, m: int, rank: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(n + 10 * m)
    return rng.normal(size=(count, n, rank)) @ rng.normal(size=(count, rank, m))


@pytest.mark.parametrize("count", [5, 300], ids=["few", "many"])
@pytest.mark.parametrize(("n", "m", "rank"), SHAPES)
def test_solutions_are_the_shortest_of_least_squares(n: int, m: int, rank: int, count: int):
    matrices = family(n, m, rank, count)
    right = np.random.default_rng(1).normal(size=(count, n))
    expected = np.array([np.linalg.pinv(a, rcond=1e-9) @ b for a, b in zip(matrices, right, strict=True)])
    found = least_solutions(matrices, right, 1e-9)
    assert found == pytest.approx(expected, abs=1e-9 * max(1.0, np.abs(expected).max(initial=0.0)))


@pytest.mark.parametrize("count", [5, 300], ids=["few", "many"])
@pytest.mark.parametrize(("n", "m", "rank"), SHAPES)
def test_null_spaces_are_orthonormal_and_whole(n: int, m: int, rank: int, count: int):
    matrices = family(n, m, rank, count)
    basis = null_spaces(matrices, 1e-9)
    assert basis.shape == (count, m, m - rank)
    assert np.abs(matrices @ basis).max(initial=0.0) < 1e-10
    assert basis.swapaxes(-1, -2) @ basis == pytest.approx(
        np.broadcast_to(np.eye(m - rank), (count, m - rank, m - rank))
    )


def test_a_row_that_vanishes_at_one_sample_does_not_change_the_dimension():
    matrices = np.tile([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], (100, 1, 1))
    matrices[40, 1] = 0.0
    basis = null_spaces(matrices, 1e-9)
    assert basis.shape == (100, 3, 1) and np.abs(matrices @ basis).max() < 1e-12
