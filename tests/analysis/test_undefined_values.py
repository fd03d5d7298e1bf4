"""Formulas without a value: every verb names the element, the formula and the time, and keeps what came before."""

from __future__ import annotations

from typing import Literal

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.runs.simulate import TOWARDS_A_POLE
from linkwork.elements.contribution import Contribution, Load
from linkwork.errors import EquilibriumError, ExpressionError, LinkworkError, RefusedError, ResultError
from linkwork.model.forces import FORCE_KINDS, AppliedForce
from linkwork.model.forces.base import Scene
from linkwork.model.model import renew_kinds
from linkwork.results.outcome import Status

NONE = "sqrt(0.5 - t)"  # ends at 0.5 s


def arm(*, driver: dict | None = None, torque: str = "", output: str = "", space: str = "planar") -> lw.Model:
    """A bar of 1 kg and 1 m on a pin, driven or not, with a torque."""
    zero = [0] if space == "spatial" else []
    axis = {"axis": [0, 0, 1]} if space == "spatial" else {}
    bar = {"bar": ["O", "A"], "mass": 1} | ({"radius": 0.01} if space == "spatial" else {})
    return lw.Model(
        space=space,
        gravity=[0, -9.81, *zero],
        points={"O": [0, 0, *zero], "A": [1, 0, *zero]},
        bodies={"arm": bar},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"], **axis}},
        drivers={"motor": {"joint": "O", **driver}} if driver else {},
        forces={"push": {"kind": "effort", "joint": "O", "value": torque}} if torque else {},
        outputs={"height": output} if output else {},
    )


def told(text: str, element: str, formula: str = NONE) -> None:
    assert f"'{element}'" in text and f"'{formula}'" in text, text


@pytest.mark.matrix("coordinates")
@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_a_torque_on_a_driven_joint_ends_the_run_where_it_has_no_value(coordinates, space):
    result = lw.simulate(arm(driver={"speed": 1}, torque=NONE, space=space), 1, coordinates=coordinates)
    assert result.status is Status.STOPPED_EARLY and result.outcome.element == "push"
    told(result.outcome.reason, "push")
    assert result.outcome.time == pytest.approx(0.5, abs=1e-6)
    assert result.time[-1] == pytest.approx(0.5, abs=2e-3)
    # what came before is the truth: the motor holds the weight against the torque
    expected = 9.81 * 0.5 * np.cos(result.time) - np.sqrt(np.maximum(0.0, 0.5 - result.time))
    assert result["motor.effort"] == pytest.approx(expected, abs=1e-9)
    assert np.all(np.isfinite(result["motor.work"]))


@pytest.mark.parametrize("name", ["dop853", "radau5", "taylor", "adams", "bdf", "esdirk43", None])
@pytest.mark.parametrize("formula", ["1/(t - 1)", "1/(t - 0.9999123)^2", "3*tan(t*pi/2)", "(t - 1)^-1"])
def test_poles_are_told_by_their_formula(name, formula):
    result = lw.simulate(arm(torque=formula), 2, integrator=name)
    assert result.outcome.element == "push" and "tolerance" not in result.outcome.reason
    told(result.outcome.reason, "push", str(lw.elements.Driver(joint="O", speed=formula).speed))
    assert result.outcome.time == pytest.approx(1.0, abs=2e-4)
    assert np.all(np.isfinite(result["O.speed"]))


@pytest.mark.parametrize("formula", ["1/(t - 1.00023)", "1/(t - 1.00023)^2", "1/(1 - sin(t*pi/2/1.00023))"])
@pytest.mark.parametrize("driven", [False, True])
def test_poles_between_steps_are_found(formula, driven):
    model = arm(torque=formula, driver={"speed": 1} if driven else None)
    result = lw.simulate(model, 2, integrator="rk4", fixed_step=1e-3)
    assert result.outcome.element == "push"
    assert result.outcome.time == pytest.approx(1.00023, abs=1e-4) and result.time[-1] < 1.0003


@pytest.mark.parametrize(
    "formula",
    ["sin(t - 0.5003)/(t - 0.5003)", "if(abs(t - 0.5003) < 0.01, 1, 1/(t - 0.5003))", "1/(1e-3 + (t - 0.5)^2)"],
)
def test_zeros_of_divisors_that_do_no_harm_are_passed(formula):
    result = lw.simulate(arm(torque=formula), 1, integrator="rk4", fixed_step=1e-3)
    assert result.outcome.completed


def test_a_driver_whose_branch_has_no_value_keeps_the_run():
    formula = "if(t > 0.5, sqrt(0.4 - t), 1)"
    result = lw.simulate(arm(driver={"position": formula}), 1)
    assert result.outcome.element == "motor" and result.outcome.time == pytest.approx(0.5, abs=1e-6)
    told(result.outcome.reason, "motor", formula)
    assert result["O.angle"] == pytest.approx(1.0) and len(result) > 499


