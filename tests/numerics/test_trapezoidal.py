"""The trapezoidal rule on an oscillator, whose implicit stages have an exact solution."""

from __future__ import annotations

import numpy as np
import pytest
from compiled_flows import Counts, events, oscillator, shifted_cosines

from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow, Solver
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats

STEP = 0.05


@kernel
def oscillator_stage(t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, memory: Counts) -> Code:
    """y = hat + τ (y₂, −y₁)"""
    scale = 1.0 / (1.0 + tau * tau)
    y[0] = (hat[0] + tau * hat[1]) * scale
    y[1] = (hat[1] - tau * hat[0]) * scale
    k[0] = y[1]
    k[1] = -y[0]
    return 3


@kernel
def no_stage_beyond_one(t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, memory: Counts) -> Code:
    if t > 1.0:
        return -5
    return oscillator_stage(t, tau_q, tau, hat, y, k, memory)


@kernel
def slackening(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    ydot[0] = -100.0 * (1.0 - t) * y[0]
    return 0


@kernel
def slackening_stage(t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, memory: Counts) -> Code:
    """ẏ = −λ y with λ = 100 (1 − t)"""
    rate = 100.0 * (1.0 - t)
    y[0] = hat[0] / (1.0 + tau * rate)
    k[0] = -rate * y[0]
    return 1


def implicit(stage=oscillator_stage, rates=oscillator) -> Flow:
    return Flow(rates, memory=Counts(), solver=Solver(stage, Counts()))


def test_a_step_turns_the_oscillator_by_twice_the_arc_tangent_of_half_a_step() -> None:
    """y₊ = (1 − τ A)⁻¹ (1 + τ A) y is a rotation by 2 atan(h/2). SOURCE: by hand."""
    times = STEP * np.arange(101)
    found = integrate("trapezoidal", implicit(), [1.0, 0.0], times, step=STEP)
    angle = 2 * np.arctan(STEP / 2) * np.arange(101)
    np.testing.assert_allclose(found.y, np.column_stack([np.cos(angle), -np.sin(angle)]), atol=1e-12)
    assert found.status is RunStatus.COMPLETED
    # one evaluation at the start, then what the stages say that they took
    assert found.statistics.evaluations == 1 + 3 * 100


@pytest.mark.parametrize(("step", "grows"), [(0.19, False), (0.21, True)])
def test_a_rate_that_falls_limits_the_step_of_an_a_stable_method(step: float, grows: bool) -> None:
    """Stable for h ≤ 4 / (λ_n − λ_{n+1}), so for h² ≤ 4/100 here. SOURCE: García de Jalón and Bayo, example 7.1."""
    problem = implicit(slackening_stage, slackening)
    found = integrate("trapezoidal", problem, [1.0], [0.0, step], step=step)
    assert found.y[-1, 0] == pytest.approx((1 - 50 * step) / (1 + 50 * step * (1 - step)), rel=1e-14)
    assert (abs(found.y[-1, 0]) > 1.0) == grows


def test_output_between_the_steps_is_of_the_second_order() -> None:
    times = np.linspace(0.0, 4.0, 57)
    errors = []
    for step in (STEP, STEP / 2, STEP / 4):
        found = integrate("trapezoidal", implicit(), [1.0, 0.0], times, step=step)
        errors.append(np.abs(found.y - np.column_stack([np.cos(times), -np.sin(times)])).max())
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.05)


def test_an_event_ends_the_run_on_the_parabola_of_its_step() -> None:
    watched = events(shifted_cosines, [0.3, 5.0], terminal=[True, False])
    found = integrate("trapezoidal", implicit(), [1.0, 0.0], np.linspace(0, 5, 6), step=STEP, events=watched)
    assert found.status is RunStatus.EVENT
    assert found.y[-1, 0] == pytest.approx(0.3, abs=1e-13)
    assert found.t[-1] == pytest.approx(np.arccos(0.3), abs=STEP**2)


def test_a_stage_that_is_not_found_ends_the_run() -> None:
    found = integrate("trapezoidal", implicit(no_stage_beyond_one), [1.0, 0.0], [0.0, 2.0], step=STEP)
    assert found.status is RunStatus.FLOW_FAILED
    assert found.failure == -5
    assert found.t_reached == pytest.approx(1.0)


def test_methods_and_equations_that_do_not_fit_are_refused() -> None:
    with pytest.raises(RefusedError, match="'rk4' is explicit"):
        integrate("rk4", implicit(), [1.0, 0.0], [0.0, 1.0], step=STEP)
    with pytest.raises(RefusedError, match="'trapezoidal' has a fixed step"):
        integrate("trapezoidal", implicit(), [1.0, 0.0], [0.0, 1.0])
