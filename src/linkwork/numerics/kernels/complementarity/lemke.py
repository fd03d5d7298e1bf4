"""Lemke's method: z ≥ 0, w = M z + q ≥ 0, zᵀw = 0, by pivots along w − M z − d z₀ = q.

z₀ enters with the worst row; then the complement of what has left enters, until z₀ leaves: a solution, or nothing
leaves: a ray (R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity Problem", 1992, algorithm 4.4.5).
Rows that tie are told apart lexicographically, by the rows of B⁻¹ (section 4.9), so that degenerate problems do not
cycle; z₀ leaves before others.

A ray says that there is no solution where M is copositive-plus (theorem 4.4.8), a positive semi-definite one for example;
elsewhere it says nothing, but for a direction y ≥ 0 with Mᵀy ≤ 0 and qᵀy < 0: then no z has M z + q ≥ 0.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Ints, Record, array, borrowed
from linkwork.numerics.kernels.linear.lapack import solve_general

SOLVED, LIMIT, RAY = 0, 1, 2
PIVOT = 1e-11  # entry of a column of size one that may be a pivot
TIE = 1e-12  # ratios that count as equal, beside the larger of them


class LinearProblem(Record):
    """M (n, n) by rows, q (n); z, w, or the direction of the ray in z. Rows and columns are of size one."""

    n: int
    limit: int  # of pivots
    pivots: int  # that were made
    matrix: Floats = borrowed()
    q: Floats = borrowed()
    z: Floats = array("n")
    w: Floats = array("n")
    table: Floats = array("n", "2 * n + 2")  # by rows: of w, of z, of z₀, of q
    basis: Ints = array("n")  # the variable of each row: w below n, then z, then z₀
    block: Floats = array("n", "n")  # of M, for the last digits
    right: Floats = array("n")
    chosen: Ints = array("n")
    order: Ints = array("n")
    cells: Ints = array("6")


@kernel
def write_table(problem: LinearProblem) -> None:
    """1 w − M z − z₀ = q"""
    n, width = problem.n, 2 * problem.n + 2
    problem.table[: n * width] = 0.0
    for i in range(n):
        row = at(problem.table, i * width)
        row[i], row[2 * n], row[2 * n + 1] = 1.0, -1.0, problem.q[i]
        for j in range(n):
            row[n + j] = -problem.matrix[i * n + j]
        problem.basis[i] = i


@kernel(vectorise=True)
def pivot(table: Floats, n: int, row: int, column: int) -> None:
    """The entry becomes one, and the others of its column zero."""
    width = 2 * n + 2
    own = at(table, row * width)
    inverse = 1.0 / own[column]
    own[:width] *= inverse
    own[column] = 1.0
    for i in range(n):
        other = at(table, i * width)
        factor = other[column]
        if i != row and factor != 0.0:
            other[:width] -= factor * own[:width]
            other[column] = 0.0


@kernel
def is_before(table: Floats, n: int, a: int, b: int, column: int) -> bool:
    """Whether row a comes before row b, both over their entries of a column: by q, then by the columns of w."""
    width = 2 * n + 2
    first, second = at(table, a * width), at(table, b * width)
    for k in range(n + 1):
        c = 2 * n + 1 if k == 0 else k - 1
        x, y = first[c] / first[column], second[c] / second[column]
        if abs(x - y) > TIE * max(max(abs(x), abs(y)), 1.0):
            return x < y
    return False


@kernel
def leaving_row(problem: LinearProblem, column: int) -> int:
    """The row that limits what enters, -1: none does."""
    n, table, width, best, last = problem.n, problem.table, 2 * problem.n + 2, -1, -1
    most = 0.0
    for i in range(n):
        most = max(most, abs(table[i * width + column]))
    for i in range(n):
        if not table[i * width + column] > PIVOT * most:
            continue
        if problem.basis[i] == 2 * n:
            last = i
        if best < 0 or is_before(table, n, i, best, column) == 1:
            best = i
    if last >= 0 and best != last:
        a, b = at(table, best * width), at(table, last * width)
        x, y = a[2 * n + 1] / a[column], b[2 * n + 1] / b[column]
        if abs(x - y) <= TIE * max(max(abs(x), abs(y)), 1.0):
            best = last
    return best


@kernel
def first_row(problem: LinearProblem) -> int:
    """The row with the least q, the last of them that are equal; -1: none is negative."""
    best, least = -1, 0.0
    for i in range(problem.n):
        if problem.q[i] < least or (best >= 0 and problem.q[i] == least):
            best, least = i, problem.q[i]
    return best


@kernel
def read_table(problem: LinearProblem, column: int) -> None:
    """z of the table, or where a column is given the direction along which it grows without an end."""
    n, width = problem.n, 2 * problem.n + 2
    problem.z[:n] = 0.0
    for i in range(n):
        v = problem.basis[i] - n
        if 0 <= v < n:
            entry = at(problem.table, i * width)
            problem.z[v] = max(entry[2 * n + 1], 0.0) if column < 0 else max(-entry[column], 0.0)
    if column >= n and column < 2 * n:
        problem.z[column - n] = 1.0


@kernel
def refine(problem: LinearProblem) -> None:
    """z of those that are positive from M and q alone: pivots lose digits. Left as it is where these rows are singular."""
    n, count, chosen = problem.n, 0, problem.chosen
    for i in range(n):
        v = problem.basis[i] - n
        if 0 <= v < n:
            chosen[count] = v
            count += 1
    if count == 0:
        return
    for j in range(count):
        problem.right[j] = -problem.q[chosen[j]]
        for i in range(count):
            problem.block[j * count + i] = problem.matrix[chosen[i] * n + chosen[j]]
    if solve_general(problem.block, count, problem.order, problem.right, problem.cells) >= 0:
        return
    for j in range(count):
        # far from what the table has: the rows are as good as singular
        if not abs(problem.right[j] - problem.z[chosen[j]]) <= 1e-6 * max(abs(problem.z[chosen[j]]), 1.0):
            return
    for j in range(count):
        problem.z[chosen[j]] = max(problem.right[j], 0.0)


@kernel
def run_lemke(problem: LinearProblem) -> Code:
    """z and w, or the direction of a ray in z."""
    n, row, column = problem.n, first_row(problem), 2 * problem.n
    problem.pivots = 0
    problem.z[:n] = 0.0
    problem.w[:n] = problem.q[:n]
    if row < 0:
        return SOLVED
    write_table(problem)
    while problem.pivots < problem.limit:
        left = problem.basis[row]
        pivot(problem.table, n, row, column)
        problem.basis[row] = column
        problem.pivots += 1
        if left == 2 * n:
            read_table(problem, -1)
            refine(problem)
            for i in range(n):
                total = problem.q[i]
                for j in range(n):
                    total += problem.matrix[i * n + j] * problem.z[j]
                problem.w[i] = total
            return SOLVED
        column = left + n if left < n else left - n
        row = leaving_row(problem, column)
        if row < 0:
            read_table(problem, column)
            return RAY
    return LIMIT
