"""A plain number for a live parameter that the model has in degrees: beyond a turn it is refused, as files are doubted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UnitError

TOLD = r"parameter 'start' = 30 is 30 rad, 4\.77 turns; in the model it is 60 deg: write '30 deg' .*'30 rad'"


def pendulum(value: float | str = "60 deg") -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"start": {"value": value, "live": True}, "load": {"value": "1 N", "live": True}},
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        forces={"pull": {"kind": "force", "at": "arm.A", "value": ["load", 0]}},
        initial={"O": {"angle": "start"}},
    )


VERBS: dict[str, Callable[[lw.Model, Any], object]] = {
    "simulate": lambda model, value: lw.simulate(model, until=0.01, parameters={"start": value}),
    "analyse": lambda model, value: lw.analyse(model, parameters={"start": value}),
    "assemble": lambda model, value: lw.assemble(model, parameters={"start": value}),
    "modes": lambda model, value: lw.modes(model, parameters={"start": value}),
    "find_equilibrium": lambda model, value: lw.find_equilibrium(model, parameters={"start": value}),
    "realtime": lambda model, value: lw.realtime(model, "1 ms", parameters={"start": value}),
    "set": lambda model, value: lw.realtime(model, "1 ms").set(start=value),
    "reset": lambda model, value: lw.realtime(model, "1 ms").reset({"start": value}),
    "equilibrium_path": lambda model, value: lw.equilibrium_path(model, {"start": [0, value]}),
    "root_locus": lambda model, value: lw.root_locus(model, {"start": [0, value]}, about="equilibrium"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_plain_number_of_degrees_is_refused_and_a_text_is_taken(verb: str) -> None:
    for bare in (30, "30", np.float64(30)):
        with pytest.raises(UnitError, match=TOLD):
            VERBS[verb](pendulum(), bare)
    VERBS[verb](pendulum(), "720 deg")
    VERBS[verb](pendulum(), "30 rad")


@pytest.mark.parametrize(("declared", "given"), [("60 deg", 1.0), ("1 rad", 30), (1, 30)])
def test_radians_within_a_turn_and_of_what_is_no_angle_in_degrees_are_taken(
    declared: float | str, given: float
) -> None:
    result = lw.simulate(pendulum(declared), until=0.01, parameters={"start": given, "load": 40})
    assert result["O.angle"][0] == pytest.approx(given, rel=1e-14)


def test_what_was_given_with_its_unit_is_handed_on() -> None:
    given = {"start": "720 deg"}
    result = lw.simulate(pendulum(), until=0.01, parameters=given)
    assert lw.simulate(result, until=0.02)["O.angle"][0] == pytest.approx(result["O.angle"][-1])
    rest = lw.find_equilibrium(result)["O.angle"]
    assert rest == pytest.approx(4 * np.pi - np.arctan(9.81 / 2 / 1.0))  # moments of weight and load about O
    kinematics = lw.solve_kinematics(lw.analyse(pendulum(), parameters=given), {"O": "start + t"}, until=1)
    assert kinematics["O.angle"][0] == pytest.approx(4 * np.pi)


# -- in the model itself: notes, wherever an angle is read --------------------------------------------------------------

FREE = {"points": ["B"], "mass": 1, "inertia": 1}
HELD = {"points": {"O": [0, 0], "A": [1, 0]}, "origin": [0, 0], "mass": 1, "com": [0, 0], "inertia": 1}
PIN = {"kind": "revolute", "bodies": ["ground", "arm"]}
SPRING = {"kind": "torsion_spring", "joint": "O"}


def planar(**changes: Any) -> lw.Model:
    arm = {"bar": ["O", "A"], "mass": 1}
    sound = {"points": {"O": [0, 0], "A": [1, 0], "B": [2, 0]}, "bodies": {"arm": arm}, "joints": {"O": PIN}}
    return lw.Model(**{"space": "planar", **sound, **changes})


def spatial(**changes: Any) -> lw.Model:
    body = {"points": {"O": [0, 0, 0], "A": [1, 0, 0]}, "origin": [0, 0, 0], "mass": 1, "com": [0, 0, 0]}
    joint = {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 0, 1]}
    sound = {"points": {"O": [0, 0, 0], "A": [1, 0, 0]}, "joints": {"O": joint}}
    return lw.Model(**{"space": "spatial", **sound, "bodies": {"arm": {**body, "inertia": [1, 1, 1], **changes}}})


def with_free(**changes: Any) -> lw.Model:
    return planar(bodies={"arm": {"bar": ["O", "A"], "mass": 1}, "free": FREE}, **changes)


PLACES: dict[str, Callable[[Any], lw.Model]] = {
    "initial.O.angle": lambda angle: planar(initial={"O": {"angle": angle}}),
    "initial.free.angle": lambda angle: with_free(initial={"free": {"angle": angle}}),
    "bodies.arm.rotation": lambda angle: planar(bodies={"arm": {**HELD, "rotation": angle}}),
    "start.arm.rotation": lambda angle: planar(start={"arm": {"origin": [0, 0], "rotation": angle}}),
    "joints.O.reference": lambda angle: planar(joints={"O": {**PIN, "reference": angle}}),
    "joints.O.limits": lambda angle: planar(joints={"O": {**PIN, "limits": [0, angle]}}),
    "joints.O.limits.angle": lambda angle: planar(joints={"O": {**PIN, "limits": {"angle": [None, angle]}}}),
    "drivers.d.position": lambda angle: planar(drivers={"d": {"joint": "O", "position": angle}}),
    "drivers.d.initial": lambda angle: planar(drivers={"d": {"joint": "O", "speed": 1, "initial": angle}}),
    "drivers.d.angle": lambda angle: with_free(drivers={"d": {"body": "free", "angle": angle}}),
    "forces.s.free_angle": lambda angle: planar(forces={"s": {**SPRING, "stiffness": 1, "free_angle": angle}}),
    "relations.slot.range": lambda angle: with_free(
        relations={
            "slot": {
                "kind": "curve",
                "point": "free.B",
                "body": "ground",
                "r": "1 + u",
                "range": [0, angle],
                "closed": False,
            }
        }
    ),
    "forces.s.table": lambda angle: planar(forces={"s": {**SPRING, "table": [[0, 0], [0.1, 1], [angle, 2]]}}),
}
TURNED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "axis": lambda angle: {"axis": [0, 0, 1], "angle": angle},
    "yaw": lambda angle: {"yaw": angle},
    "roll": lambda angle: {"roll": angle, "pitch": "1 deg"},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("number", "degrees"), [(30, 30), ("2*45", 90), (22.5, 22.5), ("30", 30)])
def test_degrees_that_were_forgotten_are_told_at_every_place(place: str, number: float | str, degrees: float) -> None:
    note = (
        f"{place} is {degrees:g} rad, {degrees / 2 / np.pi:.3g} turns: write '{degrees:g} deg' where degrees are meant"
    )
    assert any(told.startswith(note) for told in PLACES[place](number).remarks)
    for sound in ("30 deg", "30 rad", 1.5, "pi/2", "10*pi", 9 * np.pi):
        assert not any("degrees are meant" in told for told in PLACES[place](sound).remarks), sound


@pytest.mark.parametrize("form", TURNED)
def test_attitudes_in_space_too(form: str) -> None:
    (told,) = spatial(rotation=TURNED[form](30)).remarks
    assert told.startswith("bodies.arm.rotation is 30 rad, 4.77 turns: write '30 deg'")
    assert not spatial(rotation=TURNED[form]("30 deg")).remarks


@pytest.mark.parametrize(
    ("formula", "size"),
    [("90*t", 90), ("10 + 30*t", 30), ("45*sin(2*t)", 45), ("if(t < 1, 90*t, 90)", 90), ("-180*t^2/2", 180)],
)
@pytest.mark.parametrize("place", ["drivers.d.position", "drivers.d.angle"])
def test_motions_in_degrees_are_told_too(place: str, formula: str, size: float) -> None:
    (told,) = (note for note in PLACES[place](formula).remarks if "degrees are meant" in note)
    assert told.startswith(f"{place} = {formula} has {size} rad, {size / 2 / np.pi:.3g} turns: write '{size} deg'")


@pytest.mark.parametrize("formula", ["10*t", "100*t", "sin(90*t)", "90 deg*t", "2*pi*60*t", "t^30", "t/90", "7 + t"])
def test_motions_in_radians_are_taken(formula: str) -> None:
    assert not planar(drivers={"d": {"joint": "O", "position": formula}}).remarks


@pytest.mark.parametrize("formula", ["60 1/min*t", "2 Hz*t", "0.1*sin(2 Hz*t)", "n*t"])
def test_motions_that_may_count_turns_are_told(formula: str) -> None:
    (told,) = planar(parameters={"n": "60 1/min"}, drivers={"d": {"joint": "O", "position": formula}}).remarks
    assert re.search(r"drivers\.d\.position = .*: .* write .*rpm or rad/", told)


@pytest.mark.parametrize("formula", ["60 rpm*t", "2*pi*2 Hz*t", "2 rev/s*t", "3 1/s*t", "0.1*sin(2*pi*n*t)"])
def test_motions_that_count_something_are_taken(formula: str) -> None:
    assert not planar(parameters={"n": "60 1/min"}, drivers={"d": {"joint": "O", "position": formula}}).remarks


def test_parameters_say_what_they_are() -> None:
    def beginning(value: Any) -> tuple[str, ...]:
        return planar(parameters={"start": value}, initial={"O": {"angle": "start"}}).remarks

    assert not beginning("720 deg")
    assert not beginning("4*pi")
    (told,) = beginning(720)
    assert told.startswith("initial.O.angle is 720 rad")


def test_screws_turn_many_times() -> None:
    screw = {"kind": "helical", "bodies": ["ground", "arm"], "axis": [0, 0, 1], "pitch": "2 mm"}
    model = spatial().with_(joints={"O": screw}, initial={"O": {"angle": 30}})
    assert not model.remarks


ASKED: dict[str, Callable[[Any], Any]] = {
    "assemble": lambda angle: lw.assemble(planar(), {"O": angle}),
    "assemble of a body": lambda angle: lw.assemble(planar(), {"arm.angle": angle}),
    "solve_positions": lambda angle: lw.solve_positions(planar(), {"O": np.array([0.0, angle])}),
    "find_equilibrium": lambda angle: lw.find_equilibrium(planar(gravity=[0, -9.81]), start={"O": angle}),
    "solve_kinematics": lambda angle: lw.solve_kinematics(planar(), {"O": f"{angle}*t"}, until=1),
    "inverse_dynamics": lambda angle: lw.inverse_dynamics(planar(), {"O": f"{angle}*t"}, until=1),
    "simulate": lambda angle: lw.simulate(planar(initial={"O": {"angle": angle}}), until=0.01),
    "simulate_many": lambda angle: lw.simulate_many(planar(), until=0.01, initial={"O.angle": [0, angle]}, workers=1),
    "analyse": lambda angle: lw.analyse(planar(initial={"O": {"angle": angle}})),
}


@pytest.mark.parametrize("verb", ASKED)
def test_every_verb_tells_it_once(verb: str) -> None:
    text = " ".join(str(ASKED[verb](30)).split())
    assert text.count("degrees are meant") == 1
    assert "30 rad, 4.77 turns" in text
    assert "degrees are meant" not in str(ASKED[verb](3))
