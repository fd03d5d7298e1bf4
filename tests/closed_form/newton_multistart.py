"""All real solutions of a small analytic system by Newton's method from many starts: slow, blind, independent."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Residual = Callable[[NDArray], NDArray]


def jacobian(residual: Residual, x: Array) -> Array:
    """Jacobians (N, n, n) at the points *x* (N, n), by complex steps."""
    columns = []
    for i in range(x.shape[1]):
        z = x.astype(complex)
        z[:, i] += 1e-30j
        columns.append(residual(z).imag / 1e-30)
    return np.stack(columns, axis=2)


def all_roots(residual: Residual, starts: Array, angles: int) -> Array:
    """Distinct roots (k, n) found from *starts* (N, n); the first *angles* unknowns are angles, brought into one turn.

    *residual* maps points (N, n) to values (N, n), real or complex.
    """
    x = starts.copy()
    for _ in range(60):
        values, slopes = residual(x), jacobian(residual, x)
        regular = np.abs(np.linalg.det(slopes)) > 1e-14
        step = np.zeros_like(x)
        step[regular] = np.linalg.solve(slopes[regular], values[regular, :, None])[:, :, 0]
        size = np.linalg.norm(step, axis=1, keepdims=True)
        x -= step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-300))
    x = x[np.linalg.norm(residual(x), axis=1) < 1e-12]
    x[:, :angles] = np.arctan2(np.sin(x[:, :angles]), np.cos(x[:, :angles]))
    kept: list[Array] = []
    for root in x:
        if all(distance(root, other, angles) > 1e-6 for other in kept):
            kept.append(root)
    return np.array(kept).reshape(-1, starts.shape[1])


def distance(x: Array, y: Array, angles: int) -> float:
    """Largest difference of two points, of angles round the turn."""
    difference = x - y
    turned = difference[:angles]
    difference[:angles] = np.arctan2(np.sin(turned), np.cos(turned))
    return float(np.abs(difference).max())


def assert_same_roots(found: Array, expected: Array, angles: int, tolerance: float) -> None:
    """Both ways: every expected root was found, and none was invented."""
    assert len(found) == len(expected), (found, expected)
    for root in expected:
        assert min(distance(root, other, angles) for other in found) < tolerance
    for root in found:
        assert min(distance(root, other, angles) for other in expected) < tolerance
