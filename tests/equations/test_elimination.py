"""Symmetric elimination against numpy on random saddle-point systems."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_mechanisms import Array, examples, seeds
from scipy.sparse import block_array, coo_array, eye_array

from linkwork.algebra.linear import solve_symmetric
from linkwork.equations.elimination import THRESHOLDS, EliminationOrder, choose_order

few = examples(25)


def saddle(rng: np.random.Generator, n: int, m: int, idle: int = 0) -> Array:
    """[[M, Cᵀ], [C, 0]] with sparse M and C; *idle* coordinates have no inertia but are held by the rows."""
    half = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.4)
    mass = half @ half.T + np.diag(rng.uniform(0.5, 2, n))
    mass[:idle], mass[:, :idle] = 0.0, 0.0
    rows = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.5)
    # every row holds one coordinate firmly, those without inertia first
    rows[np.arange(m), np.arange(m)] += 3.0
    return np.block([[mass, rows.T], [rows, np.zeros((m, m))]])


def solve(matrix: Array, right: Array, order: EliminationOrder) -> tuple[Array, Array]:
    symbols = ca.SX.sym("A", ca.sparsify(ca.DM(matrix)).sparsity())
    r = ca.SX.sym("r", len(right))
    solution, pivots = solve_symmetric(symbols, r, order)
    f = ca.Function("f", [symbols, r], [solution, ca.vertcat(*pivots)])
    x, d = f(ca.sparsify(ca.DM(matrix)), right)
    return np.array(x).ravel(), np.array(d).ravel()


@few
@given(seed=seeds, n=st.integers(1, 7), m=st.integers(0, 4), idle=st.integers(0, 3))
def test_straight_line_solution_is_that_of_numpy(seed: int, n: int, m: int, idle: int) -> None:
    rng = np.random.default_rng(seed)
    m = min(m, n)
    matrix = saddle(rng, n, m, min(idle, m))
    condition = float(np.linalg.cond(matrix))
    assume(condition < 1e4)
    right = rng.normal(size=len(matrix))
    order = choose_order(matrix, matrix != 0)
    assert order is not None
    assert sorted(i for pivot in order for i in pivot) == list(range(len(matrix)))
    x, pivots = solve(matrix, right, order)
    # a pivot may be as small as the last threshold, which costs as many digits; with inertia everywhere none is lost
    lost = THRESHOLDS[-1] / 10 if min(idle, m) > 0 else 1e-2
    np.testing.assert_allclose(x, np.linalg.solve(matrix, right), atol=1e-15 / lost * condition)
    assert np.prod(pivots) == pytest.approx(np.linalg.det(matrix), rel=1e-7)


@few
@given(seed=seeds)
def test_a_multiplier_comes_after_a_coordinate_that_it_holds(seed: int) -> None:
    matrix = saddle(np.random.default_rng(seed), 5, 3)
    order = choose_order(matrix, matrix != 0)
    assert order is not None
    flat = [i for pivot in order for i in pivot]
    for row in (5, 6, 7):
        held = [j for j in range(5) if matrix[row, j] != 0]
        assert min(flat.index(j) for j in held) < flat.index(row)


def test_zero_diagonals_take_pivots_of_two() -> None:
    swap = np.array([[0.0, 2.0], [2.0, 0.0]])
    order = choose_order(swap, swap != 0)
    assert order == [(0, 1)]
    x, pivots = solve(swap, np.array([4.0, 6.0]), order)
    np.testing.assert_allclose(x, [3, 2])
    np.testing.assert_allclose(pivots, [-4])


@few
@given(seed=seeds)
def test_singular_systems_have_no_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mass = np.eye(4)
    rows = rng.normal(size=(3, 4))
    rows[2] = rows[0] - 2 * rows[1]
    matrix = np.block([[mass, rows.T], [rows, np.zeros((3, 3))]])
    assert choose_order(matrix, matrix != 0) is None
    mass[0, 0] = 0.0
    assert choose_order(mass, mass != 0) is None


def test_badly_scaled_systems_are_brought_to_scale_first() -> None:
    rng = np.random.default_rng(4)
    matrix = saddle(rng, 6, 2)
    scale = 10.0 ** rng.uniform(-6, 6, size=8)
    stretched = matrix * np.outer(scale, scale)
    order = choose_order(stretched, stretched != 0)
    assert order is not None
    right = rng.normal(size=8)
    x, _ = solve(stretched, scale * right, order)
    np.testing.assert_allclose(x * scale, np.linalg.solve(matrix, right), rtol=1e-9)


def test_an_empty_system() -> None:
    solution, pivots = solve_symmetric(ca.SX(0, 0), ca.SX(0, 1), [])
    assert solution.shape == (0, 1) and pivots == []


def test_a_long_chain_is_eliminated_without_fill_in() -> None:
    """Bodies in a row, each tied to the next: a pivot never touches more than its neighbours in the chain."""
    n = 400
    rows = np.arange(n - 1)
    ties = coo_array((np.tile([1.0, -1.0], n - 1), (np.repeat(rows, 2), np.column_stack([rows, rows + 1]).ravel())))
    matrix = block_array([[eye_array(n), ties.T], [ties, None]])
    order = choose_order(matrix, matrix != 0)
    assert order is not None and sorted(i for pivot in order for i in pivot) == list(range(2 * n - 1))
    symbols = ca.SX.sym("A", ca.DM(matrix.tocsc()).sparsity())
    x, _ = solve_symmetric(symbols, ca.SX(np.ones(2 * n - 1)), order)
    assert ca.Function("f", [symbols], [x]).n_instructions() < 40 * n
    found = ca.Function("f", [symbols], [x])(ca.DM(matrix.tocsc()))
    np.testing.assert_allclose(matrix @ np.array(found).ravel(), 1.0, atol=1e-9)
