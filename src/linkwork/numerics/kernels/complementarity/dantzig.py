"""Dantzig's method: one row after the other is driven to its place, while those before stay in theirs.

    w = A x + b,   lo ≤ x ≤ hi:   w = 0 between the bounds, w ≥ 0 at lo, w ≤ 0 at hi

A is symmetric and positive semi-definite. The row that is driven moves x so that w of it goes to zero; rows between
their bounds keep w = 0 by Cholesky's factor, to which rows are appended and from which they are deleted; those that
reach a bound, or whose w changes its sign at one, change sides (R. W. Cottle, G. B. Dantzig 1968; D. Baraff, "Fast
contact force computation for nonpenetrating rigid bodies", 1994). Bounds may be those of friction, ± μ x of another
row: these are taken from the last x, again and again, until they agree (as game engines do once).

Where A is singular, sides may change for ever. Such a problem is solved once more with a faint compliance, a part of the
diagonal that is told.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Ints, Record, array, borrowed
from linkwork.numerics.kernels.linear.dense import dot, solve_upper, solve_upper_transposed

SOLVED, LIMIT, UNBOUNDED = 0, 1, 2
BETWEEN, LOW, HIGH, WAITING = 0, 1, 2, 3  # where a row is
FLOOR = 1e-13  # of the diagonal: pivots are no smaller, rows whose w moves less stay
AGREED = 1e-12  # change of bounds beside the largest x at which they agree
FAR = 1e300
FAINT = 1e-10  # compliance
PATIENCE = 20  # changes of sides of a row, after which compliance is needed


class BoxProblem(Record):
    """A (n, n), b, bounds; x and w. With a normal ≥ 0 bounds of a row are ± μ x of that row; x begins at zero."""

    n: int
    most: int = 1000  # changes of sides of a row, on average
    limit: int  # of changes of sides, for the bounds of now
    passes: int  # of bounds of friction, at most
    steps: int  # changes of sides
    done: int  # passes
    given: Floats = borrowed()  # A
    matrix: Floats = array("n", "n")  # A with compliance
    compliance: float  # of the diagonal, that was needed
    b: Floats = borrowed()
    lo: Floats = borrowed()
    hi: Floats = borrowed()
    mu: Floats = borrowed()
    normal: Ints = borrowed()  # (n) row of the normal force, -1: bounds are as they are given
    x: Floats = array("n")
    w: Floats = array("n")
    side: Ints = array("n")
    count: int  # rows between their bounds
    held: Ints = array("n")  # these rows, in the order of the factor
    factor: Floats = array("n", "n")  # R of RᵀR, by columns, stride n
    dx: Floats = array("n")
    dw: Floats = array("n")
    work: Floats = array("n")
    last: Floats = array("n")


@kernel
def append(problem: BoxProblem, j: int) -> None:
    """Row j comes between its bounds: a further column of the factor."""
    n, k, a = problem.n, problem.count, at(problem.matrix, j * problem.n)
    column = at(problem.factor, k * n)
    for i in range(k):
        column[i] = a[problem.held[i]]
    solve_upper_transposed(problem.factor, n, k, column)
    column[k] = math.sqrt(max(a[j] - dot(column, column, k), FLOOR * max(a[j], 1e-300)))
    problem.held[k], problem.side[j] = j, BETWEEN
    problem.count = k + 1


@kernel
def remove(problem: BoxProblem, p: int, side: int) -> None:
    """The row at place p goes to a side: its column is deleted, and rotations make the rest a triangle again."""
    n, k, r = problem.n, problem.count, problem.factor
    problem.side[problem.held[p]] = side
    for j in range(p + 1, k):
        problem.held[j - 1] = problem.held[j]
        for i in range(j + 1):
            r[(j - 1) * n + i] = r[j * n + i]
    for j in range(p, k - 1):
        x, y = r[j * n + j], r[j * n + j + 1]
        size = math.sqrt(x * x + y * y)
        c, s = x / size, y / size
        for l in range(j, k - 1):
            upper, lower = r[l * n + j], r[l * n + j + 1]
            r[l * n + j], r[l * n + j + 1] = c * upper + s * lower, c * lower - s * upper
    problem.count = k - 1


@kernel
def find_direction(problem: BoxProblem, i: int, sign: float) -> None:
    """dx with dx_i = sign and no change of w between bounds; dw of all."""
    n, k, a, work = problem.n, problem.count, problem.matrix, problem.work
    for p in range(k):
        work[p] = -sign * a[i * n + problem.held[p]]
    solve_upper_transposed(problem.factor, n, k, work)
    solve_upper(problem.factor, n, k, work)
    problem.dx[:n] = 0.0
    problem.dx[i] = sign
    for p in range(k):
        problem.dx[problem.held[p]] = work[p]
    for j in range(n):
        if problem.side[j] == BETWEEN and j != i:
            problem.dw[j] = 0.0
        else:
            problem.dw[j] = dot(at(a, j * n), problem.dx, n)


@kernel
def limit_of(problem: BoxProblem, j: int, i: int) -> float:
    """How far a row lets the step go."""
    x, w, dx, dw = problem.x[j], problem.w[j], problem.dx[j], problem.dw[j]
    if problem.side[j] == BETWEEN or j == i:
        if dx > 0.0 and problem.hi[j] < FAR:
            return max(problem.hi[j] - x, 0.0) / dx
        if dx < 0.0 and problem.lo[j] > -FAR:
            return max(x - problem.lo[j], 0.0) / -dx
        return FAR
    if problem.hi[j] == problem.lo[j]:
        return FAR
    faint = FLOOR * problem.matrix[j * problem.n + j]
    if problem.side[j] == LOW and dw < -faint:
        return max(w, 0.0) / -dw
    if problem.side[j] == HIGH and dw > faint:
        return max(-w, 0.0) / dw
    return FAR


@kernel
def drive(problem: BoxProblem, i: int) -> int:
    """Bring row i to its place."""
    n = problem.n
    problem.w[i] = problem.b[i] + dot(at(problem.matrix, i * n), problem.x, n)
    while problem.steps < problem.limit:
        w = problem.w[i]
        if (w >= 0.0 and problem.x[i] <= problem.lo[i]) or (w <= 0.0 and problem.x[i] >= problem.hi[i]):
            problem.side[i] = LOW if problem.x[i] <= problem.lo[i] and w >= 0.0 else HIGH
            return SOLVED
        if w == 0.0:
            append(problem, i)
            return SOLVED
        problem.steps += 1
        find_direction(problem, i, -1.0 if w > 0.0 else 1.0)
        rate, step, found, home = problem.dw[i], FAR, -1, 0
        if abs(rate) > FLOOR * problem.matrix[i * n + i] and rate * w < 0.0:
            step, found, home = -w / rate, i, 1
        for j in range(n):
            if problem.side[j] != WAITING or j == i:
                bound = limit_of(problem, j, i)
                if bound < step:
                    step, found, home = bound, j, 0
        if found < 0:
            return UNBOUNDED
        for j in range(n):
            problem.x[j] += step * problem.dx[j]
            problem.w[j] += step * problem.dw[j]
        if home == 1:
            problem.w[i] = 0.0
        elif found == i:
            problem.x[i] = problem.hi[i] if problem.dx[i] > 0.0 else problem.lo[i]
        else:
            change_side(problem, found)
    return LIMIT


@kernel
def change_side(problem: BoxProblem, j: int) -> None:
    """A row has reached a bound, or leaves it."""
    if problem.side[j] != BETWEEN:
        problem.w[j] = 0.0
        append(problem, j)
        return
    for p in range(problem.count):
        if problem.held[p] == j:
            high = problem.dx[j] > 0.0
            problem.x[j] = problem.hi[j] if high else problem.lo[j]
            remove(problem, p, HIGH if high else LOW)
            return


@kernel
def improve(problem: BoxProblem) -> None:
    """x between the bounds once more from the factor, and all w: steps add up rounding errors."""
    n, work = problem.n, problem.work
    for turn in range(2):
        for i in range(n):
            problem.w[i] = problem.b[i] + dot(at(problem.matrix, i * n), problem.x, n)
        if turn == 1:
            return
        for p in range(problem.count):
            work[p] = -problem.w[problem.held[p]]
        solve_upper_transposed(problem.factor, n, problem.count, work)
        solve_upper(problem.factor, n, problem.count, work)
        for p in range(problem.count):
            j = problem.held[p]
            problem.x[j] = min(max(problem.x[j] + work[p], problem.lo[j]), problem.hi[j])


@kernel
def set_compliance(problem: BoxProblem, compliance: float) -> None:
    """A with so much of its diagonal added."""
    n = problem.n
    problem.compliance = compliance
    problem.matrix[: n * n] = problem.given[: n * n]
    for i in range(n):
        problem.matrix[i * n + i] *= 1.0 + compliance


@kernel
def drive_all(problem: BoxProblem, limit: int) -> int:
    """x and w for the bounds of now; rows without a normal come first. limit: changes of sides."""
    n = problem.n
    problem.count, problem.limit = 0, problem.steps + limit
    for i in range(n):
        problem.x[i], problem.side[i] = 0.0, WAITING
    for rub in range(2):
        for i in range(n):
            if (problem.normal[i] >= 0) == (rub == 1):
                code = drive(problem, i)
                if code != SOLVED:
                    return code
    improve(problem)
    return SOLVED


@kernel
def solve_box(problem: BoxProblem) -> int:
    """x and w for the bounds of now, with compliance where there is no other way."""
    n = problem.n
    code = drive_all(problem, PATIENCE * (n + 1))
    if code == LIMIT:
        if problem.compliance == 0.0:
            set_compliance(problem, FAINT)
        code = drive_all(problem, problem.most * (n + 1))
    return code


@kernel
def run_dantzig(problem: BoxProblem) -> Code:
    """x and w; bounds of friction as often as it takes, or as is allowed."""
    n, last = problem.n, problem.last
    problem.steps, problem.done = 0, 0
    last[:n] = 0.0
    set_compliance(problem, 0.0)
    for count in range(problem.passes):
        for i in range(n):
            if problem.normal[i] >= 0:
                bound = problem.mu[i] * max(last[problem.normal[i]], 0.0)
                problem.lo[i], problem.hi[i] = -bound, bound
        code = solve_box(problem)
        problem.done = count + 1
        if code != SOLVED:
            return code
        change, size = 0.0, 0.0
        for i in range(n):
            size = max(size, abs(problem.x[i]))
            if problem.normal[i] >= 0:
                k = problem.normal[i]
                change = max(change, problem.mu[i] * abs(problem.x[k] - last[k]))
        last[:n] = problem.x[:n]
        if change <= AGREED * size:
            return SOLVED
    return LIMIT
