"""Integration against theory (order, exact solutions) and against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate
from compiled_flows import (
    bell,
    blow_up,
    circle,
    empty,
    flow,
    not_in_window,
    onto_circle,
    oscillator,
    pendulum,
    root,
    stages_on_circle,
    wall,
)

from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import evaluate_flow
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.run import ShortRuns, integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import Kernel

ADAPTIVE = [method for method in ALL_METHODS if method.adaptive and method.order > 3]
EXTRAPOLATING = [m for m in ADAPTIVE if m.name not in ("rkf45", "bdf")]  # their steps go on with the higher order
EXPLICIT = [method for method in ALL_METHODS if not method.implicit]
methods = pytest.mark.parametrize("method", EXPLICIT, ids=lambda method: method.name)
FIXED = [method for method in EXPLICIT if not (method.variable_order or method.uses_series)]
adaptive = pytest.mark.parametrize("method", ADAPTIVE, ids=lambda method: method.name)

START = [1.2, 0.4]
GRID = np.linspace(0.0, 6.0, 61)


@pytest.fixture(scope="module")
def reference() -> Array:
    """The driven pendulum by SciPy's DOP853, rtol 1e-13."""
    solution = scipy.integrate.solve_ivp(
        lambda t, y: [y[1], -np.sin(y[0]) + 0.3 * np.cos(2.0 * t)],
        (0.0, 6.0),
        START,
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
        t_eval=GRID,
        max_step=0.05,
    )
    return np.ascontiguousarray(solution.y.T)


@pytest.mark.parametrize(
    ("method", "problem", "until", "exact", "coarse"),
    [
        ("euler", blow_up, 0.5, 2.0, 100),
        ("heun", blow_up, 0.9, 10.0, 200),
        ("rkf45", blow_up, 0.9, 10.0, 100),
        ("rk4", blow_up, 0.9, 10.0, 100),
        ("rk4", bell, 2.0, 0.2, 100),
        ("dopri5", bell, 2.0, 0.2, 150),
        ("dop853", blow_up, 0.9, 10.0, 45),
    ],
)
def test_order_of_convergence(method: str, problem: Kernel, until: float, exact: float, coarse: int) -> None:
    """The error of nonlinear equations at the end falls with the power of the step size that is the order."""
    errors = []
    for count in (coarse, 2 * coarse):
        solution = integrate(method, flow(problem), [1.0], [0.0, until], step=until / count)
        assert solution.statistics.steps == count
        errors.append(abs(solution.y[-1, 0] - exact))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method_named(method).order, abs=0.2)


@pytest.mark.parametrize("method", FIXED, ids=lambda method: method.name)
def test_order_of_dense_output(method: Method) -> None:
    """The interpolation error inside one step from an exact state is O(h^(dense order + 1)), or better."""
    sizes = {"dopri5": (0.4, 0.2), "dop853": (1.2, 0.6)}.get(method.name, (0.2, 0.1))
    errors = []
    for size in sizes:
        t = size * np.linspace(0.0, 1.0, 21)
        solution = integrate(method, flow(oscillator), [1.0, 0.0], t, step=size)
        assert solution.statistics.steps == 1
        errors.append(np.max(np.abs(solution.y[:, 0] - np.cos(t))))
    assert np.log2(errors[0] / errors[1]) > method.dense_order + 0.8


@pytest.mark.parametrize("method", EXTRAPOLATING, ids=lambda method: method.name)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_error_is_proportional_to_the_tolerance(method: Method, tolerance: float, reference: Array) -> None:
    solution = integrate(method, flow(pendulum), START, GRID, rtol=tolerance, atol=tolerance)
    assert solution.status is RunStatus.COMPLETED
    assert np.max(np.abs(solution.y - reference)) < 30 * tolerance
    assert np.max(np.abs(solution.y - reference)) > 1e-3 * tolerance


@pytest.mark.parametrize(("method", "order"), [("rkf45", 4), ("bdf", 5)])
def test_errors_of_steps_add_up_without_extrapolation(method: str, order: int, reference: Array) -> None:
    """Every step errs by the tolerance, and there are tolerance^(-1/(p+1)) of them: the sum has the power p/(p+1)."""
    tolerances, errors = np.array([1e-9, 1e-11]), []
    for tolerance in tolerances:
        solution = integrate(method, flow(pendulum), START, GRID, rtol=tolerance, atol=tolerance)
        errors.append(np.max(np.abs(solution.y - reference)))
        assert errors[-1] < tolerance * solution.statistics.steps
    np.testing.assert_allclose(np.diff(np.log(errors)) / np.diff(np.log(tolerances)), order / (order + 1), atol=0.05)


