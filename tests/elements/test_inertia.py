"""Inertia of uniform shapes against clouds of points that fill them."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.space import PLANAR, SPATIAL
from linkwork.elements.inertia import box_inertia, cylinder_inertia, point_inertia, rod_inertia

N = 40
NODES, WEIGHTS = np.polynomial.legendre.leggauss(N)


def tensor(points: np.ndarray, weights: np.ndarray, mass: float) -> np.ndarray:
    """∫ρ (r·r 1 − r rᵀ) over points (n, 3) with weights that need not be normalised."""
    share = mass * weights / weights.sum()
    return np.einsum("n,nij->ij", share, np.einsum("nk,nk->n", points, points)[:, None, None] * np.eye(3)) - np.einsum(
        "n,ni,nj->ij", share, points, points
    )


def box_cloud(a: float, b: float, c: float) -> tuple[np.ndarray, np.ndarray]:
    x, y, z = np.meshgrid(a / 2 * NODES, b / 2 * NODES, c / 2 * NODES, indexing="ij")
    wx, wy, wz = np.meshgrid(WEIGHTS, WEIGHTS, WEIGHTS, indexing="ij")
    return np.column_stack([x.ravel(), y.ravel(), z.ravel()]), (wx * wy * wz).ravel()


def cylinder_cloud(radius: float, length: float, axis: int) -> tuple[np.ndarray, np.ndarray]:
    r, phi, z = np.meshgrid(radius * (NODES + 1) / 2, np.arange(N) * 2 * np.pi / N, length / 2 * NODES, indexing="ij")
    wr, _, wz = np.meshgrid(WEIGHTS, np.ones(N), WEIGHTS, indexing="ij")
    columns = [(r * np.cos(phi)).ravel(), (r * np.sin(phi)).ravel()]
    columns.insert(axis, z.ravel())
    return np.column_stack(columns), (wr * wz * r).ravel()


def numeric(expression: ca.SX) -> np.ndarray:
    return np.array(ca.DM(ca.densify(expression)))


def test_box() -> None:
    mass, edges = 3.0, (0.3, 0.5, 0.7)
    expected = tensor(*box_cloud(*edges), mass)
    np.testing.assert_allclose(numeric(box_inertia(SPATIAL, ca.SX(mass), ca.SX(edges))), expected, atol=1e-14)
    flat = box_inertia(PLANAR, ca.SX(mass), ca.SX(edges[:2]))
    assert float(flat) == pytest.approx(expected[2, 2], rel=1e-13)


@pytest.mark.parametrize("axis", "xyz")
def test_cylinder(axis: str) -> None:
    mass, radius, length = 2.0, 0.2, 0.9
    expected = tensor(*cylinder_cloud(radius, length, "xyz".index(axis)), mass)
    found = cylinder_inertia(SPATIAL, ca.SX(mass), ca.SX(radius), ca.SX(length), axis)
    np.testing.assert_allclose(numeric(found), expected, atol=1e-14)
    flat = cylinder_inertia(PLANAR, ca.SX(mass), ca.SX(radius), ca.SX(length), axis)
    assert float(flat) == pytest.approx(expected[2, 2], rel=1e-13)


def test_rod_lies_along_x() -> None:
    mass, length = 2.0, 1.3
    expected = tensor(np.column_stack([length / 2 * NODES, 0 * NODES, 0 * NODES]), WEIGHTS, mass)
    np.testing.assert_allclose(numeric(rod_inertia(SPATIAL, ca.SX(mass), ca.SX(length))), expected, atol=1e-14)
    assert float(rod_inertia(PLANAR, ca.SX(mass), ca.SX(length))) == pytest.approx(expected[2, 2])


def test_a_point_has_none() -> None:
    assert point_inertia(PLANAR).shape == (1, 1) and point_inertia(SPATIAL).shape == (3, 3)
    assert point_inertia(SPATIAL).is_zero()
