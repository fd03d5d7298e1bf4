"""Outlines lie on the surfaces of the solids they show, wherever these are placed, and reach the animated page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

import linkwork as lw
from linkwork.elements.inertia import UniformSolid, box, cone, cylinder, plate, rod, sphere
from linkwork.views.scene import build_scene

Array = NDArray[np.float64]
R, L, r = 0.2, 0.9, 0.07


def points(solid: UniformSolid) -> Array:
    """All points of the outline, (n, 3)."""
    return np.hstack([np.array(ca.DM(ca.densify(line))) for line in solid.outline]).T


def drawn(body: dict[str, Any], space: str = "spatial", **more: Any) -> lw.Result:
    """A floating body at rest."""
    data = {"space": space, "bodies": {"b": body}, **more}
    return lw.simulate(lw.Model(**data), until=0.1, parameters={"s": 2.0} if more else None)


def test_flat_sides() -> None:
    corners = points(box(ca.SX([0.3, 0.5, 0.7])))
    np.testing.assert_allclose(np.abs(corners), np.broadcast_to([0.15, 0.25, 0.35], corners.shape), rtol=1e-15)
    assert len(np.unique(corners.round(9), axis=0)) == 8
    triangle = points(plate(ca.SX([[0, 1, 0], [0, 0, 2]]), ca.SX(0.1)))
    assert len(np.unique(triangle.round(9), axis=0)) == 6 and set(np.abs(triangle[:, 2])) == {0.05}
    np.testing.assert_array_equal(points(rod(ca.SX(L))), [[-L / 2, 0, 0], [L / 2, 0, 0]])


@pytest.mark.parametrize("axis", "xyz")
def test_round_sides(axis: str) -> None:
    index = "xyz".index(axis)
    pipe = points(cylinder(ca.SX(R), ca.SX(L), axis, ca.SX(r)))
    radii = np.linalg.norm(np.delete(pipe, index, axis=1), axis=1)
    assert {round(radius, 12) for radius in radii} == {R, r}
    np.testing.assert_allclose(np.abs(pipe[:, index]), L / 2, rtol=1e-15)
    peak = points(cone(ca.SX(R), ca.SX(L), axis, ca.SX(r)))
    heights, radii = peak[:, index], np.linalg.norm(np.delete(peak, index, axis=1), axis=1)
    np.testing.assert_allclose(radii, R + (r - R) * heights / L, rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(points(sphere(ca.SX(R))), axis=1), R, rtol=1e-14)


def test_the_page_shows_parts_where_they_are() -> None:
    """A box turned about z and shifted; the box round the scene holds it."""
    shape = {"box": [2, 1, 0.5], "mass": 1, "at": [3, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": "90 deg"}}
    scene = build_scene(drawn({"points": {"P": [0, 0, 0]}, "shapes": {"s": shape}}))
    corners = np.array([point for line in scene["bodies"][0]["outlines"] for point in line])
    np.testing.assert_allclose(corners.min(axis=0), [2.5, -1, -0.25], atol=1e-6)
    np.testing.assert_allclose(corners.max(axis=0), [3.5, 1, 0.25], atol=1e-6)
    np.testing.assert_allclose(scene["bounds"], [[0, -1, -0.25], [3.5, 1, 0.25]], atol=1e-6)


def test_live_sizes_and_the_plane() -> None:
    disc = {"cylinder": {"radius": "s", "length": 0.1, "axis": "z"}, "at": [1, 2], "mass": 1}
    result = drawn(
        {"points": {"P": [0, 0]}, "shapes": {"d": disc}}, "planar", parameters={"s": {"value": 1, "live": True}}
    )
    rim = np.array(result.drawing.bodies["b"].outlines[0])
    np.testing.assert_allclose(np.linalg.norm(rim - [1, 2], axis=1), 2.0, rtol=1e-14)


def test_a_mesh_shows_its_sharp_edges(tmp_path: Path) -> None:
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.stl")
    trimesh.creation.icosphere(4).export(tmp_path / "ball.stl")

    def edges(name: str) -> Array:
        mesh = {"file": tmp_path / name, "mass": 1, "scale": "1 mm", "at": [1, 0, 0]}
        return np.array(drawn({"points": {"P": [0, 0, 0]}, "mesh": mesh}).drawing.bodies["b"].outlines)

    lengths = np.linalg.norm(np.diff(edges("box.stl"), axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(np.sort(lengths), np.repeat([1e-3, 2e-3, 3e-3], 4), rtol=1e-6)
    smooth = edges("ball.stl")
    assert 100 < len(smooth) <= 600
    np.testing.assert_allclose(np.linalg.norm(smooth - [1, 0, 0], axis=2), 1e-3, rtol=1e-6)


def test_bodies_without_parts_have_none() -> None:
    assert (
        build_scene(drawn({"points": {"P": [0, 0, 0]}, "mass": 1, "inertia": [1, 1, 1]}))["bodies"][0]["outlines"] == []
    )


def test_a_body_with_the_inertia_of_a_cylinder_is_drawn_as_one_that_shows_its_spin() -> None:
    """Two rims of 50 mm, 10 mm apart about the centre of mass, and lines across the first."""
    result = lw.simulate(lw.example("gyroscope"), until=0.01)
    lines = [np.array(line) for line in result.drawing.bodies["rotor"].outlines]
    rims, across = [line for line in lines if len(line) > 30], [line for line in lines if len(line) == 2]
    for rim, x in zip(rims, (-0.005, 0.005), strict=True):
        np.testing.assert_allclose(rim[:, 0], x, atol=1e-15)
        np.testing.assert_allclose(np.hypot(rim[:, 1], rim[:, 2]), 0.05)
    lengths = sorted(float(np.linalg.norm(line[1] - line[0])) for line in across)
    np.testing.assert_allclose(lengths, [0.01] * 4 + [0.1] * 2)
    assert not result.drawing.bodies["outer"].outlines