def test_formulas_of_outputs_are_told():
    result = lw.simulate(arm(output=NONE), 1)
    assert result.outcome.completed
    notes = [note for note in result.notes if "height" in note]
    assert len(notes) == 1 and "0.501 s" in notes[0] and "500 outputs" in notes[0]
    told(notes[0], "height")


# -- the other verbs ---------------------------------------------------------------------------------------------------


def test_an_argument_that_is_just_beyond_one_is_told_with_its_digits():
    result = lw.simulate(arm(output="asin(-cos(O.angle) - 3e-16)"), until=0.1)
    assert "(asin of -1.0000000000000002)" in str(result).replace("\n", " ")


def test_kinematics_tells_drivers_and_inputs():
    by_driver = lw.solve_kinematics(arm(driver={"position": NONE}), until=1)
    told(by_driver.outcome.reason, "motor")
    assert len(by_driver) == 500 and by_driver["O.angle"] == pytest.approx(np.sqrt(0.5 - by_driver.time))
    by_input = lw.solve_kinematics(arm(), {"O": NONE}, until=1)
    told(by_input.outcome.reason, "O.angle")
    with pytest.raises(ExpressionError, match=r"inputs: O\.angle: 'sqrt\(t - 0\.5\)'"):
        lw.solve_kinematics(arm(), {"O": "sqrt(t - 0.5)"}, until=1)
    with pytest.raises(RefusedError, match=r"has no finite value at t = 0\.5 s: 'sqrt\(0\.5 - t\)'"):
        lw.solve_kinematics(arm(), {"O.speed": NONE}, until=1)


def test_kinematics_goes_on_without_forces_and_says_so():
    result = lw.solve_kinematics(arm(driver={"speed": 1}, torque=NONE), until=1)
    assert result.outcome.completed and result["O.angle"] == pytest.approx(result.time)
    assert any("no numbers" in note and NONE in note for note in result.notes)


def test_so_are_forces_at_many_outputs():
    """A hundred thousand positions: formulas are looked at by compiled code."""
    result = lw.solve_kinematics(arm(driver={"speed": 1}, torque=NONE), until=1, step=1e-5)
    (note,) = [note for note in result.notes if "push" in note]
    told(note, "push")
    assert "t = 0.5 s" in note
    assert not lw.solve_kinematics(arm(driver={"speed": 1}, torque="sqrt(1.5 - t)"), until=1, step=1e-5).notes


def test_inverse_dynamics_keeps_what_can_be_known():
    found = lw.inverse_dynamics(arm(torque=NONE), {"O.angle": "t^2"}, until=1, motors=["O"])
    told(found.notes[0], "push")
    t = found.time
    assert t[-1] <= 0.5 + 1e-9 and len(t) >= 500
    # I α = τ + u − m g l/2 cos φ
    expected = 2 / 3 + 9.81 / 2 * np.cos(t**2) - np.sqrt(np.maximum(0.0, 0.5 - t))
    assert found.result["O.angle.effort"] == pytest.approx(expected, abs=1e-9)
    assert "0.5 s" in str(found)
    driven = lw.inverse_dynamics(arm(driver={"position": NONE}), until=1)
    told(driven.notes[0], "motor")


def test_inverse_dynamics_of_a_driver_that_runs_away_ends_after_so_many_steps():
    """Towards its pole the driver turns ever faster: one turn after the other, without an end."""
    found = lw.inverse_dynamics(arm(driver={"speed": "1/(t - 0.5)^2"}), until=1, step=0.01, max_steps=1000)
    (note,) = [note for note in found.result.notes if "could not be followed" in note]
    assert "the limit of 1000 steps is reached" in note and "max_steps" in note
    assert 0.4 < found.time[-1] < 0.5
    # the motor holds the weight, and turns the arm: (m l²/3) α
    t = found.time
    angle = 1 / (0.5 - t) - 2
    assert found["motor"] == pytest.approx(9.81 * 0.5 * np.cos(angle) + 2 / 3 / (0.5 - t) ** 3, rel=1e-6)


def test_inverse_dynamics_refuses_motions_without_values():
    with pytest.raises(RefusedError, match=r"'O\.angle' of the motion: 'sqrt\(0\.5 - t\)' has no value at t = 0\.5 s"):
        lw.inverse_dynamics(arm(), {"O.angle": NONE}, until=1)
    # a speed is followed from where the arm begins
    for motion in ({"O.speed": "1"}, lw.solve_kinematics(arm(), {"O.speed": "1"}, until=1)):
        found = lw.inverse_dynamics(arm(), motion, until=1, motors=["O"])
        assert found.result["O.angle.effort"] == pytest.approx(9.81 / 2 * np.cos(found.time), abs=1e-9)


