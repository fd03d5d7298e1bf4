"""SciPy on the compiled right-hand side of Linkwork: DOP853 and Radau (in Python), LSODA (in Fortran)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from peers.base import Contender, Run
from peers.compiled_rates import rates_into
from peers.equation import Array
from peers.linkwork_flow import ATOL, observed

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "scipy"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(problem: Problem) -> list[Contender]:
    names = ("DOP853", "Radau", "LSODA")
    return [Contender(f"SciPy, {name}", TOLERANCES, partial(_prepare, problem, name)) for name in names]


def _prepare(problem: Problem, name: str, tolerance: float) -> Run:
    from scipy.integrate import odeint, solve_ivp

    fill, start = rates_into(problem)
    grid, out = problem.grid, np.empty(start.size)

    def rates(t: float, y: Array) -> Array:
        fill(t, y, out)
        return out.copy()

    def run() -> Array:
        if name == "LSODA":
            options = {"rtol": tolerance, "atol": ATOL * tolerance, "mxstep": 10**6}
            return observed(problem, odeint(rates, start, grid, tfirst=True, **options))
        found = solve_ivp(rates, (0.0, problem.end), start, name, grid, rtol=tolerance, atol=ATOL * tolerance)
        return observed(problem, found.y.T)

    return run
