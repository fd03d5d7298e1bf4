"""Mechanisms of the gallery against exact formulas and published numbers, in every kind of coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from combinations import every_kind
from scipy.optimize import brentq

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"


def load(name: str, **changes: Any) -> lw.Model:
    """A model of the library, with other declarations."""
    return lw.Model(**{**lw.load(LIBRARY / f"{name}.yaml").to_dict(), **changes})


def track(result: lw.Result, point: str) -> np.ndarray:
    """Positions (3, N)."""
    return np.stack([result[f"{point}.{axis}"] for axis in "xyz"])


@every_kind
def test_a_level_gyroscope_precesses_steadily(kind: str) -> None:
    """With a level axis Ω = m g l / (C n) is exact: the axis stays level, and the outer ring keeps its rate."""
    rate = 0.2 * 9.81 * 0.05 / (0.5 * 0.05**2 / 2 * 100)
    result = lw.simulate(
        load("gyroscope"), 2.0, step=0.1, parameters={"start": rate}, coordinates=kind, rtol=1e-10, atol=1e-12
    )
    np.testing.assert_allclose(result["precession.angle"], rate * result.time, atol=1e-8)
    np.testing.assert_allclose(result["inner.z"], 0.0, atol=1e-9)
    np.testing.assert_allclose(result["spindle.speed"], 100, rtol=1e-9)


@every_kind
def test_sarrus_platform_falls_on_its_line_as_one_freedom(kind: str) -> None:
    """Energy of the height h alone, plates of length l at sin β = h/2l: T = ½ m(h) ḣ²."""
    result = lw.simulate(load("sarrus"), 0.5, step=0.02, coordinates=kind, rtol=1e-10, atol=1e-12)
    h, speed = result["T.z"], result["T.vz"]
    # lower plates turn with β̇ = ḣ / (2 l cos β); upper ones also rise: their centres at 3h/4, and as far out
    length, mass = 0.2, 0.4
    turning = mass * (length**2 + 0.008**2) / 12 / (4 * (length**2 - h**2 / 4))
    outward = mass * h**2 / (64 * (length**2 - h**2 / 4))
    plates = 4 * (turning + outward) + 2 * mass * (1 + 9) / 16
    energy = (3 + plates) * speed**2 / 2 + (3 + 4 * mass / 2) * 9.81 * h + 450 / 2 * (h - 0.3) ** 2
    np.testing.assert_allclose(energy, energy[0], atol=2e-8)
    np.testing.assert_allclose(track(result, "T")[:2], 0.0, atol=1e-9)
    assert np.ptp(h) > 0.15


@every_kind
def test_stewart_platform_follows_its_struts_and_they_carry_it(kind: str) -> None:
    result = lw.simulate(load("stewart_platform"), 1.0, step=0.05, coordinates=kind)
    angle = 2 * np.pi * result.time
    wanted = [0.1 * np.sin(angle), 0.1 - 0.1 * np.cos(angle), 0.6 + 0.02 * np.sin(2 * angle)]
    np.testing.assert_allclose(track(result, "G"), wanted, atol=1e-12)
    centre, load_ = track(result, "G"), np.zeros((6, len(angle)))
    for i in range(1, 7):
        top = track(result, f"B{i}")
        leg = track(result, f"A{i}") - top
        pull = result[f"leg{i}.tension"] * leg / np.linalg.norm(leg, axis=0)
        load_ += np.vstack([pull, np.cross(top - centre, pull, axis=0)])
    rise = -0.02 * (4 * np.pi) ** 2 * np.sin(2 * angle)
    circle = 0.1 * (2 * np.pi) ** 2 * np.stack([-np.sin(angle), np.cos(angle)])
    np.testing.assert_allclose(load_, 25 * np.vstack([circle, rise + 9.81, np.zeros((3, len(angle)))]), atol=1e-9)


# centre of the wheel, ball joints and tie rod of the upright; the hinges of the arms; the rack
UPRIGHT = np.array([[0, 0.75, 0.30], [0.01, 0.70, 0.18], [-0.02, 0.67, 0.47], [-0.13, 0.69, 0.225], [0, 0.85, 0.30]])
LOWER, UPPER = (np.array([0.15, 0.36, 0.20]), [0.33, 0, 0.01]), (np.array([0.12, 0.44, 0.45]), [0.24, 0, 0.01])
RACK = np.array([-0.12, 0.38, 0.236])


def turned(vector: np.ndarray, axis: Any, angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    u = np.array(axis) / np.linalg.norm(axis)
    return vector * np.cos(angle) + np.cross(u, vector) * np.sin(angle) + np.outer(vector @ u, u) * (1 - np.cos(angle))


def wheel(angle: float) -> tuple[float, float, float]:
    """Travel, camber and toe-in with the lower arm turned: two equations of one unknown, one after the other."""
    low = LOWER[0] + turned(UPRIGHT[1] - LOWER[0], LOWER[1], angle)[0]
    rod = np.linalg.norm(UPRIGHT[2] - UPRIGHT[1])

    def high(beta: float) -> np.ndarray:
        return UPPER[0] + turned(UPRIGHT[2] - UPPER[0], UPPER[1], beta)[0]

    beta = brentq(lambda b: np.linalg.norm(high(b) - low) - rod, angle - 0.3, angle + 0.6, xtol=1e-15)
    before, after = (UPRIGHT[2] - UPRIGHT[1]) / rod, (high(beta) - low) / rod
    tilt, sine = np.cross(before, after), np.linalg.norm(np.cross(before, after))
    arms = UPRIGHT - UPRIGHT[1]
    arms = turned(arms, tilt, np.arctan2(sine, before @ after)) if sine > 1e-14 else arms

    def swung(gamma: float) -> np.ndarray:
        return low + turned(arms, after, gamma)

    tie = np.linalg.norm(UPRIGHT[3] - RACK)
    gamma = brentq(lambda g: np.linalg.norm(swung(g)[3] - RACK) - tie, -0.3, 0.3, xtol=1e-15)
    centre, axle = swung(gamma)[[0, 4]]
    return centre[2] - 0.30, -np.arcsin((axle - centre)[2] / 0.1), np.arcsin((axle - centre)[0] / 0.1)


@every_kind
def test_double_wishbone_leans_and_steers_as_geometry_says(kind: str) -> None:
    result = lw.simulate(load("double_wishbone"), 0.6, times=[0.47, 0.5, 0.52, 0.55, 0.57], coordinates=kind)
    found = np.array([result["travel"], result["camber"], result["toe_in"]])
    exact = np.transpose([wheel(angle) for angle in result["lower.angle"]])
    np.testing.assert_allclose(found, exact, atol=1e-10)
    assert found[0].max() > 0.05


@every_kind
def test_geneva_wheel_turns_by_the_textbook(kind: str) -> None:
    """tan β = λ sin α / (1 - λ cos α) with λ = r/a = sin 45°, and a quarter of a turn until the pin leaves."""
    leaves = {"exit": lw.Event("slot.position - 0.06", direction=1, stop=True)}
    options: dict[str, Any] = {"step": 0.005, "events": leaves, "coordinates": kind, "rtol": 1e-11, "atol": 1e-13}
    result = lw.simulate(load("geneva"), 1.0, **options)
    assert result.time[-1] == pytest.approx(0.125, abs=1e-9)
    alpha, speed, ratio = result["C.angle"] - np.pi, 4 * np.pi, np.sqrt(0.5)
    below = 1 - 2 * ratio * np.cos(alpha) + ratio**2
    beta = -np.arctan2(ratio * np.sin(alpha), 1 - ratio * np.cos(alpha))
    np.testing.assert_allclose(result["wheel.angle"] - result["wheel.angle"][0], beta - np.pi / 4, atol=1e-9)
    velocity = -speed * (ratio * np.cos(alpha) - ratio**2) / below
    np.testing.assert_allclose(result["wheel.speed"], velocity, atol=1e-7)
    acceleration = -(speed**2) * ratio * (ratio**2 - 1) * np.sin(alpha) / below**2
    np.testing.assert_allclose(result["wheel.acceleration"], acceleration, atol=1e-6)


# SOURCE: P. Corke, robotics-toolbox-python, tests/test_DHRobot.py, to six digits by an independent calculation
NOMINAL = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
HELD = [0, 31.639880, 6.035138, 0, 0.028253, 0]


@every_kind
def test_puma_holds_its_weight(kind: str) -> None:
    drivers = {f"m{i}": {"joint": f"j{i}", "position": angle} for i, angle in enumerate(NOMINAL, start=1)}
    result = lw.simulate(load("puma_560", drivers=drivers), 0.01, step=0.01, coordinates=kind)
    torques = [result[f"m{i}.effort"][0] for i in range(1, 7)]
    np.testing.assert_allclose(torques, HELD, atol=1e-6)


# torques for unit speeds without friction, and for unit accelerations with the inertia G² J of the motors
TURNING = {
    "{} + t": [-1.391074, 33.422799, 5.283111, 0.001223, 0.030632, 0.000148],
    "{} + t^2/2": [3.353111, 36.002511, 7.425964, 0.190043, 0.203441, 0.194133],
}
GEARS = np.array([62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686])
ROTORS = np.array([2e-4, 2e-4, 2e-4, 3.3e-5, 3.3e-5, 3.3e-5])


@pytest.mark.parametrize("motion", TURNING)
def test_puma_needs_the_published_torques(motion: str) -> None:
    """No body has the published Ixx of link 3, 0.066 kg m²; torques are linear in it, so two that exist tell the third."""
    data = load("puma_560").to_dict()
    data["parameters"] = {"ixx": {"value": 0.08, "live": True}}
    data["bodies"]["link3"]["inertia"] = ["ixx", 0.086, 0.0125]
    drivers = {f"m{i}": {"joint": f"j{i}", "position": motion.format(a)} for i, a in enumerate(NOMINAL, start=1)}
    found = []
    for ixx in (0.075, 0.098):
        result = lw.simulate(lw.Model(**{**data, "drivers": drivers}), 0.01, step=0.01, parameters={"ixx": ixx})
        found.append([result[f"m{i}.effort"][0] for i in range(1, 7)])
    torques = np.array(found[0]) + (0.066 - 0.075) / (0.098 - 0.075) * np.subtract(found[1], found[0])
    if "^2" in motion:
        torques += GEARS**2 * ROTORS
    np.testing.assert_allclose(torques, TURNING[motion], atol=2e-6)


@every_kind
def test_a_free_planetary_gear_keeps_its_speeds(kind: str) -> None:
    """No forces, constant inertia: all speeds stay, in the ratios of Willis, and the planets stay on their circle."""
    result = lw.simulate(load("planetary_gear"), 1.0, step=0.1, coordinates=kind, rtol=1e-10, atol=1e-12)
    sun, arm, ring = (result[f"{joint}.speed"] for joint in "SAR")
    np.testing.assert_allclose(sun, 20 * np.pi, rtol=1e-9)
    np.testing.assert_allclose(0.04 * (sun - arm) + 0.1 * (ring - arm), 0.0, atol=1e-9)
    np.testing.assert_allclose(np.hypot(result["P2.x"], result["P2.y"]), 0.07, rtol=1e-9)
    assert np.ptp(result.energy) < 1e-9 * result.energy[0]


@every_kind
def test_rack_steering_turns_the_wheels_as_two_circles_say(kind: str) -> None:
    """The end of an arm lies on a circle about its kingpin and on one about the end of the rack, s = r φ to the right."""
    hands = {"hands": {"joint": "wheel", "position": "2.5*t"}}
    model = load("rack_steering", drivers=hands, initial={})
    result = lw.simulate(model, 1.0, step=0.25, coordinates=kind, rtol=1e-11, atol=1e-12)
    for side, joint in ((1, "R"), (-1, "L")):
        kingpin, end, arm_end = (
            np.array([0.6 * side, 0]),
            np.array([0.3 * side, -0.17]),
            np.array([0.565 * side, -0.14]),
        )
        rod = np.linalg.norm(arm_end - end)
        for angle, s in zip(result[f"{joint}.angle"], 0.015 * 2.5 * result.time, strict=True):
            c, si = np.cos(angle), np.sin(angle)
            turned = kingpin + np.array([[c, -si], [si, c]]) @ (arm_end - kingpin)
            assert np.linalg.norm(turned - end - [s, 0]) == pytest.approx(rod, rel=1e-9)
    assert 0.2 < result["R.angle"][-1] < result["L.angle"][-1]
