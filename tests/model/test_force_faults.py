"""Faulty declarations of forces: each row breaks a sound one; path and reason of the fault must come out."""

from __future__ import annotations

from typing import Any

import pytest

from linkwork.errors import ModelError
from linkwork.model import Model
from linkwork.model.forces import ALL_FORCES

PLANAR: dict[str, Any] = {
    "space": "planar",
    "parameters": {"rate": 1.0, "k": {"value": 3.0, "live": True}},
    "points": {"O": [0, 0], "A": [1, 0], "W": [5, 5]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "mass": 1, "points": {"P": [0.5, 0.1]}},
        "rod": {"bar": ["A", "W"], "mass": 1},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
    },
}
SPATIAL: dict[str, Any] = {
    "space": "spatial",
    "points": {"O": [0, 0, 0], "A": [1, 0, 0]},
    "bodies": {"crank": {"bar": ["O", "A"], "mass": 1, "inertia": [1, 1, 1]}},
    "joints": {"O": {"kind": "spherical", "bodies": ["ground", "crank"]}},
}
TABLE = [[0, -1], [1, 0], [2, 3]]
SOUND: dict[str, dict[str, Any]] = {
    "force": {"kind": "force", "at": "P", "value": [1, 0]},
    "torque": {"kind": "torque", "body": "crank", "value": 1},
    "effort": {"kind": "effort", "joint": "O", "value": 1},
    "actuator": {"kind": "actuator", "joint": "O", "signal": "sin(t) - O.angle"},
    "spring": {"kind": "spring", "between": ["P", "rod.W"], "stiffness": "k"},
    "torsion_spring": {"kind": "torsion_spring", "joint": "O", "stiffness": 1},
    "bushing": {"kind": "bushing", "between": ["P", "rod.W"], "stiffness": [1, 2, 3]},
    "drag": {"kind": "drag", "at": "P", "linear": 1},
    "friction": {"kind": "friction", "joint": "O", "viscous": 1},
    "rotor": {"kind": "rotor", "body": "crank", "inertia": 0.1, "spin": "3*t"},
    "impulse": {"kind": "impulse", "on": "P", "value": [1, 0], "at": "0.5 s"},
}

