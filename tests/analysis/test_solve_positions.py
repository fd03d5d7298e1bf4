"""Inverse kinematics of many targets against closed forms: unreachable ones are marked, the others are in one branch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn_arms import arm, frames
from drawn_delta import HOME, arm_angles, delta
from scipy.spatial.transform import Rotation

import linkwork as lw


def wrapped(angle: np.ndarray) -> np.ndarray:
    return (angle + np.pi) % (2 * np.pi) - np.pi


@pytest.mark.parametrize(("rods", "count"), [(False, 3000), (True, 60)])
def test_a_delta_robot_against_its_closed_form(rods: bool, count: int) -> None:
    """Places within and without its reach, at random: those that the closed form reaches, and no others; elbows outside."""
    random = np.random.default_rng(0)
    places = random.uniform([-0.35, -0.35, -0.95], [0.35, 0.35, -0.3], (count, 3))
    exact = arm_angles(places)
    reachable = np.all(np.isfinite(exact), axis=1)
    assert 0.7 * count < np.sum(reachable) < 0.95 * count
    found = lw.solve_positions(delta(rods=rods), {"platform.P": places})
    np.testing.assert_array_equal(found.reached, reachable)
    angles = np.column_stack([found[f"O{i}.angle"] for i in range(3)]) + arm_angles(HOME[None])[0]
    assert np.max(np.abs(wrapped(angles - exact)[reachable])) < 1e-8
    assert np.all(np.isnan(angles[~reachable])) and np.all(np.isnan(found["P.x"][~reachable]))
    np.testing.assert_allclose(found["P.z"][reachable], places[reachable, 2], atol=1e-9)
    assert f"{np.sum(reachable)} reached, {np.sum(~reachable)} out of reach" in str(found)


@pytest.mark.parametrize(("rods", "counts"), [(False, (25, 25, 15)), (True, (13, 13, 8))])
def test_a_grid_beyond_singular_positions_stays_in_its_branch(rods: bool, counts: tuple[int, ...]) -> None:
    """Where the platform can turn, other branches begin: each place has the angles of the closed form, or is not reached."""
    axes = [np.linspace(*ends, n) for ends, n in zip([(-0.8, 0.8), (-0.8, 0.8), (-1.0, -0.15)], counts, strict=True)]
    places = np.column_stack([axis.ravel() for axis in np.meshgrid(*axes)])
    exact = arm_angles(places)
    reachable = np.all(np.isfinite(exact), axis=1)
    found = lw.solve_positions(delta(rods=rods), {"platform.P": places})
    angles = np.column_stack([found[f"O{i}.angle"] for i in range(3)]) + arm_angles(HOME[None])[0]
    assert np.sum(found.reached) > 0.87 * np.sum(reachable) and not np.any(found.reached & ~reachable)
    assert np.max(np.abs(wrapped(angles - exact)[found.reached])) < 1e-6
    # most of the others are known to have a position beyond a singular one
    assert not np.any(found.elsewhere & found.reached)
    assert np.sum(found.elsewhere & reachable) > 0.9 * np.sum(reachable & ~found.reached)
    assert f"{np.sum(found.elsewhere)} of the targets out of reach have positions in another branch" in str(found)


def test_many_frames_of_an_arm() -> None:
    """Places and attitudes from forward kinematics near the sketch come back as the angles that they were made from."""
    drawn = np.array([0.3, 0.5, -0.4, 1.0, 0.9, 0.6])
    random = np.random.default_rng(2)
    turns = random.uniform(-0.2, 0.2, (200, 6))
    hands = np.array([frames(drawn + turn)[6] for turn in turns])
    attitudes = hands[:, :3, :3] @ frames(drawn)[6][:3, :3].T
    model = arm(drawn).with_(drivers=None)
    by_matrix = lw.solve_positions(model, {"link6.P6": hands[:, :3, 3], "link6.rotation": attitudes})
    angles = Rotation.from_matrix(attitudes).as_euler("ZYX")[:, ::-1]
    by_angles = lw.solve_positions(model, {"link6.P6": hands[:, :3, 3], "link6.rotation": angles})
    for found in (by_matrix, by_angles):
        assert np.all(found.reached)
        again = np.column_stack([found[f"q{i}.angle"] for i in range(1, 7)])
        for turn, hand in zip(again, hands, strict=True):
            np.testing.assert_allclose(frames(drawn + turn)[6], hand, atol=1e-8)
        np.testing.assert_allclose(again, turns, atol=1e-6)


BENT = np.radians(60)


def bars() -> lw.Model:
    """Two bars of 1 and 0.7 m, elbow on one side; its own driver is left out."""
    pin = {"kind": "revolute"}
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [1 + 0.7 * np.cos(BENT), 0.7 * np.sin(BENT)]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={"O": {**pin, "bodies": ["ground", "upper"]}, "A": {**pin, "bodies": ["upper", "lower"]}},
        drivers={"motor": {"joint": "O", "position": "t"}},
    )


def test_two_bars_all_round_keep_their_elbow() -> None:
    """A ring that goes right round the pin, with a hole in the middle that cannot be reached."""
    x, y = np.meshgrid(np.linspace(-1.9, 1.9, 60), np.linspace(-1.9, 1.9, 60))
    places = np.column_stack([x.ravel(), y.ravel()])
    distance = np.hypot(*places.T)
    found = lw.solve_positions(bars(), {"B": places})
    np.testing.assert_array_equal(found.reached, (distance > 0.3) & (distance < 1.7))
    # the law of cosines; the elbow stays on its side
    with np.errstate(invalid="ignore"):
        elbow = np.arccos((distance**2 - 1 - 0.49) / (2 * 0.7))
    np.testing.assert_allclose(found["A.angle"][found.reached], elbow[found.reached], atol=1e-7)


def test_components_angles_and_joints_are_targets_too() -> None:
    model = bars()
    heights = np.linspace(-0.2, 1.0, 21)
    leaning = lw.solve_positions(
        model, {"B": np.column_stack([np.full(21, np.nan), heights]), "O": np.linspace(0, 0.5, 21)}
    )
    assert np.all(leaning.reached)
    np.testing.assert_allclose(leaning["B.y"], heights, atol=1e-9)
    np.testing.assert_allclose(leaning["O.angle"], np.linspace(0, 0.5, 21), atol=1e-12)
    turned = lw.solve_positions(model, {"O": [0.1, 0.2], "lower.angle": [2.0, 1.0]})
    np.testing.assert_allclose(turned["O.angle"] + turned["A.angle"], [2.0, 1.0], atol=1e-9)


def test_joints_are_asked_for_all_round() -> None:
    turns = np.linspace(-3.1, 3.1, 40)
    found = lw.solve_positions(bars(), {"O": turns, "A": turns[::-1]})
    assert np.all(found.reached)
    np.testing.assert_allclose(found["O.angle"], turns, atol=1e-9)
    np.testing.assert_allclose(found["A.angle"], turns[::-1], atol=1e-9)
    x = np.cos(turns) + 0.7  # the second bar stays level
    np.testing.assert_allclose(found["B.x"], x, atol=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_live_lengths_and_coordinates_of_any_kind(coordinates: str) -> None:
    """The law of cosines with another length of the second bar, which is given with the question."""
    far = {"value": 0.7, "live": True}
    points = {"O": [0, 0], "A": [1, 0], "B": [f"1 + far*cos({BENT})", f"far*sin({BENT})"]}
    mechanism = lw.prepare(bars().with_(parameters={"far": far}, points=points), coordinates=coordinates)
    distance = np.linspace(0.5, 1.6, 12)
    places = np.column_stack([distance * np.cos(distance), distance * np.sin(distance)])
    for length in (0.7, 0.8):
        found = lw.solve_positions(mechanism, {"B": places}, parameters={"far": length})
        elbow = np.arccos((distance**2 - 1 - length**2) / (2 * length))
        np.testing.assert_allclose(found["A.angle"], elbow, atol=1e-7)


def test_what_guides_hold_is_where_it_is_at_the_time_of_a_state() -> None:
    """A hand at a height that grows; positions from the end of a run have the height of that time."""
    model = bars().with_(drivers={"motor": None, "hand": {"point": "lower.B", "position": [None, "0.6 + 0.1*t"]}})
    run = lw.simulate(model, until=2.0)
    found = lw.solve_positions(run, {"O": run["O.angle"][-1] + np.array([0.0, 0.01])})
    np.testing.assert_allclose(found["B.y"], 0.8, atol=1e-9)


def test_what_cannot_be_asked_is_told(tmp_path: Path) -> None:
    model = bars()
    with pytest.raises(lw.errors.RefusedError, match=r"B has the shape \(4, 3\)"):
        lw.solve_positions(model, {"B": np.zeros((4, 3))})
    with pytest.raises(lw.errors.RefusedError, match=r"as many rows each; they have: B 4, O 3"):
        lw.solve_positions(model, {"B": np.zeros((4, 2)), "O": np.zeros(3)})
    with pytest.raises(lw.errors.RefusedError, match=r"B must be finite"):
        lw.solve_positions(model, {"B": [[1.0, np.nan], [0.5, 0.5]]})
    with pytest.raises(lw.errors.RefusedError, match=r"cannot all be asked for at once"):
        lw.solve_positions(model, {"B": np.ones((2, 2)), "O": np.ones(2)})
    with pytest.raises(lw.errors.UnknownNameError, match=r"'Q' is no"):
        lw.solve_positions(model, {"Q": np.ones((2, 2))})
    found = lw.solve_positions(model, {"B": [[1.0, 0.5], [3.0, 0.0]]})
    lines = found.save(tmp_path / "found.csv").read_text().splitlines()
    assert len(lines) == 3 and "reached" in lines[0] and list(found.to_dataframe()["reached"]) == [True, False]


def test_positions_are_models_and_motions(tmp_path: Path) -> None:
    """A sample as a model starts there; the same places as inputs of kinematics, those out of reach left out and told."""
    angle = np.linspace(0.0, 2 * np.pi, 41)
    places = HOME + np.column_stack([0.25 * np.cos(angle), 0.25 * np.sin(angle), 0.0 * angle])
    places[7:9] += 5.0
    found = lw.assemble(delta(), {"platform.P": places})
    np.testing.assert_array_equal(np.flatnonzero(~found.reached), [7, 8])
    pose = lw.assemble(found.model(20))
    np.testing.assert_allclose([pose[f"P.{axis}"] for axis in "xyz"], places[20], atol=1e-8)
    with pytest.raises(lw.errors.RefusedError, match="sample 7"):
        found.model(7)
    motion = lw.solve_kinematics(delta(), {"platform.P": places}, times=0.1 * np.arange(41))
    assert motion.outcome.completed and len(motion) == 39
    kept = np.delete(places, [7, 8], axis=0)
    np.testing.assert_allclose(np.column_stack([motion[f"P.{axis}"] for axis in "xyz"]), kept, atol=1e-7)
    assert "2 of 41 places are out of reach and left out: samples 7 to 8" in " ".join(motion.notes)
    with pytest.raises(lw.errors.RefusedError, match="weights"):
        lw.assemble(delta(), {"platform.P": places}, weights={"platform.P": 2.0})
