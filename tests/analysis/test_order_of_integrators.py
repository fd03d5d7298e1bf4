"""Every integrator has its order on a mechanism: a crank-rocker under gravity, one independent coordinate."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Array, Method

UNTIL = 0.5
# errors of order 9 sink into rounding before the order shows: test_implicit_runge_kutta.py
FIXED = [method for method in ALL_METHODS if not method.variable_order and method.order < 9]
# steps by order, few enough for errors to stay above rounding, and many enough for higher powers to have gone
STEPS = {1: 256, 2: 256, 3: 128, 4: 192, 5: 64, 6: 48, 8: 16}
MORE = {"ab5": 192, "abm5": 192, "am5": 192, "bdf5": 192}


@functools.cache
def crank_rocker() -> lw.Model:
    pairs = {"O": ["ground", "crank"], "A": ["crank", "coupler"], "B": ["coupler", "rocker"], "C": ["rocker", "ground"]}
    return lw.Model(
        name="crank rocker",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.4, 0], "B": [0.7, 1.058], "C": [1, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 0.4, "mass": 5},
            "coupler": {"bar": ["A", "B"], "length": 1.1, "mass": 1},
            "rocker": {"bar": ["B", "C"], "length": 0.8, "mass": 1},
        },
        joints={name: {"kind": "revolute", "bodies": pair} for name, pair in pairs.items()},
        initial={"O": {"angle": 0, "speed": 3}},
    )


def course(**options: object) -> Array:
    """Angle and speed of the crank on the way: at any one time the power of the error that counts may pass through zero."""
    result = lw.simulate(crank_rocker(), until=UNTIL, step=UNTIL / 8, **options)  # type: ignore[arg-type]
    return np.array([result[name] for name in ("O.angle", "O.speed")])


@functools.cache
def reference() -> Array:
    """The same by steps that dop853 chooses, in other coordinates and with multipliers."""
    return course(integrator="dop853", rtol=1e-13, atol=1e-13, coordinates="natural", formulation="multipliers")


@pytest.mark.parametrize("method", FIXED, ids=lambda method: method.name)
def test_errors_fall_with_the_declared_order(method: Method) -> None:
    count = MORE.get(method.name, STEPS[method.order])
    errors = [
        np.linalg.norm(course(integrator=method, fixed_step=UNTIL / steps) - reference())
        for steps in (count, 2 * count)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


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
