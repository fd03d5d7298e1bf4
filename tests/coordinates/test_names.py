"""Every name of the state that a model admits in a formula means something, and the right thing."""

from __future__ import annotations

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw
from linkwork.model.quantities import ENERGY, Vocabulary, heads

MODELS = {
    "four-bar": mechanisms.four_bar,
    "slider-crank": linkages.slider_crank,
    "rscr": linkages.rscr,
    "universal": mechanisms.modelica_fourbar,
    "floating": linkages.floating_pair,
}


def admitted(model: lw.Model, accelerations: bool) -> list[str]:
    vocabulary = Vocabulary(model.space, accelerations)
    first = [*heads(model), ENERGY] if accelerations else heads(model)
    return [f"{head}.{rest}" for head in first for rest in vocabulary.of(model, head)]


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("name", list(MODELS))
def test_names_admitted_in_forces_and_outputs_are_understood(name: str, kind: str) -> None:
    model = MODELS[name]()
    names = admitted(model, accelerations=True)
    data = model.to_dict()
    zero = " + ".join(f"0*{item}" for item in admitted(model, accelerations=False))
    body = next(iter(model.bodies))
    torque = zero if model.space == "planar" else [zero, 0, zero]
    nothing = {"kind": "torque", "body": body, "value": torque}
    data["forces"] = data.get("forces", {}) | {"nothing": nothing}
    data["outputs"] = {f"o{i}": item for i, item in enumerate(names)}
    result = lw.simulate(lw.Model(**data), 0.02, step=0.01, coordinates=kind, backend="reference")
    plain = lw.simulate(model, 0.02, step=0.01, coordinates=kind, backend="reference")
    for i, item in enumerate(names):
        assert np.all(np.isfinite(result[f"o{i}"])), item
        if item in plain:
            # a force of zero that reads the whole state changes nothing
            np.testing.assert_allclose(result[f"o{i}"], plain[item], rtol=1e-6, atol=1e-7, err_msg=item)


def test_an_output_that_is_not_there_is_refused_by_name() -> None:
    data = mechanisms.four_bar().to_dict() | {"outputs": {"wrong": "crank.colour"}}
    with pytest.raises(lw.LinkworkError, match=r"crank\.colour"):
        lw.simulate(lw.Model(**data), 0.01, step=0.01)["wrong"]