def test_statics_and_small_motions_name_the_formula():
    with pytest.raises(EquilibriumError) as rest:
        lw.find_equilibrium(arm(torque=NONE), time=1)
    told(str(rest.value), "push")
    for verb in (lw.linearise, lw.modes):
        with pytest.raises(RefusedError) as refused:
            verb(arm(torque=NONE), 1)
        told(str(refused.value), "push")
    with pytest.raises(RefusedError, match=r"'sqrt\(O\.angle\)' \(its slope is infinite\)"):
        lw.linearise(arm(torque="sqrt(O.angle)"))


def test_real_time_says_so():
    for model, element in ((arm(driver={"speed": 1}, torque=NONE), "push"), (arm(torque=NONE), "push")):
        rt = lw.realtime(model, "1 ms")
        assert rt.advance(0.45).completed
        outcome = rt.advance(0.6)
        assert outcome.status is Status.STOPPED_EARLY and outcome.element == element
        told(outcome.reason, element)


def test_a_start_without_a_value_is_refused_by_its_formula():
    for verb in (lw.analyse, lambda model: lw.simulate(model, 1), lw.find_equilibrium):
        with pytest.raises(LinkworkError, match=r"drivers\.motor: 'log\(t\)' has no value \(the logarithm of 0\)"):
            verb(arm(driver={"position": "log(t)"}))
    result = lw.simulate(arm(torque="1/t"), 1)
    assert result.outcome.element == "push" and "division by zero" in result.outcome.reason
    assert "no samples" in str(result)


# squares of these numbers are none, long before they are infinite themselves
@pytest.mark.parametrize(("formula", "step"), [("exp(10000*t)", 2e-3), ("(100000*t)^60", 1e-5)])
@pytest.mark.parametrize("level", ["position", "speed", "acceleration"])
def test_drivers_too_large_for_any_computation_end_every_verb(formula, step, level):
    model = arm(driver={level: formula})
    result = lw.simulate(model, 0.06, step=step, audit=False)
    assert result.outcome.element == "motor" and "too large for any computation" in result.outcome.reason
    assert np.max(np.abs(result["O.speed"])) < 1e40 and np.all(np.isfinite(result["motor.power"]))
    alone = lw.simulate(model, 0.06, step=0.05)
    assert len(alone) == 1 and alone.audit.passed is None
    with pytest.raises(RefusedError, match=r"'motor' gives an infinite or undefined value: .* too large"):
        lw.inverse_dynamics(model, until=0.1, step=0.05)
    live = lw.realtime(model, "2 ms", keep=50)
    assert "too large for any computation" in live.advance(0.06).reason
    assert not live.audit.passed and "is infinite or undefined" in str(live)
    found = _kinematics(model)
    assert "too large for any computation" in found and formula in found
    with pytest.raises(RefusedError, match="too large for any computation"):
        lw.inverse_dynamics(arm(), {"O.angle": formula}, times=[0.0, 0.01, 0.02])


def _kinematics(model: lw.Model) -> str:
    """What kinematics says, with samples or without."""
    try:
        return lw.solve_kinematics(model, until=0.02, step=0.01).outcome.reason
    except RefusedError as error:
        return str(error)


def test_a_run_without_samples_is_told_by_all_that_would_go_on_from_it(tmp_path):
    result = lw.simulate(arm(driver={"acceleration": "t^-1"}), 0.02, step=0.002)
    assert len(result) == 0 and result.outcome.element == "motor"
    assert all(values.size == 0 for values in result.values(result.names()).values())
    assert "no samples" in str(lw.load_result(result.save(tmp_path / "run.nc")))
    for verb in (
        lambda: lw.simulate(result, 0.1),
        lambda: lw.inverse_dynamics(result),
        lambda: lw.diagnose(result, 0.0),
        lambda: lw.linearise(result, 0.0),
        lambda: lw.floquet(result, 0.1),
        lambda: lw.measures.velocity_ellipsoid(result, "A", time=0.0),
    ):
        with pytest.raises(RefusedError, match="no samples"):
            verb()
    for ask in (
        lambda: result["O.angle"],
        lambda: result.multipliers,
        lambda: result.plot_path("A"),
        lambda: result.animate(tmp_path / "run.html"),
        lambda: lw.envelope(result),
        lambda: lw.interference(result),
    ):
        with pytest.raises(ResultError, match=r"has no samples: it has stopped at t = 0 s: driver 'motor' gives"):
            ask()


