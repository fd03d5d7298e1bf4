"""Every integrator has its order on a mechanism: a crank-rocker under gravity, one independent coordinate."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Array, Method

UNTIL = 0.5
# steps by order, few enough for errors to stay above rounding, and many enough for higher powers to have gone
STEPS = {1: 256, 2: 256, 3: 128, 4: 192, 5: 64, 6: 48, 8: 16}


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


def end(**options: object) -> Array:
    """Angle and speed of the crank at the end."""
    result = lw.simulate(crank_rocker(), until=UNTIL, step=UNTIL, **options)  # type: ignore[arg-type]
    return np.array([result[name][-1] for name in ("O.angle", "O.speed")])


@functools.cache
def reference() -> Array:
    """The same by steps that dop853 chooses, in other coordinates and with multipliers."""
    return end(integrator="dop853", rtol=1e-13, atol=1e-13, coordinates="natural", formulation="multipliers")


@pytest.mark.parametrize("method", ALL_METHODS, ids=lambda method: method.name)
def test_errors_fall_with_the_declared_order(method: Method) -> None:
    count = STEPS[method.order]
    errors = [
        np.linalg.norm(end(integrator=method, fixed_step=UNTIL / steps) - reference()) for steps in (count, 2 * count)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)
