"""A point at a joint moves with the bodies of the joint, whether they list it or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import KINDS

import linkwork as lw


def pendulums(listed: bool, **more: Any) -> lw.Model:
    """A rod that hangs in E of an arm, a third of its length from the end; the pin E is listed or not."""
    rod: dict[str, Any] = {"points": {"F": [0, 0]}, "origin": "F", "com": "F", "mass": 1, "inertia": 0.1}
    arm: dict[str, Any] = {"bar": ["O", "A"], "mass": 2}
    if listed:
        arm["points"] = {"E": [0.6, 0]}
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [1, 0], "E": [0.6, 0], "F": [0.6, -0.5], "Q": [0.2, 1]},
        "bodies": {"arm": arm, "rod": rod},
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "E": {"kind": "revolute", "bodies": ["arm", "rod"]},
        },
    }
    return lw.Model(**{**data, **more})


@pytest.mark.parametrize("kind", KINDS)
def test_a_pin_that_no_body_lists_moves_with_them(kind: str) -> None:
    model = pendulums(False, outputs={"reach": "E.x**2 + E.y**2", "speed": "arm.E.vy"})
    result = lw.simulate(model, 0.6, step=0.1, coordinates=kind)
    angle, speed = result["O.angle"], result["O.speed"]
    assert np.ptp(angle) > 1.0
    for name in ("E", "arm.E", "rod.E"):
        np.testing.assert_allclose(result[f"{name}.x"], 0.6 * np.cos(angle), atol=1e-9)
        np.testing.assert_allclose(result[f"{name}.y"], 0.6 * np.sin(angle), atol=1e-9)
        np.testing.assert_allclose(result[f"{name}.vx"], -0.6 * np.sin(angle) * speed, atol=1e-8)
    np.testing.assert_allclose(result["reach"], 0.36, atol=1e-9)
    np.testing.assert_allclose(result["speed"], 0.6 * np.cos(angle) * speed, atol=1e-8)


@pytest.mark.parametrize("end", ["E", "arm.E", "rod.E"])
@pytest.mark.parametrize(
    "strut",
    [
        {"kind": "spring", "between": ["ground.Q", "E"], "free_length": 0, "stiffness": 100, "damping": 3},
        {"kind": "force", "at": "E", "value": ["10*cos(t)", 5]},
    ],
    ids=["spring", "force"],
)
def test_a_strut_on_such_a_pin_acts_on_the_bodies_of_the_joint(strut: dict[str, Any], end: str) -> None:
    """The motion is that of the same model whose arm lists the pin, whichever of the two bodies takes the strut."""

    def ended(at: str) -> dict[str, Any]:
        named = {key: value for key, value in strut.items() if key != "at"}
        return named | ({"between": ["ground.Q", at]} if "between" in strut else {"at": at})

    expected = lw.simulate(pendulums(True, forces={"strut": ended("arm.E")}), 0.5, step=0.1)
    model = pendulums(False, forces={"strut": ended(end)})
    found = lw.simulate(model, 0.5, step=0.1)
    np.testing.assert_allclose(found["O.angle"], expected["O.angle"], atol=1e-8)
    still = lw.simulate(pendulums(False), 0.5, step=0.1)
    assert np.abs(found["O.angle"] - still["O.angle"]).max() > 0.01
    said = "no body lists the pin E of E, on which strut ends: arm is taken; write arm.E or rod.E"
    assert (said in model.remarks) == (end == "E")
    # what the pin carries depends on whose the strut is: on the arm it does not pass through the joint
    if end != "rod.E":
        for axis in "xy":
            np.testing.assert_allclose(found[f"E.f{axis}"], expected[f"E.f{axis}"], atol=1e-6)


def test_where_bodies_slide_the_body_is_asked_for() -> None:
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"G": [0.3, 0], "P": [0, 0], "Q": [1, 1]},
        "bodies": {"slider": {"points": {"P": [0, 0]}, "origin": "P", "mass": 2, "inertia": 0.1}},
        "joints": {"G": {"kind": "prismatic", "bodies": ["ground", "slider"], "axis": [1, 0]}},
        "initial": {"G": {"speed": 2.0}},
    }
    spring = {"kind": "spring", "between": ["ground.Q", "G"], "free_length": 0, "stiffness": 10}
    with pytest.raises(lw.errors.ModelError, match="G' is where ground and slider slide on each other") as caught:
        lw.Model(**data, forces={"s": spring})
    assert "write ground.G or slider.G" in str(caught.value)
    result = lw.simulate(lw.Model(**data), 0.5, step=0.25)
    np.testing.assert_allclose(result["slider.G.x"], 0.3 + 2 * result.time, atol=1e-9)
    np.testing.assert_allclose(result["G.x"], 0.3 + 2 * result.time, atol=1e-9)


def test_the_end_of_a_guide_that_only_the_ground_has_is_the_grounds() -> None:
    """A slide from O on the ground to P on the slider: O is no point of the slider."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0, -0.5]},
        bodies={"pan": {"points": ["P"], "mass": 2, "inertia": 1}},
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "pan"], "at": ["O", "P"], "axis": [0, 1]}},
        forces={"spring": {"kind": "spring", "between": ["O", "pan.P"], "free_length": 0, "stiffness": 10}},
    )
    assert model.locate("O") == ("ground", "O") and model.remarks == ()
    assert "pan.O.x" not in lw.simulate(model, 0.1, step=0.1)
    # and the other end is the slider's, even where it does not list it
    data = model.to_dict() | {"forces": {}, "gravity": [0, -9.81]}
    data["bodies"]["pan"] = {"points": {"C": [0, 0]}, "origin": "P", "mass": 2, "inertia": 1}
    result = lw.simulate(lw.Model(**data), 0.5, step=0.25)
    np.testing.assert_allclose(result["P.y"], -0.5 - 9.81 / 2 * result.time**2, atol=1e-9)


def test_a_pin_of_the_ground_stays_where_it_is() -> None:
    """A spring to a bearing that no body lists hangs on the ground, as before, and nothing need be said."""
    data = pendulums(False).to_dict()
    data["bodies"]["arm"] = {"points": {"A": [0, 0]}, "origin": "A", "com": "A", "mass": 2, "inertia": 0.2}
    data["forces"] = {"s": {"kind": "spring", "between": ["O", "rod.F"], "free_length": 0, "stiffness": 10}}
    model = lw.Model(**data)
    assert model.remarks == () and model.locate("O") == ("ground", "O")
    result = lw.simulate(model, 0.3, step=0.1)
    np.testing.assert_array_equal(result["O.x"], 0.0)
    # seen from the arm, it is a point of the arm that stays there too
    np.testing.assert_allclose(result["arm.O.y"], 0.0, atol=1e-9)