@methods
def test_output_does_not_change_the_steps(method: Method) -> None:
    step = None if method.adaptive else 0.05
    few = integrate(method, flow(pendulum), START, [0.0, 6.0], step=step)
    many = integrate(method, flow(pendulum), START, np.linspace(0.0, 6.0, 1234), step=step)
    np.testing.assert_array_equal(few.step_times, many.step_times)
    np.testing.assert_array_equal(few.y[-1], many.y[-1])
    assert few.step_times[0] == 0.0
    assert few.step_times[-1] == 6.0
    assert len(few.step_times) == few.statistics.steps + 1


@methods
def test_chunks_do_not_change_a_bit(method: Method) -> None:
    step = None if method.adaptive else 0.01
    fractions: list[float] = []
    plain = integrate(method, flow(pendulum), START, GRID, step=step, max_step=0.01)
    watched = integrate(method, flow(pendulum), START, GRID, step=step, max_step=0.01, progress=fractions.append)
    np.testing.assert_array_equal(plain.y, watched.y)
    np.testing.assert_array_equal(plain.step_times, watched.step_times)
    assert plain.statistics.evaluations == watched.statistics.evaluations
    assert 50 <= len(fractions) <= 110
    assert np.all(np.diff(fractions) >= 0.0)
    assert fractions[-1] == 1.0


ONE_SIZE = [method for method in ALL_METHODS if not (method.variable_order or method.keeps_energy)]


@pytest.mark.parametrize("method", ONE_SIZE, ids=lambda method: method.name)
def test_short_runs_in_one_memory_know_nothing_of_those_before(method: Method) -> None:
    shown = [flow(pendulum) for _ in range(4)]
    again = ShortRuns(method, shown[0], 2, outputs=3)
    for own, start, y, step in zip(
        shown[1:], (2.0, 0.5, 2.0), ([1.2, 0.4], [-3.0, 2.0], [1.2, 0.4]), (0.1, 0.02, 0.1), strict=True
    ):
        grid = start + np.array([0.0, 0.43, 1.0])
        alone = integrate(method, own, y, grid, step=step)
        np.testing.assert_array_equal(again(grid, np.array(y), step), alone.y)


def test_a_short_run_that_fails_has_no_states_and_the_next_one_has() -> None:
    again, grid = ShortRuns(method_named("rk4"), flow(wall), 1, outputs=2), np.array([0.0, 0.1])
    before = again(grid, np.zeros(1), 0.01)
    assert again(np.array([0.0, 2.0]), np.zeros(1), 0.01) is None
    np.testing.assert_array_equal(again(grid, np.zeros(1), 0.01), before)


def test_many_steps_pass_through_the_buffers() -> None:
    """More steps than one buffer of step times holds."""
    solution = integrate("rk4", flow(oscillator), [1.0, 0.0], [0.0, 20.0], step=1e-3)
    np.testing.assert_allclose(solution.step_times, np.linspace(0.0, 20.0, 20001), atol=1e-11)
    assert solution.y[-1, 0] == pytest.approx(np.cos(20.0), abs=1e-11)


def test_fixed_steps_end_with_a_shorter_one() -> None:
    solution = integrate("rk4", flow(oscillator), [1.0, 0.0], [2.0, 3.0], step=0.3)
    np.testing.assert_allclose(solution.step_times, [2.0, 2.3, 2.6, 2.9, 3.0], rtol=1e-15)


@adaptive
def test_largest_step_is_respected(method: Method) -> None:
    solution = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 1.0], max_step=0.03)
    assert np.max(np.diff(solution.step_times)) <= 0.03 * (1 + 1e-12)


def test_tolerance_of_each_state() -> None:
    """A state whose tolerance is loose does not keep the step small."""
    tight = integrate("dopri5", flow(pendulum), START, GRID, rtol=1e-12, atol=1e-12)
    loose = integrate("dopri5", flow(pendulum), START, GRID, rtol=1e-12, atol=[1e-3, 1e-3])
    assert loose.statistics.steps < tight.statistics.steps / 4


