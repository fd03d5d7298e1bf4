"""Methods of structural dynamics on mechanisms: order, stiff springs, energies, the published double pendulum."""

from __future__ import annotations

import functools
import re
from dataclasses import replace

import numpy as np
import pytest
from mechanisms import four_bar, heavy_top
from textbook import five_links, stiff_pendulum

import linkwork as lw
from linkwork.numerics.flows.newton import fix_iterations, rate_solver
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.run import integrate

DAMPED = [lw.integrators.HHT(-0.3), lw.integrators.GeneralisedAlpha(0.5)]


@functools.cache
def pendulum() -> lw.Model:
    """Both springs are live parameters."""
    return stiff_pendulum()


def run(method: str | Method, k1: float, k2: float, step: float = 1e-3, **options: object) -> lw.Result:
    stiffness = {"k1": k1, "k2": k2}
    return lw.simulate(
        pendulum(),
        integrator=method,
        fixed_step=step,
        parameters=stiffness,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.filterwarnings(
    "ignore::linkwork.errors.AuditWarning"
)  # of a chaotic motion, and of vibrations that no step follows
@pytest.mark.parametrize(
    ("k1", "k2", "error"),
    [
        (0, 0, -4.567e-4),
        (1e4, 1e4, -2.260e-3),
        (1e6, 1e6, -1.182e-3),
        (1e8, 1e8, -7.710e-5),
        (0, 100, -3.951e-4),
        (0, 1e4, -5.968e-5),
        (0, 1e6, -1.033e-3),
        (0, 1e8, -6.563e-4),
    ],
)
def test_energies_of_the_published_double_pendulum(k1: float, k2: float, error: float) -> None:
    """Average acceleration, 20 000 steps of 1 ms.

    SOURCE: García de Jalón and Bayo, table 7.4, to its two digits but for the last row, which does not agree; further digits
    by a program of the same rule in plain NumPy.
    """
    energy = run("newmark", k1, k2, times=[0, 20.0]).energy
    assert energy[-1] / energy[0] - 1 == pytest.approx(error, rel=0.02)
    assert energy[0] == pytest.approx(5.0e4)


@pytest.mark.parametrize(
    ("k1", "k2", "iterations", "error"),
    [(0, 0, 3, -4.567e-4), (1e4, 1e4, 4, -2.260e-3), (1e6, 1e6, 4, -1.182e-3), (0, 1e6, 4, -1.033e-3)],
)
def test_few_iterations_a_step_are_enough(k1: float, k2: float, iterations: int, error: float) -> None:
    """The same energies with the number of iterations that Newton's method takes there: 3.00, 3.11, 3.78 and 3.85 a step."""
    mechanism = lw.prepare(pendulum())
    start = mechanism.start({"k1": k1, "k2": k2})
    flow = mechanism.flow(start)
    solver = rate_solver(flow, start.y.size)
    assert fix_iterations(solver, iterations)
    end = integrate("newmark", replace(flow, solver=solver), start.y, [0.0, 20.0], step=1e-3).y[-1]
    first, second, u, v = end
    c = np.cos(second)
    energy = ((3 + 2 * c) * u**2 + v**2 + k1 * first**2 + k2 * second**2) / 2 + (1 + c) * u * v
    assert energy / 5e4 - 1 == pytest.approx(error, rel=0.02)


@pytest.mark.matrix("method", "formulation")
@pytest.mark.parametrize("formulation", ["index3", "ggl", "index3_augmented_lagrangian", "canonical_index2"])
@pytest.mark.parametrize("method", DAMPED, ids=lambda method: method.name)
def test_order_with_conditions(formulation: str, method: Method) -> None:
    """A double pendulum in natural coordinates, whose lengths are conditions, against the free coordinates."""
    options = {"times": [0.05], "coordinates": "natural", "formulation": formulation}
    exact = lw.simulate(pendulum(), times=[0.05], rtol=1e-12, atol=1e-12, parameters={"k1": 1e4, "k2": 1e4})
    names = ("B.x", "B.y", "B.vx", "B.vy")
    errors = [
        np.linalg.norm([run(method, 1e4, 1e4, h, **options)[name][-1] - exact[name][-1] for name in names])
        for h in (2e-4, 1e-4)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize(
    "method", [*DAMPED, "linear_acceleration", "wilson_theta", "energy_midpoint"], ids=lambda method: str(method)[:12]
)
def test_order_with_quaternions(method: str | Method) -> None:
    """Euler parameters have rates that are no velocities: a heavy top, reference points."""
    kind = {"coordinates": "reference_point", "times": [0.0, 0.3]}
    exact = lw.simulate(heavy_top(), rtol=1e-12, atol=1e-12, **kind)  # type: ignore[arg-type]
    names = [name for name in exact.names("*") if name.split(".")[-1] in ("x", "y", "z") and "origin" not in name]
    moved = [name for name in names if abs(exact[name][-1] - exact[name][0]) > 1e-3]
    assert moved
    errors = []
    for h in (2e-3, 1e-3):
        found = lw.simulate(heavy_top(), integrator=method, fixed_step=h, **kind)  # type: ignore[arg-type]
        errors.append(np.linalg.norm([found[name][-1] - exact[name][-1] for name in moved]))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_a_stiff_vibration_dies_out_where_it_should() -> None:
    """ωh > 10: the elbow starts bent against a spring of 1e8; ρ = 0.5 leaves nothing after 160 steps, ρ = 1 keeps it."""
    model, left = stiff_pendulum((0.0, 1e-3), speed=0.0), {}
    for rho in (0.5, 1.0):
        options = {"integrator": lw.integrators.GeneralisedAlpha(rho), "fixed_step": 1e-3, "parameters": {"k2": 1e8}}
        result = lw.simulate(model, until=0.2, step=1e-3, **options)  # type: ignore[arg-type]
        told = (
            "'generalised_alpha(rho=0.5)' destroys energy on purpose" if rho < 1.0 else "does not follow from its speed"
        )
        with pytest.warns(lw.errors.AuditWarning, match=re.escape(told)):
            assert not result.audit.passed
        left[rho] = np.max(np.abs(result["A.angle"][-40:]))
    assert left[0.5] < 1e-12
    assert left[1.0] == pytest.approx(1e-3, rel=0.1)


def test_damping_of_the_method_in_the_place_of_that_of_the_conditions() -> None:
    """Without the dashpots μ of the conditions a fictitious vibration of the penalties costs iterations, which HHT damps.
    SOURCE: García de Jalón and Bayo, section 8.5, on the choice of μ."""
    formulation = lw.formulations.Index3AugmentedLagrangian(alpha=1e7, damping_ratio=1e9, tolerance=5e-7)
    iterations = []
    for method in ("trapezoidal", lw.integrators.HHT(-0.05)):
        result = lw.simulate(
            five_links(False),
            times=[5.0],
            fixed_step=0.008,
            formulation=formulation,
            integrator=method,
            coordinates="natural:constant_mass",
            parameters={"gx": 9.81},
        )
        assert result.time[-1] == 5.0
        iterations.append(result.statistics["Newton iterations"] / result.statistics["steps"])
    assert iterations[1] < 0.9 * iterations[0]


@pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")  # a chaotic motion is not followed
def test_energy_is_kept_for_a_hundred_thousand_steps() -> None:
    """A chaotic double pendulum, on which the average acceleration is wrong by a part in a hundred and more."""
    energy = run("energy_midpoint", 100, 100, times=1e-3 * np.arange(0, 100_001, 100)).energy
    assert np.max(np.abs(energy / energy[0] - 1)) < 1e-13


def test_energy_is_kept_where_the_motion_turns_round() -> None:
    """A swing about rest, with conditions: kinetic energies vanish again and again."""
    result = lw.simulate(
        four_bar(),
        until=20,
        step=0.05,
        integrator="energy_midpoint",
        fixed_step=0.05,
        coordinates="natural",
        formulation="multipliers",
    )
    with pytest.warns(lw.errors.AuditWarning, match="does not follow from its speed"):  # energy is not all
        assert result.audit["energy"].passed
    assert np.min(result["energy.kinetic"]) < 1e-3 * np.max(result["energy.kinetic"])
    assert np.max(np.abs(result.energy - result.energy[0])) < 1e-12 * np.max(result["energy.kinetic"])


def test_energy_that_dampers_destroy() -> None:
    """The energy falls by what is destroyed, and the order is two. Problem 7/3."""
    exact = lw.simulate(pendulum(), times=[0, 0.05], rtol=1e-12, atol=1e-12, parameters={"k1": 1e4, "k2": 1e4, "c": 20})
    errors = []
    for h in (2e-4, 1e-4):
        options = {"integrator": "energy_midpoint", "fixed_step": h, "parameters": {"k1": 1e4, "k2": 1e4, "c": 20}}
        found = lw.simulate(pendulum(), times=[0.05], **options)  # type: ignore[arg-type]
        errors.append([abs(found[name][-1] - exact[name][-1]) for name in ("B.x", "B.vx", "energy.total")])
    assert exact.energy[-1] < 0.9 * exact.energy[0]
    np.testing.assert_allclose(np.log2(np.divide(*errors)), 2.0, atol=0.2)


@pytest.mark.parametrize(("kind", "formulation"), [("relative", "hybrid"), ("natural", "ggl"), ("natural", "index3")])
def test_steps_that_follow_the_error_of_a_mechanism(kind: str, formulation: str) -> None:
    """Errors go with the 2/3 power of the tolerance, also with conditions."""
    options = {"times": [0.05], "parameters": {"k1": 1e4, "k2": 1e4}}
    exact = lw.simulate(pendulum(), rtol=1e-12, atol=1e-12, **options)  # type: ignore[arg-type]
    options |= {"coordinates": kind, "formulation": formulation}
    errors = []
    for tolerance in (1e-5, 1e-8):
        found = lw.simulate(pendulum(), integrator="generalised_alpha", rtol=tolerance, atol=tolerance, **options)  # type: ignore[arg-type]
        errors.append(abs(found["B.x"][-1] - exact["B.x"][-1]))
    assert np.log10(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("name", ["wilson_theta", "linear_acceleration", "energy_midpoint"])
def test_methods_that_leave_conditions_open_are_refused(name: str) -> None:
    with pytest.raises(lw.errors.RefusedError, match=f"'{name}'.*take .*'hht'"):
        lw.simulate(pendulum(), until=0.1, integrator=name, fixed_step=1e-3, formulation="index3_augmented_lagrangian")


def test_no_energy_is_kept_that_drivers_change() -> None:
    data = pendulum().model_dump(exclude_unset=True) | {
        "drivers": {"motor": {"joint": "O", "position": "t"}},
        "initial": {},
    }
    with pytest.raises(lw.errors.RefusedError, match="drivers"):
        lw.simulate(lw.Model(**data), until=0.1, integrator="energy_midpoint", fixed_step=1e-3)
