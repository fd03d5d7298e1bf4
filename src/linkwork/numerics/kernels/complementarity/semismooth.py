"""Newton's method on equations that have kinks: F(f) = 0 where f solves the problem.

    natural       F = f − P(f − ρ (u + c))
    Alart-Curnier F_n = f_n − max(f_n − ρ u_n, 0),  F_t = f_t − the point of the disc of radius μ max(f_n − ρ u_n, 0)
                  nearest to f_t − ρ u_t   (P. Alart, A. Curnier 1991; Coulomb's law alone)

Any of the slopes S at a kink will do (L. Qi, J. Sun 1993). A step is halved until |F| falls. One that never makes it
fall, or that cannot be found because the forces are not unique and S is singular, is replaced by one of
(S + ν) d = −F, and where that does not help either, by sweeps of Gauss and Seidel. ρ is that of the
residual.
"""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.banded import (
    Band,
    add_to_all,
    clear_band,
    order_contacts,
    solve_once,
    write_block,
)
from linkwork.numerics.kernels.complementarity.cones import (
    COULOMB,
    LIMIT,
    SOLVED,
    TINY,
    ConeProblem,
    is_solved,
    lift,
    multiply,
    project,
    slip_speed,
    update_speeds,
)
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps, sweep
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array
from linkwork.numerics.kernels.linear.dense import HUGE, dot, largest

NATURAL, ALART_CURNIER = 0, 1
HALVINGS = 8
FALLS = 1e-4  # part of what the slope promises by which |F|² must fall
DAMPING = 1e-6  # ν: of directions that leave F alone
SWEEPS = 10  # where no step makes |F| fall


class Slopes(Record):
    """F, its slopes and the steps."""

    rows: int
    function: int = NATURAL
    sweeps: Sweeps
    band: Band  # a general one, for S
    value: Floats = array("rows")
    step: Floats = array("rows")
    kept: Floats = array("rows")
    away: Floats = array("rows")  # of the change of u
    own: Floats = array("9")  # ∂P/∂v of a contact
    outer: Floats = array("9")  # what it makes of the change of u
    v: Floats = array("3")
    p: Floats = array("3")
    block: Floats = array("9")


@kernel
def slope_of_projection(mu: float, size: int, v: Floats, p: Floats, out: Floats) -> None:
    """∂P/∂v (size, size), by rows, at v with P(v) = p."""
    out[:9] = 0.0
    if size == 1:
        out[0] = 1.0 if v[0] > 0.0 or mu < 0.0 else 0.0
        return
    slip = slip_speed(size, v)
    if mu < 0.0 or slip <= mu * v[0]:
        for k in range(size):
            out[k * size + k] = 1.0
        return
    if mu * slip <= -v[0]:
        return
    share, turn = 1.0 / (1.0 + mu * mu), mu * p[0] / slip
    out[0] = share
    for k in range(1, size):
        e = v[k] / slip
        out[k], out[k * size] = mu * share * e, mu * share * e
        for l in range(1, size):
            g = v[l] / slip
            out[k * size + l] = mu * mu * share * e * g + turn * ((1.0 if k == l else 0.0) - e * g)


@kernel
def natural_map(problem: ConeProblem, slopes: Slopes, i: int) -> None:
    """F of a contact; ∂P/∂v in *own*, and −ρ ∂P/∂v ∂(u + c)/∂u in *outer*."""
    row, mu, rho, law = problem.first[i], problem.mu[i], problem.reach[i], problem.law
    size = problem.first[i + 1] - row
    f, u, v, p = at(problem.f, row), at(problem.u, row), slopes.v, slopes.p
    slip = slip_speed(size, u)
    for k in range(size):
        v[k] = f[k] - rho * u[k]
    if law == COULOMB:
        v[0] -= rho * lift(mu, size, u)
    project(mu, size, v, p)
    slope_of_projection(mu, size, v, p, slopes.own)
    for k in range(size):
        slopes.value[row + k] = f[k] - p[k]
        for l in range(size):
            slopes.outer[k * size + l] = -rho * slopes.own[k * size + l]
            if law == COULOMB and l > 0 and slip > TINY and mu > 0.0:
                slopes.outer[k * size + l] -= rho * slopes.own[k * size] * mu * u[l] / slip


