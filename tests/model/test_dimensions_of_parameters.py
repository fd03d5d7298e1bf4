"""Parameters that are given with units have dimensions: told where they do not fit, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw


def arm(parameters: dict[str, Any], **bar: Any) -> lw.Model:
    return lw.Model(
        space="planar",
        parameters=parameters,
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1, **bar}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
    )


@pytest.mark.parametrize("text", ["3/2 mm", "2*3/4 kg", "3/2 N/mm"])
def test_quotients_that_nobody_means_are_refused_as_in_elements(text: str) -> None:
    with pytest.raises(lw.errors.ModelError, match=r"parameters\.r: .* one over a .*\n.*write 3/2\*1|.*1\.5 kg"):
        arm({"r": text})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(3/2)*1 mm", 1.5e-3),
        ("1.5 [1/mm]", 1500.0),
        ("3/(2 mm)", 1500.0),
        ("1/50 Hz", 0.02),
        ("3/2*1 mm", 1.5e-3),
        ("3/2", 1.5),
    ],
)
def test_what_is_proposed_instead_is_taken(text: str, value: float) -> None:
    assert arm({"r": text}).parameter_values()["r"] == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("parameters", "bar", "told"),
    [
        ({"r": "25 mm"}, {"mass": "r"}, r"bodies\.arm\.mass: 'r' is a length; a mass .* \(parameter 'r' is a length\)"),
        ({"r": "25 mm", "s": "r^2"}, {"length": "s"}, r"bodies\.arm\.length: .*parameter 's' is an area"),
        (
            {"r": "25 mm", "w": "2 kg"},
            {"length": "r + w"},
            r"bodies\.arm\.length: .*a length and a mass cannot be added",
        ),
        ({"r": "25 mm", "T": "2 s", "z": "r - T"}, {}, r"parameters\.z: 'r - T': a length and a time"),
        ({"a": "30 deg"}, {"length": "a"}, r"bodies\.arm\.length: 'a' is an angle"),
    ],
)
def test_parameters_that_do_not_fit_are_told_with_both_names(
    parameters: dict[str, Any], bar: dict[str, Any], told: str
) -> None:
    with pytest.raises(lw.errors.ModelError, match=told):
        arm(parameters, **bar)


@pytest.mark.parametrize(
    ("parameters", "bar"),
    [
        ({"r": 0.3}, {"length": "r", "mass": "r"}),
        ({"r": "25 mm"}, {"length": "r + 0.1"}),
        ({"r": "25 mm"}, {"length": "2*r", "mass": "7850*0.001*r"}),
        ({"r": "25 mm", "s": "sqrt(r^2 + 4 [mm^2])"}, {"length": "s"}),
        ({"load": "2 kg", "k": "100 N/m", "T": "2*pi*sqrt(load/k)"}, {"mass": "load"}),
        ({"load": "2 kg", "v": "sqrt(9.81*load/0.4) + 3 [rad/s]"}, {"mass": "load"}),
        ({"r": {"value": "25 mm", "live": True}}, {"length": "max(r, 10 mm)"}),
    ],
)
def test_numbers_without_units_fit_everywhere(parameters: dict[str, Any], bar: dict[str, Any]) -> None:
    arm(parameters, **bar)


def test_values_of_live_parameters_have_their_dimension() -> None:
    model = arm({"r": {"value": "25 mm", "live": True}, "n": {"value": 2, "live": True}}, length="n*r")
    with pytest.raises(lw.errors.UnitError, match="parameter 'r': '3 s' is a time; in the model it is a length"):
        lw.simulate(model, 0.1, parameters={"r": "3 s"})
    assert model.parameter_values({"r": "30 mm", "n": "3"})["r"] == 0.03
    assert model.parameter_values({"r": 0.04})["r"] == 0.04


def live(value: float | str) -> lw.Model:
    return arm({"L": {"value": value, "live": True}, "r": 0.5}, length="L")


FORMULAS = [
    ("2*500 mm", 1.0),
    ("sqrt(4 m^2)", 2.0),
    ("(3/2)*1 m", 1.5),
    ("2*0.6", 1.2),
    ("1.2 m", 1.2),
    ("-(-2 [yd])", 1.8288),
]


@pytest.mark.parametrize(("text", "value"), FORMULAS)
def test_what_is_given_for_a_run_may_be_a_formula_as_in_a_file(text: str, value: float) -> None:
    assert live(text).parameter_values()["L"] == pytest.approx(value, rel=1e-15)
    assert live("1 m").in_si({"L": text})["L"] == pytest.approx(value, rel=1e-15)
    run = lw.simulate(live("1 m"), until=0.01, parameters={"L": text})
    assert run["A.x"][0] == pytest.approx(value, rel=1e-14)
    stepped = lw.realtime(live("1 m"), "1 ms")
    stepped.set(L=text)
    assert stepped.parameters["L"] == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2*500 g", r"'2\*500 g' is a mass; in the model it is a length"),
        ("1 m + 2 s", "a length and a time cannot be added"),
        ("3/2 mm", r"one over a length(.|\n)*write 3/2\*1 mm or 1.5 mm"),
        ("2*r", r"'2\*r' names r: what is given is a number, or a formula of numbers"),
        ("2*(500 mm", r"expected '\)'"),
        ("1,5 m", "decimals are written with a point"),
        ("1/0", "has no value"),
    ],
)
def test_what_a_file_refuses_is_refused_for_a_run_too(text: str, told: str) -> None:
    with pytest.raises(lw.errors.UnitError, match=f"^parameter 'L': (.|\\n)*{told}"):
        lw.simulate(live("1 m"), until=0.01, parameters={"L": text})


def test_degrees_are_missed_in_formulas_too() -> None:
    model = arm({"a": {"value": "60 deg", "live": True}}).with_(initial={"O": {"angle": "a"}})
    with pytest.raises(lw.errors.UnitError, match=r"parameter 'a' = 30 is 30 rad, 4\.77 turns"):
        lw.simulate(model, until=0.01, parameters={"a": "2*15"})
    assert lw.simulate(model, until=0.01, parameters={"a": "2*15 deg"})["O.angle"][0] == pytest.approx(
        0.5235987755982988
    )
