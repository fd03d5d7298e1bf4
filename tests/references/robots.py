"""A robot of six revolute joints whose tool is led along an ellipse, its orientation held.

SOURCE: the problem is that of J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, Springer
1994, figure 3.13 and table 3.1, which gives no dimensions: these are of the size of a small industrial robot.
"""

from __future__ import annotations

import linkwork as lw

POINTS = {
    "base": [0, 0, 0],
    "shoulder": [0, 0, 0.4],
    "elbow": [0.2, 0, 0.8],
    "wrist": [0.6, 0, 0.6],
    "hand": [0.6, 0, 0.5],
    "tool": [0.65, 0, 0.4],
}
AXES = {
    "base": [0, 0, 1],
    "shoulder": [0, 1, 0],
    "elbow": [0, 1, 0],
    "forearm": [2, 0, -1],
    "wrist": [0, 1, 0],
    "hand": [0, 0, 1],
}


def six_axis_robot(**more: object) -> lw.Model:
    """The robot, its tool on an ellipse with half axes of 100 and 200 mm that begins where it is drawn."""
    tool = ["0.55 + 0.1*cos(2*pi*t)", "0.2*sin(2*pi*t)", "0.35 + 0.05*cos(2*pi*t)"]
    links = ["ground", "column", "arm", "elbow_link", "forearm", "wrist_link", "flange"]
    names = ("base shoulder", "shoulder elbow", "elbow", "elbow wrist", "wrist hand", "hand tool")
    ends = [item.split() for item in names]
    joints = {
        f"j{i + 1}": {
            "kind": "revolute",
            "bodies": links[i : i + 2],
            "at": "elbow" if name == "forearm" else name,
            "axis": axis,
        }
        for i, (name, axis) in enumerate(AXES.items())
    }
    bodies = {
        name: {"points": points, "mass": 1, "com": points[0], "inertia": [0.01, 0.01, 0.01]}
        for name, points in zip(links[1:], ends, strict=True)
    }
    guide = {"body": "flange", "at": "tool", "position": tool, "rotation": {"roll": 0, "pitch": 0, "yaw": 0}}
    return lw.Model(
        **{"space": "spatial", "points": POINTS, "bodies": bodies, "joints": joints, "drivers": {"tool": guide}, **more}
    )
