"""Coulomb's law by convex problems, one after the other.

A solver of the convex problem is given b + s with a constant s_n = μ |u_t| of the last answer; where s no longer
changes, the law is Coulomb's (V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, "A formulation of the linear discrete
Coulomb friction problem via convex optimization", ZAMM 91, 2011). Each is solved a part nearer than the last
residual, from its answer.

By itself s of a single contact converges with μ² / (1 + μ²), not at all where μ is large; a sweep of Gauss and Seidel
between two problems, which solves every contact by cases, puts that right.

With r > 0, r f of the last answer is taken from b too: the steps of a proximal point method, by which a solver of A +
r 1 finds the answer to A itself (R. T. Rockafellar 1976).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from linkwork.numerics.kernels.complementarity.cones import (
    CONVEX,
    COULOMB,
    FAILED,
    LIMIT,
    SOLVED,
    ConeProblem,
    is_solved,
    lift,
    measure,
    update_speeds,
)
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps, sweep
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array
from linkwork.numerics.kernels.linear.dense import largest

M = TypeVar("M", bound=Record)
PART, NEAR = 0.5, 0.3  # of the last residual, and of the tolerance, to which the next problem is solved

BETWEEN = 2  # sweeps
OTHER = 2.0  # times the residual of a problem, by which that of the law is another one


class Corrections(Record):
    """How often b is corrected, and what it was."""

    rows: int
    most: int  # corrections
    proximal: float  # r, in scaled units
    done: int  # corrections that were made
    sweeps: Sweeps
    base: Floats = array("rows")


@kernel
def correct(problem: ConeProblem, corrections: Corrections, law: int) -> None:
    """b for the next convex problem, from f and u."""
    base, b, first, r = corrections.base, problem.b, problem.first, corrections.proximal
    b[: problem.rows] = base[: problem.rows] - r * problem.f[: problem.rows]
    if law == COULOMB:
        for i in range(problem.count):
            b[first[i]] += lift(problem.mu[i], first[i + 1] - first[i], at(problem.u, first[i]))


@kernel
def is_at_rest(problem: ConeProblem) -> bool:
    """Whether f is zero everywhere: nothing is known of sliding yet."""
    return largest(problem.f, problem.rows) == 0.0


@kernel
def sweep_between(problem: ConeProblem, corrections: Corrections, law: int) -> None:
    """Sweep, where s of the answer is another one than it was given: not where the law is met as well as the problem was."""
    reached = problem.residual
    problem.law = law
    problem.b[: problem.rows] = corrections.base[: problem.rows]
    update_speeds(problem)
    if measure(problem) > OTHER * reached:
        for _ in range(BETWEEN):
            sweep(problem, corrections.sweeps, 0)


@kernel
def solve_corrected(
    solve: Callable[[ConeProblem, M], int], problem: ConeProblem, memory: M, corrections: Corrections
) -> int:
    """f of a problem of either law by a solver of convex ones."""
    if problem.law == CONVEX and corrections.proximal == 0.0:
        return solve(problem, memory)
    law, tolerance, limit, spent = problem.law, problem.tolerance, problem.limit, 0
    corrections.base[: problem.rows] = problem.b[: problem.rows]
    code, begin = LIMIT, is_at_rest(problem)
    for count in range(corrections.most + 1):
        problem.b[: problem.rows] = corrections.base[: problem.rows]
        problem.law, problem.tolerance = law, tolerance
        corrections.done = count
        if is_solved(problem) == 1:
            code = SOLVED
            break
        if code == FAILED or spent >= limit or count == corrections.most:
            break
        if count > 0 or begin == 0:
            correct(problem, corrections, law)
        problem.law, problem.limit = CONVEX, limit - spent
        problem.tolerance = max(NEAR * tolerance, PART * problem.residual)
        problem.iterations = 0
        code = LIMIT if solve(problem, memory) != FAILED else FAILED
        spent += max(problem.iterations, 1)
        if law == COULOMB:
            sweep_between(problem, corrections, law)
    problem.limit, problem.iterations = limit, spent
    update_speeds(problem)
    measure(problem)
    return code
