"""What kernels take of LAPACK, as SciPy has it.

Fortran takes everything by address: letters and integers stand in cells of eight bytes, whose low ends it reads, as all
processors that SciPy is built for today do.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel, library
from linkwork.numerics.kernels.language.records import Floats, Ints

ALL, LOWER, NONE, VECTORS = ord("A"), ord("L"), ord("N"), ord("V")
WORK = 6  # numbers of work for every column: its singular value or eigenvalue, then those of LAPACK

# job of U, job of Vᵀ, m, n, A, its stride, s, U, its stride, Vᵀ, its stride, work, its length, code
lapack_dgesvd = library(
    "lapack_dgesvd", *[Ints] * 4, Floats, Ints, Floats, Floats, Ints, Floats, Ints, Floats, Ints, Ints
)
# job, triangle, n, A, its stride, w, work, its length, code
lapack_dsyev = library("lapack_dsyev", *[Ints] * 3, Floats, Ints, Floats, Floats, Ints, Ints)
# triangle, n, rows below the diagonal, A in bands, its stride, code
lapack_dpbtrf = library("lapack_dpbtrf", *[Ints] * 3, Floats, Ints, Ints)
# triangle, n, rows below the diagonal, right sides, factor, its stride, B, its stride, code
lapack_dpbtrs = library("lapack_dpbtrs", *[Ints] * 4, Floats, Ints, Floats, Ints, Ints)
# n, rows below the diagonal, above it, right sides, A in bands, its stride, pivots, B, its stride, code
lapack_dgbsv = library("lapack_dgbsv", *[Ints] * 4, Floats, Ints, Ints, Floats, Ints, Ints)
# transposed, n, rows below the diagonal, above it, right sides, factors, their stride, pivots, B, its stride, code
lapack_dgbtrs = library("lapack_dgbtrs", *[Ints] * 5, Floats, Ints, Ints, Floats, Ints, Ints)
# n, right sides, A, its stride, pivots, B, its stride, code
lapack_dgesv = library("lapack_dgesv", *[Ints] * 2, Floats, Ints, Ints, Floats, Ints, Ints)


@kernel
def right_vectors(a: Floats, m: int, n: int, vt: Floats, work: Floats, cells: Ints) -> None:
    """Vᵀ (n, n) of A (m, n) = U S Vᵀ, 0 < m <= n, which is used up; vectors of the largest singular values come first."""
    cells[0], cells[1], cells[2], cells[3], cells[4], cells[5] = NONE, ALL, m, n, (WORK - 1) * n, 0
    jobs, rows, columns, rest = at(cells, 1), at(cells, 2), at(cells, 3), at(work, n)
    lapack_dgesvd(cells, jobs, rows, columns, a, rows, work, a, rows, vt, columns, rest, at(cells, 4), at(cells, 5))


@kernel
def eigenvectors(a: Floats, n: int, work: Floats, cells: Ints) -> None:
    """Symmetric A (n, n) <- its eigenvectors, as columns, those of the least eigenvalues first."""
    cells[0], cells[1], cells[2], cells[3], cells[4] = VECTORS, LOWER, n, (WORK - 1) * n, 0
    order = at(cells, 2)
    lapack_dsyev(cells, at(cells, 1), order, a, order, work, at(work, n), at(cells, 3), at(cells, 4))


@kernel
def factor_band(a: Floats, n: int, width: int, cells: Ints) -> int:
    """A = L Lᵀ of a symmetric positive definite A (n, n), n > 0, of which a[i − j + j (width + 1)] has the lower triangle.

    Returns -1 or the failing column.
    """
    cells[0], cells[1], cells[2], cells[3], cells[4] = LOWER, n, width, width + 1, 0
    lapack_dpbtrf(cells, at(cells, 1), at(cells, 2), a, at(cells, 3), at(cells, 4))
    return cells[4] - 1


@kernel
def solve_band(a: Floats, n: int, width: int, b: Floats, cells: Ints) -> None:
    """b <- A⁻¹ b from the factor of factor_band."""
    cells[0], cells[1], cells[2], cells[3], cells[4], cells[5] = LOWER, n, width, 1, width + 1, 0
    order, stride = at(cells, 1), at(cells, 4)
    lapack_dpbtrs(cells, order, at(cells, 2), at(cells, 3), a, stride, b, order, at(cells, 5))


@kernel
def solve_general_band(a: Floats, n: int, width: int, pivots: Ints, b: Floats, cells: Ints) -> int:
    """b <- A⁻¹ b; of A (n, n) at a[2 width + i − j + j (3 width + 1)] its factors are left, and their pivots (n).

    Returns -1 or the column without a pivot.
    """
    cells[0], cells[1], cells[2], cells[3], cells[4] = n, width, 1, 3 * width + 1, 0
    bands, stride = at(cells, 1), at(cells, 3)
    lapack_dgbsv(cells, bands, bands, at(cells, 2), a, stride, pivots, b, cells, at(cells, 4))
    return cells[4] - 1


@kernel
def solve_factored_band(a: Floats, n: int, width: int, pivots: Ints, b: Floats, cells: Ints) -> None:
    """b <- A⁻¹ b from the factors that solve_general_band has left."""
    cells[0], cells[1], cells[2], cells[3], cells[4], cells[5] = NONE, n, width, 1, 3 * width + 1, 0
    order, bands = at(cells, 1), at(cells, 2)
    lapack_dgbtrs(cells, order, bands, bands, at(cells, 3), a, at(cells, 4), pivots, b, order, at(cells, 5))


@kernel
def solve_general(a: Floats, n: int, pivots: Ints, b: Floats, cells: Ints) -> int:
    """b <- A⁻¹ b, A (n, n) is used up; pivots (n) is work. Returns -1 or the column without a pivot."""
    cells[0], cells[1], cells[2] = n, 1, 0
    lapack_dgesv(cells, at(cells, 1), a, cells, pivots, b, cells, at(cells, 2))
    return cells[2] - 1
