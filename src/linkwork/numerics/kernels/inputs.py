"""Independent velocities ż = B v of any constant B, and the matrix R of the velocities that they give.

    [ C ]        [ −a ]                     [ C ]⁻¹
    [ B ]  v  =  [  ż ] ,   [ S̄  R ]  =  [ B ]   ,   C R = 0,   B R = 1

(García de Jalón and Bayo, eqs. 3.29 to 3.32 and 5.60.) S̄ is never formed: its products with −a, −b and −Φ are solutions
with ż = 0. Columns are multiplied with the scales S of the coordinates; the rows of B are stored for S⁻¹ v.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.linear import HUGE, dot, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.partition import CONVERGED, ITERATION_LIMIT, LONGEST_CORRECTION, SINGULAR
from linkwork.numerics.kernels.projection import (
    count_rank,
    evaluate_closure,
    factor_constraints,
    fail,
    move,
    settle,
    weigh_rows,
    worst_row,
)


@kernel("int64(int64* ic, double* w)")
def factor_square(ic, w):
    """LU of [C S; B] from the closure at hand. Returns -1 or the failing column."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    rows, inputs = at(ic, ic[slots.ROWS]), at(w, ic[slots.INPUTS])
    c, lu, scale = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.LU]), at(w, ic[slots.SCALE])
    for j in range(nv):
        for i in range(rank):
            lu[i + j * nv] = c[rows[i] + j * m] * scale[j]
        for l in range(nv - rank):
            lu[rank + l + j * nv] = inputs[j + l * nv]
    return factor_lu(lu, nv, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE]), SINGULAR)


@kernel("int32(int64 column, int64* ic, double* w)")
def explain_square(column, ic, w):
    """Name why [C; B] has no pivot in *column*: not finite, rank lost, or B no longer independent of C."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    closure = at(w, ic[slots.CLOSURE_OUT])
    pivot = abs(at(w, ic[slots.LU])[at(ic, ic[slots.PIVOTS])[column] + column * nv])
    if largest(closure, m * (nv + 2)) >= HUGE:
        return fail(slots.NOT_FINITE, -1, column, pivot, ic, w)
    factor_constraints(at(closure, m), ic, w)
    found = count_rank(slots.RANK_TOLERANCE, ic, w)
    if found < rank:
        return fail(slots.RANK_CHANGED, at(ic, ic[slots.PIVOTS])[found], -1, pivot, ic, w)
    return fail(slots.DEPENDENT_SINGULAR, -1, column, pivot, ic, w)


@kernel("void(double* x, int64* ic, double* w)")
def solve_square(x, ic, w):
    """x (nv) <- [C; B]⁻¹ x with the factors at hand."""
    scale = at(w, ic[slots.SCALE])
    solve_lu(at(w, ic[slots.LU]), ic[slots.NV], at(ic, ic[slots.PIVOTS]), x)
    for j in range(ic[slots.NV]):
        x[j] *= scale[j]


@kernel("void(double* residual, double* x, int64* ic, double* w)")
def load_rows(residual, x, ic, w):
    """x (nv) <- [−residual of the rows in use; 0]."""
    rows, rank = at(ic, ic[slots.ROWS]), ic[slots.RANK]
    for i in range(rank):
        x[i] = -residual[rows[i]]
    for i in range(rank, ic[slots.NV]):
        x[i] = 0.0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def meet_conditions(t, y, ic, w):
    """Newton on Φ = 0 with B δ = 0; leaves the closure and the factors of its last iteration behind."""
    nv, phi, step = ic[slots.NV], at(w, ic[slots.CLOSURE_OUT]), at(w, ic[slots.STEP])
    x, scale = at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    w[slots.CORRECTION] = settle(t, y, ic, w)
    last = HUGE
    for _ in range(ITERATION_LIMIT):
        evaluate_closure(t, y, ic, w)
        failed = factor_square(ic, w)
        if failed >= 0:
            return explain_square(failed, ic, w)
        load_rows(phi, x, ic, w)
        solve_lu(at(w, ic[slots.LU]), nv, at(ic, ic[slots.PIVOTS]), x)
        size = largest(x, nv)
        if not size < LONGEST_CORRECTION or size > max(2.0 * last, 1e-6):
            break
        for i in range(nv):
            step[i] = scale[i] * x[i]
        move(t, y, step, ic, w)
        w[slots.CORRECTION] = max(w[slots.CORRECTION], size)
        if size < CONVERGED or (size < 1e-8 and size > 0.25 * last):
            return 0
        last = size
    weigh_rows(at(phi, ic[slots.M]), ic, w)
    row = worst_row(ic, w)
    code = slots.NOT_FINITE if w[slots.RESIDUAL] >= HUGE else slots.POSITIONS_NOT_FOUND
    return fail(code, row, -1, w[slots.RESIDUAL], ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def keep_positions(t, y, ic, w):
    """Closure and factors at the positions as they are."""
    w[slots.CORRECTION] = settle(t, y, ic, w)
    evaluate_closure(t, y, ic, w)
    failed = factor_square(ic, w)
    return explain_square(failed, ic, w) if failed >= 0 else 0


@kernel("void(double* y, int64* ic, double* w)")
def meet_velocities(y, ic, w):
    """v from ż = B v and the conditions, with the closure and the factors at hand."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    v, x, scale = at(y, ic[slots.NQ]), at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    inputs = at(w, ic[slots.INPUTS])
    load_rows(at(w, ic[slots.CLOSURE_OUT] + m + m * nv), x, ic, w)
    for l in range(nv - rank):
        for j in range(nv):
            x[rank + l] += inputs[j + l * nv] * v[j] / scale[j]
    solve_square(x, ic, w)
    for j in range(nv):
        v[j] = x[j]


@kernel("void(int64* ic, double* w)")
def build_r(ic, w):
    """BASIS (nv, k) <- R from the factors at hand."""
    nv, rank, basis = ic[slots.NV], ic[slots.RANK], at(w, ic[slots.BASIS])
    for l in range(nv - rank):
        column = at(basis, l * nv)
        for i in range(nv):
            column[i] = 1.0 if i == rank + l else 0.0
        solve_square(column, ic, w)


@kernel("void(double* b, int64* ic, double* w)")
def build_sc(b, ic, w):
    """BIAS (nv) <- v̇ at z̈ = 0."""
    bias = at(w, ic[slots.BIAS])
    load_rows(b, bias, ic, w)
    solve_square(bias, ic, w)


@kernel("int64(double* vdot, int64* ic, double* w)")
def solve_projected(vdot, ic, w):
    """v̇ of [C; RᵀM] v̇ = [−b; Rᵀh] from R, M R and the terms at hand. Returns -1 or the failing column."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    h = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS])
    c, rows = at(h, nv + m + nv * nv), at(ic, ic[slots.ROWS])
    lu, scale = at(w, ic[slots.LU]), at(w, ic[slots.SCALE])
    basis, product = at(w, ic[slots.BASIS]), at(w, ic[slots.PRODUCT])
    for j in range(nv):
        for i in range(rank):
            lu[i + j * nv] = c[rows[i] + j * m] * scale[j]
        for l in range(nv - rank):
            lu[rank + l + j * nv] = product[j + l * nv] * scale[j]
    failed = factor_lu(lu, nv, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE]), 1e-13)
    if failed >= 0:
        return failed
    load_rows(at(h, nv), vdot, ic, w)
    for l in range(nv - rank):
        vdot[rank + l] = dot(at(basis, l * nv), h, nv)
    solve_square(vdot, ic, w)
    return -1
