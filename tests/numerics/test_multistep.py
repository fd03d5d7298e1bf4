"""Linear multistep methods of fixed step: coefficients from exact order conditions, published runs, order, output."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from compiled_flows import Counts, bell, circle, flow, onto_circle, oscillator, pendulum

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.adams_bashforth import ROWS as ADAMS_BASHFORTH
from linkwork.numerics.integrators.adams_moulton import ROWS as ADAMS_MOULTON
from linkwork.numerics.integrators.adams_moulton import adams_bashforth_moulton
from linkwork.numerics.integrators.backward_differences import ROWS as BACKWARD_DIFFERENCES
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping.newton import NOT_CONVERGED

MULTISTEP = [method for method in ALL_METHODS if isinstance(method, Multistep)]
methods = pytest.mark.parametrize("method", MULTISTEP, ids=lambda method: method.name)
orders = pytest.mark.parametrize("k", range(1, 6))


@kernel
def fast_decay(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    ydot[0] = -100.0 * y[0]
    return 0


@kernel
def other_frame(t: float, y: Floats, memory: Counts) -> Code:
    """At t = 1 and t = 2 the state is seen from a frame turned by a quarter: former states mean something else."""
    if (memory.calls == 0 and t >= 0.99999) or (memory.calls == 1 and t >= 1.99999):
        memory.calls += 1
        x = y[0]
        y[0] = y[1]
        y[1] = -x
        return 3
    return 0


def determined(rows: list[list[Fraction]], right: list[Fraction]) -> Array:
    """Solution of exact equations, by elimination."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for i in range(len(table)):
        pivot = next(j for j in range(i, len(table)) if table[j][i] != 0)
        table[i], table[pivot] = table[pivot], table[i]
        table[i] = [x / table[i][i] for x in table[i]]
        for j in range(len(table)):
            if j != i:
                table[j] = [x - table[j][i] * y for x, y in zip(table[j], table[i], strict=True)]
    return np.array([float(row[-1]) for row in table])


def moments(nodes: list[int], power: int) -> list[Fraction]:
    return [Fraction(node) ** power for node in nodes]


@orders
def test_adams_weights_integrate_polynomials_exactly(k: int) -> None:
    """Σ_i β_i c_i^(q−1) = 1/q for q = 1 ... k, from the last k points, the end of the step among them or not."""
    right = [Fraction(1, q) for q in range(1, k + 1)]
    explicit = [moments([-i for i in range(k)], q) for q in range(k)]
    np.testing.assert_allclose(ADAMS_BASHFORTH[k], determined(explicit, right), rtol=1e-15)
    implicit = [moments([1 - i for i in range(k)], q) for q in range(k)]
    np.testing.assert_allclose(ADAMS_MOULTON[k], [*determined(implicit, right), 0.0], rtol=1e-15)


@orders
def test_backward_differences_are_exact_for_polynomials(k: int) -> None:
    """1 = Σ_i a_i (−i)^q + β₀ q for the powers q = 0 ... k at the points 1, 0, −1, ..."""
    rows = [[Fraction(q), *moments([-i for i in range(k)], q)] for q in range(k + 1)]
    np.testing.assert_allclose(BACKWARD_DIFFERENCES[k], determined(rows, [Fraction(1)] * (k + 1)), rtol=1e-15)


def test_error_of_the_corrector_from_what_it_has_changed() -> None:
    """y − y¹ = −19/270 (y¹ − y⁰) on t⁵, h = 1. SOURCE: García de Jalón and Bayo, eq. 7.27 with its sign corrected."""
    slopes = 5.0 * np.array([1.0 - i for i in range(5)]) ** 4
    predicted, corrected = ADAMS_BASHFORTH[4] @ slopes[1:], ADAMS_MOULTON[4] @ slopes
    assert (1.0 - corrected) / (corrected - predicted) == pytest.approx(-19 / 270, rel=1e-12)


@pytest.mark.parametrize(("corrections", "published"), [(1, -0.83907207), (0, -0.83905947)])
def test_published_run_of_the_predictor_corrector(corrections: int, published: float) -> None:
    """ÿ + y = 0 from (1, 0), h = 0.1, RK4 start. SOURCE: García de Jalón and Bayo, problem 7/2, worked out: y(10)."""
    found = integrate(adams_bashforth_moulton(4, corrections), flow(oscillator), [1.0, 0.0], [0.0, 10.0], step=0.1)
    assert found.y[-1, 0] == pytest.approx(published, abs=5e-9)


@pytest.mark.parametrize("method", [m for m in MULTISTEP if not m.implicit], ids=lambda method: method.name)
def test_evaluations(method: Multistep) -> None:
    """One a step and one for each correction, apart from the first steps."""
    count, first = 40, method.steps - 1
    found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 4.0], step=0.1)
    each = 2 if method.corrector.size else 1
    assert found.statistics.evaluations == 1 + first * method.start.stages + (count - first) * each


