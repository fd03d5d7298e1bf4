"""The Taylor method on flows whose series are known in closed form."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from compiled_flows import Counts, bell, oscillator

from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Events, Flow
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.integrators.taylor import LONGEST, TAYLOR
from linkwork.numerics.kernels.language.calling import Kernel, kernel
from linkwork.numerics.kernels.language.records import Code, Floats


@kernel
def oscillator_series(t: float, y: Floats, out: Floats, order: int, memory: Counts) -> Code:
    """y_{k+1} = J y_k / (k + 1)"""
    memory.calls += 1
    out[0] = y[0]
    out[1] = y[1]
    for k in range(order):
        out[2 * k + 2] = out[2 * k + 1] / (k + 1)
        out[2 * k + 3] = -out[2 * k] / (k + 1)
    return 0


@kernel
def no_series(t: float, y: Floats, out: Floats, order: int, memory: Counts) -> Code:
    return -1


@kernel
def half_a_series(t: float, y: Floats, out: Floats, order: int, memory: Counts) -> Code:
    """That of the oscillator, where y_0 > 0."""
    if y[0] < 0.0:
        return -1
    return oscillator_series(t, y, out, order, memory)


@kernel
def bouncing(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Free fall with the acceleration −1 above 0 and +1 below."""
    ydot[0] = y[1]
    ydot[1] = -1.0 if y[0] > 0.0 else 1.0
    return 0


@kernel
def bouncing_series(t: float, y: Floats, out: Floats, order: int, memory: Counts) -> Code:
    for i in range(2 * (order + 1)):
        out[i] = 0.0
    force = -1.0 if y[0] > 0.0 else 1.0
    out[0] = y[0]
    out[1] = y[1]
    out[2] = y[1]
    out[3] = force
    out[4] = 0.5 * force
    return 0


@kernel
def first_state(t: float, y: Floats, p: Floats, out: Floats) -> None:
    out[0] = y[0]


def flow(rates: Kernel, series: Kernel) -> Flow:
    return Flow(rates, memory=Counts(), series=series)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8, 1e-12])
def test_errors_follow_the_tolerance_at_all_times(tolerance: float) -> None:
    grid = np.linspace(0, 20, 301)
    solution = integrate("taylor", flow(oscillator, oscillator_series), [1, 0], grid, rtol=tolerance, atol=tolerance)
    errors = np.abs(solution.y - np.column_stack([np.cos(grid), -np.sin(grid)]))
    assert errors.max() < 10 * tolerance
    assert solution.statistics.steps < 30


@pytest.mark.parametrize("order", [4, 8, 15])
def test_a_fixed_step_is_the_truncated_exponential(order: int) -> None:
    # ẏ = J y: a step is Σ (hJ)^k / k! up to the order
    h, turn = 0.5, np.array([[0.0, 1.0], [-1.0, 0.0]])
    step = sum(np.linalg.matrix_power(h * turn, k) / math.factorial(k) for k in range(order + 1))
    method = replace(TAYLOR, order=order)
    solution = integrate(method, flow(oscillator, oscillator_series), [1, 0], [0, h, 2 * h], step=h)
    assert solution.y[1:] == pytest.approx(np.array([step @ [1, 0], step @ step @ [1, 0]]), abs=1e-15)


def test_a_step_stops_short_of_a_kink() -> None:
    """The coefficients of free fall end with the second and say nothing of the change at y = 0; the defect does."""
    solution = integrate("taylor", flow(bouncing, bouncing_series), [0.5, 0], [0, 1, 2, 4], rtol=1e-9, atol=1e-9)
    # half an oscillation takes 2 s: y is mirrored, and after 4 s the start returns
    assert solution.y[:, 0] == pytest.approx([0.5, 0, -0.5, 0.5], abs=1e-7)
    assert solution.statistics.rejected > 0


@pytest.mark.parametrize("series", [no_series, half_a_series], ids=lambda series: series.name)
def test_stages_where_there_is_no_series(series: Kernel) -> None:
    grid = np.linspace(0, 10, 101)
    solution = integrate("taylor", flow(oscillator, series), [1, 0], grid, rtol=1e-10, atol=1e-10)
    assert solution.y[:, 0] == pytest.approx(np.cos(grid), abs=1e-8)


def test_a_flow_without_series_is_stepped_by_dop853() -> None:
    grid = np.linspace(0, 3, 7)
    found, expected = (integrate(name, Flow(bell, memory=Counts()), [1.0], grid) for name in ("taylor", "dop853"))
    assert np.array_equal(found.y, expected.y)


def test_events_are_zeros_of_the_series() -> None:
    events = Events(first_state, 1, directions=-1)
    solution = integrate(
        "taylor", flow(oscillator, oscillator_series), [1, 0], [0, 10], events=events, rtol=1e-13, atol=1e-13
    )
    assert [event.t for event in solution.events] == pytest.approx([np.pi / 2, 5 * np.pi / 2], abs=1e-12)
    assert solution.status is RunStatus.COMPLETED


def test_one_series_serves_a_step_and_all_output_in_it() -> None:
    whole = flow(oscillator, oscillator_series)
    solution = integrate("taylor", whole, [1, 0], np.linspace(0, 10, 1001), rtol=1e-12, atol=1e-12)
    assert whole.memory.calls == solution.statistics.steps


def test_an_order_out_of_range_is_refused() -> None:
    with pytest.raises(RefusedError, match=f"between 4 and {LONGEST}"):
        replace(TAYLOR, order=50)
