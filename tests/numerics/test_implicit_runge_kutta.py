"""Implicit Runge-Kutta methods: published tableaux, invariants, and stiff equations with known solutions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.linalg
from compiled_flows import Counts, events, flow, oscillator, pendulum, shifted_cosines, wall

from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow, Solver
from linkwork.numerics.integrators import ALL_METHODS, method_named
from linkwork.numerics.integrators.base import Array, RungeKutta
from linkwork.numerics.integrators.coupled import CoupledRungeKutta, decompose
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats

IMPLICIT = [method for method in ALL_METHODS if isinstance(method, RungeKutta) and method.implicit]
COLLOCATION = [method for method in IMPLICIT if isinstance(method, CoupledRungeKutta)]
implicit = pytest.mark.parametrize("method", IMPLICIT, ids=lambda method: method.name)
collocation = pytest.mark.parametrize("method", COLLOCATION, ids=lambda method: method.name)
stiff = pytest.mark.parametrize("name", ["radau9", "radau5", "radau3", "esdirk43", "tr_bdf2"])
SYMPLECTIC = ["implicit_midpoint", "lie_midpoint", "gauss4", "gauss6"]
INERTIA = np.array([1.0, 2.0, 3.5])


@kernel
def free_rotation(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Euler's equations of a body with the moments of inertia 1, 2 and 3.5."""
    ydot[0] = (2.0 - 3.5) * y[1] * y[2]
    ydot[1] = (3.5 - 1.0) * y[2] * y[0] / 2.0
    ydot[2] = (1.0 - 2.0) * y[0] * y[1] / 3.5
    return 0


