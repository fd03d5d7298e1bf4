"""Bodies built from shapes, a mesh and point masses: what is declared, what is refused, and where files are sought."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

import linkwork as lw
from linkwork.topology.resolve import resolve

Array = NDArray[np.float64]
STEEL = 7850.0


def model(space: str, body: dict[str, Any], **more: Any) -> lw.Model:
    """A model with one floating body; the sketch has the points O and A."""
    d = 2 if space == "planar" else 3
    points = {"O": [0.0] * d, "A": [0.4] + [0.0] * (d - 1)}
    return lw.Model(**{"space": space, "points": points, "bodies": {"b": body}, **more})


def matter(m: lw.Model, **parameters: float) -> tuple[float, Array, Array]:
    """Mass, centre and inertia of the body."""
    geometry = resolve(m)
    p = np.array([m.parameter_values(parameters)[name] for name in m.live_parameters])
    body = geometry.bodies["b"].kind.drawn
    values = [geometry.number(e, p) for e in (body.mass, body.centre, body.inertia)]
    return float(values[0]), values[1], np.atleast_2d(values[2])


def refusals(space: str, body: dict[str, Any], **more: Any) -> dict[str, str]:
    """Path and text of all faults."""
    with pytest.raises(lw.errors.ModelError) as caught:
        model(space, body, **more)
    paths = dict.fromkeys(fault.path for fault in caught.value.faults)
    return {path: "\n".join(str(fault) for fault in caught.value.faults if fault.path == path) for path in paths}


PLATE = {"plate": {"points": [[0, 0], [0.3, 0], [0, 0.3]], "thickness": "10 mm"}}
EVERY = {
    "web": {"box": [0.4, 0.04, "20 mm"], "at": [0.2, 0, 0]},
    "hub": {"cylinder": {"radius": "2*r", "length": 0.05, "axis": "z", "inner": "r"}, "at": "O"},
    "pipe": {"tube": {"radius": 0.03, "wall": "2 mm", "length": 0.3, "axis": "y"}, "at": "A"},
    "ball": {"sphere": {"radius": 0.05, "inner": 0.01}, "at": "A", "density": 2700},
    "tip": {"cone": {"radius": 0.03, "length": 0.1, "top": 0.01}, "rotation": {"axis": [0, 1, 1], "angle": "30 deg"}},
    "pin": {"rod": 0.2, "mass": 0.1, "rotation": {"wxyz": [0.6, 0, 0.8, 0]}},
    "rib": {**PLATE, "rotation": {"matrix": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}},
    "hole": {"cylinder": {"radius": "5 mm", "length": "20 mm", "axis": "z"}, "at": [0.1, 0, 0], "density": -STEEL},
}
LIVE = {"r": {"value": 0.02, "live": True}}


# -- what is declared ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["yaml", "json"])
def test_every_key_round_trips(format_: str, tmp_path: Path) -> None:
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "cube.stl")
    mesh = {"file": (tmp_path / "cube.stl").as_posix(), "scale": "10 mm", "mass": 0.2, "at": "A"}
    body = {"bar": ["O", "A"], "density": STEEL, "shapes": EVERY, "mesh": mesh, "masses": {"O": "2 kg", "A": -0.1}}
    built = model("spatial", body, parameters=LIVE)
    assert lw.Model(**built.to_dict()) == built
    assert lw.loads(lw.dump(built, format_), format_, allow_outside=True) == built
    written = built.to_dict()["bodies"]["b"]
    assert written["shapes"] == {name: {**shape} for name, shape in EVERY.items()}
    assert written["masses"] == {"O": "2 kg", "A": -0.1} and written["mesh"] == mesh


def test_shapes_may_be_objects() -> None:
    shape = lw.elements.Shape(box=[0.1, 0.2, 0.3], mass=2, at="A")
    built = model("spatial", {"bar": ["O", "A"], "shapes": {"s": shape}})
    assert built == model("spatial", {"bar": ["O", "A"], "shapes": {"s": shape.to_dict()}})
    assert matter(built)[0] == 2


def test_all_shapes_together_against_sums_over_triangles() -> None:
    """Flat-sided meshes of the same shapes: boxes and plates exactly, round ones up to the polygons that they are."""
    density = {"density": STEEL}
    shapes = {
        "web": {**EVERY["web"], **density},
        "hub": {**EVERY["hub"], **density},
        "tip": {**EVERY["tip"], **density},
        "hole": EVERY["hole"],
    }
    mass, centre, inertia = matter(model("spatial", {"bar": ["O", "A"], "shapes": shapes}, parameters=LIVE))

    frustum = trimesh.creation.revolve([[0, 0], [0.03, 0], [0.01, 0.1], [0, 0.1]], sections=400)
    frustum.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, [0, 1, 0]))
    frustum.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 6, [0, 1, 1]))
    ring = trimesh.creation.annulus(0.02, 0.04, 0.05, sections=400)
    hole = trimesh.creation.cylinder(0.005, 0.02, sections=400)
    meshes = [
        (trimesh.creation.box((0.4, 0.04, 0.02)).apply_translation([0.2, 0, 0]), 1),
        (ring, 1),
        (frustum, 1),
        (hole.apply_translation([0.1, 0, 0]), -1),
    ]
    total = sum(sign * mesh.volume for mesh, sign in meshes)
    middle = sum(sign * mesh.volume * mesh.center_mass for mesh, sign in meshes) / total
    tensor = np.zeros((3, 3))
    for mesh, sign in meshes:
        d = mesh.center_mass - middle
        tensor += sign * (mesh.moment_inertia + mesh.volume * (d @ d * np.eye(3) - np.outer(d, d)))
    assert mass == pytest.approx(STEEL * total, rel=1e-4)
    np.testing.assert_allclose(centre, middle, atol=1e-5)
    np.testing.assert_allclose(inertia, STEEL * tensor, atol=1e-4 * abs(inertia).max())


def test_a_disc_in_the_plane() -> None:
    """A round plate on a bar, with a mass beside it: I = Σ I_c + m d²."""
    disc = {"cylinder": {"radius": 0.1, "length": 0.02, "axis": "z"}, "at": "A", "mass": 3}
    body = {"bar": ["O", "A"], "mass": 1.2, "shapes": {"disc": disc}, "masses": {"O": 0.5}}
    mass, centre, inertia = matter(model("planar", body))
    parts = np.array([[1.2, 0.2, 1.2 * 0.4**2 / 12], [3, 0.4, 3 * 0.1**2 / 2], [0.5, 0, 0]])
    x = parts[:, 0] @ parts[:, 1] / 4.7
    assert mass == pytest.approx(4.7)
    np.testing.assert_allclose(centre, [x, 0], atol=1e-15)
    assert inertia.item() == pytest.approx(parts[:, 2].sum() + parts[:, 0] @ (parts[:, 1] - x) ** 2)


def test_a_planar_plate_has_the_points_of_its_body_as_corners() -> None:
    points = {"P": [0, 0], "Q": [0.3, 0], "R": [0, 0.8]}
    plate = {"plate": {"points": ["P", "Q", "R"]}, "mass": 2}
    mass, centre, inertia = matter(model("planar", {"points": points, "shapes": {"s": plate}}))
    np.testing.assert_allclose(centre, [0.1, 0.8 / 3], rtol=1e-15)
    assert (mass, inertia.item()) == (2, pytest.approx(2 * (0.09 + 0.64) / 18))
    # the same by positions, moved and turned as a whole; corners are seen from the place of the plate
    shifted = {"plate": {"points": [[0.1, -0.3], [0.1, 0], [-0.7, -0.3]], "thickness": 0.1}, "density": 2 / 0.012}
    shifted |= {"at": [-0.3, 0.1], "rotation": "-90 deg"}
    found = matter(model("planar", {"points": points, "shapes": {"s": shifted}}))
    assert found[0] == pytest.approx(2)
    np.testing.assert_allclose(found[1], [-0.3 + (-0.2), 0.1 - (-0.5 / 3)], atol=1e-15)
    assert found[2].item() == pytest.approx(inertia.item())


def test_a_bored_plate_is_what_is_left() -> None:
    """A square plate with a square hole in one quarter is an angle of three quarters."""
    square = {"box": [2, 2, 1], "density": 3}
    hole = {"box": [1, 1, 1], "at": [0.5, 0.5, 0], "density": -3}
    bored = matter(model("spatial", {"points": {"P": [0, 0, 0]}, "shapes": {"square": square, "hole": hole}}))
    corners = [[-1, -1], [1, -1], [1, 0], [0, 0], [0, 1], [-1, 1]]
    angle = {"plate": {"points": corners, "thickness": 1}, "density": 3}
    whole = matter(model("spatial", {"points": {"P": [0, 0, 0]}, "shapes": {"angle": angle}}))
    for one, other in zip(bored, whole, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-14)


def test_the_old_keys_and_the_shapes_agree() -> None:
    """One solid by ``inertia`` and ``com``, by ``radius``, and as a shape."""
    solid = {"cylinder": {"radius": 0.05, "length": 0.4}}
    bar = {"bar": ["O", "A"], "density": STEEL}
    ways = [
        {**bar, "radius": 0.05},
        {**bar, "inertia": solid, "com": [0.2, 0, 0]},
        {**bar, "shapes": {"s": {**solid, "at": [0.2, 0, 0]}}},
    ]
    found = [matter(model("spatial", way)) for way in ways]
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_allclose(one, two, atol=1e-15)


def test_live_parameters_move_mass_and_inertia() -> None:
    body = {"bar": ["O", "A"], "density": STEEL, "shapes": EVERY, "masses": {"A": "20*r"}}
    live = model("spatial", body, parameters=LIVE)
    for r in (0.015, 0.03):
        found = matter(live, r=r)
        fixed = matter(model("spatial", body, parameters={"r": r}))
        for one, two in zip(found, fixed, strict=True):
            np.testing.assert_allclose(one, two, atol=1e-14)
    assert matter(live, r=0.03)[0] > matter(live, r=0.02)[0]


def test_a_run_follows_a_live_radius() -> None:
    """A disc that swings about a point of its rim: ω² = g R/(R²/2 + R²), whatever its radius; small swings."""
    data = {
        "space": "planar",
        "gravity": [0, -9.81],
        "parameters": {"R": {"value": 0.3, "live": True}},
        "points": {"O": [0, 0]},
        "bodies": {
            "disc": {
                "points": {"O": [0, 0], "C": ["R", 0]},
                "origin": "O",
                "rotation": "-90 deg",
                "shapes": {"s": {"cylinder": {"radius": "R", "length": 0.01, "axis": "z"}, "at": "C", "density": 8000}},
            }
        },
        "joints": {"O": {"kind": "revolute", "bodies": ["ground", "disc"]}},
        "initial": {"O": {"angle": "-90.001 deg"}},
    }
    built = lw.Model(**data)
    for radius in (0.3, 0.5):
        quarter = np.pi / 2 / np.sqrt(9.81 / 1.5 / radius)
        run = lw.simulate(built, until=quarter, parameters={"R": radius})
        assert run["O.angle"][-1] == pytest.approx(-np.pi / 2, abs=1e-9)


# -- meshes ----------------------------------------------------------------------------------------------------------


def write_wedge(folder: Path) -> Path:
    """A tetrahedron with edges of 60, 120 and 90 mm along the axes, in mm."""
    corners = [[0, 0, 0], [60, 0, 0], [0, 120, 0], [0, 0, 90]]
    file = folder / "wedge.ply"
    trimesh.Trimesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).export(file)
    return file


def test_a_mesh_is_scaled_turned_and_placed(tmp_path: Path) -> None:
    """∫ x xᵀ dV / V = Σ (aᵢ − c)(aᵢ − c)ᵀ/20 of the corners where they come to lie."""
    mesh = {"file": write_wedge(tmp_path), "scale": "1 mm", "density": STEEL, "at": "A"}
    mesh["rotation"] = {"axis": [1, 2, 3], "angle": "40 deg"}
    mass, centre, inertia = matter(model("spatial", {"bar": ["O", "A"], "mesh": mesh}))
    turn = trimesh.transformations.rotation_matrix(np.radians(40), [1, 2, 3])[:3, :3]
    corners = np.array([[0, 0, 0], [0.06, 0, 0], [0, 0.12, 0], [0, 0, 0.09]]) @ turn.T + [0.4, 0, 0]
    middle = corners.mean(axis=0)
    spread = STEEL * 0.06 * 0.12 * 0.09 / 6 * (corners - middle).T @ (corners - middle) / 20
    assert mass == pytest.approx(STEEL * 0.06 * 0.12 * 0.09 / 6, rel=1e-6)
    np.testing.assert_allclose(centre, middle, atol=1e-8)
    np.testing.assert_allclose(inertia, np.trace(spread) * np.eye(3) - spread, rtol=1e-6)


def test_a_mesh_in_the_plane_and_with_a_live_scale(tmp_path: Path) -> None:
    mesh = {"file": write_wedge(tmp_path), "scale": "s", "mass": 2, "rotation": "90 deg"}
    built = model("planar", {"bar": ["O", "A"], "mesh": mesh}, parameters={"s": {"value": "1 mm", "live": True}})
    for scale in (1e-3, 2e-3):
        mass, centre, inertia = matter(built, s=scale)
        assert mass == 2
        np.testing.assert_allclose(centre, np.array([-30, 15]) * scale, rtol=1e-6)
        assert inertia.item() == pytest.approx(2 * (60**2 + 120**2) * 3 / 80 * scale**2, rel=1e-6)


def test_files_are_sought_beside_the_model_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts, other = tmp_path / "parts", tmp_path / "other"
    parts.mkdir()
    other.mkdir()
    write_wedge(parts)
    text = (
        "space: spatial\nbodies: {b: {points: {P: [0, 0, 0]}, mesh: {file: parts/wedge.ply, mass: 1, scale: 1 mm}}}\n"
    )
    (tmp_path / "m.yaml").write_text(text)
    monkeypatch.chdir(other)
    loaded = lw.load(os.path.join("..", "m.yaml"))
    assert loaded.bodies["b"].mesh is not None and loaded.bodies["b"].mesh.file == "../parts/wedge.ply"
    # saved elsewhere it still finds its file
    lw.save(loaded, "copy.json")
    assert '"../parts/wedge.ply"' in Path("copy.json").read_text()
    lw.save(loaded, tmp_path / "parts" / "copy.yaml")
    assert "file: wedge.ply" in (parts / "copy.yaml").read_text()
    monkeypatch.chdir(tmp_path)
    assert matter(lw.load("parts/copy.yaml"))[0] == 1
    assert matter(lw.load("other/copy.json", allow_outside=True))[0] == 1
    with pytest.raises(lw.errors.ModelError, match="outside the folder"):
        lw.load("other/copy.json")
    # the file is read once: what was loaded needs it no more
    (parts / "wedge.ply").unlink()
    assert matter(loaded)[0] == 1
    assert matter(loaded.with_branches({}))[0] == 1
    with pytest.raises(
        lw.errors.ModelError, match=r"bodies\.b\.mesh\.file: line 2: there is no file 'parts/wedge\.ply'"
    ):
        lw.load("m.yaml")


def test_absolute_paths_stay(tmp_path: Path) -> None:
    file = write_wedge(tmp_path)
    built = model("spatial", {"bar": ["O", "A"], "mesh": {"file": file, "mass": 1}})
    lw.save(built, tmp_path / "m.yaml")
    assert file.as_posix() in (tmp_path / "m.yaml").read_text()
    assert lw.load(tmp_path / "m.yaml") == built


# -- what is refused -------------------------------------------------------------------------------------------------

BAR = {"bar": ["O", "A"]}
CUBE = {"box": [0.1, 0.1, 0.1], "mass": 1}


def shape(**entries: Any) -> dict[str, Any]:
    return {**BAR, "shapes": {"s": entries}}


@pytest.mark.parametrize(
    ("space", "body", "path", "fragment"),
    [
        ("spatial", {**BAR}, "mass", "is missing"),
        ("spatial", {**BAR, "shapes": [1]}, "shapes", "is not a mapping of names"),
        ("spatial", {**BAR, "shapes": {"s": 1}}, "shapes.s", "1 is not a mapping with keys such as"),
        ("spatial", shape(mass=1), "shapes.s", "no solid is given; a shape is one solid"),
        ("spatial", shape(rod=1, sphere={"radius": 1}, mass=1), "shapes.s", "sphere and rod are given"),
        ("spatial", shape(cube=1, mass=1), "shapes.s.cube", "unknown key 'cube'"),
        ("spatial", shape(box=[1, 1, 1]), "shapes.s", "has neither mass nor density"),
        ("spatial", shape(box=[1, 1, 1], mass=1, density=1), "shapes.s.density", "conflicts with mass"),
        ("spatial", shape(rod=1, density=1), "shapes.s.density", "the rod has no volume"),
        (
            "planar",
            shape(plate={"points": [[0, 0], [1, 0], [0, 1]]}, density=1),
            "shapes.s.density",
            "give its thickness",
        ),
        (
            "planar",
            {**shape(box=[1, 1]), "density": 1},
            "shapes.s",
            "the box has no volume for the density of the body",
        ),
        ("spatial", shape(box=[1, 1], mass=1), "shapes.s.box", "has 2 components; 3 components are needed"),
        ("spatial", shape(box=[1, 0, 1], mass=1), "shapes.s.box", "the edge is 0; it must be positive"),
        ("spatial", shape(box=["1 kg", 1, 1], mass=1), "shapes.s.box[0]", "1 kg"),
        ("spatial", shape(rod=-1, mass=1), "shapes.s.rod", "the length is -1"),
        ("spatial", shape(sphere=1, mass=1), "shapes.s.sphere", "1 does not describe a sphere"),
        ("spatial", shape(sphere={"radius": 1, "inside": 1}, mass=1), "shapes.s.sphere", "unknown key 'inside'"),
        ("spatial", shape(sphere={"radius": 1, "inner": 1}, mass=1), "shapes.s.sphere", "smaller than the radius 1"),
        ("spatial", shape(sphere={"radius": 1, "inner": -1}, mass=1), "shapes.s.sphere", "cannot be negative"),
        (
            "spatial",
            shape(cylinder={"radius": 1}, mass=1),
            "shapes.s.cylinder",
            "the length of the cylinder is missing",
        ),
        (
            "spatial",
            shape(cylinder={"radius": 1, "length": 1, "axis": "u"}, mass=1),
            "shapes.s.cylinder.axis",
            "'u' is not a local axis",
        ),
        ("spatial", shape(cone={"radius": 0, "length": 1}, mass=1), "shapes.s.cone", "the radius is 0"),
        ("spatial", shape(cone={"radius": 1, "length": 1, "top": -1}, mass=1), "shapes.s.cone", "top radius is -1"),
        ("spatial", shape(tube={"radius": 1, "wall": 2, "length": 1}, mass=1), "shapes.s.tube", "the wall is 2"),
        ("spatial", shape(tube={"radius": 1, "wall": 0, "length": 1}, mass=1), "shapes.s.tube", "must be positive"),
        (
            "planar",
            shape(plate={"points": [[0, 0], [1, 0]]}, mass=1),
            "shapes.s.plate.points",
            "at least three corners",
        ),
        ("planar", shape(plate={"points": [[0, 0], [1, 0], [2, 0]]}, mass=1), "shapes.s.plate", "has no area"),
        (
            "planar",
            shape(plate={"points": [[0, 0], [1, 1], [1, 0], [0, 2]]}, mass=1),
            "shapes.s.plate",
            "the edges behind corners 1 and 3 of the polygon cross",
        ),
        ("planar", shape(plate={"points": ["O", "A", "Z"]}, mass=1), "shapes.s.plate.points", "'Z' is not a point"),
        (
            "planar",
            shape(plate={"points": ["O", "A", [0, 1]]}, mass=1, at="A"),
            "shapes.s.at",
            "place this plate already",
        ),
        ("spatial", shape(plate={"points": ["O", "A", [0, 1]]}, mass=1), "shapes.s.plate", "serve in the plane"),
        ("spatial", shape(**CUBE, at="Z"), "shapes.s.at", "'Z' is not a point of this body"),
        ("spatial", shape(**CUBE, at=[0, 1]), "shapes.s.at", "has 2 components; 3 components are needed"),
        ("spatial", shape(**CUBE, rotation="30 deg"), "shapes.s.rotation", "is not a spatial rotation"),
        ("spatial", shape(**CUBE, rotation={"wxyz": [1, 1, 0, 0]}), "shapes.s.rotation", "the quaternion has length"),
        ("spatial", shape(box=["l", 1, 1], mass=1), "shapes.s.box[0]", "unknown name 'l'"),
        ("spatial", shape(**CUBE, density="2*b.x"), "shapes.s.density", "conflicts"),
        ("spatial", {**BAR, "masses": 2}, "masses", "is not a mapping of points to masses"),
        ("spatial", {**BAR, "masses": {"O": "1 m"}}, "masses.O", "1 m"),
        ("spatial", {**BAR, "mass": 1, "masses": {"Z": 1}}, "masses.Z", "'Z' is not a point of this body"),
        ("planar", {**BAR, "masses": {"O": 1, "A": -1}}, "", "the mass of the whole is 0 kg; it must be positive"),
        ("planar", {**BAR, "masses": {"O": 2, "A": -1}}, "", "no body has the moment of inertia -0.32 kg·m²"),
        ("spatial", {**BAR, "masses": {"O": 2, "A": -1}}, "", "-0.32, -0.32, 0 kg·m²: one is negative"),
        (
            "spatial",
            {"points": {"P": [0, 0, 0]}, "shapes": {"s": CUBE, "t": {"box": [0.1, 0.1, 9], "mass": -2e-4}}},
            "",
            "the largest exceeds the sum of the others",
        ),
        ("spatial", {**shape(**CUBE), "com": "O"}, "mass", "leave com out, the parts of the body have their own"),
        ("spatial", {**shape(**CUBE), "density": 1, "inertia": [1, 1, 1]}, "inertia", "which it does not have"),
        ("spatial", {**shape(**CUBE), "density": 1, "mass": 1, "radius": 1}, "density", "conflicts with mass"),
        ("spatial", {**BAR, "mass": 1, "density": 1, "masses": {"O": 1}}, "density", "conflicts with mass"),
        ("spatial", {**BAR, "density": 1, "masses": {"O": 1}}, "density", "the body has no volume"),
        ("spatial", {**BAR, "mesh": "part.stl"}, "mesh", "is not a mapping with keys"),
        ("spatial", {**BAR, "mesh": {"mass": 1}}, "mesh.file", "is missing"),
        ("spatial", {**BAR, "mesh": {"file": 3, "mass": 1}}, "mesh.file", "3 is not the name of a file"),
        ("spatial", {**BAR, "mesh": {"file": "none.stl", "mass": 1}}, "mesh.file", "there is no file 'none.stl'"),
    ],
)
def test_faults(space: str, body: dict[str, Any], path: str, fragment: str) -> None:
    found = refusals(space, body)
    where = f"bodies.b.{path}" if path else "bodies.b"
    assert fragment in found.get(where, ""), found


def test_faults_of_a_mesh(tmp_path: Path) -> None:
    file = write_wedge(tmp_path).as_posix()
    found = refusals("spatial", {**BAR, "mesh": {"file": file, "mass": 1, "scale": 0}})
    assert "the scale is 0; it must be positive" in found["bodies.b.mesh.scale"]
    found = refusals("spatial", {**BAR, "mesh": {"file": file}})
    assert "has neither mass nor density" in found["bodies.b.mesh"]
    (tmp_path / "wedge.ply").write_text("rubbish")
    found = refusals("spatial", {**BAR, "mesh": {"file": file, "mass": 1}})
    assert "cannot be read" in found["bodies.b.mesh.file"]


def test_all_faults_come_at_once() -> None:
    body = {**BAR, "shapes": {"s": {"box": [1, 1], "mass": 1}, "t": {"rod": -1, "mass": 1}}, "masses": {"Z": 1}}
    found = refusals("spatial", body, outputs={"x": "u"})
    assert set(found) == {"bodies.b.shapes.s.box", "bodies.b.shapes.t.rod", "bodies.b.masses.Z", "outputs.x"}


def test_a_sketch_of_the_wrong_size_is_no_traceback() -> None:
    found = refusals("spatial", {**BAR, "masses": {"O": 1}}, points={"O": [0, 0, 0], "A": [1, 0]})
    assert set(found) == {"points.A"}


# -- inertia without mass ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("light", [0, "m", "0*m"])
def test_the_inertia_of_a_body_without_mass_joins_that_of_its_parts(space: str, light: Any) -> None:
    """A ball of 3 kg at A, and 2 kg m² that weigh nothing: the ball decides the centre, both the inertia."""
    own = 2.0 if space == "planar" else [2.0, 2.5, 3.0]
    ball = {"sphere": {"radius": 0.1}, "at": "A", "mass": 3}
    body = {"points": ["O", "A"], "com": "O", "mass": light, "inertia": own, "shapes": {"ball": ball}}
    mass, centre, inertia = matter(model(space, body, parameters={"m": {"value": 0, "live": True}}))
    assert mass == 3
    np.testing.assert_allclose(centre[0], 0.4, rtol=1e-15)
    np.testing.assert_allclose(np.diag(inertia), np.ravel(own) + 0.4 * 3 * 0.1**2, rtol=1e-14)


@pytest.mark.parametrize("parts", [{"masses": {"A": 3}}, {"shapes": {"ball": {"sphere": {"radius": 0.1}, "mass": 3}}}])
def test_a_torque_accelerates_what_has_inertia_and_no_mass(parts: dict[str, Any]) -> None:
    wheel = {"points": ["A"], "mass": 0, "inertia": 2.0, **parts}
    joints = {"A": {"kind": "revolute", "bodies": ["ground", "b"]}}
    motor = {"kind": "effort", "joint": "A", "value": 5.0}
    whole = 2.0 if "masses" in parts else 2.0 + 0.4 * 3 * 0.1**2
    for kind in ("relative", "reference_point", "natural", "mixed"):
        result = lw.simulate(model("planar", wheel, joints=joints, forces={"m": motor}), 0.1, coordinates=kind)
        np.testing.assert_allclose(result["A.acceleration"], 5.0 / whole, rtol=1e-10)


# -- what is told ----------------------------------------------------------------------------------------------------


def test_the_reports_tell_what_became_of_the_parts() -> None:
    disc = {"cylinder": {"radius": 0.1, "length": 0.02}, "at": "A", "mass": 3}
    data = {**BAR, "shapes": {"disc": disc}, "masses": {"O": 3}}
    built = model("spatial", data)
    assert "shapes disc (cylinder), masses O 3 kg" in str(built)
    report = str(lw.analyse(built))
    across = 3 * (3 * 0.1**2 + 0.02**2) / 12 + 6 * 0.2**2
    assert "mass 6 kg, centre of mass [0.2, 0, 0] m" in report
    assert f"principal moments 0.015, {across:.6g}, {across:.6g} kg·m²" in report
    assert "Bodies built from parts" not in str(lw.analyse(model("spatial", {**BAR, "mass": 1, "radius": 0.1})))
