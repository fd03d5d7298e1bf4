"""The suspension of the gallery against six distances solved by SciPy: an upright that hangs on two arms and a tie rod."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

import linkwork as lw

PAGE = Path(__file__).parents[2] / "examples" / "vehicles" / "plot_suspension.py"
ON_UPRIGHT = ("L", "U", "arm", "axle", "patch", "centre")


@cache
def model() -> lw.Model:
    return lw.loads(re.findall(r'lw\.loads\("""(.*?)"""\)', PAGE.read_text(encoding="utf-8"), re.DOTALL)[0])


def drawn() -> dict[str, np.ndarray]:
    return {name: np.array([float(x.value) for x in place]) for name, place in model().points.items()}


def solved(travel: float, rack: float) -> dict[str, np.ndarray]:
    """Places of the upright: each ball joint keeps its distances from both hinges of its arm, the rod its length."""
    at = drawn()
    ties = [("L", "LF"), ("L", "LR"), ("U", "UF"), ("U", "UR"), ("arm", "R")]
    moved = {**at, "R": at["R"] + [0.0, rack, 0.0]}

    def places(x: np.ndarray) -> dict[str, np.ndarray]:
        turn = Rotation.from_rotvec(x[3:]).as_matrix()
        return {name: at["centre"] + x[:3] + turn @ (at[name] - at["centre"]) for name in ON_UPRIGHT}

    def open_gaps(x: np.ndarray) -> list[float]:
        now = places(x)
        gaps = [np.linalg.norm(now[a] - moved[b]) - np.linalg.norm(at[a] - at[b]) for a, b in ties]
        return [*gaps, now["centre"][2] - at["centre"][2] - travel]

    found = fsolve(open_gaps, np.array([0, 0, travel, 0, 0, 0]), xtol=1e-12)
    assert np.max(np.abs(open_gaps(found))) < 1e-13
    return places(found)


@pytest.mark.parametrize(("bump", "steer"), [(0.06, 0.0), (0.0, 0.04)])
def test_places_and_measures(bump, steer):
    run = lw.solve_kinematics(model(), times=[0.0, 0.3, 0.8, 1.0], parameters={"bump": bump, "steer": steer})
    # evaluated together
    run.values([*model().outputs, *(f"{name}.{axis}" for name in ON_UPRIGHT for axis in "xyz")])
    for i, t in enumerate(run.time):
        now = solved(bump * (2 * t - 1), steer * (2 * t - 1))
        for name in ON_UPRIGHT:
            np.testing.assert_allclose([run[f"{name}.{axis}"][i] for axis in "xyz"], now[name], atol=1e-9)
        axis, pin = (now["axle"] - now["centre"]) / 0.1, now["U"] - now["L"]
        assert run["camber"][i] == pytest.approx(-np.arcsin(axis[2]), abs=1e-8)
        assert run["toe_in"][i] == pytest.approx(np.arctan2(axis[0], axis[1]), abs=1e-8)
        assert run["caster"][i] == pytest.approx(np.arctan2(-pin[0], pin[2]), abs=1e-8)
        assert run["inclination"][i] == pytest.approx(np.arctan2(-pin[1], pin[2]), abs=1e-8)


def test_the_roll_centre_is_the_slope_of_the_way_of_the_contact():
    run = lw.solve_kinematics(model(), times=[0.0, 0.5, 1.0], parameters={"bump": 0.06})
    h = 1e-4
    steps = [solved(k * h, 0.0)["patch"] for k in (-2, -1, 1, 2)]
    slope = (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)
    assert run["roll_centre"][1] == pytest.approx(0.75 * slope[1] / slope[2], abs=1e-7)
    # the line from the contact through it meets the instant centre
    pole = np.array([run["pole_y"][1], run["pole_z"][1]])
    assert pole[1] == pytest.approx(run["roll_centre"][1] * (0.75 - pole[0]) / 0.75, abs=2e-3)
