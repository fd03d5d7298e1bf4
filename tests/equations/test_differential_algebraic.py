"""Differential and algebraic equations of mechanisms: exact tangents, consistent starts, conditions that hold, orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca
import mechanisms
import numpy as np
import pytest
import ten_mechanisms
from shared_mechanisms import begin, mechanism_of

import linkwork as lw
from linkwork.equations.differential_algebraic import FORMS
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.loader import compiled

Array = np.ndarray
every_form = pytest.mark.parametrize("form", FORMS)
MECHANISMS = [
    ("six_bar", "natural"),
    ("rscr", "relative"),  # quaternions
    ("redundant", "reference_point"),  # and conditions that depend on others
    ("redundant", "mixed"),  # coordinates without inertia
    ("led_arm", "relative"),  # a state of its own in the conditions
    ("driven", "natural"),  # nothing but prescribed motion
    ("heavy_top", "reference_point:tait_bryan"),  # charts
]


def equations_of(flow: Flow) -> tuple[Callable[[float, Array, Array], Array], Callable[[float, Array, Array], Array]]:
    """F (n) and its tangent (n, 2n) by [z, ż], as the solver calls them."""
    assert flow.solver is not None
    equations = flow.solver.equations
    assert equations is not None
    n = equations.size

    def call(kernel: Kernel[..., Any], t: float, *arrays: Array) -> None:
        assert compiled(kernel)(t, *arrays, equations.memory) == 0

    def residual(t: float, z: Array, k: Array) -> Array:
        found = np.zeros(n)
        call(equations.residual, t, z, k, found)
        return found

    def tangent(t: float, z: Array, k: Array) -> Array:
        found = np.zeros((n, n)), np.zeros((n, n))
        call(equations.tangent, t, z, k, *found)
        return np.hstack([part.T for part in found])

    return residual, tangent


def start_of(name: str, kind: str, form: str) -> tuple[Flow, Array, Array]:
    flow, y, _ = begin(mechanism_of(name, kind), form)
    z = flow.encode(0.0, y)
    rates = np.zeros(z.size)
    assert flow.evaluate(0.0, z, rates) >= 0
    return flow, z, rates


@pytest.mark.matrix("kind", "form")
@every_form
@pytest.mark.parametrize(("name", "kind"), MECHANISMS)
def test_tangents_are_exact_and_starts_consistent(name: str, kind: str, form: str) -> None:
    flow, z, rates = start_of(name, kind, form)
    residual, tangent = equations_of(flow)
    # multipliers and accelerations at the start satisfy all equations
    largest = max(1.0, np.abs(z).max(), np.abs(rates).max())
    assert np.abs(residual(0.0, z, rates)).max() < 1e-11 * largest
    # central differences of fourth order, at a state that satisfies nothing
    shift = np.random.default_rng(5).normal(size=(2, z.size))
    charts = np.array([entry.endswith(".chart") for entry in mechanism_of(name, kind).coordinates.kinematics.q_names])
    shift[0, : charts.size][charts] = 0.0
    x = np.concatenate([z + 0.02 * shift[0], rates + shift[1]])
    found, step = tangent(0.3, x[: z.size], x[z.size :]), 1e-3
    for j in np.flatnonzero(~np.append(charts, np.zeros(x.size - charts.size, dtype=bool))):
        values = [residual(0.3, *np.split(x + i * step * np.eye(x.size)[j], 2)) for i in (-2, -1, 1, 2)]
        slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
        np.testing.assert_allclose(found[:, j], slope, rtol=0, atol=1e-7 * max(1.0, np.abs(found).max()))


@pytest.mark.parametrize("form", ["index3", "ggl"])
def test_positions_meet_their_conditions_at_the_end_of_every_step(form: str) -> None:
    """And quaternions have their length: nothing but the step itself sees to it."""
    flow, z, rates = start_of("rscr", "reference_point", form)
    residual, tangent = equations_of(flow)
    c, h = mechanism_of("rscr", "reference_point").coordinates, 0.01
    phi = ca.Function("phi", [c.t, c.y, c.p], [c.phi, ca.vertcat(*[row.residual for row in c.kinematics.identities])])
    new = z + h * rates
    for _ in range(8):
        # backward Euler
        k = (new - z) / h
        matrix = tangent(h, new, k)
        new = new - np.linalg.solve(matrix[:, : z.size] + matrix[:, z.size :] / h, residual(h, new, k))
    p = mechanism_of("rscr", "reference_point").start().p
    assert max(np.abs(np.array(part)).max() for part in phi(h, new[: c.y.numel()], p)) < 1e-13


@every_form
def test_orders_on_a_crank_rocker(form: str) -> None:
    """Velocities by s stages of Radau IIA have the order s in index 3, and 2s − 1 elsewhere (E. Hairer, Ch. Lubich, M.
    Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods, 1989)."""
    stages, model = (lambda s: s if form == "index3" else 2 * s - 1), mechanisms.four_bar()
    times, names = [0.25], ("crank.angle", "rocker.angle", "rocker.speed")

    def run(**options: object) -> Array:
        result = lw.simulate(model, times=times, coordinates="natural", **options)  # type: ignore[arg-type]
        assert result.outcome.completed, result.outcome
        return np.array([result[name][-1] for name in names])

    exact = run(formulation="partitioning", rtol=1e-12, atol=1e-13)
    for integrator, step, order in (
        ("trapezoidal", 0.005, 2),
        ("bdf2", 0.0025, 2),
        ("bdf3", 0.0025, 3),
        ("radau3", 0.01, stages(2)),
        ("radau5", 0.025, stages(3)),
        ("generalised_alpha", 0.005, 2),
    ):
        errors = [
            np.abs(run(formulation=form, integrator=integrator, fixed_step=size) - exact).max()
            for size in (step, step / 2)
        ]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2), integrator


def test_backward_euler_on_index_3_tends_to_the_motion_with_the_step_size() -> None:
    """Problem 7/5 of García de Jalón and Bayo: BDF1 on a pendulum in x and y, against its angle, φ̈ = −g sin φ."""
    q, v = ca.SX.sym("q", 2), ca.SX.sym("v", 2)
    pendulum = lw.ConstrainedEquations(q, v, mass=[1, 1], forces=[0, -9.81], conditions=ca.sumsqr(q) - 1)
    angle = lw.ConstrainedEquations(q[0], v[0], mass=[1], forces=[-9.81 * ca.sin(q[0])])
    exact = lw.integrate(angle, times=[0, 1], q=[1.5], v=[0], formulation="multipliers", rtol=1e-12, atol=1e-13)
    place = np.array([np.sin(exact.q[-1, 0]), -np.cos(exact.q[-1, 0])])
    errors = [
        np.abs(lw.integrate(pendulum, times=[0, 1], q=[np.sin(1.5), -np.cos(1.5)], v=[0, 0], formulation="index3",
                            integrator="bdf1", fixed_step=step).q[-1] - place).max()
        for step in (1e-3, 5e-4, 2.5e-4)
    ]  # fmt: skip
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 1, atol=0.05)
    assert errors[-1] < 5e-3


@pytest.mark.parametrize(("form", "integrator"), [("index3", "radau5"), ("ggl", "bdf"), ("index2", "bdf")])
def test_rolling_redundancy_and_angles_beyond_their_charts(form: str, integrator: str) -> None:
    options = {"formulation": form, "integrator": integrator, "rtol": 1e-9, "atol": 1e-11, "backend": "reference"}
    for model, kind in (
        (ten_mechanisms.model_of("rolling disc"), "reference_point"),
        (mechanisms.bricard(), "natural"),
        (mechanisms.heavy_top(), "relative:tait_bryan"),
    ):
        until = [0.05, 0.1] if kind.endswith("bryan") else [0.2, 0.4]
        exact = lw.simulate(model, times=until, coordinates=kind, rtol=1e-11, atol=1e-12, backend="reference")
        found = lw.simulate(model, times=until, coordinates=kind, **options)  # type: ignore[arg-type]
        assert found.outcome.completed, found.outcome
        body = next(iter(model.bodies))
        for axis in "xyz":
            np.testing.assert_allclose(found[f"{body}.{axis}"], exact[f"{body}.{axis}"], rtol=0, atol=1e-6)
        assert found.closure_error.max() < 1e-10


@pytest.mark.parametrize("integrator", ["bdf", "esdirk43", "tr_bdf2", "generalised_alpha"])
def test_the_short_first_steps_of_index_3_end_at_rounding_errors(integrator: str) -> None:
    """Velocities found from positions err like ε/h: a run of milliseconds begins with steps of nanoseconds."""
    options = {"formulation": "index3", "integrator": integrator, "rtol": 1e-8, "atol": 1e-10, "max_steps": 20_000}
    result = lw.simulate(mechanisms.andrews(), times=[1e-3], **options)  # type: ignore[arg-type]
    exact = lw.simulate(mechanisms.andrews(), times=[1e-3], rtol=1e-10, atol=1e-12)
    assert result.outcome.completed, result.outcome
    np.testing.assert_allclose(result["K1.angle"], exact["K1.angle"], rtol=0, atol=1e-6)


def test_without_an_integrator_the_steps_follow_the_error() -> None:
    result = lw.simulate(mechanisms.four_bar(), until=0.1, step=0.05, formulation="ggl")
    assert result.settings["integrator"] == "radau5"
    assert result.outcome.completed
