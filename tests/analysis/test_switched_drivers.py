"""Drivers that take a joint and let it go: a part without mass that is driven, and a connection. Against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import linkwork as lw
from linkwork.arrays import Array

PRECISE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}
KINDS = ("relative", "reference_point", "natural", "mixed")
INERTIA, WEIGHT = 2 * 0.4**2 / 3, 2 * 9.81 * 0.2  # of the arm about its pin
ON, OFF, END = 0.3, 0.9, 1.2
FIXED = {"kind": "fixed", "bodies": ["rotor", "arm"], "at": ["O", "O"]}
CLUTCH = {"on": {"connect": "clutch", "at": ON, "catching": "anywhere"}, "off": {"release": "clutch", "at": OFF}}


def arm(driver: dict[str, Any], switches: dict[str, Any] = CLUTCH) -> lw.Model:
    """A bar that falls from level, and a motor beside it."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [0.4, 0]},
        bodies={"arm": {"bar": ["O", "P"], "mass": 2}, "rotor": {"points": ["O"], "mass": 0}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"], "reference": 0},
            "R": {"kind": "revolute", "bodies": ["ground", "rotor"], "at": "O", "reference": 0},
        },
        drivers={"motor": {"joint": "R", **driver}},
        relations={"clutch": {"kind": "connection", "active": False, "joint": FIXED}},
        switches=switches,
    )


def falls(start: Array, time: float) -> Array:
    """Angle and speed of the arm alone, later."""
    found = solve_ivp(
        lambda _, y: [y[1], -WEIGHT * np.cos(y[0]) / INERTIA], (0, time), start, method="DOP853", **PRECISE
    )
    return np.asarray(found.y[:, -1])


@pytest.mark.parametrize("coordinates", KINDS)
@pytest.mark.parametrize(
    ("driver", "way"),
    [
        ({"speed": "3 + t"}, lambda t: (3 * t + t**2 / 2, 3 + t, 1.0)),
        ({"position": "0.5*sin(3*t)"}, lambda t: (0.5 * np.sin(3 * t), 1.5 * np.cos(3 * t), -4.5 * np.sin(3 * t))),
        ({"acceleration": "2*t", "initial_speed": 1}, lambda t: (t + t**3 / 3, 1 + t**2, 2 * t)),
    ],
    ids=["speed", "position", "acceleration"],
)
def test_a_driver_takes_the_arm_up_drives_it_and_lets_it_go(driver: dict[str, Any], way: Any, coordinates: str) -> None:
    run = lw.simulate(arm(driver), times=[0, 0.6, 0.9 - 1e-9, END], coordinates=coordinates, **PRECISE)
    angle, speed = falls(np.zeros(2), ON)
    impulse = INERTIA * (way(ON)[1] - speed)
    offset = angle - way(ON)[0]

    def effort(t: float) -> float:
        return float(INERTIA * way(t)[2] + WEIGHT * np.cos(way(t)[0] + offset))

    assert run.audit.passed
    assert run.events[0].reactions["motor.effort"] == pytest.approx(impulse, rel=1e-9)
    assert [run["O.angle"][1], run["O.speed"][1]] == pytest.approx([way(0.6)[0] + offset, way(0.6)[1]], abs=1e-9)
    assert run["motor.effort"][1] == pytest.approx(effort(0.6), rel=1e-9)
    assert run["motor.effort"][[0, 3]] == pytest.approx(0.0, abs=1e-9)
    # what the motor does in the impact belongs to its work, and the loss is that of the relative speed
    work = impulse * way(ON)[1] + quad(lambda t: effort(t) * way(t)[1], ON, OFF, epsabs=1e-12)[0]
    assert run["work.supplied"][-1] == pytest.approx(work, rel=1e-8)
    assert run["work.dissipated"][-1] == pytest.approx(0.5 * INERTIA * (way(ON)[1] - speed) ** 2, rel=1e-8)
    # it goes on as fast as it was driven
    assert [run["O.angle"][-1], run["O.speed"][-1]] == pytest.approx(
        falls(np.array([way(OFF)[0] + offset, way(OFF)[1]]), END - OFF), abs=1e-8
    )


