"""Implicit Runge-Kutta methods on mechanisms: stiff forces, and energy over many revolutions."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw
from linkwork.analysis.prepared import prepare
from linkwork.results.result import Result
from linkwork.testing.mechanisms import crank_rocker


@functools.cache
def two_bars(stiffness: float, damping: float) -> lw.Model:
    """A pendulum of two bars of 1 kg and 1 m with a bushing between them, level at the start."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 1}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
        forces={
            "bushing": {
                "kind": "torsion_spring",
                "joint": "A",
                "free_angle": 0,
                "stiffness": stiffness,
                "damping": damping,
            }
        },
    )


@pytest.mark.parametrize("integrator", ["radau5", "radau3", "esdirk43", "tr_bdf2", "backward_euler"])
def test_a_stiff_bushing_makes_one_bar_of_two(integrator: str) -> None:
    """The bushing bends by 1/k of its moment; the limit is a bar of 2 kg and 2 m, with ½ θ̇² = −(3g/4) sin θ."""
    tolerance = 1e-5 if integrator == "backward_euler" else 1e-7
    run = lw.simulate(two_bars(1e8, 1e6), until=1, step=0.05, integrator=integrator, rtol=tolerance, atol=tolerance)
    angle, speed = run["O.angle"], run["O.speed"]
    bound = 1e-1 if integrator == "backward_euler" else 1e-4
    np.testing.assert_allclose(0.5 * speed**2, -0.75 * 9.81 * np.sin(angle), atol=bound)
    assert np.abs(run["A.angle"]).max() < 1e-6
    # explicit methods would need steps of 3.3 / 1e8 s
    assert run.statistics["steps"] < 5000


def test_stiff_methods_agree_with_explicit_ones() -> None:
    model = two_bars(1e5, 1e4)
    runs = [
        lw.simulate(model, until=0.3, step=0.05, integrator=name, rtol=1e-9, atol=1e-11)
        for name in ("dopri5", "radau5", "gauss6")
    ]
    for run in runs[1:]:
        np.testing.assert_allclose(run["O.angle"], runs[0]["O.angle"], atol=1e-8)
        np.testing.assert_allclose(run["A.angle"], runs[0]["A.angle"], atol=1e-10)
        assert run.statistics["steps"] < runs[0].statistics["steps"] / 20


@pytest.mark.parametrize("formulation", ["hybrid", "multipliers", "canonical", "ggl", "index1"])
def test_formulations_agree(formulation: str) -> None:
    """Those that move the state after a step, such as momenta taken anew, do not disturb the estimate of the error."""
    run, reference = (
        lw.simulate(crank_rocker(), until=0.5, step=0.1, integrator=name, formulation=form, rtol=tolerance, atol=1e-9)
        for name, form, tolerance in (("radau5", formulation, 1e-7), ("dop853", "multipliers", 1e-11))
    )
    np.testing.assert_allclose(run["O.angle"], reference["O.angle"], atol=1e-6)
    assert run.statistics["steps"] < 80


def test_a_fast_top_by_algebraic_equations_converges_without_many_rejections() -> None:
    """Corrections of multipliers shrink in every other iteration where the mass matrix turns: that is no divergence."""
    body = {"origin": [0, 0, 0], "points": {"O": [0, 0, 0]}, "mass": 15, "com": [0, 1, 0]}
    top = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0]},
        bodies={"top": {**body, "inertia": [0.234375, 0.46875, 0.234375]}},
        joints={"O": {"kind": "spherical", "bodies": ["ground", "top"]}},
        initial={"O": {"omega": [0, 150, -4.61538]}},
    )
    options = {"until": 0.1, "step": 0.02, "coordinates": "reference_point", "rtol": 1e-8, "atol": 1e-8}
    run, reference = (
        lw.simulate(top, integrator=name, formulation=formulation, **options)  # type: ignore[arg-type]
        for name, formulation in (("radau5", "index1"), ("dop853", "multipliers"))
    )
    np.testing.assert_allclose(run["top.x"], reference["top.x"], atol=1e-6)
    assert run.statistics["rejected"] < 0.1 * run.statistics["steps"]


