"""Every method that steps equations with algebraic conditions has its order on them, whatever their index.

A double pendulum in natural coordinates: four coordinates, two lengths as conditions, against its two angles. Each form is
compiled once.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.integrators.base import Array, Method

UNTIL = 0.4
# errors of order 9 sink into rounding before the order shows: test_implicit_runge_kutta.py; in the plane the steps of
# generalised-α on the group of rotations are those of generalised-α
METHODS = [
    method
    for method in lw.integrators.ALL
    if method.stiffly_accurate and not method.variable_order and method.order < 9 and not method.orientation
]
STEPS = {1: 256, 2: 128, 3: 128, 4: 128, 5: 128}
FEWER = {"radau5": 24, "bdf5": 104}  # rounding errors of index 3 grow as steps get shorter
# positions and velocities, where these are below the order of the method on derivatives. SOURCE of Radau IIA: E. Hairer,
# C. Lubich, M. Roche, Lecture Notes in Mathematics 1409, 1989, table 2.3; stages of ESDIRK methods are of order 2 themselves
REDUCED = {
    ("radau3", "index3"): (3, 2),
    ("radau5", "index3"): (5, 3),
    ("esdirk43", "index3"): (2, 2),
    ("esdirk43", "ggl"): (3, 3),
    ("esdirk43", "index2"): (3, 3),
}


@functools.cache
def pendulum() -> lw.Model:
    return lw.Model(
        name="double pendulum",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.6, -0.8], "B": [1.4, -0.2]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 2}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
        initial={"O": {"speed": 2}, "A": {"speed": -1}},
    )


def course(**options: object) -> tuple[Array, Array]:
    """Angles and speeds of the bars on the way: at any one time the power of the error that counts may pass through zero."""
    # steps are long on purpose, so that errors have an order: no audit is asked for
    result = lw.simulate(pendulum(), until=UNTIL, step=UNTIL / 8, audit=False, **options)  # type: ignore[arg-type]
    assert result.outcome.completed, result.outcome
    angles, speeds = (np.array([result[f"{bar}.{name}"] for bar in ("upper", "lower")]) for name in ("angle", "speed"))
    return angles, speeds


@functools.cache
def reference() -> tuple[Array, Array]:
    return course(integrator="dop853", rtol=1e-13, atol=1e-13)


@pytest.mark.matrix("method", "form")
@pytest.mark.parametrize("form", ["index3", "ggl", "index2", "index1"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_errors_of_positions_and_velocities_fall_with_the_order(method: Method, form: str) -> None:
    count = FEWER.get(method.name, STEPS[method.order])
    options = {"coordinates": "natural", "formulation": form, "integrator": method}
    errors = [
        [
            np.linalg.norm(found - exact)
            for found, exact in zip(course(**options, fixed_step=UNTIL / steps), reference(), strict=True)
        ]
        for steps in (count, 2 * count)
    ]
    expected = REDUCED.get((method.name, form), (method.order, method.order))
    for level, coarse, fine, order in zip(("positions", "velocities"), *errors, expected, strict=True):
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.2), level
