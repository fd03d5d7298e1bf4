"""In which turn angles start, of joints, bodies, springs and tables; no whole turn comes or goes without a word."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import numpy as np
import pytest

import linkwork as lw

KINDS = ["relative", "reference_point", "natural", "mixed"]
every_kind = pytest.mark.parametrize("kind", KINDS)


def bar(drawn: float, **sections: Any) -> lw.Model:
    """A bar on the ground, drawn in a direction in degrees; ``spring`` and ``joint`` are keys of its spring and joint."""
    spring, joint = sections.pop("spring", None), sections.pop("joint", {})
    forces = {} if spring is None else {"s": {"kind": "torsion_spring", **spring}}
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [cos(radians(drawn)), sin(radians(drawn))]},
        bodies={"c": {"bar": ["O", "A"], "mass": 3}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "c"], **joint}},
        forces=forces,
        **sections,
    )


def began(model: lw.Model, name: str, **options: Any) -> float:
    """A quantity at the start of a run, in degrees."""
    return float(np.degrees(lw.simulate(model, times=[0.0, 0.01], **options)[name][0]))


def notes(model: lw.Model) -> str:
    return " ".join(lw.simulate(model, times=[0.0, 0.01]).notes)


ON_JOINT, BETWEEN = {"joint": "O", "stiffness": 1}, {"bodies": ["ground", "c"], "stiffness": 1}


@every_kind
@pytest.mark.parametrize("spring", [ON_JOINT, BETWEEN])
@pytest.mark.parametrize("drawn", [190, -170, 180, -180, 10])
@pytest.mark.parametrize("free", [190, -170, 170, -190, 180, -180, 350])
def test_a_free_angle_is_taken_in_the_turn_of_the_start(
    kind: str, spring: dict[str, Any], drawn: float, free: float
) -> None:
    """The deflection is the shorter way between two directions, and energy and torque are those of it."""
    model = bar(drawn, spring={**spring, "free_angle": f"{free} deg"})
    result = lw.simulate(model, times=[0.0, 0.01], coordinates=kind)
    expected = (drawn - free + 180) % 360 - 180
    found = np.degrees(result["s.deflection"][0])
    assert abs(found) == pytest.approx(abs(expected), abs=1e-8)
    assert abs(expected) == 180 or found == pytest.approx(expected, abs=1e-8)
    assert result["s.torque"][0] == pytest.approx(-radians(found), abs=1e-9)
    principal = drawn - 360 if drawn > 180 else abs(drawn) if drawn == -180 else drawn
    taken = abs(principal - found - free) > 1e-6
    assert ("force s: free_angle" in " ".join(result.notes)) == taken


def test_a_free_angle_in_another_turn_is_told_with_what_is_taken() -> None:
    told = notes(bar(190, spring={**ON_JOINT, "free_angle": "190 deg"}))
    assert "force s: free_angle 190 deg is taken as -170 deg, in the turn in which O.angle starts" in told
    assert "force s" not in notes(bar(190, spring={**ON_JOINT, "free_angle": "-170 deg"}))


@every_kind
def test_turns_that_are_given_count(kind: str) -> None:
    """A start by ``initial``, and a free angle of a whole turn or more, wind a spring, and a note says by how much."""
    given = bar(0, spring={**ON_JOINT, "free_angle": "-270 deg"}, initial={"O": {"angle": 0}})
    assert began(given, "s.deflection", coordinates=kind) == pytest.approx(270, abs=1e-9)
    assert "force s: starts wound by +1 turn, with O.angle counted from the free angle -270 deg" in notes(given)
    wound = bar(30, spring={**ON_JOINT, "free_angle": "-2 turn"})
    assert began(wound, "s.deflection", coordinates=kind) == pytest.approx(750, abs=1e-9)
    assert "force s: starts wound by +2 turns" in notes(wound)
    drawn = bar(-170, spring=ON_JOINT, initial={"O": {"angle": "190 deg"}})
    assert "force s: starts wound by +1 turn" in notes(drawn)


def test_a_bar_that_points_backwards_is_without_force_as_drawn() -> None:
    """Drawn at 180 degrees, and started there: +180 is no other turn than -180."""
    model = bar(180, spring=ON_JOINT, initial={"O": {"angle": "180 deg"}})
    assert began(model, "s.deflection") == pytest.approx(0, abs=1e-9)


@every_kind
def test_bodies_go_with_joints_that_count_their_turns(kind: str) -> None:
    """A crank that starts at 200 degrees, and 720 on it, a block on it that slides and one that is fixed."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={
            "c": {"bar": ["O", "A"], "mass": 1},
            "d": {"bar": ["A", "B"], "mass": 1},
            "block": {"points": ["A"], "mass": 1, "inertia": 1},
            "lid": {"points": ["A"], "mass": 1, "inertia": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["c", "ground"]},
            "A": {"kind": "revolute", "bodies": ["c", "d"]},
            "slide": {"kind": "prismatic", "bodies": ["c", "block"], "at": "A", "axis": [1, 0]},
            "weld": {"kind": "fixed", "bodies": ["block", "lid"], "at": "A"},
        },
        forces={"s": {"kind": "torsion_spring", "bodies": ["ground", "d"], "stiffness": 1, "free_angle": 0}},
        initial={"O": {"angle": "-200 deg"}, "A": {"angle": "730 deg"}},
    )
    result = lw.simulate(model, times=[0.0, 0.01], coordinates=kind)
    expected = {"O": -200, "c": 200, "A": 730, "d": 930, "block": 200, "lid": 200, "s": 930}
    found = {name: float(np.degrees(result[f"{name}.angle"][0])) for name in expected}
    assert found == pytest.approx(expected, abs=1e-9)
    left = model.with_(initial={"O": {"angle": "-100 deg"}, "A": {"angle": "150 deg"}})
    within = lw.simulate(left, times=[0.0, 0.01], coordinates=kind)
    found = {name: float(np.degrees(within[f"{name}.angle"][0])) for name in ("c", "d", "s")}
    assert found == pytest.approx({"c": 100, "d": -110, "s": -110}, abs=1e-9)


