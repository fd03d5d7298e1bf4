"""A change of independent coordinates costs no order, whatever an integrator remembers: a fast crank-rocker."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import linkwork as lw
from linkwork.arrays import Array
from linkwork.testing.integrators import crank_rocker

UNTIL = 0.4  # more than half a turn
STEPS = {"rk4": 800, "gauss4": 800, "radau5": 200, "norsett3": 400, "ab3": 800, "abm4": 800, "am4": 800, "bdf2": 400}
STEPS |= {"newmark": 800, "generalised_alpha": 800}
MORE = {("radau5", "canonical_independent"): 480}


@functools.cache
def fast() -> lw.Model:
    return lw.Model(**{**crank_rocker().to_dict(), "initial": {"O": {"angle": 0, "speed": 12}}})


def course(**options: object) -> tuple[Array, lw.Result]:
    result = lw.simulate(fast(), until=UNTIL, step=UNTIL / 8, **options)  # type: ignore[arg-type]
    assert result.outcome.completed, result.outcome
    return np.array([result[name] for name in ("O.speed", "rocker.angle", "rocker.speed")]), result


@functools.cache
def reference() -> Array:
    """In the angle of the crank, which serves all the way."""
    return course(integrator="dop853", rtol=1e-13, atol=1e-13)[0]


@pytest.mark.matrix("integrator", "formulation")
@pytest.mark.parametrize("formulation", ["partitioning", "canonical_independent"])
@pytest.mark.parametrize("integrator", STEPS)
def test_order_across_changes(integrator: str, formulation: str) -> None:
    order = next(method.order for method in lw.integrators.ALL if method.name == integrator)
    errors, least = [], MORE.get((integrator, formulation), STEPS[integrator])
    for count in (least, 2 * least):
        found, result = course(
            coordinates="natural", formulation=formulation, integrator=integrator, fixed_step=UNTIL / count
        )
        assert "the set changed" in result.statistics["workings"]
        errors.append(np.linalg.norm(found - reference()))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)