def energy_errors(integrator: str, step: float) -> tuple[float, float]:
    """Largest error of the energy in the first and in the last quarter of 60 s, some 50 revolutions."""
    run: Result = lw.simulate(crank_rocker(), until=60, step=0.05, integrator=integrator, fixed_step=step)
    error = np.abs(run["energy.total"] - run["energy.total"][0])
    quarter = len(error) // 4
    return float(error[:quarter].max()), float(error[-quarter:].max())


@pytest.mark.parametrize(
    ("integrator", "step"), [("gauss6", 0.02), ("gauss4", 0.01), ("implicit_midpoint", 0.005), ("trapezoidal", 0.005)]
)
def test_symmetric_methods_do_not_lose_energy(integrator: str, step: float) -> None:
    first, last = energy_errors(integrator, step)
    assert last < 1.05 * first


def test_radau_loses_energy_in_proportion_to_time() -> None:
    first, last = energy_errors("radau5", 0.02)
    assert 3 * first < last < 4.5 * first


def test_the_results_tell_what_the_stages_cost() -> None:
    run = lw.simulate(crank_rocker(), until=1, integrator="radau5")
    assert 0 < run.statistics["Jacobians"] < run.statistics["steps"] < run.statistics["Newton iterations"]


@pytest.mark.parametrize("integrator", ["radau5", "wilson_theta"])
def test_derivatives_that_would_be_compiled_for_minutes_are_differences(
    integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """∂ẏ/∂y of large mechanisms has millions of instructions; without it the motion is the same."""
    options: dict[str, Any] = {"formulation": "multipliers", "coordinates": "natural", "integrator": integrator}
    options |= {"fixed_step": 1e-3} if integrator == "wilson_theta" else {"rtol": 1e-9, "atol": 1e-11}
    compiled = lw.simulate(four_bar(), until=0.5, step=0.1, **options)
    asked: list[str] = []
    made: list[str] = []
    write, make = prepare.slope_matrix, prepare.Mechanism.compiled
    monkeypatch.setattr(prepare, "LONG", 0)
    monkeypatch.setattr(prepare.Mechanism, "compiled", lambda self, f: made.append(f.name()) or make(self, f))
    monkeypatch.setattr(prepare, "slope_matrix", lambda f: asked.append(f.name()) or write(f))
    model = four_bar().with_(name=f"four-bar by differences and {integrator}")
    by_differences = lw.simulate(model, until=0.5, step=0.1, **options)
    assert asked and not [name for name in made if name.endswith("_slope")]
    np.testing.assert_allclose(by_differences["C.angle"], compiled["C.angle"], rtol=1e-8)
    assert by_differences.audit.passed


@pytest.mark.parametrize("formulation", ["index3", "ggl", "index2", "index1"])
def test_the_first_step_of_backward_euler_is_not_lost_in_rounding_errors(formulation: str) -> None:
    """Its error goes with h²: 0.01 of the tolerance of a speed that begins at zero is reached with √(0.01 atol / v̇).

    Steps of 1e-12 s leave nothing but noise in speeds of index 3, which are differences of positions over the step.
    """
    arm = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.3, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        forces={"push": {"kind": "effort", "joint": "O", "value": "if(O.speed < 0, 5, 20)"}},
        initial={"O": {"speed": 0}},
    )
    options = {"coordinates": "natural", "formulation": formulation, "integrator": "backward_euler"}
    run = lw.simulate(arm, 0.01, step=0.001, rtol=1e-5, atol=1e-7, **options)  # type: ignore[arg-type]
    assert run.outcome.completed
    acceleration = 20 / (0.3**2 / 3)
    assert 0.1 < run.steps[1] / np.sqrt(0.01 * 1e-7 / acceleration) < 10
    assert run["O.speed"][-1] == pytest.approx(acceleration * 0.01, rel=1e-3)
