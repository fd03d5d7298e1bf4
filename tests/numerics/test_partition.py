"""Coordinate partitioning and the projective criterion, against formulas and recomputation."""

from __future__ import annotations

import numpy as np
import pytest
from constrained_systems import GRAVITY, FourBar, constant, make_system, pendulum
from scipy.integrate import solve_ivp

from linkwork.numerics.flows.closure import criterion, worth
from linkwork.numerics.flows.constrained import (
    by_multipliers,
    by_partition,
    independent_set,
    last_failure,
    partition_log,
)
from linkwork.numerics.flows.procedure import PartitionError
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.constrained import codes


def random_matrices(seed: int, n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n + 3))
    return root @ root.T, rng.normal(size=(m, n))


def constrained_share(mass: np.ndarray, c: np.ndarray) -> np.ndarray:
    """cos²β_i = c_iᵀ M_c⁻¹ c_i / (M⁻¹)_ii with c_i the columns of C M⁻¹ and M_c = C M⁻¹ Cᵀ; eq. (23 b) of that paper."""
    inverse = np.linalg.inv(mass)
    columns = c @ inverse
    return np.diag(columns.T @ np.linalg.solve(columns @ c.T, columns)) / np.diag(inverse)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.2, np.pi / 2, 4.0])
def test_criterion_of_the_physical_pendulum(gamma: float) -> None:
    """q = [x, y, γ], centre of mass at ρ [cos γ, sin γ] from the pivot.

    SOURCE: Blajer, Schiehlen, Schirm, "A projective criterion to the coordinate partitioning method for multibody
    dynamics", eq. (24) and (26).
    """
    mass, inertia, rho = 2.0, 0.3, 0.45
    s, c = np.sin(gamma), np.cos(gamma)
    constraints = np.array([[1.0, 0.0, rho * s], [0.0, 1.0, -rho * c]])
    expected = np.array([mass * rho**2 * s**2, mass * rho**2 * c**2, inertia]) / (mass * rho**2 + inertia)
    np.testing.assert_allclose(criterion(np.diag([mass, mass, inertia]), constraints), expected, atol=1e-11)


@pytest.mark.parametrize(("n", "m"), [(3, 1), (5, 4), (8, 3), (4, 4), (3, 0)])
def test_free_and_constrained_shares_add_up_to_one(n: int, m: int) -> None:
    for seed in range(5):
        mass, c = random_matrices(seed, n, m)
        expected = 1.0 - constrained_share(mass, c) if m else np.ones(n)
        np.testing.assert_allclose(criterion(mass, c), expected, atol=1e-9)


def test_criterion_does_not_depend_on_units() -> None:
    rng = np.random.default_rng(3)
    mass, c = random_matrices(3, 6, 3)
    unit, row = 10.0 ** rng.uniform(-3, 3, 6), 10.0 ** rng.uniform(-5, 5, 3)
    scaled = criterion(mass * np.outer(unit, unit), c * unit * row[:, None], 1 / unit)
    np.testing.assert_allclose(scaled, criterion(mass, c), atol=1e-9)


@pytest.mark.parametrize("light", [0.0, 1e-14, 1e-5])
def test_a_coordinate_without_inertia_counts_by_its_share_of_the_motion(light: float) -> None:
    """x₃ = −x₁ − x₂ of masses 1 and 2: a unit push on x₃ moves x₁ by −1 and x₃ by 3/2, the most of all."""
    masses, together = np.diag([1.0, 2.0, light]), np.array([[1.0, 1.0, 1.0]])
    np.testing.assert_allclose(worth(masses, together), [1, 1, 0.01], atol=3e-5)
    # a push on one coordinate meets its own mass and those of the others side by side
    own = [1.0, 2.0, max(light, 1e-300)]
    exact = [m / (m + 1 / sum(1 / own[k] for k in range(3) if k != i)) for i, m in enumerate(own)]
    np.testing.assert_allclose(criterion(masses, together), exact, atol=1e-9)
    steep = worth(np.diag([1.0, 2.0, light]), np.array([[0.01, 0.02, 1.0]]))  # by 0.0003, and x₁ and x₂ by −0.01
    np.testing.assert_allclose(steep, [1, 1, 0.01 * 0.03**2], atol=3e-7)


