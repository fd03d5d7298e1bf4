"""An arm with sixteen postures, drawn anywhere.

SOURCE: R. Manseur, K. L. Doty, "A robot manipulator with 16 real inverse kinematic solution sets", Int. J. Robotics Research
8 (1989), in parameters of Denavit and Hartenberg; orientations by SciPy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import linkwork as lw

Array = NDArray[np.float64]
SOLID = {"mass": 1, "inertia": {"box": [0.1, 0.1, 0.1]}}
A, D = [0.3, 1, 0, 1.5, 0, 0], [0, 0, 0.2, 0, 0, 0]
TWIST = np.radians([90, 1, 90, 1, 90, 0])
PLACE_OF_HAND = np.array([-1.140175, 0, 0])
TURN = Rotation.from_matrix(
    [[-0.760117, -0.641689, 0.102262], [0.133333, 0, 0.991071], [-0.635959, 0.766965, 0.085558]]
)


def angles_of(turn: Rotation) -> dict[str, float]:
    return dict(zip(("yaw", "pitch", "roll"), map(float, turn.as_euler("ZYX")), strict=True))


def frames(q: Array) -> list[Array]:
    found = [np.eye(4)]
    for angle, a, d, twist in zip(q, A, D, TWIST, strict=True):
        step = np.eye(4)
        step[:3, :3] = (Rotation.from_euler("z", angle) * Rotation.from_euler("x", twist)).as_matrix()
        step[:3, 3] = a * np.cos(angle), a * np.sin(angle), d
        found.append(found[-1] @ step)
    return found


def arm(q: Array, **how: object) -> lw.Model:
    """The arm drawn at some angles, its hand held where it has sixteen postures."""
    drawn = frames(q)
    names = ["ground", *(f"link{i}" for i in range(1, 7))]
    turn = TURN * Rotation.from_matrix(drawn[6][:3, :3]).inv()
    return lw.Model(
        space="spatial",
        points={f"P{i}": drawn[i][:3, 3].tolist() for i in range(7)},
        bodies={names[i]: {"points": [f"P{i - 1}", f"P{i}"], "com": f"P{i}", **SOLID} for i in range(1, 7)},
        joints={
            f"q{i + 1}": {
                "kind": "revolute",
                "bodies": names[i : i + 2],
                "at": f"P{i}",
                "axis": drawn[i][:3, 2].tolist(),
            }
            for i in range(6)
        },
        drivers={
            "hold": {"body": "link6", "at": "P6", "position": PLACE_OF_HAND.tolist(), "rotation": angles_of(turn)}
        },
        **how,
    )
