"""Given forces have their value as a quantity, and formulas of the user the unit of what they measure."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from linkages import revolute

import linkwork as lw


def arm(**more: Any) -> lw.Model:
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": revolute("ground", "arm")},
        **more,
    )


FORCES = {
    "motor": {"kind": "effort", "joint": "O", "value": "5*cos(t)"},
    "push": {"kind": "force", "at": "arm.A", "value": [3, "-4*t"]},
    "twist": {"kind": "torque", "body": "arm", "value": "2*t"},
}


def test_given_forces_have_their_value(tmp_path: Path) -> None:
    result = lw.simulate(arm(forces=FORCES), 1.0, step=0.25)
    t = result.time
    expected = {
        "motor.torque": ("N*m", 5 * np.cos(t)),
        "push.fx": ("N", 3 + 0 * t),
        "push.fy": ("N", -4 * t),
        "push.force": ("N", np.hypot(3, 4 * t)),
        "twist.torque": ("N*m", 2 * t),
    }
    for name, (unit, values) in expected.items():
        np.testing.assert_allclose(result[name], values, atol=1e-15)
        assert result.quantity(name).unit == unit and name in result.names()
    # the power of a torque is that times the speed
    np.testing.assert_allclose(result["motor.power"], result["motor.torque"] * result["O.speed"], atol=1e-12)
    result.save(tmp_path / "run.csv", ["motor.torque"])
    heading = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()[:1]
    assert next(csv.reader(heading))[-1] == "motor.torque [N*m]"


def test_given_forces_in_space_and_along_slides() -> None:
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        bodies={"block": {"points": ["O"], "com": "O", "mass": 1, "inertia": [1, 1, 1]}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [1, 0, 0]}},
        forces={
            "ram": {"kind": "effort", "joint": "S", "value": "7 N"},
            "push": {"kind": "force", "at": "block.O", "value": [1, 2, 2]},
            "twist": {"kind": "torque", "body": "block", "value": [0, 3, -4]},
        },
    )
    result = lw.simulate(model, 0.1, step=0.1)
    found = {name: result[name][-1] for name in ("ram.force", "push.fz", "push.force", "twist.mz", "twist.torque")}
    assert found == pytest.approx(
        {"ram.force": 7, "push.fz": 2, "push.force": 3, "twist.mz": -4, "twist.torque": 5}, rel=1e-14
    )
    assert result.quantity("ram.force").unit == "N" and result.quantity("twist.mz").unit == "N*m"


@pytest.mark.parametrize(
    ("formula", "unit"),
    [
        ("A.x - A.y", "m"),
        ("arm.A.x + A.x", "m"),
        ("sqrt(A.x^2 + A.y^2)", "m"),
        ("A.x*A.vy", "m^2/s"),
        ("A.x*A.y", "m^2"),
        ("A.vx^2", "m^2/s^2"),
        ("O.angle - 1", "rad"),
        ("max(O.speed, 2 [rad/s])", "rad/s"),
        ("r*O.speed", "m/s"),
        ("load*A.ax", "N"),
        ("energy.kinetic + energy.potential", "N*m"),
        # what a number without a unit stands for is not known, nor what a ratio of angles is
        ("1000*A.x", ""),
        ("n*A.x", ""),
        ("2*(A.x - 0.78 [m])", ""),
        # but a pure number says that it is one
        ("2 [1]*(A.x - 0.78 [m])", "m"),
        ("(A.x - 0.78 [m])/2 [1]", "m"),
        ("2 [1]*O.angle", "rad"),
        ("O.speed/(3 [1])", "rad/s"),
        ("2 [1]*asin(A.y/A.x)", "rad"),
        ("2 [1]", ""),
        ("O.angle^2 [1]", ""),
        ("O.angle/O.speed", "s"),
        ("O.angle*O.angle", ""),
        ("sin(O.angle)", ""),
        # functions that give angles do so whatever they are made of
        ("asin(A.y/A.x)", "rad"),
        ("atan2(A.y, A.x) - O.angle", "rad"),
        ("-atan(A.y/A.x) + 0.1", "rad"),
        ("mod(acos(A.x/(1 [m])), 2*pi)", "rad"),
        ("max(turned, 0)", "rad"),
        ("2*asin(A.y/A.x)", ""),
        ("asin(A.y/A.x)*180/pi", ""),
        ("1*atan2(A.y, 1*A.vx)", ""),
        ("r*asin(A.y/A.x)", "m"),
        # units that have no name are put together
        ("load*A.x*A.vx", "N*m*s"),
        ("load/A.x", "kg/m"),
        ("load*A.x^2", "kg*m^2"),
        ("load*A.x/A.y^3", "kg/m^2"),
        ("stiff*(A.x - r)", "N"),
        ("sqrt(A.x)", ""),
        ("1 [m]/A.x^2", ""),
    ],
)
def test_outputs_have_the_unit_of_what_they_measure(formula: str, unit: str) -> None:
    model = arm(
        parameters={"r": "3 mm", "load": "2 kg", "n": 3, "stiff": "7 N/m"},
        definitions={"turned": "atan2(A.y, A.x)"},
        outputs={"found": formula},
        initial={"O": {"speed": 2}},
    )
    assert lw.simulate(model, 0.1, step=0.1).quantity("found").unit == unit


def test_what_has_no_unit_says_why_and_what_to_write() -> None:
    model = arm(outputs={"track": "2*(A.y - 0.78 [m])", "pure": "2 [1]*(A.y - 0.78 [m])"})
    result = lw.simulate(model, 0.1, step=0.1)
    told = r"track has no unit of its own; 'mm' cannot .* any quantity: write 2 \[1\] for a pure one"
    with pytest.raises(lw.errors.UnitError, match=told):
        result.table(["track"], units={"track": "mm"})
    shown = result.table(["pure"], units={"pure": "mm"})[1][1]
    assert shown == pytest.approx(1000 * result["track"][0], rel=1e-14)


@pytest.mark.parametrize("unit", ["Hz", "kHz", "1/min", "1/h"])
def test_speeds_are_not_shown_in_what_may_count_turns(unit: str) -> None:
    result = lw.simulate(arm(initial={"O": {"speed": 3}}), 0.1, step=0.1)
    with pytest.raises(lw.errors.UnitError, match=rf"O.speed is in rad/s, not in {unit}: .* write r.* rad/"):
        result.table(["O.speed"], units={"O.speed": unit})
    with pytest.raises(lw.errors.UnitError, match=r"write r.* rad/"):
        result.plot("O.speed", units={"O.speed": unit})
    rpm, rate = (result.table(["O.speed"], units={"O.speed": unit})[1][1] for unit in ("rpm", "1/s"))
    assert (rpm, rate) == (pytest.approx(3 * 60 / (2 * np.pi), rel=1e-14), 3.0)


def test_frequencies_are_not_shown_in_rad_per_second() -> None:
    """1 Hz is 2 pi rad/s, and not one."""
    pendulum = arm(gravity=[0, -9.81], initial={"O": {"angle": "-90 deg"}})
    found = lw.modes(pendulum)
    name, unit = next((column.name, column.unit) for column in found.columns() if column.unit == "Hz")
    assert unit == "Hz"
    with pytest.raises(lw.errors.UnitError, match="Hz counts cycles"):
        found.table(units={name: "rad/s"})


def test_an_angle_of_a_formula_is_shown_in_degrees() -> None:
    model = arm(outputs={"camber": "asin(A.y/1 [m])"}, initial={"O": {"angle": 0.3, "speed": 0}})
    result = lw.simulate(model, 0.1, step=0.1)
    assert result.table(["camber"], units={"camber": "deg"})[1][1] == pytest.approx(np.degrees(0.3), rel=1e-12)
    assert "camber" in result.plot("camber", units={"camber": "deg"}).axes[0].get_ylabel()
