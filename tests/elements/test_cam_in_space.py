"""Cams in space: the same as in the plane, whatever the attitude of that plane and where along its axis the follower is."""

import numpy as np
import pytest
from combinations import KINDS
from scipy.spatial.transform import Rotation
from test_cam import FOLLOWERS, MASS, MOTOR, TIGHT, eccentric, follower_keys, lift

import linkwork as lw

TILT = Rotation.from_euler("xyz", [0.3, -0.5, 0.7]).as_matrix()
SHIFT = 0.03  # of the follower along the axis of the cam


def in_space(planar: lw.Model) -> dict:
    """The same mechanism in a tilted plane; the profile stays in the x-y plane of the body of the cam."""
    data = planar.to_dict()

    def turned(vector: list, along: float = 0.0) -> list:
        return (TILT @ [*map(float, vector), along]).tolist()

    data |= {"space": "spatial", "gravity": turned(data["gravity"])}
    data["points"] = {name: turned(point) for name, point in data["points"].items()}
    data["points"]["G"] = turned([0, 0], SHIFT)
    matrix = {"matrix": TILT.tolist()}
    cam, lifter = data["bodies"]["cam"], data["bodies"]["lifter"]
    cam |= {"points": {"O": [0, 0, 0]}, "com": [0, 0, 0], "rotation": matrix, "inertia": [0.001, 0.001, cam["inertia"]]}
    lifter |= {
        "points": {name: [*point, 0] for name, point in lifter["points"].items()},
        "origin": turned(lifter["origin"], SHIFT),
        "com": [0, 0, 0],
        "rotation": matrix,
        "inertia": [0.001, 0.001, 0.001],
    }
    data["joints"]["O"]["axis"] = turned([0, 0], 1.0)
    data["joints"]["guide"] |= {"axis": turned([0, 1]), "at": ["G", "F"]}
    return data


@pytest.mark.matrix("kind", "coordinates")
@pytest.mark.parametrize("coordinates", KINDS)
@pytest.mark.parametrize("kind", FOLLOWERS)
def test_a_driven_eccentric(kind, coordinates):
    model = lw.Model(**in_space(eccentric(kind, drivers=MOTOR)))
    assert lw.analyse(model).freedoms == 1
    flat = lw.simulate(eccentric(kind, drivers=MOTOR), until=0.4, step=0.05, **TIGHT)
    result = lw.simulate(model, until=0.4, step=0.05, coordinates=coordinates, **TIGHT)
    centre = np.column_stack([result[f"lifter.{axis}"] for axis in "xyz"]) @ TILT
    exact = lift(kind, result["O.angle"])[0]
    assert np.max(np.abs(centre - np.column_stack([0 * exact, exact, SHIFT + 0 * exact]))) < 1e-10
    assert np.max(np.abs(result["touch.force"] - flat["touch.force"])) < 1e-8 * MASS * 9.81 + 1e-8
    push = np.column_stack([result[f"touch.f{axis}"] for axis in "xyz"]) @ TILT
    assert np.max(np.abs(push[:, :2] - np.column_stack([flat["touch.fx"], flat["touch.fy"]]))) < 1e-7
    assert np.max(np.abs(push[:, 2])) < 1e-8
    touch = np.column_stack([result[f"touch.contact.{axis}"] for axis in "xyz"]) @ TILT
    assert np.max(np.abs(touch[:, 0] - flat["touch.contact.x"])) < 1e-9
    assert np.max(np.abs(touch[:, 2] - SHIFT)) < 1e-10


def test_a_lift_in_space():
    planar = eccentric("roller", drivers={"motor": {"joint": "O", "position": "3*t"}})
    data = in_space(planar)
    keys = follower_keys("roller") | {"lift": "0.004*(1 - cos(2*u))", "base_radius": 0.04}
    data["relations"]["touch"] = {"kind": "cam", "body": "cam", **keys, "axis": (TILT @ [0, 1, 0]).tolist()}
    data["bodies"]["lifter"]["origin"] = (TILT @ [0, 0.05, SHIFT]).tolist()
    result = lw.simulate(lw.Model(**data), until=2.0)
    height = np.column_stack([result[f"lifter.{axis}"] for axis in "xyz"]) @ TILT[:, 1]
    assert np.max(np.abs(height - 0.05 - 0.004 * (1 - np.cos(6 * result.time)))) < 1e-11


def test_a_face_that_leaves_the_plane_is_refused():
    data = in_space(eccentric("flat"))
    data["bodies"]["lifter"]["points"]["H"] = [0.04, 0, 0.01]
    with pytest.raises(lw.errors.ModelError, match="leaves the plane of the profile"):
        lw.analyse(lw.Model(**data))


def test_a_profile_has_no_third_coordinate():
    data = in_space(eccentric("knife"))
    data["relations"]["touch"]["z"] = "0.1*u"
    with pytest.raises(lw.errors.ModelError, match="no z in the plane"):
        lw.Model(**data)
