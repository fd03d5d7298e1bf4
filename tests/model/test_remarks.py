"""What a model declares and what does not act, or takes the ground, is said by every check, analysis and run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import linkwork as lw
from linkwork.cli import app

FRICTION = {"coefficient": 0.1, "radius": "5 mm"}


def crank(**more: Any) -> lw.Model:
    """A four-bar whose joints have stops and friction, with a spring to a point that nobody has."""
    data: dict[str, Any] = {
        "name": "crank",
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [0, 0.2], "B": [0.5, 0.4], "C": [0.5, 0], "Q": [1, 1]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1},
            "rocker": {"bar": ["B", "C"], "mass": 1},
        },
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "limits": ["-200 deg", 3]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"], "friction": FRICTION},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "limits": [None, "90 deg"], "friction": FRICTION},
        },
        "forces": {"spring": {"kind": "spring", "between": ["Q", "coupler.B"], "stiffness": 50}},
        "outputs": {"height": "Q.y - B.y"},
    }
    return lw.Model(**{**data, **more})


LIMITS = "nothing stops at the limits of joints here: O (angle from -200 deg to 3 rad), C (angle up to 90 deg)"
RUBBING = "nothing rubs in joints here: A (coefficient 0.1, radius 5 mm), C (coefficient 0.1, radius 5 mm)"
TOLD = (
    "points of no body and no joint take the ground: Q (spring); write ground.Q if it is meant",
    "output height: Q is a point of no body and no joint, and rests with the ground",
)
VERBS: dict[str, Callable[[lw.Model], Any]] = {
    "analyse": lw.analyse,
    "simulate": lambda model: lw.simulate(model, 0.05, step=0.05),
    "solve_kinematics": lambda model: lw.solve_kinematics(model, {"O": "t"}, until=0.1, step=0.05),
    "inverse_dynamics": lambda model: lw.inverse_dynamics(model, {"O": "t"}, times=[0.0, 0.1]),
    "find_equilibrium": lw.find_equilibrium,
    "linearise": lw.linearise,
    "modes": lambda model: lw.modes(lw.find_equilibrium(model)),
    "assemble": lw.assemble,
    "assembly_modes": lw.assembly_modes,
    "find_limits": lambda model: lw.find_limits(lw.analyse(model), "O.angle"),
    "realtime": lambda model: lw.realtime(model, 0.001),
}


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_says_what_does_not_act(verb: str) -> None:
    model = crank()
    assert model.remarks == TOLD
    text = " ".join(str(VERBS[verb](model)).split())
    for remark in TOLD:
        assert " ".join(remark.split()) in text
    # stops and friction act in runs; analyses of the mechanism alone do not move it
    alone = ("simulate", "analyse", "assemble", "assembly_modes")
    at_rest = ("find_equilibrium", "linearise", "modes")
    for unfelt, acts in ((LIMITS, (*alone, *at_rest, "realtime")), (RUBBING, (*alone, "inverse_dynamics"))):
        assert (unfelt in text) == (verb not in acts)


def test_commands_say_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "crank.yaml"
    lw.save(crank(), file)
    for command in (["check", str(file)], ["run", str(file), "--until", "0.05"]):
        shown = CliRunner().invoke(app, command, env={"COLUMNS": "400"})
        assert shown.exit_code == 0, shown.output
        assert all(remark in " ".join(shown.output.split()) for remark in TOLD[:1])


def test_friction_that_never_acts_is_named_with_the_kinds_that_rub() -> None:
    ball = {"kind": "spherical", "bodies": ["ground", "arm"], "at": "O", "friction": FRICTION}
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0]},
        bodies={"arm": {"points": ["O"], "mass": 1, "com": "O", "inertia": [1, 1, 1]}},
        joints={"O": ball},
    )
    (remark,) = model.remarks
    assert "friction acts in joints of kind revolute, prismatic, helical, point_on_line" in remark
    assert "with smoothing" in remark
    assert "these move freely: O (spherical)" in remark
    assert not model.with_(joints={"O": {**ball, "friction": {**FRICTION, "smoothing": "1 mm/s"}}}).remarks


def test_a_model_that_declares_nothing_of_the_kind_says_nothing() -> None:
    data = crank().to_dict()
    for joint in data["joints"].values():
        joint.pop("limits", None)
        joint.pop("friction", None)
    data["forces"]["spring"]["between"][0] = "ground.Q"
    data["outputs"]["height"] = "B.y - O.y"
    assert lw.Model(**data).remarks == ()
    assert "note" not in str(lw.analyse(lw.Model(**data)))


def with_lengths(sizes: dict[str, Any], **more: Any) -> lw.Model:
    bodies = {
        name: {"bar": ends, "mass": 1, **({"length": sizes[name]} if name in sizes else {})}
        for name, ends in BARS.items()
    }
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.5, 0], "B": [2.5, 0]},
        bodies=bodies,
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
        },
        **more,
    )


BARS = {"crank": ["O", "A"], "rod": ["A", "B"]}


def test_a_length_without_its_unit_is_doubted() -> None:
    model = with_lengths({"rod": "L"}, parameters={"L": 2000})
    (told,) = [text for text in model.remarks if "unit" in text]
    assert "rod (2000 m, drawn as about 2 m)" in told and "crank" not in told
    assert (
        told in lw.simulate(model, until=0.01).notes
        and told in lw.solve_kinematics(model, {"O": 0, "A": 0}, until=1).notes
    )
    assert told.split("?")[0] in str(lw.analyse(model))
    assert "rod" in with_lengths({"rod": 0.002}).remarks[0]


@pytest.mark.parametrize("length", [2, "2000 mm", 2.7, 0.5, 20])
def test_a_sketch_may_be_rough(length: float | str) -> None:
    assert not with_lengths({"rod": length}).remarks
