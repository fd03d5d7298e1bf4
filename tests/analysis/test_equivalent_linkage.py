"""The rods that replace a track for an instant: the same velocities and accelerations."""

import numpy as np
import pytest

import linkwork as lw

R, W = 1.0, 0.2
TRACKS = {
    "trough": ({"r": R}, [0.5, -np.sqrt(0.64 - 0.25)]),
    "hill": ({"r": R}, [0.5, np.sqrt(1.44 - 0.25)]),
    "ellipse": ({"x": "1.3*cos(u)", "y": "0.9*sin(u)", "closed": True}, [0.3, -0.65]),
    "straight": ({"x": "u", "y": "-0.5*u", "range": [-3, 3]}, [0.2 / np.sqrt(5), 0.4 / np.sqrt(5)]),
}
WHEEL = {"points": {"O": [0, 0], "A": [0.15, 0.08], "Q": [-0.3, 0.1]}, "com": [0.02, 0.03], "mass": 2, "inertia": 0.05}


def wheel(centre: list, turned: float, relations: dict, **changes: object) -> lw.Model:
    declared = {
        "space": "planar",
        "gravity": [0, -9.81],
        "bodies": {"wheel": {**WHEEL, "origin": centre, "rotation": turned}},
        "relations": relations,
    }
    return lw.Model(**{**declared, **changes})


def rods(linkage: lw.answers.EquivalentLinkage, on: str = "ground") -> dict:
    """Relations in the place of the track, and the points where they are fixed."""
    ends = {f"E{i}": list(rod.centre) for i, rod in enumerate(linkage.rods)}
    held = {f"rod{i}": {"kind": "distance", "between": [f"{on}.E{i}", rod.point]} for i, rod in enumerate(linkage.rods)}
    return {"points": ends, "relations": held}


def first(model: lw.Model) -> np.ndarray:
    """Velocities and accelerations at the start: of the point Q and of the wheel."""
    result = lw.simulate(model, until=1e-3, formulation="multipliers")
    return np.array([result[name][0] for name in ("Q.vx", "Q.vy", "wheel.speed", "Q.ax", "Q.ay", "wheel.acceleration")])


@pytest.mark.parametrize("turned", [0.3, -1.4])
@pytest.mark.parametrize("name", ["trough", "hill", "ellipse"])
def test_the_rods_move_the_wheel_as_the_track_does(name, turned):
    track, centre = TRACKS[name]
    spin = {"initial": {"wheel": {"speed": 4.0}}}
    declared = {"track": {"kind": "track", "centre": "wheel.O", "radius": W, "body": "ground", **track}}
    rolling = wheel(centre, turned, declared, **spin)
    topology = lw.analyse(rolling)
    linkage = lw.measures.equivalent_linkage(topology, "track", "wheel.A")
    pose = topology.assembly.poses["wheel"]
    instead = wheel(list(pose.origin), pose.angle, **rods(linkage), **spin)
    assert np.allclose(first(instead), first(rolling), rtol=0, atol=1e-8)


def test_a_moving_track_carries_the_rods():
    """The rods are fixed in the ring, which turns."""
    track, centre = TRACKS["trough"]
    ring = {"points": {"C": [0, 0]}, "com": "C", "mass": 3, "inertia": 2}
    parts = {
        "joints": {"C": {"kind": "revolute", "bodies": ["ground", "ring"]}},
        "initial": {"C": {"speed": 1.5}, "wheel": {"speed": 4.0}},
    }
    bodies = {"wheel": {**WHEEL, "origin": centre, "rotation": 0.3}, "ring": ring}
    declared = {"track": {"kind": "track", "centre": "wheel.O", "radius": W, "body": "ring", **track}}
    rolling = wheel(centre, 0.3, declared, points={"C": [0, 0]}, **{**parts, "bodies": bodies})
    linkage = lw.measures.equivalent_linkage(rolling, "track", "wheel.A")
    assert linkage.track == "ring"
    found = rods(linkage, "ring")
    bodies["ring"] = {**ring, "points": {"C": [0, 0], **found["points"]}}
    instead = wheel(centre, 0.3, found["relations"], points={"C": [0, 0]}, **{**parts, "bodies": bodies})
    assert np.allclose(first(instead), first(rolling), rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["trough", "hill"])
def test_centres_of_curvature_by_the_path_itself(name):
    """κ = (ẋ ÿ − ẏ ẍ) / |v|³ of the path of A; O' is the middle of the circle."""
    track, centre = TRACKS[name]
    declared = {"track": {"kind": "track", "centre": "wheel.O", "radius": W, "body": "ground", **track}}
    model = wheel(centre, 0.3, declared, initial={"wheel": {"speed": 4.0}})
    linkage = lw.measures.equivalent_linkage(model, "track", "A")
    result = lw.simulate(model, until=1e-3, formulation="multipliers")
    for rod, point in zip(linkage.rods, "OA", strict=True):
        vx, vy, ax, ay = (result[f"{point}.{kind}"][0] for kind in ("vx", "vy", "ax", "ay"))
        bend = (vx * ay - vy * ax) / np.hypot(vx, vy) ** 3
        normal = np.array([-vy, vx]) / np.hypot(vx, vy)
        assert np.allclose(rod.centre, rod.place + normal / bend, rtol=0, atol=1e-9)
    assert np.allclose(linkage.rods[0].centre, 0, rtol=0, atol=1e-12)
    assert "rod of" in str(linkage)


def test_paths_without_curvature():
    """On a straight track the centre goes straight on, and a point of the rim draws a cycloid."""
    track, centre = TRACKS["straight"]
    declared = {"track": {"kind": "track", "centre": "wheel.O", "radius": W, "body": "ground", **track}}
    body = {**WHEEL, "points": {"O": [0, 0], "top": centre}, "origin": centre}
    linkage = lw.measures.equivalent_linkage(wheel(centre, 0, declared, bodies={"wheel": body}), "track", "wheel.top")
    assert [rod.centre is None for rod in linkage.rods] == [True, False]
    # cycloid at its top: radius of curvature 4 r
    assert linkage.rods[1].length == pytest.approx(4 * W, rel=1e-9)
    assert "wheel.O: straight on" in str(linkage)


def test_a_wheel_that_slides_has_one_rod_and_names_are_checked():
    track, centre = TRACKS["trough"]
    declared = {"track": {"kind": "track", "centre": "wheel.O", "radius": W, "body": "ground", "slides": True, **track}}
    model = wheel(centre, 0, declared)
    assert [rod.point for rod in lw.measures.equivalent_linkage(model, "track", "wheel.A").rods] == ["wheel.O"]
    with pytest.raises(lw.errors.RefusedError, match="is the centre of the wheel"):
        declared["track"]["slides"] = False
        lw.measures.equivalent_linkage(wheel(centre, 0, declared), "track", "wheel.O")
    with pytest.raises(lw.errors.UnknownNameError, match="there is no track 'trak'; did you mean 'track'"):
        lw.measures.equivalent_linkage(model, "trak", "wheel.A")
