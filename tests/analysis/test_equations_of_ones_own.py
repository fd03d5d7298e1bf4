"""Equations of motion that somebody writes down: multipliers, parameters, further states, rolling, and mistakes."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import linkwork as lw

q, v, t = ca.SX.sym("q", 2), ca.SX.sym("v", 2), ca.SX.sym("t")
GRAVITY = 9.81
PENDULUM = lw.ConstrainedEquations(q, v, mass=[2, 2], forces=[0, -2 * GRAVITY], conditions=ca.sumsqr(q) - 1)


def test_multipliers_are_the_tension_of_a_pendulum() -> None:
    """2 λ q is the force of the rod, −m (v² − g y) q for a length of 1."""
    run = lw.integrate(PENDULUM, 2.0, q=[1, 0], v=[0, 0], rtol=1e-10, atol=1e-12)
    assert run.status.ok
    tension = -2 * (np.sum(run.v**2, axis=1) - GRAVITY * run.q[:, 1])
    np.testing.assert_allclose(2 * run.multipliers[:, 0], tension, rtol=0, atol=1e-9)
    energy = np.sum(run.v**2, axis=1) + 2 * GRAVITY * run.q[:, 1]
    np.testing.assert_allclose(energy, 0.0, atol=1e-7)
    np.testing.assert_allclose(np.sum(run.q**2, axis=1), 1.0, rtol=0, atol=1e-12)
    assert "ggl" in str(run) and f"{run.statistics.steps} steps" in str(run)


@pytest.mark.parametrize("formulation", ["index3", "index2", "index1", "multipliers"])
def test_all_forms_move_alike(formulation: str) -> None:
    times, start = [0.0, 0.4, 1.1], {"q": [0.6, -0.8], "v": [0.8, 0.6]}
    exact = lw.integrate(PENDULUM, times=times, rtol=1e-11, atol=1e-12, **start)  # type: ignore[arg-type]
    found = lw.integrate(PENDULUM, times=times, formulation=formulation, rtol=1e-9, atol=1e-11, **start)  # type: ignore[arg-type]
    np.testing.assert_allclose(found.q, exact.q, rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.multipliers, exact.multipliers, rtol=0, atol=1e-4)


def test_redundant_conditions_and_a_start_beside_them() -> None:
    """The same condition twice, one of them squared otherwise; the start is brought onto it, the rod shares its force."""
    twice = lw.ConstrainedEquations(q, v, [1, 1], [0, -GRAVITY], [ca.sumsqr(q) - 1, 2 * ca.sumsqr(q) - 2])
    once = lw.ConstrainedEquations(q, v, [1, 1], [0, -GRAVITY], ca.sumsqr(q) - 1)
    options = {"times": [0.0, 0.7], "q": [1.001, 0.0], "v": [0.01, 0.0], "integrator": "radau5", "rtol": 1e-9}
    for formulation in ("index3", "ggl", "index1"):
        found, exact = (lw.integrate(item, formulation=formulation, **options) for item in (twice, once))  # type: ignore[arg-type]
        assert exact.v[0, 0] == pytest.approx(0.0, abs=1e-12)
        np.testing.assert_allclose(found.q, exact.q, rtol=0, atol=1e-7)
        shared = found.multipliers[:, 0] + 2 * found.multipliers[:, 1]
        np.testing.assert_allclose(shared, exact.multipliers[:, 0], rtol=0, atol=1e-5)


def test_rolling_with_a_parameter_and_a_state_of_its_own() -> None:
    """A wheel on a plane, x' = r ω, driven by a torque with a lag, ṡ = (1 − s)/T: a = s/(r (m + I/r²))."""
    s, p = ca.SX.sym("s"), ca.SX.sym("p", 2)
    wheel = lw.ConstrainedEquations(
        q, v, mass=[3.0, 0.5], forces=[0, s], velocity_conditions=v[0] - p[0] * v[1], s=s, s_rates=(1 - s) / p[1], p=p
    )
    radius, lag = 0.4, 0.3
    times = np.linspace(0, 1, 5)
    for formulation in ("index3", "ggl", "index1"):
        run = lw.integrate(
            wheel,
            times=times,
            q=[0, 0],
            v=[0, 0],
            s=[0],
            p=[radius, lag],
            formulation=formulation,
            rtol=1e-9,
            atol=1e-11,
        )
        gain = 1 / (radius * (3.0 + 0.5 / radius**2))
        np.testing.assert_allclose(run.s[:, 0], 1 - np.exp(-times / lag), atol=1e-7)
        speed = gain * (times - lag * (1 - np.exp(-times / lag)))
        np.testing.assert_allclose(run.v, np.column_stack([speed, speed / radius]), atol=1e-7)


def test_mistakes_are_named() -> None:
    stranger = ca.SX.sym("w")
    for given, message in (
        ({"forces": [0, stranger]}, "forces depends on w; it may depend on t, q_0, q_1, v_0, v_1 alone"),
        ({"conditions": q[0] - v[0]}, "conditions depends on v_0"),
        ({"mass": [1, 2, 3]}, "mass: 3 × 1 for 2 coordinates"),
        ({"forces": [0]}, "forces: 1 for 2 of q"),
        ({"velocity_conditions": v[0] ** 2}, "linear in v"),
        ({"q": [q[0], 2 * q[1]]}, "must be symbols"),
        ({"scale": [1, 0]}, "sizes of coordinates must be positive"),
        ({"mass": "heavy"}, "mass: str is not an expression"),
    ):
        with pytest.raises(lw.errors.RefusedError, match=message):
            lw.ConstrainedEquations(**{"q": q, "v": v, "mass": [1, 1], "forces": [0, 0], "t": t} | given)
    for options, message in (
        ({}, "when does the run end"),
        ({"until": -1}, "must be a positive time"),
        ({"until": 1, "formulation": "hybrid"}, "'index3', 'index2', 'ggl', 'index1', 'multipliers', not by 'hybrid'"),
        ({"until": 1, "integrator": "rk4"}, "needs an implicit integrator, not 'rk4'"),
        ({"until": 1, "q": [1]}, "q: 1 values at the start for 2 unknowns"),
        ({"until": 1, "p": [1]}, "p: 1 values for 0 parameters"),
    ):
        with pytest.raises(lw.errors.RefusedError, match=message):
            lw.integrate(PENDULUM, **{"q": [1, 0], "v": [0, 0]} | options)  # type: ignore[arg-type]
    impossible = lw.ConstrainedEquations(q, v, [1, 1], [0, 0], [q[0] - 1, q[0] - 2])
    with pytest.raises(lw.errors.AssemblyError, match="cannot be met near the given start"):
        lw.integrate(impossible, 1.0, q=[1, 0], v=[0, 0])
