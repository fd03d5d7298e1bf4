"""Problems of cones: what all their solvers share.

Find f in K = K₁ × K₂ × ..., with u = A f + b and a correction c(u), so that

    K ∋ f  ⊥  u + c(u) ∈ K*,      Kᵢ = {f: |f_t| ≤ μᵢ f_n},      K*ᵢ = {u: u_n ≥ μᵢ |u_t|}.

A contact has one row (normal alone), two (in the plane) or three; the normal comes first. Conditions that always
hold, such as those of joints, are contacts without a cone, K = ℝ: u = 0. c = 0 is the associated law: the first-order
condition of the least ½ fᵀA f + bᵀf over K, a convex problem. c_n = μ |u_t| is the law of Coulomb (G. De Saxcé, Z.-Q.
Feng 1991 and 1998). A is symmetric and positive semi-definite; it lies in blocks of contacts, both halves, each by
rows.

Solvers work on D A D with one dᵢ = 1/√a for all rows of a contact, a the mean of the diagonal of its own block: cones
stay cones, f = D f̂ and û = D u. Masses of 1e-6 and of 1e6 in one problem are alike then. Residuals are in the units
of u.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array, borrowed

CONVEX, COULOMB = 0, 1  # laws
WIDEST = 3  # rows of a contact
FREE = -1.0  # μ of a contact without a cone
SOLVED, LIMIT, FAILED = 0, 1, -1  # what solvers return
TINY = 1e-300
ROUNDING = 2.2e-16
FAINT = 1e-10  # of the mean of the diagonal of a block, that is added to it where its inverse is asked for


class ConeProblem(Record):
    """A problem, what it is in scaled units, and what a solver has found."""

    count: int  # contacts
    rows: int  # m
    blocks: int  # of A, that are not zero
    numbers: int  # of these blocks
    law: int = COULOMB
    limit: int  # of iterations
    tolerance: float  # residual that is small enough, in the units of u
    first: Ints = borrowed()  # (count + 1) first row of each contact
    starts: Ints = borrowed()  # (count + 1) first block of each contact
    columns: Ints = borrowed()  # (blocks) contact whose f a block takes
    places: Ints = borrowed()  # (blocks) first number of a block
    own: Ints = borrowed()  # (count) first number of the block of a contact with itself
    matrix: Floats = borrowed()  # (numbers) A
    right: Floats = borrowed()  # (rows) b
    mu: Floats = borrowed()  # (count)
    values: Floats = array("numbers")  # D A D
    b: Floats = array("rows")  # D b, and what is added to it from outside
    scales: Floats = array("count")  # d
    reach: Floats = array("count")  # 1 / largest eigenvalue of the scaled own block: steps of projections
    weights: Floats = array("count")  # of a change of f̂ in units of u: 1 / (reach d)
    inverses: Floats = array("9 * count")  # of the scaled own blocks
    f: Floats = array("rows")  # f̂
    u: Floats = array("rows")  # û = D A D f̂ + b
    trial: Floats = array("3")
    residual: float  # of f, as last measured
    iterations: int


@kernel
def project(mu: float, size: int, x: Floats, out: Floats) -> None:
    """out <- the point of K nearest to x; they may be the same array."""
    if mu < 0.0:
        for k in range(size):
            out[k] = x[k]
        return
    if size == 1:
        out[0] = max(x[0], 0.0)
        return
    n, slip = x[0], math.sqrt(x[1] * x[1] + x[2] * x[2]) if size == 3 else abs(x[1])
    factor = 1.0
    if slip > mu * n:
        if mu * slip <= -n:
            n, factor = 0.0, 0.0
        else:
            n = (n + mu * slip) / (1.0 + mu * mu)
            factor = mu * n / slip
    out[0] = n
    for k in range(1, size):
        out[k] = factor * x[k]


@kernel(vectorise=True)
def multiply(problem: ConeProblem, x: Floats, out: Floats) -> None:
    """out (rows) <- D A D x."""
    first, columns, places, values = problem.first, problem.columns, problem.places, problem.values
    for i in range(problem.count):
        row = first[i]
        size = first[i + 1] - row
        s0, s1, s2 = 0.0, 0.0, 0.0
        for k in range(problem.starts[i], problem.starts[i + 1]):
            column = first[columns[k]]
            width = first[columns[k] + 1] - column
            a, y = at(values, places[k]), at(x, column)
            if size == 3 and width == 3:
                s0 += a[0] * y[0] + a[1] * y[1] + a[2] * y[2]
                s1 += a[3] * y[0] + a[4] * y[1] + a[5] * y[2]
                s2 += a[6] * y[0] + a[7] * y[1] + a[8] * y[2]
                continue
            for j in range(width):
                s0 += a[j] * y[j]
                if size > 1:
                    s1 += a[width + j] * y[j]
                if size > 2:
                    s2 += a[2 * width + j] * y[j]
        out[row] = s0
        if size > 1:
            out[row + 1] = s1
        if size > 2:
            out[row + 2] = s2


@kernel
def slip_speed(size: int, u: Floats) -> float:
    """|u_t|"""
    if size == 3:
        return math.sqrt(u[1] * u[1] + u[2] * u[2])
    return abs(u[1]) if size == 2 else 0.0


@kernel
def lift(mu: float, size: int, u: Floats) -> float:
    """μ |u_t|: c_n of Coulomb's law."""
    return mu * slip_speed(size, u) if mu > 0.0 else 0.0


