"""A primal-dual interior point: f and u stay inside their cones and meet on the boundary.

With x = T f, z = T⁻¹ u, T = diag(μ, 1, 1) all cones are those of Lorentz, {x₀ ≥ |x₁|}. The scaling W of Yu. Nesterov and
M. Todd (1997) makes both points one, W z = W⁻¹ x = λ, and a step solves

    (Â + W⁻²) dx = −(Â x + b̂ − z) + W⁻¹ p,   W dz = p − W⁻¹ dx,   λ ∘ p = σ m e − λ ∘ λ − correction

first with σ = 0, which tells σ, then with the correction of that step (S. Mehrotra 1992; formulas after L.
Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010). Contacts without friction have one row;
their others are held. Â + W⁻² is positive definite, also where A is singular: redundant contacts make no difference.

For Coulomb's law c_n = |z_t| of now is added to z₀ of every step, without its slope: what it changes is left for the
next, and no product of x and z is driven far below the square of what is left. Whenever two digits are won, a few steps
of `semismooth.py` are tried, which have the last ones at once.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.banded import (
    Band,
    add_diagonal,
    factorise,
    order_contacts,
    solve,
    write_scaled,
)
from linkwork.numerics.kernels.complementarity.cones import (
    COULOMB,
    FAILED,
    FAINT,
    LIMIT,
    SOLVED,
    TINY,
    ConeProblem,
    is_solved,
    multiply,
    project,
    slip_speed,
    update_speeds,
)
from linkwork.numerics.kernels.complementarity.semismooth import Slopes, take_steps
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.linear.dense import largest

SHORT = 0.995  # part of the way to the boundary
INSIDE = 1.0  # how far inside a start is, in units in which b is about one
ABOVE = 1e-2  # products of x and z beside the square of what is left
NEAR = 1e-2  # part of the residual, of the first and then of the last time, at which Newton's method is tried
STEPS, LAST_STEPS = 3, 30  # of it, and at the end
ENDS = 1e-15  # mean product of x and z beside the first one, at which no more digits are to be had


class Interior(Record):
    """Both points, their steps and the scaling of each contact."""

    rows: int
    count: int
    unit: float  # of f and u: b is divided by it
    least: float  # residual so far, and f of it
    best: Floats = array("rows")
    x: Floats = array("rows")
    z: Floats = array("rows")
    dx: Floats = array("rows")
    dz: Floats = array("rows")
    left: Floats = array("rows")  # Â x + b̂ − z
    p: Floats = array("rows")
    both: Floats = array("rows")  # λ
    axis: Floats = array("rows")  # w̄ of W = β (2 v vᵀ − J)
    band: Band
    factors: Floats = array("rows")  # T⁻¹: Â = T⁻¹ A T⁻¹; 0 of rows that are held
    product: Floats = array("rows")
    block: Floats = array("9")
    b: Floats = array("rows")
    beta: Floats = array("count")
    sizes: Ints = array("count")  # rows of cones: 1 without friction, 0 without a cone
    work: Floats = array("3")
    slopes: Slopes


@kernel
def determinant(x: Floats, size: int) -> float:
    """x₀² − |x₁|², as a product."""
    slip = 0.0
    for k in range(1, size):
        slip += x[k] * x[k]
    slip = math.sqrt(slip)
    return (x[0] - slip) * (x[0] + slip)


@kernel
def scale_cone(x: Floats, z: Floats, size: int, axis: Floats) -> float:
    """β, and w̄ of the scaling of a cone; 0 where a point is not inside."""
    dx, dz = determinant(x, size), determinant(z, size)
    if not (dx > 0.0 and dz > 0.0 and x[0] > 0.0 and z[0] > 0.0):
        return 0.0
    sx, sz, product = 1.0 / math.sqrt(dx), 1.0 / math.sqrt(dz), 0.0
    for k in range(size):
        product += x[k] * z[k]
    gamma = math.sqrt(0.5 * (1.0 + product * sx * sz))
    for k in range(size):
        axis[k] = (x[k] * sx + (z[k] * sz if k == 0 else -z[k] * sz)) / (2.0 * gamma)
    return (dx / dz) ** 0.25


@kernel
def apply_scaling(axis: Floats, beta: float, size: int, inverse: int, x: Floats, out: Floats) -> None:
    """out <- W x, or W⁻¹ x where *inverse* is 1; not the same array."""
    if size == 0:
        return
    sign, factor, along = 1.0, beta, 0.0
    if inverse == 1:
        sign, factor = -1.0, 1.0 / beta
    for k in range(1, size):
        along += axis[k] * x[k]
    out[0] = factor * (axis[0] * x[0] + sign * along)
    for k in range(1, size):
        out[k] = factor * (x[k] + axis[k] * (sign * x[0] + along / (1.0 + axis[0])))


@kernel
def divide(lam: Floats, size: int, d: Floats) -> None:
    """d <- p with λ ∘ p = d."""
    along = lam[0] * d[0]
    for k in range(1, size):
        along -= lam[k] * d[k]
    first = along / determinant(lam, size)
    for k in range(1, size):
        d[k] = (d[k] - first * lam[k]) / lam[0]
    d[0] = first


@kernel
def longest_in_cone(x: Floats, d: Floats, size: int) -> float:
    """The largest α with x + α d in the cone."""
    if size == 1:
        return -x[0] / d[0] if d[0] < 0.0 else 1e300
    a, b, c = d[0] * d[0], x[0] * d[0], determinant(x, size)
    for k in range(1, size):
        a -= d[k] * d[k]
        b -= x[k] * d[k]
    inside = b * b - a * c
    if inside < 0.0 or (a >= 0.0 and b >= 0.0):
        return 1e300
    q = -(b + math.copysign(math.sqrt(inside), b))
    best = 1e300
    if abs(a) > TINY and q / a > 0.0:
        best = q / a
    if abs(q) > TINY and c / q > 0.0:
        best = min(best, c / q)
    return best


@kernel
def begin(problem: ConeProblem, interior: Interior) -> None:
    """T and b̂, and points inside the cones: one, and one beyond b̂."""
    m, first = problem.rows, problem.first
    unit = max(largest(problem.b, m), TINY)
    interior.unit = unit
    for i in range(problem.count):
        mu, row = problem.mu[i], first[i]
        size = first[i + 1] - row
        interior.sizes[i] = 1 if mu == 0.0 else size if mu > 0.0 else 0
        for k in range(row, row + size):
            held = mu == 0.0 and k > row
            factor = 1.0 / mu if k == row and interior.sizes[i] > 1 else 1.0
            interior.b[k] = 0.0 if held else factor * problem.b[k] / unit
            interior.factors[k] = 0.0 if held else factor
            interior.x[k], interior.z[k] = 0.0, interior.b[k] if mu >= 0.0 else 0.0
            interior.dx[k], interior.dz[k] = 0.0, 0.0
        if interior.sizes[i] > 0:
            project(1.0, interior.sizes[i], at(interior.z, row), at(interior.z, row))
            interior.x[row] += INSIDE
            interior.z[row] += INSIDE


@kernel
def scale_all(problem: ConeProblem, interior: Interior) -> float:
    """The scaling and λ of all cones, and what is left; returns the mean of x · z, -1 where a point is not inside."""
    m, first, total, cones = problem.rows, problem.first, 0.0, 0
    left, factors, product = interior.left, interior.factors, interior.product
    product[:m] = factors[:m] * interior.x[:m]
    multiply(problem, product, left)
    left[:m] = factors[:m] * left[:m] + interior.b[:m] - interior.z[:m]
    for i in range(problem.count):
        row, size = first[i], interior.sizes[i]
        x, z, axis = at(interior.x, row), at(interior.z, row), at(interior.axis, row)
        if size == 0:
            continue
        cones += 1
        if problem.law == COULOMB:
            interior.left[row] += slip_speed(size, z)
        interior.beta[i] = scale_cone(x, z, size, axis)
        if interior.beta[i] == 0.0:
            return -1.0
        apply_scaling(axis, interior.beta[i], size, 0, z, at(interior.both, row))
        for k in range(size):
            total += x[k] * z[k]
    return total / float(max(cones, 1))


@kernel
def factorise_scaled(problem: ConeProblem, interior: Interior) -> int:
    """The factor of Â + W⁻² = Â + β⁻² (2 (J w̄)(J w̄)ᵀ − J), and 1 for rows that are held."""
    block = interior.block
    write_scaled(problem, interior.band, interior.factors, block)
    for i in range(problem.count):
        row, size = problem.first[i], problem.first[i + 1] - problem.first[i]
        axis, own = at(interior.axis, row), interior.sizes[i]
        inverse = 1.0 / interior.beta[i] ** 2.0 if own > 0 else 0.0
        for k in range(size):
            for l in range(size):
                block[k * size + l] = (1.0 if own > 0 else FAINT) if k == l and k >= own else 0.0
                if k < own and l < own:
                    sign = 1.0 if (k == 0) == (l == 0) else -1.0
                    block[k * size + l] = 2.0 * inverse * sign * axis[k] * axis[l]
            if k < own:
                block[k * size + k] += inverse if k > 0 else -inverse
        add_diagonal(problem, interior.band, i, size, block)
    return factorise(interior.band)


@kernel
def find_steps(problem: ConeProblem, interior: Interior) -> None:
    """dx and dz from p."""
    first, p, work, dx = problem.first, interior.p, interior.work, interior.dx
    for i in range(problem.count):
        row, size = first[i], interior.sizes[i]
        apply_scaling(at(interior.axis, row), interior.beta[i], size, 1, at(p, row), work)
        for k in range(size):
            dx[row + k] = work[k] - interior.left[row + k]
        for k in range(row + size, first[i + 1]):
            dx[k] = 0.0 if size > 0 else -interior.left[k]
    solve(problem, interior.band, dx)
    for i in range(problem.count):
        row, size = first[i], interior.sizes[i]
        axis, beta = at(interior.axis, row), interior.beta[i]
        apply_scaling(axis, beta, size, 1, at(dx, row), work)
        for k in range(size):
            work[k] = p[row + k] - work[k]
        apply_scaling(axis, beta, size, 1, work, at(interior.dz, row))


@kernel
def aim(problem: ConeProblem, interior: Interior, centre: float, corrected: int) -> None:
    """p of a step to products of x and z that are *centre*, with the correction for the steps of now or without."""
    both, p, work = interior.both, interior.p, interior.work
    for i in range(problem.count):
        row, size = problem.first[i], interior.sizes[i]
        lam, d = at(both, row), at(p, row)
        axis, beta = at(interior.axis, row), interior.beta[i]
        if corrected == 0 or size == 0:
            for k in range(size):
                d[k] = -lam[k]
            continue
        # (W⁻¹ dx) ∘ (W dz), W dz = −λ − W⁻¹ dx of the first step
        apply_scaling(axis, beta, size, 1, at(interior.dx, row), work)
        total, square = 0.0, 0.0
        for k in range(size):
            total += work[k] * (-lam[k] - work[k])
            square += lam[k] * lam[k]
        head = work[0]
        for k in range(1, size):
            d[k] = -2.0 * lam[0] * lam[k] - (head * (-lam[k] - work[k]) + (-lam[0] - head) * work[k])
        d[0] = centre - square - total
        divide(lam, size, d)


@kernel
def longest_step(problem: ConeProblem, interior: Interior) -> float:
    """The largest α with both points in their cones."""
    alpha = 1e300
    for i in range(problem.count):
        row, size = problem.first[i], interior.sizes[i]
        if size == 0:
            continue
        alpha = min(alpha, longest_in_cone(at(interior.x, row), at(interior.dx, row), size))
        alpha = min(alpha, longest_in_cone(at(interior.z, row), at(interior.dz, row), size))
    return alpha


@kernel
def give_back(problem: ConeProblem, interior: Interior) -> None:
    """f of P(x − z), which is x at the end, and has no part of what is small because z is large."""
    for i in range(problem.count):
        row, mu, size = problem.first[i], problem.mu[i], interior.sizes[i]
        for k in range(row, problem.first[i + 1]):
            problem.f[k] = interior.unit * (interior.x[k] - interior.z[k])
        if size > 0:
            project(1.0, size, at(problem.f, row), at(problem.f, row))
        if size > 1:
            problem.f[row] /= mu
        # rounding errors of x are not those of f
        project(mu, problem.first[i + 1] - row, at(problem.f, row), at(problem.f, row))


@kernel
def take_inner_step(problem: ConeProblem, interior: Interior, mean: float) -> None:
    """Both points after a step, with the factor of now."""
    m, left = problem.rows, largest(interior.left, problem.rows)
    aim(problem, interior, 0.0, 0)
    find_steps(problem, interior)
    alpha = min(1.0, longest_step(problem, interior))
    least = min(mean, ABOVE * left * left) if problem.law == COULOMB else 0.0
    aim(problem, interior, max((1.0 - alpha) ** 3.0 * mean, least), 1)
    find_steps(problem, interior)
    alpha = min(1.0, SHORT * longest_step(problem, interior))
    interior.x[:m] += alpha * interior.dx[:m]
    interior.z[:m] += alpha * interior.dz[:m]


@kernel
def polish(problem: ConeProblem, interior: Interior, most: int) -> bool:
    """The last digits, from the best f, which stays where they are not found."""
    problem.f[: problem.rows] = interior.best[: problem.rows]
    update_speeds(problem)
    problem.iterations += take_steps(problem, interior.slopes, most)
    if problem.residual <= problem.tolerance:
        return True
    if not problem.residual < interior.least:
        problem.f[: problem.rows] = interior.best[: problem.rows]
        is_solved(problem)
    return False


@kernel
def solve_by_interior_point(problem: ConeProblem, interior: Interior) -> int:
    """f of the problem, in scaled units."""
    if is_solved(problem) == 1:
        return SOLVED
    if order_contacts(problem, interior.band) > interior.band.room:
        return FAILED
    interior.least = problem.residual
    interior.best[: problem.rows] = problem.f[: problem.rows]
    # an answer of the last step is a start for Newton's method alone: on the boundary no path begins
    if largest(problem.f, problem.rows) > 0.0 and polish(problem, interior, STEPS) == 1:
        return SOLVED
    begin(problem, interior)
    first_mean, near = 0.0, NEAR * problem.residual
    for count in range(problem.limit):
        mean = scale_all(problem, interior)
        first_mean = mean if count == 0 else first_mean
        if not mean > ENDS * first_mean or factorise_scaled(problem, interior) >= 0:
            break
        take_inner_step(problem, interior, mean)
        problem.iterations += 1
        give_back(problem, interior)
        if is_solved(problem) == 1:
            return SOLVED
        if problem.residual < interior.least:
            interior.least = problem.residual
            interior.best[: problem.rows] = problem.f[: problem.rows]
            if problem.residual < near:
                near *= NEAR
                if polish(problem, interior, STEPS) == 1:
                    return SOLVED
    return SOLVED if polish(problem, interior, LAST_STEPS) == 1 else LIMIT
