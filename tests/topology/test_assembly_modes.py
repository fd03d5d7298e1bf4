"""All assembly modes: counted, against exact solutions, and against a blind search on the poses of all bodies."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra.rotations import nearest_rotation
from linkwork.position.geometry import GROUND, Pose
from linkwork.position.poses import planar_pose, wrap
from linkwork.topology.topology import Topology

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
Poses = dict[str, Pose]


def library(name: str) -> lw.Model:
    return lw.load(LIBRARY / f"{name}.yaml")


def rggp() -> lw.Model:
    """A crank leads a slider through a rod between two balls: the spin of the rod is free, its loop needs iteration."""
    return lw.Model(
        space="spatial",
        points={"O": [0, 0.1, 0.12], "A": [0, 0.1, 0.2], "B": [0.22, 0, 0], "S": [0, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 0.12, "radius": 0.01},
            "rod": {"bar": ["A", "B"], "mass": 0.5, "radius": 0.012},
            "slider": {"points": ["B"], "mass": 2, "inertia": {"box": [0.05, 0.04, 0.03]}},
        },
        joints={
            "O": linkages.revolute("ground", "crank", axis=[1, 0, 0]),
            "A": {"kind": "spherical", "bodies": ["crank", "rod"]},
            "B": {"kind": "spherical", "bodies": ["rod", "slider"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["S", "B"], "axis": [1, 0, 0]},
        },
    )


COUNTS = [
    (mechanisms.four_bar, 2),
    (mechanisms.spatial_four_bar, 2),
    (lambda: library("watt_1"), 4),
    (lambda: library("watt_2"), 2),
    (lambda: library("stephenson_1"), 4),
    (lambda: library("stephenson_2"), 4),
    (lambda: library("stephenson_3"), 4),
    (lambda: library("slider_crank"), 2),
    (lambda: library("spherical_four_bar"), 2),
    (lambda: library("rggr"), 2),
    (lambda: library("rccc"), 2),
    (lambda: library("rgrrr"), 4),
    (lambda: library("rgcr"), 2),
    (linkages.spatial_slider_crank, 4),
    (rggp, 2),
    (lambda: mechanisms.n_four_bar(1), 2),
    (mechanisms.geared_rotors, 1),
    (mechanisms.simple_pendulum, 1),
    (linkages.floating_pair, 1),
]


@pytest.mark.parametrize(("make", "count"), COUNTS)
def test_every_mode_is_closed_and_one_is_in_use(make: Any, count: int) -> None:
    topology = lw.analyse(make())
    modes = lw.assembly_modes(topology)
    assert len(modes) == count
    assert modes.complete == topology.plan.closed
    assert sum(mode.in_use for mode in modes) == 1
    assert all(mode.residual < 1e-10 for mode in modes)
    assert len({mode.name for mode in modes}) == count
    used = modes.in_use
    assert used is not None and distance(topology, used.poses, topology.assembly.poses) < 1e-9
    assert {**used.branches, **used.found}.keys() == set(modes.blocks)
    assert topology.branches == used.branches
    for i, mode in enumerate(modes):
        for other in modes[:i]:
            assert distance(topology, mode.poses, other.poses) > 1e-3


def distance(topology: Topology, first: Any, second: Any) -> float:
    """Largest distance of the joints of two positions, and of the axes of bodies that cannot spin freely."""
    spinning = set(topology.planner.passive)
    gaps = [
        np.abs(end(topology, first, name, side) - end(topology, second, name, side)) / topology.conditions.length
        for name in topology.geometry.joints
        for side in "ab"
    ]
    gaps += [np.abs(first[name].axes - second[name].axes) for name in topology.geometry.bodies if name not in spinning]
    return max(float(gap.max()) for gap in gaps)


def end(topology: Topology, poses: Any, joint: str, side: str) -> np.ndarray:
    declared = topology.geometry.joints[joint]
    body, frame = (declared.parent, declared.a) if side == "a" else (declared.child, declared.b)
    local = np.atleast_1d(topology.geometry.number(frame.origin))
    return local if body == GROUND else poses[body].point(local)


def test_the_two_modes_of_a_four_bar_are_where_two_circles_meet() -> None:
    topology = lw.analyse(mechanisms.four_bar())
    modes = lw.assembly_modes(topology)
    a, c = complex(0.6, 0.8), complex(2.2, 0)
    d = abs(c - a)
    along = (d**2 + 2.5**2 - 2.0**2) / (2 * d)
    across = np.sqrt(2.5**2 - along**2)
    for mode, side in zip(modes, (1, -1), strict=True):
        assert mode.branches == {"A-B-C": "left" if side > 0 else "right"}
        place = a + (c - a) / d * (along + 1j * side * across)
        np.testing.assert_allclose(end(topology, mode.poses, "B", "a"), [place.real, place.imag], atol=1e-12)


def test_a_crossed_parallelogram_is_symmetric() -> None:
    topology = lw.analyse(mechanisms.n_four_bar(1))
    uncrossed, crossed = lw.assembly_modes(topology)
    assert (uncrossed.name, crossed.name) == ("uncrossed", "crossed") and uncrossed.in_use
    foot, top, pin = np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, 0.0])
    corner = end(topology, crossed.poses, "right0", "a")
    # the antiparallelogram: its diagonals are parallel, here the sides top-corner and foot-pin cross each other
    assert np.cross(np.append(corner - foot, 0), np.append(top - pin, 0))[2] == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(corner - top) == pytest.approx(1.0) and np.linalg.norm(corner - pin) == pytest.approx(1.0)
    assert np.linalg.norm(corner - [1.0, 1.0]) > 0.5


def test_two_branches_that_meet_are_one_mode_in_a_dead_centre() -> None:
    """Three squares in a row: where one is crossed, its rod lies on the ground and the next square is flat."""
    modes = lw.assembly_modes(mechanisms.n_four_bar(3))
    _, second, third = modes.blocks
    assert [(mode.name, mode.dead_centres) for mode in modes] == [
        ("uncrossed, uncrossed, uncrossed", ()),
        ("uncrossed, uncrossed, crossed", ()),
        ("uncrossed, crossed, uncrossed", (third,)),
        ("crossed, uncrossed, uncrossed", (second, third)),
    ]
    assert f"dead centre of {second}, {third}" in " ".join(str(modes).split())


def test_a_link_between_two_balls_may_be_turned_right_round() -> None:
    """The tip of the crank lies in the plane of the rocker's circle, midway between its two crossings with the rod."""
    model = lw.Model(
        space="spatial",
        points={"O": [0.6, 1, 0], "A": [0.6, 0, 0], "B": [0.6, 0, 0.8], "C": [0, 0, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1, "radius": 0.05},
            "rod": {"bar": ["A", "B"], "mass": 1, "radius": 0.05},
            "rocker": {"bar": ["C", "B"], "mass": 1, "radius": 0.05},
        },
        joints={
            "O": linkages.revolute("ground", "crank", axis=[0, 0, 1]),
            "A": {"kind": "spherical", "bodies": ["crank", "rod"]},
            "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
            "C": linkages.revolute("ground", "rocker", axis=[0, 1, 0]),
        },
    )
    modes = lw.assembly_modes(model)
    heights = sorted(float(mode.poses["rocker"].point(np.array([1.0, 0, 0]))[2]) for mode in modes)
    np.testing.assert_allclose(heights, [-0.8, 0.8], atol=1e-12)


