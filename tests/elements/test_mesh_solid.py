"""Meshes as solids: exact integrals of polyhedra, and files that bound no solid."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray
from random_mechanisms import random_rotation

from linkwork.elements.mesh import integrate, read_mesh
from linkwork.errors import ModelError

Array = NDArray[np.float64]


def gyration(spread: Array) -> Array:
    return np.trace(spread) * np.eye(3) - spread


def tetrahedron(corners: Array) -> Array:
    """Outward triangles of four corners (4, 3), whichever way they turn."""
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    volume = np.linalg.det(corners[1:] - corners[0])
    return corners[faces if volume > 0 else faces[:, ::-1]]


@pytest.mark.parametrize("seed", range(4))
def test_any_tetrahedron_exactly(seed: int) -> None:
    """V = |det|/6; about the centre, ∫ x xᵀ dV / V = Σ (aᵢ − c)(aᵢ − c)ᵀ/20.

    SOURCE: F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates,
    J. Math. Stat. 1 (2005) 8-11.
    """
    corners = np.random.default_rng(seed).normal(size=(4, 3)) + 5
    centre = corners.mean(axis=0)
    solid = integrate(tetrahedron(corners))
    assert solid.volume == pytest.approx(abs(np.linalg.det(corners[1:] - corners[0])) / 6, rel=1e-12)
    np.testing.assert_allclose(solid.centre, centre, rtol=1e-13)
    np.testing.assert_allclose(solid.gyration, gyration((corners - centre).T @ (corners - centre) / 20), atol=1e-12)


@pytest.mark.parametrize("suffix", ["stl", "ply", "obj", "off"])
def test_a_turned_box_in_every_format(suffix: str, tmp_path: Path) -> None:
    edges, at = np.array([1.0, 2.0, 3.0]), np.array([4.0, -5.0, 6.0])
    axes = random_rotation(np.random.default_rng(1))
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = axes, at
    file = tmp_path / f"part.{suffix}"
    trimesh.creation.box(edges, transform=place).export(file)
    solid = read_mesh(file)
    assert solid.volume == pytest.approx(6.0, rel=1e-6)  # files may hold seven digits
    np.testing.assert_allclose(solid.centre, at, rtol=1e-6)
    np.testing.assert_allclose(solid.gyration, gyration(axes @ np.diag(edges**2 / 12) @ axes.T), atol=1e-5)


def test_a_round_mesh_tends_to_the_ball() -> None:
    """The error of an icosphere falls with the square of its edges: four times with every subdivision."""
    errors = []
    for level in (2, 3, 4):
        solid = integrate(np.asarray(trimesh.creation.icosphere(level).triangles))
        errors.append(2 / 5 - solid.gyration[0][0])
        np.testing.assert_allclose(solid.gyration, solid.gyration[0][0] * np.eye(3), atol=1e-14)
    assert errors[2] < 2e-3
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 4, rtol=0.03)


def test_seams_of_a_texture_are_no_open_edges(tmp_path: Path) -> None:
    """A tetrahedron whose corners have another texture coordinate in every triangle."""
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = [(1, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]
    lines = [*("v {} {} {}".format(*corner) for corner in corners), *(f"vt {i / 12} {i / 24}" for i in range(12))]
    lines += ["f " + " ".join(f"{v}/{3 * i + k + 1}" for k, v in enumerate(face)) for i, face in enumerate(faces)]
    file = tmp_path / "painted.obj"
    file.write_text("\n".join(lines))
    assert read_mesh(file).volume == pytest.approx(1 / 6, rel=1e-14)


def test_a_cavity_is_missing(tmp_path: Path) -> None:
    """A closed surface inside another, with its normals turned, bounds a cavity."""
    cavity = trimesh.creation.box((0.5, 0.5, 0.5))
    cavity.invert()
    file = tmp_path / "hollow.ply"
    trimesh.util.concatenate([trimesh.creation.box((1, 1, 1)), cavity]).export(file)
    solid = read_mesh(file)
    assert solid.volume == pytest.approx(1 - 0.125, rel=1e-12)
    np.testing.assert_allclose(solid.gyration, (1 - 0.5**5) / (1 - 0.5**3) / 6 * np.eye(3), atol=1e-12)


def test_two_boxes_may_share_an_edge(tmp_path: Path) -> None:
    one, other = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((1, 1, 1))
    other.apply_translation((1, 1, 0))
    file = tmp_path / "stair.ply"
    trimesh.util.concatenate([one, other]).export(file)
    solid = read_mesh(file)
    assert solid.volume == pytest.approx(2.0, rel=1e-12)
    np.testing.assert_allclose(solid.centre, [0.5, 0.5, 0], atol=1e-14)


def test_what_bounds_no_solid_is_refused(tmp_path: Path) -> None:
    def refusal(mesh: trimesh.Trimesh) -> str:
        file = tmp_path / "part.stl"
        mesh.export(file)
        with pytest.raises(ModelError) as caught:
            read_mesh(file)
        return str(caught.value)

    box = trimesh.creation.box((1, 2, 3))
    assert "is not closed: 3 open edges" in refusal(trimesh.Trimesh(box.vertices, box.faces[1:]))
    assert "6 open edges" in refusal(trimesh.Trimesh(box.vertices, box.faces[[0, 1, 2, 3, 4, 5, 6, 7, 8, 11]]))
    flipped = box.faces.copy()
    flipped[0] = flipped[0, ::-1]
    assert "do not all face the same side" in refusal(trimesh.Trimesh(box.vertices, flipped, process=False))
    inverted = box.copy()
    inverted.invert()
    assert "has the volume -6: its normals point inwards" in refusal(inverted)
    sheet = np.vstack([box.faces[:2], box.faces[:2, ::-1]])
    assert "encloses no volume" in refusal(trimesh.Trimesh(box.vertices, sheet, process=False))


@pytest.mark.parametrize(
    ("name", "content", "fragment"),
    [
        ("bad.stl", b"rubbish", "has no triangles"),
        ("empty.stl", b"", "has no triangles"),
        ("bad.ply", b"rubbish", "cannot be read"),
        ("bad.off", b"rubbish", "cannot be read"),
        ("part.foo", b"solid", "cannot be read"),
        ("nan.off", b"OFF 4 4 0\n0 0 nan\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", "finite"),
    ],
)
def test_damaged_files(name: str, content: bytes, fragment: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(ModelError, match=fragment):
        read_mesh(file)


def test_a_missing_file_and_a_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match=r"there is no file '.*part\.stl'"):
        read_mesh(tmp_path / "part.stl")
    with pytest.raises(ModelError, match="there is no file"):
        read_mesh(tmp_path)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ModelError) as caught:
        read_mesh(tmp_path / "part.stl")
    assert '-> pip install "linkwork[meshes]"' in str(caught.value)
