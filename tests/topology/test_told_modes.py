"""Assembly modes that a search has found: which bodies tell them apart, and what is printed of them.

Independent: Newton's method of SciPy on the six lengths, from platforms thrown anywhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import root

import linkwork as lw
from linkwork.errors import UnknownNameError

FEET, TOPS = (np.deg2rad(angles) for angles in ([-15, 15, 105, 135, 225, 255], [-45, 45, 75, 165, 195, 285]))
BASE = np.column_stack([np.cos(FEET), np.sin(FEET), np.zeros(6)])
TOP = 0.6 * np.column_stack([np.cos(TOPS), np.sin(TOPS), np.zeros(6)])
CENTRE = np.array([0.1, 0.05, 1.2])


def attitude(q: np.ndarray) -> np.ndarray:
    """R of a quaternion, scalar first, of unit length."""
    w, v = q[0], q[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def tilted(angle: float) -> np.ndarray:
    axis = np.array([0.4, -0.7, 0.6])
    return np.append(np.cos(angle / 2), np.sin(angle / 2) * axis / np.linalg.norm(axis))


def tops(centre: np.ndarray, q: np.ndarray) -> np.ndarray:
    return centre + TOP @ attitude(q).T


LENGTHS = np.linalg.norm(tops(CENTRE, tilted(0.3)) - BASE, axis=1)


@cache
def hexapod() -> lw.Model:
    """Cylinders on universal joints, rods on balls below the platform; drivers hold the lengths."""
    points, bodies, joints = {}, {}, {}
    for i, (foot, top) in enumerate(zip(BASE, tops(CENTRE, tilted(0.3)), strict=True)):
        along = (top - foot) / np.linalg.norm(top - foot)
        across = np.cross(along, [0, 0, 1]) / np.linalg.norm(np.cross(along, [0, 0, 1]))
        places = {"B": foot, "C": foot + 0.6 * (top - foot), "D": top - 0.6 * (top - foot), "P": top}
        points |= {f"{name}{i}": place.tolist() for name, place in places.items()}
        bodies[f"cylinder{i}"] = {"bar": [f"B{i}", f"C{i}"], "mass": 8, "radius": 0.03}
        bodies[f"rod{i}"] = {"bar": [f"D{i}", f"P{i}"], "mass": 5, "radius": 0.02}
        axes = [across.tolist(), np.cross(along, across).tolist()]
        slide = {"bodies": [f"cylinder{i}", f"rod{i}"], "at": [f"B{i}", f"P{i}"], "axis": along.tolist()}
        joints[f"B{i}"] = {"kind": "universal", "bodies": ["ground", f"cylinder{i}"], "axes": axes}
        joints[f"S{i}"] = {"kind": "prismatic", **slide}
        joints[f"P{i}"] = {"kind": "spherical", "bodies": [f"rod{i}", "platform"]}
    points["G"] = CENTRE.tolist()
    held = [*(f"P{i}" for i in range(6)), "G"]
    bodies["platform"] = {"points": held, "com": "G", "mass": 100, "inertia": [8, 8, 15]}
    drivers = {f"leg{i}": {"joint": f"S{i}", "position": float(LENGTHS[i])} for i in range(6)}
    return lw.Model(name="hexapod", space="spatial", points=points, bodies=bodies, joints=joints, drivers=drivers)


def postures(tries: int) -> list[np.ndarray]:
    """Places of the six joints of the platform (6 × 3) in all positions with these lengths."""
    generator, found = np.random.default_rng(1), list[np.ndarray]()

    def missed(x: np.ndarray) -> np.ndarray:
        away = x[:3] + TOP @ attitude(x[3:]).T - BASE
        return np.append(np.sum(away**2, axis=1) - LENGTHS**2, x[3:] @ x[3:] - 1)

    for _ in range(tries):
        begun = np.append(generator.normal(size=3), generator.normal(size=4))
        solved = root(missed, begun, method="hybr")
        if np.max(np.abs(solved.fun)) < 1e-10:
            places = tops(solved.x[:3], solved.x[3:])
            found += [] if any(np.max(np.abs(places - other)) < 1e-6 for other in found) else [places]
    return found


def test_the_postures_of_a_platform_on_six_cylinders() -> None:
    """Each leg can be turned over on its universal joint: 64 modes of all bodies for each posture of the platform."""
    modes = lw.assembly_modes(hexapod(), bodies="platform")
    expected = postures(600)
    assert len(modes) == len(expected) and modes.in_use is not None
    for mode in modes:
        places = np.array(
            [mode.poses[f"rod{i}"].point(np.array([0.6 * drawn, 0, 0])) for i, drawn in enumerate(LENGTHS)]
        )
        assert min(np.max(np.abs(places - other)) for other in expected) < 1e-6
    assert len(lw.assembly_modes(hexapod(), max_modes=40)) == 40


def test_places_of_the_bodies_tell_them_in_print_and_tables() -> None:
    modes = lw.assembly_modes(hexapod(), bodies=["platform"])
    heads = ["platform.origin.x, m", "platform.roll, deg"]
    assert all(head in str(modes).splitlines()[1] for head in heads)
    table = modes.to_dataframe()
    assert {"platform.origin.z", "platform.yaw"} <= set(table.columns)
    in_use = table[table["remark"] == "in use"]
    assert in_use["platform.origin.x"].item() == pytest.approx(float(tops(CENTRE, tilted(0.3))[0, 0]), abs=1e-9)
    assert in_use["platform.yaw"].item() == pytest.approx(0.0, abs=1e-9)  # a body of the sketch has its axes there
    for mode, yaw in zip(modes, table["platform.yaw"], strict=True):
        ahead = mode.poses["platform"].axes[:, 0]
        assert np.hypot(ahead[0], ahead[1]) * np.sin(yaw) == pytest.approx(ahead[1], abs=1e-9)


def test_modes_are_told_by_coordinates_of_joints_where_nothing_else_tells_them() -> None:
    """The eight ways of a robot with six joints to hold its tool; each of them does."""
    robot = lw.assemble(
        lw.example("puma_560"), {f"j{i}": angle for i, angle in enumerate([0.3, -0.8, 0.6, 0.7, 0.9, 0.2], 1)}
    )
    pose = robot.model
    run = lw.simulate(pose, times=[0.0])
    place = [float(run[f"tool.{axis}"][0]) for axis in "xyz"]
    turned = {name: float(run[f"link6.{name}"][0]) for name in ("roll", "pitch", "yaw")}
    guide = {"body": "link6", "at": "tool", "position": place, "rotation": turned}
    modes = lw.assembly_modes(pose.with_(drivers={"guide": guide}))
    assert len(modes) == 8
    text = str(modes)
    assert "j1.angle, deg" in text and f"{np.degrees(0.3):.6g}" in text
    assert list(modes.to_dataframe()["j2.angle"]) == [mode["j2.angle"] for mode in modes]


def test_other_names_than_those_of_bodies_are_told() -> None:
    with pytest.raises(UnknownNameError, match=r"'platfrom' is no body; did you mean 'platform'\?"):
        lw.assembly_modes(hexapod(), bodies="platfrom")
