"""Screws in motion: exact solutions over many turns, in the tree and as the joint that closes a loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import linkages
import numpy as np
import pytest
from combinations import COMBINATIONS, KINDS

import linkwork as lw
from linkwork.analysis.prepared import prepare
from linkwork.position.geometry import GROUND
from linkwork.results import Result
from linkwork.topology import Topology
from linkwork.topology.graph.graph import Link, spanning_tree

G = 9.81
TURN = 2 * np.pi
TIGHT = {"rtol": 1e-11, "atol": 1e-13}
METHODS = list(COMBINATIONS)
every_method = pytest.mark.parametrize(("coordinates", "formulation"), METHODS)
Closing = Callable[[str], None]


def run(model: lw.Model, until: float, **more: Any) -> Result:
    result = lw.simulate(model, until, **{"step": until / 8, **TIGHT, **more})
    assert result.outcome.completed, result.outcome
    return result


# a plan comes with its own tree: where a test forces another one, the hybrid formulation has nothing to go by
FORCED = [pair for pair in COMBINATIONS if pair[1] != "hybrid"]


@pytest.fixture
def closed_by(monkeypatch: pytest.MonkeyPatch) -> Closing:
    """Let a joint be the one that is cut, whatever tree the analysis prefers."""

    usual = prepare.analyse

    def use(joint: str) -> None:
        def analyse(model: lw.Model, *given: Any) -> Topology:
            links = [Link(name, j.parent, j.child, int(name == joint)) for name, j in model.joints.items()]
            found = replace(usual(model, *given), tree=spanning_tree(GROUND, list(model.bodies), links))
            assert found.cut_joints == (joint,)
            return found

        monkeypatch.setattr(prepare, "analyse", analyse)

    return use


def nut(pitch: float | str, **more: Any) -> lw.Model:
    """A nut with its centre of mass 20 mm off the axis of an upright fixed screw."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": [0, 0, -G],
        "points": {"O": [0, 0, 0], "B": [0, 0, 0.3]},
        "bodies": {"nut": {"points": ["B"], "mass": 2, "com": [0.02, 0, 0.01], "inertia": [0.02, 0.015, 0.01]}},
        "joints": {
            "screw": {
                "kind": "helical",
                "bodies": ["ground", "nut"],
                "at": ["O", "B"],
                "axis": [0, 0, 1],
                "pitch": pitch,
            }
        },
    }
    return lw.Model(**{**data, **more})


