"""LU of sparse columns: factors, null spaces and shortest solutions as NumPy has them of the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.numerics.kernels.linear import sparse_lu
from linkwork.numerics.kernels.linear.sparse_lu import SparseLu
from linkwork.numerics.loader import compiled
from linkwork.numerics.matrices.fill import by_columns

SEEDS = st.integers(0, 2**32 - 1)


def columns_of(matrix: np.ndarray, diagonal: float = 0.0) -> SparseLu:
    """The record of a matrix, with its entries by columns."""
    columns, rows = np.nonzero(matrix.T)
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=0))])
    memory = by_columns(len(matrix), starts, rows).memory(diagonal)
    memory.values[:] = matrix[rows, columns]
    return memory


def scattered(rng: np.random.Generator, n: int, m: int, touched: int) -> np.ndarray:
    matrix = np.zeros((n, m))
    for column in matrix.T:
        places = rng.choice(n, size=min(touched, n), replace=False)
        column[places] = rng.normal(size=places.size)
    return matrix


def solved(memory: SparseLu, right: np.ndarray, x: np.ndarray) -> np.ndarray:
    found = x.copy()
    compiled(sparse_lu.solve_rows)(memory.rank, right.copy(), found, memory)
    return found


@given(SEEDS, st.integers(1, 30), st.integers(1, 30), st.integers(1, 5), st.integers(0, 3))
def test_rank_solution_and_null_space(seed: int, n: int, m: int, touched: int, repeated: int) -> None:
    """With columns that depend on others: the rank by singular values, and Bᵀ x = Bᵀ x₀ with the free ones of another x."""
    rng = np.random.default_rng(seed)
    matrix = scattered(rng, n, m, touched)
    matrix = np.hstack([matrix, matrix @ rng.normal(size=(m, repeated))])
    sizes = np.linalg.svd(matrix, compute_uv=False)
    if np.any((sizes > 1e-12) & (sizes < 1e-3)):
        return
    memory = columns_of(matrix)
    rank = compiled(sparse_lu.factor_sparse)(1e-9, memory)
    assert rank == np.sum(sizes > 1e-6)
    x, y = rng.normal(size=(2, n))
    right = matrix.T @ x
    found = solved(memory, right, y)
    free = np.array([p < 0 for p in memory.row_pivots])
    size = np.abs(found).max() + 1.0
    np.testing.assert_array_equal(found[free], y[free])
    np.testing.assert_allclose(matrix.T @ found, right, atol=1e-9 * size)
    null = y.copy()
    compiled(sparse_lu.follow_null)(rank, null, memory)
    np.testing.assert_allclose(matrix.T @ null, 0.0, atol=1e-9 * size)


@given(SEEDS, st.integers(2, 30), st.integers(1, 30), st.integers(1, 4))
def test_the_shortest_solution_is_that_of_the_pseudoinverse(seed: int, n: int, m: int, touched: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = scattered(rng, n, min(m, n), touched)
    sizes = np.linalg.svd(matrix, compute_uv=False)
    if np.any((sizes > 1e-12) & (sizes < 1e-2)):
        return
    memory = columns_of(matrix)
    rank = compiled(sparse_lu.factor_sparse)(1e-9, memory)
    right = matrix.T @ rng.normal(size=n)
    x = solved(memory, right, np.zeros(n))
    work = np.zeros((3, n))
    compiled(sparse_lu.shorten)(rank, x, *work, memory)
    wanted = np.linalg.lstsq(matrix.T, right, rcond=1e-9)[0]
    np.testing.assert_allclose(x, wanted, atol=1e-8 * (1.0 + np.abs(wanted).max()))


@given(SEEDS, st.integers(1, 20))
def test_barred_rows_are_no_pivots(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = scattered(rng, 2 * n, n, 4)
    memory = columns_of(matrix)
    barred = rng.permutation(2 * n)[:n]
    memory.barred[barred] = 1
    rank = compiled(sparse_lu.factor_sparse)(1e-9, memory)
    kept = np.setdiff1d(np.arange(2 * n), barred)
    sizes = np.linalg.svd(matrix[kept], compute_uv=False)
    if not np.any((sizes > 1e-12) & (sizes < 1e-3)):
        assert rank == np.sum(sizes > 1e-6)
    assert not set(memory.pivot_rows[:rank].tolist()) & set(barred.tolist())


@pytest.mark.parametrize("n", [1, 7, 40])
def test_square_systems_in_blocks(n: int) -> None:
    """Symmetric and positive definite, with pivots on the diagonal; a right side that touches one block alone."""
    rng = np.random.default_rng(n)
    half = scattered(rng, n, n, 3)
    one = half @ half.T + np.eye(n)
    matrix = np.block([[one, np.zeros((n, n))], [np.zeros((n, n)), 2 * one]])
    memory = columns_of(matrix, diagonal=0.1)
    assert compiled(sparse_lu.factor_sparse)(0.0, memory) == 2 * n
    right = rng.normal(size=2 * n)
    x = right.copy()
    compiled(sparse_lu.solve_square)(x, 0, 2 * n, memory)
    np.testing.assert_allclose(matrix @ x, right, atol=1e-10 * np.abs(x).max() * np.abs(matrix).max())
    places = [memory.row_pivots[i] for i in range(n)]
    x = np.zeros(2 * n)
    x[0] = 1.0
    compiled(sparse_lu.solve_square)(x, 0, 2 * n, memory)
    np.testing.assert_allclose(matrix @ x, np.eye(2 * n)[0], atol=1e-9)
    assert len(set(places)) == n


def test_little_fills_in_along_a_chain() -> None:
    """A hundred and a thousand links in a row, numbered at random: entries grow with their number."""
    filled = []
    for n in (100, 1000):
        rng = np.random.default_rng(n)
        names = rng.permutation(n)
        pairs = [(names[i], names[i + 1]) for i in range(n - 1)]
        starts, rows = np.arange(0, 2 * n - 1, 2), np.array(pairs).ravel()
        memory = by_columns(n, starts, rows).memory()
        memory.values[:] = rng.normal(size=rows.size)
        assert compiled(sparse_lu.factor_sparse)(1e-9, memory) == n - 1
        filled.append(memory.lower_starts[n - 1] + memory.upper_starts[n - 1])
    assert filled[0] < 10 * 100 and filled[1] < 11 * filled[0]


def test_where_there_is_no_room_it_says_so() -> None:
    memory = columns_of(np.triu(np.ones((20, 20))) + np.eye(20))
    memory.upper_room = 3
    assert compiled(sparse_lu.factor_sparse)(1e-9, memory) == sparse_lu.NO_ROOM
