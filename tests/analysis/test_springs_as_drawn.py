"""Springs without a free length are without force as drawn: in the sketch with its joints closed, wherever a run begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates.numbering import ALL_COORDINATES

KINDS = [kind.name for kind in ALL_COORDINATES]
K = 40.0
SPRINGS = {
    "pull": {"kind": "spring", "between": ["coupler.B", "ground.W"], "stiffness": 1000},
    "coil": {"kind": "torsion_spring", "joint": "A", "stiffness": K},
    "twist": {"kind": "torsion_spring", "bodies": ["ground", "rocker"], "stiffness": K},
}


def four_bar(**sections: Any) -> lw.Model:
    """Its sketch does not close: lengths are given, and B is drawn 7 cm beside where they meet."""
    joints = {
        "O": ["ground", "crank"],
        "A": ["crank", "coupler"],
        "B": ["coupler", "rocker"],
        "C": ["ground", "rocker"],
    }
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0], "W": [1, 2]},
        "bodies": {
            "crank": {"bar": ["O", "A"], "length": 1, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2, "mass": 1.5},
        },
        "joints": {name: {"kind": "revolute", "bodies": bodies} for name, bodies in joints.items()},
        "forces": SPRINGS,
    }
    return lw.Model(**{**data, **sections})


def meeting(crank: float, first: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A, and B above the line from A to C where two circles meet, with the crank at an angle."""
    a, c = first * np.array([np.cos(crank), np.sin(crank)]), np.array([2.2, 0.0])
    gap = float(np.linalg.norm(c - a))
    along = (2.5**2 - 2.0**2 + gap**2) / (2 * gap)
    across = np.sqrt(2.5**2 - along**2)
    u = (c - a) / gap
    return a, a + along * u + across * np.array([-u[1], u[0]])


DRAWN = np.arctan2(0.8, 0.6)  # of the crank, which keeps it


def lengths(crank: float, first: float = 1.0) -> tuple[float, float, float]:
    """Of the spring, and the angles of the joint A and of the rocker."""
    a, b = meeting(crank, first)
    coupler, rocker = np.arctan2(*(b - a)[::-1]), np.arctan2(b[1], b[0] - 2.2)
    return float(np.linalg.norm(b - [1, 2])), float(coupler - crank), float(rocker)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_pulls_where_it_is_drawn(kind: str) -> None:
    result = lw.simulate(four_bar(), until=0.01, coordinates=kind)
    for name in ("pull.force", "coil.torque", "twist.torque"):
        assert abs(result[name][0]) < 1e-9
    assert result["pull.length"][0] == pytest.approx(lengths(DRAWN)[0], abs=1e-12)
    assert abs(result["pull.length"][0] - np.hypot(2.9 - 1, 1.9 - 2)) > 0.04  # the sketch itself is open


@pytest.mark.matrix("kind")
@pytest.mark.parametrize(
    "elsewhere",
    [
        {"initial": {"O": {"angle": "70 deg"}}},
        {"drivers": {"motor": {"joint": "O", "position": "70 deg + 0*t"}}},
        {"drivers": {"motor": {"joint": "O", "speed": 1, "initial": "70 deg"}}},
        {
            "start": {
                "crank": {"origin": [0, 0], "rotation": "70 deg"},
                "coupler": {
                    "origin": meeting(np.radians(70))[0].tolist(),
                    "rotation": sum(lengths(np.radians(70))[1:2]) + np.radians(70),
                },
                "rocker": {"origin": [2.2, 0], "rotation": lengths(np.radians(70))[2]},
            }
        },
        {"drivers": {"hand": {"body": "crank", "at": "O", "angle": "70 deg + 0*t"}}},
    ],
    ids=["initial", "driver", "driver by speed", "start", "guide"],
)
@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_start_elsewhere_leaves_the_drawing_alone(elsewhere: dict[str, Any], kind: str) -> None:
    result = lw.simulate(four_bar(**elsewhere), until=0.01, coordinates=kind)
    now, drawn = lengths(np.radians(70)), lengths(DRAWN)
    assert result["pull.force"][0] == pytest.approx(1000 * (now[0] - drawn[0]), abs=1e-7)
    assert result["coil.torque"][0] == pytest.approx(-K * (now[1] - drawn[1]), abs=1e-8)
    assert result["twist.torque"][0] == pytest.approx(-K * (now[2] - drawn[2]), abs=1e-8)


def test_another_branch_is_not_the_drawing() -> None:
    model = four_bar(branches={"B": "right"})
    assert lw.analyse(model).branches != lw.analyse(four_bar()).branches
    result = lw.simulate(model, until=0.01)
    assert result["pull.force"][0] == pytest.approx(1000 * (result["pull.length"][0] - lengths(DRAWN)[0]), abs=1e-7)


def test_live_dimensions_redraw_it() -> None:
    """A run with other values is that of a model with these values: the free length follows."""
    live = four_bar().with_live()
    for first in (1.0, 0.8):
        changed = four_bar(bodies=four_bar().bodies | {"crank": {"bar": ["O", "A"], "length": first, "mass": 1}})
        for model, values in ((live, {"crank_length": first}), (changed, None)):
            result = lw.simulate(model, until=0.3, step=0.1, parameters=values)
            assert abs(result["pull.force"][0]) < 1e-8
            assert result["pull.length"][0] == pytest.approx(lengths(DRAWN, first)[0], abs=1e-11)
            end = result["coil.torque"][-1]
            assert end == pytest.approx(lw.simulate(changed, until=0.3, step=0.1)["coil.torque"][-1], rel=1e-7)


