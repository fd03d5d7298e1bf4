"""A delta robot: three arms, and rods to a platform that only shifts; its inverse kinematics in closed form.

SOURCE: R. Clavel, "Conception d'un robot parallèle rapide à 4 degrés de liberté", thesis, EPFL 1991: with the platform at P,
every arm turns in its own plane, and its tip lies at the length of a rod from the corner of the platform:
a cos θ + b sin θ = c, two roots each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]
BASE, ARM, ROD, PLATFORM = 0.2, 0.3, 0.7, 0.06
TURNS = np.radians([0, 120, 240])
HOME = np.array([0.03, -0.02, -0.62])


def arm_angles(places: Array) -> Array:
    """Angles (N × 3) of the arms below the horizontal, elbows outside; nan where a place is out of reach."""
    found = []
    for turn in TURNS:
        across = places @ np.array([np.cos(turn), np.sin(turn), 0]) + PLATFORM - BASE
        aside = places @ np.array([-np.sin(turn), np.cos(turn), 0])
        a, b = across, -places[:, 2]
        c = (across**2 + aside**2 + places[:, 2] ** 2 + ARM**2 - ROD**2) / (2 * ARM)
        with np.errstate(invalid="ignore"):
            found.append(np.arctan2(b, a) - np.arccos(c / np.hypot(a, b)))
    return np.column_stack(found)


def delta(home: Array = HOME, rods: bool = False) -> lw.Model:
    """Drawn with its platform at a place; rods are distances, two for each arm, or bodies between balls."""
    angles = arm_angles(home[None])[0]
    solid = {"mass": 0.1, "inertia": {"box": [0.05, 0.05, 0.05]}}
    points, bodies, joints, relations = {"P": home.tolist()}, {}, {}, {}
    for i, (turn, angle) in enumerate(zip(TURNS, angles, strict=True)):
        out, side = np.array([np.cos(turn), np.sin(turn), 0]), np.array([-np.sin(turn), np.cos(turn), 0])
        hinge = BASE * out
        tip = hinge + ARM * (np.cos(angle) * out - np.sin(angle) * np.array([0, 0, 1]))
        points[f"O{i}"] = hinge.tolist()
        for half, sign in (("l", 1), ("r", -1)):
            points[f"A{i}{half}"] = (tip + 0.04 * sign * side).tolist()
            points[f"B{i}{half}"] = (home + PLATFORM * out + 0.04 * sign * side).tolist()
            if rods:
                bodies[f"rod{i}{half}"] = {"bar": [f"A{i}{half}", f"B{i}{half}"], "mass": 0.05}
                joints[f"A{i}{half}"] = {"kind": "spherical", "bodies": [f"arm{i}", f"rod{i}{half}"]}
                joints[f"B{i}{half}"] = {"kind": "spherical", "bodies": [f"rod{i}{half}", "platform"]}
            else:
                ends = [f"arm{i}.A{i}{half}", f"platform.B{i}{half}"]
                relations[f"rod{i}{half}"] = {"kind": "distance", "between": ends}
        bodies[f"arm{i}"] = {"points": [f"O{i}", f"A{i}l", f"A{i}r"], "com": f"O{i}", **solid}
        joints[f"O{i}"] = {"kind": "revolute", "bodies": ["ground", f"arm{i}"], "axis": side.tolist()}
    corners = [f"B{i}{half}" for i in range(3) for half in "lr"]
    bodies["platform"] = {"points": ["P", *corners], "com": "P", **solid}
    return lw.Model(space="spatial", name="delta", points=points, bodies=bodies, joints=joints, relations=relations)
