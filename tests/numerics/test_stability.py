"""Stability functions of the tableaux against closed forms, published limits and the steps that are really taken."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from compiled_flows import flow, oscillator

from linkwork.analysis.methods.stability_limits import stability_limits
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import RungeKutta, Stability, square
from linkwork.numerics.integrators.coupled import CoupledRungeKutta
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.stability import stability_function

TABLEAUX = [method for method in ALL_METHODS if isinstance(method, RungeKutta)]
methods = pytest.mark.parametrize("method", TABLEAUX, ids=lambda method: method.name)
POINTS = np.random.default_rng(7).normal(size=20) + 1j * np.random.default_rng(8).normal(size=20)


def tableau(
    rows: list[list[float]], order: int, stability: Stability = "A-stable", made: Any = RungeKutta
) -> RungeKutta:
    """A method with nothing but a tableau, its first stage that of a step of size zero."""
    matrix = square(rows)
    count = len(rows)
    declared: RungeKutta = made(
        name="test",
        title="test",
        order=order,
        dense_order=1,
        stages=count - 1,
        nodes=matrix.sum(axis=1),
        matrix=matrix,
        error=np.zeros((0, count)),
        dense=np.zeros((count, 1)),
        stability=stability,
        source="",
    )
    return declared


def gauss() -> RungeKutta:
    """Two stages, order 4. SOURCE: Hairer and Wanner II, table IV.5.1."""
    r = math.sqrt(3) / 6
    rows = [[], [0.0, 1 / 4, 1 / 4 - r], [0.0, 1 / 4 + r, 1 / 4], [0.0, 1 / 2, 1 / 2]]
    return tableau(rows, 4, made=partial(CoupledRungeKutta, collocated=2, gamma=0.25))


def norsett(alpha: float) -> RungeKutta:
    """a₁₁ = a₂₂ = α, a₂₁ = 1 − 2α, b = ½, ½. SOURCE: García de Jalón and Bayo, section 7.1."""
    return tableau([[], [0.0, alpha], [0.0, 1 - 2 * alpha, alpha], [0.0, 1 / 2, 1 / 2]], 2)


@methods
def test_declared_stability_is_that_of_the_tableau(method: RungeKutta) -> None:
    assert stability_function(method).stability == method.stability


@methods
def test_stability_function_by_solving_the_stages(method: RungeKutta) -> None:
    """R(z) = 1 + z bᵀ (I − z A)⁻¹ 1"""
    count = method.stages + 1
    a, b = method.matrix[:count, :count], method.matrix[method.stages, :count]
    solved = [1 + z * b @ np.linalg.solve(np.eye(count) - z * a, np.ones(count)) for z in POINTS]
    np.testing.assert_allclose(stability_function(method)(POINTS), solved, rtol=1e-12)


@methods
def test_stability_function_is_the_exponential_to_the_order(method: RungeKutta) -> None:
    """P(z) = Q(z) e^z up to z^p, and not beyond."""
    function, count = stability_function(method), method.order + 2
    series = np.convolve(function.denominator, [1 / math.factorial(k) for k in range(count)])[:count]
    defects = np.abs(np.pad(function.numerator, (0, count))[:count] - series)
    assert np.max(defects[:-1]) < 1e-14
    assert defects[-1] > 1e-9


@methods
def test_a_step_multiplies_by_the_stability_function(method: RungeKutta) -> None:
    """ẏ = (y₂, −y₁) is ż = −iz for z = y₁ + i y₂."""
    found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 0.7], step=0.7)
    assert found.statistics.steps == 1
    np.testing.assert_allclose(complex(*found.y[-1]), stability_function(method)(-0.7j), rtol=1e-14)


@pytest.mark.parametrize(
    ("name", "real", "imaginary"),
    [
        ("euler", 2.0, 0.0),
        ("heun", 2.0, 0.0),
        # the real root of 1 − x/2 + x²/6 − x³/24, and 2√2
        ("rk4", 2.785293563405282, math.sqrt(8)),
        ("trapezoidal", math.inf, math.inf),
    ],
)
def test_published_limits(name: str, real: float, imaginary: float) -> None:
    """SOURCE: Hairer and Wanner II, section IV.2 (3.3 for DOPRI5); García de Jalón and Bayo, section 7.1, where the limit of
    Euler is misprinted: it is 2/|λ|."""
    limits = stability_limits(name)
    assert limits.real == pytest.approx(real, rel=1e-12)
    assert limits.imaginary == pytest.approx(imaginary, rel=1e-12)
    assert stability_limits("dopri5").real == pytest.approx(3.3, abs=0.05)


@methods
def test_limits_are_where_solutions_begin_to_grow(method: RungeKutta) -> None:
    function = stability_function(method)
    for direction in (-1.0, 1j, -1.0 + 1j):
        limit = function.limit(complex(direction))
        inside = np.linspace(0.0, min(limit, 100.0), 500)[:-1]
        assert np.all(np.abs(function(inside * direction)) <= 1.0 + 1e-14)
        if np.isfinite(limit):
            assert abs(function((limit + 0.01) * direction)) > 1.0


def test_implicit_tableaux_by_their_kind() -> None:
    """SOURCE: Hairer and Wanner II, sections IV.3 to IV.6; for Nørsett's third order α = (3 + √3)/6."""
    euler = stability_function(tableau([[], [0.0, 1.0]], 1))
    assert euler.stability == "L-stable"
    np.testing.assert_allclose(euler(POINTS), 1 / (1 - POINTS))
    pade = stability_function(gauss())
    np.testing.assert_allclose(pade(POINTS), (1 + POINTS / 2 + POINTS**2 / 12) / (1 - POINTS / 2 + POINTS**2 / 12))
    assert pade.stability == "A-stable"
    third = stability_function(norsett((3 + math.sqrt(3)) / 6))
    assert third.stability == "A-stable"
    assert abs(third(0.01) - np.exp(0.01)) < 1e-8
    assert stability_function(norsett(1 + math.sqrt(2) / 2)).stability == "L-stable"
    assert stability_function(norsett(1 - math.sqrt(2) / 2)).stability == "L-stable"
    assert stability_function(norsett(0.2)).stability == "conditionally stable"


def test_limits_print() -> None:
    end = "for vibrations without damping"
    assert str(stability_limits("rk4")) == f"rk4: h|λ| ≤ 2.785 for decay (real λ), hω ≤ 2.828 {end}"
    assert str(stability_limits("heun")) == f"heun: h|λ| ≤ 2 for decay (real λ), no step {end}"
    assert "any step" in str(stability_limits("trapezoidal"))