@kernel
def alart_curnier(problem: ConeProblem, slopes: Slopes, i: int) -> None:
    """The same of the function of Alart and Curnier; *own* is ∂P/∂f here, with P the two projections."""
    row, mu, rho = problem.first[i], problem.mu[i], problem.reach[i]
    size = problem.first[i + 1] - row
    f, u, v, own = at(problem.f, row), at(problem.u, row), slopes.v, slopes.own
    own[:9] = 0.0
    for k in range(size):
        v[k] = f[k] - rho * u[k]
    pushing = 1.0 if v[0] > 0.0 else 0.0
    radius, slip = mu * max(v[0], 0.0), slip_speed(size, v)
    own[0] = pushing
    slopes.value[row] = f[0] - max(v[0], 0.0)
    for k in range(1, size):
        factor = 1.0 if slip <= radius else radius / slip
        slopes.value[row + k] = f[k] - factor * v[k]
        for l in range(1, size):
            own[k * size + l] = factor if k == l else 0.0
            if slip > radius:
                own[k * size + l] -= factor * v[k] * v[l] / (slip * slip)
        if slip > radius:
            own[k * size] = mu * pushing * v[k] / slip
    for k in range(size * size):
        slopes.outer[k] = -rho * own[k]


@kernel
def evaluate(problem: ConeProblem, slopes: Slopes, sloped: int) -> float:
    """F, and S where it is asked for; returns |F|²."""
    if sloped == 1:
        clear_band(slopes.band)
    for i in range(problem.count):
        if slopes.function == ALART_CURNIER and problem.mu[i] >= 0.0:
            alart_curnier(problem, slopes, i)
        else:
            natural_map(problem, slopes, i)
        if sloped == 1:
            write_slopes(problem, slopes, i)
    return dot(slopes.value, slopes.value, problem.rows)


@kernel
def write_slopes(problem: ConeProblem, slopes: Slopes, i: int) -> None:
    """The rows of S of a contact, from *own* and *outer*."""
    first, block, own, outer = problem.first, slopes.block, slopes.own, slopes.outer
    size = first[i + 1] - first[i]
    for t in range(problem.starts[i], problem.starts[i + 1]):
        j = problem.columns[t]
        width, a = first[j + 1] - first[j], at(problem.values, problem.places[t])
        for k in range(size):
            for l in range(width):
                total = 0.0
                for p in range(size):
                    total -= outer[k * size + p] * a[p * width + l]
                if i == j:
                    total += (1.0 if k == l else 0.0) - own[k * size + l]
                block[k * width + l] = total
        write_block(slopes.band, slopes.band.place[i], slopes.band.place[j], size, width, block)


@kernel
def search(problem: ConeProblem, slopes: Slopes, size: float) -> bool:
    """Go along the step as far as |F|² falls from *size*; stay where it does not."""
    m, f, u, kept, step = problem.rows, problem.f, problem.u, slopes.kept, slopes.step
    if not largest(step, m) < HUGE:
        return False
    kept[:m] = f[:m]
    multiply(problem, step, slopes.away)
    before, length = 0.0, 1.0
    for _ in range(HALVINGS):
        f[:m] = kept[:m] + length * step[:m]
        u[:m] += (length - before) * slopes.away[:m]
        before = length
        if evaluate(problem, slopes, 0) <= (1.0 - FALLS * length) * size:
            return True
        length *= 0.5
    f[:m] = kept[:m]
    update_speeds(problem)
    return False


@kernel
def take_step(problem: ConeProblem, slopes: Slopes) -> None:
    """One step by the first of the ways that makes |F| fall."""
    m = problem.rows
    for turn in range(2):
        size = evaluate(problem, slopes, 1)
        if turn == 1:
            add_to_all(slopes.band, DAMPING)
        slopes.step[:m] = -slopes.value[:m]
        if solve_once(problem, slopes.band, slopes.step) < 0 and search(problem, slopes, size) == 1:
            return
    for i in range(problem.count):
        row = problem.first[i]
        project(problem.mu[i], problem.first[i + 1] - row, at(problem.f, row), at(problem.f, row))
    for _ in range(SWEEPS):
        sweep(problem, slopes.sweeps, 0)
    update_speeds(problem)


@kernel
def take_steps(problem: ConeProblem, slopes: Slopes, count: int) -> int:
    """f from f on by so many steps at most; those that were taken."""
    if order_contacts(problem, slopes.band) > slopes.band.room:
        return 0
    for k in range(count):
        take_step(problem, slopes)
        if is_solved(problem) == 1:
            return k + 1
    return count


@kernel
def solve_by_newton(problem: ConeProblem, slopes: Slopes) -> int:
    """f of the problem from f on, in scaled units."""
    if is_solved(problem) == 1:
        return SOLVED
    problem.iterations = take_steps(problem, slopes, problem.limit)
    return SOLVED if problem.residual <= problem.tolerance else LIMIT
