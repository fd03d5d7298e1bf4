"""CVODE of SUNDIALS (through scikit-sundae) on the compiled right-hand side of Linkwork: Adams and BDF formulas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from peers.base import Contender, Run
from peers.compiled_rates import rates_into
from peers.equation import Array
from peers.linkwork_flow import ATOL, observed

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "scikit-sundae"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(problem: Problem) -> list[Contender]:
    import sksundae  # noqa: F401

    return [Contender(f"CVODE, {name}", TOLERANCES, partial(_prepare, problem, name)) for name in ("Adams", "BDF")]


def _prepare(problem: Problem, name: str, tolerance: float) -> Run:
    from sksundae.cvode import CVODE

    rates, start = rates_into(problem)
    grid = problem.grid
    solver = CVODE(
        lambda t, y, out: rates(t, y, out),
        method=name,
        rtol=tolerance,
        atol=ATOL * tolerance,
        max_num_steps=10**6,
    )

    def run() -> Array:
        return observed(problem, solver.solve(grid, start).y)

    return run
