"""Sketches that are far from where a driver holds a body: every joint is closed the right way round, or it is told.

A condition that is a cosine holds also where an axis points the other way. Orientations by SciPy.
"""

from __future__ import annotations

import numpy as np
import pytest
from drawn_arms import SOLID, TURN, Array, angles_of, arm, frames
from scipy.spatial.transform import Rotation

import linkwork as lw


def wrist(turn: Rotation) -> lw.Model:
    """Three revolutes about z, y and x at one point."""
    names = ("ground", "first", "second", "hand")
    return lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "P": [0.2, 0.1, 0.3]},
        bodies={name: {"points": ["O", "P"], "com": "P", **SOLID} for name in names[1:]},
        joints={
            letter: {"kind": "revolute", "bodies": [names[i], names[i + 1]], "at": "O", "axis": axis}
            for i, (letter, axis) in enumerate(zip("ZYX", ([0, 0, 1], [0, 1, 0], [1, 0, 0]), strict=True))
        },
        drivers={"hold": {"body": "hand", "rotation": angles_of(turn)}},
    )


def holds(q: Array, poses: dict) -> bool:
    """Whether all axes of the arm stay together and its hand is where it is wanted."""
    drawn = frames(q)
    axes = [np.eye(3), *(poses[f"link{i}"].axes for i in range(1, 7))]
    apart = [(axes[i] - axes[i + 1]) @ drawn[i][:3, 2] for i in range(6)]
    hand = axes[6] @ drawn[6][:3, :3] - TURN.as_matrix()
    return bool(max(np.max(np.abs(apart)), np.max(np.abs(hand))) < 1e-9)


TURNS = [(yaw, 0.0, 0.0) for yaw in (1.5, 1.6, 2.0, 3.0, np.pi, -np.pi, -2.5)]
TURNS += [(0.0, 0.0, np.pi), (2.0, 1.2, -2.9), (-3.0, -1.5, 3.0), (np.pi, 0.4, np.pi)]


@pytest.mark.parametrize("angles", TURNS)
def test_a_wrist_follows_its_driver_by_any_angle(angles: tuple[float, float, float]) -> None:
    turn = Rotation.from_euler("ZYX", angles)
    topology = lw.analyse(wrist(turn))
    axes = {name: pose.axes for name, pose in topology.assembly.poses.items()}
    np.testing.assert_allclose(axes["hand"], turn.as_matrix(), atol=1e-10)
    before = np.eye(3)
    for i, name in zip((2, 1, 0), ("first", "second", "hand"), strict=True):
        np.testing.assert_allclose(axes[name][:, i], before[:, i], atol=1e-10)
        before = axes[name]
    assert topology.assembly.residual < 1e-10


def test_a_wrist_far_from_its_sketch_runs() -> None:
    result = lw.simulate(wrist(Rotation.from_euler("z", 2.0)), until=0.1)
    assert result.outcome.completed
    np.testing.assert_allclose(result["Z.angle"], 2.0, atol=1e-9)


# kinds of joints, and what they leave alike in two bodies: all axes, or their common z
ALIKE = {"fixed": (0, 1, 2), "prismatic": (0, 1, 2), "revolute": (2,), "cylindrical": (2,), "planar": (2,)}
ALIKE |= {"parallel": (2,), "helical": (2,)}


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", [*ALIKE, "universal", "constant_velocity"])
@pytest.mark.parametrize(
    "turn", [Rotation.from_rotvec(2.6 * np.array(n)) for n in ([1, 0, 0], [0, 0.6, 0.8], [0, 0, 1])]
)
def test_what_hangs_on_a_turned_body_follows_the_right_way_round(kind: str, turn: Rotation) -> None:
    axes = {"universal": {"axes": [[0, 0, 1], [1, 0, 0]]}, "fixed": {}}.get(kind, {"axis": [0, 0, 1]})
    own = {"kind": kind, "at": "O", **axes, **({"pitch": 0.1} if kind == "helical" else {})}
    held = {"parent": 0, "child": 1}
    for which, i in held.items():
        bodies = ["hand", "load"] if i == 0 else ["load", "hand"]
        model = lw.Model(
            space="spatial",
            points={"O": [0, 0, 0], "P": [0.2, 0.1, 0.3]},
            bodies={name: {"points": ["O", "P"], "com": "P", **SOLID} for name in bodies},
            joints={"J": {**own, "bodies": bodies}},
            drivers={"hold": {"body": "hand", "rotation": angles_of(turn)}},
        )
        poses = lw.analyse(model).assembly.poses
        np.testing.assert_allclose(poses["hand"].axes, turn.as_matrix(), atol=1e-10, err_msg=which)
        first, second = (poses[name].axes for name in bodies)
        np.testing.assert_allclose(first[:, ALIKE.get(kind, ())], second[:, ALIKE.get(kind, ())], atol=1e-9)
        if kind == "constant_velocity":
            z, w = Rotation.from_matrix(first.T @ second).as_quat()[2:]
            assert abs(z) < 1e-9 < abs(w)


def test_an_arm_is_right_from_anywhere_or_it_is_told() -> None:
    random, told = np.random.default_rng(5), 0
    for _ in range(25):
        q = random.uniform(-np.pi, np.pi, 6)
        try:
            assert holds(q, lw.analyse(arm(q)).assembly.poses)
        except lw.errors.AssemblyError:
            told += 1
    assert told <= 1
