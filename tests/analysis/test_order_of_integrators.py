"""Every integrator has its order on a mechanism: a crank-rocker under gravity, one independent coordinate."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method
from linkwork.testing.integrators import UNTIL, check_order, course, reference

# errors of order 9 sink into rounding before the order shows: test_implicit_runge_kutta.py
FIXED = [method for method in ALL_METHODS if not method.variable_order and method.order < 9]
MORE = {"ab5": 192, "abm5": 192, "am5": 192, "bdf5": 192}


@pytest.mark.parametrize("method", FIXED, ids=lambda method: method.name)
def test_errors_fall_with_the_declared_order(method: Method) -> None:
    check_order(method, MORE.get(method.name, 0))


@pytest.mark.parametrize("name", ["adams", "bdf"])
def test_methods_of_variable_order_keep_to_the_tolerance(name: str) -> None:
    for tolerance in (1e-6, 1e-9):
        found = course(integrator=name, rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(found, reference(), atol=300 * tolerance)


@pytest.mark.parametrize("name", ["trapezoidal", "radau5"])
def test_stages_of_stiff_penalties_end_at_their_rounding_errors(name: str) -> None:
    """Penalties of 1e7 leave corrections of 1e-8 to Newton's method, which no iteration makes smaller."""
    found = course(integrator=name, fixed_step=UNTIL / 250, formulation="penalty")
    np.testing.assert_allclose(found, reference(), atol=5e-4 if name == "trapezoidal" else 1e-6)