@pytest.mark.parametrize("coordinates", KINDS)
def test_a_motor_is_switched_by_its_formula(coordinates: str) -> None:
    """On at a time, off where the arm comes to the level."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [0.4, 0]},
        bodies={"arm": {"bar": ["O", "P"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"], "reference": 0}},
        forces={"motor": {"kind": "effort", "joint": "O", "value": f"if(t < {ON}, 0, if(O.angle > 0, 0, 9))"}},
    )
    run = lw.simulate(model, times=[0, END], coordinates=coordinates, **PRECISE)

    def level(_: float, y: Array) -> float:
        return float(y[0])

    level.terminal, level.direction = True, 1  # type: ignore[attr-defined]
    driven = solve_ivp(
        lambda _, y: [y[1], (9 - WEIGHT * np.cos(y[0])) / INERTIA],
        (ON, END),
        falls(np.zeros(2), ON),
        events=level,
        method="DOP853",
        **PRECISE,
    )
    assert driven.t[-1] < END
    wanted = falls(driven.y[:, -1], END - driven.t[-1])
    assert [run["O.angle"][-1], run["O.speed"][-1]] == pytest.approx(wanted, abs=1e-8)
    assert run["work.supplied"][-1] == pytest.approx(-9 * falls(np.zeros(2), ON)[0], rel=1e-9)
    assert run.audit.passed


def test_at_a_zero_of_a_formula_it_takes_hold_and_under_a_load_it_slips() -> None:
    switches = {
        "on": {"connect": "clutch", "when": "O.angle + 1", "crossing": "falling", "catching": "anywhere"},
        "over": {"release": "clutch", "moment": 3.5},
    }
    run = lw.simulate(arm({"speed": 3}, switches), until=END, **PRECISE)
    caught, broken = run.events[:2]
    assert falls(np.zeros(2), caught.time)[0] == pytest.approx(-1.0, abs=1e-9)
    # the weight is 3.5 N·m where the cosine of the angle is 3.5 / 3.924
    assert -1 + 3 * (broken.time - caught.time) == pytest.approx(-np.arccos(3.5 / WEIGHT), abs=1e-9)
    assert broken.name == "clutch breaks"
    assert run.audit.passed


def two_motors(second: float, at: float) -> lw.Model:
    """Another motor for the same arm."""
    model = arm({"speed": 3})
    data = model.to_dict()
    return model.with_(
        bodies={**data["bodies"], "other": {"points": ["O"], "mass": 0}},
        joints={**data["joints"], "S": {"kind": "revolute", "bodies": ["ground", "other"], "at": "O"}},
        drivers={**data["drivers"], "second": {"joint": "S", "speed": second}},
        relations={
            **data["relations"],
            "brake": {"kind": "connection", "active": False, "joint": {**FIXED, "bodies": ["other", "arm"]}},
        },
        switches={**CLUTCH, "hold": {"connect": "brake", "at": at, "catching": "anywhere"}},
    )


def test_one_motor_hands_over_to_another() -> None:
    run = lw.simulate(two_motors(1.0, OFF), until=END, **PRECISE)
    assert run["O.speed"][-1] == pytest.approx(1.0, abs=1e-12)
    handed = next(event for event in run.events if event.name == "brake connects")
    assert handed.reactions["second.effort"] == pytest.approx(-2 * INERTIA, rel=1e-9)
    assert handed.reactions["motor.effort"] == pytest.approx(0.0, abs=1e-12)
    assert run.audit.passed


@pytest.mark.parametrize("at", [ON, 0.5])
def test_two_motors_that_contradict_each_other_are_named(at: float) -> None:
    run = lw.simulate(two_motors(1.0, at), until=END)
    assert f"stopped at t = {at} s" in str(run.outcome)
    assert "driver 'motor' and driver 'second' contradict each other" in str(run.outcome)


def test_a_crank_of_a_four_bar_is_driven_for_a_while() -> None:
    """While it holds, as a mechanism with the driver from the start in the same position with the same speed."""
    four_bar: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [0, 0.2], "B": [0.5, 0.4], "C": [0.5, 0]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 2},
            "rocker": {"bar": ["B", "C"], "mass": 1},
        },
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "reference": 0},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
    }
    driven = lw.Model(
        **{
            **four_bar,
            "bodies": {**four_bar["bodies"], "rotor": {"points": ["O"], "mass": 0}},
            "joints": {**four_bar["joints"], "R": {"kind": "revolute", "bodies": ["ground", "rotor"], "at": "O"}},
            "drivers": {"motor": {"joint": "R", "speed": 4}},
            "relations": {
                "clutch": {"kind": "connection", "active": False, "joint": {**FIXED, "bodies": ["rotor", "crank"]}}
            },
            "switches": CLUTCH,
        }
    )
    runs = [lw.simulate(driven, times=[0, ON, 0.5, 0.8, END], coordinates=kind, **PRECISE) for kind in KINDS]
    for run in runs[1:]:
        for name in ("O.angle", "O.speed", "motor.effort", "C.fx"):
            assert run[name] == pytest.approx(runs[0][name], abs=1e-7), name
    assert all(run.audit.passed for run in runs)
    known = lw.Model(
        **four_bar,
        drivers={"motor": {"joint": "O", "position": f"{float(runs[0]['O.angle'][1])!r} + 4*t"}},
    )
    always = lw.simulate(known, times=[0, 0.2, 0.5], **PRECISE)
    assert runs[0]["motor.effort"][2:4] == pytest.approx(always["motor.effort"][1:], rel=1e-8)


def test_a_hand_switches_a_driver_in_real_time() -> None:
    rt = lw.realtime(arm({"speed": 3}, {}), "1 ms")
    rt.step(200)
    assert rt["O.speed"] < -1.0
    rt.connect("clutch", catching="anywhere")
    rt.step(50)
    assert rt["O.speed"] == pytest.approx(3.0, abs=1e-12)
    assert rt["motor.effort"] == pytest.approx(WEIGHT * np.cos(rt["O.angle"]), rel=1e-9)
    rt.release("clutch")
    rt.step(1)
    assert 2.9 < rt["O.speed"] < 3.0
