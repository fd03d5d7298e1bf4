"""Shortest least-squares solutions by one order of elimination, against singular values."""

import numpy as np
import pytest

from linkwork.numerics.matrices.elimination import Pattern, SparseMatrix, order_pivots
from linkwork.numerics.matrices.least_norm import LeastNormSolver

COUNT = 200


def pattern_of(held: np.ndarray) -> Pattern:
    """All unknowns are components."""
    own = np.arange(held.shape[1])
    rows, columns = np.nonzero(held)
    return Pattern(held.shape, rows, columns, own.size, own, own)


def samples_of(pattern: Pattern, matrices: np.ndarray, right: np.ndarray) -> np.ndarray:
    ones = np.ones((len(matrices), pattern.components))
    return np.hstack([matrices[:, pattern.rows, pattern.columns], right, ones])


def solve(matrices: np.ndarray, right: np.ndarray, zero: float = 1e-9):
    pattern = pattern_of(np.any(matrices != 0.0, axis=0))
    solver = LeastNormSolver(pattern)
    return solver, solver.solve(samples_of(pattern, matrices, right), np.full(len(matrices), zero))


def shortest(matrices: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.array([np.linalg.pinv(a, rcond=1e-9) @ b for a, b in zip(matrices, right, strict=True)])


@pytest.mark.parametrize(
    ("n", "m", "rank"), [(5, 5, 5), (7, 4, 4), (4, 7, 4), (6, 6, 4), (9, 7, 5), (3, 4, 0), (1, 1, 1), (40, 30, 25)]
)
def test_solutions_are_those_of_singular_values(n: int, m: int, rank: int):
    rng = np.random.default_rng(n * m)
    full = rank == min(n, m)
    matrices = (
        rng.normal(size=(COUNT, n, m))
        if full
        else rng.normal(size=(COUNT, n, rank)) @ rng.normal(size=(COUNT, rank, m))
    )
    right = rng.normal(size=(COUNT, n))
    _, found = solve(matrices, right)
    expected = shortest(matrices, right)
    assert found.certain.all() and np.all(found.nullity == m - rank)
    size = np.abs(expected).max(axis=1, keepdims=True) + 1e-300
    assert np.max(np.abs(found.values - expected) / size, initial=0.0) < 1e-9


def test_lengths_of_what_is_open_are_those_of_the_null_space():
    rng = np.random.default_rng(3)
    matrices = rng.normal(size=(COUNT, 5, 3)) @ rng.normal(size=(COUNT, 3, 6))
    matrices[:, :, 2] = 0.0
    matrices[:, 0, 2] = 1.0  # determined by the first equation and all others
    _, found = solve(matrices, rng.normal(size=(COUNT, 5)))
    vt = np.linalg.svd(matrices)[2]
    expected = np.linalg.norm(vt[:, 4:], axis=1)
    assert found.certain.all() and np.allclose(found.loose, expected, atol=1e-10)


def test_banded_matrices_are_not_filled():
    n = 60
    matrix = np.eye(n) * 4.0 + np.eye(n, k=1) + np.eye(n, k=-1)
    rng = np.random.default_rng(0)
    matrices = matrix * rng.uniform(0.8, 1.2, (COUNT, n, n))
    right = rng.normal(size=(COUNT, n))
    solver, found = solve(matrices, right)
    assert solver.orders[0].plan.slots == np.count_nonzero(matrix)
    assert found.certain.all() and np.allclose(found.values, np.linalg.solve(matrices, right[..., None])[..., 0])


def test_vanishing_pivots_get_an_order_of_their_own():
    """A turning pair of axes: neither entry can be the pivot everywhere."""
    angle = np.linspace(0.0, 2 * np.pi, COUNT)
    matrices = np.moveaxis(np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]), -1, 0)
    right = np.column_stack([np.ones(COUNT), np.zeros(COUNT)])
    solver, found = solve(matrices, right)
    assert found.certain.all() and len(solver.orders) <= 2
    assert np.allclose(found.values, np.column_stack([np.cos(angle), -np.sin(angle)]), atol=1e-12)


