"""The room that bodies take: as large as their solids, and in the same places as their outlines."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import linkwork as lw
from linkwork.results.drawing import BodyDrawing
from linkwork.results.sketch import draw

TILTED = {"axis": [1, 2, 3], "angle": 0.7}
VOLUMES = {
    "box": ({"box": [0.3, 0.2, 0.1]}, 0.006, 1e-12),
    "cylinder": ({"cylinder": {"radius": 0.1, "length": 0.4}}, np.pi * 0.004, 4e-3),
    "tube": ({"tube": {"radius": 0.1, "wall": 0.01, "length": 0.4, "axis": "y"}}, np.pi * 0.004, 4e-3),
    "cone": ({"cone": {"radius": 0.1, "length": 0.3, "axis": "z", "top": 0.05}}, np.pi * 0.3 * 0.0175 / 3, 4e-3),
    "plate": ({"plate": {"points": [[0, 0], [0.3, 0], [0, 0.2]], "thickness": 0.1}}, 0.003, 1e-12),
}


def drawn(space: str, **body: object) -> BodyDrawing:
    points = {"O": [0, 0], "A": [1, 0]} if space == "planar" else {"O": [0, 0, 0], "A": [1, 0, 0]}
    content = {"bar": ["O", "A"], **body}
    joints = {
        "O": {"kind": "revolute", "bodies": ["ground", "body"], **({} if space == "planar" else {"axis": [0, 0, 1]})}
    }
    model = lw.Model(name="one", space=space, points=points, bodies={"body": content}, joints=joints)
    topology = lw.analyse(model)
    return draw(topology, topology.geometry.defaults).bodies["body"]


def distances(body: BodyDrawing, points: np.ndarray) -> np.ndarray:
    """How far points are outside of all pieces."""
    found = [ConvexHull(np.asarray(piece.corners)).equations for piece in body.pieces]
    return np.min([np.max(points @ e[:, :-1].T + e[:, -1], axis=1) for e in found], axis=0)


@pytest.mark.parametrize("name", VOLUMES)
def test_a_solid_in_space(name):
    declared, volume, tolerance = VOLUMES[name]
    body = drawn("spatial", shapes={"part": {**declared, "at": [0.2, 0.1, 0.3], "rotation": TILTED, "mass": 1}})
    (piece,) = body.pieces
    assert piece.radius == 0.0
    assert ConvexHull(np.asarray(piece.corners)).volume == pytest.approx(volume, rel=tolerance)
    assert ConvexHull(np.asarray(piece.corners)).volume > volume * (1 - 1e-12)
    outline = np.vstack([np.asarray(line) for line in body.outlines])
    assert np.max(distances(body, outline)) < 1e-12


def test_round_things():
    body = drawn("spatial", shapes={"ball": {"sphere": {"radius": 0.2}, "at": "A", "mass": 1}})
    assert body.pieces[0].radius == 0.2 and body.pieces[0].corners == ((1.0, 0.0, 0.0),)
    disc = drawn(
        "planar", shapes={"disc": {"cylinder": {"radius": 0.2, "length": 0.1, "axis": "z"}, "at": "A", "mass": 1}}
    )
    assert disc.pieces[0].radius == 0.2 and disc.pieces[0].corners == ((1.0, 0.0),)
    # from its side a cylinder is a rectangle
    rod = drawn("planar", shapes={"rod": {"cylinder": {"radius": 0.2, "length": 1.0, "axis": "x"}, "mass": 1}})
    assert ConvexHull(np.asarray(rod.pieces[0].corners)).volume == pytest.approx(0.4)


def test_bars():
    (line,) = drawn("planar", mass=1).pieces
    assert line.radius == 0.0 and line.corners == ((0.0, 0.0), (1.0, 0.0))
    assert drawn("spatial", mass=1, width=0.1).pieces[0].radius == pytest.approx(0.05)
    (beam,) = drawn("spatial", mass=1, section=[0.2, 0.1]).pieces
    assert ConvexHull(np.asarray(beam.corners)).volume == pytest.approx(0.02)
    assert np.min(beam.corners, axis=0) == pytest.approx([0, -0.1, -0.05])
    (tube,) = drawn("spatial", mass=1, radius=0.1).pieces
    assert ConvexHull(np.asarray(tube.corners)).volume == pytest.approx(np.pi * 0.01, rel=4e-3)
    tied = drawn("planar", mass=1, points={"P": [0.5, 0.3]}, width=0.1).pieces
    assert [piece.corners[0] for piece in tied] == [(0.0, 0.0), (0.5, 0.3), (0.5, 0.3)]
    (strip,) = drawn("planar", mass=1, radius=0.1).pieces
    assert ConvexHull(np.asarray(strip.corners)).volume == pytest.approx(0.2)


def test_hollow_plates_fall_into_parts_and_holes_do_not_count():
    corner = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
    shapes = {
        "plate": {"plate": {"points": corner, "thickness": 0.1}, "density": 100, "rotation": TILTED},
        "bore": {"cylinder": {"radius": 0.1, "length": 0.1, "axis": "z"}, "density": -100},
    }
    body = drawn("spatial", shapes=shapes)
    assert sum(ConvexHull(np.asarray(piece.corners)).volume for piece in body.pieces) == pytest.approx(0.3)
    flat = drawn("planar", shapes={"plate": {"plate": {"points": corner}, "mass": 1}})
    assert sum(ConvexHull(np.asarray(piece.corners)).volume for piece in flat.pieces) == pytest.approx(3.0)
    # a bar with parts counts where it has a width
    assert (
        len(drawn("planar", mass=1, width=0.1, shapes={"plate": {"plate": {"points": corner}, "mass": 1}}).pieces) == 5
    )


def test_the_lines_between_points():
    model = lw.Model(
        name="triangle",
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [0, 1]},
        bodies={"body": {"points": ["O", "A", "B"], "mass": 1, "com": [0.3, 0.3], "inertia": 0.1, "width": 0.02}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "body"]}},
    )
    topology = lw.analyse(model)
    pieces = draw(topology, topology.geometry.defaults).bodies["body"].pieces
    assert [len(piece.corners) for piece in pieces] == [2, 2, 2] and {piece.radius for piece in pieces} == {0.01}


def test_a_mesh_is_its_convex_hull(tmp_path):
    """Of a fine sphere the corners that lie farthest out stay."""
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=4, radius=0.2)
    ball.export(tmp_path / "ball.stl")
    body = drawn("spatial", mesh={"file": str(tmp_path / "ball.stl"), "at": "A", "mass": 1})
    (piece,) = body.pieces
    assert 150 < len(piece.corners) <= 200
    np.testing.assert_allclose(np.linalg.norm(np.asarray(piece.corners) - [1, 0, 0], axis=1), 0.2, rtol=1e-5)
    box = trimesh.creation.box((0.3, 0.2, 0.1))
    box.export(tmp_path / "box.stl")
    (piece,) = drawn("spatial", mesh={"file": str(tmp_path / "box.stl"), "scale": "2", "mass": 1}).pieces
    assert len(piece.corners) == 8
    assert ConvexHull(np.asarray(piece.corners)).volume == pytest.approx(8 * 0.006, rel=1e-6)
