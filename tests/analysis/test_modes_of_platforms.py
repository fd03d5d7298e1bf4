"""Direct kinematics of platforms on struts, inverse kinematics of arms: all assembly modes with relations and drivers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from drawn_arms import PLACE_OF_HAND, TURN, arm, frames
from numpy.typing import NDArray
from scipy.optimize import brentq, root
from scipy.spatial.transform import Rotation

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
BASE = np.array([[0, 0], [2.0, 0], [0.6, 1.9]])
TOP = np.array([[0, 0], [1.4, 0], [0.5, 1.5]])
PLACE, ANGLE = np.array([0.35, 0.3]), 0.9


def turn(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


CORNERS = PLACE + TOP @ turn(ANGLE).T
LENGTHS = np.linalg.norm(CORNERS - BASE, axis=1)


@cache
def planar() -> lw.Model:
    """A platform in the plane on three struts, 3-RPR."""
    return lw.Model(
        space="planar",
        name="3-RPR",
        points={f"{name}{i}": at[i].tolist() for name, at in (("A", BASE), ("C", CORNERS)) for i in range(3)},
        bodies={"platform": {"points": ["C0", "C1", "C2"], "mass": 1, "com": "C0", "inertia": 1}},
        relations={f"leg{i}": {"kind": "distance", "between": [f"A{i}", f"platform.C{i}"]} for i in range(3)},
    )


# SOURCE: C. Gosselin, J. Sefrioui, M. J. Richard, "Solutions polynomiales au problème de la cinématique directe des
# manipulateurs parallèles plans à trois degrés de liberté" (1992): differences of the three circles are linear in the place
# of the platform, which leaves one equation for its angle with up to six real roots
def angles() -> list[float]:
    def left(angle: float) -> float:
        c = TOP @ turn(angle).T - BASE
        matrix = 2 * (c[1:] - c[0])
        right = LENGTHS[1:] ** 2 - LENGTHS[0] ** 2 - np.sum(c[1:] ** 2, axis=1) + c[0] @ c[0]
        det = np.linalg.det(matrix)
        place = np.array([matrix[1, 1] * right[0] - matrix[0, 1] * right[1],
                          matrix[0, 0] * right[1] - matrix[1, 0] * right[0]])  # fmt: skip
        return float(np.sum((place + det * c[0]) ** 2) - det**2 * LENGTHS[0] ** 2)

    grid = np.linspace(-np.pi, np.pi, 4001)
    signs = [left(x) > 0 for x in grid]
    return [brentq(left, grid[i], grid[i + 1], xtol=1e-14) for i in range(4000) if signs[i] != signs[i + 1]]


def test_a_platform_in_the_plane_has_the_modes_of_its_polynomial() -> None:
    modes = lw.assembly_modes(planar())
    found = sorted(np.arctan2(mode.poses["platform"].axes[1, 0], mode.poses["platform"].axes[0, 0]) for mode in modes)
    exact = sorted((x - ANGLE + np.pi) % (2 * np.pi) - np.pi for x in angles())
    assert len(exact) >= 4
    np.testing.assert_allclose(found, exact, atol=1e-8)
    assert modes.in_use is modes[0] and not modes.complete and max(mode.residual for mode in modes) < 1e-10
    assert "there may be more" in str(modes)


def test_a_stewart_platform_is_mirrored_in_its_base() -> None:
    text = lw.load(LIBRARY / "stewart_platform.yaml").to_dict()
    for leg in text["relations"].values():
        leg["length"] = None
    modes = lw.assembly_modes(lw.Model(**text))
    heights = sorted(float(mode.poses["platform"].origin[2]) for mode in modes)
    assert len(modes) >= 2 and len(modes) % 2 == 0
    np.testing.assert_allclose(heights, [-height for height in heights[::-1]], atol=1e-8)


def test_modes_need_all_that_can_move_held() -> None:
    text = planar().to_dict()
    del text["relations"]["leg2"]
    with pytest.raises(lw.errors.RefusedError, match=r"leg0, leg1.*give drivers"):
        lw.assembly_modes(lw.Model(**text))


# SOURCE: P. Dietmaier, "The Stewart-Gough platform of general geometry can have 40 real postures", Advances in Robot
# Kinematics (1998), table 1
FEET = np.array([[0, 0, 0], [1.107915, 0, 0], [0.549094, 0.756063, 0], [0.735077, -0.223935, 0.525991],
                 [0.514188, -0.526063, -0.368418], [0.590473, 0.094733, -0.205018]])  # fmt: skip
HEADS = np.array([[0, 0, 0], [0.542805, 0, 0], [0.956919, -0.528915, 0], [0.665885, -0.353482, 1.402538],
                  [0.478359, 1.158742, 0.107672], [-0.137087, -0.235121, 0.353913]])  # fmt: skip
STRUTS = np.array([1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])


def corners(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x[:3] + HEADS @ Rotation.from_rotvec(x[3:]).as_matrix().T


def posture(random: np.random.Generator) -> NDArray[np.float64] | None:
    """The corners of the platform where SciPy's Newton's method comes to from a pose at random."""
    start = np.concatenate([random.normal(size=3), random.uniform(-np.pi, np.pi, 3)])
    found = root(lambda x: np.sum((corners(x) - FEET) ** 2, axis=1) - STRUTS**2, start, tol=1e-13)
    return corners(found.x) if np.max(np.abs(found.fun)) < 1e-10 else None


def dietmaier() -> lw.Model:
    random = np.random.default_rng(3)
    drawn = next(found for found in (posture(random) for _ in range(100)) if found is not None)
    points = {f"{name}{i}": at[i].tolist() for name, at in (("A", FEET), ("C", drawn)) for i in range(6)}
    legs = {f"leg{i}": {"kind": "distance", "between": [f"A{i}", f"platform.C{i}"]} for i in range(6)}
    solid = {"points": [f"C{i}" for i in range(6)], "com": "C0", "mass": 1, "inertia": {"box": [1, 1, 1]}}
    return lw.Model(space="spatial", points=points, bodies={"platform": solid}, relations=legs)


def test_a_platform_on_six_rods_has_all_its_forty_postures() -> None:
    model, random = dietmaier(), np.random.default_rng(0)
    modes = lw.assembly_modes(model)
    assert len(modes) == 40 and not modes.odd and not modes.complete
    number = lw.analyse(model).geometry.number
    points = lw.analyse(model).geometry.bodies["platform"].points
    local = np.array([number(points[f"C{i}"]) for i in range(6)])
    found = np.array([mode.poses["platform"].origin + local @ mode.poses["platform"].axes.T for mode in modes])
    np.testing.assert_allclose(np.linalg.norm(found - FEET, axis=2), np.tile(STRUTS, (40, 1)), rtol=0, atol=1e-9)
    apart = np.max(np.abs(found[:, None] - found[None]), axis=(2, 3)) + np.eye(40)
    assert np.min(apart) > 1e-4
    # whatever Newton's method of SciPy comes to is among them
    for _ in range(60):
        other = posture(random)
        assert other is None or np.min(np.max(np.abs(found - other), axis=(1, 2))) < 1e-5


def test_an_arm_held_by_a_driver_has_all_its_sixteen_postures() -> None:
    """Forward kinematics with the coordinates of every mode leads to the same place."""
    drawn = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.6])
    modes = lw.assembly_modes(arm(drawn))
    assert len(modes) == 16
    turns = np.array([[mode[f"q{i}.angle"] for i in range(1, 7)] for mode in modes])
    for turn in turns:
        hand = frames(drawn + turn)[6]
        np.testing.assert_allclose(hand[:3, 3], PLACE_OF_HAND, atol=1e-8)
        np.testing.assert_allclose(hand[:3, :3], TURN.as_matrix(), atol=1e-8)
    apart = np.max(np.abs((turns[:, None] - turns[None] + np.pi) % (2 * np.pi) - np.pi), axis=2) + np.eye(16)
    assert np.min(apart) > 1e-3


def test_a_mode_is_a_model_that_starts_there(tmp_path: Path) -> None:
    drawn = np.array([0.3, 0.5, -0.4, 1.0, 0.2, 0.6])
    modes = lw.assembly_modes(arm(drawn))
    used = modes.in_use
    assert used is not None
    for mode in (modes[3], modes[11]):
        lw.save(mode.model, tmp_path / "mode.yaml", overwrite=True)
        again = lw.load(tmp_path / "mode.yaml")
        assert again == mode.model
        poses = lw.analyse(again).assembly.poses
        for name, pose in mode.poses.items():
            np.testing.assert_allclose(poses[name].axes, pose.axes, atol=1e-9)
            np.testing.assert_allclose(poses[name].origin, pose.origin, atol=1e-9)
        for begun in (again, mode):
            result = lw.simulate(begun, until=0.01)
            assert result.outcome.completed
            gap = result["q1.angle"][0] - mode["q1.angle"]
            assert abs((gap + np.pi) % (2 * np.pi) - np.pi) < 1e-9


def test_modes_of_closed_forms_are_models_too() -> None:
    model = lw.load(LIBRARY / "four_bar.yaml")
    modes = lw.assembly_modes(model)
    assert len(modes) == 2
    for mode in modes:
        assert lw.analyse(mode.model).branches == mode.branches
        assert mode.coordinates.keys() >= {"O.angle"} and mode["O.angle"] == pytest.approx(
            modes[0]["O.angle"], abs=1e-9
        )
    with pytest.raises(lw.errors.UnknownNameError, match=r"no coordinate 'Q'"):
        modes[0]["Q"]


def test_a_platform_on_legs_that_spin_lists_every_pose_once() -> None:
    """A platform that is held upright on three legs, each a bar between two balls: spins make no new modes."""
    feet = np.array([[0, 0, 0], [1, 0, 0], [0.4, 0.9, 0]])
    heads = np.array([[0.1, 0.1, 0.8], [0.8, 0.15, 0.9], [0.4, 0.6, 0.7]])
    points = {f"{name}{i}": at[i].tolist() for name, at in (("A", feet), ("C", heads)) for i in range(3)}
    solid = {"mass": 1, "inertia": {"box": [0.1, 0.1, 0.1]}}
    bodies = {f"leg{i}": {"points": [f"A{i}", f"C{i}"], "com": f"A{i}", **solid} for i in range(3)}
    bodies["platform"] = {"points": ["C0", "C1", "C2"], "com": "C0", **solid}
    balls = {f"A{i}": {"kind": "spherical", "bodies": ["ground", f"leg{i}"]} for i in range(3)}
    balls |= {f"C{i}": {"kind": "spherical", "bodies": [f"leg{i}", "platform"]} for i in range(3)}
    model = lw.Model(
        space="spatial",
        points=points,
        bodies=bodies,
        joints=balls,
        drivers={"hold": {"body": "platform", "at": "C0", "rotation": {"yaw": 0, "pitch": 0, "roll": 0}}},
    )
    modes = lw.assembly_modes(model)
    # three spheres about the feet, moved by the platform, meet in two points
    places = [mode.poses["platform"].origin for mode in modes]
    assert len(modes) == 2
    assert np.linalg.norm(places[0] - places[1]) > 0.1
