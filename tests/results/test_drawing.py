"""Drawings survive JSON, and know the quantities that move them."""

import json

import numpy as np
import pytest

import linkwork as lw
from exact_results import conical_pendulum_result, four_bar_drawing
from linkwork.results import BodyDrawing, Drawing, SpringDrawing
from linkwork.results.drawing import LoadDrawing, MeshDrawing, StringDrawing, WheelDrawing
from linkwork.results.sketch import draw

BUILT = Drawing("planar", bodies={"b": BodyDrawing(outlines=(((0.0, 1.0), (2.0, 3.0)), ((1.0, 1.0), (0.5, 0.0))))})


@pytest.mark.parametrize("drawing", [four_bar_drawing(), conical_pendulum_result().drawing, BUILT, Drawing()])
def test_json_round_trip(drawing: Drawing) -> None:
    assert Drawing.from_dict(json.loads(json.dumps(drawing.to_dict()))) == drawing


def test_pose_names_depend_on_the_space() -> None:
    assert Drawing("planar").pose_names("b") == ("b.origin.x", "b.origin.y", "b.angle")
    assert Drawing("spatial").pose_names("b")[3:] == ("b.q0", "b.q1", "b.q2", "b.q3")


def test_strings_and_lines_of_the_ground_survive_the_file():
    strung = Drawing(
        "planar",
        strings=(StringDrawing("rope", (("ground", (0.0, 1.0)), ("crate", (0.5, 0.0)))),),
        outlines=(((0.0, 0.0), (1.0, 0.5)),),
    )
    assert Drawing.from_dict(strung.to_dict()) == strung


def test_wheels_struts_and_loads_survive_the_file():
    drawn = Drawing(
        "planar",
        springs=(SpringDrawing("ram", (("ground", (0.0, 1.0)), ("crate", (0.5, 0.0))), "strut"),),
        strings=(StringDrawing("rope", (("ground", (0.0, 1.0)), ("crate", (0.5, 0.0))), "rope", (0.0, -0.2)),),
        meshes=(MeshDrawing("gear", "inside", (WheelDrawing("a", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.2),)),),
        loads=(LoadDrawing("motor", "crate", (0.0, 0.0), moment=("effort",), axis=(0.0, 0.0, -1.0), carrier="crate"),),
        sections={"motor": "drivers"},
    )
    assert Drawing.from_dict(json.loads(json.dumps(drawn.to_dict()))) == drawn
    # files of earlier versions say less
    older = drawn.to_dict()
    for key in ("meshes", "loads", "sections"):
        del older[key]
    older["springs"] = [{"name": "ram", "ends": [["ground", [0.0, 1.0]], ["crate", [0.5, 0.0]]]}]
    assert Drawing.from_dict(older).springs[0].kind == "spring"


def test_relations_are_drawn():
    """A bead on a wire of the ground, and a cam with its roller."""
    wire = {"kind": "curve", "point": "bead.P", "body": "ground", "x": "u", "y": "u^2", "range": [0, 1]}
    rope = {"kind": "cable", "points": ["ground.O", "bead.P"]}
    cam = {"kind": "cam", "body": "disc", "r": "0.2", "follower": "roller", "point": "bead.P", "radius": 0.05}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0.5, 0.25]},
        bodies={
            "bead": {"points": ["P"], "mass": 1, "inertia": 1},
            "disc": {"points": {"C": [0, 0]}, "origin": [0.7, 0.4], "mass": 1, "inertia": 1},
        },
        relations={"wire": wire, "rope": rope, "touch": cam},
    )
    drawing = draw(lw.analyse(model), np.zeros(0))
    (line,) = drawing.outlines
    assert line[-1] == pytest.approx((1.0, 1.0))
    (profile,) = drawing.bodies["disc"].outlines
    assert np.allclose(np.hypot(*np.array(profile).T), 0.2)
    (roller,) = drawing.bodies["bead"].outlines
    assert np.allclose(np.hypot(*np.array(roller).T), 0.05)
    assert drawing.strings == (StringDrawing("rope", (("ground", (0.0, 0.0)), ("bead", (0.0, 0.0)))),)