Row = tuple[str, dict[str, Any], str, str]
FAULTS: list[Row] = [
    # impulses
    ("impulse", {"on": "crank.Q"}, "on", "Q"),
    ("impulse", {"at": -1}, "at", "before the start"),
    ("impulse", {"value": ["1 N", 0]}, "value[0]", "N*s"),
    # reactions
    ("force", {"reaction": "crnk"}, "reaction", "there is no body 'crnk'"),
    ("force", {"reaction": "crank"}, "reaction", "they would cancel"),
    ("torque", {"reaction": "crank"}, "reaction", "they would cancel"),
    # tables
    ("spring", {"stiffness": None, "table": []}, "table", "at least two rows, not 0"),
    ("spring", {"stiffness": None, "table": [[0, 1]]}, "table", "at least two rows, not 1"),
    ("spring", {"stiffness": None, "table": [[0, 1], [1, 2, 3]]}, "table[1]", "two numbers"),
    ("spring", {"stiffness": None, "table": [[0, 1], [1, 2], [1, 3]]}, "table[2]", "row 3 begins with 1"),
    (
        "spring",
        {"stiffness": None, "table": [[0, 1], ["-1 mm", 2], [1, 3]]},
        "table[1]",
        "does not come after 0 of row 1",
    ),
    ("spring", {"stiffness": None, "table": [[0, "1 kg"], [1, 2]]}, "table[0]", "a force"),
    ("spring", {"stiffness": None, "table": "curve.csv"}, "table", "is not a table"),
    ("spring", {"stiffness": None, "table": {"file": "nowhere.csv"}}, "table", "no file 'nowhere.csv'"),
    ("spring", {"stiffness": None, "table": {"row": TABLE}}, "table", "unknown key 'row'"),
    ("spring", {"stiffness": None, "table": {"rows": TABLE, "file": "a.csv"}}, "table", "one of them"),
    ("spring", {"stiffness": None, "table": {"rows": TABLE, "interpolation": "spline"}}, "table", "linear, smooth"),
    ("spring", {"table": TABLE}, "table", "conflicts with stiffness"),
    ("spring", {"stiffness": None, "table": TABLE, "free_length": 1}, "free_length", "the length itself"),
    ("spring", {"damping_table": [[-1, 1], [0, 0], [1, 2]]}, "damping_table[0]", "does not resist"),
    ("spring", {"damping_table": [[-1, -1], [1, 2]]}, "damping_table", "no row for rest"),
    ("spring", {"damping_table": [[1, 1], [2, 2]]}, "damping_table", "none for rest"),
    ("spring", {"damping_table": [[0, 0], [1, 3], [2, 1]]}, "damping_table[2]", "falls towards the end"),
    ("spring", {"damping_table": [[0, 0], [2, 1], [1, 3]]}, "damping_table[2]", "row 3"),
    # springs
    ("spring", {"damping": -1}, "damping", "cannot be negative"),
    ("spring", {"stiffness": None, "force": "k*lenght"}, "force", "unknown name 'lenght'"),
    (
        "spring",
        {"stiffness": None, "force": "k*rate"},
        "force",
        "'rate' is the rate of the length of the spring and a parameter",
    ),
    ("spring", {"force": "k*extension"}, "force", "conflicts with stiffness"),
    ("spring", {"only": "pul"}, "only", "'pul' is not one of: pull, push"),
    ("spring", {"stiffness": None, "force": "2", "only": "pull"}, "only", "stiffness and damping alone"),
    ("torsion_spring", {"joint": None}, "joint", "a joint or two bodies are needed"),
    ("torsion_spring", {"bodies": ["crank", "rod"]}, "joint", "one of them"),
    ("torsion_spring", {"joint": None, "bodies": ["crank", "crank"]}, "bodies", "with itself"),
    ("torsion_spring", {"joint": None, "bodies": ["crank", "rd"]}, "bodies", "there is no body 'rd'"),
    ("torsion_spring", {"damping": -1}, "damping", "cannot be negative"),
    # bushing
    ("bushing", {"between": ["P", "crank.A"]}, "between", "both points are on 'crank'"),
    ("bushing", {"stiffness": [1, 2]}, "stiffness", "3 (planar) or 6 (spatial)"),
    ("bushing", {"stiffness": [1] * 6}, "stiffness", "has 6 components; 3 are needed"),
    ("bushing", {"stiffness": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}, "stiffness", "not symmetric"),
    ("bushing", {"damping": [1, 1, -1]}, "damping", "negative in some direction"),
    ("bushing", {"preload": [1] * 6}, "preload", "has 6 components; 3 are needed"),
    # actuator
    ("actuator", {"joint": None}, "joint", "a joint or two points are needed"),
    ("actuator", {"between": ["P", "W"]}, "joint", "one of them"),
    ("actuator", {"limits": [1, -1]}, "limits", "is not below"),
    ("actuator", {"limits": ["1 N", 2]}, "limits[0]", "a torque"),
    ("actuator", {"lag": 0}, "lag", "must be positive"),
    ("actuator", {"initial": 1}, "initial", "goes with a lag"),
    ("actuator", {"signal": "O.angl"}, "signal", "has no 'angl'"),
    # drag
    ("drag", {"linear": -1}, "linear", "cannot be negative"),
    ("drag", {"linear": None}, "linear", "no drag is given"),
    ("drag", {"density": 1.2}, "coefficient", "go together"),
    ("drag", {"quadratic": 1, "density": 1, "coefficient": 1, "area": 1}, "quadratic", "conflicts with density"),
    ("drag", {"wind": [1, 0, 0]}, "wind", "2 components are needed"),
    ("drag", {"at": "ground.W"}, "at", "on no body"),
    # friction
    ("friction", {"viscous": None}, "viscous", "neither viscous nor dry"),
    ("friction", {"viscous": -1}, "viscous", "must be positive"),
    ("friction", {"smoothing": 0}, "smoothing", "must be positive"),
    ("friction", {"joint": "Q"}, "joint", "there is no joint 'Q'"),
    # rotor
    ("rotor", {"spin": None}, "spin", "is missing"),
    ("rotor", {"torque": 1}, "torque", "conflicts with spin"),
    ("rotor", {"spin": "O.speed"}, "spin", "may not depend on the state"),
    ("rotor", {"inertia": 0}, "inertia", "must be positive"),
    ("rotor", {"axis": [0, 0, 1]}, "axis", "normal of the plane"),
    ("rotor", {"body": "ground"}, "body", "does not move"),
]
SPATIAL_FAULTS: list[Row] = [
    ("rotor", {}, "axis", "needs its direction"),
    ("rotor", {"axis": [0, 0, 0]}, "axis", "is zero"),
    ("friction", {"freedom": "angle"}, "freedom", "has none"),
    ("torsion_spring", {"joint": None, "bodies": ["ground", "crank"]}, "bodies", "in the plane only"),
]
BASE_FAULTS = [
    ({}, "base", "no motion of the base"),
    ({"omega": [1, 2, 3]}, "base.omega", "one number is needed"),
    ({"acceleration": [1, 2, 3]}, "base.acceleration", "2 components are needed"),
    ({"omega": "O.speed"}, "base.omega", "may not depend on the state"),
    ({"omega": "1 m"}, "base.omega", "an angular speed"),
    ({"speed": 1}, "base.speed", "unknown key"),
]


