"""Attitudes that a driver of a body asks for and no position has: the nearest one, against a search by SciPy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import linkwork as lw

Array = NDArray[np.float64]
NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"


def wrist(rotation: dict[str, float], axes: list[list[float]], size: float = 1.0, **more: Any) -> lw.Model:
    """Two revolutes at one point, about an axis of the ground and one of the fork."""
    return lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "P": [0.3 * size, 0, 0]},
        bodies={
            "fork": {"points": ["O"], "mass": 1, "inertia": [1, 1, 1]},
            "hand": {"points": ["O", "P"], "mass": 1, "inertia": [1, 1, 1], "com": "P"},
        },
        joints={
            "first": {"kind": "revolute", "bodies": ["ground", "fork"], "at": "O", "axis": axes[0]},
            "second": {"kind": "revolute", "bodies": ["fork", "hand"], "at": "O", "axis": axes[1]},
        },
        drivers={"lead": {"body": "hand", "rotation": rotation, **more}},
    )


def nearest(rotation: dict[str, float], axes: list[list[float]]) -> tuple[float, Array]:
    """The least angle to the attitude that is asked for, over both joints, and the axes there: from the best of a grid."""
    wanted = Rotation.from_euler("ZYX", [rotation["yaw"], rotation["pitch"], rotation["roll"]])
    one, two = (np.array(axis) / np.linalg.norm(axis) for axis in axes)

    def hand(x: Array) -> Rotation:
        return Rotation.from_rotvec(x[0] * one) * Rotation.from_rotvec(x[1] * two)

    def away(x: Array) -> float:
        return float((wanted.inv() * hand(x)).magnitude())

    grid = np.stack(np.meshgrid(*[np.linspace(-np.pi, np.pi, 73)] * 2), axis=-1).reshape(-1, 2)
    turned = Rotation.from_rotvec(grid[:, :1] * one) * Rotation.from_rotvec(grid[:, 1:] * two)
    starts = grid[np.argsort((wanted.inv() * turned).magnitude())[:5]]
    options = {"xatol": 1e-10, "fatol": 1e-14, "maxiter": 2000}
    found = min((minimize(away, x, method="Nelder-Mead", options=options) for x in starts), key=lambda item: item.fun)
    return float(found.fun), hand(found.x).as_matrix()


ROTATIONS = [
    {"yaw": 0.4, "pitch": 0.3, "roll": 0.5},
    {"yaw": 0.4, "pitch": 0.3, "roll": 2.5},
    {"yaw": -2.0, "pitch": 1.2, "roll": -1.0},
]
AXES = {"square": [[0, 0, 1], [0, 1, 0]], "oblique": [[1, 0, 1], [0.2, 1, 0.3]]}


@pytest.mark.matrix("rotation", "axes", "size", strength=2)
@pytest.mark.parametrize("size", [1.0, 10.0])
@pytest.mark.parametrize("axes", AXES.values(), ids=AXES)
@pytest.mark.parametrize("rotation", ROTATIONS, ids=str)
def test_the_nearest_attitude_of_a_wrist(rotation: dict[str, float], axes: list[list[float]], size: float) -> None:
    with pytest.raises(lw.errors.AssemblyError, match=r"drivers\.lead: yaw .* of hand cannot be reached") as caught:
        lw.analyse(wrist(rotation, axes, size))
    told = re.search(rf"nearest: yaw {NUMBER}, pitch {NUMBER}, roll {NUMBER} rad, {NUMBER} rad", str(caught.value))
    assert told is not None, str(caught.value)
    least, attitude = nearest(rotation, axes)
    assert float(told[4]) == pytest.approx(least, rel=1e-5)
    written = Rotation.from_euler("ZYX", [float(told[i]) for i in (1, 2, 3)]).as_matrix()
    np.testing.assert_allclose(written, attitude, atol=2e-5)


def test_a_place_and_an_attitude_that_contradict_each_other_are_both_told() -> None:
    """The point can be reached, and the attitude by itself (a third joint is missing for both)."""
    turn = {"yaw": 0.9, "pitch": 0.0, "roll": 0.0}
    place = [0.3 * np.cos(0.2), 0.3 * np.sin(0.2), 0.0]
    with pytest.raises(lw.errors.AssemblyError, match=r"drivers\.lead .*contradict each other") as caught:
        lw.analyse(wrist(turn, AXES["square"], at="P", position=place))
    assert "0.7 rad" in str(caught.value)


def test_an_angle_in_the_plane_that_is_out_of_reach() -> None:
    """The coupler of a parallelogram does not turn on the branch that is drawn; on the other it goes as far as it can."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0, 1], "B": [2, 1], "C": [2, 0]},
        bodies={
            name: {"bar": ends, "mass": 1} for name, ends in (("a", ["O", "A"]), ("c", ["A", "B"]), ("b", ["B", "C"]))
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "c"]},
            "B": {"kind": "revolute", "bodies": ["c", "b"]},
            "C": {"kind": "revolute", "bodies": ["b", "ground"]},
        },
        drivers={"lead": {"body": "c", "angle": 2.0}},
    )
    with pytest.raises(lw.errors.AssemblyError, match=r"drivers\.lead: angle 2 rad") as caught:
        lw.analyse(model)
    told = re.search(rf"nearest: angle {NUMBER} rad", str(caught.value))
    assert told is not None
    # cranks of 1 m opposed: the coupler of 2 m leans most where they stand across it
    turns = np.linspace(-np.pi, np.pi, 4001)
    reach = []
    for q in turns:
        a = np.array([np.cos(q), np.sin(q)])
        d = np.array([2.0, 0.0]) - a
        # B is 2 m from A and 1 m from C
        length = np.hypot(*d)
        along = (length**2 + 4 - 1) / (2 * length)
        if along <= 2:
            side = np.sqrt(4 - along**2)
            for sign in (1, -1):
                b = along * d / length + sign * side * np.array([-d[1], d[0]]) / length
                reach.append(np.arctan2(b[1], b[0]))
    exact = min(reach, key=lambda x: abs(2.0 - x))
    assert float(told[1]) == pytest.approx(exact, abs=2e-3)
