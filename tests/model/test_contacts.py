"""Surfaces and contacts as they are declared: read, written, checked; and what is made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.elements.shapes.records import record_of
from linkwork.errors import ModelError
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import located

BOX = {"points": {"G": [0, 0]}, "origin": [0, 0.5], "shapes": {"hull": {"box": [0.2, 0.1], "mass": 1}}}
BALL = {"points": {"C": [0, 0, 0]}, "origin": [0, 0, 1], "shapes": {"skin": {"sphere": {"radius": 0.1}, "mass": 1}}}
CRATE = {"points": {"G": [0, 0, 0]}, "origin": [0.5, 0, 1], "shapes": {"hull": {"box": [0.2, 0.1, 0.3], "mass": 2}}}


def planar(**more: Any) -> lw.Model:
    """A box above a floor."""
    data: dict[str, Any] = {
        "space": "planar",
        "bodies": {"box": BOX},
        "surfaces": {"floor": {"plane": [0, 1]}},
        "contacts": {"landing": {"between": ["floor", "box"], "friction": 0.6, "restitution": 0.2}},
    }
    return lw.Model(**{**data, **more})


def spatial(**more: Any) -> lw.Model:
    """A ball and a crate above a floor."""
    data: dict[str, Any] = {
        "space": "spatial",
        "bodies": {"ball": BALL, "crate": CRATE},
        "surfaces": {"floor": {"plane": [0, 0, 1]}},
        "contacts": {"all": {"between": ["floor", "ball", "crate"], "friction": 0.3}},
    }
    return lw.Model(**{**data, **more})


def reasons(make: Any = planar, **more: Any) -> dict[str, str]:
    """Path -> reason of the faults."""
    with pytest.raises(ModelError) as caught:
        make(**more)
    return {fault.path: fault.reason for fault in caught.value.faults}


SURFACES: dict[str, dict[str, Any]] = {
    "plane": {"plane": [1, 1], "at": [0, 2]},
    "point": {"point": [0.1, 0.2]},
    "ball": {"ball": "5 cm", "at": "P"},
    "bar": {"bar": ["P", [1, 2]], "radius": 0.01},
    "box": {"box": [0.2, 0.1], "rotation": "30 deg"},
    "polygon": {"polygon": [[0, 0], [1, 0], [0, 1]], "on": "box", "radius": 0.01},
    "hull": {"hull": [[0, 0], [1, 0], [1, 1], [0.5, 0.5]]},
    "cylinder": {"cylinder": {"radius": 0.1, "length": 0.2, "axis": "z"}},
    "curve": {"curve": {"x": "r*cos(u)", "y": "0.5*r*sin(u)", "range": [0, "2*pi"], "side": "left"}},
    "arc": {"arc": {"radius": 0.1, "side": "outside", "range": ["0 deg", "90 deg"]}},
}


@pytest.mark.parametrize("form", SURFACES)
def test_surfaces_are_written_as_they_are_read(form: str) -> None:
    given = {"points": {"P": [3, 0]}, "parameters": {"r": {"value": 0.3, "live": True}}}
    model = planar(surfaces={"floor": {"plane": [0, 1]}, "thing": SURFACES[form]}, **given)
    assert model.to_dict()["surfaces"]["thing"] == SURFACES[form]
    assert lw.Model(**model.to_dict()) == model
    assert lw.loads(lw.dump(model)) == model
    lw.analyse(model)


def test_contacts_are_written_as_they_are_read() -> None:
    full = {
        "between": ["floor", "box"],
        "friction": "mu",
        "static": 0.7,
        "stribeck": "1 mm/s",
        "rolling": "1 mm",
        "spinning": 0.002,
        "restitution": 0.2,
        "ignore": [["floor", "box.hull"]],
    }
    parameters = {"mu": {"value": 0.5, "live": True}}
    model = planar(contacts={"landing": full}, parameters=parameters)
    assert model.to_dict()["contacts"]["landing"] == full
    assert lw.loads(lw.dump(model)) == model
    soft = {"between": ["floor", "box"], "stiffness": 1e5, "damping": 0.1, "law": "hunt_crossley", "friction": 0.1}
    assert planar(contacts={"landing": soft}).to_dict()["contacts"]["landing"] == soft


# -- what is made of them -------------------------------------------------------------------------------------------------


def distance(model: lw.Model, one: str, other: str) -> float:
    """The gap of two shapes where they are drawn, by the compiled narrow phase."""
    geometry = lw.analyse(model).geometry
    shapes = {shape.name: shape for shape in geometry.touchables.shapes}
    frames = {"ground": geometry.ground_frame, **{name: body.drawn for name, body in geometry.bodies.items()}}
    records = []
    for name in (one, other):
        frame = shapes[name].seen(frames)
        records.append(
            located(
                record_of(shapes[name], geometry.number),
                np.ravel(geometry.number(frame.origin)),
                axes(geometry, frame),
            )
        )
    found = contacts(records[0], records[1], 10.0)
    return float(np.min(found.gap))


def axes(geometry: Any, frame: Any) -> Any:
    d = frame.origin.numel()
    return np.reshape(geometry.number(frame.axes), (d, d), order="F")


@pytest.mark.parametrize(
    ("surface", "gap"),
    [
        ({"plane": [0, 1]}, 0.45),
        ({"plane": [3, 4], "at": [-1, 0]}, 0.6 * 1 + 0.8 * 0.5 - 0.6 * 0.1 - 0.8 * 0.05),
        ({"ball": 0.1, "at": [1, 0.5]}, 0.8),
        ({"point": [0, 0.1]}, 0.35),
        ({"bar": [[-1, 0], [1, 0]], "radius": 0.01}, 0.44),
        ({"box": [0.2, 0.2], "rotation": "45 deg"}, 0.45 - 0.1 * np.sqrt(2)),
        ({"polygon": [[0, 0], [0.2, 0], [0, 0.2]], "at": [0, 0.1]}, 0.15),
    ],
)
def test_surfaces_lie_where_they_are_drawn(surface: dict[str, Any], gap: float) -> None:
    model = planar(surfaces={"floor": surface})
    assert distance(model, "floor", "box.hull") == pytest.approx(gap, abs=1e-13)


def test_a_surface_on_a_body_is_drawn_in_the_world_too() -> None:
    turned = {**BOX, "rotation": "90 deg"}
    model = planar(
        bodies={"box": turned},
        surfaces={"floor": {"plane": [0, 1]}, "tip": {"point": [0.3, 0.4], "on": "box"}},
        contacts={"landing": {"between": ["floor", "tip"]}},
    )
    assert distance(model, "floor", "tip") == pytest.approx(0.4, abs=1e-14)


def test_shapes_of_bodies_lie_in_them() -> None:
    model = spatial()
    assert distance(model, "floor", "ball.skin") == pytest.approx(0.9, abs=1e-14)
    assert distance(model, "floor", "crate.hull") == pytest.approx(0.85, abs=1e-14)
    assert distance(model, "ball.skin", "crate.hull") == pytest.approx(0.4 - 0.1, abs=1e-13)


def test_all_pairs_among_those_named_touch() -> None:
    found = lw.analyse(spatial()).geometry.touchables
    names = {tuple(shape.name for shape in found.ends(pair)) for pair in found.pairs}
    assert names == {("floor", "ball.skin"), ("floor", "crate.hull"), ("ball.skin", "crate.hull")}
    assert [pair.name for pair in found.pairs] == [
        "all.floor_ball_skin",
        "all.floor_crate_hull",
        "all.ball_skin_crate_hull",
    ]
    assert {pair.contact for pair in found.pairs} == {"all"}


def test_ground_and_groups_stand_for_what_they_have() -> None:
    model = spatial(
        surfaces={"floor": {"plane": [0, 0, 1]}, "wall": {"box": [1, 1, 1], "at": [5, 0, 0]}},
        groups={"things": ["ball", "crate"]},
        contacts={"all": {"between": ["ground", "things"]}},
    )
    found = lw.analyse(model).geometry.touchables
    names = {tuple(shape.name for shape in found.ends(pair)) for pair in found.pairs}
    assert names == {(surface, body) for surface in ("floor", "wall") for body in ("ball.skin", "crate.hull")}


def test_neighbours_touch_where_a_contact_names_them_alone() -> None:
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        "bodies": {"one": {"bar": ["O", "A"], "mass": 1}, "two": {"bar": ["A", "B"], "mass": 1}},
        "joints": {"A": {"kind": "revolute", "bodies": ["one", "two"]}},
        "surfaces": {"floor": {"plane": [0, 1], "at": [0, -1]}},
    }
    several = lw.Model(**data, contacts={"c": {"between": ["one", "two", "floor"]}})
    found = lw.analyse(several).geometry.touchables
    assert [tuple(shape.name for shape in found.ends(pair)) for pair in found.pairs] == [
        ("one", "floor"),
        ("two", "floor"),
    ]
    assert found.joined == (("one", "two"),)
    alone = lw.analyse(lw.Model(**data, contacts={"c": {"between": ["one", "two"]}})).geometry.touchables
    assert len(alone.pairs) == 1
    assert alone.joined == ()


def test_laws_follow_live_parameters() -> None:
    parameters = {"mu": {"value": 0.5, "live": True}, "back": {"value": 0.1, "live": True}}
    model = planar(
        parameters=parameters, contacts={"c": {"between": ["floor", "box"], "friction": "mu", "restitution": "2*back"}}
    )
    geometry = lw.analyse(model).geometry
    law = geometry.touchables.pairs[0].law
    numbers = [
        float(geometry.number(item, np.array([0.3, 0.2]))) for item in (law.friction, law.static, law.restitution)
    ]
    assert numbers == pytest.approx([0.3, 0.3, 0.4])


def test_ground_of_heights_and_hulls_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "ground.csv").write_text("0, 0, 0\n0, 0.2, 0\n0, 0, 0\n", encoding="utf-8")
    (tmp_path / "corners.csv").write_text("# a wedge\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n", encoding="utf-8")
    model = spatial(
        surfaces={
            "floor": {"heights": {"file": str(tmp_path / "ground.csv"), "spacing": [1, 1]}},
            "wedge": {"hull": {"file": str(tmp_path / "corners.csv")}, "at": [0, 0, -5]},
        },
        contacts={"all": {"between": ["floor", "ball"]}, "other": {"between": ["wedge", "ball"]}},
    )
    assert distance(model, "floor", "ball.skin") == pytest.approx(0.8 - 0.1, abs=1e-13)
    assert distance(model, "wedge", "ball.skin") == pytest.approx(5.0 - 0.1, abs=1e-12)
    path = tmp_path / "model.yaml"
    lw.save(model, path)
    assert "rows" not in path.read_text(encoding="utf-8")
    assert lw.analyse(lw.load(path)).geometry.touchables.shapes[0].form.heights.max() == 0.2


def test_analyses_in_which_contacts_do_not_act_say_so() -> None:
    told = "nothing touches here, bodies go through each other: landing (floor, box)"
    motor = {"O": {"kind": "prismatic", "bodies": ["ground", "box"], "at": "O", "axis": [1, 0]}}
    box = {"points": ["O"], "shapes": BOX["shapes"]}
    held = planar(points={"O": [0, 0.5]}, bodies={"box": box}, joints=motor, drivers={"m": {"joint": "O", "speed": 1}})
    assert told in lw.solve_kinematics(held, until=1).notes
    assert told in lw.inverse_dynamics(held, until=1).notes


# -- what cannot be -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contact", "path", "reason"),
    [
        ({"between": ["floor", "bax"]}, "between[1]", "there is no body, part, surface or group 'bax'"),
        ({"between": ["floor", "box"], "ignore": [["flor", "box"]]}, "ignore[0][0]", "there is no body, part"),
        ({"between": ["box"]}, "between", "a contact is between two at least"),
        ({"between": ["box", "box"]}, "between[1]", "names 'box' twice"),
        ({"between": ["box", "box.hull"]}, "between", "'box' and 'box.hull' never move against each other"),
        ({"between": ["floor", "box"], "restitution": 1.1}, "restitution", "more than all would bring energy in"),
        ({"between": ["floor", "box"], "restitution": -0.1}, "restitution", "is -0.1"),
        ({"between": ["floor", "box"], "friction": -0.1}, "friction", "it cannot be negative"),
        ({"between": ["floor", "box"], "friction": 0.4, "static": 0.3}, "static", "less than the 0.4 of what slides"),
        ({"between": ["floor", "box"], "static": 0.3}, "static", "stands without friction"),
        ({"between": ["floor", "box"], "stiffness": -1}, "stiffness", "must be positive"),
        ({"between": ["floor", "box"], "damping": 1}, "damping", "belongs to a contact that gives way"),
        ({"between": ["floor", "box"], "stiffness": 1, "restitution": 0.2}, "restitution", "conflicts with stiffness"),
        ({"between": ["floor", "ghost"]}, "between[1]", "'ghost' has no shape that could touch"),
        ({"between": ["floor", "wall"]}, "between", "'floor' and 'wall' never move against each other"),
    ],
)
def test_contacts_that_cannot_be_are_told(contact: dict[str, Any], path: str, reason: str) -> None:
    bodies = {"box": BOX, "ghost": {"points": {"A": [2, 2], "B": [3, 3]}, "mass": 1, "inertia": 1}}
    surfaces = {"floor": {"plane": [0, 1]}, "wall": {"plane": [1, 0], "at": [-5, 0]}}
    found = reasons(bodies=bodies, surfaces=surfaces, contacts={"c": contact})
    assert reason in found[f"contacts.c.{path}"], found


@pytest.mark.parametrize(
    ("surface", "path", "reason"),
    [
        ({}, "", "no form is given"),
        ({"plane": [0, 1], "ball": 1}, "", "plane and ball are given"),
        ({"plane": [0, 0]}, ".plane", "is zero"),
        ({"plane": [0, 0, 1]}, ".plane", "has 3 components"),
        ({"ball": -1}, ".ball", "must be positive"),
        ({"polygon": [[0, 0], [1, 0], [1, 1], [0.5, 0.1]]}, ".polygon", "is hollow at its corner 4"),
        ({"polygon": [[0, 0], [1, 1], [1, 0], [0, 1]]}, ".polygon", "area"),
        ({"heights": {"rows": [[0, 0], [0, 0]], "spacing": [1, 1]}}, ".heights", "belongs to space"),
        ({"heights": {"rows": [[0, 0], [0]], "spacing": [1, 1]}}, ".heights", "equally long"),
        ({"arc": {"radius": 1, "range": [2, 1]}}, ".arc.range", "goes from 2 to 1"),
        ({"arc": {"radius": 1, "side": "left"}}, ".arc", "is no side"),
        ({"ball": 1, "radius": 0.1}, ".radius", "is not rounded"),
        ({"plane": [0, 1], "on": "bax"}, ".on", "there is no body 'bax'"),
        ({"point": "P"}, ".point", "there is no point 'P'"),
    ],
)
def test_surfaces_that_cannot_be_are_told(surface: dict[str, Any], path: str, reason: str) -> None:
    found = reasons(surfaces={"floor": {"plane": [0, 1]}, "thing": surface})
    assert reason in found[f"surfaces.thing{path}"], found


def test_what_fixed_joints_make_one_body_does_not_touch_itself() -> None:
    points = {"P": [0, 0.5]}
    bodies = {
        "box": {**BOX, "points": ["P"]},
        "lid": {"points": ["P"], "shapes": {"hull": {"box": [0.1, 0.1], "mass": 1}}},
    }
    joints = {"P": {"kind": "fixed", "bodies": ["box", "lid"]}}
    bodies["box"].pop("origin")
    found = reasons(points=points, bodies=bodies, joints=joints, contacts={"c": {"between": ["box", "lid"]}})
    assert "never move against each other: they are one with 'box'" in found["contacts.c.between"]


def test_a_pair_touches_once_and_all_faults_come_at_once() -> None:
    given = {"a": {"between": ["floor", "box"]}, "b": {"between": ["box", "floor"]}, "c": {"between": ["floor", "x"]}}
    found = reasons(contacts=given)
    assert "touch in 'a' already" in found["contacts.b.between"]
    assert "contacts.c.between[1]" in found


def test_names_mean_one_thing() -> None:
    found = reasons(surfaces={"box": {"plane": [0, 1]}}, contacts={"box": {"between": ["box", "box.hull"]}})
    assert found["surfaces.box"] == found["contacts.box"] == "there is a body of the same name"


def test_what_has_a_fault_of_its_own_has_no_other_one() -> None:
    """A surface that cannot be read is told once, and not that it never moves against what touches it."""
    with pytest.raises(ModelError) as told:
        lw.loads("""
            linkwork: 1
            space: planar
            bodies: {box: {points: {G: [0, 0]}, origin: [0, 1], shapes: {hull: {box: [0.2, 0.1], mass: 1}}}}
            surfaces: {floor: {normal: [0, 1]}}
            contacts: {landing: {between: [floor, box]}}
            """)
    assert [fault.path for fault in told.value.faults] == ["surfaces.floor.normal"]
