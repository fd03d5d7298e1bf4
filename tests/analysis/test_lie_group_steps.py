"""Steps on the group of rotations: published and exact motions, orders, momentum, unit length, every formulation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import mechanisms
import numpy as np
import pytest
from linkages import swing
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.errors import RefusedError

Array = np.ndarray
TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
LIE = "rkmk4"


def free_body(inertia: list[float], omega: list[float]) -> lw.Model:
    """A body in empty space, its axes along those of the world at the start."""
    body = {"points": {"P": [0.3, 0.2, 0.1]}, "origin": [0, 0, 0], "mass": 2, "com": [0, 0, 0], "inertia": inertia}
    return lw.Model(space="spatial", bodies={"body": body}, initial={"body": {"omega": omega}})


def rotations(result: lw.Result) -> Rotation:
    return Rotation.from_quat(np.array([result[f"body.q{i}"] for i in (1, 2, 3, 0)]).T)


def momentum(result: lw.Result, inertia: list[float]) -> Array:
    """Angular momentum about the centre of mass in world axes (N, 3)."""
    turned = rotations(result)
    omega = np.array([result[f"body.w{axis}"] for axis in "xyz"]).T
    return turned.apply(inertia * turned.inv().apply(omega))


def orders(errors: Sequence[float]) -> Array:
    return np.log2(np.array(errors[:-1]) / errors[1:])


# SOURCE: Geradin and Cardona's heavy top, EXUDYN TestModels/heavyTop.py; after 1 s by tight tolerances
PLACE = np.array([0.173343964, 0.640088593, -0.748490791])
TURN = np.array([0.732943981, -0.278285719, 0.531824611, -0.320176142])


def top(kind: str, integrator: str, step: float) -> tuple[float, float]:
    """Errors of the centre of mass (m) and of the quaternion of the heavy top after 1 s."""
    result = lw.simulate(mechanisms.heavy_top(), times=[1.0], coordinates=kind, integrator=integrator, fixed_step=step)
    place = np.array([result[f"top.{axis}"][-1] for axis in "xyz"])
    turn = np.array([result[f"top.q{i}"][-1] for i in range(4)])
    return float(np.linalg.norm(place - PLACE)), float(np.linalg.norm(turn - np.sign(turn @ TURN) * TURN))


def test_heavy_top_by_its_angular_velocity() -> None:
    # relative coordinates: the angular velocity in body axes turns by 0.075 rad a step
    runs = [top("relative", LIE, step) for step in (1e-3, 5e-4, 2.5e-4)]
    assert runs[1][0] < 1e-5
    for errors in zip(*runs, strict=True):
        assert np.all(np.abs(orders(errors) - 4.0) < 0.2), errors


def test_heavy_top_by_the_velocity_of_its_centre() -> None:
    # partitioning takes two velocities of the centre of mass and the spin, all of them slow: what is left is the turn
    runs = [top("reference_point", LIE, step) for step in (0.008, 0.004, 0.002)]
    places, turns = zip(*runs, strict=True)
    assert places[0] < 1e-5
    assert abs(orders(places[:2])[0] - 4.0) < 0.2 and abs(orders(turns[1:])[0] - 4.0) < 0.2, runs
    # a quaternion that steps of 1.2 rad are added to is a thousand times worse
    assert turns[0] < top("reference_point", "rk4", 0.008)[1] / 500


def test_heavy_top_by_generalised_alpha() -> None:
    # every step has a chart of its own; the accelerations that are carried along must survive that
    runs = [top("reference_point", "lie_generalised_alpha", step) for step in (4e-3, 2e-3, 1e-3)]
    assert runs[-1][0] < 1e-4
    for errors in zip(*runs, strict=True):
        assert np.all(np.abs(orders(errors) - 2.0) < 0.2), errors
    assert runs[-1][1] < top("reference_point", "generalised_alpha", 1e-3)[1] / 300


@pytest.mark.parametrize("formulation", ["index3", "ggl"])
def test_heavy_top_held_by_multipliers(formulation: str) -> None:
    # SOURCE: the same at 0.2 s; O. Brüls, A. Cardona, M. Arnold (2012): order 2 of places, rotations and multipliers
    place, turn = [0.605550561, 0.598957682, -0.523983027], [-0.708279153, 0.438781088, 0.545728396, 0.089399753]
    push = [lw.simulate(mechanisms.heavy_top(), times=[0.2], **TIGHT)[f"O.f{axis}"][-1] for axis in "xyz"]
    runs = []
    for step in (2e-3, 1e-3):
        settings: dict[str, Any] = {"coordinates": "reference_point", "formulation": formulation, "fixed_step": step}
        result = lw.simulate(mechanisms.heavy_top(), times=[0.2], integrator="lie_generalised_alpha", **settings)
        places, pushes = ([result[f"{name}{axis}"][-1] for axis in "xyz"] for name in ("top.", "O.f"))
        turns = np.array([result[f"top.q{i}"][-1] for i in range(4)])
        errors = (np.subtract(places, place), turns * np.sign(turns @ turn) - turn, np.subtract(pushes, push) / 1e3)
        runs.append([float(np.linalg.norm(error)) for error in errors])
    assert runs[-1][0] < 1e-3 and runs[-1][1] < 1e-3
    for errors_of_one in zip(*runs, strict=True):
        assert abs(orders(errors_of_one)[0] - 2.0) < 0.2, runs


SYMMETRIC, SPUN = [0.4, 0.4, 0.7], [1.0, 0.5, 6.0]


def exact_rotor(times: Array) -> Rotation:
    """A = exp(t L/I₁) exp(−t (I₃ − I₁)/I₁ ω₃ e₃): precession about the angular momentum and turn about the figure axis."""
    precession = np.multiply(SYMMETRIC, SPUN) / SYMMETRIC[0]
    turn = (SYMMETRIC[0] - SYMMETRIC[2]) / SYMMETRIC[0] * SPUN[2]
    return Rotation.from_rotvec(np.outer(times, precession)) * Rotation.from_rotvec(np.outer(times, [0, 0, turn]))


def rotor(integrator: str, step: float) -> tuple[float, float]:
    """Largest errors of the rotation (rad) and of the direction of the momentum of a free symmetric rotor in 2 s."""
    times = np.linspace(0, 2, 11)
    result = lw.simulate(free_body(SYMMETRIC, SPUN), times=list(times), integrator=integrator, fixed_step=step)
    found = momentum(result, SYMMETRIC)
    return float((exact_rotor(times).inv() * rotations(result)).magnitude().max()), float(
        np.abs(found - found[0]).max()
    )


def test_free_symmetric_rotor() -> None:
    runs = [rotor(LIE, step) for step in (0.02, 0.01, 0.005)]
    for errors in zip(*runs, strict=True):
        assert np.all(np.abs(orders(errors) - 4.0) < 0.2), errors
    # in coarse steps of a third of a radian the quaternion, which leaves its manifold, loses more, but for Euler's equations
    coarse, plain = rotor(LIE, 0.05), rotor("rk4", 0.05)
    assert coarse[0] < plain[0] / 2 and coarse[1] < plain[1], (coarse, plain)


TUMBLING, THROWN = [0.3, 0.5, 0.7], [2.0, 3.0, 0.5]


def tumble(integrator: str, kind: str) -> tuple[float, float, float]:
    """Largest relative errors of the energy, and of the length and of the vector of the momentum of a free body in 20 s."""
    result = lw.simulate(
        free_body(TUMBLING, THROWN), 20, step=0.1, coordinates=kind, integrator=integrator, fixed_step=0.05
    )
    found = momentum(result, TUMBLING) / np.linalg.norm(np.multiply(TUMBLING, THROWN))
    length = np.abs(np.linalg.norm(found, axis=1) - 1).max()
    return (
        float(np.abs(result.energy / result.energy[0] - 1).max()),
        float(length),
        float(np.abs(found - found[0]).max()),
    )


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")  # steps of 0.18 rad lose the attitude
@pytest.mark.parametrize("kind", ["relative", "reference_point"])
def test_the_midpoint_rule_keeps_the_energy_and_the_length_of_the_momentum(kind: str) -> None:
    # steps of 0.18 rad; both are quadratic in the angular velocity
    energy, length, vector = tumble("lie_midpoint", kind)
    assert max(energy, length) < 1e-12
    assert vector < 1e-2
    if kind == "relative":
        # Euler's equations do not know the attitude: quaternions, which leave their manifold, lose the vector alone
        energy, _, vector = tumble("implicit_midpoint", kind)
        assert energy < 1e-12 and vector > 1e-3


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")  # steps of 0.18 rad lose the attitude
@pytest.mark.parametrize("integrator", ["implicit_midpoint", "gauss4"])
def test_rotation_matrices_keep_the_whole_momentum(integrator: str) -> None:
    # A I ω is bilinear, and AᵀA = 1 quadratic: methods of Gauss keep both
    assert max(tumble(integrator, "reference_point:rotation_matrix")) < 1e-12


def test_a_steady_turn_is_exact_in_steps_of_two_radians() -> None:
    result = lw.simulate(free_body([0.3, 0.5, 0.7], [0, 0, 20.0]), 10, step=0.1, integrator=LIE, fixed_step=0.1)
    exact = Rotation.from_rotvec(np.outer(result.time, [0, 0, 20.0]))
    assert (exact.inv() * rotations(result)).magnitude().max() < 1e-12


def test_a_hundred_thousand_steps_keep_the_unit_length() -> None:
    result = lw.simulate(
        free_body([0.3, 0.5, 0.7], [2, 3, 0.5]), 1000, step=1, integrator=LIE, fixed_step=0.01, formulation="hybrid"
    )
    assert result.statistics["steps"] == 100_000
    names = result.source.mechanism.coordinates.state_names  # type: ignore[attr-defined]
    start = result.source.y[:, [names.index(f"body.chart{i}") for i in range(4)]]  # type: ignore[attr-defined]
    assert np.abs(np.linalg.norm(start, axis=1) - 1).max() < 1e-14
    # energy and momentum stay within what the order leaves of them
    assert np.abs(result.energy / result.energy[0] - 1).max() < 1e-5


LOOPS = [
    ("relative", "hybrid"),
    ("relative", "canonical"),
    ("reference_point", "multipliers"),
    ("mixed", "partitioning"),
    ({"upper": "reference_point", "*": "relative"}, "r_projection"),
]


@cache
def default() -> lw.Result:
    return lw.simulate(swing(), 1, step=0.1, **TIGHT)


@pytest.mark.parametrize(("kind", "formulation"), LOOPS, ids=str)
def test_a_loop_of_balls_as_by_default(kind: Any, formulation: str) -> None:
    errors = []
    for step in (0.004, 0.002):
        result = lw.simulate(
            swing(), 1, step=0.1, coordinates=kind, formulation=formulation, integrator=LIE, fixed_step=step
        )
        assert result.outcome.completed, result.outcome
        assert result.closure_error.max() < 1e-12
        names = ("upper.x", "upper.z", "upper.q0", "lower.q1", "lower.q3", "lower.wx", "upper.wy")
        errors.append(max(float(np.abs(result[name] - default()[name]).max()) for name in names))
    assert errors[-1] < 1e-6
    assert abs(orders(errors)[0] - 4.0) < 0.3, errors


@pytest.mark.parametrize(("model", "kind"), [(mechanisms.four_bar, "relative"), (swing, "natural")])
def test_without_free_rotations_it_is_the_plain_method(model: Any, kind: str) -> None:
    runs = [lw.simulate(model(), 0.5, coordinates=kind, integrator=name, fixed_step=0.005) for name in (LIE, "rk4")]
    for name in ("x", "y", "vx"):
        body = next(iter(model().bodies))
        np.testing.assert_array_equal(runs[0][f"{body}.{name}"], runs[1][f"{body}.{name}"])


def test_other_orientations_are_refused() -> None:
    with pytest.raises(RefusedError, match=r"'exponential'.*not in 'relative:tait_bryan'.*leave ':tait_bryan' out"):
        lw.simulate(swing(), 1, coordinates="relative:tait_bryan", integrator=LIE, fixed_step=0.01)


@pytest.mark.parametrize("integrator", ["adams", "bdf", "abm4"])
def test_methods_that_remember_steps_need_coordinates_that_last(integrator: str) -> None:
    with pytest.raises(RefusedError, match=rf"'{integrator}' remembers former steps.*'rotation_vector'"):
        lw.simulate(swing(), 1, coordinates="mixed:exponential", integrator=integrator, fixed_step=0.01)


@pytest.mark.parametrize(
    "settings", [{"integrator": "adams"}, {"integrator": "bdf"}, {"integrator": "abm4", "fixed_step": 5e-4}]
)
def test_methods_that_remember_steps_begin_anew_with_every_chart(settings: dict[str, Any]) -> None:
    times = np.linspace(0, 2, 11)
    result = lw.simulate(
        free_body(SYMMETRIC, SPUN),
        times=list(times),
        coordinates="relative:rotation_vector",
        rtol=1e-8,
        atol=1e-10,
        **settings,
    )
    assert (exact_rotor(times).inv() * rotations(result)).magnitude().max() < 1e-7