# --- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [m for m in ADAPTIVE if not m.implicit], ids=lambda method: method.name)
def test_solution_that_ends_in_a_pole(method: Method) -> None:
    """y = 1/(1 - t): the steps shrink towards t = 1."""
    solution = integrate(method, flow(blow_up), [1.0], np.linspace(0.0, 2.0, 21), rtol=1e-10, atol=1e-12)
    assert solution.status in (RunStatus.STEP_TOO_SMALL, RunStatus.NOT_FINITE)
    assert solution.t_reached == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(solution.y[:10, 0], 1.0 / (1.0 - solution.t[:10]), rtol=1e-6)
    assert np.all(np.isfinite(solution.y))


@adaptive
def test_flow_that_cannot_be_evaluated(method: Method) -> None:
    """The run goes as near to the wall as the smallest step allows, and reports the code of the flow."""
    solution = integrate(method, flow(wall), [0.0], np.linspace(0.0, 2.0, 21))
    assert solution.status is RunStatus.STEP_TOO_SMALL
    assert solution.failure == -7
    assert solution.t_reached == pytest.approx(1.0, abs=1e-12)
    assert solution.y_reached[0] == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(solution.y[:, 0], solution.t, atol=1e-14)
    assert len(solution.t) in (10, 11)


@pytest.mark.parametrize("method", [m for m in ADAPTIVE if not m.implicit], ids=lambda method: method.name)
def test_undefined_values_shrink_the_step(method: Method) -> None:
    """ẏ = -√(y - 1/16) reaches 1/16 at t = √15/2; stages that trespass give NaN."""
    solution = integrate(method, flow(root), [1.0], np.linspace(0.0, 3.0, 31), max_steps=1000)
    inside = solution.t < 1.9
    exact = 0.0625 + (np.sqrt(15 / 16) - solution.t / 2) ** 2
    np.testing.assert_allclose(solution.y[inside, 0], exact[inside], atol=1e-7)
    assert inside.sum() == 19
    assert np.all(np.isfinite(solution.y))


def test_undefined_values_with_a_fixed_step() -> None:
    solution = integrate("rk4", flow(root), [0.05], [0.0, 1.0], step=0.1)
    assert solution.status is RunStatus.NOT_FINITE
    assert len(solution.t) == 0
    later = integrate("rk4", flow(root), [1.0], np.linspace(0.0, 3.0, 31), step=0.1)
    assert later.status is RunStatus.NOT_FINITE
    assert 1.5 < later.t_reached < 2.0


def test_failure_with_a_fixed_step_ends_the_run() -> None:
    solution = integrate("rk4", flow(wall), [0.0], np.linspace(0.0, 2.0, 21), step=0.25)
    assert solution.status is RunStatus.FLOW_FAILED
    assert solution.failure == -7
    assert solution.t_reached == 1.0


def test_failure_at_the_start() -> None:
    solution = integrate("dopri5", flow(wall), [2.0], [0.0, 1.0])
    assert solution.status is RunStatus.FLOW_FAILED
    assert solution.failure == -7
    assert solution.t.size == 0


def test_number_of_steps_is_limited() -> None:
    solution = integrate("dopri5", flow(pendulum), START, GRID, max_steps=10)
    assert solution.status is RunStatus.TOO_MANY_STEPS
    assert solution.statistics.steps + solution.statistics.rejected == 10
    assert solution.t_reached == solution.step_times[-1]


def test_interrupt_returns_what_there_is() -> None:
    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    solution = integrate("rk4", flow(pendulum), START, GRID, step=0.01, progress=stop)
    whole = integrate("rk4", flow(pendulum), START, GRID, step=0.01)
    assert solution.status is RunStatus.INTERRUPTED
    assert 30 <= len(solution.t) <= 33
    np.testing.assert_array_equal(solution.y, whole.y[: len(solution.t)])
    assert solution.step_times[-1] == solution.t_reached


# --- refresh ---------------------------------------------------------------------------------------------------------