def press(pitch: float, **more: Any) -> lw.Model:
    """R-S-P: a spindle in a bearing drives a ram on a guide; the spindle is child of the thread."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": [0, 0, -G],
        "points": {"O": [0, 0, 0], "A": [0, 0, 0.4], "B": [0, 0, 0.25]},
        "bodies": {
            "spindle": {"bar": ["O", "A"], "mass": 3, "inertia": [0.01, 0.05, 0.05]},
            "ram": {"points": ["B"], "mass": 10, "inertia": [0.02, 0.015, 0.03]},
        },
        "joints": {
            "bearing": linkages.revolute("ground", "spindle", at="O", axis=[0, 0, 1]),
            "thread": {
                "kind": "helical", "bodies": ["ram", "spindle"], "at": ["B", "O"], "axis": [0, 0, 1], "pitch": pitch,
            },
            "guide": {"kind": "prismatic", "bodies": ["ground", "ram"], "at": ["O", "B"], "axis": [0, 0, 1]},
        },
        "forces": {"hand": {"kind": "effort", "joint": "bearing", "value": 0.1}},
    }  # fmt: skip
    return lw.Model(**{**data, **more})


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize("pitch", [0.05, -0.2])
@every_method
def test_a_nut_falls_down_its_screw(pitch: float, coordinates: str, formulation: str) -> None:
    """z = h θ: z̈ = −g h² / (h² + I/m), I about the axis of the screw."""
    result = run(nut(pitch), 2.0, coordinates=coordinates, formulation=formulation)
    t, m, h = result.time, 2.0, pitch / TURN
    inertia = 0.01 + m * 0.02**2
    fall = -G * h**2 / (h**2 + inertia / m)
    assert abs(fall * 2.0 / h) > 2 * TURN
    np.testing.assert_allclose(result["screw.position"], fall * t**2 / 2, atol=1e-8)
    np.testing.assert_allclose(result["screw.angle"], fall / h * t**2 / 2, atol=1e-6)
    np.testing.assert_allclose(result["screw.speed"], fall / h * t, atol=1e-6)
    np.testing.assert_allclose(result["screw.position_rate"], fall * t, atol=1e-8)
    np.testing.assert_allclose(result["screw.position_acceleration"], fall, atol=1e-9)
    np.testing.assert_allclose(result["nut.z"], 0.31 + fall * t**2 / 2, atol=1e-8)
    # the thread carries the weight less the inertia force, and turns the nut by h times that force
    np.testing.assert_allclose(result["screw.fz"], m * (G + fall), atol=1e-7)
    np.testing.assert_allclose(result["screw.mz"], -h * m * (G + fall), atol=1e-8)
    np.testing.assert_allclose(result["screw.mz"], inertia * fall / h, atol=1e-8)


@pytest.mark.matrix("coordinates", "formulation")
@every_method
def test_reactions_of_a_nut_that_is_driven_steadily(coordinates: str, formulation: str) -> None:
    """At constant speed the centre of mass goes round: m e ω² inwards, and the motor holds the weight on the thread."""
    result = run(nut(0.05, drivers={"motor": {"joint": "screw", "speed": 30.0}}), 1.0,
                 coordinates=coordinates, formulation=formulation)  # fmt: skip
    angle = 30.0 * result.time
    np.testing.assert_allclose(result["screw.angle"], angle, atol=1e-9)
    for name, way in (("fx", -np.cos(angle)), ("fy", -np.sin(angle))):
        np.testing.assert_allclose(result[f"screw.{name}"], 2 * 0.02 * 900 * way, atol=1e-6)
    np.testing.assert_allclose(result["screw.fz"], 2 * G, atol=1e-7)
    np.testing.assert_allclose(result["screw.mz"], -0.05 / TURN * 2 * G, atol=1e-8)
    np.testing.assert_allclose(result["motor.effort"], 0.05 / TURN * 2 * G, atol=1e-8)


@pytest.mark.parametrize("joint", ["bearing", "thread", "guide"])
def test_a_press_whichever_joint_closes_its_loop(joint: str, closed_by: Closing) -> None:
    """φ̈ = (τ + h m g) / (I + m h²) for the spindle; the ram goes down by h φ."""
    closed_by(joint)
    model, h = press(0.004), 0.004 / TURN
    gain = (0.1 + h * 10 * G) / (0.01 + 10 * h**2)
    for coordinates, formulation in [*FORCED, ("relative", lw.formulations.Baumgarte(10, 10))]:
        result = run(model, 4.0, coordinates=coordinates, formulation=formulation)
        t = result.time
        assert gain * 8 > 13 * TURN
        np.testing.assert_allclose(result["bearing.angle"], gain * t**2 / 2, atol=1e-6)
        # spindle relative to ram: it turns with the spindle, and rises against the ram
        np.testing.assert_allclose(result["thread.angle"], gain * t**2 / 2, atol=1e-6)
        np.testing.assert_allclose(result["guide.position"], 0.25 - h * gain * t**2 / 2, atol=1e-9)
        # on the spindle: what the ram presses down, and the torque that this costs
        load = 10 * (G - h * gain)
        np.testing.assert_allclose(result["thread.fz"], -load, rtol=1e-9)
        np.testing.assert_allclose(result["thread.mz"], h * load, rtol=1e-9)
        np.testing.assert_allclose(result["bearing.fz"], 3 * G + load, rtol=1e-9)


@pytest.mark.matrix("coordinates", "formulation")
@every_method
def test_a_differential_screw_moves_by_the_difference_of_its_pitches(coordinates: str, formulation: str) -> None:
    """S-S-P: a spindle with two threads; the carriage advances by the difference of the pitches for every turn."""

    def thread(first: str, second: str, points: list[str], pitch: str) -> dict[str, Any]:
        return {"kind": "helical", "bodies": [first, second], "at": points, "axis": [1, 0, 0], "pitch": pitch}

    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [0.1, 0, 0], "B": [0.3, 0, 0]},
        bodies={
            "spindle": {"points": ["A"], "mass": 1, "inertia": [0.001, 0.01, 0.01]},
            "carriage": {"points": ["B"], "mass": 2, "inertia": [0.01, 0.01, 0.01]},
        },
        joints={
            "coarse": thread("ground", "spindle", ["O", "A"], "1.25 mm"),
            "fine": thread("spindle", "carriage", ["A", "B"], "1 mm"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "carriage"], "at": ["O", "B"], "axis": [1, 0, 0]},
        },
        drivers={"motor": {"joint": "coarse", "position": "2*pi*(5*t - 12*t^2)"}},
    )
    result = run(model, 1.0, coordinates=coordinates, formulation=formulation)
    turns = 5 * result.time - 12 * result.time**2
    np.testing.assert_allclose(result["fine.angle"], -TURN * turns, atol=1e-8)
    np.testing.assert_allclose(result["guide.position"], 0.3 + 0.25e-3 * turns, atol=1e-13)
    # the efforts: h of the difference times the force on the carriage, and the inertia of the spindle
    force = 2 * 0.25e-3 * -24
    own = 0.001 * TURN * -24 + 1 * 1.25e-3 / TURN * 1.25e-3 * -24
    np.testing.assert_allclose(result["motor.effort"], own + 0.25e-3 / TURN * force, atol=1e-10)


def rocker_angle(thread_angle: np.ndarray, pitch: float) -> np.ndarray:
    """Angle of the rocker of the jack above the x axis, from the distance of cradle and nut (law of cosines)."""
    distance = np.hypot(0.4, 0.4) + pitch / TURN * thread_angle
    arm, base = np.hypot(0.1, 0.4), 0.5
    return np.arccos((arm**2 + base**2 - distance**2) / (2 * arm * base))


@pytest.mark.parametrize("turned", [False, True])
def test_a_jack_whose_thread_closes_the_loop_keeps_its_turn(turned: bool, closed_by: Closing) -> None:
    closed_by("thread")
    data = linkages.screw_jack().to_dict()
    if turned:
        thread = data["joints"]["thread"]
        data["joints"]["thread"] = {**thread, "bodies": thread["bodies"][::-1], "at": thread["at"][::-1]}
    model, ends = lw.Model(**data), []
    for coordinates, formulation in FORCED:
        result = run(model, 0.5, coordinates=coordinates, formulation=formulation)
        sign = -1 if turned else 1
        assert abs(result["thread.angle"][-1]) > 8 * TURN
        expected = rocker_angle(sign * result["thread.angle"], 0.006)
        np.testing.assert_allclose(np.arctan2(0.4, 0.1) - result["O.angle"], expected, atol=1e-10)
        np.testing.assert_allclose(result["bearing.angle"], -sign * result["thread.angle"], atol=1e-8)
        assert np.max(result.closure_error) < 1e-11
        ends.append([result[f"thread.{name}"][-1] * sign for name in ("angle", "speed", "fx", "fz")])
    np.testing.assert_allclose(ends[1:], np.broadcast_to(ends[0], (len(ends) - 1, 4)), rtol=1e-6)


def test_a_screw_in_a_loop_without_freedom_keeps_its_turn() -> None:
    """R-S-C-F: a driven crank turns the screw three times round; closed forms alone would not know its turn."""
    axes = [(0.0, 0.0), (0.26, 0.3), (1.05, 0.9), (1.0, -0.4)]  # angle from z, and about it
    ways = [[np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)] for a, b in axes]
    points = {"O": [0, 0, 0], "A": [0.5, 0.1, 0.2], "B": [0.8, 0.7, 0.3], "D": [0.2, 0.9, -0.1]}
    order = ["ground", "one", "two", "three", "ground"]
    kinds = ["revolute", "helical", "cylindrical", "planar"]
    joints: dict[str, dict[str, Any]] = {
        name: {"kind": kind, "bodies": order[i : i + 2], "axis": ways[i]}
        for i, (name, kind) in enumerate(zip(points, kinds, strict=True))
    }
    joints["A"]["pitch"] = "0.1 m"
    solid = {"mass": 1, "com": [0.1, 0, 0], "inertia": [1, 1, 1]}
    model = lw.Model(
        space="spatial",
        points=points,
        bodies={name: {"points": list(points)[i : i + 2], **solid} for i, name in enumerate(order[1:4])},
        joints=joints,
        drivers={"motor": {"joint": "O", "position": "3*t"}},
    )
    names = ["A.angle", "A.position", "B.angle", "B.position", "D.position_x", "D.angle", "two.vz", "motor.effort"]
    methods = [
        ("relative", "partitioning"),
        ("relative", "hybrid"),
        ("natural", "multipliers"),
        ("mixed", "partitioning"),
    ]
    found = [run(model, 6.0, coordinates=c, formulation=f).values(names) for c, f in methods]
    assert found[0]["A.angle"][-1] < -2.5 * TURN
    assert [block.family.name for block in lw.analyse(model).plan.loops] == ["1S1C1F, normal first"]
    for values in found[1:]:
        for name in names:
            size = max(1.0, float(np.max(np.abs(found[0][name]))))
            np.testing.assert_allclose(values[name], found[0][name], atol=1e-7 * size, err_msg=name)


def test_a_spatial_loop_moves_alike_whether_its_screw_is_cut_or_not(closed_by: Closing) -> None:
    names = [
        "screw.angle",
        "screw.speed",
        "C.angle",
        "B.angle1",
        "rod.vx",
        "crank.az",
        "screw.fx",
        "screw.fz",
        "screw.mz",
    ]
    plain = run(linkages.screw_crank(), 0.5).values(names)
    assert abs(plain["screw.angle"][-1]) > TURN
    closed_by("screw")
    model = linkages.screw_crank()
    for coordinates, formulation in FORCED:
        values = run(model, 0.5, coordinates=coordinates, formulation=formulation).values(names)
        for name in names:
            size = max(1.0, float(np.max(np.abs(plain[name]))))
            np.testing.assert_allclose(values[name], plain[name], atol=1e-7 * size, err_msg=name)


@pytest.mark.parametrize("level", ["position", "speed", "acceleration"])
def test_drivers_of_a_screw_count_its_turns(level: str) -> None:
    motion: dict[str, dict[str, Any]] = {
        "position": {"position": "2*pi*(7 - 12*t^2)"},
        "speed": {"speed": "-48*pi*t", "initial": "7 turn"},
        "acceleration": {"acceleration": "-48*pi", "initial": "7 turn"},
    }
    model = press(0.004, forces={}, drivers={"motor": {"joint": "thread", **motion[level]}})
    for coordinates in KINDS:
        result = run(model, 1.0, coordinates=coordinates)
        turns = 7 - 12 * result.time**2
        np.testing.assert_allclose(result["thread.angle"], TURN * turns, atol=1e-8)
        np.testing.assert_allclose(result["guide.position"], 0.25 - 0.004 * turns, atol=1e-11)


def test_a_torsion_spring_on_a_screw_is_wound_by_whole_turns() -> None:
    """A nut on a torsion spring without gravity: ω² = k / (I + m h²), over an amplitude of three turns."""
    spring = {"coil": {"kind": "torsion_spring", "joint": "screw", "free_angle": 0, "stiffness": 0.2}}
    model = nut(0.05, gravity=[0, 0, 0], forces=spring, initial={"screw": {"angle": "3 turn"}})
    inertia = 0.01 + 2 * 0.02**2 + 2 * (0.05 / TURN) ** 2
    for coordinates, formulation in METHODS:
        result = run(model, 3.0, coordinates=coordinates, formulation=formulation)
        expected = 3 * TURN * np.cos(np.sqrt(0.2 / inertia) * result.time)
        np.testing.assert_allclose(result["screw.angle"], expected, atol=1e-5)


def test_the_advance_can_be_used_in_formulas() -> None:
    model = nut(
        0.05,
        forces={"damper": {"kind": "effort", "joint": "screw", "value": "-3*screw.position_rate - 2*screw.position"}},
        outputs={"lead": "screw.position/screw.angle", "rise": "screw.position_acceleration"},
        initial={"screw": {"angle": 1.0}},
    )
    result = run(model, 0.5)
    np.testing.assert_allclose(result["lead"], 0.05 / TURN, rtol=1e-12)
    h, inertia = 0.05 / TURN, 0.01 + 2 * 0.02**2 + 2 * (0.05 / TURN) ** 2
    torque = -3 * result["screw.position_rate"] - 2 * result["screw.position"] - 2 * G * h
    np.testing.assert_allclose(result["rise"], h * torque / inertia, rtol=1e-9)
