"""Power series of ẏ = f(t, y, p): against total derivatives d/dt = ∂/∂t + ẏ ∂/∂y, which CasADi forms exactly."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler.program import build
from linkwork.errors import RefusedError

Function = Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
ORDER = 6
POINTER = ctypes.c_void_p
SERIES = ctypes.CFUNCTYPE(None, ctypes.c_double, *[POINTER] * 4, ctypes.c_int64)
T, Y, P = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 2)
TIME, STATE, PARAMETERS = 0.7, np.array([0.4, -0.3, 0.6]), np.array([1.3, -0.8])


def series(rates: ca.SX, t: float, y: np.ndarray, p: np.ndarray, order: int, states: frozenset[int]) -> np.ndarray:
    """Coefficients (order + 1, n) of the power series by compiled recurrences."""
    function = ca.Function("f", [T, Y, P], [ca.densify(rates)], ["t", "y", "p"], ["rates"])
    code = build({"f": function})["f"].series(states)
    out, work = np.full((order + 1, y.size), np.nan), np.zeros(code.layout.size(order))
    SERIES(code.address)(t, *(array.ctypes.data for array in (y, p, out, work)), order)
    return out


def derivatives(rates: ca.SX, t: float, y: np.ndarray, p: np.ndarray, order: int) -> np.ndarray:
    """The same by repeated differentiation."""
    found, current = [Y], rates
    for k in range(1, order + 1):
        found.append(current / math.factorial(k))
        current = ca.jacobian(current, T) + ca.jtimes(current, Y, rates)
    return np.array(ca.Function("g", [T, Y, P], [ca.horzcat(*found)])(t, y, p)).T


def motion(f: Function) -> ca.SX:
    """A motion in which all three arguments of f change: ẏ₀ = f, beside a nonlinear clock."""
    return ca.vertcat(f(Y[0], Y[1], T * Y[2]), Y[0] * Y[2] + P[0] * T, ca.sin(Y[1]) - P[1] * Y[2])


FUNCTIONS: dict[str, Function] = {
    "product": lambda a, b, c: a * b * c - a * a + P[0] * b,
    "quotient": lambda a, b, c: a / (2 + b) + 1 / (1 + a) - c / P[0],
    "root": lambda a, b, c: ca.sqrt(1 + a * b),
    "powers": lambda a, b, c: a**3 + (2 + b) ** 2.5 + (1 + c) ** -2 + ca.sqrt(a) ** P[1] + (1 + a) ** b + P[0] ** c,
    "circular": lambda a, b, c: ca.sin(a) * ca.cos(b) + ca.tan(c) + ca.cos(a),
    "inverse": lambda a, b, c: ca.asin(a) + ca.acos(b) + ca.atan(c),
    "angle": lambda a, b, c: ca.atan2(a, b) + ca.atan2(c, P[1]) + ca.atan2(P[0], a),
    "exponential": lambda a, b, c: ca.exp(a) * ca.log(1 + c) + ca.expm1(b) - ca.log1p(a) + ca.erf(b),
    "hyperbolic": lambda a, b, c: ca.sinh(a) + ca.cosh(b) * ca.tanh(c),
    "areas": lambda a, b, c: ca.asinh(a) + ca.acosh(2 + b) + ca.atanh(c),
    "hypotenuse": lambda a, b, c: ca.hypot(a, b) + ca.hypot(c, P[0]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_series_are_the_total_derivatives(name: str) -> None:
    rates = motion(FUNCTIONS[name])
    expected = derivatives(rates, TIME, STATE, PARAMETERS, ORDER)
    found = series(rates, TIME, STATE, PARAMETERS, ORDER, frozenset(range(3)))
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-11)


def pieces(a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
    total = ca.fmin(a * c, b) + 2 * ca.fmax(a, b * b) + 3 * ca.fabs(b * a) + ca.copysign(c, a) + ca.sign(b) * a
    return total + ca.if_else(a < b, a * a, c) + ca.fmod(5 * c, 1 + a * a) + ca.remainder(7 * a, 1 + b * b)


def test_piecewise_functions_keep_the_branch_of_the_start() -> None:
    def branch(a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
        """The same near a = 0.4, b = −0.3, c = 0.42: 2.1 = 1 · 1.16 + ..., 2.8 = 3 · 1.09 − ..."""
        return b + 2 * a - 3 * a * b + c - a + c + (5 * c - (1 + a * a)) + (7 * a - 3 * (1 + b * b))

    def other(a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
        """And with a and b exchanged: 2.1 = 1 · 1.09 + ..., −2.1 = −2 · 1.16 + ..."""
        return a * c + 2 * b * b - 3 * a * b - c + a + a * a + (5 * c - (1 + a * a)) + (7 * a + 2 * (1 + b * b))

    def exchanged(f: Function) -> Function:
        return lambda a, b, c: f(b, a, c)

    for given, known in ((pieces, branch), (exchanged(pieces), exchanged(other))):
        expected = derivatives(motion(known), TIME, STATE, PARAMETERS, ORDER)
        found = series(motion(given), TIME, STATE, PARAMETERS, ORDER, frozenset(range(3)))
        assert found == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_only_what_the_wanted_states_depend_on() -> None:
    rates = ca.vertcat(Y[2], Y[0] * Y[1], -Y[0])
    found = series(rates, TIME, STATE, PARAMETERS, 4, frozenset({0}))
    assert found[:, [0, 2]] == pytest.approx(derivatives(rates, TIME, STATE, PARAMETERS, 4)[:, [0, 2]], rel=1e-14)
    assert np.array_equal(found[:, 1], [STATE[1], 0, 0, 0, 0])


def test_constant_and_time_driven_rates() -> None:
    rates = ca.vertcat(P[0], 3 * T**2, 0)
    found = series(rates, 2.0, STATE, PARAMETERS, 5, frozenset(range(3)))
    assert np.array_equal(found[1:], [[1.3, 12, 0], [0, 6, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]])


def test_long_series_of_a_known_function() -> None:
    # y = tan t: its series about 0 has the coefficients 1, 1/3, 2/15, 17/315, ... (Abramowitz and Stegun, 4.3.67)
    rates = ca.vertcat(1 + Y[0] ** 2, 0, 0)
    found = series(rates, 0.0, np.zeros(3), PARAMETERS, 25, frozenset({0}))[:, 0]
    known = [1, 1 / 3, 2 / 15, 17 / 315, 62 / 2835, 1382 / 155925]
    assert found[1:12:2] == pytest.approx(known, rel=1e-14)
    assert np.all(found[::2] == 0)
    assert found[25] / found[23] == pytest.approx(4 / math.pi**2, rel=1e-9)


def test_the_evaluator_of_casadi_has_no_series() -> None:
    function = ca.Function("f", [T, Y, P], [Y])
    with pytest.raises(RefusedError, match="take 'cpu'"):
        build({"f": function}, "reference")["f"].series(frozenset({0}))
