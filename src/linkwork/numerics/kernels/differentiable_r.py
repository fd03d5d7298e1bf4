"""R from the rows of [C; B] made orthonormal by Gram and Schmidt, and its derivative (Liang and Lance; García de Jalón and
Bayo, eqs. 3.47 to 3.52).

    v_i = α_i u_i,   u_i = p_i − Σ (v_j·p_i) v_j,   α_i = 1 / |u_i|                          the rows p of [C S; B]
    u̇_i = ṗ_i − Σ (v̇_j·p_i + v_j·ṗ_i) v_j − Σ (v_j·p_i) v̇_j,   α̇_i = −α_i³ (ṗ_i·p_i − Σ (v_j·p_i)(v̇_j·p_i + v_j·ṗ_i))

Sums go over j < i. (Printed are v_j·p_j in 3.49, and v_j·p_i in the place of v_j·ṗ_i in 3.51.) The last rows are Rᵀ, for
coordinates divided by their scales S. They turn with the mechanism without jumps as long as B is independent of C:

    v = R ż + S̄(−a),   v̇ = R z̈ + Ṙ ż + S̄(−b − C Ṙ ż),   S̄ = S V_dᵀ L⁻¹,   C S = L V_d

C Ṙ ż = −Ċ R ż, so that the last term is nothing where no condition contains the time. Positions are integrated, B is looked
after and positions are returned to the conditions as in ``r_matrix.py``. Rows of C may be multiplied with anything positive.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.inputs import explain_square, factor_square
from linkwork.numerics.kernels.linear import add_multiple, dot
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.partition import SINGULAR, solve_on_basis
from linkwork.numerics.kernels.projection import evaluate_closure, explain_mass, fail, settle, weigh_rows


@kernel("void(int64 i, double* c, double* row, int64* ic, double* w)")
def load_c(i, c, row, ic, w):
    """row (nv) <- the row of C (m, nv) in use with the number i, in scaled coordinates and weighted."""
    m, r = ic[slots.M], at(ic, ic[slots.ROWS])[i]
    weight, scale = at(w, ic[slots.WEIGHTS])[r], at(w, ic[slots.SCALE])
    for j in range(ic[slots.NV]):
        row[j] = weight * c[r + j * m] * scale[j]


@kernel("void(int64 i, double* row, int64* ic, double* w)")
def load_p(i, row, ic, w):
    """row (nv) <- the row of [C S; B] with the number i."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    if i < rank:
        load_c(i, at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), row, ic, w)
        return
    inputs = at(w, ic[slots.INPUTS] + (i - rank) * nv)
    for j in range(nv):
        row[j] = inputs[j]


@kernel("int64(int64* ic, double* w)")
def orthogonalise_rows(ic, w):
    """V (MASS, one row a column) and L (LU) with [C S; B] = L V. Returns -1 or the row that depends on those before."""
    nv = ic[slots.NV]
    known, lower = at(w, ic[slots.MASS]), at(w, ic[slots.LU])
    for i in range(nv):
        row = at(known, i * nv)
        load_p(i, row, ic, w)
        for j in range(i):
            lower[i + j * nv] = 0.0
        for _ in range(2):  # once is not orthogonal enough
            for j in range(i):
                part = dot(at(known, j * nv), row, nv)
                lower[i + j * nv] += part
                add_multiple(at(known, j * nv), -part, row, nv)
        length = math.sqrt(dot(row, row, nv))
        if not length > SINGULAR:
            return i
        lower[i + i * nv] = length
        for j in range(nv):
            row[j] /= length
    return -1