@every_kind
def test_drivers_inputs_and_references_give_turns_too(kind: str) -> None:
    driven = bar(-170, drivers={"D": {"joint": "O", "position": "190 deg + 1*t"}})
    assert began(driven, "O.angle", coordinates=kind) == pytest.approx(190)
    assert began(driven, "c.angle", coordinates=kind) == pytest.approx(190)
    swept = lw.solve_kinematics(bar(-170), {"O.angle": np.radians([530, 545])}, coordinates=kind)
    np.testing.assert_allclose(np.degrees(swept["c.angle"]), [530, 545], atol=1e-9)
    referred = bar(0, joint={"reference": "190 deg"}, spring={**ON_JOINT, "free_angle": "190 deg"})
    assert began(referred, "O.angle", coordinates=kind) == pytest.approx(190)
    assert began(referred, "c.angle", coordinates=kind) == pytest.approx(0, abs=1e-9)
    assert began(referred, "s.deflection", coordinates=kind) == pytest.approx(0, abs=1e-9)
    assert began(referred.with_(forces={"s": {**ON_JOINT, "kind": "torsion_spring"}}), "s.deflection") == pytest.approx(
        0, abs=1e-9
    )


@every_kind
def test_angles_of_two_bodies_are_the_shorter_way(kind: str) -> None:
    """A bar at 170 degrees with another at -170 on it: the spring between them is bent by 20 degrees, not by -340."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [cos(radians(170)), sin(radians(170))], "B": [2 * cos(radians(170)), 0]},
        bodies={"c": {"bar": ["O", "A"], "mass": 1}, "d": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "c"]},
            "A": {"kind": "revolute", "bodies": ["c", "d"]},
        },
        forces={
            "s": {"kind": "torsion_spring", "bodies": ["c", "d"], "stiffness": 1, "free_angle": 0},
            "t": {"kind": "torsion_spring", "bodies": ["c", "d"], "table": [["-90 deg", -1], ["90 deg", 1]]},
        },
    )
    assert began(model, "d.angle", coordinates=kind) == pytest.approx(-170)
    assert began(model, "s.angle", coordinates=kind) == pytest.approx(20)
    assert began(model, "s.deflection", coordinates=kind) == pytest.approx(20)
    result = lw.simulate(model, times=[0.0, 0.01], coordinates=kind)
    assert result["t.torque"][0] == pytest.approx(-20 / 90)


@every_kind
def test_tables_are_read_in_the_turn_of_their_rows(kind: str) -> None:
    table = [[0, 0], ["350 deg", 35]]
    model = bar(-20, spring={"joint": "O", "table": table})
    result = lw.simulate(model, times=[0.0, 0.01], coordinates=kind)
    assert np.degrees(result["s.angle"][0]) == pytest.approx(340)
    assert result["s.torque"][0] == pytest.approx(-34)
    assert "force s: its table is read at O.angle +360 deg, in the turn of its rows" in result.notes
    counted = model.with_(initial={"O": {"angle": "-20 deg"}})
    assert lw.simulate(counted, times=[0.0, 0.01], coordinates=kind)["s.torque"][0] == pytest.approx(2)
    assert "force s" not in notes(bar(20, spring={"joint": "O", "table": table}))


def test_a_free_angle_that_is_live_moves_an_equilibrium() -> None:
    """The turn stays, the free angle goes with its parameter, past half a turn too."""
    model = bar(
        100,
        parameters={"a": {"value": "170 deg", "live": True}},
        spring={"joint": "O", "stiffness": 2, "free_angle": "a"},
    )
    path = lw.equilibrium_path(model, {"a": ["170 deg", "250 deg", "400 deg"]})
    np.testing.assert_allclose(np.degrees(path["O.angle"]), [170, 250, 400], atol=1e-6)


def test_an_equilibrium_has_not_moved_by_a_turn() -> None:
    found = lw.find_equilibrium(bar(190, spring={**ON_JOINT, "free_angle": "190 deg"}))
    assert np.degrees(found["O.angle"]) == pytest.approx(-170)
    assert "360" not in str(found)


def test_poses_and_runs_tell_one_angle_as_drawn() -> None:
    """In (-180, 180] degrees, or near a reference that is beyond: of an assembled pose, an assembly mode and a run alike."""
    for drawn, reference, expected in (
        (190, None, -170),
        (180, None, 180),
        (-180, None, 180),
        (0, 190, 190),
        (10, -200, -200),
    ):
        joint = {} if reference is None else {"joint": {"reference": f"{reference} deg"}}
        model = bar(drawn, **joint)
        poses = lw.assemble(model), lw.assembly_modes(model)[0]
        told = [np.degrees(pose["O.angle"]) for pose in poses]
        assert [*told, began(model, "O.angle")] == pytest.approx([expected] * 3, abs=1e-9)
