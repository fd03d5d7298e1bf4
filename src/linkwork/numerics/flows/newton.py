"""Solvers of implicit stages by Newton's method (``kernels/stepping/newton.py``), for flows and equations F(t, y, k) = 0."""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.flows.flow import Flow, ImplicitEquations, Solver
from linkwork.numerics.kernels.stepping.newton import (
    NOT_CONVERGED,
    SINGULAR,
    TO_ROUNDING,
    FlowEquations,
    NewtonMemory,
    residual_of_rates,
    solve_stage,
    tangent_of_rates,
)

ITERATIONS, PATIENCE = 10, 3  # with one matrix; times as many for steps of fixed size
EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = (1e-13, 1e-15)  # relative and absolute tolerance of steps of fixed size
FAILURES = {
    NOT_CONVERGED: "the equations of an implicit step have no solution near the last one; a shorter step may help",
    SINGULAR: "the equations of an implicit step are singular",
}
"""What each failure code means."""


def newton_solver(equations: ImplicitEquations, iterations: int | None = None) -> Solver:
    """A solver of stages of the equations; *iterations*: exactly that many in every stage, with the matrix of its start."""
    newton = NewtonMemory(
        size=equations.size,
        positions=equations.positions,
        rated=equations.rated,
        residual=equations.residual,
        tangent=equations.tangent,
        equations=equations.memory,
        limit=iterations or ITERATIONS,
        fixed=int(iterations is not None),
        algebraic=int(equations.levels is not None),
    )
    if equations.levels is not None:
        newton.levels[:] = equations.levels
    if equations.grades is not None:
        newton.grades[:] = equations.grades

    def tolerate(rtol: float, atol: Array | None) -> None:
        newton.constant, newton.rate = int(atol is None), 1.0
        newton.relative, newton.absolute[:] = ROUNDING if atol is None else (rtol, atol)
        newton.tolerance = TO_ROUNDING if atol is None else max(10.0 * EPSILON / max(rtol, EPSILON), 0.01)
        if not newton.fixed:
            newton.limit = (PATIENCE if atol is None else 1) * ITERATIONS

    def counters() -> dict[str, int]:
        return {"jacobians": newton.jacobians, "factorisations": newton.factorisations}

    levels = None if equations.levels is None else np.array(equations.levels, dtype=np.float64)
    return Solver(solve_stage, newton, equations, levels=levels, tolerate=tolerate, counters=counters)


def fix_iterations(solver: Solver, iterations: int) -> bool:
    """Take exactly so many iterations in every stage from now on; whether the solver is one that can."""
    if not isinstance(solver.memory, NewtonMemory):
        return False
    solver.memory.limit, solver.memory.fixed = iterations, 1
    return True


def rate_solver(flow: Flow, n: int) -> Solver:
    """A solver of stages of ẏ = f(t, y), n states, with ∂f/∂y as the flow gives it, elsewhere by differences."""
    rates = FlowEquations(flow=flow.flow, slope=flow.slope, memory=flow.memory, count=n)
    return newton_solver(ImplicitEquations(residual_of_rates, tangent_of_rates, rates, n, flow.positions))
