"""Forces and drivers that jump: the order of an integrator is kept, speeds change by impulses, positions cannot."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import linkwork as lw

PUSH, REACH, ARM, MASS = 3.0, 0.5, 1.0, 1.0


def pendulum(torque: str | None = None, **more: Any) -> lw.Model:
    forces = {} if torque is None else {"push": {"kind": "effort", "joint": "O", "value": torque}}
    return lw.Model(
        name="pendulum",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [ARM, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": MASS}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces=forces,
        **more,
    )


@functools.cache
def pushed() -> lw.Model:
    """A torque that begins at an angle, and another one that begins at a time."""
    return pendulum(f"if(O.angle < -{REACH}, {PUSH}, 0) + 2*step(t - 0.3)")


@functools.cache
def angle(**options: Any) -> float:
    return float(lw.simulate(pushed(), until=0.9, step=0.9, **options)["O.angle"][-1])


@pytest.mark.parametrize(
    ("method", "order", "steps"),
    [("heun", 2, 128), ("rk4", 4, 64), ("dopri5", 5, 16), ("abm4", 4, 64), ("bdf3", 3, 128)],
)
def test_the_order_is_kept_across_jumps_of_a_force(method: str, order: int, steps: int) -> None:
    exact = angle(integrator="dop853", rtol=1e-13, atol=1e-13)
    # jumps fall anywhere in a step: errors of single step sizes scatter about their order, their decrease over many does not
    first, last = (
        np.mean([abs(angle(integrator=method, fixed_step=0.9 / n) - exact) for n in range(count, count + 6)])
        for count in (steps, 4 * steps)
    )
    expected = np.mean([n**-order for n in range(steps, steps + 6)]) / np.mean(
        [n**-order for n in range(4 * steps, 4 * steps + 6)]
    )
    assert np.log(first / last) / np.log(expected) == pytest.approx(1.0, abs=0.15)


def test_energy_jumps_in_its_rate_where_the_torque_does() -> None:
    result = lw.simulate(pendulum(f"if(O.angle < -{REACH}, {PUSH}, 0)"), until=0.9)
    work = PUSH * np.minimum(result["O.angle"] + REACH, 0.0)
    np.testing.assert_allclose(result.energy - result.energy[0], work, atol=1e-8)
    np.testing.assert_allclose(result["push.work"], work, atol=1e-8)
    # the jump is the end of a step, where the pendulum passes the angle
    passing = np.interp(REACH, -result["O.angle"], result.time)
    assert np.min(np.abs(result.steps - passing)) < 1e-6


def test_a_train_of_pulses_gives_its_momentum() -> None:
    # one pulse of 10 ms in every 100 ms, along a line without anything else
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"cart": {"points": ["O"], "mass": 2, "inertia": 1}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]}},
        forces={"f": {"kind": "effort", "joint": "S", "value": "if(mod(t, 0.1) < 0.01, 50, 0)"}},
    )
    result = lw.simulate(model, until=1.0)
    ends, pulses = np.floor(result.time / 0.1 + 1e-9), np.minimum(np.mod(result.time + 1e-12, 0.1), 0.01)
    np.testing.assert_allclose(result["S.speed"], 25 * (0.01 * ends + pulses), atol=1e-8)


def test_pulses_shorter_than_a_step_are_not_leapt_over() -> None:
    # sin(40 t) > 0.9 for 2 arccos(0.9) / 40 s in every period
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"cart": {"points": ["O"], "mass": 2, "inertia": 1}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]}},
        forces={"f": {"kind": "effort", "joint": "S", "value": "if(sin(40*t) > 0.9, 50, 0)"}},
    )
    result = lw.simulate(model, until=6 * 2 * np.pi / 40)
    assert result["S.speed"][-1] == pytest.approx(25 * 6 * 2 * np.arccos(0.9) / 40, abs=1e-8)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"coordinates": "natural"},
        {"coordinates": "reference_point", "formulation": "canonical"},
        {"formulation": "index3_augmented_lagrangian", "integrator": "trapezoidal", "fixed_step": 1e-3},
    ],
    ids=lambda options: options.get("formulation", options.get("coordinates", "hybrid")),
)
def test_a_driver_that_jumps_in_speed_gives_an_impulse(options: dict[str, Any]) -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0, -ARM]},
        bodies={"cart": {"mass": 2, "points": ["O"], "inertia": 1}, "rod": {"bar": ["O", "A"], "mass": MASS}},
        joints={
            "S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]},
            "O": {"kind": "revolute", "bodies": ["cart", "rod"]},
        },
        drivers={"motor": {"joint": "S", "position": "if(t < 0.25, 0, 2*(t - 0.25))"}},
    )
    result = lw.simulate(model, until=0.5, times=[0, 0.25, 0.25 + 1e-9, 0.5], **options)
    # a bar that hangs on a ball which is struck sideways: ω = 3 Δv / (2 l)
    assert result["O.speed"][1] == pytest.approx(0.0, abs=1e-9)
    assert result["O.speed"][2] == pytest.approx(-3.0, abs=1e-6)
    assert result["S.position"][-1] == pytest.approx(0.5, abs=1e-9)
    assert any("'motor' jumps in speed by 2 m/s at t = 0.25 s" in note for note in result.notes)


def test_a_driver_that_jumps_in_position_ends_the_run() -> None:
    result = lw.simulate(pendulum(drivers={"motor": {"joint": "O", "position": "0.1*t + 0.3*step(t - 0.5)"}}), until=1)
    assert str(result.outcome).startswith("stopped at t = 0.5 s: driver 'motor'")
    assert "by 0.3 rad" in result.outcome.reason and result.outcome.element == "motor"
    assert result.time[-1] == pytest.approx(0.499)
    np.testing.assert_allclose(result["O.angle"], 0.1 * result.time, atol=1e-12)


def test_a_joint_that_sticks_under_dry_friction_by_sign_ends_the_run() -> None:
    model = pendulum("-2*sign(O.speed)", initial={"O": {"angle": "-80 deg", "speed": 0.5}})
    result = lw.simulate(model, until=5.0)
    assert "'-2*sign(O.speed)' jumps back and forth" in result.outcome.reason
    # it stops where it comes to rest: the energy is used up by the friction
    assert abs(result["O.speed"][-1]) < 0.05
    assert result.statistics["steps"] < 1000


def test_a_fixed_step_goes_on_where_a_joint_sticks() -> None:
    model = pendulum("-2*sign(O.speed)", initial={"O": {"angle": "-80 deg", "speed": 0.5}})
    result = lw.simulate(model, until=1.0, integrator="rk4", fixed_step="1 ms", audit=False)
    assert result.outcome.completed
    assert np.max(np.abs(result["O.speed"][-100:])) < 0.01


def test_formulas_of_parameters_alone_have_no_switches() -> None:
    model = pendulum("if(k > 1, 5, 0) + abs(O.angle)", parameters={"k": {"value": 2, "live": True}})
    assert not lw.prepare(model).coordinates.switches


def test_accelerations_jump_between_two_outputs() -> None:
    result = lw.simulate(pendulum("2*step(t - 0.3)"), until=0.6, times=[0.2999999, 0.3, 0.6])
    before, after = result["O.acceleration"][:2]
    assert after - before == pytest.approx(2 / (MASS * ARM**2 / 3), abs=1e-5)
