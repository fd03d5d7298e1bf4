"""Solvers of implicit stages by Newton's method (``kernels/newton.py``), for flows and for equations F(t, y, k) = 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.numerics.integrators.base import Array
from linkwork.numerics.integrators.flow import Flow, Integers, Solver
from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.loader import kernel_address

ITERATIONS = 10  # with one matrix
EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = (1e-13, 1e-15)  # relative and absolute tolerance of steps of fixed size
FAILURES = {
    slots.NOT_CONVERGED: "the equations of an implicit step have no solution near the last one; a shorter step may help",
    slots.SINGULAR: "the equations of an implicit step are singular",
}
"""What each failure code means."""


@dataclass(frozen=True, eq=False)
class ImplicitEquations:
    """F(t, y, k) = 0 in n states and their rates, in compiled code; matrices are column-major.

    residual: address of ``int32 residual(double t, double* y, double* k, double* F, int64* ic, double* w)``
    tangent: address of ``int32 tangent(double t, double* y, double* k, double* Fy, double* Fk, int64* ic, double* w)``
    positions: how many states come first whose rates follow from the others
    levels: (n) powers of the step size that errors of states are multiplied by
    grades: (n) how often a state is differentiated, forces like accelerations: matrices are scaled by these powers of 1/τ
    rated: how many states come first that have rates, and are found to the whole tolerance whatever their level
    """

    residual: int
    tangent: int
    ic: Integers
    w: Array
    size: int
    positions: int = 0
    levels: Sequence[float] | Array | None = None
    grades: Sequence[float] | Array | None = None
    keepalive: tuple[Any, ...] = ()
    rated: int = 0


def newton_solver(equations: ImplicitEquations, iterations: int | None = None) -> Solver:
    """A solver of stages of the equations; *iterations*: exactly that many in every stage, with the matrix of its start."""
    n = equations.size
    ic = np.zeros(slots.HEADER + n, np.int64)
    ic[[slots.SIZE, slots.POSITIONS, slots.RATED]] = n, equations.positions, equations.rated
    ic[[slots.RESIDUAL, slots.TANGENT]] = equations.residual, equations.tangent
    ic[[slots.INTEGERS, slots.NUMBERS]] = equations.ic.ctypes.data, equations.w.ctypes.data
    ic[[slots.LIMIT, slots.FIXED]] = iterations or ITERATIONS, int(iterations is not None)
    ic[slots.PIVOTS] = slots.HEADER
    offset = slots.SCALARS
    for block in (slots.FY, slots.FK, slots.MATRIX):
        ic[block], offset = offset, offset + n * n
    of_size_n = (slots.RESIDUALS, slots.MOVE, slots.FIRST, slots.ROW_SCALE, slots.ABSOLUTE, slots.LEVELS)
    for block in (*of_size_n, slots.ROWS, slots.COLUMNS, slots.GRADES):
        ic[block], offset = offset, offset + n
    w = np.zeros(offset)
    if equations.levels is not None:
        ic[slots.ALGEBRAIC] = 1
        w[ic[slots.LEVELS] :][:n] = equations.levels
    if equations.grades is not None:
        w[ic[slots.GRADES] :][:n] = equations.grades

    def tolerate(rtol: float, atol: Array | None) -> None:
        absolute = w[ic[slots.ABSOLUTE] :][:n]
        ic[slots.CONSTANT] = int(atol is None)
        if atol is None:
            w[slots.RELATIVE], absolute[:] = ROUNDING
            w[slots.ACCURACY] = 1e-3
        else:
            w[slots.RELATIVE], absolute[:] = rtol, atol
            w[slots.ACCURACY] = max(10.0 * EPSILON / max(rtol, EPSILON), 0.01)
        w[slots.RATE] = 1.0

    def counters() -> dict[str, int]:
        return {"jacobians": int(ic[slots.JACOBIANS]), "factorisations": int(ic[slots.FACTORISATIONS])}

    levels = None if equations.levels is None else np.array(equations.levels, dtype=np.float64)
    solve = kernel_address("newton.solve_stage")
    return Solver(solve, ic, w, (equations,), newton=True, levels=levels, tolerate=tolerate, counters=counters)


def fix_iterations(solver: Solver, iterations: int) -> bool:
    """Take exactly so many iterations in every stage from now on; whether the solver is one that can."""
    if solver.solve != kernel_address("newton.solve_stage"):
        return False
    solver.ic[[slots.LIMIT, slots.FIXED]] = iterations, 1
    return True


def rate_solver(flow: Flow, n: int) -> Solver:
    """A solver of stages of ẏ = f(t, y), n states, with ∂f/∂y as the flow gives it, elsewhere by differences."""
    ic = np.zeros(slots.RATE_HEADER, np.int64)
    ic[slots.FLOW] = flow.flow
    ic[[slots.FLOW_INTEGERS, slots.FLOW_WORK]] = flow.ic.ctypes.data, flow.w.ctypes.data
    ic[[slots.SLOPE, slots.COUNT]] = flow.slope, n
    residual, tangent = (kernel_address(f"newton.{name}_of_rates") for name in ("residual", "tangent"))
    equations = ImplicitEquations(
        residual, tangent, ic, np.zeros(3 * n + 1), n, flow.positions, keepalive=(flow.ic, flow.w, flow.keepalive)
    )
    return newton_solver(equations)
