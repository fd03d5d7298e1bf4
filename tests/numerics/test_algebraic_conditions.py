"""Implicit Runge-Kutta methods on algebraic conditions: a pendulum in x, y, ẋ, ẏ and λ, of index 1, 2 and 3."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import scipy.integrate

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow, ImplicitEquations
from linkwork.numerics.flows.newton import newton_solver
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Record

START = [1.0, 0.0, 0.0, 0.0, 0.0]
UNTIL = 1.2


class Pendulum(Record):
    index: int


@kernel
def rates(t: float, y: Floats, ydot: Floats, memory: Pendulum) -> Code:
    """Derivatives of a state that satisfies its conditions; that of λ is not asked for."""
    ydot[0] = y[2]
    ydot[1] = y[3]
    ydot[2] = -2.0 * y[0] * y[4]
    ydot[3] = -2.0 * y[1] * y[4] - 10.0
    ydot[4] = 0.0
    return 0


@kernel
def residual(t: float, y: Floats, k: Floats, F: Floats, memory: Pendulum) -> Code:
    """ẍ = −2xλ, ÿ = −2yλ − 10; x² + y² = 1, or its first or second derivative: memory.index is the index."""
    F[0] = k[0] - y[2]
    F[1] = k[1] - y[3]
    F[2] = k[2] + 2.0 * y[0] * y[4]
    F[3] = k[3] + 2.0 * y[1] * y[4] + 10.0
    F[4] = y[0] * y[0] + y[1] * y[1] - 1.0
    if memory.index == 2:
        F[4] = y[0] * y[2] + y[1] * y[3]
    if memory.index == 1:
        F[4] = y[2] * y[2] + y[3] * y[3] - 2.0 * y[4] * (y[0] * y[0] + y[1] * y[1]) - 10.0 * y[1]
    return 0


@kernel
def tangent(t: float, y: Floats, k: Floats, Fy: Floats, Fk: Floats, memory: Pendulum) -> Code:
    for i in range(25):
        Fy[i] = 0.0
        Fk[i] = 0.0
    for i in range(4):
        Fk[i + i * 5] = 1.0
    Fy[0 + 2 * 5] = -1.0
    Fy[1 + 3 * 5] = -1.0
    Fy[2] = 2.0 * y[4]
    Fy[2 + 4 * 5] = 2.0 * y[0]
    Fy[3 + 1 * 5] = 2.0 * y[4]
    Fy[3 + 4 * 5] = 2.0 * y[1]
    if memory.index == 3:
        Fy[4] = 2.0 * y[0]
        Fy[4 + 5] = 2.0 * y[1]
    if memory.index == 2:
        Fy[4] = y[2]
        Fy[4 + 5] = y[3]
        Fy[4 + 10] = y[0]
        Fy[4 + 15] = y[1]
    if memory.index == 1:
        Fy[4] = -4.0 * y[4] * y[0]
        Fy[4 + 5] = -4.0 * y[4] * y[1] - 10.0
        Fy[4 + 10] = 2.0 * y[2]
        Fy[4 + 15] = 2.0 * y[3]
        Fy[4 + 20] = -2.0 * (y[0] * y[0] + y[1] * y[1])
    return 0


def pendulum(index: int) -> Flow:
    levels = {1: [0, 0, 0, 0, 0], 2: [0, 0, 0, 0, 1], 3: [0, 0, 1, 1, 2]}[index]
    equations = ImplicitEquations(residual, tangent, Pendulum(index=index), 5, levels=levels)
    return Flow(rates, memory=Pendulum(), solver=newton_solver(equations))


@functools.cache
def exact(until: float) -> Array:
    """By the angle of the pendulum from the vertical, θ̈ = −10 sin θ, and the force in the rod."""
    found = scipy.integrate.solve_ivp(
        lambda t, y: [y[1], -10.0 * np.sin(y[0])], (0, until), [np.pi / 2, 0.0], method="DOP853", rtol=1e-13, atol=1e-14
    )
    angle, speed = found.y[:, -1]
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([sine, -cosine, speed * cosine, speed * sine, 0.5 * (speed**2 + 10.0 * cosine)])


def errors(method: str, index: int, steps: int) -> Array:
    """Of positions, velocities and λ at the end."""
    found = integrate(method, pendulum(index), START, [0.0, UNTIL], step=UNTIL / steps)
    assert found.status.ok
    defect = np.abs(found.y[-1] - exact(UNTIL))
    return np.array([defect[:2].max(), defect[2:4].max(), defect[4]])


@pytest.mark.parametrize(
    ("method", "index", "orders", "steps"),
    [
        ("radau5", 1, (5, 5, 5), 24),
        ("radau5", 2, (5, 5, 3), 24),
        ("radau5", 3, (5, 3, 2), 24),
        ("radau3", 1, (3, 3, 3), 48),
        ("radau3", 2, (3, 3, 2), 48),
        ("backward_euler", 3, (1, 1, 1), 1000),
    ],
)
def test_orders_by_index(method: str, index: int, orders: tuple[int, int, int], steps: int) -> None:
    """SOURCE: E. Hairer, C. Lubich, M. Roche, Lecture Notes in Mathematics 1409, 1989, table 2.3: Radau IIA."""
    found = np.log2(errors(method, index, steps) / errors(method, index, 2 * steps))
    np.testing.assert_allclose(found[:2], orders[:2], atol=0.1)
    # errors of λ may cancel for a while
    assert found[2] > orders[2] - 0.1


@pytest.mark.parametrize("index", [1, 2, 3])
@pytest.mark.parametrize("method", ["radau9", "radau5", "esdirk43", "tr_bdf2"])
def test_steps_follow_the_error(method: str, index: int) -> None:
    tolerance = 1e-6
    found = integrate(method, pendulum(index), START, np.linspace(0.0, UNTIL, 50), rtol=tolerance, atol=tolerance)
    assert found.status.ok
    assert found.statistics.steps < 3000
    # the index takes an order of the estimate from velocities, and the second order errs more than it estimates
    bound = {1: 20, 2: 20, 3: 100}[index] * (50 if method == "tr_bdf2" else 1)
    assert np.abs(found.y[-1] - exact(UNTIL))[:2].max() < bound * tolerance


def test_few_steps_of_index_three_are_rejected() -> None:
    """Errors of derivatives of algebraic unknowns do not enter the estimate."""
    found = integrate("radau5", pendulum(3), START, [0.0, UNTIL], rtol=1e-8, atol=1e-8)
    assert found.statistics.rejected < found.statistics.steps / 4


def test_methods_whose_ends_are_no_stages_are_refused() -> None:
    for method in ("gauss4", "gauss6", "implicit_midpoint", "norsett2", "norsett3"):
        with pytest.raises(RefusedError, match=f"'{method}' does not solve for the end of its step.*'radau5'"):
            integrate(method, pendulum(3), START, [0.0, 1.0], step=0.01)
