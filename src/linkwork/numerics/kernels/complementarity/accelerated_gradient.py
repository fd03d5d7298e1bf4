"""Accelerated projected gradients: f <- P(y − g(y) / L), with y ahead of f (Yu. Nesterov 1983).

As H. Mazhar, T. Heyn, D. Negrut, A. Tasora have it ("Using Nesterov's method to accelerate multibody dynamics with
friction and contact", ACM Transactions on Graphics 34, 2015): L grows until it bounds the curvature along the step
and shrinks a little with every step, and the momentum begins anew where it leads uphill (B. O'Donoghue, E. Candès
2015). One product with A a step, and the best f is what is handed back. Convex problems alone.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.cones import (
    LIMIT,
    SOLVED,
    ConeProblem,
    measure,
    multiply,
    project,
    update_speeds,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array
from linkwork.numerics.kernels.linear.dense import dot

GROW, SHRINK = 2.0, 0.9  # of L, in a step that is too long and behind one that is not
DOUBLINGS = 60
ROUNDING = 1e-12  # of the curvature that may exceed L


class GradientDescent(Record):
    """Points of a descent and their products with A."""

    rows: int
    curvature: float  # L, kept from one problem to the next; 0: not known
    y: Floats = array("rows")
    ay: Floats = array("rows")
    af: Floats = array("rows")
    next: Floats = array("rows")
    anext: Floats = array("rows")
    g: Floats = array("rows")
    best: Floats = array("rows")


@kernel
def project_all(problem: ConeProblem, x: Floats) -> None:
    """x <- the nearest point of K."""
    first = problem.first
    for i in range(problem.count):
        project(problem.mu[i], first[i + 1] - first[i], at(x, first[i]), at(x, first[i]))


@kernel(vectorise=True)
def differences(descent: GradientDescent, x: Floats, y: Floats, ax: Floats, ay: Floats) -> float:
    """|x − y|², with (x − y)·(Ax − Ay) in ``curvature`` where it is larger than L |x − y|²: then L was too small."""
    square, curved = 0.0, 0.0
    for k in range(descent.rows):
        d = x[k] - y[k]
        square += d * d
        curved += d * (ax[k] - ay[k])
    if curved > (1.0 + ROUNDING) * descent.curvature * square:
        descent.curvature *= GROW
        return -1.0
    return square


@kernel
def first_curvature(problem: ConeProblem, descent: GradientDescent) -> float:
    """|A x| / |x| of a vector of ones: L begins with it."""
    descent.next[: problem.rows] = 1.0
    multiply(problem, descent.next, descent.anext)
    return math.sqrt(dot(descent.anext, descent.anext, problem.rows) / float(problem.rows))


@kernel(vectorise=True)
def step_ahead(descent: GradientDescent, f: Floats, beta: float) -> None:
    """y <- f⁺ + β (f⁺ − f), f <- f⁺, and their products with A."""
    m, new, anew = descent.rows, descent.next, descent.anext
    descent.y[:m] = new[:m] + beta * (new[:m] - f[:m])
    descent.ay[:m] = anew[:m] + beta * (anew[:m] - descent.af[:m])
    f[:m] = new[:m]
    descent.af[:m] = anew[:m]


@kernel
def descend(problem: ConeProblem, descent: GradientDescent) -> None:
    """f⁺ and its product with A, L as large as it must be."""
    m, y, ay, g, new = problem.rows, descent.y, descent.ay, descent.g, descent.next
    g[:m] = ay[:m] + problem.b[:m]
    for _ in range(DOUBLINGS):
        step = 1.0 / descent.curvature
        new[:m] = y[:m] - step * g[:m]
        project_all(problem, new)
        multiply(problem, new, descent.anext)
        if differences(descent, new, y, descent.anext, ay) >= 0.0:
            return


@kernel
def solve_by_gradients(problem: ConeProblem, descent: GradientDescent) -> int:
    """f of a convex problem from f on, in scaled units."""
    m, f, u, b = problem.rows, problem.f, problem.u, problem.b
    multiply(problem, f, descent.af)
    descent.y[:m] = f[:m]
    descent.ay[:m] = descent.af[:m]
    descent.best[:m] = f[:m]
    u[:m] = descent.af[:m] + b[:m]
    best, theta = measure(problem), 1.0
    if best <= problem.tolerance:
        return SOLVED
    if not descent.curvature > 0.0:
        descent.curvature = max(first_curvature(problem, descent), 1e-6)
    for count in range(problem.limit):
        problem.iterations = count + 1
        descend(problem, descent)
        uphill = dot(descent.g, descent.next, m) - dot(descent.g, f, m)
        following = 0.5 * theta * (math.sqrt(theta * theta + 4.0) - theta)
        beta = theta * (1.0 - theta) / (theta * theta + following)
        if uphill > 0.0:
            beta, following = 0.0, 1.0
        step_ahead(descent, f, beta)
        theta = following
        descent.curvature *= SHRINK
        u[:m] = descent.af[:m] + b[:m]
        if measure(problem) < best:
            best = problem.residual
            descent.best[:m] = f[:m]
            if best <= problem.tolerance:
                return SOLVED
    f[:m] = descent.best[:m]
    update_speeds(problem)
    measure(problem)
    return LIMIT
