"""Alternating directions (ADMM): a linear system that knows no cones, and cones that know no system, until they agree.

    x <- (A + (ρ + η) 1)⁻¹ (ρ z + η x − y − b − c),   z <- P(α x + (1 − α) z + y/ρ),   y <- y + ρ (α x + (1 − α) z₋ − z)

The system is solved exactly, by Cholesky's factor, which is written anew where ρ changes: where the two residuals |x
− z| and ρ |z − z₋| are of unlike size. −y tends to u + c, so that c_n = μ |y_t| of Coulomb's law is corrected in
every step (J. Carpentier, Q. Le Lidec, L. Montaut, "From compliant to rigid contact simulation", RSS 2024; A. Tasora,
D. Mangoni, S. Benatti, R. Garziera 2021).
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.banded import (
    Band,
    add_to_all,
    factorise,
    order_contacts,
    solve,
    write_scaled,
)
from linkwork.numerics.kernels.complementarity.cones import (
    COULOMB,
    FAILED,
    LIMIT,
    SOLVED,
    ConeProblem,
    is_solved,
    lift,
    project,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array

UNLIKE, CHANGE = 10.0, 10.0  # ratio of the residuals at which ρ changes, and by how much at most
WAIT = 10  # steps between two changes of ρ
LOOK = 5  # steps between two looks at the residual
LEAST, MOST = 1e-8, 1e8  # ρ


class Splitting(Record):
    """Points of the method, and the factor of A + (ρ + η) 1."""

    rows: int
    rho: float = 0.03
    eta: float = 1e-6
    relaxation: float = 1.6  # α
    band: Band
    ones: Floats = array("rows")
    x: Floats = array("rows")
    z: Floats = array("rows")
    y: Floats = array("rows")
    work: Floats = array("rows")
    block: Floats = array("9")


@kernel
def factorise_split(problem: ConeProblem, splitting: Splitting) -> int:
    """The factor for the ρ of now. Returns -1, or where it failed."""
    write_scaled(problem, splitting.band, splitting.ones, splitting.block)
    add_to_all(splitting.band, splitting.rho + splitting.eta)
    return factorise(splitting.band)


@kernel
def solve_system(problem: ConeProblem, splitting: Splitting) -> None:
    """x of the next step."""
    m, first, x, y, rho = problem.rows, problem.first, splitting.x, splitting.y, splitting.rho
    for k in range(m):
        x[k] = rho * splitting.z[k] + splitting.eta * x[k] - y[k] - problem.b[k]
    if problem.law == COULOMB:
        for i in range(problem.count):
            x[first[i]] -= lift(problem.mu[i], first[i + 1] - first[i], at(y, first[i]))
    solve(problem, splitting.band, x)


@kernel
def step_in_cones(problem: ConeProblem, splitting: Splitting) -> float:
    """z and y of the next step; returns how much larger |x − z| is than ρ |z − z₋|."""
    first, x, y, z, work, rho = (
        problem.first,
        splitting.x,
        splitting.y,
        splitting.z,
        splitting.work,
        splitting.rho,
    )
    apart, moved = 0.0, 0.0
    for i in range(problem.count):
        size, row = first[i + 1] - first[i], first[i]
        for k in range(row, row + size):
            work[k] = splitting.relaxation * x[k] + (1.0 - splitting.relaxation) * z[k] + y[k] / rho
        square = 0.0
        project(problem.mu[i], size, at(work, row), at(problem.f, row))
        for k in range(row, row + size):
            y[k] = rho * (work[k] - problem.f[k])
            moved += (rho * (z[k] - problem.f[k])) ** 2
            square += (x[k] - problem.f[k]) ** 2
            z[k] = problem.f[k]
        apart += square
    return math.sqrt(max(apart, 1e-300) / max(moved, 1e-300))


@kernel
def solve_by_splitting(problem: ConeProblem, splitting: Splitting) -> int:
    """f of the problem from f on, in scaled units."""
    m = problem.rows
    if is_solved(problem) == 1:
        return SOLVED
    splitting.x[:m] = problem.f[:m]
    splitting.z[:m] = problem.f[:m]
    for i in range(problem.count):
        row, size = problem.first[i], problem.first[i + 1] - problem.first[i]
        splitting.y[row : row + size] = -problem.u[row : row + size]
        if problem.law == COULOMB:
            splitting.y[row] -= lift(problem.mu[i], size, at(problem.u, row))
    waited = 0
    splitting.ones[:m] = 1.0
    if order_contacts(problem, splitting.band) > splitting.band.room or factorise_split(problem, splitting) >= 0:
        return FAILED
    for count in range(problem.limit):
        solve_system(problem, splitting)
        ratio = step_in_cones(problem, splitting)
        problem.iterations = count + 1
        waited += 1
        if (count + 1) % LOOK == 0 and is_solved(problem) == 1:
            return SOLVED
        if waited >= WAIT and (ratio > UNLIKE or ratio < 1.0 / UNLIKE):
            waited = 0
            change = min(max(math.sqrt(ratio), 1.0 / CHANGE), CHANGE)
            splitting.rho = min(max(splitting.rho * change, LEAST), MOST)
            if factorise_split(problem, splitting) >= 0:
                return FAILED
    return SOLVED if is_solved(problem) == 1 else LIMIT
