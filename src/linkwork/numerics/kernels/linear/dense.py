"""Dense linear algebra on pointers: LU, Cholesky and QR with column pivoting.

Matrices are column-major: element (i, j) of a matrix with leading dimension ld is a[i + j * ld]. Nothing is
allocated, and nothing depends on the units of rows or columns except where the text says so.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints

HUGE = 1e300


@kernel
def largest(x: Floats, n: int) -> float:
    """Largest magnitude in x, or a huge number when an element is not finite."""
    size = 0.0
    for i in range(n):
        if not abs(x[i]) < HUGE:
            return HUGE
        size = max(size, abs(x[i]))
    return size


@kernel
def add_product(a: Floats, rows: int, columns: int, x: Floats, out: Floats) -> None:
    """out (rows) <- out + A x."""
    for j in range(columns):
        out[:rows] += a[j * rows : (j + 1) * rows] * x[j]


@kernel
def dot(x: Floats, y: Floats, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += x[i] * y[i]
    return total


@kernel
def add_multiple(x: Floats, factor: float, y: Floats, n: int) -> None:
    """y += factor x."""
    y[:n] += factor * x[:n]


@kernel
def swap(x: Floats, y: Floats, n: int) -> None:
    for i in range(n):
        kept = x[i]
        x[i] = y[i]
        y[i] = kept


# --- triangular systems ----------------------------------------------------------------------------------------------


@kernel
def solve_upper(r: Floats, ld: int, n: int, b: Floats) -> None:
    """b <- R⁻¹ b, R upper triangular (n, n)."""
    for i in range(n):
        j = n - 1 - i
        b[j] /= r[j + j * ld]
        add_multiple(at(r, j * ld), -b[j], b, j)


@kernel
def solve_upper_transposed(r: Floats, ld: int, n: int, b: Floats) -> None:
    """b <- R⁻ᵀ b, R upper triangular (n, n)."""
    for j in range(n):
        b[j] = (b[j] - dot(at(r, j * ld), b, j)) / r[j + j * ld]


# --- Cholesky --------------------------------------------------------------------------------------------------------


@kernel
def factor_cholesky(a: Floats, n: int) -> int:
    """A = RᵀR in the upper triangle. Returns -1, or the first column whose pivot is lost in rounding."""
    for j in range(n):
        given = a[j + j * n]
        for i in range(j):
            a[i + j * n] = (a[i + j * n] - dot(at(a, i * n), at(a, j * n), i)) / a[i + i * n]
        pivot = given - dot(at(a, j * n), at(a, j * n), j)
        if not pivot > 1e-14 * abs(given):
            return j
        a[j + j * n] = math.sqrt(pivot)
    return -1


# --- LU --------------------------------------------------------------------------------------------------------------


@kernel
def scale_of_rows(a: Floats, n: int, row_scale: Floats) -> None:
    """row_scale (n) = 1 / largest magnitude in each row of A (n, n)."""
    row_scale[:n] = 0.0
    for j in range(n):
        for i in range(n):
            row_scale[i] = max(row_scale[i], abs(a[i + j * n]))
    for i in range(n):
        row_scale[i] = 1.0 / row_scale[i] if row_scale[i] > 0.0 else 0.0


@kernel(vectorise=True)
def equilibrate(a: Floats, n: int, rows: Floats, columns: Floats) -> None:
    """A <- R A K with diagonal R, K (n): first by the *columns* given, then all rows and at last all columns to size 1.

    What is given tells which unknowns are of one size. Rows and columns alone cannot tell that of a chain of equations in
    which one unknown is the rate of another one.
    """
    rows[:n] = 0.0
    for j in range(n):
        column = at(a, j * n)
        for i in range(n):
            column[i] *= columns[j]
            rows[i] = max(rows[i], abs(column[i]))
    for i in range(n):
        rows[i] = 1.0 / rows[i] if rows[i] > 0.0 else 1.0
    for j in range(n):
        column, size = at(a, j * n), 0.0
        for i in range(n):
            column[i] *= rows[i]
            size = max(size, abs(column[i]))
        factor = 1.0 / size if size > 0.0 else 1.0
        columns[j] *= factor
        column[:n] *= factor


@kernel(vectorise=True)
def eliminate(a: Floats, n: int, j: int) -> None:
    """Take column j of the factors out of those behind it; most of what is left of a large matrix is zero."""
    below, count = at(a, j + 1 + j * n), n - 1 - j
    for l in range(j + 1, n):
        if a[j + l * n] != 0.0:
            add_multiple(below, -a[j + l * n], at(a, j + 1 + l * n), count)


@kernel
def factor_lu(a: Floats, n: int, pivots: Ints, row_scale: Floats, floor: float) -> int:
    """P A = L U in place, pivots chosen relative to the scale of their rows.

    Returns -1, or the first column without a pivot above *floor* (relative to its row); pivots[column] is then the
    row that came nearest.
    """
    scale_of_rows(a, n, row_scale)
    for j in range(n):
        best, p = -1.0, j
        for i in range(j, n):
            size = abs(a[i + j * n]) * row_scale[i]
            if size > best:
                best, p = size, i
        pivots[j] = p
        if not best > floor:
            return j
        if p != j:
            for l in range(n):
                swap(at(a, j + l * n), at(a, p + l * n), 1)
            swap(at(row_scale, j), at(row_scale, p), 1)
        inverse = 1.0 / a[j + j * n]
        a[j * n + j + 1 : j * n + n] *= inverse
        eliminate(a, n, j)
    return -1


@kernel
def solve_lu(a: Floats, n: int, pivots: Ints, b: Floats) -> None:
    """b <- A⁻¹ b from the factors of factor_lu."""
    for j in range(n):
        p = pivots[j]
        kept = b[p]
        b[p] = b[j]
        b[j] = kept
    for j in range(n):
        if b[j] != 0.0:
            add_multiple(at(a, j + 1 + j * n), -b[j], at(b, j + 1), n - 1 - j)
    solve_upper(a, n, n, b)


@kernel
def solve_lu_transposed(a: Floats, n: int, pivots: Ints, b: Floats) -> None:
    """b <- A⁻ᵀ b from the factors of factor_lu."""
    solve_upper_transposed(a, n, n, b)
    for i in range(n):
        j = n - 1 - i
        b[j] -= dot(at(a, j + 1 + j * n), at(b, j + 1), i)
    for i in range(n):
        j = n - 1 - i
        p = pivots[j]
        kept = b[p]
        b[p] = b[j]
        b[j] = kept


@kernel
def solve_symmetric(a: Floats, n: int, copy: Floats, pivots: Ints, row_scale: Floats, b: Floats) -> int:
    """b <- A⁻¹ b, A symmetric: Cholesky, or LU where A is not positive definite. Returns -1 or the failing column."""
    copy[: n * n] = a[: n * n]
    if factor_cholesky(a, n) < 0:
        solve_upper_transposed(a, n, n, b)
        solve_upper(a, n, n, b)
        return -1
    failed = factor_lu(copy, n, pivots, row_scale, 1e-13)
    if failed < 0:
        solve_lu(copy, n, pivots, b)
    return failed


# --- QR with column pivoting (Golub and Van Loan, Matrix Computations, algorithm 5.4.1) ------------------------------


@kernel
def make_reflector(a: Floats, n: int) -> float:
    """H = I - τ u uᵀ with H a = (β, 0, ...): a <- (β, u_2, ...), u_1 = 1. Returns τ."""
    norm = math.sqrt(dot(a, a, n))
    if norm == 0.0:
        return 0.0
    beta = -math.copysign(norm, a[0])
    tau = (beta - a[0]) / beta
    inverse = 1.0 / (a[0] - beta)
    a[1:n] *= inverse
    a[0] = beta
    return tau


@kernel
def reflect(u: Floats, tau: float, n: int, x: Floats) -> None:
    """x <- (I - τ u uᵀ) x, where u_1 = 1 is not stored."""
    factor = tau * (x[0] + dot(at(u, 1), at(x, 1), n - 1))
    x[0] -= factor
    add_multiple(at(u, 1), -factor, at(x, 1), n - 1)


@kernel
def factor_qr(a: Floats, rows: int, cols: int, pivots: Ints, tau: Floats, norms: Floats) -> None:
    """A P = Q R in place, the longest remaining column first; pivots (cols) are the original columns in order."""
    factor_qr_first(a, rows, cols, 0, 0.0, pivots, tau, norms)


@kernel
def longest_column(k: int, cols: int, first: int, floor: float, pivots: Ints, norms: Floats) -> int:
    """The longest of the columns from k on that were among the *first*, or -1 when none is longer than *floor*."""
    p, longest = -1, floor * floor
    for j in range(k, cols):
        if pivots[j] < first and norms[j] > longest:
            p, longest = j, norms[j]
    return p


@kernel
def factor_qr_first(
    a: Floats, rows: int, cols: int, first: int, floor: float, pivots: Ints, tau: Floats, norms: Floats
) -> int:
    """``factor_qr`` that serves the *first* columns before the others, as long as what is left of them exceeds *floor*.

    Returns how many pivots these columns have got: they come before all others.
    """
    served = 0
    for j in range(cols):
        pivots[j] = j
        norms[j] = dot(at(a, j * rows), at(a, j * rows), rows)
    for k in range(min(rows, cols)):
        p = longest_column(k, cols, first, floor, pivots, norms) if served == k else -1
        if p >= 0:
            served = k + 1
        else:
            p = max(k, longest_column(k, cols, cols, 0.0, pivots, norms))
        if p != k:
            swap(at(a, k * rows), at(a, p * rows), rows)
            pivot = pivots[k]
            pivots[k] = pivots[p]
            pivots[p] = pivot
            norms[p] = norms[k]
        column = at(a, k + k * rows)
        tau[k] = make_reflector(column, rows - k)
        for j in range(k + 1, cols):
            rest = at(a, k + j * rows)
            reflect(column, tau[k], rows - k, rest)
            norms[j] = dot(at(rest, 1), at(rest, 1), rows - k - 1)
    return served


@kernel
def apply_q(a: Floats, rows: int, count: int, tau: Floats, x: Floats) -> None:
    """x <- Q x with the first *count* reflectors of factor_qr."""
    for i in range(count):
        k = count - 1 - i
        reflect(at(a, k + k * rows), tau[k], rows - k, at(x, k))


@kernel
def apply_q_transposed(a: Floats, rows: int, count: int, tau: Floats, x: Floats) -> None:
    """x <- Qᵀ x with the first *count* reflectors of factor_qr."""
    for k in range(count):
        reflect(at(a, k + k * rows), tau[k], rows - k, at(x, k))


@kernel
def congruence(a: Floats, rows: int, count: int, tau: Floats, s: Floats) -> None:
    """S <- Qᵀ S Q for a symmetric S (rows, rows)."""
    for j in range(rows):
        apply_q_transposed(a, rows, count, tau, at(s, j * rows))
    for j in range(rows):
        for i in range(j):
            swap(at(s, i + j * rows), at(s, j + i * rows), 1)
    for j in range(rows):
        apply_q_transposed(a, rows, count, tau, at(s, j * rows))


@kernel
def clear_beside_triangle(a: Floats, rows: int, rank: int, cols: int, tau: Floats) -> None:
    """(R₁₁ R₁₂) = (T 0) Z: reflectors from the right, from the last row up (Golub and Van Loan, section 5.4.2).

    R₁₁ (rank, rank) and R₁₂ (rank, cols − rank) stand in the upper rows of *a*; T takes the place of R₁₁, the reflectors
    that of R₁₂ and *tau* (rank).
    """
    for i in range(rank):
        k = rank - 1 - i
        size = 0.0
        for j in range(rank, cols):
            size += a[k + j * rows] ** 2
        tau[k] = 0.0
        if size == 0.0:
            continue
        head = a[k + k * rows]
        beta = -math.copysign(math.sqrt(head * head + size), head)
        tau[k] = (beta - head) / beta
        for j in range(rank, cols):
            a[k + j * rows] /= head - beta
        a[k + k * rows] = beta
        for l in range(k):
            total = a[l + k * rows]
            for j in range(rank, cols):
                total += a[l + j * rows] * a[k + j * rows]
            a[l + k * rows] -= tau[k] * total
            for j in range(rank, cols):
                a[l + j * rows] -= tau[k] * total * a[k + j * rows]


@kernel
def solve_least(a: Floats, rows: int, rank: int, cols: int, tau: Floats, x: Floats) -> None:
    """x (cols) <- the shortest one with (R₁₁ R₁₂) x = x[:rank]. The upper rows of *a* and *tau* (rank) are used up."""
    clear_beside_triangle(a, rows, rank, cols, tau)
    solve_upper(a, rows, rank, x)
    x[rank:cols] = 0.0
    for k in range(rank):
        total = x[k]
        for j in range(rank, cols):
            total += a[k + j * rows] * x[j]
        x[k] -= tau[k] * total
        for j in range(rank, cols):
            x[j] -= tau[k] * total * a[k + j * rows]
