"""Coordinate partitioning: independent velocities are integrated, dependent coordinates are solved for.

With v = [v_I, v_D] and as many rows of C as its rank:

    q_D from Φ = 0,   C_D v_D = -C_I v_I - a,   v̇_D = A v̇_I + ξ,   A = -C_D⁻¹ C_I,   ξ = -C_D⁻¹ b
    M' v̇_I = h',   M' = TᵀM T,   h' = Tᵀ(h - M [0; ξ]),   T = [I; A]

(Blajer, Schiehlen, Schirm, "A projective criterion to the coordinate partitioning method for multibody dynamics",
section 2; after Wehage and Haug.) All of q and v stay in the state, so that the independent set can change at any
time: nothing is restarted.

Rows that restrict velocities only make further velocities dependent, whose positions are no functions of the others.
Then all positions are integrated, and return to Φ = 0 by the smallest correction.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.criterion import reduce_mass
from linkwork.numerics.kernels.linear import HUGE, dot, factor_lu, largest, solve_lu, solve_symmetric
from linkwork.numerics.kernels.projection import (
    count_rank,
    evaluate_closure,
    explain_mass,
    factor_constraints,
    fail,
    move,
    project_positions,
    settle,
    weigh_rows,
    worst_row,
)

ITERATION_LIMIT = 8
CONVERGED = 1e-12  # of the last correction: it bounds the error of C, and so of the velocities and accelerations
LONGEST_CORRECTION = 1.0  # in units of the coordinate scale; more would be another branch
SINGULAR = 1e-6  # pivot of the dependent block relative to its row; accelerations have no digits left below it


@kernel("int64(int64* ic, double* w)")
def factor_dependent(ic, w):
    """LU of C_D S_D from the closure at hand. Returns -1 or the failing column."""
    m, rank = ic[slots.M], ic[slots.RANK]
    rows, dependent = at(ic, ic[slots.ROWS]), at(ic, ic[slots.ORDER] + ic[slots.NV] - rank)
    c, lu, scale = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.LU]), at(w, ic[slots.SCALE])
    for j in range(rank):
        column = dependent[j]
        for i in range(rank):
            lu[i + j * rank] = c[rows[i] + column * m] * scale[column]
    return factor_lu(lu, rank, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE]), SINGULAR)


@kernel("void(double* x, int64* ic, double* w)")
def solve_dependent(x, ic, w):
    """x (rank) <- C_D⁻¹ x with the factors at hand."""
    rank = ic[slots.RANK]
    dependent = at(ic, ic[slots.ORDER] + ic[slots.NV] - rank)
    scale = at(w, ic[slots.SCALE])
    solve_lu(at(w, ic[slots.LU]), rank, at(ic, ic[slots.PIVOTS]), x)
    for j in range(rank):
        x[j] *= scale[dependent[j]]


@kernel("int64(int64 column, int64* ic)")
def row_of_pivot(column, ic):
    """Constraint row that came nearest to a pivot in the failing *column* of the dependent block."""
    rows, pivots, place = at(ic, ic[slots.ROWS]), at(ic, ic[slots.PIVOTS]), at(ic, ic[slots.CHOICE])
    for i in range(ic[slots.RANK]):
        place[i] = rows[i]
    for j in range(column):
        kept = place[j]
        place[j] = place[pivots[j]]
        place[pivots[j]] = kept
    return place[pivots[column]]


@kernel("int32(int64 column, int64* ic, double* w)")
def explain_singular(column, ic, w):
    """Name why the dependent block has no pivot in *column*: not finite, rank lost, or a dead centre of the set."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    closure = at(w, ic[slots.CLOSURE_OUT])
    coordinate = at(ic, ic[slots.ORDER] + nv - rank)[column]
    row = row_of_pivot(column, ic)
    pivot = abs(at(w, ic[slots.LU])[at(ic, ic[slots.PIVOTS])[column] + column * rank])
    if largest(closure, m * (nv + 2)) >= HUGE:
        return fail(slots.NOT_FINITE, row, coordinate, pivot, ic, w)
    factor_constraints(at(closure, m), ic, w)
    if count_rank(slots.RANK_TOLERANCE, ic, w) < rank:
        return fail(slots.RANK_CHANGED, row, coordinate, pivot, ic, w)
    return fail(slots.DEPENDENT_SINGULAR, row, coordinate, pivot, ic, w)


