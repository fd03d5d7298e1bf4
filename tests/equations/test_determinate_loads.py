"""Reactions of determinate mechanisms by one function without branches."""

import numpy as np
import pytest
from linkages import slider_crank
from mechanisms import four_bar, spatial_four_bar

import linkwork as lw
from linkwork.equations.inverse.determinate import loads_function


def driven(model, joint):
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    return lw.Model(**{**kept, "initial": {}, "drivers": {"motor": {"joint": joint, "speed": 3.0}}})


@pytest.mark.parametrize(
    "model", [driven(four_bar(), "O"), driven(slider_crank(), "O")], ids=["four-bar", "slider-crank"]
)
def test_equals_least_squares(model):
    run = lw.simulate(model, 0.5, step=0.05)
    source, plan = run.source, run.source.mechanism.equations.reactions
    function = lw.build({"loads": loads_function(source.mechanism.coordinates, plan)})["loads"]
    found = function.batch(source.t, np.hstack([source.y, source.vdot]), source.p)
    for (element, component), values in zip(plan.components, found.T, strict=True):
        assert values == pytest.approx(run[f"{element}.{component}"], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("model", [four_bar(), driven(spatial_four_bar(), "O")], ids=["not driven", "redundant"])
def test_what_is_not_determinate_is_refused(model):
    with pytest.raises(lw.errors.RefusedError, match="not determinate"):
        loads_function(lw.number(lw.analyse(model)))
