"""Runs that cannot go on as asked: the outcome names cause, time and element, and what was reached is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw


def pendulum(torque: str = "0", **more: Any) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"push": {"kind": "effort", "joint": "O", "value": torque}},
        **more,
    )


def test_a_limit_of_steps_says_how_many_are_needed_and_which_state_costs_them() -> None:
    whole = lw.simulate(pendulum(), until=4)
    result = lw.simulate(pendulum(), until=4, max_steps=20)
    reason = result.outcome.reason
    assert result.status is not whole.status and "the limit of 20 steps is reached" in reason
    asked = float(reason.split("about ")[1].split()[0])
    assert asked == pytest.approx(whole.statistics["steps"] + whole.statistics["rejected"], rel=0.3)
    assert "the largest error is that of O." in reason
    # the partial result is that of the whole run
    count = len(result.time)
    assert 0.0 < result.time[-1] <= result.outcome.time < 4.0
    np.testing.assert_array_equal(result["O.angle"], whole["O.angle"][:count])


def test_tolerances_below_rounding_are_noted() -> None:
    result = lw.simulate(pendulum(), until=0.2, rtol=1e-16, atol=1e-18)
    assert any("rtol = 1e-16 is below the rounding errors" in note for note in result.notes)
    assert not any("rounding" in note for note in lw.simulate(pendulum(), until=0.2, rtol=1e-14, atol=1e-16).notes)


def test_noise_that_no_step_can_follow_tells_the_tolerance_that_would_do() -> None:
    # from 0.5 s on a torque whose value is another one at every evaluation
    result = lw.simulate(pendulum("1e3*step(t - 0.5)*sin(1e20*t)"), until=1, rtol=1e-14, atol=1e-18)
    assert not result.outcome.completed
    assert "the tolerances cannot be met" in result.outcome.reason
    assert "the largest error is that of O.speed" in result.outcome.reason
    looser = float(result.outcome.reason.split("rtol = ")[1].split()[0])
    assert 1e-14 < looser < 1e-2


@pytest.mark.parametrize(
    ("torque", "time"),
    [
        ("1/(0.4 - t)", 0.4),
        ("sqrt(O.angle + 0.5)", None),
        ("log(0.2 - t)", 0.2),
        ("asin(2 + t)", 0.0),
        ("50*O.speed^3", None),
    ],
)
def test_a_force_without_a_value_is_named(torque: str, time: float | None) -> None:
    result = lw.simulate(pendulum(torque), until=1)
    assert result.outcome.element == "push" and "infinite or undefined" in result.outcome.reason
    if torque.startswith("sqrt"):
        assert result["O.angle"][-1] == pytest.approx(-0.5, abs=5e-3)
    elif time is not None:
        assert result.outcome.time == pytest.approx(time, abs=1e-6)
    assert len(result.time) == 0 or np.all(np.isfinite(result["O.angle"]))


@pytest.mark.parametrize("level", ["position", "speed", "acceleration"])
def test_a_driver_without_a_value_is_named(level: str) -> None:
    model = pendulum(drivers={"motor": {"joint": "O", level: "sqrt(0.25 - t)"}})
    result = lw.simulate(model, until=1)
    assert result.outcome.element == "motor"
    assert result.outcome.time == pytest.approx(0.25, abs=1e-3)


def test_an_event_without_a_value_is_noted() -> None:
    result = lw.simulate(pendulum(), until=1, events={"deep": "log(O.angle + 0.3)"})
    assert result.outcome.completed
    note = next(note for note in result.notes if "'deep'" in note)
    first = result.time[np.argmax(result["O.angle"] < -0.3)]
    assert f"first at t = {first:.6g} s" in note


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"integrator": "rk45"}, "did you mean 'dopri5'"),
        ({"integrator": 3}, "give a name or a method"),
        ({"integrator": "rk4"}, "give fixed_step.*'dop853'.*'radau5'"),
        ({"fixed_step": -1}, "a step must be positive"),
        ({"rtol": "tight"}, "a tolerance is a number"),
        ({"rtol": -1e-3}, "not negative"),
        ({"atol": float("nan")}, "atol = nan"),
        ({"rtol": 0, "atol": 0}, "both zero"),
        ({"max_steps": 0}, "at least 1"),
        ({"max_steps": 2.5}, "whole number"),
        ({"parameters": {"k": 1}}, "no parameter 'k'"),
        ({"events": {"e": "sqrt(O.angle"}}, r"expected '\)'"),
        ({"events": {"e": "P.x"}}, "unknown name 'P.x'"),
    ],
    ids=lambda value: str(next(iter(value.items()))) if isinstance(value, dict) else "",
)
def test_options_that_cannot_be_are_refused_with_what_works(options: dict[str, Any], words: str) -> None:
    with pytest.raises(lw.LinkworkError, match=words):
        lw.simulate(pendulum(), until=1, **options)
