"""How gaps open beside contacts: against published cases, and against the gaps of moved points of both surfaces."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.numerics.collision.curvature import opening
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import convex_record, located, plane_record, turned_record


def drum(radius: float, way: tuple[float, float], height: float = 0.0):
    """A long cylinder that lies along a direction of the x-y plane."""
    axis = np.array([*way, 0.0]) / np.hypot(*way)
    axes = np.column_stack([np.cross([0, 0, 1], axis), [0, 0, 1], axis])
    return located(turned_record([(-2.0, radius), (2.0, radius)]), (0, 0, height), axes)


def test_balls_planes_and_barrels():
    """1/(2R) and so on: two balls in all directions, a cylinder on a plane across it alone, crossed cylinders as a ball."""
    one, other = (located(convex_record(np.zeros((1, 3)), r), (0, 0, z)) for r, z in ((0.5, 0.0), (0.2, 0.7)))
    np.testing.assert_allclose(np.ravel(opening(contacts(one, other))), (1 / 0.5 + 1 / 0.2) / 2)
    np.testing.assert_allclose(np.ravel(opening(contacts(plane_record(), located(other, (0, 0, 0.2))))), 1 / 0.4)
    small, large = opening(contacts(plane_record(), drum(0.2, (1, 1), 0.2), reach=1e-9))
    np.testing.assert_allclose(small, 0.0, atol=1e-12)
    np.testing.assert_allclose(large, 1 / 0.4, rtol=1e-7)
    small, large = opening(contacts(drum(0.5, (1, 0)), drum(0.5, (0, 1), 1.0)))
    np.testing.assert_allclose([small[0], large[0]], 1.0, rtol=1e-7)
    needle = located(convex_record([[0, 0, -1], [0, 0, 1]]), (0, 0, 1.5))
    assert np.all(np.isinf(opening(contacts(convex_record([[0, 0, 0]], 0.5), needle))))


@pytest.mark.parametrize("angle", [20.0, 50.0, 80.0])
def test_skew_cylinders_open_as_they_are_shaped(angle):
    """Heights √(r² − s²) of both barrels, at small distances from the contact, against A x² + B y² by least squares."""
    r, s, way = 0.5, 0.2, np.radians(angle)
    small, large = opening(contacts(drum(r, (1, 0)), drum(s, (np.cos(way), np.sin(way)), r + s + 0.01)))
    rng = np.random.default_rng(0)
    x, y = 1e-4 * rng.normal(size=(2, 200))
    across = -np.sin(way) * x + np.cos(way) * y
    gap = (r - np.sqrt(r**2 - y**2)) + (s - np.sqrt(s**2 - across**2))
    a, b, c = np.linalg.lstsq(np.column_stack([x**2, x * y, y**2]), gap, rcond=None)[0]
    wanted = np.linalg.eigvalsh([[a, b / 2], [b / 2, c]])
    np.testing.assert_allclose([small[0], large[0]], wanted, rtol=1e-4)
