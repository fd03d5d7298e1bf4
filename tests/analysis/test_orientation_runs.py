"""Runs in every parametrisation of orientations: through their singularities, for long, with every integrator."""

from __future__ import annotations

from typing import Any

import mechanisms
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.algebra.orientations import ALL_ORIENTATIONS

ORIENTATIONS = [orientation.name for orientation in ALL_ORIENTATIONS]
CHARTED = ("euler_angles", "tait_bryan", "axis_angle")
every = pytest.mark.parametrize("orientation", ORIENTATIONS)
charted = pytest.mark.parametrize("orientation", CHARTED)
TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
POSE = ("x", "y", "z", "q0", "q1", "q2", "q3", "vx", "vy", "vz", "wx", "wy", "wz")


def thrown(omega: list[float], inertia: list[float]) -> lw.Model:
    """A body in empty space, turning with *omega* at the start, its axes along those of the world."""
    body = {"points": {"P": [0.3, 0.2, 0.1]}, "origin": [0, 0, 0], "mass": 2, "com": [0, 0, 0], "inertia": inertia}
    start = {"velocity": [0.1, 0.2, -0.3], "omega": omega}
    return lw.Model(space="spatial", bodies={"body": body}, initial={"body": start})


def quaternions(result: lw.Result) -> np.ndarray:
    return np.array([result[f"body.q{i}"] for i in range(4)]).T


def charts(result: lw.Result) -> np.ndarray:
    """The numbers of the charts at the output times (N, bodies)."""
    names = result.source.mechanism.coordinates.kinematics.q_names  # type: ignore[attr-defined]
    return result.source.y[:, [i for i, name in enumerate(names) if name.endswith(".chart")]]  # type: ignore[attr-defined]


def changes(result: lw.Result) -> int:
    return int(np.sum(np.abs(np.diff(charts(result), axis=0))))


# straight through a singularity of the chart at the start, which is the second one for two of them
STRAIGHT = {"tait_bryan": [0.0, 3.0, 0.0], "euler_angles": [3.0, 0.0, 0.0], "axis_angle": [3.0, 0.0, 0.0]}
INTEGRATORS: list[dict[str, Any]] = [
    {"integrator": "dop853", "rtol": 1e-10, "atol": 1e-12},
    {"integrator": "dopri5", "rtol": 1e-10, "atol": 1e-12},
    {"integrator": "rk4", "fixed_step": 0.002},
]


@pytest.mark.matrix("orientation")
@pytest.mark.parametrize("settings", INTEGRATORS, ids=lambda settings: settings["integrator"])
@charted
def test_a_turn_straight_through_the_singularity(orientation: str, settings: dict[str, Any]) -> None:
    omega = STRAIGHT[orientation]
    # quarter and half turns, where the coordinates are singular, are among the output times
    times = list(np.linspace(0, 4 * np.pi / 3.0, 17))
    result = lw.simulate(
        thrown(omega, [0.4, 0.4, 0.4]), times=times, coordinates=f"reference_point:{orientation}", **settings
    )
    assert result.outcome.completed
    exact = Rotation.from_rotvec(np.outer(times, omega)).as_matrix()
    found = Rotation.from_quat(np.roll(quaternions(result), -1, axis=1)).as_matrix()
    np.testing.assert_allclose(found, exact, atol=1e-8)
    assert changes(result) >= 1


@pytest.mark.matrix("orientation", "kind")
@pytest.mark.parametrize("kind", ["relative", "reference_point"])
@every
def test_a_tumbling_body_moves_like_its_quaternion(kind: str, orientation: str) -> None:
    # torque-free, on its way over from near the middle axis; quantities by name are smooth in every chart
    model = thrown([2.0, 3.0, 0.5], [0.3, 0.5, 0.7])
    reference = lw.simulate(model, 8, step=0.05, **TIGHT)
    result = lw.simulate(model, 8, step=0.05, coordinates=f"{kind}:{orientation}", **TIGHT)
    for name in POSE:
        np.testing.assert_allclose(result[f"body.{name}"], reference[f"body.{name}"], rtol=0, atol=5e-10)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-10 * result.energy[0]
    assert result.closure_error.max() < 1e-14
    assert charts(result).shape[1] == (orientation in CHARTED)
    assert changes(result) >= (orientation in CHARTED)