@kernel("void(int64* ic, double* w)")
def differentiate_rows(ic, w):
    """V̇ (MASS_FACTOR) from V, L, C and Ċ."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    known, lower, rates = at(w, ic[slots.MASS]), at(w, ic[slots.LU]), at(w, ic[slots.MASS_FACTOR])
    p, p_rate = at(w, ic[slots.X]), at(w, ic[slots.STEP])
    for i in range(nv):
        load_p(i, p, ic, w)
        for j in range(nv):
            p_rate[j] = 0.0
        if i < rank:
            load_c(i, at(w, ic[slots.C_RATE]), p_rate, ic, w)
        rate, alpha = at(rates, i * nv), 1.0 / lower[i + i * nv]
        for j in range(nv):
            rate[j] = p_rate[j]
        stretch = dot(p_rate, p, nv)
        for j in range(i):
            change = dot(at(rates, j * nv), p, nv) + dot(at(known, j * nv), p_rate, nv)
            add_multiple(at(known, j * nv), -change, rate, nv)
            add_multiple(at(rates, j * nv), -lower[i + j * nv], rate, nv)
            stretch -= lower[i + j * nv] * change
        for j in range(nv):
            rate[j] = alpha * rate[j] - alpha * alpha * stretch * known[j + i * nv]


@kernel("void(double* residual, double* x, int64* ic, double* w)")
def add_range_part(residual, x, ic, w):
    """x (nv) <- x − S̄ residual, residual (m) of all rows."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    known, lower, part = at(w, ic[slots.MASS]), at(w, ic[slots.LU]), at(w, ic[slots.X])
    rows, weights, scale = at(ic, ic[slots.ROWS]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.SCALE])
    for i in range(rank):
        part[i] = -weights[rows[i]] * residual[rows[i]]
        for j in range(i):
            part[i] -= lower[i + j * nv] * part[j]
        part[i] /= lower[i + i * nv]
    for i in range(rank):
        for j in range(nv):
            x[j] += scale[j] * part[i] * known[j + i * nv]


@kernel("void(double* c, double* x, double* residual, int64* ic)")
def add_product(c, x, residual, ic):
    """residual (m) <- residual + C x."""
    m = ic[slots.M]
    for j in range(ic[slots.NV]):
        for r in range(m):
            residual[r] += c[r + j * m] * x[j]


@kernel("int32(double t, double* y, int64* ic, double* w)")
def find_rows(t, y, ic, w):
    """V, L, velocities that satisfy the conditions, and V̇ there."""
    nv, m = ic[slots.NV], ic[slots.M]
    settle(t, y, ic, w)
    evaluate_closure(t, y, ic, w)
    c, v = at(w, ic[slots.CLOSURE_OUT] + m), at(y, ic[slots.NQ])
    weigh_rows(c, ic, w)
    if orthogonalise_rows(ic, w) >= 0:
        failed = factor_square(ic, w)
        return explain_square(failed, ic, w) if failed >= 0 else fail(slots.DEPENDENT_SINGULAR, -1, -1, 0.0, ic, w)
    rate = at(c, m * nv)
    add_product(c, v, rate, ic)
    add_range_part(rate, v, ic, w)
    call_model(ic[slots.JACOBIAN_RATE], t, y, doubles(ic[slots.PARAMETERS]), at(w, ic[slots.C_RATE]))
    differentiate_rows(ic, w)
    return 0


@kernel("void(double* v, int64* ic, double* w)")
def build_moving_r(v, ic, w):
    """BASIS <- R, BIAS <- v̇ at z̈ = 0, from the terms, V and V̇ at hand."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    known, rates, scale = at(w, ic[slots.MASS]), at(w, ic[slots.MASS_FACTOR]), at(w, ic[slots.SCALE])
    basis, bias = at(w, ic[slots.BASIS]), at(w, ic[slots.BIAS])
    for j in range(nv):
        bias[j] = 0.0
    for l in range(nv - rank):
        speed = 0.0
        for j in range(nv):
            speed += known[j + (rank + l) * nv] * v[j] / scale[j]
        for j in range(nv):
            basis[j + l * nv] = scale[j] * known[j + (rank + l) * nv]
            bias[j] += scale[j] * rates[j + (rank + l) * nv] * speed
    b = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + nv)
    add_product(at(b, m + nv * nv), bias, b, ic)
    add_range_part(b, bias, ic, w)


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_differentiable(t, y, ydot, ic, w):
    """ẏ with velocities that satisfy the conditions; positions are those of the integrator."""
    code = find_rows(t, y, ic, w)
    if code < 0:
        return code
    evaluate_terms(t, y, ydot, ic, w)
    build_moving_r(at(y, ic[slots.NQ]), ic, w)
    failed = solve_on_basis(at(ydot, ic[slots.NQ]), ic, w)
    return explain_mass(-1, 0.0, ic, w) if failed >= 0 else 0