@kernel("int32(int64 code, int64* ic, double* w)")
def explain_open(code, ic, w):
    """Note which row stays open and which coordinate was asked to move most."""
    rank, x = ic[slots.RANK], at(w, ic[slots.X])
    weigh_rows(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    row = worst_row(ic, w)
    most = 0
    for j in range(rank):
        if abs(x[j]) > abs(x[most]):
            most = j
    return fail(code, row, at(ic, ic[slots.ORDER] + ic[slots.NV] - rank)[most], w[slots.RESIDUAL], ic, w)


@kernel("void(double t, double* y, int64* ic, double* w)")
def move_dependent(t, y, ic, w):
    """q <- q ⊕ S_D x."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    dependent, x = at(ic, ic[slots.ORDER] + nv - rank), at(w, ic[slots.X])
    step, scale = at(w, ic[slots.STEP]), at(w, ic[slots.SCALE])
    for i in range(nv):
        step[i] = 0.0
    for j in range(rank):
        step[dependent[j]] = scale[dependent[j]] * x[j]
    move(t, y, step, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def solve_positions(t, y, ic, w):
    """Newton on q_D, warm started from y; leaves the closure and the factors of its last iteration behind."""
    rank = ic[slots.RANK]
    phi, x, rows = at(w, ic[slots.CLOSURE_OUT]), at(w, ic[slots.X]), at(ic, ic[slots.ROWS])
    settle(t, y, ic, w)
    last = HUGE
    for _ in range(ITERATION_LIMIT):
        evaluate_closure(t, y, ic, w)
        failed = factor_dependent(ic, w)
        if failed >= 0:
            return explain_singular(failed, ic, w)
        for i in range(rank):
            x[i] = -phi[rows[i]]
        solve_lu(at(w, ic[slots.LU]), rank, at(ic, ic[slots.PIVOTS]), x)
        size = largest(x, rank)
        if not size < LONGEST_CORRECTION or size > max(2.0 * last, 1e-6):
            return explain_open(slots.NOT_FINITE if size >= HUGE else slots.POSITIONS_NOT_FOUND, ic, w)
        move_dependent(t, y, ic, w)
        if size < CONVERGED or (size < 1e-8 and size > 0.25 * last):
            return 0
        last = size
    return explain_open(slots.POSITIONS_NOT_FOUND, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def return_positions(t, y, ic, w):
    """All of q to Φ = 0, where more positions than velocities are independent; leaves closure and factors behind."""
    code = project_positions(t, y, ic, w)
    if code < 0:
        return code
    if not w[slots.CORRECTION] < LONGEST_CORRECTION:
        return fail(slots.POSITIONS_NOT_FOUND, worst_row(ic, w), -1, w[slots.RESIDUAL], ic, w)
    failed = factor_dependent(ic, w)
    return explain_singular(failed, ic, w) if failed >= 0 else 0


@kernel("void(double* y, int64* ic, double* w)")
def solve_velocities(y, ic, w):
    """v_D from v_I with the closure and the factors at hand."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    v, c, x = at(y, ic[slots.NQ]), at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.X])
    rows, order, rate = at(ic, ic[slots.ROWS]), at(ic, ic[slots.ORDER]), at(c, m * nv)
    for i in range(rank):
        x[i] = -rate[rows[i]]
    for l in range(nv - rank):
        column = order[l]
        for i in range(rank):
            x[i] -= c[rows[i] + column * m] * v[column]
    solve_dependent(x, ic, w)
    for j in range(rank):
        v[order[nv - rank + j]] = x[j]


@kernel("void(int64* ic, double* w)")
def build_basis(ic, w):
    """T (nv, k) with T_I = 1, T_D = A, from the closure and the factors at hand."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    rows, order = at(ic, ic[slots.ROWS]), at(ic, ic[slots.ORDER])
    c, x, basis = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.X]), at(w, ic[slots.BASIS])
    k = nv - rank
    for l in range(k):
        for i in range(k):
            basis[order[i] + l * nv] = 1.0 if i == l else 0.0
        for i in range(rank):
            x[i] = -c[rows[i] + order[l] * m]
        solve_dependent(x, ic, w)
        for j in range(rank):
            basis[order[k + j] + l * nv] = x[j]


@kernel("void(double* b, int64* ic, double* w)")
def build_bias(b, ic, w):
    """bias (nv) = [0; ξ]."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    rows, order = at(ic, ic[slots.ROWS]), at(ic, ic[slots.ORDER])
    x, bias = at(w, ic[slots.X]), at(w, ic[slots.BIAS])
    for i in range(rank):
        x[i] = -b[rows[i]]
    solve_dependent(x, ic, w)
    for i in range(nv - rank):
        bias[order[i]] = 0.0
    for j in range(rank):
        bias[order[nv - rank + j]] = x[j]


@kernel("int64(double* vdot, int64* ic, double* w)")
def solve_on_basis(vdot, ic, w):
    """v̇ (nv) from the terms, the basis and the bias at hand. Returns -1 or the failing column of M'."""
    nv, m = ic[slots.NV], ic[slots.M]
    k = nv - ic[slots.RANK]
    h = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS])
    mass, bias, basis = at(h, nv + m), at(w, ic[slots.BIAS]), at(w, ic[slots.BASIS])
    reduce_mass(mass, k, ic, w)
    x, product, reduced = at(w, ic[slots.X]), at(w, ic[slots.PRODUCT]), at(w, ic[slots.REDUCED])
    for l in range(k):
        x[l] = dot(at(basis, l * nv), h, nv) - dot(at(product, l * nv), bias, nv)
    row_scale = at(w, ic[slots.ROW_SCALE])
    failed = solve_symmetric(reduced, k, at(w, ic[slots.FRAME]), at(ic, ic[slots.CHOICE]), row_scale, x)
    if failed >= 0:
        return failed
    for i in range(nv):
        vdot[i] = bias[i]
        for l in range(k):
            vdot[i] += basis[i + l * nv] * x[l]
    return -1


@kernel("int32(double* vdot, int64* ic, double* w)")
def solve_with_basis(vdot, ic, w):
    """v̇ (nv) from the terms, the basis and the bias at hand."""
    failed = solve_on_basis(vdot, ic, w)
    if failed < 0:
        return 0
    pivot = at(w, ic[slots.REDUCED])[failed * (ic[slots.NV] - ic[slots.RANK] + 1)]
    return explain_mass(at(ic, ic[slots.ORDER])[failed], pivot, ic, w)


@kernel("int32(double* vdot, int64* ic, double* w)")
def solve_reduced(vdot, ic, w):
    """v̇ (nv) from the terms at hand."""
    build_bias(at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + ic[slots.NV]), ic, w)
    build_basis(ic, w)
    return solve_with_basis(vdot, ic, w)
