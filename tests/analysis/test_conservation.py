"""Energy, momentum and power: what a run must keep, in every combination of coordinates and formulation."""

from __future__ import annotations

from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import KINDS, every_combination

import linkwork as lw
from linkwork.results import Result


def run(model: lw.Model, until: float, **more: Any) -> Result:
    result = lw.simulate(model, until, **{"step": until / 20, "rtol": 1e-11, "atol": 1e-13, **more})
    assert result.outcome.completed, result.outcome
    return result


CONSERVATIVE = {
    "four-bar": mechanisms.four_bar,
    "slider-crank": linkages.slider_crank,
    "six-bar": linkages.six_bar,
    "rscr": linkages.rscr,
    "chain": linkages.spherical_chain,
    "floating": linkages.floating_pair,
    "spring": mechanisms.spring_bar,
    "bricard": mechanisms.bricard,
}


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("name", list(CONSERVATIVE))
def test_energy_is_kept_and_loops_stay_closed(name: str, coordinates: str, formulation: str) -> None:
    result = run(CONSERVATIVE[name](), 0.4, coordinates=coordinates, formulation=formulation)
    turnover = np.ptp(result["energy.kinetic"]) + np.max(result["energy.kinetic"])
    np.testing.assert_allclose(result.energy, result.energy[0], atol=1e-8 * turnover)
    assert np.max(result.closure_error) < 1e-11


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_bodies_in_empty_space_keep_their_momenta(space: str, coordinates: str, formulation: str) -> None:
    model = linkages.floating_pair(space)
    result = run(model, 2.0, coordinates=coordinates, formulation=formulation)
    geometry = lw.analyse(model).geometry
    linear, angular = 0.0, 0.0
    for name, body in geometry.bodies.items():
        mass, inertia = float(geometry.number(body.kind.mass)), np.atleast_2d(geometry.number(body.kind.matter.inertia))
        axes = "xy" if space == "planar" else "xyz"
        place = np.column_stack([result[f"{name}.{axis}"] for axis in axes])
        speed = np.column_stack([result[f"{name}.v{axis}"] for axis in axes])
        linear = linear + mass * speed
        if space == "planar":
            own = inertia[0, 0] * result[f"{name}.speed"]
            angular = angular + own + mass * (place[:, 0] * speed[:, 1] - place[:, 1] * speed[:, 0])
        else:
            angular = angular + mass * np.cross(place, speed) + spin(result, name, inertia)
    np.testing.assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), atol=1e-9)
    np.testing.assert_allclose(angular, np.broadcast_to(angular[0], np.shape(angular)), atol=1e-8)
    assert np.ptp(result["J.angle"]) > 0.1


def spin(result: Result, name: str, inertia: np.ndarray) -> np.ndarray:
    """R I Rᵀ ω at every sample, from the quaternion in the result."""
    w, *rest = (result[f"{name}.q{i}"] for i in range(4))
    vector = np.array(rest).T
    omega = np.column_stack([result[f"{name}.w{axis}"] for axis in "xyz"])

    def turned(v: np.ndarray, sign: float) -> np.ndarray:
        cross = np.cross(sign * vector, v)
        return v + 2 * w[:, None] * cross + 2 * np.cross(sign * vector, cross)

    return turned(turned(omega, -1.0) @ inertia, 1.0)


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_dampers_take_out_the_energy_that_is_lost(coordinates: str, formulation: str) -> None:
    model = linkages.arm()
    result = run(model, 1.0, coordinates=coordinates, formulation=formulation, step=0.002)
    loss = 0.5 * result["A.speed"] ** 2 + 0.8 * result["B.speed"] ** 2
    # Simpson over the output intervals
    h = result.time[1] - result.time[0]
    lost = h / 3 * np.cumsum(loss[:-2:2] + 4 * loss[1:-1:2] + loss[2::2])
    np.testing.assert_allclose(result.energy[2::2], result.energy[0] - lost, atol=1e-7 * result.energy[0])
    assert lost[-1] > 0.1


def test_a_damped_spring_between_points_balances_its_power() -> None:
    data = mechanisms.spring_bar().to_dict()
    data["forces"]["spring"] = {**data["forces"]["spring"], "damping": 3.0}
    result = run(lw.Model(**data), 1.0, step=0.002)
    x, y = result["P.x"] - 1.0, result["P.y"] - 0.2
    rate = (x * result["P.vx"] + y * result["P.vy"]) / np.hypot(x, y)
    loss = 3.0 * rate**2
    h = result.time[1] - result.time[0]
    lost = h / 3 * np.cumsum(loss[:-2:2] + 4 * loss[1:-1:2] + loss[2::2])
    np.testing.assert_allclose(result.energy[2::2] - result.energy[0], -lost, atol=1e-7)


def test_work_of_forces_and_torques_is_the_gain_of_energy() -> None:
    """A constant force in world axes and a constant torque have the potentials −F·r and −N φ."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [1, 0]},
        bodies={"bar": {"bar": ["O", "P"], "mass": 2}},
        joints={"O": linkages.revolute("ground", "bar")},
        forces={
            "push": {"kind": "force", "at": "P", "value": [1.0, 2.0]},
            "twist": {"kind": "torque", "body": "bar", "value": 0.7},
            "motor": {"kind": "effort", "joint": "O", "value": -0.2},
        },
    )
    result = run(model, 2.0)
    work = 1.0 * (result["P.x"] - 1.0) + 2.0 * result["P.y"] + 0.5 * result["O.angle"]
    np.testing.assert_allclose(result["energy.kinetic"], work, atol=1e-8)


def test_a_follower_force_turns_with_its_body() -> None:
    """A force across the bar in body axes is a constant torque about the pin: uniform angular acceleration."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [1.5, 0]},
        bodies={"bar": {"bar": ["O", "P"], "mass": 2}},
        joints={"O": linkages.revolute("ground", "bar")},
        forces={"jet": {"kind": "force", "at": "P", "value": [3, 2], "axes": "body"}},
    )
    alpha = 2 * 1.5 / (2 * 1.5**2 / 3)
    for coordinates in KINDS:
        result = run(model, 4.0, coordinates=coordinates)
        np.testing.assert_allclose(result["O.angle"], alpha * result.time**2 / 2, atol=1e-7)
        # the angle counts its turns, whatever the coordinates
        assert result["O.angle"][-1] > 4 * np.pi
        np.testing.assert_allclose(result["bar.angle"], result["O.angle"], atol=1e-12)


def test_torques_in_body_axes_in_space() -> None:
    """A torque along a principal axis of a free body at rest, in body axes: rotation about that axis alone."""
    turned = {"axis": [1, 2, 3], "angle": 0.8}
    body = {"points": {"P": [0, 0, 0]}, "origin": [0, 0, 0], "rotation": turned, "mass": 1, "inertia": [1, 2, 2.5]}
    force = {"kind": "torque", "body": "stone", "value": [0, 4, 0], "axes": "body"}
    model = lw.Model(space="spatial", bodies={"stone": body}, forces={"jet": force})
    axis = np.array([1, 2, 3]) / np.sqrt(14)
    y = np.array([0.0, 1, 0])
    way = y * np.cos(0.8) + np.cross(axis, y) * np.sin(0.8) + axis * axis[1] * (1 - np.cos(0.8))
    for coordinates in KINDS:
        result = run(model, 1.0, coordinates=coordinates)
        omega = np.column_stack([result[f"stone.w{letter}"] for letter in "xyz"])
        np.testing.assert_allclose(omega, np.outer(2 * result.time, way), atol=1e-8)