def test_an_angle_beyond_half_a_turn_is_wound_by_the_shorter_way() -> None:
    """Drawn at 170 degrees; the other joint begins so that this one is at 190, which is -170 where nobody asks for it."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [1 + np.cos(np.radians(170)), np.sin(np.radians(170))], "C": [3, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 1}, "two": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "one"]},
            "A": {"kind": "revolute", "bodies": ["one", "two"]},
        },
        forces={"coil": {"kind": "torsion_spring", "joint": "A", "stiffness": 1}},
    )
    assert lw.simulate(model, until=0.01)["coil.torque"][0] == pytest.approx(0, abs=1e-12)
    turned = model.with_(start={"two": {"origin": [1, 0], "rotation": "190 deg"}})
    for kind in KINDS:
        result = lw.simulate(turned, until=0.01, coordinates=kind)
        assert result["coil.torque"][0] == pytest.approx(-np.radians(20), abs=1e-9)
    asked = model.with_(initial={"A": {"angle": "530 deg"}})  # a turn more
    assert lw.simulate(asked, until=0.01)["coil.torque"][0] == pytest.approx(-2 * np.pi, abs=1e-9)


def test_a_mass_swings_about_its_place_in_the_drawing() -> None:
    """x = a cos √(k/m) t about where it is drawn, from where initial puts it; in space."""
    model = lw.Model(
        space="spatial",
        points={"W": [0, 0, 0], "P": [0.3, 0.4, 0]},
        bodies={"mass": {"points": ["P"], "mass": 2}},
        joints={"P": {"kind": "prismatic", "bodies": ["ground", "mass"], "axis": [0.6, 0.8, 0]}},
        forces={"s": {"kind": "spring", "between": ["W", "mass.P"], "stiffness": 50}},
        initial={"P": {"position": 0.1}},
    )
    result = lw.simulate(model, until=2, step=0.05)
    np.testing.assert_allclose(result["P.position"], 0.1 * np.cos(5 * result.time), atol=1e-8)
    np.testing.assert_allclose(result["s.force"], 50 * result["P.position"], atol=1e-9)


@pytest.mark.parametrize("live", [False, True])
def test_ends_that_are_drawn_on_each_other_may_meet(live: bool) -> None:
    """A free length of zero: the mass goes through the anchor, where a direction is missing and none is needed."""
    model = lw.Model(
        space="planar",
        parameters={"x": {"value": 0, "live": live}},
        points={"W": ["x", 0], "P": ["x", 0]},
        bodies={"mass": {"points": ["P"], "mass": 2}},
        joints={"P": {"kind": "prismatic", "bodies": ["ground", "mass"], "axis": [1, 0]}},
        forces={"s": {"kind": "spring", "between": ["ground.W", "mass.P"], "stiffness": 50}},
        initial={"P": {"position": 0.1}},
    )
    result = lw.simulate(model, until=2, step=0.05)
    np.testing.assert_allclose(result["P.position"], 0.1 * np.cos(5 * result.time), atol=1e-8)


def test_a_formula_of_the_extension_and_one_sided_springs_follow_too() -> None:
    forces = {
        "cubic": {"kind": "spring", "between": ["coupler.B", "ground.W"], "force": "1000*extension^3"},
        "stop": {"kind": "spring", "between": ["coupler.B", "ground.W"], "stiffness": 500, "only": "push"},
        "damper": {"kind": "spring", "between": ["coupler.B", "ground.W"], "damping": 5},
    }
    result = lw.simulate(four_bar(forces=forces, initial={"O": {"angle": "70 deg"}}), until=0.01)
    less = lengths(np.radians(70))[0] - lengths(DRAWN)[0]
    assert result["cubic.force"][0] == pytest.approx(1000 * less**3, abs=1e-9)
    assert result["stop.force"][0] == pytest.approx(500 * min(less, 0), abs=1e-9)


def test_files_keep_what_is_written_and_what_is_not(tmp_path: Any) -> None:
    model = four_bar(forces=SPRINGS | {"old": {**SPRINGS["pull"], "free_length": 0}})
    lw.save(model, tmp_path / "m.yaml")
    again = lw.load(tmp_path / "m.yaml")
    assert again == model
    assert again.forces["pull"].free_length is None and again.to_dict()["forces"]["old"]["free_length"] == 0
    result = lw.simulate(again, until=0.01)
    assert abs(result["pull.force"][0]) < 1e-9
    assert result["old.force"][0] == pytest.approx(1000 * lengths(DRAWN)[0], rel=1e-12)


def test_reports_say_what_was_taken() -> None:
    model = four_bar()
    assert "pull   spring, between [coupler.B, ground.W], stiffness 1000, without force as drawn" in str(model)
    told = str(lw.analyse(model))
    assert f"pull (free_length {lengths(DRAWN)[0]:.6g} m)" in told
    assert f"coil (free_angle {np.degrees(lengths(DRAWN)[1]):.6g} deg)" in told
    assert "without force as drawn" not in str(lw.analyse(model.with_(forces=None)))
