"""Methods of structural dynamics against the numbers of problem 7/1 of the book, and their theory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from compiled_flows import bell, flow, oscillator, pendulum

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.amplification import turning_root, vibration_growth
from linkwork.numerics.integrators.collocation import Collocation, WilsonTheta
from linkwork.numerics.integrators.generalised_alpha import GeneralisedAlpha
from linkwork.numerics.integrators.hht import HHT
from linkwork.numerics.integrators.newmark import LINEAR_ACCELERATION, NEWMARK, Newmark
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.structural import Structural

VIBRATION = replace(flow(oscillator), positions=1)
FORCED = replace(flow(pendulum), positions=1)
ALL = [
    NEWMARK,
    LINEAR_ACCELERATION,
    HHT(),
    HHT(-1 / 3),
    GeneralisedAlpha(),
    GeneralisedAlpha(1.0),
    GeneralisedAlpha(0.0),
    WilsonTheta(),
    Collocation(),
]
every = pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)


@pytest.mark.parametrize(
    ("method", "end", "amplification", "elongation", "damping"),
    [
        (NEWMARK, -0.843569151, 1.0, 0.0833, 0.0),
        (HHT(alpha=-0.1), -0.844612976, 0.99999899, 0.1045, 1.0e-5),
        (Newmark(beta=1 / 2, gamma=1), -0.669091289, 0.99750934, 0.1144, 0.02497),
        (Newmark(beta=1, gamma=1), -0.679627980, 0.99752168, 0.3638, None),
    ],
    ids=["a", "b", "c", "c with beta 1"],
)
def test_a_vibration_of_ten_seconds(
    method: Structural, end: float, amplification: float, elongation: float, damping: float | None
) -> None:
    """ÿ + y = 0, y(0) = 1, h = 0.1: y(10) and one step. SOURCE: García de Jalón and Bayo, problem 7/1, worked out."""
    found = integrate(method, VIBRATION, [1.0, 0.0], [0.0, 10.0], step=0.1).y[-1, 0]
    assert found == pytest.approx(end, abs=6e-10)
    value = turning_root(method, 0.1)
    assert abs(value) == pytest.approx(amplification, abs=6e-9)
    assert 100 * (0.1 / np.angle(value) - 1) == pytest.approx(elongation, abs=6e-5)
    if damping is not None:
        assert -np.log(abs(value)) / np.angle(value) == pytest.approx(damping, abs=6e-6)


@every
def test_the_matrix_is_what_steps_do(method: Structural) -> None:
    """Twenty steps of the kernel against powers of the matrix, which knows nothing of kernels."""
    start = np.array([1.0, 0.3 * 0.4, -0.16])  # x, h ẋ, h² ẍ on ẍ + x = 0 with h = 0.4
    found = integrate(method, VIBRATION, [1.0, 0.3], [0.0, 8.0], step=0.4).y[-1]
    expected = np.linalg.matrix_power(method.amplification(0.4), 20) @ start
    np.testing.assert_allclose(found, [expected[0], expected[1] / 0.4], rtol=1e-10)


@every
def test_order_two_with_forces_and_output_between_steps(method: Structural) -> None:
    grid = np.linspace(0.0, 5.0, 37)
    exact = integrate("dop853", FORCED, [1.0, 0.5], grid, rtol=1e-13, atol=1e-13).y
    errors = [np.abs(integrate(method, FORCED, [1.0, 0.5], grid, step=h).y - exact).max(axis=0) for h in (0.02, 0.01)]
    np.testing.assert_allclose(np.log2(errors[0] / errors[1]), 2.0, atol=0.1)


@every
def test_states_that_are_no_positions_have_order_two(method: Structural) -> None:
    """y = 1/(1 + t²)"""
    errors = [abs(integrate(method, flow(bell), [1.0], [0.0, 1.0], step=h).y[-1, 0] - 0.5) for h in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("beta", [1 / 4, 1 / 6, 0.4])
def test_positions_as_unknowns(beta: float) -> None:
    """a₊ and v₊ of the position found. SOURCE: García de Jalón and Bayo, eqs. 7.30 and 7.33, put right."""
    gamma, (x, v, a) = 0.7, np.eye(3)
    x_new, v_new, a_new = Newmark(beta, gamma).amplification(0.8, 0.1)
    np.testing.assert_allclose(a_new, (x_new - x - v) / beta - (1 / (2 * beta) - 1) * a, atol=1e-12)
    part = gamma / beta
    np.testing.assert_allclose(v_new, part * (x_new - x) - (part - 1) * v - (part / 2 - 1) * a, atol=1e-12)


def test_damping_by_gamma_costs_an_order() -> None:
    method = Newmark(beta=0.36, gamma=0.7)
    assert method.order == 1
    errors = [abs(integrate(method, VIBRATION, [1, 0], [0, 2], step=h).y[-1, 0] - np.cos(2)) for h in (0.02, 0.01)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8, 1.0])
def test_rho_is_left_of_very_long_steps(rho: float) -> None:
    """All three eigenvalues are −ρ at hω → ∞: their sum and product."""
    matrix = GeneralisedAlpha(rho).amplification(1e7)
    assert np.trace(matrix) == pytest.approx(-3 * rho, abs=1e-6)
    assert np.linalg.det(matrix) == pytest.approx(-(rho**3), abs=1e-6)


@pytest.mark.parametrize("alpha", [-0.3, -0.1, 0.0])
def test_hht_at_infinity(alpha: float) -> None:
    """(1 + α)/(1 − α) until the third eigenvalue, −α/(1 + α), is larger. SOURCE: Hilber, Hughes, Taylor 1977."""
    expected = max((1 + alpha) / (1 - alpha), -alpha / (1 + alpha))
    assert vibration_growth(HHT(alpha), 1e7) == pytest.approx(expected, abs=1e-6)


def test_radii_decrease_with_the_damping_that_is_asked_for() -> None:
    steps = np.geomspace(0.01, 1e4, 60)
    radii = [vibration_growth(GeneralisedAlpha(rho), steps) for rho in (0.0, 0.4, 0.8, 1.0)]
    assert all(np.all(less <= more + 1e-12) for less, more in pairwise(radii))
    np.testing.assert_allclose(radii[-1], 1.0, atol=1e-9)


def test_linear_acceleration_is_stable_up_to_its_limit() -> None:
    limit = 2 * np.sqrt(3)
    assert vibration_growth(LINEAR_ACCELERATION, 0.999 * limit) == pytest.approx(1.0, abs=1e-9)
    assert vibration_growth(LINEAR_ACCELERATION, 1.001 * limit) > 1.01


@pytest.mark.parametrize("theta", [1.0, 1.2, 1.6, 2.5])
def test_limits_of_collocation_are_those_of_stability(theta: float) -> None:
    """SOURCE: García de Jalón and Bayo, section 7.1.5: θ/(2(θ + 1)) ≥ β ≥ (2θ² − 1)/(4(2θ³ − 1))."""
    steps = np.geomspace(0.1, 1e5, 80)
    least, most = (2 * theta**2 - 1) / (4 * (2 * theta**3 - 1)), theta / (2 * (theta + 1))
    for beta in (least, most):
        assert np.max(vibration_growth(Collocation(theta, beta), steps)) <= 1.0 + 1e-6
    outside = Structural(
        name="",
        title="",
        order=2,
        dense_order=2,
        stability="A-stable",
        source="",
        beta=0.97 * least,
        gamma=0.5,
        theta=theta,
    )
    assert np.max(vibration_growth(outside, steps)) > 1.001


def test_wilson_is_collocation_with_a_linear_acceleration() -> None:
    np.testing.assert_array_equal(WilsonTheta(1.5).amplification(0.7), Collocation(1.5, beta=1 / 6).amplification(0.7))


def test_overshoot_of_collocation() -> None:
    """From a displacement with hω = 1000, the velocity of the first steps: θ-methods overshoot, generalised-α does not."""
    peaks = {}
    for method in (WilsonTheta(), GeneralisedAlpha(0.8)):
        state, largest = np.array([1.0, 0.0, -1e6]), 0.0
        for _ in range(10):
            state = method.amplification(1e3) @ state
            largest = max(largest, abs(state[0]))
        peaks[method.name] = largest
    assert peaks["generalised_alpha"] < 10.0
    assert peaks["wilson_theta"] > 1e3


def test_steps_that_follow_the_error() -> None:
    """Errors go with the 2/3 power of the tolerance: local errors of h³ a step, second order with steps that change."""
    grid = np.linspace(0.0, 10.0, 41)
    exact = integrate("dop853", FORCED, [1.0, 0.5], grid, rtol=1e-13, atol=1e-13).y
    for method in (GeneralisedAlpha(0.0), GeneralisedAlpha(0.8)):
        runs = [integrate(method, FORCED, [1.0, 0.5], grid, rtol=tol, atol=tol) for tol in (1e-5, 1e-8)]
        errors = [np.abs(run.y - exact).max() for run in runs]
        assert np.log10(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
        assert errors[1] < 1e-4
        assert runs[1].statistics.rejected < 0.1 * runs[1].statistics.steps


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GeneralisedAlpha(1.2), "rho = 1.2; it must be between 0, most damping, and 1"),
        (lambda: HHT(0.1), "alpha = 0.1; it must be between -1/3"),
        (lambda: Newmark(beta=0.0), "beta = 0; it must be above 0"),
        (lambda: Newmark(gamma=0.4), "gamma = 0.4; it must be between 1/2"),
        (lambda: WilsonTheta(1.2), "theta = 1.2; it must be at least"),
        (lambda: Collocation(1.2, 0.18), "beta = 0.18; it must be between 0.1914 and 0.2727 for theta = 1.2"),
        (lambda: vibration_growth("hht", -1.0), "positive"),
    ],
)
def test_parameters_out_of_range(make: object, message: str) -> None:
    with pytest.raises(RefusedError, match=message.replace("(", r"\(")):
        make()  # type: ignore[operator]


def test_names_carry_what_is_not_the_default() -> None:
    assert HHT().name == "hht"
    assert HHT(-0.2).name == "hht(alpha=-0.2)"
    assert "ρ = 0.5" in repr(GeneralisedAlpha(0.5))


def test_a_method_that_keeps_energy_is_told_one() -> None:
    with pytest.raises(RefusedError, match="keeps the energy"):
        integrate("energy_midpoint", VIBRATION, [1.0, 0.0], [0.0, 1.0], step=0.1)
