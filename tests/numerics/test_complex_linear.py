"""Complex LU against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from linkwork.numerics.loader import kernel_address

POINTER, INTEGER = ctypes.c_void_p, ctypes.c_int64


def factor(a: np.ndarray) -> tuple[int, tuple[np.ndarray, ...]]:
    n = len(a)
    real, imaginary = np.array(a.real, order="F"), np.array(a.imag, order="F")
    pivots, scale = np.zeros(n, np.int64), np.zeros(n)
    kernel = ctypes.CFUNCTYPE(INTEGER, POINTER, POINTER, INTEGER, POINTER, POINTER)
    run = kernel(kernel_address("complex_linear.factor_complex_lu"))
    arrays = real.ctypes.data, imaginary.ctypes.data, n, pivots.ctypes.data, scale.ctypes.data
    return run(*arrays), (real, imaginary, pivots)


@pytest.mark.parametrize("n", [1, 2, 5, 17])
def test_complex_lu_solves_badly_scaled_rows(n: int) -> None:
    rng = np.random.default_rng(n)
    a = (rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n))) * 10.0 ** rng.uniform(-8, 8, size=(n, 1))
    x = rng.normal(size=n) + 1j * rng.normal(size=n)
    code, (real, imaginary, pivots) = factor(a)
    assert code == -1
    br, bi = np.ascontiguousarray((a @ x).real), np.ascontiguousarray((a @ x).imag)
    solve = ctypes.CFUNCTYPE(None, POINTER, POINTER, INTEGER, POINTER, POINTER, POINTER)
    arrays = real.ctypes.data, imaginary.ctypes.data, n, pivots.ctypes.data, br.ctypes.data, bi.ctypes.data
    solve(kernel_address("complex_linear.solve_complex_lu"))(*arrays)
    np.testing.assert_allclose(br + 1j * bi, x, rtol=1e-10)


def test_complex_lu_names_the_column_without_a_pivot() -> None:
    a = np.diag([1.0 + 2j, 3j, 0.0, 1.0])
    assert factor(a)[0] == 2
