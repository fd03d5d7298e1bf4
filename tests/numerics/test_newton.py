"""Implicit stages of plain right-hand sides: Newton's method in compiled code."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from compiled_flows import Counts, flow, oscillator, pendulum

from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping.newton import NOT_CONVERGED


@kernel
def pendulum_slope(t: float, y: Floats, out: Floats, memory: Counts) -> Code:
    out[0] = 0.0
    out[1] = -math.cos(y[0])
    out[2] = 1.0
    out[3] = 0.0
    return 0


@kernel
def fast_to_cosine(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = cos t, whatever the rate at which others come to it. SOURCE: Prothero and Robinson, Math. Comp. 28 (1974) 145."""
    ydot[0] = -1e6 * (y[0] - math.cos(t)) - math.sin(t)
    return 0


@kernel
def no_stage(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """ẏ = 1 + y²: y = ŷ + τ (1 + y²) has no solution for 4 τ (ŷ + τ) > 1."""
    ydot[0] = 1.0 + y[0] * y[0]
    return 0


def test_stages_are_solved_to_rounding_with_fixed_steps() -> None:
    """A step turns the oscillator by 2 atan(h/2)."""
    step, times = 0.05, 0.05 * np.arange(101)
    found = integrate("trapezoidal", flow(oscillator), [1.0, 0.0], times, step=step)
    angle = 2 * np.arctan(step / 2) * np.arange(101)
    np.testing.assert_allclose(found.y, np.column_stack([np.cos(angle), -np.sin(angle)]), atol=1e-12)
    assert found.statistics.jacobians == found.statistics.factorisations == 1


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "differences"])
def test_nonlinear_stages_satisfy_the_trapezoidal_rule(exact: bool) -> None:
    problem = replace(flow(pendulum), slope=pendulum_slope if exact else None)
    t = np.linspace(0, 5, 101)
    found = integrate("trapezoidal", problem, [2.5, 0.0], t, step=0.05)
    rates = np.column_stack([found.y[:, 1], -np.sin(found.y[:, 0]) + 0.3 * np.cos(2.0 * t)])
    defect = np.diff(found.y, axis=0) - 0.025 * (rates[1:] + rates[:-1])
    assert np.abs(defect).max() < 2e-15
    assert found.statistics.iterations < 5 * found.statistics.steps


def test_stiff_equations_do_not_limit_the_step() -> None:
    found = integrate("trapezoidal", flow(fast_to_cosine), [1.0], [0.0, 10.0], step=0.1)
    assert found.y[-1, 0] == pytest.approx(np.cos(10.0), abs=1e-7)


def test_a_stage_without_a_solution_ends_the_run() -> None:
    found = integrate("trapezoidal", flow(no_stage), [0.0], [0.0, 3.0], step=0.1)
    assert found.status is RunStatus.FLOW_FAILED
    assert found.failure == NOT_CONVERGED
    assert 1.2 < found.t_reached < np.pi / 2