def test_a_screw_keeps_its_turn() -> None:
    """The ball of the rod lies on the axis of the nut: two heights with the same distance, two attitudes at each."""
    data = linkages.screw_crank(initial={}).to_dict()
    topology = lw.analyse(lw.Model(**data, drivers={"motor": {"joint": "C", "position": 0}}))
    modes, c = lw.assembly_modes(topology), topology.conditions
    at = c.index("screw", "angle")
    angles = sorted(c.evaluate(mode.poses, topology.geometry.defaults)[2][at] for mode in modes)
    # the nut 50 mm below the ball of the crank, or as much above it; 300 mm a turn
    np.testing.assert_allclose(angles, [0, 0, 2 * np.pi / 3, 2 * np.pi / 3], atol=1e-9)
    assert not modes.complete


def test_a_block_that_moves_on_with_its_inputs_held_counts_once() -> None:
    """Folded together, each pair of Sarrus' plates turns about its hinge on the ground: one mode of many positions."""
    topology = lw.analyse(linkages.sarrus())
    modes = lw.assembly_modes(topology)
    tops = sorted(round(float(mode.poses["top"].origin[2]), 9) for mode in modes)
    assert tops == [0.0, 1.0, 1.0]
    assert all(mode.residual < 1e-10 for mode in modes)


def test_modes_with_other_lengths() -> None:
    data = mechanisms.four_bar().to_dict()
    data["parameters"] = {"l": {"value": 2.5, "live": True}}
    data["bodies"]["coupler"]["length"] = "l"
    topology = lw.analyse(lw.Model(**data))
    for length in (2.3, "2.7 m"):
        modes = lw.assembly_modes(topology, parameters={"l": length})
        assert len(modes) == 2
        for mode in modes:
            local = topology.geometry.bodies["coupler"].points["B"]
            tip = topology.geometry.number(local, np.array([float(str(length).split()[0])]))
            pin = mode.poses["rocker"].point(np.array([2.0, 0.0]))
            np.testing.assert_allclose(mode.poses["coupler"].point(tip), pin, atol=1e-10)
            np.testing.assert_allclose(mode.poses["crank"].point(np.array([1.0, 0.0])), [0.6, 0.8], atol=1e-10)


def test_the_modes_can_be_cut_off() -> None:
    modes = lw.assembly_modes(mechanisms.n_four_bar(3), max_modes=2)
    assert len(modes) == 2 and not modes.complete
    assert "there may be more" in str(modes)


