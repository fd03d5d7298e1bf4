"""Accelerations by the null space, and projection, against dense solutions and exact motions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from constrained_systems import GRAVITY, FourBar, ParallelCranks, Scotch, constant, make_system, pendulum
from scipy.integrate import solve_ivp
from scipy.linalg import null_space

from linkwork.numerics.flows.constrained import Flow, by_multipliers, by_partition, fallback_count, last_failure
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.kernels.constrained import codes


def rates(flow: Flow, t: float, y: np.ndarray) -> np.ndarray:
    ydot = np.full_like(y, np.nan)
    assert flow.evaluate(t, y.copy(), ydot) == 0
    return ydot


def random_system(seed: int, n: int, rank: int, rows: int, *, singular_mass: bool = False) -> tuple[np.ndarray, ...]:
    """M, C, h, b and scale; rows beyond the rank are combinations of the others; units differ by many decades."""
    rng = np.random.default_rng(seed)
    c = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n))
    z = null_space(c)
    if singular_mass:
        root = rng.normal(size=(n, z.shape[1]))
    else:
        root = rng.normal(size=(n, n + 2))
    unit = 10.0 ** rng.uniform(-3, 3, size=n)
    mass, c = root @ root.T * np.outer(unit, unit), c * unit * 10.0 ** rng.uniform(-4, 4, size=(rows, 1))
    return mass, c, rng.normal(size=n) * unit, c @ (rng.normal(size=n) / unit), 1.0 / unit


def dense_acceleration(mass: np.ndarray, c: np.ndarray, h: np.ndarray, b: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """v̇ = v_p + Z u with NumPy and SciPy, in scaled coordinates."""
    lengths = np.linalg.norm(c * scale, axis=1)
    c, b = c * scale / lengths[:, None], b / lengths
    mass, h = mass * np.outer(scale, scale), h * scale
    z = null_space(c, rcond=1e-9)
    particular = np.linalg.lstsq(c, -b, rcond=1e-9)[0]
    return scale * (particular + z @ np.linalg.solve(z.T @ mass @ z, z.T @ (h - mass @ particular)))


CASES = {
    "full rank": dict(n=7, rank=4, rows=4),
    "redundant": dict(n=7, rank=3, rows=6),
    "more rows than coordinates": dict(n=4, rank=3, rows=9),
    "fully constrained": dict(n=5, rank=5, rows=5),
    "one freedom of many": dict(n=15, rank=14, rows=14),
    "singular mass": dict(n=7, rank=4, rows=4, singular_mass=True),
    "singular mass, redundant": dict(n=8, rank=4, rows=6, singular_mass=True),
}


@pytest.mark.parametrize("method", ["multipliers", "partition"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_random_accelerations_equal_the_dense_solution(case: dict, method: str) -> None:
    for seed in range(5):
        mass, c, h, b, scale = random_system(seed, **case)
        system = constant(mass, c, h, b, scale)
        n = len(h)
        flow = (
            by_multipliers().begin(system)
            if method == "multipliers"
            else by_partition().begin(system, 0.0, np.zeros(2 * n))
        )
        expected = dense_acceleration(mass, c, h, b, scale)
        np.testing.assert_allclose(
            rates(flow, 0.0, np.zeros(2 * n))[n:] / scale, expected / scale, rtol=1e-7, atol=1e-7
        )


@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["positive mass", "indefinite mass"])
def test_without_constraints(sign: float) -> None:
    mass, h = np.array([[2.0, 0.5], [0.5, sign]]), np.array([1.0, -3.0])
    system = constant(mass, np.zeros((0, 2)), h, np.zeros(0), np.ones(2))
    for flow in (by_multipliers().begin(system), by_partition().begin(system, 0.0, np.zeros(4))):
        np.testing.assert_allclose(rates(flow, 0.0, np.zeros(4))[2:], np.linalg.solve(mass, h), rtol=1e-13)


def test_a_freedom_without_inertia_is_named() -> None:
    system = constant(np.diag([1.0, 0.0]), np.zeros((0, 2)), np.ones(2), np.zeros(0), np.ones(2))
    flow = by_partition().begin(system, 0.0, np.zeros(4))
    assert flow.evaluate(0.0, np.zeros(4), np.zeros(4)) == codes.MASS_SINGULAR
    failure = last_failure(flow)
    assert failure is not None
    assert failure.coordinate == 1
    assert "inertia" in failure.message


def swing(theta: float, omega: float, length: float = 1.3) -> np.ndarray:
    """State [x, y, ẋ, ẏ] of the pendulum, θ from the downward vertical."""
    sine, cosine = np.sin(theta), np.cos(theta)
    return length * np.array([sine, -cosine, omega * cosine, omega * sine])


def test_pendulum_against_its_angle() -> None:
    grid = np.linspace(0.0, 4.0, 21)
    exact = solve_ivp(
        lambda t, z: [z[1], -GRAVITY / 1.3 * np.sin(z[0])], (0, 4), [0.3, 6.5], "DOP853", grid, rtol=1e-13, atol=1e-13
    )
    flow = by_multipliers().begin(pendulum())
    solution = integrate("dop853", flow, swing(0.3, 6.5), grid, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(solution.y, [swing(*z) for z in exact.y.T], atol=1e-9)
    # zero drift: length and tangency at every output
    np.testing.assert_allclose(np.sum(solution.y[:, :2] ** 2, axis=1), 1.3**2, atol=1e-12)
    np.testing.assert_allclose(np.sum(solution.y[:, :2] * solution.y[:, 2:], axis=1), 0.0, atol=1e-11)


@pytest.mark.matrix("method")
@pytest.mark.parametrize("method", ["multipliers", "partition"])
@pytest.mark.parametrize("redundant", [False, True])
def test_four_bar_against_scipy(method: str, redundant: bool) -> None:
    bar = FourBar(redundant=redundant)
    y0, grid = bar.state(0.4, 3.0), np.linspace(0.0, 2.0, 11)
    exact = solve_ivp(bar.exact_rates, (0, 2), y0, "DOP853", grid, rtol=1e-12, atol=1e-13).y.T
    system = bar.system()
    flow = by_multipliers().begin(system) if method == "multipliers" else by_partition().begin(system, 0.0, y0)
    solution = integrate("dop853", flow, y0, grid, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(solution.y, exact, atol=2e-8)
    np.testing.assert_allclose([bar.energy(y) for y in solution.y], bar.energy(y0), atol=2e-9)
    assert last_failure(flow) is None


@pytest.mark.parametrize("method", ["multipliers", "partition"])
def test_rows_that_are_dependent_only_where_they_hold(method: str) -> None:
    """Three parallel cranks: Runge-Kutta stages see four independent rows, the motion has one freedom."""
    cranks = ParallelCranks(0.5, 1.2)
    system, y0, grid = cranks.system(), cranks.state(-2.3, 1.0), np.linspace(0.0, 3.0, 16)
    exact = solve_ivp(cranks.exact_rates, (0, 3), [-2.3, 1.0], "DOP853", grid, rtol=1e-12, atol=1e-13).y[0]
    flow = by_multipliers().begin(system) if method == "multipliers" else by_partition().begin(system, 0.0, y0)
    solution = integrate("dopri5", flow, y0, grid, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(solution.y[:, :3], np.tile(exact, (3, 1)).T, atol=1e-7)
    np.testing.assert_allclose(solution.y[:, 3], 0.0, atol=1e-9)


@pytest.mark.parametrize("method", ["multipliers", "partition"])
@pytest.mark.parametrize("rtol", [1e-5, 1e-6, 1e-7, 1e-8])
def test_through_a_bifurcation_the_run_is_right_or_stops(method: str, rtol: float) -> None:
    """A parallelogram passes its aligned position twice: it may refuse, but must not leave its branch unnoticed."""
    cranks = ParallelCranks(0.5)
    system, y0, grid = cranks.system(), cranks.state(0.4, 2.0), np.linspace(0.0, 3.0, 31)
    exact = solve_ivp(cranks.exact_rates, (0, 3), [0.4, 2.0], "DOP853", grid, rtol=1e-12, atol=1e-13).y[0]
    assert exact.min() < -np.pi
    flow = by_multipliers().begin(system) if method == "multipliers" else by_partition().begin(system, 0.0, y0)
    solution = integrate("dopri5", flow, y0, grid, rtol=rtol, atol=rtol / 100, max_steps=3000)
    count = len(solution.t)
    np.testing.assert_allclose(solution.y[:, :2], np.tile(exact[:count], (2, 1)).T, atol=200 * rtol)
    np.testing.assert_allclose(solution.y[:, 2], 0.0, atol=1e-8)


@pytest.mark.parametrize("method", ["multipliers", "partition"])
def test_retraction(method: str) -> None:
    scotch = Scotch()
    z0, grid = [0.7, 2.5], np.linspace(0.0, 3.0, 16)
    exact = solve_ivp(scotch.exact_rates, (0, 3), z0, "DOP853", grid, rtol=1e-12, atol=1e-13).y
    slide = scotch.length * np.array([np.cos(z0[0]), -np.sin(z0[0]) * z0[1]])
    y0 = np.array([np.cos(z0[0]), np.sin(z0[0]), slide[0], z0[1], slide[1]])
    system = scotch.system()
    flow = by_multipliers().begin(system) if method == "multipliers" else by_partition().begin(system, 0.0, y0)
    solution = integrate("dop853", flow, y0, grid, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(solution.y[:, 0] + 1j * solution.y[:, 1], np.exp(1j * exact[0]), atol=1e-9)
    np.testing.assert_allclose(solution.y[:, 2], scotch.length * np.cos(exact[0]), atol=1e-9)
    np.testing.assert_allclose(solution.y[:, 3], exact[1], atol=1e-8)
    np.testing.assert_allclose(np.hypot(*solution.y[:, :2].T), 1.0, atol=1e-14)
    assert last_failure(flow) is None


def test_retraction_without_constraints_brings_drift_back() -> None:
    """A free rotor on the unit circle, its position pushed off the circle."""
    scotch = Scotch()
    system = make_system(
        (3, 2, 0),
        0,
        lambda *_: [],
        lambda t, q, v, s, p: ([-q[1] * v[0], q[0] * v[0], v[1]], s, np.zeros(2), [], np.eye(2), []),
        retract=scotch.retract,
    )
    y0 = np.array([0.6, 0.8, 0.3, 1.0, 2.0])
    for flow, code in ((by_multipliers().begin(system), 1), (by_partition().begin(system, 0.0, y0), 0)):
        y = y0 * [1 + 1e-6, 1 + 1e-6, 1, 1, 1]
        assert flow.correct(0.0, y) == code
        np.testing.assert_allclose(y, y0, atol=1e-15)


def accelerated_pendulum(health: float) -> ConstrainedSystem:
    """The pendulum with a marked straight-line acceleration (a constant 42) of the given health."""
    plain = pendulum()
    marked = make_system(
        (2, 2, 0), 1, lambda *_: [], lambda *_: [], accelerate=lambda t, q, v, s, p: (np.full(4, 42.0), [health])
    )
    return replace(plain, functions={**plain.functions, "accelerate": marked.functions["accelerate"]})


def test_unhealthy_acceleration_is_replaced() -> None:
    y = swing(0.4, 1.0)
    expected = rates(by_multipliers().begin(pendulum()), 0.0, y)
    for health, trusted in [(1e-3, True), (1e-9, False), (np.nan, False)]:
        flow = by_multipliers().begin(accelerated_pendulum(health))
        np.testing.assert_allclose(rates(flow, 0.0, y), np.full(4, 42.0) if trusted else expected)
        assert fallback_count(flow) == (0 if trusted else 1)


def test_parameters_are_live() -> None:
    system = pendulum()
    flow = by_multipliers().begin(system)
    y = np.array([0.0, -1.3, 2.0, 0.0])
    assert flow.correct(0.0, y) == 0
    system.p[0] = 1.305
    assert flow.correct(0.0, y) == 1
    np.testing.assert_allclose(y, [0.0, -1.305, 2.0, 0.0], rtol=1e-12)


def test_other_states_pass_through() -> None:
    """A filter ṡ = q - s beside a pendulum in its angle."""
    system = make_system(
        (1, 1, 1),
        0,
        lambda *_: [],
        lambda t, q, v, s, p: (v, q - s, -GRAVITY * np.sin(q), [], [[1.0]], []),
    )
    for flow in (by_multipliers().begin(system), by_partition().begin(system, 0.0, np.zeros(3))):
        ydot = rates(flow, 0.0, np.array([0.3, 0.5, 1.0]))
        np.testing.assert_allclose(ydot, [0.5, -GRAVITY * np.sin(0.3), -0.7], rtol=1e-14)


def test_refresh_tells_when_the_derivative_has_changed() -> None:
    flow = by_multipliers().begin(pendulum())
    y = swing(0.4, 1.0)
    assert flow.correct(0.0, y) == 0
    y[0] += 1e-6
    assert flow.correct(0.0, y) == 1
    assert flow.correct(0.0, y) == 0


def test_refresh_refuses_a_jump_to_another_branch() -> None:
    flow = by_multipliers().begin(pendulum())
    assert flow.correct(0.0, swing(0.4, 1.0)) == 0
    assert flow.correct(0.0, 1.2 * swing(0.4, 1.0)) == codes.POSITIONS_NOT_FOUND