def test_criterion_refuses_negative_mass() -> None:
    with pytest.raises(ValueError, match="mass matrix"):
        criterion(np.diag([1.0, -1.0]), np.array([[1.0, 0.2]]))


def greedy(mass: np.ndarray, c: np.ndarray) -> tuple[int, ...]:
    """Take the best coordinate, add it to the constraints, start again."""
    chosen: list[int] = []
    for _ in range(len(mass) - len(c)):
        free = 1.0 - constrained_share(mass, np.vstack([c, np.eye(len(mass))[chosen]]))
        chosen.append(int(np.argmax(free)))
    return tuple(sorted(chosen))


@pytest.mark.parametrize(("n", "m"), [(4, 1), (6, 3), (9, 4)])
def test_greedy_choice_equals_added_constraints(n: int, m: int) -> None:
    for seed in range(8):
        mass, c = random_matrices(seed, n, m)
        redundant = np.vstack([c, c[:1] * 2.0])
        for rows in (c, redundant):
            system = constant(mass, rows, np.zeros(n), np.zeros(len(rows)), np.ones(n))
            assert independent_set(by_partition().begin(system, 0.0, np.zeros(2 * n))) == greedy(mass, c)


# --- the pendulum in x and y changes its coordinate four times a turn ------------------------------------------------

LENGTH, START, SPEED = 1.3, 0.3, 6.5


def swing(theta: float, omega: float) -> np.ndarray:
    sine, cosine = np.sin(theta), np.cos(theta)
    return LENGTH * np.array([sine, -cosine, omega * cosine, omega * sine])


