"""A plain number for a live parameter that the model has in degrees: beyond a turn it is refused, as files are doubted."""

from __future__ import annotations

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
