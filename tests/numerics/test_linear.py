"""Dense kernels against NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.linear import dense, lapack
from linkwork.numerics.kernels.linear.dense import (
    apply_q,
    apply_q_transposed,
    congruence,
    factor_cholesky,
    factor_lu,
    factor_qr,
    factor_qr_first,
    solve_least,
    solve_lu,
    solve_lu_transposed,
    solve_symmetric,
)
from linkwork.numerics.loader import compiled

KERNELS = [name for name, value in vars(dense).items() if isinstance(value, Kernel) and name in globals()]


def in_python(kernel: Kernel[..., Any]) -> Callable[..., Any]:
    """A kernel as the Python function that it is, on flat arrays."""
    return lambda *values: kernel(*(v.ravel(order="K") if isinstance(v, np.ndarray) else v for v in values))


@pytest.fixture(params=[compiled, in_python], ids=["compiled", "in Python"], autouse=True)
def way(request: pytest.FixtureRequest) -> None:
    """All kernels of this file in machine code, and as they are written."""
    for name in KERNELS:
        globals()[name] = request.param(getattr(dense, name))


@pytest.mark.parametrize("n", [1, 2, 5, 17])
def test_lu_solves_badly_scaled_rows(n: int) -> None:
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-8, 8, size=(n, 1))
    x = rng.normal(size=n)
    b, lu, pivots, scale = a @ x, np.array(a, order="F"), np.zeros(n, np.int64), np.zeros(n)
    assert factor_lu(lu, n, pivots, scale, 1e-13) == -1
    solve_lu(lu, n, pivots, b)
    np.testing.assert_allclose(b, x, rtol=1e-10)
    x *= np.abs(a).max(axis=1) ** -1
    b = a.T @ x
    solve_lu_transposed(lu, n, pivots, b)
    np.testing.assert_allclose(b, x, rtol=1e-10)


def test_lu_names_the_dependent_column() -> None:
    a = np.asfortranarray(np.random.default_rng(0).normal(size=(5, 5)))
    a[:, 3] = a[:, 0] + 2 * a[:, 2]
    assert factor_lu(a, 5, np.zeros(5, np.int64), np.zeros(5), 1e-12) == 3


def test_lu_refuses_what_is_not_a_number() -> None:
    a = np.asfortranarray(np.full((3, 3), np.nan))
    assert factor_lu(a, 3, np.zeros(3, np.int64), np.zeros(3), 1e-12) == 0


@pytest.mark.parametrize("n", [1, 3, 12])
def test_cholesky_equals_scipy(n: int) -> None:
    g = np.random.default_rng(n).normal(size=(n, n))
    a = np.asfortranarray(g @ g.T + 0.1 * np.eye(n))
    expected = scipy.linalg.cholesky(a)
    assert factor_cholesky(a, n) == -1
    np.testing.assert_allclose(np.triu(a), expected, rtol=1e-9, atol=1e-12)


def test_cholesky_names_the_column_that_is_not_positive() -> None:
    assert factor_cholesky(np.asfortranarray(np.diag([1.0, 2.0, -3.0, 1.0])), 4) == 2


@pytest.mark.parametrize("signs", [(1, 1, 1, 1), (1, -1, 1, -1)], ids=["positive", "indefinite"])
def test_symmetric_solution_falls_back_to_lu(signs: tuple[int, ...]) -> None:
    q = np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0]
    a = q @ np.diag(np.multiply(signs, [1.0, 2.0, 3.0, 4.0])) @ q.T
    b = np.arange(4.0)
    expected = np.linalg.solve(a, b)
    a = np.asfortranarray(a)
    assert solve_symmetric(a, 4, np.zeros(16), np.zeros(4, np.int64), np.zeros(4), b) == -1
    np.testing.assert_allclose(b, expected, rtol=1e-12)


def run_qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, cols = a.shape
    factors, pivots, tau = np.array(a, order="F"), np.zeros(cols, np.int64), np.zeros(rows + cols)
    factor_qr(factors, rows, cols, pivots, tau, np.zeros(cols))
    return factors, pivots, tau


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (5, 5), (1, 1), (7, 1), (1, 4)])
def test_pivoted_qr_equals_lapack(shape: tuple[int, int]) -> None:
    rows, cols = shape
    a = np.random.default_rng(rows * 10 + cols).normal(size=shape)
    r, pivots = scipy.linalg.qr(a, mode="r", pivoting=True)
    factors, found, tau = run_qr(a)
    np.testing.assert_array_equal(found, pivots)
    np.testing.assert_allclose(np.abs(np.triu(factors)), np.abs(r), atol=1e-13)
    # Q R restores A P column by column
    steps = min(rows, cols)
    for j in range(cols):
        column = np.triu(factors)[:, j].copy()
        apply_q(factors, rows, steps, tau, column)
        np.testing.assert_allclose(column, a[:, found[j]], atol=1e-13)


def test_the_first_columns_are_served_first() -> None:
    """Long columns wait for the short ones that come first, but not for one that depends on these."""
    rng = np.random.default_rng(5)
    a = rng.normal(size=(7, 5))
    a[:, 2] = a[:, 0] - 2 * a[:, 1]
    a[:, 3:] *= 1e3
    factors, pivots, tau = np.array(a, order="F"), np.zeros(5, np.int64), np.zeros(12)
    assert factor_qr_first(factors, 7, 5, 3, 1e-9, pivots, tau, np.zeros(5)) == 2
    assert set(pivots[:2]) < {0, 1, 2}
    assert set(pivots[2:4]) == {3, 4}
    for j in range(5):
        column = np.triu(factors)[:, j].copy()
        apply_q(factors, 7, 5, tau, column)
        np.testing.assert_allclose(column, a[:, pivots[j]], atol=1e-11)


def test_pivoted_qr_reveals_the_rank() -> None:
    rng = np.random.default_rng(9)
    a = rng.normal(size=(8, 3)) @ rng.normal(size=(3, 5))
    diagonal = np.abs(np.diag(run_qr(a)[0]))
    assert np.all(diagonal[:3] > 0.1)
    assert np.all(diagonal[3:] < 1e-14)


def test_congruence_with_q() -> None:
    rng = np.random.default_rng(2)
    a, s = rng.normal(size=(5, 3)), rng.normal(size=(5, 5))
    s = np.asfortranarray(s + s.T)
    factors, _, tau = run_qr(a)
    q = np.eye(5, order="F")
    for j in range(5):
        apply_q(factors, 5, 3, tau, q[:, j])
    expected = q.T @ s @ q
    congruence(factors, 5, 3, tau, s)
    np.testing.assert_allclose(s, expected, atol=1e-13)
    np.testing.assert_allclose(q.T @ q, np.eye(5), atol=1e-14)


@pytest.mark.parametrize(("shape", "rank"), [((6, 4), 4), ((6, 5), 3), ((4, 9), 4), ((5, 8), 2)])
def test_the_shortest_of_many_solutions(shape: tuple[int, int], rank: int) -> None:
    rng = np.random.default_rng(rank)
    a = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
    b = a @ rng.normal(size=shape[1])
    factors, pivots = np.array(a, order="F"), np.arange(shape[1])
    tau, norms, x = np.zeros(sum(shape)), np.zeros(sum(shape)), np.zeros(sum(shape))
    factor_qr(factors, *shape, pivots, tau, norms)
    x[: shape[0]] = b
    apply_q_transposed(factors, shape[0], rank, tau, x)
    solve_least(factors, shape[0], rank, shape[1], norms, x)
    found = np.zeros(shape[1])
    found[pivots] = x[: shape[1]]
    np.testing.assert_allclose(found, np.linalg.lstsq(a, b)[0], atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (5, 9), (9, 9), (20, 41)])
def test_vectors_by_lapack_as_kernels_call_it(shape: tuple[int, int]) -> None:
    """Singular values and eigenvalues are NumPy's; vectors are orthonormal, and the last or first ones span a null space."""
    m, n = shape
    a = np.random.default_rng(m).normal(size=shape)
    vt, work, cells = np.zeros((n, n), order="F"), np.zeros(lapack.WORK * n), np.zeros(6, dtype=np.int64)
    compiled(lapack.right_vectors)(a.flatten(order="F"), m, n, vt, work, cells)
    np.testing.assert_allclose(work[:m], np.linalg.svd(a, compute_uv=False), atol=1e-13)
    np.testing.assert_allclose(vt @ vt.T, np.eye(n), atol=1e-13)
    np.testing.assert_allclose(a @ vt[m:].T, 0.0, atol=1e-13)
    square = a.T @ a
    vectors = np.array(square, order="F")
    compiled(lapack.eigenvectors)(vectors, n, work, cells)
    np.testing.assert_allclose(work[:n], np.linalg.eigvalsh(square), atol=1e-12 * np.abs(square).max())
    np.testing.assert_allclose(square @ vectors, vectors * work[:n], atol=1e-12 * np.abs(square).max())
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n), atol=1e-13)


