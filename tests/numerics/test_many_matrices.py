"""Least squares and null spaces of many matrices, against one by one."""

import numpy as np
import pytest

from linkwork.numerics.matrices.many_matrices import least_solutions, null_spaces, rest_beyond

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


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_what_is_beyond_a_span_is_square_to_it_however_little_it_is(size: float):
    """A span of condition 1e5 with a column too many, and vectors of which a ten-thousandth is left: what is not square to
    the span are rounding errors of what is left."""
    rng = np.random.default_rng(7)
    count, n, m = 20, 30, 12
    axes = np.linalg.qr(rng.normal(size=(count, n, n)))[0]
    span, beyond = axes[:, :, :m], axes[:, :, m : m + 3]
    left = np.linalg.qr(rng.normal(size=(count, m, m)))[0]
    matrices = size * (span * np.geomspace(1e-5, 1.0, m)) @ left
    matrices = np.concatenate([matrices, matrices[:, :, :1] - matrices[:, :, 1:2]], axis=-1)
    vectors = span @ rng.normal(size=(count, m, 3)) + 1e-4 * beyond
    found = rest_beyond(vectors, matrices, np.full(count, 1e-9 * size))
    assert np.abs(matrices.swapaxes(-1, -2) @ found).max() < 1e-14 * size * 1e-4
    np.testing.assert_allclose(found, 1e-4 * beyond, atol=1e-6 * 1e-4)
