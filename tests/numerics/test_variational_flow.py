"""Ẏ = J(t) Y by collocation: exact solutions, its order, and matrices too large for iteration."""

import numpy as np
import pytest
from scipy.linalg import expm

from linkwork.numerics.systems.variational_flow import collocation_times, transition


def test_a_constant_matrix():
    matrix = np.array([[0.0, 1.0, 0.0], [-9.0, -0.2, 1.0], [0.5, 0.0, -1.0]])
    times = collocation_times(1.0, 3.0, 8)
    found = transition(np.broadcast_to(matrix, (len(times), 3, 3)), 2.0)
    np.testing.assert_allclose(found, expm(2.0 * matrix), atol=1e-11)


def test_a_stiff_matrix():
    """Where hJ is large, the stages are solved for: the fast part is damped away."""
    matrix = np.array([[-1.0, 0.0], [1.0, -1e4]])
    found = transition(np.broadcast_to(matrix, (len(collocation_times(0.0, 1.0, 64)), 2, 2)), 1.0)
    assert found[0, 0] == pytest.approx(np.exp(-1.0), rel=1e-12)
    assert found[1, 0] == pytest.approx(np.exp(-1.0) / 9999, rel=1e-6)


def test_the_order_is_twice_the_number_of_points():
    """Rotations by the angle t + sin t, stretched by e^{cos 2t − 1}."""

    def error(intervals: int) -> float:
        t = collocation_times(0.0, 3.0, intervals)
        spin, stretch = 1 + np.cos(t), -2 * np.sin(2 * t)
        rates = spin[:, None, None] * np.array([[0.0, -1.0], [1.0, 0.0]]) + stretch[:, None, None] * np.eye(2)
        angle, size = 3 + np.sin(3.0), np.exp(np.cos(6.0) - 1)
        exact = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return float(np.max(np.abs(transition(rates, 3.0) - exact)))

    assert np.log2(error(4) / error(8)) == pytest.approx(12.0, abs=0.5)
    assert error(24) < 1e-13