@pytest.mark.parametrize(("n", "width"), [(1, 0), (5, 0), (6, 2), (20, 7), (9, 8)])
def test_bands_by_lapack_as_kernels_call_it(n: int, width: int) -> None:
    rng = np.random.default_rng(n)
    near = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= width
    a = rng.normal(size=(n, n)) * near
    x, cells = rng.normal(size=n), np.zeros(6, dtype=np.int64)
    # a general one, column by column with room for pivots
    bands = np.zeros((3 * width + 1, n), order="F")
    symmetric = np.zeros((width + 1, n), order="F")
    square = a + a.T + 4 * (width + 1) * np.eye(n)
    for j in range(n):
        for i in range(max(0, j - width), min(n, j + width + 1)):
            bands[2 * width + i - j, j] = a[i, j]
            if i >= j:
                symmetric[i - j, j] = square[i, j]
    b, pivots = a @ x, np.zeros(n, dtype=np.int64)
    assert compiled(lapack.solve_general_band)(bands.ravel(order="F"), n, width, pivots, b, cells) == -1
    np.testing.assert_allclose(b, x, rtol=1e-7, atol=1e-8)
    factor, b = symmetric.ravel(order="F"), square @ x
    assert compiled(lapack.factor_band)(factor, n, width, cells) == -1
    compiled(lapack.solve_band)(factor, n, width, b, cells)
    np.testing.assert_allclose(b, x, rtol=1e-10)
    symmetric[0, n // 2] = -1.0
    assert compiled(lapack.factor_band)(symmetric.ravel(order="F"), n, width, cells) == n // 2
