"""Initial positions from bad sketches by every method, and what a robot and a Stewart platform cannot reach."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.position.closing import CLOSINGS

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
SHOULDER = np.array([0.0, 0.0, 0.67183])
# links a₂, a₃, d₄, the offset d₃ of the arm from the axis of the column, and the tool beyond the wrist
REACH = np.hypot(0.4318 + np.hypot(0.0203, 0.4318), 0.15005) + 1.16 - 1.10363


@cache
def puma() -> lw.Model:
    return lw.load(LIBRARY / "puma_560.yaml")


@cache
def platform() -> tuple[dict, dict[str, np.ndarray]]:
    """A Stewart platform as it is drawn, and its points."""
    model = lw.load(LIBRARY / "stewart_platform.yaml")
    points = {name: np.array([model.number(x) for x in place]) for name, place in model.points.items()}
    return model.to_dict(), points


def legs(names) -> dict:
    """Struts that keep the lengths that they have in the drawing."""
    _, points = platform()
    lengths = {i: float(np.linalg.norm(points[f"A{i}"] - points[f"B{i}"])) for i in names}
    return {f"leg{i}": {"kind": "distance", "between": [f"A{i}", f"B{i}"], "length": x} for i, x in lengths.items()}


def badly_drawn(turn: float, seed: int) -> lw.Model:
    """The platform with six struts, drawn with the platform turned and shifted."""
    data, points = platform()
    rng = np.random.default_rng(seed)
    axis, shift = rng.standard_normal(3), turn / 3 * rng.uniform(-1, 1, 3)
    rotation = Rotation.from_rotvec(turn * axis / np.linalg.norm(axis)).as_matrix()
    centre = points["G"]
    drawn = {n: centre + rotation @ (x - centre) + shift if n[0] in "BG" else x for n, x in points.items()}
    places = {name: place.tolist() for name, place in drawn.items()}
    return lw.Model(**{**data, "points": places, "relations": legs(range(1, 7))})


def strut_errors(pose: lw.answers.AssembledPose) -> float:
    _, points = platform()
    now = {i: np.array([pose[f"B{i}.{axis}"] for axis in "xyz"]) for i in range(1, 7)}
    lengths = {i: np.linalg.norm(points[f"A{i}"] - points[f"B{i}"]) for i in now}
    return max(abs(np.linalg.norm(now[i] - points[f"A{i}"]) - lengths[i]) for i in now)


@pytest.mark.parametrize("method", CLOSINGS)
def test_forward_kinematics_from_a_fair_sketch(method):
    """Some 11 degrees and 60 mm off: every method closes it, and says in how many iterations."""
    pose = lw.assemble(badly_drawn(0.2, 4), method=method)
    assert strut_errors(pose) < 1e-10
    assert 2 <= pose.iterations <= 12
    assert f"{method}, {pose.iterations} iterations to close it" in str(pose)


def test_damped_steps_and_continuation_close_what_full_steps_do_not():
    """92 degrees and up to 530 mm off: Newton's method wanders, and says so; the careful ones arrive."""
    for seed in (0, 2):
        model = badly_drawn(1.6, seed)
        for method in ("damped", "continuation"):
            assert strut_errors(lw.assemble(model, method=method)) < 1e-10
    lost = 0
    for seed in range(6):
        try:
            lw.assemble(badly_drawn(1.6, seed), method="newton")
        except lw.errors.AssemblyError as error:
            lost += 1
            assert "'newton' does not close the mechanism from its sketch in 100 iterations: relation leg" in str(error)
            assert "take 'damped' or 'continuation'" in str(error)
    assert lost > 0


def test_what_cannot_be_closed_at_all_is_told_with_the_gaps():
    data, _ = platform()
    short = {name: {**leg, "length": 0.3} for name, leg in legs(range(1, 7)).items()}
    with pytest.raises(lw.errors.AssemblyError, match=r"cannot be assembled .*still open: leg\d by 0\.\d+ m"):
        lw.assemble(lw.Model(**{**data, "relations": short}))


@pytest.mark.parametrize("place", [(2.0, 1.0, 1.5), (-3.0, 0.2, 1.0)])
def test_a_robot_stretches_towards_what_is_outside_its_workspace(place):
    """Its tool stays on the sphere about the shoulder that the stretched arm reaches."""
    pose = lw.assemble(puma(), {"tool": place})
    away = np.linalg.norm(np.array(place) - SHOULDER)
    assert not pose.reached
    assert pose.distance == pytest.approx(away - REACH, abs=1e-9)
    tool = np.array([pose[f"tool.{axis}"] for axis in "xyz"])
    np.testing.assert_allclose(tool, SHOULDER + REACH / away * (np.array(place) - SHOULDER), atol=1e-7)
    assert "the nearest pose that can be reached" in str(pose)


def test_a_robot_reaches_what_is_inside():
    pose = lw.assemble(puma(), {"tool": (0.6, 0.3, 0.5)})
    assert pose.reached
    np.testing.assert_allclose([pose[f"tool.{axis}"] for axis in "xyz"], (0.6, 0.3, 0.5), atol=1e-9)


def test_a_platform_that_misses_a_strut_goes_as_near_as_the_others_let_it():
    """Five struts leave one freedom: the nearest place of the centre, against a search by SciPy on position and rotation."""
    data, points = platform()
    place = points["G"] + np.array([0.15, 0.1, 0.05])
    pose = lw.assemble(lw.Model(**{**data, "relations": legs(range(1, 6))}), {"G": tuple(place)})

    def corners(x):
        turned = Rotation.from_rotvec(x[3:]).as_matrix()
        return [x[:3] + turned @ (points[f"B{i}"] - points["G"]) for i in range(1, 6)]

    def gaps(x):
        drawn = [np.linalg.norm(points[f"A{i}"] - points[f"B{i}"]) for i in range(1, 6)]
        return np.array([np.linalg.norm(b - points[f"A{i + 1}"]) - drawn[i] for i, b in enumerate(corners(x))])

    first = np.concatenate([points["G"], np.zeros(3)])
    found = minimize(lambda x: np.sum((x[:3] - place) ** 2), first, method="SLSQP", tol=1e-15,
                     constraints={"type": "eq", "fun": gaps}, options={"maxiter": 500})  # fmt: skip
    assert np.abs(gaps(found.x)).max() < 1e-9
    assert not pose.reached
    assert pose.distance == pytest.approx(np.sqrt(found.fun), abs=1e-7)
    np.testing.assert_allclose([pose[f"G.{axis}"] for axis in "xyz"], found.x[:3], atol=1e-5)


def test_the_assembly_modes_of_a_pose():
    """From any pose all others with the same inputs: a four-bar has two."""
    model = lw.load(LIBRARY / "four_bar.yaml")
    pose = lw.assemble(model, {"O": "30 deg"})
    modes = lw.assembly_modes(pose.model)
    assert len(modes) == 2
    assert modes.inputs == {"O.angle": "30 deg"}
