"""A primal-dual interior point: f and u stay inside their cones and meet on the boundary.

With x = T f, z = T⁻¹ u, T = diag(μ, 1, 1) all cones are those of Lorentz, {x₀ ≥ |x₁|}. The scaling W of Yu. Nesterov and
M. Todd (1997) makes both points one, W z = W⁻¹ x = λ, and a step solves

    (Â + W⁻²) dx = −(Â x + b̂ − z) + W⁻¹ p,   W dz = p − W⁻¹ dx,   λ ∘ p = σ m e − λ ∘ λ − correction

first with σ = 0, which tells σ, then with the correction of that step (S. Mehrotra 1992; formulas after L.
Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010). Contacts without friction have one row;
their others are held. Â + W⁻² is positive definite, also where A is singular: redundant contacts make no difference.

For Coulomb's law c_n = |z_t| is added to z₀. With its slope, C dz = e (z_t/|z_t|) · dz_t for the normal direction e, C² = 0,
the matrix of a step is

    (1 + C) Â + W⁻²,   and what is left is (1 + C) (Â x + b̂ + c − z),

which is not symmetric: it takes four times the time of Cholesky's factor. Steps without the slope leave what they change of
c for the next. Where little slides this is as good; where it is seen to be slow, all steps from there on have the slope.
No product of x and z is driven far below the square of what is left. Where steps end at once at the boundary, the next one
goes to the middle. Whenever two digits are won, a few steps of `semismooth.py` are tried, which have the last ones at once.
"""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.banded import (
    Band,
    add_block,
    add_diagonal,
    clear_band,
    factorise,
    order_contacts,
    solve,
    solve_again,
    solve_once,
    write_block,
    write_scaled,
)
from linkwork.numerics.kernels.complementarity.cones import (
    COULOMB,
    FAILED,
    FAINT,
    FREE,
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
from linkwork.numerics.kernels.complementarity.lorentz import apply_scaling, divide, longest_in_cone, scale_cone
from linkwork.numerics.kernels.complementarity.semismooth import Slopes, take_steps
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.linear.dense import largest

SHORT = 0.995  # part of the way to the boundary
INSIDE = 1.0  # how far inside a start is, in units in which b is about one
ABOVE = 1e-2  # products of x and z beside the square of what is left
NEAR = 1e-2  # part of the residual, of the first and then of the last time, at which Newton's method is tried
STEPS, LAST_STEPS, FEW_STEPS = 3, 30, 8  # of it, at the end, and where the path was lost
LOST = 8  # steps that ended at once at the boundary, after which the path is lost
SLOW = 0.1  # part of what was left, that a step should not leave: what c changes is more than a step takes away
STUCK = 0.2  # of the way of a step: after a shorter one the next goes to the middle
ENDS = 1e-15  # mean product of x and z beside the first one, at which no more digits are to be had


class Interior(Record):
    """Both points, their steps and the scaling of each contact."""

    rows: int
    count: int
    unit: float  # of f and u: b is divided by it
    slow: int  # whether steps without the slope of c have left too much
    sloped: int  # whether the step of now has it
    size: float  # the largest number that is left
    alpha: float  # part of the last step that was taken
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
def begin(problem: ConeProblem, interior: Interior) -> None:
    """T and b̂, and points inside the cones: one, and one beyond b̂."""
    m, first = problem.rows, problem.first
    unit = max(largest(problem.b, m), TINY)
    interior.unit, interior.slow, interior.size, interior.alpha = unit, 0, 1e300, 1.0
    for i in range(problem.count):
        mu, row = problem.rub[i], first[i]
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
    before, interior.size = interior.size, largest(left, m)
    slow = problem.law == COULOMB and interior.size > SLOW * before
    interior.sloped = 1 if (slow or interior.slow == 1) and interior.alpha >= STUCK else 0
    interior.slow = 1 if slow else interior.slow
    return total / float(max(cones, 1))


@kernel
def write_own(problem: ConeProblem, interior: Interior, i: int) -> int:
    """The block of a contact in W⁻² = β⁻² (2 (J w̄)(J w̄)ᵀ − J), and 1 for rows that are held; returns its size."""
    row, size, own, block = problem.first[i], problem.first[i + 1] - problem.first[i], interior.sizes[i], interior.block
    axis, inverse = at(interior.axis, row), 1.0 / interior.beta[i] ** 2.0 if own > 0 else 0.0
    for k in range(size):
        for l in range(size):
            block[k * size + l] = (1.0 if own > 0 else FAINT) if k == l and k >= own else 0.0
            if k < own and l < own:
                sign = 1.0 if (k == 0) == (l == 0) else -1.0
                block[k * size + l] = 2.0 * inverse * sign * axis[k] * axis[l]
        if k < own:
            block[k * size + k] += inverse if k > 0 else -inverse
    return size


@kernel
def factorise_scaled(problem: ConeProblem, interior: Interior) -> int:
    """The factor of Â + W⁻². Returns -1, or where it failed."""
    write_scaled(problem, interior.band, interior.factors, interior.block)
    for i in range(problem.count):
        size = write_own(problem, interior, i)
        add_diagonal(problem, interior.band, i, size, interior.block)
    return factorise(interior.band)


@kernel
def write_sloped(problem: ConeProblem, interior: Interior) -> None:
    """(1 + C) Â + W⁻² in a general band, and (1 + C) of what is left."""
    first, band, block, factors = problem.first, interior.slopes.band, interior.block, interior.factors
    clear_band(band)
    for i in range(problem.count):
        row, size, own = first[i], first[i + 1] - first[i], interior.sizes[i]
        z, left = at(interior.z, row), interior.left
        slip = slip_speed(own, z)
        for k in range(1, own):
            left[row] += z[k] / slip * left[row + k] if slip > TINY else 0.0
        for t in range(problem.starts[i], problem.starts[i + 1]):
            j = problem.columns[t]
            width, a = first[j + 1] - first[j], at(problem.values, problem.places[t])
            for k in range(size):
                for l in range(width):
                    block[k * width + l] = factors[row + k] * a[k * width + l] * factors[first[j] + l]
            for k in range(1, own):
                for l in range(width):
                    block[l] += z[k] / slip * block[k * width + l] if slip > TINY else 0.0
            write_block(band, band.place[i], band.place[j], size, width, block)
        write_own(problem, interior, i)
        add_block(band, band.place[i], size, block)


@kernel
def find_steps(problem: ConeProblem, interior: Interior, again: int) -> bool:
    """dx and dz from p; whether they were found. again: the factor is there."""
    first, p, work, dx = problem.first, interior.p, interior.work, interior.dx
    for i in range(problem.count):
        row, size = first[i], interior.sizes[i]
        apply_scaling(at(interior.axis, row), interior.beta[i], size, 1, at(p, row), work)
        for k in range(size):
            dx[row + k] = work[k] - interior.left[row + k]
        for k in range(row + size, first[i + 1]):
            dx[k] = 0.0 if size > 0 else -interior.left[k]
    if interior.sloped == 0:
        solve(problem, interior.band, dx)
    elif again == 1:
        solve_again(problem, interior.slopes.band, dx)
    elif solve_once(problem, interior.slopes.band, dx) >= 0:
        return False
    for i in range(problem.count):
        row, size = first[i], interior.sizes[i]
        axis, beta = at(interior.axis, row), interior.beta[i]
        apply_scaling(axis, beta, size, 1, at(dx, row), work)
        for k in range(size):
            work[k] = p[row + k] - work[k]
        apply_scaling(axis, beta, size, 1, work, at(interior.dz, row))
    return True


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
        row, mu, size = problem.first[i], problem.rub[i], interior.sizes[i]
        for k in range(row, problem.first[i + 1]):
            problem.f[k] = interior.unit * (interior.x[k] - interior.z[k])
        if size > 0:
            project(1.0, size, at(problem.f, row), at(problem.f, row))
        if size > 1:
            problem.f[row] /= mu
        # rounding errors of x are not those of f
        project(mu, problem.first[i + 1] - row, at(problem.f, row), at(problem.f, row))


@kernel
def take_inner_step(problem: ConeProblem, interior: Interior, mean: float) -> bool:
    """Both points after a step; whether there is one."""
    m, size = problem.rows, interior.size
    if interior.sloped == 1:
        write_sloped(problem, interior)
    elif factorise_scaled(problem, interior) >= 0:
        return False
    aim(problem, interior, 0.0, 0)
    if find_steps(problem, interior, 0) == 0:
        return False
    alpha = min(1.0, longest_step(problem, interior))
    least = min(mean, ABOVE * size * size) if problem.law == COULOMB else 0.0
    centre = mean if interior.alpha < STUCK else (1.0 - alpha) ** 3.0 * mean
    aim(problem, interior, max(centre, least), 1)
    find_steps(problem, interior, 1)
    alpha = min(1.0, SHORT * longest_step(problem, interior))
    interior.x[:m] += alpha * interior.dx[:m]
    interior.z[:m] += alpha * interior.dz[:m]
    interior.alpha = alpha
    return True


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
def count_balls(problem: ConeProblem) -> int:
    """How many forces are within bounds: they have no path here."""
    found = 0
    for i in range(problem.count):
        if FREE < problem.rub[i] < 0.0:
            found += 1
    return found


@kernel
def solve_by_interior_point(problem: ConeProblem, interior: Interior) -> int:
    """f of the problem, in scaled units."""
    if is_solved(problem) == 1:
        return SOLVED
    if count_balls(problem) > 0 or order_contacts(problem, interior.band) > interior.band.room:
        return FAILED
    interior.least = problem.residual
    interior.best[: problem.rows] = problem.f[: problem.rows]
    # an answer of the last step is a start for Newton's method alone: on the boundary no path begins
    if largest(problem.f, problem.rows) > 0.0 and polish(problem, interior, STEPS) == 1:
        return SOLVED
    begin(problem, interior)
    order_contacts(problem, interior.slopes.band)
    first_mean, near, stuck = 0.0, NEAR * problem.residual, 0
    for count in range(problem.limit):
        mean = scale_all(problem, interior)
        first_mean = mean if count == 0 else first_mean
        if not mean > ENDS * first_mean or take_inner_step(problem, interior, mean) == 0:
            break
        problem.iterations += 1
        stuck += 1 if interior.alpha < STUCK else 0
        if stuck > LOST:
            break
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
    return SOLVED if polish(problem, interior, FEW_STEPS if stuck > LOST else LAST_STEPS) == 1 else LIMIT
