"""Published problems that are given as equations, by differential and algebraic formulations and several integrators."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from written_equations import SIZES, Problem, car_axis, significant_digits, slider_crank

PROBLEMS = {"car_axis": cache(car_axis), "slider_crank": cache(slider_crank)}


def digits(
    problem: Problem, sizes: np.ndarray | float, formulation: str, integrator: str, tol: float
) -> tuple[float, float]:
    """Of positions, in units of their sizes, and of multipliers."""
    run = problem.run(formulation, integrator, rtol=tol, atol=tol)
    assert run.status.ok, run
    found = significant_digits(run.multipliers[-1], problem.multipliers)
    return significant_digits(run.q[-1], problem.q_end, sizes), found


@pytest.mark.parametrize("integrator", ["radau5", "bdf"])
@pytest.mark.parametrize("formulation", ["index3", "ggl", "index2", "index1"])
def test_the_car_axis(formulation: str, integrator: str) -> None:
    # six digits of positions and four of multipliers, and more with tighter tolerances
    problem = PROBLEMS["car_axis"]()
    loose, tight = (digits(problem, 1.0, formulation, integrator, tol) for tol in (1e-8, 1e-10))
    assert tight[0] >= 6
    assert tight[1] >= 4
    assert tight[0] > loose[0]


@pytest.mark.parametrize(("formulation", "integrator", "tol"), [("ggl", "radau5", 1e-10), ("index1", "bdf", 1e-11)])
def test_the_flexible_slider_crank(formulation: str, integrator: str, tol: float) -> None:
    # five digits of all seven positions, those of the rod in units of 10 µm to 1 mm
    problem = PROBLEMS["slider_crank"]()
    positions, multipliers = digits(problem, SIZES, formulation, integrator, tol)
    assert positions >= 5
    assert multipliers >= 4