@kernel
def van_der_pol(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    ydot[0] = y[1]
    ydot[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6
    return 0


@kernel
def prothero_robinson(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = cos t, to which everything else returns within a microsecond."""
    ydot[0] = -1e6 * (y[0] - math.cos(t)) - math.sin(t)
    return 0


@kernel
def rod(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Heat in a rod of 20 cells, whose ends are kept at zero: rates from 10 to 1700."""
    for i in range(20):
        left = y[i - 1] if i > 0 else 0.0
        right = y[i + 1] if i < 19 else 0.0
        ydot[i] = 441.0 * (left - 2.0 * y[i] + right)
    return 0


# --- tableaux --------------------------------------------------------------------------------------------------------


def inner(method: CoupledRungeKutta) -> Array:
    return np.asarray(method.matrix[1 : method.collocated + 1, 1 : method.collocated + 1])


def test_published_tableaux() -> None:
    """SOURCE: Hairer and Wanner II, tables IV.5.1, IV.5.5 and IV.5.6."""
    r, s = math.sqrt(6), math.sqrt(3)
    radau5 = [
        [(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225],
        [(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225],
        [(16 - r) / 36, (16 + r) / 36, 1 / 9],
    ]
    known = {
        "radau3": [[5 / 12, -1 / 12], [3 / 4, 1 / 4]],
        "radau5": radau5,
        "gauss4": [[1 / 4, 1 / 4 - s / 6], [1 / 4 + s / 6, 1 / 4]],
    }
    for method in COLLOCATION:
        if method.name in known:
            np.testing.assert_allclose(inner(method), known[method.name], atol=3e-16)


@collocation
def test_stages_of_collocation_are_of_their_order(method: CoupledRungeKutta) -> None:
    """C(s): Σ_j a_ij c_j^(q-1) = c_i^q / q for q up to s, and not beyond."""
    a, c, s = inner(method), method.nodes[1 : method.collocated + 1], method.collocated
    defects = [np.abs(a @ c ** (q - 1) - c**q / q).max() for q in range(1, s + 2)]
    assert max(defects[:-1]) < 1e-15
    assert defects[-1] > 1e-4


@collocation
def test_newton_matrices_fall_apart(method: CoupledRungeKutta) -> None:
    inverse = np.linalg.inv(inner(method))
    transform, spectrum = decompose(inverse)
    blocks = np.linalg.solve(transform, inverse @ transform)
    first = method.collocated % 2
    expected = np.zeros_like(blocks)
    if first:
        expected[0, 0] = 1 / method.gamma
    for i, (alpha, beta) in enumerate(spectrum.reshape(-1, 2)):
        k = first + 2 * i
        expected[k : k + 2, k : k + 2] = [[alpha, beta], [-beta, alpha]]
    rounding = np.finfo(float).eps * np.linalg.cond(transform) * np.linalg.norm(inverse)
    assert rounding < 2e-12
    np.testing.assert_allclose(blocks, expected, atol=rounding)


@implicit
def test_symplectic_tableaux(method: RungeKutta) -> None:
    """b_i a_ij + b_j a_ji = b_i b_j. SOURCE: Hairer, Lubich, Wanner, Geometric Numerical Integration, theorem VI.4.3."""
    b = method.matrix[method.stages]
    product = b[:, None] * method.matrix
    assert (np.abs(product + product.T - np.outer(b, b)).max() < 1e-15) == (method.name in SYMPLECTIC)


@implicit
def test_order_of_dense_output_inside_a_step(method: RungeKutta) -> None:
    """The interpolation error inside one step from an exact state is O(h^(dense order + 1)), or better."""
    errors = []
    for size in (0.2, 0.1):
        t = size * np.linspace(0.0, 1.0, 21)
        solution = integrate(method, flow(oscillator), [1.0, 0.0], t, step=size)
        assert solution.statistics.steps == 1
        errors.append(np.max(np.abs(solution.y[:, 0] - np.cos(t))))
    assert np.log2(errors[0] / errors[1]) > method.dense_order + 0.8


def test_order_nine_on_a_driven_pendulum() -> None:
    exact = integrate("dop853", flow(pendulum), [1.2, 0.4], [0.0, 6.0], rtol=1e-14, atol=1e-15).y[-1]
    errors = [
        np.linalg.norm(integrate("radau9", flow(pendulum), [1.2, 0.4], [0.0, 6.0], step=6.0 / count).y[-1] - exact)
        for count in (14, 28)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(9, abs=0.2)


# --- invariants ------------------------------------------------------------------------------------------------------


def drift(method: str, **options: object) -> float:
    """Largest relative change of energy and angular momentum of a free rotation over 200 turns or so."""
    found = integrate(method, flow(free_rotation), [1.0, 0.4, 0.2], np.linspace(0, 400, 41), **options)  # type: ignore[arg-type]
    values = [np.sum(INERTIA**power * found.y**2, axis=1) for power in (1, 2)]
    return max(np.abs(value / value[0] - 1.0).max() for value in values)


@pytest.mark.parametrize("name", SYMPLECTIC)
def test_quadratic_invariants_are_kept_to_rounding(name: str) -> None:
    assert drift(name, step=0.4) < 2e-13


def test_other_methods_do_not_keep_them() -> None:
    assert drift("radau5", step=0.4) > 1e-6
    assert drift("norsett2", step=0.4) > 1e-6


def test_steps_that_follow_the_error_keep_them_to_the_tolerance_of_the_stages() -> None:
    """Stages are found to a hundredth of the tolerance, and there are some thousand of them."""
    assert drift("gauss6", rtol=1e-8, atol=1e-8) < 1e-6
    assert drift("gauss6", rtol=1e-11, atol=1e-11) < 1e-9


# --- stiff equations -------------------------------------------------------------------------------------------------


@stiff
@pytest.mark.parametrize("tolerance", [1e-5, 1e-7])
def test_van_der_pol(name: str, tolerance: float) -> None:
    """ε = 1e-6. SOURCE: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, Bari 2008, problem vdpol."""
    found = integrate(name, flow(van_der_pol), [2.0, 0.0], [0.0, 2.0], rtol=tolerance, atol=tolerance)
    error = np.abs(found.y[-1] / [0.1706167732170483e1, -0.8928097010247975] - 1.0).max()
    # of the second order errors add up: there are tolerance^(-1/3) steps
    assert error < (3.0 * tolerance if name != "tr_bdf2" else 3.0 * tolerance ** (2 / 3))
    assert found.statistics.steps < 8000


@pytest.mark.parametrize(("name", "error"), [("radau5", 5e-11), ("radau9", 2e-12)])
def test_van_der_pol_to_many_digits(name: str, error: float) -> None:
    found = integrate(name, flow(van_der_pol), [2.0, 0.0], [0.0, 2.0], rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(found.y[-1], [0.1706167732170483e1, -0.8928097010247975], rtol=error)
    cost = found.statistics
    assert 0 < cost.jacobians < cost.steps < cost.iterations < cost.evaluations


@stiff
def test_stiffness_does_not_limit_the_step(name: str) -> None:
    """Prothero and Robinson: λ = −1e6, where an explicit method needs a million steps."""
    times = np.linspace(0.0, 10.0, 101)
    found = integrate(name, flow(prothero_robinson), [1.0], times, rtol=1e-6, atol=1e-6)
    assert found.statistics.steps < 400
    np.testing.assert_allclose(found.y[:, 0], np.cos(times), atol=1e-5)


@implicit
def test_heat_against_the_exponential_of_its_matrix(method: RungeKutta) -> None:
    matrix = 441.0 * (np.eye(20, k=1) - 2 * np.eye(20) + np.eye(20, k=-1))
    start = np.sin(np.pi * np.arange(1, 21) / 21)
    options = {"rtol": 1e-7, "atol": 1e-9} if method.order > 3 and method.adaptive else {"step": 1e-3}
    found = integrate(method, flow(rod), start, [0.0, 0.1], **options)  # type: ignore[arg-type]
    exact = scipy.linalg.expm(0.1 * matrix) @ start
    np.testing.assert_allclose(found.y[-1], exact, atol=2e-3 if method.order == 1 else 1e-5)


def test_first_order_keeps_what_it_promises() -> None:
    found = integrate("backward_euler", flow(prothero_robinson), [1.0], [0.0, 2.0], rtol=1e-4, atol=1e-4)
    assert found.y[-1, 0] == pytest.approx(np.cos(2.0), abs=1e-3)
    assert found.statistics.steps < 300


# --- the run ---------------------------------------------------------------------------------------------------------


@implicit
def test_events_are_located_on_the_dense_output(method: RungeKutta) -> None:
    watched = events(shifted_cosines, [0.3, 5.0], terminal=[True, False])
    found = integrate(method, flow(oscillator), [1.0, 0.0], np.linspace(0, 5, 6), step=0.05, events=watched)
    assert found.status is RunStatus.EVENT
    assert found.y[-1, 0] == pytest.approx(0.3, abs=1e-13)
    assert found.t[-1] == pytest.approx(np.arccos(0.3), abs=0.05**method.order)


@implicit
def test_chunks_and_output_do_not_change_a_bit(method: RungeKutta) -> None:
    step = None if method.adaptive else 0.01
    options = {"step": step, "max_step": 0.02, "rtol": 1e-5, "atol": 1e-5}
    plain = integrate(method, flow(pendulum), [1.2, 0.4], [0.0, 6.0], **options)  # type: ignore[arg-type]
    grid = np.linspace(0.0, 6.0, 97)
    watched = integrate(method, flow(pendulum), [1.2, 0.4], grid, progress=lambda x: None, **options)  # type: ignore[arg-type]
    np.testing.assert_array_equal(plain.step_times, watched.step_times)
    np.testing.assert_array_equal(plain.y[-1], watched.y[-1])


@implicit
def test_a_stage_that_cannot_be_evaluated_ends_the_run(method: RungeKutta) -> None:
    found = integrate(method, flow(wall), [0.0], [0.0, 2.0], step=0.3)
    assert found.status is RunStatus.FLOW_FAILED
    assert found.failure == -7
    assert found.t_reached == pytest.approx(0.9)


def test_methods_that_do_not_fit_the_equations_are_refused() -> None:
    own = Flow(oscillator, solver=Solver(oscillator, Counts()))
    with pytest.raises(RefusedError, match=r"'gauss4' does not solve for the end of its step.*take .*'esdirk43'"):
        integrate("gauss4", own, [1.0, 0.0], [0.0, 1.0])
    with pytest.raises(RefusedError, match=r"'radau5' solves all stages of a step at once.*take 'trapezoidal'"):
        integrate("radau5", own, [1.0, 0.0], [0.0, 1.0])
    assert method_named("radau5").stiffly_accurate
    assert not method_named("norsett3").stiffly_accurate
