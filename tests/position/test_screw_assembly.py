"""Assembling screws: the thread lies as drawn, turns that are asked for move the nut, the nearest turn closes a loop."""

from __future__ import annotations

from typing import Any

import linkages
import numpy as np
import pytest

import linkwork as lw

PITCH = 0.004


def press(**more: Any) -> lw.Model:
    """A spindle in a bearing, a ram on a guide, and a thread between them; the ram is drawn 0.25 m up the spindle."""
    data: dict[str, Any] = {
        "space": "spatial",
        "points": {"O": [0, 0, 0], "A": [0, 0, 0.4], "B": [0, 0, 0.25]},
        "bodies": {
            "spindle": {"bar": ["O", "A"], "mass": 3, "radius": 0.02},
            "ram": {"points": ["B"], "mass": 10.0, "inertia": [0.02, 0.015, 0.03]},
        },
        "joints": {
            "bearing": linkages.revolute("ground", "spindle", at="O", axis=[0, 0, 1]),
            "thread": {
                "kind": "helical", "bodies": ["spindle", "ram"], "at": ["O", "B"], "axis": [0, 0, 1], "pitch": PITCH,
            },
            "guide": {"kind": "prismatic", "bodies": ["ground", "ram"], "at": ["O", "B"], "axis": [0, 0, 1]},
        },
    }  # fmt: skip
    return lw.Model(**{**data, **more})


def readings(topology: lw.answers.Topology) -> dict[str, float]:
    values = topology.conditions.evaluate(topology.assembly.poses, topology.geometry.defaults)[2]
    return {f"{r.element}.{r.name}": float(v) for r, v in zip(topology.conditions.readings, values, strict=True)}


def test_the_thread_lies_as_it_is_drawn() -> None:
    topology = lw.analyse(press())
    assert topology.assembly.moved == 0.0
    assert readings(topology)["thread.angle"] == 0.0
    assert readings(topology)["guide.position"] == 0.25
    assert topology.freedoms == 1


def test_the_reference_is_the_angle_at_the_sketch() -> None:
    data = press().to_dict()
    data["joints"]["thread"]["reference"] = "20 turn"
    topology = lw.analyse(lw.Model(**data))
    assert topology.assembly.moved < 1e-12
    assert readings(topology)["thread.angle"] == pytest.approx(40 * np.pi, abs=1e-9)


@pytest.mark.parametrize("turns", [0.4, -2.5, 30.25])
def test_turns_that_are_asked_for_move_the_nut(turns: float) -> None:
    topology = lw.analyse(press(initial={"thread": {"angle": f"{turns} turn"}}))
    found = readings(topology)
    assert found["thread.angle"] == pytest.approx(2 * np.pi * turns, abs=1e-8)
    assert found["guide.position"] == pytest.approx(0.25 + PITCH * turns, abs=1e-12)
    # the spindle turns the other way; of its angle whole turns make no difference
    assert np.cos(found["bearing.angle"] + 2 * np.pi * turns) == pytest.approx(1.0, abs=1e-12)


def test_a_position_that_is_asked_for_turns_the_screw() -> None:
    """The guide is moved by 2.3 pitches: the spindle follows to the turn that closes."""
    topology = lw.analyse(press(initial={"guide": {"position": 0.25 + 2.3 * PITCH}}))
    found = readings(topology)
    assert found["guide.position"] == pytest.approx(0.25 + 2.3 * PITCH, abs=1e-12)
    assert found["thread.angle"] == pytest.approx(2 * np.pi * 2.3, abs=1e-8)


@pytest.mark.parametrize("offset", [2.3, 2.7, -4.9])
def test_a_sketch_that_does_not_fit_is_closed_at_the_nearest_turn(offset: float) -> None:
    """The ram is held some pitches from where it is drawn: the spindle turns by what is missing to a whole turn."""
    data = press().to_dict()
    data["points"]["Z"] = [0, 0, 0.25 + offset * PITCH]
    data["joints"]["guide"] = {"kind": "fixed", "bodies": ["ground", "ram"], "at": ["Z", "B"]}
    topology = lw.analyse(lw.Model(**data))
    found = readings(topology)
    assert topology.freedoms == 0
    assert found["bearing.angle"] == pytest.approx(-2 * np.pi * (offset - round(offset)), abs=1e-8)
    assert found["thread.angle"] == pytest.approx(2 * np.pi * offset, abs=1e-8)
    assert topology.assembly.residual < 1e-11


def test_live_pitch_and_live_points() -> None:
    data = press().to_dict() | {"initial": {"thread": {"angle": "3 turn"}}}
    data["parameters"] = {"p": {"value": "4 mm", "live": True}, "z": {"value": 0.25, "live": True}}
    data["points"]["B"] = [0, 0, "z"]
    data["joints"]["thread"]["pitch"] = "2*p"
    model = lw.Model(**data)
    for given, height in (({}, 0.25 + 3 * 0.008), ({"p": -0.001}, 0.25 - 3 * 0.002), ({"z": 0.3}, 0.3 + 3 * 0.008)):
        for kind in ("relative", "natural"):
            result = lw.simulate(model, 0.01, step=0.01, coordinates=kind, parameters=given, backend="reference")
            assert result["guide.position"][0] == pytest.approx(height, abs=1e-11)
            assert result["thread.angle"][0] == pytest.approx(6 * np.pi, abs=1e-8)


def test_points_of_a_screw_move_apart() -> None:
    """A point on both bodies of a screw has a name for each of them."""
    data = press().to_dict()
    data["bodies"]["spindle"] = {"points": ["O", "B"], "mass": 1, "com": "O", "inertia": [1, 1, 1]}
    data["joints"]["thread"]["at"] = "B"
    names = lw.analyse(lw.Model(**data)).named_points()
    assert {"B", "ram.B"} <= set(names)


def test_conditions_of_an_open_screw_and_of_a_planar_joint_are_counted() -> None:
    assert lw.analyse(linkages.screw_crank()).freedoms == 1
    assert lw.analyse(linkages.sliding_shoe()).freedoms == 1
    jack = lw.analyse(linkages.screw_jack())
    assert jack.freedoms == 1
    assert len(jack.redundant) == 2
