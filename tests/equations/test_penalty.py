"""Penalties and the augmented Lagrangian: the motion of the other formulations, whatever the rank of the conditions."""

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import KINDS

import linkwork as lw
from linkwork.coordinates.numbering import number
from linkwork.equations import formulate

TIGHT = {"until": 0.5, "step": 0.05, "rtol": 1e-10, "atol": 1e-12}
MODELS = {
    "six_bar": linkages.six_bar,
    "rscr": linkages.rscr,
    "redundant": mechanisms.modelica_fourbar,
}


def motions(model: lw.Model, result: lw.Result) -> dict[str, np.ndarray]:
    axes = "xy" if model.space == "planar" else "xyz"
    return result.values(
        [f"{body}.{letter}{axis}" for body in model.bodies for letter in ("", "v", "a") for axis in axes]
    )


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MODELS)
def test_the_augmented_lagrangian_moves_like_the_multipliers(name, kind):
    model = MODELS[name]()
    wanted = motions(model, lw.simulate(model, coordinates=kind, formulation="partitioning", **TIGHT))
    result = lw.simulate(model, coordinates=kind, formulation="augmented_lagrangian", **TIGHT)
    assert result.outcome.completed
    for key, values in motions(model, result).items():
        size = max(1.0, float(np.max(np.abs(wanted[key]))))
        np.testing.assert_allclose(values, wanted[key], atol=1e-6 * size, err_msg=key)
    assert np.max(result.closure_error) < 1e-8
    assert "multipliers corrected" in result.statistics["workings"]


@pytest.mark.parametrize("alpha", [1e3, 1e4, 1e5])
def test_the_error_of_penalties_falls_with_their_size(alpha):
    """Accelerations at one state: their error is inversely proportional to α, until rounding errors take over near 1e8."""
    model = linkages.six_bar()
    coordinates = number(lw.analyse(model), "natural")
    exact, mild, strong = (
        _accelerations(coordinates, formulation)
        for formulation in (
            lw.formulations.Multipliers(),
            lw.formulations.Penalty(alpha=alpha),
            lw.formulations.Penalty(alpha=10 * alpha),
        )
    )
    ratio = np.linalg.norm(mild - exact) / np.linalg.norm(strong - exact)
    assert ratio == pytest.approx(10, rel=0.05)


def _accelerations(coordinates, formulation):
    from linkwork.analysis.prepared.prepare import Mechanism
    from linkwork.compiler import build

    equations = formulate(coordinates, formulation)
    mechanism = Mechanism(coordinates.topology, coordinates, equations, build(equations, "cpu"))
    start = mechanism.start()
    rates = np.zeros(start.y.size)
    assert mechanism.flow(start).evaluate(0.0, start.y, rates) >= 0
    return rates[coordinates.q.numel() :][: coordinates.v.numel()]
