"""Splines as expressions agree with SciPy's, in value and derivatives."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from linkwork.algebra.splines import cubic_spline


@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize(("count", "spread"), [(3, 1.0), (9, 1.0), (40, 0.0), (70, 1.5), (30, 60.0)])
def test_a_spline_and_its_derivatives(count, spread, periodic):
    rng = np.random.default_rng(count)
    knots = np.concatenate([[0.3], 0.3 + np.cumsum(0.1 + spread * rng.random(count) ** 4)])
    values = rng.normal(size=(2, count + 1))
    values[:, -1] = values[:, 0] if periodic else values[:, -1]
    reference = CubicSpline(knots, values.T, bc_type="periodic" if periodic else "natural")
    u = ca.SX.sym("u")
    spline = cubic_spline(knots, ca.SX(ca.DM(values)), periodic)(u)
    slope = ca.jacobian(spline, u)
    function = ca.Function("s", [u], [spline, slope, ca.jacobian(slope, u)])
    # beyond its ends an open spline goes on as it came
    places = np.linspace(knots[0] - (0.0 if periodic else 0.1), knots[-1] - 1e-9, 500)
    for order, found in enumerate(function.map(500)(places[None, :])):
        wanted = reference(places, order)
        assert np.max(np.abs(np.array(found).T - wanted)) < 2e-11 * max(1.0, np.max(np.abs(wanted)))


def test_values_may_be_parameters():
    knots, scale, u = np.arange(6.0), ca.SX.sym("scale"), ca.SX.sym("u")
    values = np.array([[0.0, 1.0, 0.5, -1.0, 2.0, 0.0]])
    live = ca.Function("s", [u, scale], [cubic_spline(knots, scale * ca.DM(values), True)(u)])
    assert float(live(2.3, 3.0)) == pytest.approx(
        3.0 * CubicSpline(knots, values[0], bc_type="periodic")(2.3), abs=1e-13
    )
