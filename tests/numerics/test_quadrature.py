"""Integrals over growing times against antiderivatives, also of functions with jumps."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.numerics.systems.quadrature import integrals


def late(t):
    """Nothing before 0.7 s."""
    return np.maximum(t - 0.7, 0)


# f, its integral from 0, and the integral of that
CASES = {
    "cosine": (np.cos, np.sin, lambda t: 1 - np.cos(t)),
    "fast": (lambda t: np.cos(40 * t), lambda t: np.sin(40 * t) / 40, lambda t: (1 - np.cos(40 * t)) / 1600),
    "jump": (lambda t: np.where(t < 0.7, 0.0, 1.0), late, lambda t: late(t) ** 2 / 2),
    "jump beside a time": (
        lambda t: np.where(t < 0.6505, 0.0, 1.0),
        lambda t: np.maximum(t - 0.6505, 0),
        lambda t: np.maximum(t - 0.6505, 0) ** 2 / 2,
    ),
    "jump before a time": (
        lambda t: np.where(t < 1.9999, 0.0, 1.0),
        lambda t: np.maximum(t - 1.9999, 0),
        lambda t: np.maximum(t - 1.9999, 0) ** 2 / 2,
    ),
    "kink": (late, lambda t: late(t) ** 2 / 2, lambda t: late(t) ** 3 / 6),
}


@pytest.mark.parametrize("times", [np.linspace(0, 3, 4), np.array([0.0, 0.1, 0.65, 2.0, 2.001])])
@pytest.mark.parametrize("name", CASES)
def test_integrals_are_those_of_the_antiderivative(name, times):
    f, once, twice = CASES[name]
    found = integrals(f, times)
    np.testing.assert_allclose(found[:, 0], once(times), rtol=0, atol=3e-12)
    np.testing.assert_allclose(found[:, 1], twice(times), rtol=0, atol=6e-12)