def test_ranks_in_doubt_are_not_certain():
    size = np.logspace(-14, 0, 15)
    matrices = np.array([np.diag([1.0, x]) for x in size])
    _, found = solve(matrices, np.ones((size.size, 2)))
    assert not np.any(found.certain[(size > 1e-11) & (size < 1e-8)])
    assert np.all(found.certain[size > 1e-6]) and np.all(found.nullity[size > 1e-6] == 0)


def test_what_is_no_number_is_not_certain():
    matrices = np.array([np.eye(2), np.full((2, 2), np.nan), np.eye(2)])
    _, found = solve(matrices, np.ones((3, 2)))
    assert list(found.certain) == [True, False, True]


def test_pivots_are_not_small_beside_their_rows_and_columns():
    rng = np.random.default_rng(5)
    matrix = rng.normal(size=(12, 12)) * (rng.random((12, 12)) < 0.4) + np.diag(rng.uniform(1e-9, 1e-8, 12))
    held = np.nonzero(matrix)
    pivots = [(pivot.row, pivot.column) for pivot in order_pivots(SparseMatrix(matrix.shape, *held, matrix[held]))]
    rows, columns = (np.array(items) for items in zip(*pivots, strict=True))
    left = matrix.copy()
    for i, j in pivots:
        assert abs(left[i, j]) >= 0.1 * max(np.abs(left[i]).max(), np.abs(left[:, j]).max())
        left -= np.outer(left[:, j], left[i]) / left[i, j]
        left[i], left[:, j] = 0.0, 0.0
    assert len(set(rows)) == len(rows) == len(set(columns)) == np.linalg.matrix_rank(matrix)


def test_soft_chains_are_certain_where_no_pivot_is_small():
    """Springs in a row that hang at one end: the longer, the softer, and still no spring is missing."""
    n = 400
    matrix = np.eye(n) - np.eye(n, k=-1)
    assert np.linalg.cond(matrix @ matrix.T) * 1e-7 > 0.01
    rng = np.random.default_rng(0)
    matrices = np.tile(matrix @ matrix.T, (3, 1, 1))
    right = matrices[0] @ rng.normal(size=n)
    _, found = solve(matrices, np.tile(right, (3, 1)), zero=1e-7)
    assert found.certain.all() and np.allclose(matrices[0] @ found.values[0], right, atol=1e-9)


def test_groups_are_made_the_shortest_by_themselves():
    """Blocks of equal rank defects that hang together by rows alone which no free unknown moves."""
    rng = np.random.default_rng(4)
    count, blocks = 12, 6
    matrices = np.zeros((count, 5 * blocks, 5 * blocks))
    for k in range(blocks):
        own = slice(5 * k, 5 * k + 5)
        weak = rng.normal(size=(count, 5, 3)) @ rng.normal(size=(count, 3, 5))
        matrices[:, own, own] = weak
        if k:  # what the part before must bear of this one is what its own rows are due
            matrices[:, 5 * k - 5 : 5 * k, own] = rng.normal(size=(count, 5, 5)) @ weak
    right = rng.normal(size=(count, 5 * blocks))
    held = np.nonzero(np.any(matrices != 0.0, axis=0))
    own = np.arange(5 * blocks)
    pattern = Pattern(matrices.shape[1:], *held, own.size, own, own, own // 5)
    found = LeastNormSolver(pattern).solve(samples_of(pattern, matrices, right), np.full(count, 1e-9))
    assert found.certain.all() and np.all(found.nullity == 2 * blocks)
    expected = shortest(matrices, right)
    assert np.allclose(found.values, expected, atol=1e-8 * np.abs(expected).max())
    vt = np.linalg.svd(matrices)[2]
    assert np.allclose(found.loose, np.linalg.norm(vt[:, 3 * blocks :], axis=1), atol=1e-8)


def test_an_order_costs_what_the_matrix_holds():
    """A band ten times as long has ten times as many operations."""

    def steps(n: int) -> int:
        matrix = np.eye(n) * 3.0 + np.eye(n, k=1) + np.eye(n, k=-2)
        return solve(np.tile(matrix, (1, 1, 1)), np.ones((1, n)))[0].orders[0].plan.steps.size

    assert steps(1000) < 11 * steps(100)
