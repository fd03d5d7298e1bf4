"""Methods of variable order and step: stiff equations of the literature, the work of SciPy's, changes on the way."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate
from compiled_flows import Counts, flow, oscillator, pendulum
from test_multistep import other_frame

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.adams import corrector_constants
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats

names = pytest.mark.parametrize("name", ["adams", "bdf"])


@kernel
def robertson(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """Three reactions of very different speed."""
    first = -0.04 * y[0] + 1e4 * y[1] * y[2]
    second = 3e7 * y[1] * y[1]
    ydot[0] = first
    ydot[1] = -first - second
    ydot[2] = second
    return 0


@kernel
def van_der_pol(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    ydot[0] = y[1]
    ydot[1] = 1e6 * ((1.0 - y[0] * y[0]) * y[1] - y[0])
    return 0


@kernel
def kick(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """The rate jumps at t = 1: y = t, then 5 t − 4."""
    ydot[0] = 1.0 if t < 1.0 else 5.0
    return 0


def slopes(t: float, y: list[float]) -> list[float]:
    return [y[1], -np.sin(y[0]) + 0.3 * np.cos(2.0 * t)]


def reactions(t: float, y: list[float]) -> list[float]:
    first, second = -0.04 * y[0] + 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [first, -first - second, second]


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_robertson_over_eleven_decades(tolerance: float) -> None:
    """SOURCE: F. Mazzia, C. Magherini, Test Set for IVP Solvers, release 2.4, problem ROBER, t = 1e11."""
    published = [0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050]
    found = integrate("bdf", flow(robertson), [1.0, 0.0, 0.0], [0.0, 1e11], rtol=tolerance, atol=1e-10 * tolerance)
    np.testing.assert_allclose(found.y[-1], published, rtol=200 * tolerance)
    assert found.statistics.steps < 6000
    assert found.statistics.jacobians < found.statistics.steps / 3


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_very_stiff_van_der_pol(tolerance: float) -> None:
    """SOURCE: F. Mazzia, C. Magherini, Test Set for IVP Solvers, release 2.4, problem VDPOL, t = 2, ε = 1e-6."""
    published = [0.1706167732170483e1, -0.8928097010247975]
    found = integrate("bdf", flow(van_der_pol), [2.0, 0.0], [0.0, 2.0], rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(found.y[-1], published, rtol=300 * tolerance)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize(("name", "other"), [("adams", "LSODA"), ("bdf", "BDF")])
def test_work_on_a_smooth_problem(name: str, other: str, tolerance: float) -> None:
    """No more evaluations than SciPy's code of the same kind, and an error of the same size."""
    options = {"rtol": tolerance, "atol": tolerance}
    exact = scipy.integrate.solve_ivp(slopes, (0.0, 20.0), [1.2, 0.4], method="DOP853", rtol=1e-13, atol=1e-13)
    peer = scipy.integrate.solve_ivp(slopes, (0.0, 20.0), [1.2, 0.4], method=other, **options)
    found = integrate(name, flow(pendulum), [1.2, 0.4], [0.0, 20.0], **options)
    assert found.statistics.evaluations < 1.1 * peer.nfev
    error, theirs = (np.linalg.norm(y - exact.y[:, -1]) for y in (found.y[-1], peer.y[:, -1]))
    assert error < 5 * max(theirs, tolerance)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7])
def test_work_on_a_stiff_problem(tolerance: float) -> None:
    options = {"rtol": tolerance, "atol": 1e-4 * tolerance}
    peer = scipy.integrate.solve_ivp(reactions, (0.0, 1e4), [1.0, 0.0, 0.0], method="BDF", **options)
    cost = integrate("bdf", flow(robertson), [1.0, 0.0, 0.0], [0.0, 1e4], **options).statistics
    assert cost.steps < 1.15 * (len(peer.t) - 1)
    assert cost.iterations < 1.2 * peer.nfev
    assert cost.factorisations < 1.5 * peer.nlu


def test_constants_of_the_correctors() -> None:
    """SOURCE: Hairer, Nørsett, Wanner I, table III.1.2."""
    published = [1, -1 / 2, -1 / 12, -1 / 24, -19 / 720, -3 / 160, -863 / 60480, -275 / 24192, -33953 / 3628800]
    np.testing.assert_allclose(corrector_constants(9), published, rtol=1e-15)


@names
def test_a_change_of_the_frame_begins_anew(name: str) -> None:
    found = integrate(name, flow(oscillator, other_frame), [1.0, 0.0], [0.0, 3.0], rtol=1e-9, atol=1e-9)
    assert found.status is RunStatus.COMPLETED
    np.testing.assert_allclose(found.y[-1], [-np.cos(3.0), np.sin(3.0)], atol=2e-7)
    # steps are short again behind the changes
    steps = np.diff(found.step_times)
    shortest = steps[np.searchsorted(found.step_times, [1.0, 2.0], side="right")]
    assert shortest.max() < 0.1 * steps.max()


@names
def test_a_jump_of_the_rate_is_passed(name: str) -> None:
    found = integrate(name, flow(kick), [0.0], np.linspace(0.0, 2.0, 21), rtol=1e-8, atol=1e-8)
    expected = np.where(found.t < 1.0, found.t, 5.0 * found.t - 4.0)
    np.testing.assert_allclose(found.y[:, 0], expected, atol=1e-6)
    assert found.statistics.steps + found.statistics.rejected < 200


@names
def test_output_is_as_accurate_as_the_steps(name: str) -> None:
    """The largest error inside the steps is not larger than at their ends, give or take a little."""
    tolerance = 1e-9
    coarse = integrate(name, flow(oscillator), [1.0, 0.0], [0.0, 10.0], rtol=tolerance, atol=tolerance)
    grid = np.linspace(0.0, 10.0, 2000)
    fine = integrate(name, flow(oscillator), [1.0, 0.0], grid, rtol=tolerance, atol=tolerance)
    at_steps = integrate(name, flow(oscillator), [1.0, 0.0], coarse.step_times, rtol=tolerance, atol=tolerance)
    inside, ends = (np.max(np.abs(s.y[:, 0] - np.cos(s.t))) for s in (fine, at_steps))
    assert inside < 1.5 * ends + tolerance


@names
def test_steps_of_fixed_size_are_refused(name: str) -> None:
    with pytest.raises(RefusedError, match=f"'{name}' chooses its steps itself.*'abm4' or 'bdf2'"):
        integrate(name, flow(oscillator), [1.0, 0.0], [0.0, 1.0], step=0.1)
