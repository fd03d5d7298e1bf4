"""Steps of one size are audited by what half of their size gives, against exact motions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw

STRAYS = "steps are too long"


def rotor(speed: float, torque: str = "0") -> lw.Model:
    """A wheel on its axle, with an eccentric mass and no gravity; its angle is exact."""
    return lw.Model(
        space="planar",
        gravity=(0, 0),
        points={"O": (0, 0), "A": (0.2, 0)},
        bodies={"wheel": {"bar": ("O", "A"), "mass": 2, "inertia": 0.05}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "wheel")}},
        forces={"M": {"kind": "effort", "joint": "O", "value": torque}},
        initial={"O": {"speed": speed}},
    )


def run(model: lw.Model, until: float, **options: Any) -> lw.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = lw.simulate(model, until, **options)
        assert result.audit is not None
    return result


@pytest.mark.parametrize(
    ("integrator", "long"),
    [("trapezoidal", 1e-3), ("implicit_midpoint", 1e-3), ("ab2", 2e-4), ("bdf2", 1e-3), ("heun", 4e-4)],
)
def test_a_phase_that_is_lost_is_told_and_one_that_is_kept_is_not(integrator: str, long: float) -> None:
    # natural coordinates cos φ, sin φ of a wheel at 400 rad/s: the energy is kept, the phase is not
    model, exact = rotor(400.0), 400.0
    verdicts = []
    for step in (long, 1e-5):
        result = run(
            model,
            1.0,
            coordinates="natural",
            formulation="augmented_lagrangian",
            integrator=integrator,
            fixed_step=step,
        )
        assert result.outcome.completed
        turned = result["wheel.angle"][-1] - exact
        off = abs(np.sin(turned / 2)) * 2
        verdicts.append((off, result.audit["steps"]))
    (lost, coarse), (kept, fine) = verdicts
    assert lost > 0.1
    assert not coarse.passed
    assert STRAYS in coarse.finding
    assert "wheel" in coarse.finding
    assert kept < 0.03
    # the estimate is no smaller than the error, and not much larger
    assert 0.3 * kept < fine.value < max(30 * kept, 1e-3)


def test_a_speed_that_is_a_little_wrong_turns_a_wheel_far() -> None:
    # ω = 200 − 100 t (backward Euler loses a part of every change), φ(1) = 200 − 50 = 150
    result = run(rotor(200.0, "-7 + 0*O.speed"), 1.0, integrator="backward_euler", fixed_step=2e-2)
    off = abs(result["O.angle"][-1] - (200.0 - 0.5 * 100.0))
    assert off > 0.3
    assert not result.audit["steps"].passed


@pytest.mark.parametrize(
    ("integrator", "step"), [("rk4", 1e-3), ("abm4", 1e-3), ("trapezoidal", 2e-4), ("bdf4", 5e-4), ("rkmk4", 1e-3)]
)
def test_steps_that_are_short_enough_pass(integrator: str, step: float) -> None:
    result = run(four_bar(), 2.0, integrator=integrator, fixed_step=step)
    exact = run(four_bar(), 2.0, rtol=1e-11)
    off = np.max(np.abs(result["O.angle"] - exact["O.angle"]))
    assert off < 0.03
    assert result.audit["steps"].passed
    assert result.audit.passed


def test_a_pendulum_of_many_swings_passes() -> None:
    model = lw.Model(
        space="planar",
        points={"O": (0, 0), "A": (0, -1)},
        bodies={"bob": {"bar": ("O", "A"), "mass": 1, "inertia": 0.1}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "bob")}},
        initial={"O": {"speed": 2.0}},
    )
    result = run(model, 100.0, integrator="rk4", fixed_step=5e-3, step=0.5)
    exact = run(model, 100.0, rtol=1e-11, step=0.5)
    assert np.max(np.abs(result["O.angle"] - exact["O.angle"])) < 1e-5
    assert result.audit["steps"].value < 1e-2


@pytest.mark.parametrize("count", [2, 3, 50])
def test_runs_of_a_few_steps_and_outputs_are_checked_too(count: int) -> None:
    result = run(four_bar(), 2e-3, integrator="rk4", fixed_step=1e-3, times=np.linspace(0, 2e-3, count))
    assert result.audit["steps"].value < 1e-6
    assert result.audit.passed


def test_what_rests_and_what_is_driven_has_no_errors() -> None:
    still = lw.Model(
        space="planar",
        gravity=(0, 0),
        points={"O": (0, 0), "A": (1, 0)},
        bodies={"arm": {"bar": ("O", "A"), "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "arm")}},
    )
    resting = run(still, 1.0, integrator="rk4", fixed_step=0.1).audit
    assert resting.passed and "steps" not in resting and "at rest" in str(resting)
    driven = still.with_(drivers={"motor": {"joint": "O", "position": "300*t"}})
    assert run(driven, 1.0, integrator="rk4", fixed_step=0.1).audit["steps"].value < 1e-9


def test_adaptive_runs_have_no_such_check() -> None:
    assert "steps" not in run(four_bar(), 1.0).audit


def test_a_run_that_ends_before_its_first_output_is_not_checked() -> None:
    model = rotor(5.0, "sqrt(1e-4 - t)")
    result = run(model, 1.0, step=0.5, integrator="ab5", fixed_step=2e-5)
    assert not result.outcome.completed
    assert "steps" not in result.audit


@pytest.mark.parametrize("times", [[1.0], [0.0, 1.0], [0.0, 0.5, 1.0]])
def test_a_phase_that_is_lost_is_told_where_only_the_end_is_asked_for(times: list[float]) -> None:
    options: dict[str, Any] = {"coordinates": "natural", "integrator": "trapezoidal", "times": times}
    lost, kept = (run(rotor(300.0), None, fixed_step=step, **options) for step in (1e-3, 1e-4))  # type: ignore[arg-type]
    assert abs(lost["wheel.angle"][-1] - 300.0) > 1.0
    assert not lost.audit.passed
    assert STRAYS in "\n".join(lost.audit.findings)
    assert abs(kept["wheel.angle"][-1] - 300.0) < 0.03
    assert kept.audit.passed


def test_a_wheel_that_begins_at_rest_is_carried_on_by_errors_of_its_speed() -> None:
    # ω = 200 t², φ = 200 t³/3; backward Euler is ahead in both, and half of its error of φ comes from that of ω
    result = run(rotor(0.0, "28*t"), 1.0, integrator="backward_euler", fixed_step=1e-3)
    off = abs(result["O.angle"][-1] - 200 / 3)
    assert 0.65 * off < result.audit["steps"].value < 1.5 * off


@pytest.mark.parametrize(
    ("integrator", "step", "until"), [("heun", 4e-4, 8.0), ("rk4", 1e-3, 8.0), ("heun", 1e-4, 4.0)]
)
def test_errors_of_speed_that_waver_with_every_turn_are_those_of_whole_turns(
    integrator: str, step: float, until: float
) -> None:
    model = rotor(400.0, "200*cos(O.angle)")
    exact = run(model, until, rtol=1e-12, atol=1e-13, times=[0.0, until])["O.angle"][-1]
    result = run(model, until, integrator=integrator, fixed_step=step)
    off = abs(result["O.angle"][-1] - exact)
    # a stretch of four steps sees a hundred times what is left of a turn
    assert 0.3 * off < result.audit["steps"].value < 4 * off


@pytest.mark.parametrize(("integrator", "rtol"), [("backward_euler", 1e-4), ("backward_euler", 1e-5), ("radau5", 1e-6)])
def test_steps_that_errors_of_positions_have_chosen_are_checked_for_velocities(integrator: str, rtol: float) -> None:
    # φ = φ̂ sin ωt with φ̂ = 5 mrad: a position that is known to 1e-5 rad has a speed that is known to a hundredth at best
    model = lw.Model(
        space="planar",
        gravity=(0, 0),
        points={"O": (0, 0), "A": (1, 0)},
        bodies={"arm": {"bar": ("O", "A"), "mass": 3}},
        joints={"O": {"kind": "revolute", "bodies": ("ground", "arm")}},
        forces={"S": {"kind": "torsion_spring", "joint": "O", "stiffness": 1e4}},
        initial={"O": {"speed": 0.5}},
    )
    options: dict[str, Any] = {"coordinates": "reference_point", "formulation": "index3", "integrator": integrator}
    result = run(model, 0.2, step=1e-3, rtol=rtol, atol=rtol / 100, **options)
    off = np.max(np.abs(result["O.speed"] - 0.5 * np.cos(100.0 * result.time))) / 0.5
    check = result.audit["steps"]
    assert 0.1 * off < check.value < 3 * off + 1e-6
    assert check.passed == (off < 0.03)
    assert check.passed or f"tighten rtol from {rtol:g}" in check.finding
