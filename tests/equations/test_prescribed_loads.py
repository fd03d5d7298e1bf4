"""All loads of a driven mechanism as one function of time."""

import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw
from linkwork.equations.inverse.determinate import prescribed_loads_function
from linkwork.numerics.flows.context import flow_parameters

TIMES = np.linspace(0.0, 1.0, 21)


def test_loads_of_a_closed_form_are_those_of_the_run():
    kept = {key: getattr(four_bar(), key) for key in lw.Model.model_fields}
    motor = {"joint": "O", "position": "0.9 + 2*t + 0.3*sin(4*t)"}
    model = lw.Model(**{**kept, "initial": {}, "drivers": {"motor": motor}})
    mechanism, run = lw.prepare(model), lw.simulate(model, times=list(TIMES))
    start = mechanism.start()
    loads = mechanism.compiled(
        prescribed_loads_function(mechanism.coordinates, mechanism.equations.functions["motion"])
    )
    p = flow_parameters(mechanism.flow(start))[: loads.size_p]
    found = loads.batch(TIMES, np.tile(start.y, (TIMES.size, 1)), p)
    assert found[:, -1].min() > 0.0
    for (element, component), values in zip(mechanism.equations.reactions.components, found.T[:-1], strict=True):
        assert values == pytest.approx(run[f"{element}.{component}"], rel=1e-9, abs=1e-9)
