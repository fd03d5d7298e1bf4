"""The ten mechanisms on which all formulations are compared, with a reference for each.

They come with Linkwork. The reference is made of free bodies (`free_bodies.py`); what acts on them beside gravity is
written here by hand. Runs are short, but everything moves visibly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from free_bodies import UP, Array, Body, FreeBodies, Loads, Motion, cross, no_loads

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
OUTPUTS = 4  # intervals of a run


def _motors(t: float, bodies: Mapping[str, Body]) -> dict[str, tuple[Array, Array]]:
    """A torque of 0.1 sin(i t) N m about each axis, on the link by the one before."""
    axes = {1: UP, 2: [0, 1, 0], 3: UP, 4: [0, -1, 0], 5: UP, 6: [0, 1, 0], 7: UP}
    # each axis is fixed in its own link, whose axes are those of the world in the sketch
    torques = {i: bodies[f"link{i}"].axes @ np.array(axis) * 0.1 * np.sin(i * t) for i, axis in axes.items()}
    return {f"link{i}": (np.zeros(3), torques[i] - torques.get(i + 1, np.zeros(3))) for i in axes}


def _suspension(t: float, bodies: Mapping[str, Body]) -> dict[str, tuple[Array, Array]]:
    """A spring of 60 kN/m with a damper of 3.5 kN s/m on the lower arm, a tyre of 200 kN/m under the wheel."""
    arm, upright = bodies["lower_arm"], bodies["upright"]
    # from the centres of mass: the seat of the spring, and the patch of the tyre
    seat, patch = arm.axes @ np.array([0.0 - 0.01, 0.56 - 0.52, 0.21 - 0.19]), upright.axes @ np.array([0, 0, -0.30])
    d = np.array([-0.01, 0.47, 0.62]) - (arm.centre + seat)
    length, rate = np.linalg.norm(d), -(arm.velocity + cross(arm.omega, seat))
    pull = (60e3 * (length - 0.51516) + 3500 * (d @ rate) / length) * d / length
    push = max(0.0, 200e3 * (0.018 - (upright.centre + patch)[2])) * UP
    return {"lower_arm": (pull, cross(seat, pull)), "upright": (push, cross(patch, push))}


@dataclass(frozen=True)
class Case:
    """A mechanism of the library, the length of its run, what acts on it beside gravity, and speeds at the start."""

    file: str
    until: float  # s
    loads: Loads = no_loads
    speeds: Mapping[str, float] = field(default_factory=dict)  # of joints, rad/s; instead of what the file says

    @property
    def times(self) -> Array:
        return np.linspace(0.0, self.until, OUTPUTS + 1)


TEN = {
    "four-bar": Case("four_bar", 0.5),
    "slider-crank": Case("slider_crank", 0.4),
    "spatial slider-crank": Case("spatial_slider_crank", 0.2),
    "Bricard": Case("bricard", 0.5),
    "five-link pendulum": Case("five_link_pendulum", 0.4),
    "double wishbone": Case("double_wishbone", 0.1, _suspension, {"lower": 3.0}),
    "six-bar": Case("watt_1", 0.2),
    "7R arm": Case("seven_axis_arm", 0.3, _motors),
    "rolling disc": Case("rolling_disc", 0.5),
    "gyroscope": Case("gyroscope", 0.2),
}


@cache
def model_of(name: str) -> lw.Model:
    """The model, once: what is prepared from it is remembered with it."""
    case = TEN[name]
    model = lw.load(LIBRARY / f"{case.file}.yaml")
    initial = {joint: {"speed": speed} for joint, speed in case.speeds.items()}
    return lw.Model(**{**model.to_dict(), "initial": initial}) if initial else model


@cache
def reference(name: str) -> Motion:
    """The motion of free bodies."""
    case = TEN[name]
    return FreeBodies(model_of(name), case.loads).run(case.times)
