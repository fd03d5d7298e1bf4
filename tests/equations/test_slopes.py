"""∂ẏ/∂y of flows that are one expression: exact, as the flow computes it, and what implicit integrators make of it."""

from __future__ import annotations

import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.loader import compiled

Array = np.ndarray
CASES = [
    (linkages.slider_crank, "relative", "hybrid"),  # a dyad in closed form
    (linkages.six_bar, "relative", "hybrid"),
    (linkages.rscr, "relative", "hybrid"),  # quaternions among the dependent coordinates
    (linkages.spherical_chain, "relative", "hybrid"),  # an open tree
    (linkages.slider_crank, "natural", "multipliers"),
    (linkages.slider_crank, "relative", "baumgarte"),
    (linkages.slider_crank, "relative", "velocity_transformation"),
]


def slope_of(flow: Flow, t: float, y: Array) -> Array:
    found = np.zeros((y.size, y.size))
    assert flow.slope is not None
    assert compiled(flow.slope)(t, y, found, flow.memory) == 0
    return found.T


@pytest.mark.parametrize(("model", "kind", "formulation"), CASES)
def test_slopes_are_those_of_the_flow(model, kind: str, formulation: str) -> None:  # type: ignore[no-untyped-def]
    mechanism = lw.prepare(model(), coordinates=kind, formulation=formulation, backend="reference")
    start = mechanism.start()
    flow = mechanism.flow(start, slope=True)
    # beside the conditions as well: dependent coordinates are corrected by some flows, and count in others
    y = start.y + 0.01 * np.random.default_rng(3).normal(size=start.y.size)

    def rates(state: Array) -> Array:
        found, copy = np.zeros(y.size), state.copy()
        assert flow.evaluate(0.0, copy, found) >= 0
        return found

    found, step = slope_of(flow, 0.0, y), 1e-3
    for j, unit in enumerate(np.eye(y.size)):
        values = [rates(y + i * step * unit) for i in (-2, -1, 1, 2)]
        slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
        np.testing.assert_allclose(found[:, j], slope, rtol=0, atol=1e-6 * max(1.0, np.abs(found).max()))


def test_a_stiff_damper_with_exact_slopes() -> None:
    """The same motion as by differences, to the tolerances, without their evaluations."""
    model = linkages.slider_crank(forces={"brake": {"kind": "torsion_spring", "joint": "A", "damping": 4e2}})
    for formulation in ("hybrid", "multipliers"):
        result = lw.simulate(
            model, until=0.2, step=0.1, formulation=formulation, integrator="radau5", rtol=1e-8, atol=1e-10
        )
        exact = lw.simulate(
            model, until=0.2, step=0.1, formulation="partitioning", integrator="radau5", rtol=1e-9, atol=1e-11
        )
        np.testing.assert_allclose(result["crank.angle"], exact["crank.angle"], rtol=0, atol=1e-6)
        # stages and starts alone: no column of a Jacobian by differences
        cost = result.statistics
        assert cost["evaluations"] < 4 * (cost["Newton iterations"] + cost["steps"] + cost["rejected"])


def test_no_slope_where_blocks_are_iterated() -> None:
    mechanism = lw.prepare(
        mechanisms.four_bar(), formulation=lw.formulations.Hybrid(closed_form=False), backend="reference"
    )
    assert mechanism.flow(mechanism.start(), slope=True).slope is None