@pytest.mark.parametrize(("name", "each"), [("ab3", 1), ("abm3", 2)])
def test_corrected_states_are_evaluated_once(name: str, each: int) -> None:
    """A refresh that wants a new derivative costs nothing more, except in the two first steps of Runge-Kutta 4."""
    found = integrate(name, flow(circle, onto_circle, 1), [1.0, 0.0], [0.0, 4.0], step=0.1)
    assert found.statistics.evaluations == 1 + 2 * (4 + 1) + 38 * each


@methods
def test_order_everywhere_between_the_steps(method: Multistep) -> None:
    """The error of y = 1/(1 + t²) at 301 times, most of them inside steps and some in the first ones, falls with h^p."""
    grid = np.linspace(0.0, 2.0, 302)
    errors = []
    for count in (200, 400):
        found = integrate(method, flow(bell), [1.0], grid, step=2.0 / count)
        errors.append(np.max(np.abs(found.y[:, 0] - 1.0 / (1.0 + grid**2))))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


@methods
def test_output_is_continuous(method: Multistep) -> None:
    """The states on both sides of the ends of steps, the first ones included, meet."""
    ends = 0.1 * np.arange(1, 10)
    gap = 1e-9
    grid = np.sort(np.concatenate([[0.0], ends - gap, ends + gap, [1.0]]))
    found = integrate(method, flow(pendulum), [1.2, 0.4], grid, step=0.1)
    jumps = np.abs(np.diff(found.y[1:-1], axis=0)[::2])
    assert jumps.max() < 3.0 * gap


@methods
def test_a_last_step_of_another_size_keeps_the_order(method: Multistep) -> None:
    errors = []
    for step in (0.03, 0.015):
        found = integrate(method, flow(oscillator), [1.0, 0.0], [0.0, 1.0], step=step)
        errors.append(np.linalg.norm(found.y[-1] - [np.cos(1.0), -np.sin(1.0)]))
    assert np.log2(errors[0] / errors[1]) > method.order - 0.35


@methods
def test_a_change_of_the_frame_begins_the_history_anew(method: Multistep) -> None:
    """The oscillator does not care which way the frame has turned: after two quarters the state is the opposite."""
    errors = []
    for step in (0.05, 0.025):
        found = integrate(method, flow(oscillator, other_frame), [1.0, 0.0], [0.0, 3.0], step=step)
        errors.append(np.linalg.norm(found.y[-1] + [np.cos(3.0), -np.sin(3.0)]))
    assert errors[1] < 0.2
    assert np.log2(errors[0] / errors[1]) > method.order - 0.35


@pytest.mark.parametrize("name", ["bdf1", "bdf2", "bdf3", "bdf4", "bdf5", "am1"])
def test_what_is_stiff_dies_out_in_long_steps(name: str) -> None:
    found = integrate(name, flow(fast_decay), [1.0], [0.0, 40.0], step=1.0)
    assert abs(found.y[-1, 0]) < 1e-12


def test_corrections_that_do_not_converge_end_the_run() -> None:
    """h β₀ |λ| = 9/24 · 0.05 · 100 > 1. SOURCE: García de Jalón and Bayo, algorithm 7-1."""
    found = integrate(adams_bashforth_moulton(4, 0), flow(fast_decay), [1.0], [0.0, 1.0], step=0.05)
    assert found.status is RunStatus.FLOW_FAILED
    assert found.failure == NOT_CONVERGED
    assert found.t_reached == pytest.approx(0.15)


def test_iterated_corrections_solve_the_implicit_formula() -> None:
    iterated = integrate(adams_bashforth_moulton(3, 0), flow(pendulum), [1.2, 0.4], [0.0, 3.0], step=0.01)
    solved = integrate("am3", flow(pendulum), [1.2, 0.4], [0.0, 3.0], step=0.01)
    # they differ in their first steps only
    np.testing.assert_allclose(iterated.y[-1], solved.y[-1], atol=1e-8)
    assert iterated.statistics.evaluations > 3 * iterated.statistics.steps


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(RefusedError, match="order = 6, corrections = 1"):
        adams_bashforth_moulton(6)
    with pytest.raises(RefusedError, match="corrections = -1"):
        adams_bashforth_moulton(2, -1)
    with pytest.raises(RefusedError, match="'bdf2' has a fixed step"):
        integrate("bdf2", flow(oscillator), [1.0, 0.0], [0.0, 1.0])


def test_names_tell_the_corrections() -> None:
    names = [adams_bashforth_moulton(4, corrections).name for corrections in (1, 2, 0)]
    assert names == ["abm4", "abm4 with 2 corrections", "abm4 to convergence"]
