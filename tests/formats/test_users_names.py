"""Names that cannot stand in formulas: models take them, know them wherever names are given, and write them again."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra.renames import Renames, is_other, spelt
from linkwork.cli import main

LEG = """\
linkwork: 1
space: planar
gravity: [0, -9.81]
parameters:
  thigh length: {value: 0.4 m, live: true}
points:
  hip: [0, 0]
  left-knee: [0, -0.4]
  left foot: [0.4, -0.4]
bodies:
  left-thigh: {bar: [hip, left-knee], length: thigh_length, mass: 8}
  2nd: {bar: [left-knee, left foot], points: {a/b: [0.1, 0]}, mass: 4, com: a/b, masses: {a/b: 2}}
joints:
  hip: {kind: revolute, bodies: [ground, left-thigh]}
  left-knee: {kind: revolute, bodies: [left-thigh, 2nd], at: left-knee}
relations:
  cable-1: {kind: rope, between: [2nd.a/b, ground.hip], length: 3}
forces:
  spring/1: {kind: spring, between: [2nd.a/b, ground.hip], free_length: 0, stiffness: 3}
  brake 1: {kind: effort, joint: left-knee, value: -0.1*left_knee.speed}
initial:
  left-knee: {speed: 1 rad/s}
outputs: {bend-angle: left_knee.angle - hip.angle}
"""
WORDS = {
    "thigh length": "reach",
    "left-knee": "knee",
    "left foot": "foot",
    "left-thigh": "thigh",
    "2nd": "shin",
    "a/b": "P",
}
WORDS |= {"cable-1": "cable", "spring/1": "spring", "brake 1": "brake", "bend-angle": "bend"}
WORDS |= {spelt(name): word for name, word in WORDS.items()}


def plainly(text: str) -> str:
    """The same leg with names that formulas take."""
    for name, word in WORDS.items():
        text = text.replace(name, word)
    return text


@pytest.fixture(scope="module")
def leg() -> lw.Model:
    return lw.loads(LEG)


def fault(text: str) -> Any:
    with pytest.raises(lw.errors.ModelError) as caught:
        lw.loads(text)
    return caught.value.faults[0]


def test_a_file_is_written_with_the_names_that_were_read(leg: lw.Model, tmp_path: Path) -> None:
    assert leg.renames == {spelt(name): name for name in WORDS if is_other(name)}
    assert "left_knee" not in lw.dump(leg).replace("left_knee.", "")
    for suffix in ("yaml", "json"):
        assert lw.load(lw.save(leg, tmp_path / f"leg.{suffix}")) == leg
        assert lw.loads(lw.dump(leg, suffix), suffix).to_dict() == leg.to_dict()
    assert pickle.loads(pickle.dumps(leg)) == leg
    assert lw.Model(**leg.plain()) == leg
    assert lw.Model(**leg.to_dict()) == leg


def test_it_moves_as_the_same_leg_with_plain_names(leg: lw.Model) -> None:
    plain = lw.loads(plainly(LEG))
    assert not plain.renames
    for parameters in ({}, {"thigh length": "0.5 m"}):
        found = lw.simulate(leg, 1.0, step=0.1, parameters=parameters)
        wanted = lw.simulate(plain, 1.0, step=0.1, parameters={WORDS[name]: x for name, x in parameters.items()})
        for name in ("left-knee.angle", "left foot.x", "2nd.a/b.vy", "2nd.speed", "bend-angle", "spring/1.power"):
            assert np.array_equal(found[name], wanted[plainly(name)]), name
            assert np.array_equal(found[name], found[leg.named(name)])
        assert np.array_equal(found.reactions["left-knee"]["fx"], wanted.reactions["knee"]["fx"])
    assert np.ptp(wanted["knee.angle"]) > 0.1
    assert found.names("left-knee.a*") == ["left_knee.angle", "left_knee.ax", "left_knee.ay", "left_knee.acceleration"]
    assert found.select(["left foot.x", "hip.*"])[0] == "left_foot.x"
    assert "left-knee.angle" in found
    assert np.array_equal(found.detach()["left-knee.angle"], found["left-knee.angle"])
    assert any("left_knee ('left-knee')" in note for note in found.notes)


def test_a_saved_result_knows_them(leg: lw.Model, tmp_path: Path) -> None:
    result = lw.simulate(leg, 0.1)
    stored = lw.load_result(result.save(tmp_path / "leg.nc"))
    assert np.array_equal(stored["left-knee.angle"], result["left-knee.angle"])


def test_verbs_take_them(leg: lw.Model) -> None:
    leg = leg.with_(relations=None)
    pose = lw.assemble(leg, near={"left-knee.angle": "30 deg", "left foot.x": 0.3})
    assert pose["left-knee.angle"] == pose["left_knee.angle"]
    places = lw.solve_positions(leg, {"left foot": [[0.3, -0.5], [0.35, -0.4]]})
    assert places["left foot.x"] == pytest.approx([0.3, 0.35])
    assert lw.linearise(leg, inputs=["left-knee.angle.effort", "thigh length"]).inputs == (
        "left_knee.angle.effort",
        "thigh_length",
    )
    moved = lw.inverse_dynamics(leg, {"hip": "0.1*t", "left-knee": "t"}, times=np.linspace(0, 1, 5))
    assert moved["left-knee.speed"] == pytest.approx(1.0)
    swept = lw.envelope(lw.simulate(leg, 0.1), bodies="left-thigh")
    assert swept is not None
    crossing = lw.simulate(leg, 2.0, events={"straight": "left_knee.vx"})
    assert crossing.events


def test_a_changed_model_takes_them_and_new_ones(leg: lw.Model) -> None:
    body = lw.elements.Body(bar=["left-knee", "left foot"], mass=3)
    turned = {"left-knee": {"angle": "20 deg"}}
    changed = leg.with_(bodies={"2nd": body}, relations=None, forces={"spring/1": None}, initial=turned)
    assert changed.bodies["_2nd"].bar == ("left_knee", "left_foot")
    assert str(changed.initial["left_knee"]["angle"]) == "20 deg"
    assert "a_b" not in changed.renames
    more = changed.with_(
        points={"right-knee": [1, 1]}, forces={"f 1": {"kind": "force", "at": "left foot", "value": [1, 0]}}
    )
    assert more.renames["right_knee"] == "right-knee"
    assert more.forces["f_1"].at == "left_foot"
    assert lw.loads(lw.dump(more)) == more
    assert leg.with_live("points.left-knee").live_parameters


@pytest.mark.parametrize(
    ("old", "new", "path", "reason", "hint"),
    [
        (
            "*left_knee.speed",
            "*left-knee.speed",
            "forces.brake 1.value",
            "'left-knee' is the name of",
            "write left_knee",
        ),
        (
            "left_knee.angle -",
            "left-knee.angle -",
            "outputs.bend-angle",
            "'left-knee' is the name of",
            "write left_knee",
        ),
        ("mass: 8", "mass: -8", "bodies.left-thigh.mass", "cannot be negative", ""),
        (
            "  hip: [0, 0]",
            "  hip: [0, 0]\n  left knee: [0, 0]",
            "points.left-knee",
            "'left-knee' and 'left knee' would both be left_knee",
            "other name",
        ),
        (
            "  hip: [0, 0]",
            "  hip: [0, 0]\n  left_knee: [0, 0]",
            "points.left-knee",
            "'left_knee' would both",
            "other name",
        ),
        ("left-knee: {speed", "left-kne: {speed", "initial.left-kne", "no joint or floating body", "'left_knee'"),
        ("left foot: [", "left.foot: [", "points.left.foot", "'left.foot' is not a valid name", "a dot leads"),
    ],
)
def test_faults_say_what_stands_in_the_file(old: str, new: str, path: str, reason: str, hint: str) -> None:
    assert LEG.count(old) == 1
    found = fault(LEG.replace(old, new))
    assert found.path == path
    assert reason in found.reason and found.reason.startswith("line ")
    assert hint in found.suggestion


def test_a_difference_is_written_with_blanks_and_never_taken_for_a_name(leg: lw.Model) -> None:
    more = LEG.replace("parameters:\n", "parameters:\n  left: 3\n  knee: 1\n")
    assert fault(more.replace("length: 3", "length: left-knee")).path == "relations.cable-1.length"
    taken = lw.loads(more.replace("length: 3", "length: left - knee"))
    assert taken.number(taken.relations["cable_1"].length) == 2.0
    assert lw.loads(lw.dump(taken)) == taken
    with pytest.raises(lw.errors.ExpressionError, match="in formulas write left_knee"):
        lw.simulate(taken, 1.0, events={"straight": "left-knee.angle"})


def test_blocks_of_joints_are_found_though_their_names_have_the_same_sign() -> None:
    names = Renames({"left_knee": "left-knee", "a_b_c": "a-b-c"})
    assert names.of_block("hip-left-knee-ankle") == "hip-left_knee-ankle"
    assert names.of_block("a-b-c") == "a_b_c"
    assert names.of_block("a-b") == "a-b"
    assert names.told("hip-left_knee-ankle") == "hip-left-knee-ankle"
    assert Renames().of_block("a-b") == "a-b"


def test_branches_of_renamed_joints() -> None:
    def rocker(name: str) -> lw.Model:
        return lw.Model(
            space="planar",
            points={"O": [0, 0], "A": [0, 1], name: [3, 2], "C": [3, 0]},
            bodies={
                "crank": {"bar": ["O", "A"], "mass": 1},
                "coupler": {"bar": ["A", name], "mass": 1},
                "rocker": {"bar": [name, "C"], "mass": 1},
            },
            joints={
                "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
                "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
                name: {"kind": "revolute", "bodies": ["coupler", "rocker"]},
                "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
            },
        )

    for branch in ("left", "right"):
        chosen = rocker("top-pin").with_branches({"A-top-pin-C": branch})
        assert chosen.branches == {"A-top_pin-C": branch}
        assert lw.loads(lw.dump(chosen)) == chosen
        found, wanted = lw.assemble(chosen), lw.assemble(rocker("B").with_branches({"A-B-C": branch}))
        assert found["top-pin.y"] == pytest.approx(wanted["B.y"], abs=1e-9)


def test_the_command_line_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "leg.yaml"
    path.write_text(lw.dump(lw.loads(LEG).with_(relations=None)), encoding="utf-8")
    for words in (
        ["run", str(path), "--until", "0.1s", "-p", "thigh length=0.5 m", "-o", str(tmp_path)],
        ["assemble", str(path), "--near", "left-knee=30 deg"],
    ):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert not end.value.code, capsys.readouterr().err
    assert lw.load_result(tmp_path / "leg.nc")["left-knee.y"][0] == pytest.approx(-0.5)
