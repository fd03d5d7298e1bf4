"""Convex problems with a little compliance, without constraints: Newton's method with an exact search along its steps.

With r > 0 in the scaled diagonal of A, forces follow from speeds, γ(u) = P(−u / r), and a least is looked for in x:

    ½ xᵀA x + ½ r |γ(A x + b)|²,   slope A (x − γ),   (1 + G A) p = γ − x,   G = −∂γ/∂u = B B

of which p = g − B (1 + B A B)⁻¹ B A g, g = γ − x, takes one Cholesky factor. (A. Castro, F. Permenter, X. Han, "An
unconstrained convex formulation of compliant contact", IEEE Transactions on Robotics 39, 2022, with x for
velocities.) Along p the function is convex with a continuous slope, whose root is found by Newton's method within
brackets.

The answer is that of A + r 1: contacts yield, and creep where they stick, by r times their force. `corrections.py`
takes that back by proximal steps where it is not wanted.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.banded import (
    Band,
    add_to_all,
    clear_band,
    factorise,
    order_contacts,
    solve,
    write_block,
)
from linkwork.numerics.kernels.complementarity.cones import (
    FAILED,
    LIMIT,
    SOLVED,
    TINY,
    ConeProblem,
    measure,
    multiply,
    project,
    slip_speed,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array
from linkwork.numerics.kernels.linear.dense import dot

TURNS = 60  # of the search along a step
FLAT = 1e-10  # part of the first slope that a search leaves
FARTHEST = 1e6  # steps that a search goes at most
ENDS = 1e-14  # slope, beside the forces, at which nothing is left to gain


class Compliance(Record):
    """r, the point x, and its step."""

    rows: int
    r: float  # in scaled units: of the mean diagonal of a contact's own block
    band: Band
    x: Floats = array("rows")
    ax: Floats = array("rows")
    gamma: Floats = array("rows")
    step: Floats = array("rows")
    astep: Floats = array("rows")
    work: Floats = array("rows")
    back: Floats = array("rows")
    roots: Floats = array("3 * rows")  # B of the contacts, by rows
    v: Floats = array("3")
    block: Floats = array("9")


@kernel
def root_of_slope(mu: float, size: int, v: Floats, r: float, out: Floats) -> None:
    """B (size, size) of a contact at v = −u / r: along the force, and across it."""
    for k in range(size * size):
        out[k] = 0.0
    root = 1.0 / math.sqrt(r)
    if size == 1:
        out[0] = root if v[0] > 0.0 or mu < 0.0 else 0.0
        return
    slip = slip_speed(size, v)
    if mu < 0.0 or slip <= mu * v[0]:
        for k in range(size):
            out[k * size + k] = root
        return
    if mu * slip <= -v[0]:
        return
    share = root / (1.0 + mu * mu)
    across = mu * (v[0] + mu * slip) / ((1.0 + mu * mu) * slip)
    out[0] = share
    for k in range(1, size):
        e = v[k] / slip
        out[k], out[k * size] = mu * share * e, mu * share * e
        for l in range(1, size):
            g = v[l] / slip
            out[k * size + l] = mu * mu * share * e * g + root * math.sqrt(across) * ((1.0 if k == l else 0.0) - e * g)


@kernel
def apply_roots(problem: ConeProblem, compliance: Compliance, x: Floats, out: Floats) -> None:
    """out <- B x; not the same array."""
    for i in range(problem.count):
        row, size = problem.first[i], problem.first[i + 1] - problem.first[i]
        b = at(compliance.roots, 3 * row)
        for k in range(size):
            total = 0.0
            for l in range(size):
                total += b[k * size + l] * x[row + l]
            out[row + k] = total


@kernel
def answer_at(problem: ConeProblem, compliance: Compliance, alpha: float, out: Floats) -> None:
    """out <- γ at x + α p."""
    inverse = 1.0 / compliance.r
    for i in range(problem.count):
        row, size = problem.first[i], problem.first[i + 1] - problem.first[i]
        for k in range(row, row + size):
            out[k] = -inverse * (compliance.ax[k] + alpha * compliance.astep[k] + problem.b[k])
        project(problem.mu[i], size, at(out, row), at(out, row))


@kernel
def write_roots(problem: ConeProblem, compliance: Compliance, alpha: float) -> None:
    """B at x + α p."""
    inverse, v = 1.0 / compliance.r, compliance.v
    for i in range(problem.count):
        row, size = problem.first[i], problem.first[i + 1] - problem.first[i]
        for k in range(size):
            v[k] = -inverse * (compliance.ax[row + k] + alpha * compliance.astep[row + k] + problem.b[row + k])
        root_of_slope(problem.mu[i], size, v, compliance.r, at(compliance.roots, 3 * row))


@kernel
def write_product(left: Floats, a: Floats, right: Floats, size: int, width: int, out: Floats) -> None:
    """out (size, width) <- B A B of one block."""
    for k in range(size):
        for l in range(width):
            total = 0.0
            for p in range(size):
                for q in range(width):
                    total += left[k * size + p] * a[p * width + q] * right[q * width + l]
            out[k * width + l] = total


@kernel
def factorise_compliant(problem: ConeProblem, compliance: Compliance) -> int:
    """The factor of 1 + B A B at x; contacts that part have rows of the unit matrix."""
    first, band, roots = problem.first, compliance.band, compliance.roots
    clear_band(band)
    for i in range(problem.count):
        size = first[i + 1] - first[i]
        for t in range(problem.starts[i], problem.starts[i + 1]):
            j = problem.columns[t]
            if band.place[i] < band.place[j]:
                continue
            width, a = first[j + 1] - first[j], at(problem.values, problem.places[t])
            write_product(at(roots, 3 * first[i]), a, at(roots, 3 * first[j]), size, width, compliance.block)
            write_block(band, band.place[i], band.place[j], size, width, compliance.block)
    add_to_all(band, 1.0)
    return factorise(band)


@kernel
def find_step(problem: ConeProblem, compliance: Compliance) -> int:
    """p and A p. Returns -1, or where it failed."""
    m, step, work, back = problem.rows, compliance.step, compliance.work, compliance.back
    compliance.astep[:m] = 0.0
    write_roots(problem, compliance, 0.0)
    failed = factorise_compliant(problem, compliance)
    if failed >= 0:
        return failed
    step[:m] = compliance.gamma[:m] - compliance.x[:m]
    multiply(problem, step, back)
    apply_roots(problem, compliance, back, work)
    solve(problem, compliance.band, work)
    apply_roots(problem, compliance, work, back)
    step[:m] -= back[:m]
    multiply(problem, step, compliance.astep)
    return -1


@kernel
def slope_along(problem: ConeProblem, compliance: Compliance, alpha: float) -> float:
    """The slope of the function at x + α p, along p."""
    m, ax, astep, step = problem.rows, compliance.ax, compliance.astep, compliance.step
    answer_at(problem, compliance, alpha, compliance.work)
    return dot(step, ax, m) + alpha * dot(step, astep, m) - dot(astep, compliance.work, m)


@kernel
def search_exactly(problem: ConeProblem, compliance: Compliance) -> float:
    """α at which the slope along p is none."""
    m, low, high, alpha = problem.rows, 0.0, -1.0, 1.0
    begin = slope_along(problem, compliance, 0.0)
    if not begin < 0.0:
        return 0.0
    for _ in range(TURNS):
        slope = slope_along(problem, compliance, alpha)
        if abs(slope) <= FLAT * abs(begin):
            return alpha
        if slope < 0.0:
            low = alpha
        else:
            high = alpha
        write_roots(problem, compliance, alpha)
        apply_roots(problem, compliance, compliance.astep, compliance.work)
        curvature = dot(compliance.step, compliance.astep, m) + dot(compliance.work, compliance.work, m)
        following = alpha - slope / curvature if curvature > TINY else 2.0 * alpha
        if high > 0.0 and not (low < following < high):
            following = 0.5 * (low + high)
        if following > FARTHEST:
            return alpha
        alpha = following
    return alpha


@kernel
def tell(problem: ConeProblem, compliance: Compliance) -> float:
    """f <- γ, and the residual of it."""
    m = problem.rows
    problem.f[:m] = compliance.gamma[:m]
    multiply(problem, problem.f, problem.u)
    problem.u[:m] += problem.b[:m] + compliance.r * problem.f[:m]
    return measure(problem)


@kernel
def solve_compliant(problem: ConeProblem, compliance: Compliance) -> int:
    """f of a convex problem with compliance, from f on, in scaled units; u and the residual are those with it."""
    m, x, ax, gamma = problem.rows, compliance.x, compliance.ax, compliance.gamma
    if order_contacts(problem, compliance.band) > compliance.band.room:
        return FAILED
    x[:m] = problem.f[:m]
    multiply(problem, x, ax)
    compliance.astep[:m] = 0.0
    for count in range(problem.limit):
        answer_at(problem, compliance, 0.0, gamma)
        problem.iterations = count
        if tell(problem, compliance) <= problem.tolerance:
            return SOLVED
        if find_step(problem, compliance) >= 0:
            return FAILED
        alpha = search_exactly(problem, compliance)
        if not alpha * math.sqrt(dot(compliance.step, compliance.step, m)) > ENDS * math.sqrt(dot(x, x, m)):
            return LIMIT
        x[:m] += alpha * compliance.step[:m]
        ax[:m] += alpha * compliance.astep[:m]
    answer_at(problem, compliance, 0.0, gamma)
    return SOLVED if tell(problem, compliance) <= problem.tolerance else LIMIT