@charted
def test_changes_of_chart_cost_no_order(orientation: str) -> None:
    omega = [3.0, 0.4, 0.5] if orientation == "axis_angle" else [0.4, 3.0, 0.5]
    model = thrown(omega, [0.3, 0.5, 0.7])
    exact = quaternions(lw.simulate(model, 4, step=0.5, **TIGHT))
    errors = []
    for step in (0.008, 0.004, 0.002):
        result = lw.simulate(
            model, 4, step=0.5, coordinates=f"relative:{orientation}", integrator="rk4", fixed_step=step
        )
        errors.append(np.abs(quaternions(result) - exact).max())
    assert changes(result) > 0
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 4.0) < 0.2), (errors, orders)


@charted
def test_events_are_found_on_both_sides_of_a_change(orientation: str) -> None:
    model = thrown([0.02, 4.0, 0.01], [0.3, 0.5, 0.7])
    events = {"level": "body.P.z - body.z", "turned": lw.Event("body.wy", stop=True)}
    records = [
        lw.simulate(model, 10, events=events, coordinates=f"relative:{name}", **TIGHT).events
        for name in ("euler_parameters", orientation)
    ]
    assert [event.name for event in records[0]] == [event.name for event in records[1]]
    assert len(records[0]) > 5
    np.testing.assert_allclose([e.time for e in records[0]], [e.time for e in records[1]], atol=1e-9)


@pytest.mark.parametrize("formulation", ["multipliers", "baumgarte"])
@pytest.mark.parametrize("orientation", ["euler_parameters", "axis_angle", "rotation_matrix"])
def test_orientations_do_not_drift_off_their_manifold(orientation: str, formulation: str) -> None:
    # loose tolerances and many turns: what is lost in a step must not add up
    model = thrown([1.0, 6.0, 2.0], [0.3, 0.5, 0.7])
    result = lw.simulate(
        model, 100, step=1.0, coordinates=f"relative:{orientation}", formulation=formulation, rtol=1e-5, atol=1e-7
    )
    assert result.closure_error.max() < 1e-14


TOPS = [("relative", "hybrid"), ("reference_point", "partitioning"), ("mixed", "multipliers")]


@pytest.mark.matrix("orientation", "kind", "formulation")
@pytest.mark.parametrize(("kind", "formulation"), TOPS)
@every
def test_heavy_top(kind: str, formulation: str, orientation: str) -> None:
    # SOURCE: Geradin and Cardona's heavy top, EXUDYN TestModels/heavyTop.py (rotations at 0.2 s); tight: places at 1 s
    result = lw.simulate(
        mechanisms.heavy_top(),
        times=[0.0, 0.2, 1.0],
        coordinates=f"{kind}:{orientation}",
        formulation=formulation,
        rtol=1e-10,
        atol=1e-12,
    )
    places = np.array([result[f"top.{axis}"] for axis in "xyz"]).T
    np.testing.assert_allclose(places[-1], [0.173343964, 0.640088593, -0.748490791], atol=1e-8)
    np.testing.assert_allclose(places[1], [0.605550561, 0.598957682, -0.523983027], atol=1e-8)
    q = np.array([result[f"top.q{i}"][1] for i in range(4)])
    np.testing.assert_allclose(q * np.sign(q[1]), [-0.708279153, 0.438781088, 0.545728396, 0.089399753], atol=1e-8)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-8 * np.abs(result.energy[0])
    assert result.closure_error.max() < 1e-12
