"""Bodies that slide and turn on a plane: exact solutions, drivers of each freedom, and the reactions of the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_combination, several

import linkwork as lw
from linkwork.results import Result

G, SLOPE = 9.81, 0.4
NORMAL = np.array([np.sin(SLOPE), 0, np.cos(SLOPE)])
DOWN_SLOPE = np.array([np.cos(SLOPE), 0, -np.sin(SLOPE)])
MASS, SPIN = 2.0, 7.0
OFFSET, HEIGHT = 0.05, 0.08  # of the centre of mass: from the point of the joint along its x, and above the plane
INERTIA = (0.02, 0.02, 0.03)


def run(model: lw.Model, until: float = 1.0, **more: Any) -> Result:
    result = lw.simulate(model, until, **{"step": until / 8, "rtol": 1e-11, "atol": 1e-13, **more})
    assert result.outcome.completed, result.outcome
    return result


def disc(**more: Any) -> lw.Model:
    """A body on a slope that falls along x; its axes are those of the slope at the sketch."""
    data: dict[str, Any] = {
        "space": "spatial",
        "gravity": [0, 0, -G],
        "points": {"O": [0.1, 0.2, 0.3]},
        "bodies": {
            "disc": {
                "points": {"O": [0, 0, 0], "P": [0.3, 0, 0]},
                "origin": "O",
                "rotation": {"axis": [0, 1, 0], "angle": SLOPE},
                "mass": MASS,
                "com": [OFFSET, 0, HEIGHT],
                "inertia": list(INERTIA),
            }
        },
        "joints": {"O": {"kind": "planar", "bodies": ["ground", "disc"], "axis": NORMAL.tolist()}},
    }
    return lw.Model(**{**data, **more})


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_a_disc_slides_and_spins_down_a_slope(coordinates: str, formulation: str) -> None:
    """Without friction the centre of mass falls along the slope and the spin about the normal is constant."""
    start = {"position_x": 0.3, "position_y": -0.2, "angle": 1.0}
    start |= {"position_x_rate": 0.5, "position_y_rate": -1.0, "angle_rate": SPIN}
    result = run(disc(initial={"O": start}), 2.0, coordinates=coordinates, formulation=formulation)
    t, angle = result.time, 1.0 + SPIN * result.time
    # centre of mass in the plane: thrown with the velocity of the point and of the spin, then uniformly accelerated
    x = 0.3 + OFFSET * np.cos(1.0) + (0.5 - OFFSET * SPIN * np.sin(1.0)) * t + G * np.sin(SLOPE) * t**2 / 2
    y = -0.2 + OFFSET * np.sin(1.0) + (-1.0 + OFFSET * SPIN * np.cos(1.0)) * t
    np.testing.assert_allclose(result["O.angle"], angle, atol=1e-7)
    np.testing.assert_allclose(result["O.position_x"], x - OFFSET * np.cos(angle), atol=1e-7)
    np.testing.assert_allclose(result["O.position_y"], y - OFFSET * np.sin(angle), atol=1e-7)
    np.testing.assert_allclose(result["O.angle_rate"], SPIN, atol=1e-7)
    # the name of the joint is that of its point too: world coordinates of the point
    np.testing.assert_allclose(result["O.z"], 0.3 - np.sin(SLOPE) * result["O.position_x"], atol=1e-9)
    # the plane carries the weight across it, at the foot of the centre of mass, and no moment about its normal
    force = np.column_stack([result[f"O.f{axis}"] for axis in "xyz"])
    np.testing.assert_allclose(force, MASS * G * np.cos(SLOPE) * np.tile(NORMAL, (len(t), 1)), atol=1e-7)
    moment = np.column_stack([result[f"O.m{axis}"] for axis in "xyz"])
    arm = OFFSET * (np.outer(np.cos(angle), DOWN_SLOPE) + np.outer(np.sin(angle), [0, 1, 0]))
    np.testing.assert_allclose(moment, np.cross(arm, force), atol=1e-6)


DRIVEN: dict[str, dict[str, Any]] = {
    "position_x": {"position": "0.1*sin(3*t)"},
    "position_y": {"speed": "0.3 + t"},
    "angle": {"position": "20*t"},
}


@pytest.mark.matrix
@pytest.mark.parametrize("freedom", list(DRIVEN))
def test_drivers_of_each_freedom(freedom: str) -> None:
    model = disc(drivers={"motor": {"joint": "O", "freedom": freedom, **DRIVEN[freedom]}})
    for coordinates, formulation in several("drivers_of_each_freedom"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        t = result.time
        expected = {"position_x": 0.1 * np.sin(3 * t), "position_y": 0.3 * t + t**2 / 2, "angle": 20 * t}[freedom]
        np.testing.assert_allclose(result[f"O.{freedom}"], expected, atol=1e-8)
        # power of the motor against the energy of the disc: T of the plane motion and the fall along the slope
        power = result["motor.effort"] * result[f"O.{freedom}_rate"]
        rate = sum(MASS * result[f"disc.v{a}"] * result[f"disc.a{a}"] for a in "xyz") + MASS * G * result["disc.vz"]
        spin = sum(result[f"disc.w{a}"] * result[f"disc.alpha{a}"] for a in "xyz")
        np.testing.assert_allclose(power, rate + INERTIA[2] * spin, atol=1e-6)


@pytest.mark.matrix
def test_all_freedoms_driven_at_once() -> None:
    """A table driven in both directions and in its turn: the efforts are those of rigid-body mechanics in the plane."""
    drivers = {f"m_{name}": {"joint": "O", "freedom": name, **how} for name, how in DRIVEN.items()}
    for coordinates, formulation in several("all_freedoms_driven_at_once"):
        result = run(disc(drivers=drivers), coordinates=coordinates, formulation=formulation)
        t, angle = result.time, 20 * result.time
        ax = -0.9 * np.sin(3 * t) - OFFSET * 400 * np.cos(angle)
        ay = 1.0 - OFFSET * 400 * np.sin(angle)
        fx, fy = MASS * (ax - G * np.sin(SLOPE)), MASS * ay
        np.testing.assert_allclose(result["m_position_x.effort"], fx, atol=1e-6)
        np.testing.assert_allclose(result["m_position_y.effort"], fy, atol=1e-6)
        turning = OFFSET * (np.cos(angle) * fy - np.sin(angle) * fx)
        np.testing.assert_allclose(result["m_angle.effort"], turning, atol=1e-6)


@pytest.mark.matrix
def test_an_effort_acts_along_its_freedom_alone() -> None:
    """An actuator that pulls like a spring along x, ω² = k/m; along y the body goes on uniformly."""
    model = disc(
        gravity=[0, 0, 0],
        bodies={"disc": {"points": ["O"], "mass": MASS, "com": "O", "inertia": list(INERTIA)}},
        forces={"pull": {"kind": "effort", "joint": "O", "freedom": "position_x", "value": "-50*O.position_x"}},
        initial={"O": {"position_x": 0.1, "position_y_rate": 0.4}},
    )
    for coordinates, formulation in several("an_effort_acts_along_its_freedom_alone"):
        result = run(model, coordinates=coordinates, formulation=formulation)
        np.testing.assert_allclose(result["O.position_x"], 0.1 * np.cos(5 * result.time), atol=1e-8)
        np.testing.assert_allclose(result["O.position_y"], 0.4 * result.time, atol=1e-8)
