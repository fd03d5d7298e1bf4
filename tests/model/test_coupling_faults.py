"""Couplings that cannot be: every mistake is named with its element, its numbers and what would be right."""

from __future__ import annotations

from typing import Any

import gear_trains
import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.model.couplings import ALL_COUPLINGS, COUPLING_KINDS

DECLARED = [
    ({"teeth": [20, 40]}, "joints", "is missing"),
    ({"joints": ["S", "A"], "bodies": ["sun", "arm"], "ratio": 2}, "joints", "conflicts with bodies"),
    ({"joints": ["S", "A"]}, "ratio", "is missing"),
    ({"joints": ["S", "A"], "ratio": 2, "teeth": [1, 2]}, "teeth", "belongs to a gear between bodies"),
    ({"joints": ["S", "A"], "ratio": 2, "internal": True}, "internal", "belongs to a gear between bodies"),
    ({"bodies": ["sun", "planet"]}, "teeth", "are missing"),
    ({"bodies": ["sun", "planet"], "teeth": [1, 2], "radii": [1, 2]}, "radii", "conflicts with teeth"),
    ({"bodies": ["sun", "planet"], "ratio": 2, "internal": True}, "internal", "has a sign already"),
    ({"bodies": ["sun", "planet"], "ratio": 0}, "ratio", "is zero"),
    ({"bodies": ["sun", "planet"], "teeth": [20.5, 40]}, "teeth", "20.5; numbers of teeth are whole"),
    ({"bodies": ["sun", "planet"], "teeth": [20, -40]}, "teeth", "has -40"),
    ({"bodies": ["sun", "planet"], "radii": [0, 1]}, "radii", "has 0 m"),
    ({"bodies": ["sun", "plant"], "teeth": [20, 40]}, "bodies", "no body 'plant'"),
    ({"bodies": ["sun", "sun"], "teeth": [20, 40]}, "bodies", "names 'sun' twice"),
    ({"bodies": ["sun", "planet"], "teeth": [20, 40], "arm": "sun"}, "arm", "names 'sun' twice"),
    ({"kind": "rack", "bodies": ["sun", "planet"]}, "radius", "is missing"),
    ({"kind": "rack", "bodies": ["sun", "planet"], "radius": -1}, "radius", "has -1 m"),
    ({"kind": "rack", "bodies": ["sun", "planet"], "radius": 1, "at": "Z"}, "at", "no point 'Z'"),
    ({"kind": "belt", "bodies": ["sun", "planet"], "radii": [1]}, "radii", "2 numbers are needed"),
    ({"kind": "belt", "bodies": ["sun", "planet"], "radii": [1, 1], "tension": -3}, "tension", "a belt does not push"),
    ({"kind": "belt", "bodies": ["sun", "planet"], "radii": [1, 1], "at": "Z"}, "at", "no point 'Z'"),
    ({"joints": ["S", "A"], "ratio": 2, "pressure_angle": "20 deg"}, "pressure_angle", "between bodies"),
    ({"bodies": ["sun", "planet"], "ratio": -2, "pressure_angle": "20 deg"}, "pressure_angle", "give teeth or radii"),
    ({"bodies": ["sun", "planet"], "teeth": [1, 2], "pressure_angle": "95 deg"}, "pressure_angle", "is 95 deg"),
    ({"bodies": ["sun", "planet"], "teeth": [1, 2], "pressure_angle": -0.1}, "pressure_angle", "20 deg"),
    ({"bodies": ["sun", "planet"], "teeth": [1, 2], "helix_angle": "15 deg"}, "helix_angle", "leaves the plane"),
    ({"bodies": ["sun", "planet"], "teeth": [1, 2], "at": "Z"}, "at", "no point 'Z'"),
    ({"kind": "planetary", "sun": "sun", "ring": "ring", "carrier": "arm"}, "teeth", "are missing"),
    ({"kind": "planetary", "sun": "sun", "ring": "ring", "carrier": "ring", "teeth": [1, 2]}, "carrier", "twice"),
    ({"kind": "linear", "terms": [{"joint": "S", "factor": 1}]}, "terms", "at least two terms"),
    ({"kind": "linear", "terms": [{"joint": "S", "factor": 1}, {"joint": "Z", "factor": 1}]}, "terms[1].joint", "'Z'"),
    ({"kind": "linear", "terms": [{"joint": "S", "factor": 1}, {"joint": "A"}]}, "terms[1].factor", "is missing"),
    ({"kind": "linear", "terms": [{"joint": "S", "factor": 1}, {"joint": "S", "factor": 2}]}, "terms[1]", "again"),
    (
        {"kind": "linear", "terms": [{"joint": "S", "factor": 1}, {"joint": "A", "factor": 0}]},
        "terms[1].factor",
        "zero",
    ),
    ({"kind": "gears", "bodies": ["sun", "planet"]}, "kind", "is not one of: gear, rack, belt, planetary, linear"),
]