def faults_of(model: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(ModelError) as caught:
        Model(**model)
    return [(fault.path, f"{fault.reason} {fault.suggestion}") for fault in caught.value.faults]


@pytest.mark.parametrize("kind", SOUND)
def test_the_sound_ones_are_sound_and_written_as_they_are_read(kind: str) -> None:
    model = Model(**PLANAR, forces={"f": SOUND[kind]})
    assert Model(**model.to_dict()) == model
    assert set(SOUND) == {cls.model_fields["kind"].default for cls in ALL_FORCES}


@pytest.mark.parametrize(("kind", "change", "path", "fragment"), FAULTS)
def test_faults_in_the_plane(kind: str, change: dict[str, Any], path: str, fragment: str) -> None:
    force = {key: value for key, value in (SOUND[kind] | change).items() if value is not None}
    found = faults_of({**PLANAR, "forces": {"f": force}})
    assert any(where.startswith(f"forces.f.{path}") and fragment in text for where, text in found), found


@pytest.mark.parametrize(("kind", "change", "path", "fragment"), SPATIAL_FAULTS)
def test_faults_in_space(kind: str, change: dict[str, Any], path: str, fragment: str) -> None:
    force = {key: value for key, value in (SOUND[kind] | change).items() if value is not None}
    found = faults_of({**SPATIAL, "forces": {"f": force}})
    assert any(where == f"forces.f.{path}" and fragment in text for where, text in found), found


@pytest.mark.parametrize(("base", "path", "fragment"), BASE_FAULTS)
def test_faults_of_a_moving_base(base: dict[str, Any], path: str, fragment: str) -> None:
    found = faults_of({**PLANAR, "base": base})
    assert any(where.startswith(path) and fragment in text for where, text in found), found


def test_names_that_share_a_power() -> None:
    forces = {"m": SOUND["effort"], "base": SOUND["force"]}
    found = faults_of({**PLANAR, "forces": forces, "base": {"omega": 1}, "drivers": {"m": {"joint": "O", "speed": 1}}})
    assert {path for path, _ in found} == {"forces.m", "forces.base"}


@pytest.mark.parametrize("mass", [{}, {"mass": "1 m"}])
def test_a_point_of_a_faulty_body_is_not_taken_for_one_of_the_ground(mass: dict[str, Any]) -> None:
    """A spring from the sketch point A of a body without a sound mass has no fault of its own."""
    data = {**PLANAR, "bodies": {"crank": {"bar": ["O", "A"], **mass}}, "joints": {"O": PLANAR["joints"]["O"]}}
    data["forces"] = {"s": {"kind": "spring", "between": ["A", "W"], "stiffness": 1}}
    with pytest.raises(ModelError) as caught:
        Model(**data)
    assert [fault.path for fault in caught.value.faults] == ["bodies.crank.mass"]