def exact_swing(grid: np.ndarray) -> np.ndarray:
    angle = solve_ivp(
        lambda t, z: [z[1], -GRAVITY / LENGTH * np.sin(z[0])], (grid[0], grid[-1]), [START, SPEED], "DOP853", grid,
        rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    return np.array([swing(*z) for z in angle.y.T])


def test_pendulum_changes_its_coordinate_and_stays_exact() -> None:
    grid, y0 = np.linspace(0.0, 3.0, 16), swing(START, SPEED)
    flow = by_partition().begin(pendulum(LENGTH), 0.0, y0)
    solution = integrate("dop853", flow, y0, grid, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(solution.y, exact_swing(grid), atol=1e-9)
    np.testing.assert_allclose(np.hypot(*solution.y[:, :2].T), LENGTH, atol=1e-14)
    log = partition_log(flow)
    assert log.initial == (0,)
    assert log.changes >= 8
    assert len(log.history) == log.changes
    assert [chosen for _, chosen in log.history[:4]] == [(1,), (0,), (1,), (0,)]
    assert log.current == log.history[-1][1] == independent_set(flow)
    assert np.all(np.diff([t for t, _ in log.history]) > 0)


def test_changes_of_coordinate_do_not_cost_order() -> None:
    y0, grid = swing(START, SPEED), np.array([0.0, 2.0])
    exact = exact_swing(grid)[-1]
    errors = []
    for step in (0.01, 0.005, 0.0025):
        flow = by_partition().begin(pendulum(LENGTH), 0.0, y0)
        errors.append(np.linalg.norm(integrate("rk4", flow, y0, grid, step=step).y[-1] - exact))
        assert partition_log(flow).changes >= 5
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(orders > 3.7), (errors, orders)


def test_output_points_do_not_change_the_steps() -> None:
    y0 = swing(START, SPEED)
    runs = []
    for grid in (np.array([0.0, 2.0]), np.linspace(0.0, 2.0, 301)):
        flow = by_partition().begin(pendulum(LENGTH), 0.0, y0)
        solution = integrate("dopri5", flow, y0, grid, rtol=1e-8)
        runs.append((partition_log(flow).history, solution.step_times))
    assert runs[0][0] == runs[1][0]
    np.testing.assert_array_equal(runs[0][1], runs[1][1])


def test_a_held_set_stops_at_its_dead_centre() -> None:
    """With changes forbidden, y cannot give x where the rod hangs straight down: the run stops there, and says so."""
    y0 = swing(-1.5, 3.0)
    flow = by_partition(0.0).begin(pendulum(LENGTH), 0.0, y0)
    assert independent_set(flow) == (1,)
    solution = integrate("dopri5", flow, y0, np.linspace(0.0, 2.0, 21), rtol=1e-8)
    failure = last_failure(flow)
    assert solution.status is RunStatus.STEP_TOO_SMALL
    assert failure is not None
    assert failure.code in (codes.POSITIONS_NOT_FOUND, codes.DEPENDENT_SINGULAR, codes.RANK_CHANGED)
    np.testing.assert_allclose(solution.y_reached[0], 0.0, atol=1e-2)


# --- driven systems: nothing is free ---------------------------------------------------------------------------------


@pytest.mark.parametrize("redundant", [False, True])
def test_driven_four_bar_is_kinematics(redundant: bool) -> None:
    speed = 2.0
    bar = FourBar(speed=speed, redundant=redundant)
    y0, grid = bar.state(0.0, speed), np.linspace(0.0, 4.0, 41)
    flow = by_partition().begin(bar.system(), 0.0, y0)
    assert independent_set(flow) == ()
    solution = integrate("dopri5", flow, y0, grid, rtol=1e-6)
    expected = np.array([bar.state(speed * t, speed) for t in grid])
    turns = np.round((solution.y - expected)[:, :3] / (2 * np.pi)) * 2 * np.pi
    np.testing.assert_allclose(solution.y[:, :3], expected[:, :3] + turns, atol=1e-11)
    np.testing.assert_allclose(solution.y[:, 3:], expected[:, 3:], atol=1e-10)


def test_drive_beyond_the_reach_stops_there() -> None:
    """A crank of 0.8 between ground 1, coupler 0.5, rocker 0.6 cannot turn: it stops where coupler and rocker align."""
    bar = FourBar(speed=1.0)
    bar.length = np.array([0.8, 0.5, 0.6])
    limit = np.arccos((1.0 + 0.8**2 - 1.1**2) / (2 * 0.8))
    start = 0.5
    y0 = np.array([*bar.position(start), 1.0, 0.0, 0.0])
    c = bar.jacobian(y0[:3])
    y0[3:] = np.linalg.solve(c, [0.0, 0.0, 1.0])
    flow = by_partition().begin(bar.system(), start, y0)
    solution = integrate("dopri5", flow, y0, np.linspace(start, 2.0, 31), rtol=1e-6)
    assert solution.status is RunStatus.STEP_TOO_SMALL
    np.testing.assert_allclose(solution.t_reached, limit, atol=1e-6)
    failure = last_failure(flow)
    assert failure is not None
    assert failure.row in (0, 1, 2)
    assert failure.code in (codes.POSITIONS_NOT_FOUND, codes.RANK_CHANGED, codes.DEPENDENT_SINGULAR)


def test_values_that_are_not_finite_are_reported() -> None:
    system = make_system(
        (2, 2, 0),
        1,
        lambda t, q, v, s, p: ([q[0]], [1.0 if t < 1.0 else np.nan, 0.0], [0.0]),
        lambda t, q, v, s, p: (v, s, np.zeros(2), [0.0], np.eye(2), [1.0, 0.0]),
    )
    flow = by_partition().begin(system, 0.0, np.zeros(4))
    assert flow.evaluate(1.0, np.zeros(4), np.zeros(4)) == codes.NOT_FINITE
    fresh = by_multipliers().begin(system)
    assert fresh.correct(1.0, np.zeros(4)) == codes.NOT_FINITE
    assert fresh.correct(0.0, np.zeros(4)) == 0


def test_the_first_choice_refuses_what_is_not_finite() -> None:
    system = constant(np.eye(2), np.full((1, 2), np.nan), np.zeros(2), np.zeros(1), np.ones(2))
    with pytest.raises(PartitionError, match="not finite"):
        by_partition().begin(system, 0.0, np.zeros(4))