def faults_of(error: ModelError) -> dict[str, str]:
    return {fault.path: f"{fault.reason} {fault.suggestion}" for fault in error.faults}


@pytest.mark.parametrize(("declared", "path", "words"), DECLARED)
def test_declarations(declared: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        gear_trains.planetary({"mesh": declared})
    found = faults_of(caught.value)
    assert words in found[f"couplings.mesh.{path}"], found


GEOMETRY = [
    (
        {"bodies": ["sun", "planet"], "radii": [0.1, 0.2]},
        "radii",
        "0.25 m apart; wheels that mesh need 0.1 + 0.2 = 0.3",
    ),
    ({"bodies": ["ring", "planet"], "radii": [0.4, 0.15]}, "radii", "write internal: true"),
    ({"bodies": ["sun", "ring"], "teeth": [20, 40]}, "bodies", "turn about the same line"),
    ({"bodies": ["sun", "planet"], "teeth": [20, 40], "arm": "ring"}, "arm", "'planet' does not turn about"),
    ({"bodies": ["sun", "planet"], "teeth": [20, 40], "hand": "left"}, "hand", "the axes are parallel"),
    ({"kind": "rack", "bodies": ["sun", "ring"], "radius": 1}, "arm", "no body carries 'sun' and 'ring'"),
    ({"kind": "belt", "bodies": ["sun", "planet"], "radii": [0.1, 0.5]}, "radii", "more than the difference"),
    (
        {"kind": "planetary", "sun": "planet", "ring": "ring", "carrier": "arm", "teeth": [1, 2]},
        "ring",
        "do not turn about the same line",
    ),
    ({"kind": "planetary", "sun": "sun", "ring": "ring", "carrier": "arm", "teeth": [2, 1]}, "ring", "must be larger"),
]


@pytest.mark.parametrize(("declared", "path", "words"), GEOMETRY)
def test_wheels_that_do_not_mesh(declared: dict[str, Any], path: str, words: str) -> None:
    model = gear_trains.planetary({"mesh": declared})
    with pytest.raises(ModelError) as caught:
        lw.analyse(model)
    found = faults_of(caught.value)
    assert words in found[f"couplings.mesh.{path}"], found


def test_all_misfits_come_at_once() -> None:
    model = gear_trains.planetary({"one": GEOMETRY[0][0], "two": GEOMETRY[2][0], "three": GEOMETRY[3][0]})
    with pytest.raises(ModelError) as caught:
        lw.analyse(model)
    assert sorted(faults_of(caught.value)) == ["couplings.one.radii", "couplings.three.arm", "couplings.two.bodies"]


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"radii": [0.1, 0.15]}, "radii", "half angles 45 and 56.3099 deg make 101.31 deg between the axes"),
        ({"teeth": [10, 10], "hand": "right"}, "hand", "the axes meet"),
    ],
)
def test_bevel_gears_that_do_not_mesh(changes: dict[str, Any], path: str, words: str) -> None:
    model = gear_trains.differential(couplings={"mesh": {"bodies": ["left", "planet"], **changes}})
    with pytest.raises(ModelError) as caught:
        lw.analyse(model)
    assert words in faults_of(caught.value)[f"couplings.mesh.{path}"]