@kernel
def update_speeds(problem: ConeProblem) -> None:
    """û of f̂."""
    multiply(problem, problem.f, problem.u)
    problem.u[: problem.rows] += problem.b[: problem.rows]


@kernel
def measure(problem: ConeProblem) -> float:
    """The natural map of f and u: the largest |f − P(f − ρ (u + c))| / ρ of a contact, a speed.

    ρ is the inverse of the largest eigenvalue of the contact's own block: what a contact alone would answer to that speed.
    Not less than rounding errors of u: forces without bounds, where there is no solution, hide whatever is left over.
    """
    first, trial, most = problem.first, problem.trial, 0.0
    for i in range(problem.count):
        f, u, size = at(problem.f, first[i]), at(problem.u, first[i]), first[i + 1] - first[i]
        mu, rho = problem.mu[i], problem.reach[i]
        for k in range(size):
            trial[k] = f[k] - rho * u[k]
        if problem.law == COULOMB:
            trial[0] -= rho * lift(mu, size, u)
        project(mu, size, trial, trial)
        square, force = 0.0, 0.0
        for k in range(size):
            square += (f[k] - trial[k]) ** 2
            force += f[k] * f[k]
        found = max(math.sqrt(square), ROUNDING * math.sqrt(force)) * problem.weights[i]
        # not a number is the largest of all
        if not found <= most:
            most = found
    problem.residual = most
    return most


@kernel
def is_solved(problem: ConeProblem) -> bool:
    """Whether f is a solution, with u and the residual of now."""
    update_speeds(problem)
    return measure(problem) <= problem.tolerance


@kernel
def invert_own(a: Floats, size: int, out: Floats) -> None:
    """The inverse of a symmetric block (size, size), of whose diagonal a faint part is added."""
    mean = 0.0
    for k in range(size):
        mean += a[k * size + k] / float(size)
    more = FAINT * mean
    if size == 1:
        out[0] = 1.0 / (a[0] + more)
    elif size == 2:
        p, q, r = a[0] + more, a[1], a[3] + more
        determinant = p * r - q * q
        out[0], out[1], out[2], out[3] = r / determinant, -q / determinant, -q / determinant, p / determinant
    else:
        p, q, r, x, y, z = a[0] + more, a[4] + more, a[8] + more, a[1], a[2], a[5]
        c0, c1, c2 = q * r - z * z, y * z - x * r, x * z - y * q
        inverse = 1.0 / (p * c0 + x * c1 + y * c2)
        out[0], out[1], out[2] = c0 * inverse, c1 * inverse, c2 * inverse
        out[3], out[4], out[5] = c1 * inverse, (p * r - y * y) * inverse, (x * y - p * z) * inverse
        out[6], out[7], out[8] = c2 * inverse, (x * y - p * z) * inverse, (p * q - x * x) * inverse


@kernel
def largest_eigenvalue(a: Floats, size: int) -> float:
    """A bound from above on the eigenvalues of a symmetric block: the largest sum of the magnitudes of a row."""
    most = 0.0
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += abs(a[i * size + j])
        most = max(most, total)
    return most


@kernel
def prepare(problem: ConeProblem) -> None:
    """Everything in scaled units, from A, b and f in given ones."""
    first, scales = problem.first, problem.scales
    for i in range(problem.count):
        size, own, mean = first[i + 1] - first[i], at(problem.matrix, problem.own[i]), 0.0
        for k in range(size):
            mean += own[k * size + k] / float(size)
        scales[i] = 1.0 / math.sqrt(mean) if mean > TINY else 1.0
    for i in range(problem.count):
        size = first[i + 1] - first[i]
        for k in range(problem.starts[i], problem.starts[i + 1]):
            j, place = problem.columns[k], problem.places[k]
            factor, length = scales[i] * scales[j], size * (first[j + 1] - first[j])
            a, out = at(problem.matrix, place), at(problem.values, place)
            out[:length] = factor * a[:length]
        own = at(problem.values, problem.own[i])
        most = largest_eigenvalue(own, size)
        problem.reach[i] = 1.0 / most if most > TINY else 1.0
        problem.weights[i] = 1.0 / (problem.reach[i] * scales[i])
        invert_own(own, size, at(problem.inverses, 9 * i))
        for k in range(first[i], first[i + 1]):
            problem.b[k] = scales[i] * problem.right[k]
            problem.f[k] /= scales[i]
        project(problem.mu[i], size, at(problem.f, first[i]), at(problem.f, first[i]))
    problem.iterations = 0


@kernel
def finish(problem: ConeProblem) -> None:
    """f and u in given units, from scaled ones."""
    for i in range(problem.count):
        for k in range(problem.first[i], problem.first[i + 1]):
            problem.f[k] *= problem.scales[i]
            problem.u[k] /= problem.scales[i]
