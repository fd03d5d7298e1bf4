"""The mechanisms that are timed."""

from __future__ import annotations

import linkwork as lw

FOUR_BAR = """\
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0.6, 0.8], B: [2.9, 1.9], C: [2.2, 0]}
bodies:
  crank:   {bar: [O, A], length: 1.0, mass: 1 kg}
  coupler: {bar: [A, B], length: 2.5, mass: 2 kg}
  rocker:  {bar: [C, B], length: 2.0, mass: 1.5 kg}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
initial: {O: {speed: 2 rad/s}}
"""


def four_bar() -> lw.Model:
    return lw.loads(FOUR_BAR)


def seven_axis_arm() -> lw.Model:
    """An arm of seven revolute joints with alternating axes; dimensions like those of a light industrial robot."""
    heights = [0.0, 0.34, 0.54, 0.74, 0.94, 1.14, 1.24, 1.366]
    masses = [3.45, 3.48, 4.06, 3.48, 2.16, 2.32, 0.32]
    axes = [[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]]
    names = ["ground"] + [f"link{i}" for i in range(1, 8)]
    bodies = {
        f"link{i + 1}": {
            "points": {f"J{i + 1}": [0, 0, 0], f"J{i + 2}": [0, 0, heights[i + 1] - heights[i]]},
            "mass": masses[i],
            "com": [0.0, 0.02 * (-1) ** i, 0.5 * (heights[i + 1] - heights[i])],
            "inertia": [0.02 * masses[i], 0.018 * masses[i], 0.006 * masses[i]],
        }
        for i in range(7)
    }
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={f"J{i + 1}": [0, 0, height] for i, height in enumerate(heights)},
        bodies=bodies,
        joints={
            f"J{i + 1}": {"kind": "revolute", "bodies": [names[i], names[i + 1]], "axis": axes[i]} for i in range(7)
        },
        forces={f"motor{i}": {"kind": "effort", "joint": f"J{i}", "value": f"0.1*sin({i}*t)"} for i in range(1, 8)},
        initial={f"J{i + 1}": {"angle": 0.3 * (i + 1) * (-1) ** i, "speed": 0.2 * i} for i in range(7)},
    )