def test_a_period_that_takes_too_many_steps_is_told_in_time():
    with pytest.raises(RefusedError, match=r"cannot be followed over a period .* forces that grow with time"):
        lw.floquet(arm(torque="1e9*sin(1e9*t)"), 0.05)
    with pytest.raises(RefusedError, match=r"not periodic: after 0\.05 s 'O\.speed' is off by .*e\+126"):
        lw.floquet(arm(torque="exp(6000*t)"), 0.05)


class BrokenPush(AppliedForce):
    """A force at the pivot from outside, without a formula of the model, that has no value from a time on."""

    kind: Literal["broken_push"] = "broken_push"

    def contribute(self, scene: Scene) -> Contribution:
        at = scene.station("arm.O")
        force = ca.vertcat(ca.sqrt(0.05 - scene.time), 0)
        return Contribution(loads=(Load(at.body, at.position, force, ca.SX(1, 1), at.velocity),), supplies=True)


@pytest.fixture
def broken_push():
    kept = dict(FORCE_KINDS)
    lw.register(BrokenPush)
    yield
    FORCE_KINDS.clear()
    FORCE_KINDS.update(kept)
    renew_kinds()


@pytest.mark.parametrize("coordinates", ["relative", "reference_point"])
def test_a_force_from_outside_at_a_pivot_is_told(broken_push, coordinates):
    """It moves nothing: only the reaction would be no number."""
    run = lw.simulate(arm().with_(forces={"push": {"kind": "broken_push"}}), 0.1, step=0.01, coordinates=coordinates)
    assert run.outcome.reason.startswith("force 'push' gives an infinite or undefined value")
    assert run.time[-1] <= 0.05 and np.all(np.isfinite(run.reactions["O"]["fx"]))


@pytest.mark.parametrize("value", ["sqrt(0.05 - t)", "sqrt(-1 - arm.angle^2)"])
def test_a_force_at_a_pivot_is_told_of_a_position_at_rest(value):
    model = arm().with_(forces={"push": {"kind": "force", "at": "arm.O", "value": [value, 0]}})
    rest = lw.find_equilibrium(model, time=0.2)
    assert np.isnan(rest.reactions["O"]["fx"]).all()
    told = [note for note in rest.notes if "at t = 0.2 s" in note and "force 'push'" in note]
    assert len(told) == 1 and "the square root of" in told[0] and "reactions" in told[0]


@pytest.mark.parametrize("verb", ["simulate", "inverse_dynamics"])
def test_a_loop_that_is_driven_towards_a_double_pole_is_not_followed_for_minutes(verb: str) -> None:
    """The crank turns faster and faster, with more turns before 0.499 s than there is time for."""
    formula = "1/(t - 0.5)^2"
    model = lw.example("driven_four_bar").with_(initial=None, drivers=None)
    model = model.with_(drivers={"lead": {"joint": "O", "position": formula}})
    if verb == "simulate":
        result = lw.simulate(model, 1.0)
        text = str(result.outcome)
    else:
        found = lw.inverse_dynamics(model, until=1.0)
        result, text = found.result, " ".join(found.notes)
    told(text, "lead", formula)
    assert "at t = 0.5 s" in text
    assert 0.48 < result.time[-1] < 0.5


def test_a_run_that_stops_at_its_first_output_is_not_called_clean() -> None:
    stopped = lw.simulate(arm(torque="1/(t - 1e-4)"), 1.0, step=0.5)
    assert not stopped.outcome.completed
    assert len(stopped) == 1
    assert stopped.audit.passed is None
    assert "stopped before its next sample" in str(stopped.audit)


def test_a_pole_that_is_far_away_does_not_end_a_long_run() -> None:
    """More steps than are taken towards a pole at first are needed on the way to it."""
    formula = "0.3*sin(300*t) + 1e-12/(t - 29.9)"
    model = lw.example("driven_four_bar").with_(initial=None, drivers=None)
    model = model.with_(drivers={"lead": {"joint": "O", "position": formula}})
    result = lw.simulate(model, 30.0, audit=False)
    assert result.time[-1] > 29.0
    assert result.statistics["steps"] > TOWARDS_A_POLE
    told(str(result.outcome), "lead", formula)


@pytest.mark.parametrize("integrator", ["dop853", "bdf", "radau5", "adams"])
@pytest.mark.parametrize("formula", ["tan(3*t)", "1/(t - 0.52359878)^2"])
def test_steps_that_end_beside_a_pole_end_for_it(integrator: str, formula: str) -> None:
    model = lw.example("driven_four_bar").with_(initial=None, drivers=None)
    result = lw.simulate(model.with_(drivers={"lead": {"joint": "O", "position": formula}}), 1.0, integrator=integrator)
    told(str(result.outcome), "lead", formula)
    assert "0.523599 s" in str(result.outcome)
