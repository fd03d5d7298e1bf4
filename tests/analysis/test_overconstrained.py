"""Mechanisms with more conditions than they need move like those without the spare ones."""

from __future__ import annotations

from typing import Any

import linkages
import numpy as np
import pytest
from combinations import every_combination

import linkwork as lw


def positions(model: lw.Model, names: list[str], until: float, **options: Any) -> np.ndarray:
    result = lw.simulate(model, until, step=until / 4, rtol=1e-11, atol=1e-13, max_steps=10_000, **options)
    assert result.outcome.completed, result.outcome
    assert np.max(result.closure_error) < 1e-11
    return np.array([result[name] for name in names])


def door(axis: list[float], hinges: int) -> lw.Model:
    way = np.array(axis)
    places = {"A": [0, 0, 0], "B": (1.9 * way).tolist(), "C": (0.7 * way).tolist()}
    return lw.Model(
        space="spatial",
        gravity=[0, -9.81, 0],
        points={**places, "D": [0.8, 0.3, 0.1]},
        bodies={"door": {"points": ["A", "B", "C", "D"], "mass": 10, "com": [0.4, 0.2, 0.5], "inertia": [1, 1, 1]}},
        joints={name: linkages.revolute("ground", "door", axis=axis) for name in list(places)[:hinges]},
    )


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("axis", [[0.0, 0.0, 1.0], [0.3, 0.2, 0.7]])
def test_a_door_swings_on_any_number_of_hinges(axis: list[float], coordinates: str, formulation: str) -> None:
    options = {"coordinates": coordinates, "formulation": formulation}
    single = positions(door(axis, 1), ["D.x", "D.y", "A.angle"], 0.5, **options)
    for hinges in (2, 3):
        model = door(axis, hinges)
        assert len(lw.analyse(model).redundant) == 5 * (hinges - 1)
        np.testing.assert_allclose(positions(model, ["D.x", "D.y", "A.angle"], 0.5, **options), single, atol=1e-8)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_parallel_guides_and_a_pin_beside_a_weld(coordinates: str, formulation: str) -> None:
    slide = {"kind": "prismatic", "bodies": ["ground", "table"], "axis": [1, 0.3]}
    model = lw.Model(
        space="planar",
        gravity=[1, -9.81],
        points={"A": [0.1, 0.2], "B": [0.3, 1.7], "C": [0.8, 0.4], "D": [1.1, 0.9]},
        bodies={
            "table": {"points": ["A", "B"], "mass": 1, "com": "A", "inertia": 0.1},
            "lamp": {"points": ["C", "D"], "mass": 2, "com": "C", "inertia": 0.1},
        },
        joints={
            "A": slide,
            "B": slide,
            "weld": {"kind": "fixed", "bodies": ["table", "lamp"], "at": "C"},
            "pin": {"kind": "revolute", "bodies": ["table", "lamp"], "at": "D"},
        },
    )
    topology = lw.analyse(model)
    assert (topology.freedoms, len(topology.redundant)) == (1, 4)
    found = positions(model, ["A.position", "D.x"], 0.5, coordinates=coordinates, formulation=formulation)
    pull = (1 - 9.81 * 0.3) / np.hypot(1, 0.3)
    times = np.linspace(0, 0.5, 5)
    np.testing.assert_allclose(found[0], pull * times**2 / 2, atol=1e-9)
    np.testing.assert_allclose(found[1], 1.1 + found[0] / np.hypot(1, 0.3), atol=1e-9)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_a_floating_body_welded_twice(coordinates: str, formulation: str) -> None:
    """Two welds, a pin and a ball beside each other hold two bodies like one weld."""
    data = linkages.floating_pair().to_dict() | {"forces": {}, "gravity": [0, 0, -9.81]}
    data["points"] = {"J": [0.4, 0.3, 0.1], "S": [0.1, -0.3, 0.5], "T": [0.9, 0.2, 0.3]}
    weld = {"kind": "fixed", "bodies": ["a", "b"], "at": "J"}
    spare = {
        "second": {**weld, "at": "S"},
        "pin": linkages.revolute("b", "a", axis=[1, 2, 3], at="S"),
        "ball": {"kind": "spherical", "bodies": ["a", "b"], "at": "T"},
    }
    data["initial"] = {"a": data["initial"]["a"]}
    names = ["a.x", "b.z", "b.wx", "b.wy"]
    options = {"coordinates": coordinates, "formulation": formulation}
    single = positions(lw.Model(**{**data, "joints": {"J": weld}}), names, 0.5, **options)
    model = lw.Model(**{**data, "joints": {"J": weld, **spare}})
    assert len(lw.analyse(model).redundant) == 6 + 5 + 3
    np.testing.assert_allclose(positions(model, names, 0.5, **options), single, atol=1e-8)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_sarrus_linkage_guides_its_platform_along_a_line(coordinates: str, formulation: str) -> None:
    names = ["top.x", "top.y", "top.z", "top.wx", "top.wy", "top.wz"]
    options = {"coordinates": coordinates, "formulation": formulation}
    # after 0.367 s both pairs of plates lie flat, a singular position: index-1 equations may step over it or stop there
    bodies = coordinates in ("reference_point", "mixed")
    until = 0.36 if bodies and formulation == "multipliers" else 0.4
    found = positions(linkages.sarrus(), names, until, **options)
    np.testing.assert_allclose(found[:2], 0.0, atol=1e-9)
    np.testing.assert_allclose(found[3:], 0.0, atol=1e-8)
    assert np.ptp(found[2]) > 0.1


def test_a_live_parameter_keeps_the_conditions_that_it_can_break() -> None:
    """Two hinges on one axis at the default, not at other values: then the door is locked, and says so."""
    data = door([0.0, 0.0, 1.0], 2).to_dict()
    data["parameters"] = {"offset": {"value": 0.0, "live": True}}
    data["points"]["B"] = ["offset", 0, 1.9]
    model = lw.Model(**data)
    rows = lw.number(lw.analyse(model)).rows
    assert any(row.label.element == "B" for row in rows)
    fixed = lw.number(lw.analyse(door([0.0, 0.0, 1.0], 2))).rows
    assert fixed == ()
