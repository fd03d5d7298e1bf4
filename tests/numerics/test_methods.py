"""The tableaux satisfy the order conditions, and so do the continuous extensions."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.errors import UnknownNameError
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.numerics.integrators.coupled import CoupledRungeKutta
from linkwork.testing.integrators import check_tableau

TABLEAUX = [method for method in ALL_METHODS if isinstance(method, RungeKutta)]
methods = pytest.mark.parametrize("method", TABLEAUX, ids=lambda method: method.name)


@methods
def test_tableaux_have_their_orders(method: RungeKutta) -> None:
    """Row sums, trees without branches, and the same of the dense output."""
    check_tableau(method)
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
