"""Angles of a motion that are whole numbers beyond a turn: radians, with a note, as they may be meant as degrees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from typer.testing import CliRunner

import linkwork as lw
from linkwork.cli import app

ARM = lw.Model(
    space="planar",
    points={"O": [0, 0], "A": [1, 0]},
    bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
    joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
)
TIMES = np.linspace(0, 1, 361)


def doubts(result: lw.Result) -> list[str]:
    return [note for note in result.notes if "radians" in note]


@pytest.mark.parametrize("name", ["O", "O.angle"])
def test_whole_numbers_up_to_360_are_told_to_be_radians(name):
    result = lw.solve_kinematics(ARM, {name: np.arange(0, 361)})
    assert result["O.angle"][-1] == pytest.approx(360.0)
    (told,) = doubts(result)
    assert (
        told.startswith("O.angle goes from 0 to 360 rad, 57.3 turns") and "'360 deg'" in told and "np.radians" in told
    )
    assert len(doubts(lw.solve_kinematics(ARM, {name: np.arange(0, 361)}, times=TIMES))) == 1
    assert len(doubts(lw.solve_kinematics(ARM, {name: 90}, until=1))) == 1


def test_inverse_dynamics_tells_so_too():
    found = lw.inverse_dynamics(ARM, {"O": np.arange(0, 361)}, times=TIMES)
    assert [note for note in found.notes if "57.3 turns" in note]
    assert not [note for note in lw.inverse_dynamics(ARM, {"O.speed": "12"}, times=TIMES).notes if "radians" in note]


@pytest.mark.parametrize(
    ("given", "how"),
    [
        (np.linspace(0, 6 * np.pi, 50), {}),
        (["0 deg", "200 deg", "400 deg"], {}),
        (np.arange(0, 6), {}),
        ("2*pi*t", {"until": 10}),
        ("360*t", {"until": 1}),
        (lambda t: 400 * t, {"until": 1}),
        ("720 deg", {"until": 1}),
    ],
)
def test_what_has_a_unit_or_looks_like_radians_is_not_doubted(given, how):
    assert not doubts(lw.solve_kinematics(ARM, {"O": given}, **how))


def test_lengths_and_speeds_are_not_doubted():
    slide = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"block": {"points": ["O"], "mass": 1}},
        joints={"O": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [1, 0]}},
    )
    assert not doubts(lw.solve_kinematics(slide, {"O": np.arange(0, 361)}))
    assert not doubts(
        lw.solve_kinematics(ARM, {"O.speed": np.arange(0, 361), "O": np.arange(0, 361) * 0.1 % 1}, times=TIMES)
    )


def test_the_command_line_tells_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "arm.yaml"
    lw.save(ARM, path)
    for text, told in (("0:360", True), ("0:360 deg", False), ("0 deg:360 deg", False)):
        found = CliRunner().invoke(app, ["solve-kinematics", str(path), "--motion", f"O={text}"])
        assert found.exit_code == 0, found.output
        assert ("57.3 turns" in found.output) == told, text


@pytest.mark.parametrize("verb", [lw.solve_kinematics, lw.inverse_dynamics])
@pytest.mark.parametrize(
    ("motion", "words"),
    [
        ({"O": "3 m"}, "'3 m' is a length; an angle such as"),
        ({"O.speed": "3 m/s"}, "'3 m/s' is a speed; an angular speed such as '60 rpm' is needed"),
        ({"O.acceleration": "2 kg"}, "'2 kg' is a mass; an angular acceleration"),
    ],
)
def test_formulas_of_a_motion_measure_what_is_moved(verb, motion, words: str) -> None:
    with pytest.raises(lw.LinkworkError, match=words):
        verb(lw.example("four_bar"), motion, until=0.1, step=0.1)


def test_rows_of_a_motion_measure_what_is_moved() -> None:
    with pytest.raises(lw.LinkworkError, match="O has a value that is none: '3 m' is a length; an angle"):
        lw.solve_kinematics(lw.example("four_bar"), {"O": ["40 deg", "50 deg", "3 m"]})
    turned = lw.solve_kinematics(lw.example("four_bar"), {"O.speed": "60 rpm"}, until=0.1, step=0.1)
    assert turned["O.speed"] == pytest.approx([2 * math.pi] * 2, rel=1e-12)
