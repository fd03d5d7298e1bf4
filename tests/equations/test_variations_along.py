"""Derivatives along a motion, all at once, against those of one state after the other."""

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.linear.variations import Moment, VariationalEquations
from linkwork.equations.linear.variations_along import jacobians_along


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (mechanisms.four_bar, "natural"),
        (mechanisms.bricard, "relative"),
        (linkages.spherical_chain, "reference_point"),
        (mechanisms.simple_pendulum, "relative"),
    ],
    ids=["loop", "redundant", "quaternions", "no conditions"],
)
def test_all_at_once(model, kind):
    run = lw.simulate(model(), until=0.3, step=0.1, coordinates=kind)
    source = run.source
    equations = VariationalEquations(source.mechanism.coordinates, ca.SX(0, 1))
    found = jacobians_along(equations, source.t, source.y, source.p)
    for t, y, matrix in zip(source.t, source.y, found, strict=True):
        one = equations.about(Moment(float(t), y, source.p))
        exact = one.jacobian @ one.basis
        np.testing.assert_allclose(matrix @ one.basis, exact, atol=1e-8 * max(1.0, np.max(np.abs(exact))))
