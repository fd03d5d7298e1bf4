"""Numbers of a sketch as live parameters: the same motion, and nothing is compiled when they change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from exploring import EXPLORING

import linkwork as lw
from linkwork.machine import compilation_count

MECHANISMS = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
RNG = 20261116
DRAGGED = ("four_bar", "slider_crank", "quick_return", "rggr")
LARGE = ("double_wishbone", "puma_560")


def sketch(name: str) -> lw.Model:
    return lw.load(MECHANISMS / f"{name}.yaml")


def changed(model: lw.Model, live: lw.Model) -> dict[str, float]:
    """Other values of all that has become live, two per cent away; what is zero becomes a few millimetres."""
    rng = np.random.default_rng(RNG)
    values = live.parameter_values()
    new = [name for name in live.live_parameters if name not in model.live_parameters]
    return {name: values[name] + 0.02 * rng.uniform(-1, 1) * (values[name] or 0.2) for name in new}


def drawn(live: lw.Model, values: dict[str, float]) -> lw.Model:
    """The model with these values as its numbers."""
    return live.with_(parameters={name: {"value": value} for name, value in values.items()})


@pytest.mark.matrix
@pytest.mark.parametrize("name", [*DRAGGED, *(LARGE if EXPLORING else ())])
def test_dragging_compiles_nothing_and_moves_as_a_new_drawing(name: str) -> None:
    model = sketch(name)
    live = model.with_live()
    mechanism = lw.prepare(live)
    first = lw.simulate(mechanism, until=0.2, rtol=1e-10)
    usual = lw.simulate(model, until=0.2, rtol=1e-10)
    names = [item for item in usual.names() if item.endswith((".x", ".y", ".z", ".angle", ".position"))]
    for item in names:
        assert first[item] == pytest.approx(usual[item], abs=1e-8)
    values = changed(model, live)
    before = compilation_count()
    dragged = lw.simulate(mechanism, until=0.2, rtol=1e-10, parameters=values)
    assert compilation_count() == before
    again = lw.simulate(drawn(live, values), until=0.2, rtol=1e-10)
    moved = 0.0
    for item in names:
        assert dragged[item] == pytest.approx(again[item], abs=1e-8)
        moved = max(moved, float(np.max(np.abs(dragged[item] - first[item]))))
    assert moved > 1e-4


def test_names_and_values_are_those_of_the_drawing() -> None:
    model = sketch("four_bar")
    live = model.with_live()
    assert {"O_x", "B_y", "crank_length"} <= set(live.live_parameters)
    assert live.parameter_values()["B_y"] == 3.45
    assert "A_x" in live.live_parameters  # a formula of numbers alone
    assert live.parameter_values()["A_x"] == pytest.approx(np.cos(1.0), abs=0.0)
    assert live.parameters["coupler_length"].description == "bodies.coupler.length"


def test_places_can_be_chosen() -> None:
    model = sketch("four_bar")
    assert model.with_live("points.B", "bodies.crank.mass").live_parameters == ("B_x", "B_y", "crank_mass")
    assert model.with_live("bodies.crank").live_parameters == ("crank_length", "crank_mass")


def test_formulas_keep_their_form_and_their_parameters_become_live() -> None:
    model = lw.Model(
        space="planar",
        parameters={"half": "25 mm", "a": "2*half", "k": 3},
        points={"O": [0, 0], "A": ["a", "1 cm"]},
        bodies={"arm": {"bar": ["O", "A"], "mass": "k"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
    )
    live = model.with_live("points.A")
    assert live.live_parameters == ("half", "A_y")
    pose = lw.assemble(live, parameters={"half": "50 mm", "A_y": 0.0})
    assert pose.poses["arm"].origin == pytest.approx([0, 0])
    assert live.parameter_values({"half": 0.05})["a"] == pytest.approx(0.1)
    assert model.with_live("k").live_parameters == ("k",)


def test_names_that_are_taken_are_left_alone() -> None:
    model = lw.Model(
        space="planar",
        parameters={"A_x": 7},
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": "A_x"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
    )
    live = model.with_live("points.A")
    assert live.live_parameters == ("A_x_", "A_y")
    assert live.parameter_values()["A_x"] == 7.0


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(lw.errors.UnknownNameError, match=r"no number 'points\.Q'.*points\.[OABC]"):
        sketch("four_bar").with_live("points.Q")


def test_dimensions_that_take_a_freedom_are_refused() -> None:
    live = sketch("spherical_four_bar").with_live()
    mechanism = lw.prepare(live)
    with pytest.raises(lw.errors.RefusedError, match="0 degrees of freedom, and 1 with those of the model"):
        lw.simulate(mechanism, until=0.1, parameters=changed(sketch("spherical_four_bar"), live))
    # all of it ten times as large keeps the axes together
    values = {name: 10 * value for name, value in live.parameter_values().items()}
    assert lw.simulate(mechanism, until=0.1, parameters=values).audit.passed


def test_wheels_that_do_not_mesh_any_more_are_told() -> None:
    model = sketch("planetary_gear")
    mechanism = lw.prepare(model.with_live())
    with pytest.raises(lw.errors.ModelError, match="wheels that mesh need"):
        lw.simulate(mechanism, until=0.1, parameters=changed(model, model.with_live()))
