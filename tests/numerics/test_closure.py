"""Single states brought onto their constraints."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from constrained_systems import FourBar, ParallelCranks, Scotch, constant, make_system, pendulum

from linkwork.numerics.flows.closure import count_ranks, rank_at, solve_positions, solve_velocities
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.kernels.constrained import codes


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("crank", [0.3, 2.0, 4.5])
def test_four_bar_from_a_rough_sketch(crank: float, redundant: bool) -> None:
    bar = FourBar(redundant=redundant)
    y = np.concatenate([bar.position(crank) + [0.0, 0.25, -0.3], [1.5, 0.0, 0.0]])
    report = solve_positions(bar.system(), 0.0, y, fixed=[0])
    assert report.converged
    assert report.rank == 2
    np.testing.assert_allclose(y[:3], bar.position(crank), atol=1e-12)
    np.testing.assert_allclose(report.residual, 0.0, atol=1e-14)
    assert solve_velocities(bar.system(), 0.0, y, fixed=[0]).converged
    np.testing.assert_allclose(y[3:], bar.state(crank, 1.5)[3:], atol=1e-12)


def test_correction_is_the_shortest_in_scaled_coordinates() -> None:
    rng = np.random.default_rng(5)
    c, scale = rng.normal(size=(2, 5)), np.array([1.0, 10.0, 0.1, 2.0, 5.0])
    system = constant(np.eye(5), c, np.zeros(5), np.zeros(2), scale)
    start = np.concatenate([rng.normal(size=5) * 0.1 * scale, rng.normal(size=5) * scale])
    y = start.copy()
    assert solve_positions(system, 0.0, y).converged
    assert solve_velocities(system, 0.0, y).converged
    projector = np.eye(5) - np.linalg.pinv(c * scale) @ (c * scale)
    for part in (slice(0, 5), slice(5, 10)):
        np.testing.assert_allclose(y[part], scale * (projector @ (start[part] / scale)), atol=1e-12)


def test_a_far_start_needs_shortened_steps() -> None:
    """Φ = arctan(10 (x - 1)): full Newton steps diverge beyond |x - 1| = 0.14."""

    def closure(t: float, q: np.ndarray, *_: np.ndarray) -> tuple:
        z = 10 * (q[0] - 1)
        return [np.arctan(z)], [[10 / (1 + z * z)]], [0.0]

    system = make_system((1, 1, 0), 1, closure, lambda *_: [])
    for start in (0.0, 1.5, 3.0):
        y = np.array([start, 0.0])
        assert solve_positions(system, 0.0, y).converged
        np.testing.assert_allclose(y[0], 1.0, atol=1e-12)


def test_rows_that_become_dependent_on_the_solution() -> None:
    system = ParallelCranks(0.5, 1.2).system()
    y = np.array([0.42, 0.37, 0.41, 0.05, 1.0, 1.2, 0.9, 0.3])
    report = solve_positions(system, 0.0, y)
    assert report.converged
    assert report.rank == 3
    np.testing.assert_allclose(y[:4], [y[0]] * 3 + [0.0], atol=1e-9)
    assert solve_velocities(system, 0.0, y).converged
    np.testing.assert_allclose(y[4:], [y[4]] * 3 + [0.0], atol=1e-9)


def test_retraction_keeps_the_circle() -> None:
    scotch = Scotch()
    y = np.array([np.cos(0.8), np.sin(0.8), 0.2, 0.0, 0.0])
    assert solve_positions(scotch.system(), 0.0, y, fixed=[1]).converged
    np.testing.assert_allclose(y[:2], [0.4, np.sqrt(1 - 0.16)], atol=1e-12)
    assert y[2] == 0.2


def test_what_cannot_close_names_its_row() -> None:
    """Crank held so far away that coupler and rocker do not reach: the loop stays open, a third row is fine."""
    bar = FourBar(speed=0.0)
    bar.length = np.array([0.3, 0.2, 0.2])
    y = np.array([np.pi, 0.3, -0.3, 0.0, 0.0, 0.0])
    report = solve_positions(bar.system(), 0.0, y, fixed=[0])
    assert not report.converged
    assert report.failure is not None
    assert report.failure.code == codes.POSITIONS_NOT_FOUND
    assert report.failure.row == 0
    assert np.abs(report.residual[0]) > 0.1


def test_contradicting_rows_do_not_pass_as_closed() -> None:
    system = make_system(
        (2, 2, 0), 2, lambda t, q, v, s, p: (q[0] + q[1] - [0.0, 0.01], np.ones((2, 2)), np.zeros(2)), lambda *_: []
    )
    report = solve_positions(system, 0.0, np.zeros(4))
    assert not report.converged
    assert report.rank == 1


def test_contradicting_velocities_are_reported() -> None:
    """Driven crank, and its speed held at another value."""
    bar = FourBar(speed=2.0)
    y = bar.state(0.0, 3.0)
    report = solve_velocities(bar.system(), 0.0, y, fixed=[0])
    assert not report.converged
    assert report.failure is not None
    assert report.failure.code == codes.VELOCITIES_NOT_FOUND
    assert report.failure.row == 2


def test_nothing_to_close() -> None:
    system = make_system((2, 2, 0), 0, lambda *_: [], lambda *_: [])
    y = np.array([1.0, 2.0, 3.0, 4.0])
    assert solve_positions(system, 0.0, y).converged
    assert solve_velocities(system, 0.0, y).converged
    np.testing.assert_array_equal(y, [1.0, 2.0, 3.0, 4.0])
    assert rank_at(system, 0.0, y) == 0


def test_a_redundant_row_does_not_count() -> None:
    bar = FourBar(redundant=True)
    y = bar.state(0.7, 1.0)
    assert len(bar.jacobian(y[:3])) == 3
    assert rank_at(bar.system(), 0.0, y) == np.linalg.matrix_rank(bar.jacobian(y[:3])) == 2


def test_a_faint_row_counts_by_what_is_more_than_rounding() -> None:
    """A second row that is 1e-11 of the first, up to rounding errors, adds nothing; one across the first does."""
    first, velocity = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.2, 0.5])
    state = np.concatenate([np.zeros(3), velocity])
    for second, rank in ((1e-11 * first + [0, 1e-17, -1e-17], 1), (1e-11 * np.array([3.0, 0, -1.0]), 2)):
        c = np.vstack([first, second])
        system, y = constant(np.eye(3), c, np.zeros(3), np.zeros(2), np.ones(3)), state.copy()
        assert rank_at(system, 0.0, y) == rank
        assert solve_velocities(system, 0.0, y).converged
        independent = c[:rank] / np.linalg.norm(c[:rank], axis=1, keepdims=True)
        np.testing.assert_allclose(y[3:], velocity - np.linalg.pinv(independent) @ independent @ velocity, atol=1e-9)


def test_state_must_be_correctable_in_place() -> None:
    with pytest.raises(ValueError, match="in place"):
        solve_positions(pendulum(), 0.0, np.zeros(3))
    with pytest.raises(ValueError, match="in place"):
        solve_positions(pendulum(), 0.0, np.zeros(8)[::2])


def test_ranks_of_many_states_are_those_of_each() -> None:
    """Parallel cranks lose a condition where all links lie along one line."""
    system = ParallelCranks(0.5, 1.2).system()
    turns = np.linspace(0.0, 2 * np.pi, 5000)
    y = np.zeros((len(turns), 8))
    y[:, :3] = turns[:, None]
    found = count_ranks(system, np.zeros(len(turns)), y, tolerance=1e-4)
    assert len(np.unique(found)) == 2 and np.median(found) == np.max(found)
    for i in (0, 1, 17, 2500, 4998, 4999):
        assert found[i] == rank_at(system, 0.0, y[i], tolerance=1e-4)
    assert count_ranks(system, np.zeros(0), np.zeros((0, 8)), tolerance=1e-4).size == 0


def test_many_coordinates_without_conditions_take_no_matrices() -> None:
    """A chain of ten thousand bars would have some of 0.8 GB each."""
    count = 10_000
    system = ConstrainedSystem(nq=count, nv=count, m=0, functions={}, p=np.zeros(0), scale=np.ones(count))
    tracemalloc.start()
    try:
        y = np.arange(2.0 * count)
        found = solve_positions(system, 0.0, y)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.converged and np.array_equal(y, np.arange(2.0 * count)) and most < 50e6