def test_they_print_as_a_table() -> None:
    text = str(lw.assembly_modes(library("watt_1")))
    assert text.splitlines()[0] == "4 assembly modes of watt_1 with O.angle = 65.2249 deg"
    assert [line.split() for line in text.splitlines()[1:3]] == [["A-B-C", "D-F-E"], ["1", "left", "left", "in", "use"]]
    assert str(lw.assembly_modes(mechanisms.simple_pendulum())).splitlines()[1].split() == ["1", "in", "use"]


def test_they_are_tabulated_and_saved(tmp_path: Path) -> None:
    modes = lw.assembly_modes(library("watt_1"))
    frame = modes.to_dataframe()
    assert list(frame.columns) == ["A-B-C", "D-F-E", "remark"] and frame.loc[1, "remark"] == "in use"
    lines = list(csv.reader(modes.save(tmp_path / "modes.csv").read_text().splitlines()))
    assert lines[:2] == [["mode", "A-B-C", "D-F-E", "remark"], ["1", "left", "left", "in use"]] and len(lines) == 5


# -- a blind search: Gauss-Newton on the conditions of all joints and the held inputs, from bodies thrown anywhere ----------


def blind_search(topology: Topology, starts: int) -> list[Poses]:
    """Distinct positions with the inputs of the plan where they are assembled."""
    c, p = topology.conditions, topology.geometry.defaults
    evaluate = c.evaluator(p)
    names = [topology.planner.name_of(key).split(".") for key in (*topology.plan.inputs, *topology.plan.driven)]
    held = [c.index(*name) for name in names]
    wanted = evaluate(topology.assembly.poses)[2][held]
    rng = np.random.default_rng(1)
    found: list[Poses] = []
    for _ in range(starts):
        poses = thrown(topology, rng)
        for _ in range(60):
            phi, jacobian, values, rates = evaluate(poses)
            phi = np.where(np.abs(phi) > np.pi, wrap(phi), phi)
            residual = np.concatenate([phi, wrap(values[held] - wanted)])
            if np.max(np.abs(residual)) < 1e-12:
                break
            step = -np.linalg.lstsq(np.vstack([jacobian, rates[held]]), residual, rcond=1e-9)[0]
            poses = c.move(poses, step * min(1.0, 0.6 / float(np.max(np.abs(step)))))
        closed = np.max(np.abs(residual)) < 1e-11 and right_way_round(topology, poses)
        if closed and all(distance(topology, poses, other) > 1e-6 for other in found):
            found.append(poses)
    return found


def thrown(topology: Topology, rng: np.random.Generator) -> Poses:
    c, poses = topology.conditions, {}
    # what slides on the ground cannot turn
    guided = {joint.child for joint in topology.geometry.joints.values() if joint.kind.name == "prismatic"}
    for name, pose in topology.assembly.poses.items():
        origin = pose.origin + c.length * rng.normal(0, 0.5, len(pose.origin))
        if pose.angle is not None:
            poses[name] = planar_pose(origin, rng.uniform(-np.pi, np.pi))
        else:
            turn = nearest_rotation(rng.normal(size=(3, 3)))
            poses[name] = Pose(origin, pose.axes if name in guided else turn)
    return poses


def right_way_round(topology: Topology, poses: Poses) -> bool:
    """The conditions of a spatial joint hold as well where its axis points the other way: z_a·z_b = −1."""
    for joint in topology.geometry.joints.values():
        if topology.geometry.space.planar or joint.kind.name in ("spherical", "universal"):
            continue
        turns = []
        for body, frame in ((joint.parent, joint.a), (joint.child, joint.b)):
            local = topology.geometry.number(frame.axes)
            turns.append(local if body == GROUND else poses[body].axes @ local)
        if turns[0][:, 2] @ turns[1][:, 2] < 0 or (
            joint.kind.name == "prismatic" and turns[0][:, 0] @ turns[1][:, 0] < 0
        ):
            return False
    return True


def assert_same(topology: Topology, found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Both ways: every expected position was found, and none was invented."""
    assert len(found) == len(expected)
    for one, others in [(p, found) for p in expected] + [(p, expected) for p in found]:
        assert min(distance(topology, one, other) for other in others) < 1e-6


@pytest.mark.parametrize(
    ("make", "starts"),
    [
        (mechanisms.four_bar, 60),
        (lambda: library("slider_crank"), 80),
        (lambda: library("quick_return"), 120),
        (lambda: library("stephenson_3"), 150),
        (lambda: library("watt_1"), 150),
        (lambda: library("rggr"), 60),
        (lambda: library("rccc"), 120),
        (lambda: library("rgrrr"), 250),
        (linkages.spatial_slider_crank, 150),
        (lambda: library("eight_bar"), 200),
        (rggp, 60),
    ],
)
def test_a_blind_search_finds_the_same_modes(make: Any, starts: int) -> None:
    topology = lw.analyse(make())
    modes = lw.assembly_modes(topology)
    assert_same(topology, blind_search(topology, starts), [mode.poses for mode in modes])
