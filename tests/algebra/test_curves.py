"""Curves through points: equal to NumPy's and SciPy's interpolation, with exact primitives and lines beyond the ends."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from linkwork.algebra.curves import Cubic, linear_curve, smooth_curve
from linkwork.algebra.expressions import parse
from linkwork.algebra.expressions.polynomials import degree

Array = NDArray[np.float64]
RNG = np.random.default_rng(5)
SHAPES = {
    "random": RNG.normal(size=20),
    "rising": np.cumsum(RNG.uniform(0, 1, 20)),
    "with steps": np.repeat(RNG.normal(size=5), 4),
    "two points": np.array([1.0, -2.0]),
    "three points": np.array([1.0, -2.0, 5.0]),
}


def knots(values: Array) -> Array:
    return np.cumsum(np.random.default_rng(1).uniform(0.1, 1, len(values)))


def evaluated(make: Callable[..., Cubic], x: Array, f: Array, at: Array) -> tuple[Array, Array, Array]:
    """Value, derivative and primitive."""
    symbol = ca.SX.sym("x")
    curve = make([ca.SX(item) for item in x], [ca.SX(item) for item in f])
    value = curve.value(symbol)
    g = ca.Function("g", [symbol], [value, ca.gradient(value, symbol), curve.primitive(symbol)])
    first, second, third = (np.array(item).ravel() for item in g(at[None, :]))
    return first, second, third


@pytest.mark.parametrize("name", SHAPES)
def test_they_are_the_known_interpolations(name: str) -> None:
    f = SHAPES[name]
    x = knots(f)
    at = np.linspace(x[0], x[-1], 401)
    value, _, primitive = evaluated(linear_curve, x, f, at)
    np.testing.assert_allclose(value, np.interp(at, x, f), atol=1e-13)
    pieces = np.concatenate([[0], np.cumsum(np.diff(x) * (f[1:] + f[:-1]) / 2)])
    np.testing.assert_allclose(evaluated(linear_curve, x, f, x)[2], pieces, atol=1e-12)
    reference = PchipInterpolator(x, f)
    value, slope, primitive = evaluated(smooth_curve, x, f, at[1:-1])
    np.testing.assert_allclose(value, reference(at[1:-1]), atol=1e-13)
    np.testing.assert_allclose(slope, reference.derivative()(at[1:-1]), atol=1e-11)
    np.testing.assert_allclose(primitive, reference.antiderivative()(at[1:-1]), atol=1e-12)


@pytest.mark.parametrize("make", [linear_curve, smooth_curve])
def test_beyond_the_ends_the_slope_stays(make: Callable[..., Cubic]) -> None:
    f = SHAPES["random"]
    x = knots(f)
    for end, way in ((x[0], -1.0), (x[-1], 1.0)):
        near, far = end + way * np.array([1e-9, 0.5]), end + way * np.array([1.0, 3.0])
        value, slope, primitive = evaluated(make, x, f, np.concatenate([near, far]))
        np.testing.assert_allclose(slope, slope[0], rtol=1e-9)
        assert value[3] - value[2] == pytest.approx(slope[0] * way * 2)
        # the trapezium is exact on a line
        assert primitive[3] - primitive[2] == pytest.approx(way * (value[2] + value[3]), abs=1e-11)


def test_values_may_be_symbols() -> None:
    """Live parameters in a table: the slopes follow them."""
    x, height = ca.SX.sym("x"), ca.SX.sym("height")
    curve = smooth_curve([ca.SX(i) for i in range(4)], [ca.SX(0), ca.SX(1), height, ca.SX(3)])
    f = ca.Function("f", [x, height], [curve.value(x)])
    for number in (-2.0, 1.0, 1.5, 4.0):
        reference = PchipInterpolator(range(4), [0, 1, number, 3])
        for at in (0.3, 1.2, 2.9):
            assert float(f(at, number)) == pytest.approx(float(reference(at)), abs=1e-14)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("k*x + k3*x^3", 3),
        ("-(x - 1)^2*x/k", 3),
        ("sin(k)*x", 1),
        ("4", 0),
        ("k^x", None),
        ("x^0.5", None),
        ("abs(x)", None),
        ("1/x", None),
        ("x*t", None),
        ("if(x < 1, x, 1)", None),
    ],
)
def test_degrees_of_polynomials(text: str, found: int | None) -> None:
    assert degree(parse(text), ["x"], ["k", "k3"]) == found
