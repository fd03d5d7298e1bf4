"""LU of dense complex matrices on pointers: real and imaginary parts apart, column-major like those of ``linear.py``."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints
from linkwork.numerics.kernels.linear.dense import swap


@kernel(vectorise=True)
def add_complex_multiple(xr: Floats, xi: Floats, fr: float, fi: float, yr: Floats, yi: Floats, n: int) -> None:
    """y += f x."""
    yr[:n] += fr * xr[:n] - fi * xi[:n]
    yi[:n] += fr * xi[:n] + fi * xr[:n]


@kernel
def scale_complex(xr: Floats, xi: Floats, fr: float, fi: float, n: int) -> None:
    """x <- f x."""
    for i in range(n):
        real = fr * xr[i] - fi * xi[i]
        xi[i] = fr * xi[i] + fi * xr[i]
        xr[i] = real


@kernel
def complex_pivot(ar: Floats, ai: Floats, n: int, j: int, row_scale: Floats) -> int:
    """The row from j on with the largest entry of column j relative to the scale of its row, -1: they are all zero."""
    best, p = 0.0, -1
    for i in range(j, n):
        size = (abs(ar[i + j * n]) + abs(ai[i + j * n])) * row_scale[i]
        if size > best:
            best, p = size, i
    return p


@kernel
def factor_complex_lu(ar: Floats, ai: Floats, n: int, pivots: Ints, row_scale: Floats) -> int:
    """P A = L U in place, pivots chosen relative to the scale of their rows. Returns -1, or the column without a pivot."""
    row_scale[:n] = 0.0
    for j in range(n):
        for i in range(n):
            row_scale[i] = max(row_scale[i], abs(ar[i + j * n]) + abs(ai[i + j * n]))
    for i in range(n):
        row_scale[i] = 1.0 / row_scale[i] if row_scale[i] > 0.0 else 0.0
    for j in range(n):
        p = complex_pivot(ar, ai, n, j, row_scale)
        if p < 0:
            return j
        pivots[j] = p
        if p != j:
            for l in range(n):
                swap(at(ar, j + l * n), at(ar, p + l * n), 1)
                swap(at(ai, j + l * n), at(ai, p + l * n), 1)
            swap(at(row_scale, j), at(row_scale, p), 1)
        d, below, rest = j + j * n, j + 1 + j * n, n - 1 - j
        size = ar[d] * ar[d] + ai[d] * ai[d]
        scale_complex(at(ar, below), at(ai, below), ar[d] / size, -ai[d] / size, rest)
        for l in range(j + 1, n):
            e, right = j + l * n, j + 1 + l * n
            if ar[e] != 0.0 or ai[e] != 0.0:
                add_complex_multiple(at(ar, below), at(ai, below), -ar[e], -ai[e], at(ar, right), at(ai, right), rest)
    return -1


@kernel
def solve_complex_lu(ar: Floats, ai: Floats, n: int, pivots: Ints, br: Floats, bi: Floats) -> None:
    """b <- A⁻¹ b from the factors of factor_complex_lu."""
    for j in range(n):
        swap(at(br, j), at(br, pivots[j]), 1)
        swap(at(bi, j), at(bi, pivots[j]), 1)
    for j in range(n):
        below = j + 1 + j * n
        add_complex_multiple(at(ar, below), at(ai, below), -br[j], -bi[j], at(br, j + 1), at(bi, j + 1), n - 1 - j)
    for i in range(n):
        j = n - 1 - i
        d = j + j * n
        size = ar[d] * ar[d] + ai[d] * ai[d]
        scale_complex(at(br, j), at(bi, j), ar[d] / size, -ai[d] / size, 1)
        add_complex_multiple(at(ar, j * n), at(ai, j * n), -br[j], -bi[j], br, bi, j)