@methods
@pytest.mark.parametrize("again", [0, 1])
def test_refresh_corrects_every_output(method: Method, again: int) -> None:
    """Every output lies on the circle, the grid does not matter, and 1 costs one more evaluation for each step."""
    step = None if method.adaptive else 0.1 if method.order > 2 else 0.008
    runs = []
    for grid in (np.linspace(0.0, 5.0, 101), np.array([0.0, 5.0])):
        problem = flow(circle, onto_circle, again)
        solution = integrate(method, problem, [1.01, 0.0], grid, step=step, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(np.hypot(*solution.y.T), 1.0, atol=4e-16)
        np.testing.assert_allclose(solution.y[:, 0], np.cos(grid), atol=3e-4)
        assert problem.memory.calls == solution.statistics.evaluations
        runs.append((problem, solution))
    np.testing.assert_array_equal(runs[0][1].step_times, runs[1][1].step_times)
    # start, accepted steps, and the outputs inside them
    problem, solution = runs[0]
    inside = 99 - np.isin(solution.t[1:-1], solution.step_times).sum()
    assert problem.memory.corrections == 1 + solution.statistics.steps + inside
    bare = solution.statistics
    if method.name == "dopri5":
        attempts = bare.steps + bare.rejected
        assert bare.evaluations == 2 + 6 * attempts + (bare.steps if again else 0)


@methods
def test_flow_may_correct_the_state(method: Method) -> None:
    step = None if method.adaptive else 0.1
    solution = integrate(method, flow(stages_on_circle), [1.0, 0.0], [0.0, 50.0], step=step, rtol=1e-4, atol=1e-4)
    assert np.hypot(*solution.y_reached) == pytest.approx(1.0, abs=4e-16)


def test_refresh_that_fails_rejects_the_step() -> None:
    solution = integrate("dopri5", flow(circle, onto_circle, -3), [1.0, 0.0], [0.0, 1.0])
    assert solution.status is RunStatus.FLOW_FAILED
    assert solution.failure == -3


@adaptive
def test_output_that_cannot_be_corrected_is_not_written(method: Method) -> None:
    """An uncorrected state is never returned: the run stops before the output, or steps over the window without one."""
    problem = flow(oscillator, not_in_window)
    stopped = integrate(method, problem, [1.0, 0.0], [0.0, 0.4, 0.5005, 1.0])
    assert stopped.status is RunStatus.STEP_TOO_SMALL
    assert stopped.failure == -5
    np.testing.assert_array_equal(stopped.t, [0.0, 0.4])
    assert stopped.t_reached == pytest.approx(0.5, abs=1e-12)
    passed = integrate(method, problem, [1.0, 0.0], [0.0, 0.4, 0.6, 1.0], rtol=1e-6, atol=1e-6)
    assert passed.status is RunStatus.COMPLETED
    np.testing.assert_allclose(passed.y[:, 0], np.cos(passed.t), atol=1e-5)


# --- the edges -------------------------------------------------------------------------------------------------------


@methods
def test_no_states(method: Method) -> None:
    solution = integrate(method, flow(empty), [], [0.0, 1.0, 3.0], step=None if method.adaptive else 0.1)
    assert solution.status is RunStatus.COMPLETED
    assert solution.y.shape == (3, 0)


def test_one_point() -> None:
    solution = integrate("dopri5", flow(oscillator), [1.0, 0.0], [4.0])
    assert solution.status is RunStatus.COMPLETED
    np.testing.assert_array_equal(solution.y, [[1.0, 0.0]])


def test_the_given_state_stays_as_it_is() -> None:
    start = np.array([1.01, 0.0])
    integrate("dopri5", flow(circle, onto_circle), start, [0.0, 1.0])
    np.testing.assert_array_equal(start, [1.01, 0.0])


@pytest.mark.parametrize(
    ("grid", "options", "text"),
    [
        ([], {}, "empty"),
        ([1.0, 0.0], {}, "times must grow"),
        ([0.0, np.inf], {}, "finite"),
        ([0.0, 1.0], {"step": -0.1}, "positive"),
        ([0.0, 1.0], {"rtol": 0.0, "atol": 0.0}, "tolerances"),
        ([0.0, 1.0], {"atol": [1e-8, 1e-8, 1e-8]}, "2 states"),
    ],
)
def test_what_makes_no_sense_is_refused(grid: list[float], options: dict[str, float], text: str) -> None:
    with pytest.raises(RefusedError, match=text):
        integrate("dopri5", flow(oscillator), [1.0, 0.0], grid, **options)  # type: ignore[arg-type]


def test_fixed_method_needs_a_step() -> None:
    with pytest.raises(RefusedError, match="step="):
        integrate("rk4", flow(oscillator), [1.0, 0.0], [0.0, 1.0])


def test_flow_over_samples() -> None:
    t = np.linspace(0.0, 1.0, 7)
    y = np.random.default_rng(1).normal(size=(7, 2))
    expected = np.column_stack([y[:, 1], -np.sin(y[:, 0]) + 0.3 * np.cos(2.0 * t)])
    np.testing.assert_allclose(evaluate_flow(flow(pendulum), t, y), expected, rtol=1e-15)
    rates = evaluate_flow(flow(wall), 0.0, [[0.0], [2.0], [0.5]])
    np.testing.assert_array_equal(rates, [[1.0], [np.nan], [1.0]])
