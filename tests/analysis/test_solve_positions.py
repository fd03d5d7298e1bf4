"""Inverse kinematics of many targets against closed forms: unreachable ones are marked, the others are in one branch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn_arms import arm, frames
from drawn_delta import ARM, BASE, HOME, PLATFORM, TURNS, arm_angles, delta
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
    """Where the platform can turn, other branches begin: places before that have the angles of the closed form, others are
    not reached, but known to have a position."""
    axes = [np.linspace(*ends, n) for ends, n in zip([(-0.8, 0.8), (-0.8, 0.8), (-1.0, -0.15)], counts, strict=True)]
    places = np.column_stack([axis.ravel() for axis in np.meshgrid(*axes)])
    exact = arm_angles(places)
    reachable = np.all(np.isfinite(exact), axis=1)
    found = lw.solve_positions(delta(rods=rods), {"platform.P": places})
    angles = np.column_stack([found[f"O{i}.angle"] for i in range(3)]) + arm_angles(HOME[None])[0]
    before = reachable & (turning(places) * turning(HOME[None]) > 0)
    assert 0.85 * np.sum(reachable) < np.sum(before) < 0.95 * np.sum(reachable)
    np.testing.assert_array_equal(found.reached, before)
    assert np.max(np.abs(wrapped(angles - exact)[before])) < 1e-6
    assert np.all(found.elsewhere[reachable & ~before]) and not np.any(found.elsewhere & before)
    assert f"{np.sum(found.elsewhere)} of the targets out of reach have positions in another branch" in str(found)


def turning(places: np.ndarray) -> np.ndarray:
    """det (sᵢ × uᵢ) of the pairs of rods along uᵢ, with corners along sᵢ: zero where the platform can turn, arms at rest."""
    rows = []
    for turn, angle in zip(TURNS, arm_angles(places).T, strict=True):
        out, side = np.array([np.cos(turn), np.sin(turn), 0]), np.array([-np.sin(turn), np.cos(turn), 0])
        tip = BASE * out + ARM * (np.cos(angle)[:, None] * out - np.sin(angle)[:, None] * np.array([0, 0, 1]))
        rows.append(np.cross(side, places + PLATFORM * out - tip))
    with np.errstate(invalid="ignore"):
        return np.linalg.det(np.stack(rows, axis=1))


@pytest.mark.parametrize("counts", [(5, 5, 5), (9, 9, 6)])
def test_a_few_places_are_reached_as_many_are(counts: tuple[int, ...]) -> None:
    """A coarse grid reaches the same places as the closed form: neighbours are far away, and singular positions near."""
    axes = [np.linspace(*ends, n) for ends, n in zip([(-0.6, 0.6), (-0.6, 0.6), (-0.95, -0.3)], counts, strict=True)]
    places = np.column_stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])
    found = lw.solve_positions(delta(), {"platform.P": places})
    reachable = np.all(np.isfinite(arm_angles(places)), axis=1)
    before = reachable & (turning(places) * turning(HOME[None]) > 0)
    np.testing.assert_array_equal(found.reached, before)
    assert np.all(found.elsewhere[reachable & ~before])


def test_one_place_alone_is_reached_round_what_is_out_of_reach() -> None:
    """The straight way from the sketch leads through the hole around the pin; each target is asked for alone."""
    model = bars()
    for angle, radius in ((-2.0, 0.5), (-2.4, 0.9), (-2.8, 0.31), (3.0, 1.69)):
        place = radius * np.array([np.cos(angle), np.sin(angle)])
        found = lw.solve_positions(model, {"B": place[None]})
        assert found.reached[0], place
        elbow = np.arccos((radius**2 - 1 - 0.49) / (2 * 0.7))
        np.testing.assert_allclose(found["A.angle"], elbow, atol=1e-7)
    for radius in (0.29, 1.71):
        found = lw.solve_positions(model, {"B": [[-radius, 0.0]]})
        assert not found.reached[0] and not found.elsewhere[0]


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_one_matrix_alone_is_one_attitude_and_one_row_is_that_of_all_samples(rows: int) -> None:
    """Three rows of a matrix are no roll, pitch and yaw of three samples, however many places there are."""
    drawn = np.array([0.3, 0.5, -0.4, 1.0, 0.9, 0.6])
    model, place = arm(drawn).with_(drivers=None), frames(drawn)[6][:3, 3]
    turn = Rotation.from_euler("ZYX", [0.1, -0.2, 0.05]).as_matrix()
    places = place + 0.01 * np.arange(rows)[:, None]
    found = lw.solve_positions(model, {"link6.P6": places, "link6.rotation": turn})
    each = lw.solve_positions(model, {"link6.P6": places, "link6.rotation": np.tile(turn, (rows, 1, 1))})
    assert len(found) == rows and found.reached.all()
    for i in range(1, 7):
        np.testing.assert_allclose(found[f"q{i}.angle"], each[f"q{i}.angle"], atol=1e-9)
    np.testing.assert_allclose(found["link6.yaw"], 0.1, atol=1e-9)
    three = lw.solve_positions(model, {"link6.rotation": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]})
    np.testing.assert_allclose(three["link6.roll"], [0.1, 0, 0], atol=1e-9)
    with pytest.raises(lw.errors.RefusedError, match=r"'link6\.rotation' is an attitude: lw\.solve_positions"):
        lw.assemble(model, {"link6.rotation": [0, 0, 0.1]})


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
        told = np.column_stack([found[f"link6.{name}"] for name in ("roll", "pitch", "yaw")])
        np.testing.assert_allclose(told, angles, atol=1e-8)
        quaternions = np.column_stack([found[f"link6.q{i}"] for i in (1, 2, 3, 0)])
        np.testing.assert_allclose(Rotation.from_quat(quaternions).as_matrix(), attitudes, atol=1e-8)
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
    np.testing.assert_allclose(turned["lower.angle"], [2.0, 1.0], atol=1e-9)
    with pytest.raises(lw.errors.UnknownNameError, match=r"of the body lower no 'angel'; did you mean 'angle'"):
        turned["lower.angel"]


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
    with pytest.raises(lw.errors.RefusedError, match=r"as many rows each, or one for all samples; they have: B 4, O 3"):
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


def test_matrices_that_are_no_rotations_are_refused_by_name_and_sample() -> None:
    """Sheared, scaled, mirrored or zero matrices have no attitude; what rounding has left over is put right."""
    drawn = np.array([0.3, 0.5, -0.4, 1.0, 0.9, 0.6])
    model = arm(drawn).with_(drivers=None)
    hand = frames(drawn)[6][:3, 3]
    turns = Rotation.from_rotvec([[0, 0, 0], [0.02, -0.01, 0.03], [0.01, 0.04, 0.0]]).as_matrix()
    sheared = np.eye(3) + 0.3 * np.eye(3, k=1)
    wrong = {
        "lengths 2, 2, 2": 2 * turns[1],
        "not perpendicular": turns[1] @ (sheared / np.linalg.norm(sheared, axis=0)),
        "left-handed": turns[1] @ np.diag([1.0, 1.0, -1.0]),
        "lengths 0, 0, 0": np.zeros((3, 3)),
    }
    for what, matrix in wrong.items():
        asked = {"link6.P6": np.tile(hand, (3, 1)), "link6.rotation": np.stack([turns[0], turns[2], matrix])}
        for verb in (lw.solve_positions, lw.assemble, lw.solve_kinematics):
            with pytest.raises(lw.errors.RefusedError, match=rf"link6\.rotation: the matrix of sample 2.*{what}"):
                verb(model, asked)
    noise = 1e-8 * np.random.default_rng(0).normal(size=(3, 3, 3))
    places = {"link6.P6": np.tile(hand, (3, 1))}
    exact, rounded = (
        lw.solve_positions(model, places | {"link6.rotation": matrices}) for matrices in (turns, turns + noise)
    )
    assert np.all(exact.reached) and np.all(rounded.reached)
    np.testing.assert_allclose(rounded["q6.angle"], exact["q6.angle"], atol=1e-6)


def test_one_place_is_one_target() -> None:
    place = HOME + [0.1, -0.05, 0.02]
    alone, row = (lw.solve_positions(delta(), {"platform.P": asked}) for asked in (place, place[None]))
    assert len(alone) == 1 and alone.reached[0]
    np.testing.assert_allclose(alone["O1.angle"], row["O1.angle"], atol=1e-12)
    np.testing.assert_allclose(lw.solve_positions(bars(), {"O": 0.3})["O.angle"], [0.3], atol=1e-12)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"plaform.P": np.zeros((4, 3))}, r"'plaform\.P'.*did you mean.*platform\.P"),
        ({"platform.rotatoin": np.zeros((4, 3))}, r"'platform\.rotatoin'.*did you mean 'rotation'"),
        ({"platform.rotatoin": np.zeros((4, 3, 3))}, r"did you mean 'rotation'"),
        ({"platform": np.zeros((4, 3))}, r"'platform' is a body: name one of its points \('platform\.P'.*rotation'"),
        ({"platform.P.x": np.zeros(4)}, r"a component of a point: give 'platform\.P' its places"),
        ({"O1.angle": np.zeros((4, 3))}, r"O1.angle is a coordinate: give one value for each sample"),
    ],
)  # fmt: skip
def test_names_of_targets_that_are_none_are_told_with_the_one_that_is_meant(asked: dict, told: str) -> None:
    with pytest.raises((lw.errors.UnknownNameError, lw.errors.RefusedError), match=told):
        lw.solve_positions(delta(), asked)


def test_formulas_of_places_are_told_to_be_those_of_drivers() -> None:
    times = np.linspace(0, 1, 5)
    for verb in (lw.inverse_dynamics, lw.solve_kinematics):
        told = r"'platform\.P' is a point: give its places.*N × 3.*point: platform\.P"
        with pytest.raises(lw.errors.LinkworkError, match=told):
            verb(delta(), {"platform.P": ["0.1*t", "0", "-0.6"]}, times=times)
        told = r"'platform\.rotation' is the attitude.*body: platform, rotation: \{roll"
        with pytest.raises(lw.errors.LinkworkError, match=told):
            verb(delta(), {"platform.rotation": ["0", "0", "t"]}, times=times)


def test_a_point_that_is_led_out_of_reach_is_named_once() -> None:
    pull = {"hand": {"point": "lower.B", "position": ["1.35 + t", "0.6062"]}}
    run = lw.simulate(bars().with_(drivers={"motor": None, **pull}), until=1)
    assert run.outcome.time < 0.4
    assert "dead centre: hand can go no further" in str(run.outcome)