def test_a_bevel_gear_in_the_apex_has_no_side() -> None:
    points = {"O": [0, 0, 0], "L": [0, 0, 0], "R": [0.1, 0, 0], "P": [0, 0.1, 0]}
    with pytest.raises(ModelError, match="'left' sits where the axes meet"):
        lw.analyse(gear_trains.differential(points=points))


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"teeth": [2, 40]}, "hand", "is missing: the axes are skew"),
        ({"teeth": [2, 40], "internal": True}, "internal", "the axes are skew"),
    ],
)
def test_skew_axes(changes: dict[str, Any], path: str, words: str) -> None:
    model = gear_trains.worm(couplings={"mesh": {"bodies": ["worm", "wheel"], **changes}})
    with pytest.raises(ModelError) as caught:
        lw.analyse(model)
    assert words in faults_of(caught.value)[f"couplings.mesh.{path}"]


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"points": {"O": [0, 0], "B": [0.5, 0]}}, "at", "level with the axis of 'pinion'"),
        (
            {"couplings": {"mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.1, "at": "rack.B"}}},
            "radius",
            "is 0.1 m; the point where they touch is 0.2 m from the axis",
        ),
    ],
)
def test_racks_that_do_not_mesh(changes: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        lw.analyse(gear_trains.rack(**changes))
    assert words in faults_of(caught.value)[f"couplings.mesh.{path}"]


def test_a_rack_along_the_axis_of_its_pinion() -> None:
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "B": [0, 0.2, 0]},
        bodies={"pinion": gear_trains.wheel("O", 1, [1, 1, 1]), "rack": {"points": ["B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "pinion"], "axis": [0, 0, 1]},
            "B": {"kind": "prismatic", "bodies": ["ground", "rack"], "axis": [0, 1, 1]},
        },
        couplings={"mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.2}},
    )
    with pytest.raises(ModelError, match="slides at 45 degrees to the axis"):
        lw.analyse(model)


def test_wheels_on_a_welded_shaft_are_found() -> None:
    """A wheel that is fixed to a shaft turns with it; so does one behind a second coaxial bearing."""
    wheel, revolute = gear_trains.wheel, gear_trains.revolute
    model = lw.Model(
        space="spatial",
        points={"A": [0, 0, 0], "A2": [0, 0, 0.5], "B": [0.3, 0, 0.5]},
        bodies={
            "shaft": {"bar": ["A", "A2"], "mass": 1, "radius": 0.02},
            "wheel": wheel("A2", 1, [1, 1, 1]),
            "other": wheel("B", 1, [1, 1, 1]),
        },
        joints={
            "A": revolute("ground", "shaft", axis=[0, 0, 1]),
            "weld": {"kind": "fixed", "bodies": ["wheel", "shaft"], "at": "A2"},
            "B": revolute("other", "ground", axis=[0, 0, -1]),
        },
        couplings={"mesh": {"bodies": ["wheel", "other"], "radii": [0.1, 0.2]}},
        drivers={"motor": {"joint": "A", "speed": 2}},
    )
    # other turns by −1 about z; the joint is reversed, and so is its axis
    np.testing.assert_allclose(lw.simulate(model, 0.1)["B.speed"], -1.0, rtol=1e-12)


def test_kinds_are_listed_once() -> None:
    assert list(COUPLING_KINDS) == ["gear", "rack", "belt", "planetary", "linear"]
    assert len(ALL_COUPLINGS) == len(COUPLING_KINDS)


def test_angles_of_teeth_in_space() -> None:
    """Skew axes, points on bevel gears, and wheels that thrust would push along their axes."""
    skew = gear_trains.worm().to_dict()
    skew["couplings"]["mesh"]["helix_angle"] = "5 deg"
    meeting = gear_trains.differential().to_dict()
    meeting["couplings"]["left_mesh"]["at"] = "cage.O"
    loose = gear_trains.differential().to_dict()
    loose["joints"]["L"]["kind"] = "cylindrical"
    loose["couplings"]["left_mesh"]["pressure_angle"] = "20 deg"
    steep = gear_trains.worm().to_dict()
    steep["couplings"]["mesh"]["helix_angle"] = "90 deg"
    cases = (
        (skew, "couplings.mesh.helix_angle", "the axes are skew"),
        (meeting, "couplings.left_mesh.at", "the axes meet"),
        (loose, "couplings.left_mesh.pressure_angle", "pushes 'left' along its axis"),
        (steep, "couplings.mesh.helix_angle", "below 90 deg"),
    )
    for data, path, words in cases:
        with pytest.raises(ModelError) as caught:
            lw.analyse(lw.Model(**data))
        assert words in faults_of(caught.value)[path]
