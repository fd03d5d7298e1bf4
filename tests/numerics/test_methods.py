"""The tableaux satisfy the order conditions, and so do the continuous extensions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwork.errors import UnknownNameError
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import Array, RungeKutta
from linkwork.numerics.integrators.coupled import CoupledRungeKutta

TABLEAUX = [method for method in ALL_METHODS if isinstance(method, RungeKutta)]
methods = pytest.mark.parametrize("method", TABLEAUX, ids=lambda method: method.name)


@methods
def test_nodes_are_row_sums(method: RungeKutta) -> None:
    np.testing.assert_allclose(method.matrix.sum(axis=1), method.nodes, atol=3e-15)
    # stages follow one another but for collocation, and those of an explicit method need not be solved for
    assert method.coupled or np.all(np.triu(method.matrix, 1 if method.implicit else 0) == 0.0)
    assert method.matrix[0, 0] == 0.0


@methods
def test_quadrature_conditions(method: RungeKutta) -> None:
    """Σ b_i c_i^(q-1) = 1/q for q up to the order, and not beyond."""
    b = method.matrix[method.stages]
    defects = [b @ method.nodes ** (q - 1) - 1 / q for q in range(1, method.order + 2)]
    assert np.max(np.abs(defects[:-1])) < 2e-15
    # the nodes of Nørsett's third order are those of Gauss
    assert abs(defects[-1]) > 1e-6 or method.name == "norsett3"


def tall_trees(a: Array, c: Array, order: int) -> list[tuple[Array, float, int]]:
    """Stage vectors whose weighted sums are the conditions of the trees without branches: A^j c^i i! / (i + j)!"""
    vectors = []
    for i in range(order):
        vector = c**i
        for j in range(order - i):
            vectors.append((vector, math.factorial(i) / math.factorial(i + j), i + j))
            vector = a @ vector
    return vectors


@methods
def test_conditions_of_nested_trees(method: RungeKutta) -> None:
    """b A^j c^i = i! / (i + j)! / (i + j + 1) for i + j < order"""
    b = method.matrix[method.stages]
    for vector, factor, total in tall_trees(method.matrix, method.nodes, method.order):
        assert b @ vector == pytest.approx(factor / (total + 1), abs=5e-15)


@methods
@pytest.mark.parametrize("theta", [0.0, 0.3, 0.77, 1.0])
def test_dense_output_conditions(method: RungeKutta, theta: float) -> None:
    """b(θ) A^j c^i = θ^(i+j+1) i! / (i + j)! / (i + j + 1) for i + j < order of the dense output"""
    b = method.dense @ theta ** np.arange(1, method.dense.shape[1] + 1)
    for vector, factor, total in tall_trees(method.matrix, method.nodes, method.dense_order):
        assert b @ vector == pytest.approx(factor * theta ** (total + 1) / (total + 1), abs=2e-13)


@methods
def test_dense_output_is_smooth_at_both_ends(method: RungeKutta) -> None:
    """y(1) is the new state; the slopes at both ends are the derivatives there; a straight line has one only."""
    np.testing.assert_allclose(method.dense.sum(axis=1), method.matrix[method.stages], atol=1e-13)
    if method.name != "backward_euler":
        np.testing.assert_array_equal(method.dense[:, 0], np.eye(method.all_stages)[0])
    slope = method.dense @ np.arange(1, method.dense.shape[1] + 1)
    np.testing.assert_allclose(slope, np.eye(method.all_stages)[method.stages], atol=1e-12)


@pytest.mark.parametrize("method", [m for m in TABLEAUX if m.adaptive], ids=lambda method: method.name)
def test_error_estimators_vanish_to_their_order(method: RungeKutta) -> None:
    """e = b - b̂ annihilates 1, c, c², ... up to the lower order of b and b̂ less one; 4 for 5(4) and 4(5), 5 and 3 for
    8(5,3), and the number of stages for collocation."""
    orders = {"dopri5": [4], "dop853": [5, 3], "rkf45": [4], "backward_euler": [1], "tr_bdf2": [2], "esdirk43": [3]}
    known = [method.collocated] if isinstance(method, CoupledRungeKutta) else orders[method.name]
    for weights, order in zip(method.error, known, strict=True):
        defects = [weights @ method.nodes**q for q in range(order + 1)]
        assert np.max(np.abs(defects[:-1])) < 2e-15
        assert abs(defects[-1]) > 1e-6


def test_unknown_method_is_named() -> None:
    with pytest.raises(UnknownNameError, match="dopri5"):
        method_named("dorpi5")
