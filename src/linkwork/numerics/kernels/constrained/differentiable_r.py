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

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.active import keep_rows
from linkwork.numerics.kernels.constrained.inputs import factor_square
from linkwork.numerics.kernels.constrained.partition import SINGULAR, solve_on_basis
from linkwork.numerics.kernels.constrained.placing import fail, settle
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, explain_mass, weigh_rows
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import add_multiple, add_product, dot


@kernel
def load_c(i: int, c: Floats, row: Floats, ws: Workspace) -> None:
    """row (nv) <- the row of C (m, nv) in use with the number i, in scaled coordinates and weighted."""
    m, r = ws.m, ws.rows[i]
    weight, scale = ws.weights[r], ws.scale
    for j in range(ws.nv):
        row[j] = weight * c[r + j * m] * scale[j]


@kernel
def load_p(i: int, row: Floats, ws: Workspace) -> None:
    """row (nv) <- the row of [C S; B] with the number i."""
    nv, rank = ws.nv, ws.rank
    if i < rank:
        load_c(i, ws.c, row, ws)
        return
    inputs = at(ws.inputs, (i - rank) * nv)
    row[:nv] = inputs[:nv]


@kernel
def orthogonalise_rows(ws: Workspace) -> int:
    """V (MASS, one row a column) and L (LU) with [C S; B] = L V. Returns -1 or the row that depends on those before."""
    nv = ws.nv
    known, lower = ws.mass, ws.lu
    for i in range(nv):
        row = at(known, i * nv)
        load_p(i, row, ws)
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
        row[:nv] /= length
    return -1


@kernel
def differentiate_rows(ws: Workspace) -> None:
    """V̇ (MASS_FACTOR) from V, L, C and Ċ."""
    nv, rank = ws.nv, ws.rank
    known, lower, rates = ws.mass, ws.lu, ws.mass_factor
    p, p_rate = ws.x, ws.step
    for i in range(nv):
        load_p(i, p, ws)
        p_rate[:nv] = 0.0
        if i < rank:
            load_c(i, ws.c_rate, p_rate, ws)
        rate, alpha = at(rates, i * nv), 1.0 / lower[i + i * nv]
        rate[:nv] = p_rate[:nv]
        stretch = dot(p_rate, p, nv)
        for j in range(i):
            change = dot(at(rates, j * nv), p, nv) + dot(at(known, j * nv), p_rate, nv)
            add_multiple(at(known, j * nv), -change, rate, nv)
            add_multiple(at(rates, j * nv), -lower[i + j * nv], rate, nv)
            stretch -= lower[i + j * nv] * change
        rate[:nv] = alpha * rate[:nv] - alpha * alpha * stretch * known[i * nv : (i + 1) * nv]


@kernel
def add_range_part(residual: Floats, x: Floats, ws: Workspace) -> None:
    """x (nv) <- x − S̄ residual, residual (m) of all rows."""
    nv, rank = ws.nv, ws.rank
    known, lower, part = ws.mass, ws.lu, ws.x
    rows, weights, scale = ws.rows, ws.weights, ws.scale
    for i in range(rank):
        part[i] = -weights[rows[i]] * residual[rows[i]]
        for j in range(i):
            part[i] -= lower[i + j * nv] * part[j]
        part[i] /= lower[i + i * nv]
    for i in range(rank):
        x[:nv] += scale[:nv] * part[i] * known[i * nv : (i + 1) * nv]


@kernel
def find_rows(t: float, y: Floats, ws: Workspace) -> Code:
    """V, L, velocities that satisfy the conditions, and V̇ there."""
    nv, m = ws.nv, ws.m
    settle(t, y, ws)
    evaluate_closure(t, y, ws)
    c, v, rate = ws.c, at(y, ws.nq), ws.a
    weigh_rows(c, ws)
    if orthogonalise_rows(ws) >= 0:
        code = factor_square(ws)
        return code if code < 0 else fail(codes.DEPENDENT_SINGULAR, -1, -1, 0.0, ws)
    add_product(c, m, nv, v, rate)
    add_range_part(rate, v, ws)
    ws.jacobian_rate(t, y, ws.p, ws.c_rate)
    if m < ws.every:
        keep_rows(ws.c_rate, nv, ws.c_rate, ws)
    differentiate_rows(ws)
    return 0


@kernel
def build_moving_r(v: Floats, ws: Workspace) -> None:
    """BASIS <- R, BIAS <- v̇ at z̈ = 0, from the terms, V and V̇ at hand."""
    nv, rank, b = ws.nv, ws.rank, ws.b
    known, rates, scale = ws.mass, ws.mass_factor, ws.scale
    basis, bias = ws.basis, ws.bias
    bias[:nv] = 0.0
    for l in range(nv - rank):
        speed = 0.0
        for j in range(nv):
            speed += known[j + (rank + l) * nv] * v[j] / scale[j]
        basis[l * nv : (l + 1) * nv] = scale[:nv] * known[(rank + l) * nv : (rank + l + 1) * nv]
        bias[:nv] += scale[:nv] * rates[(rank + l) * nv : (rank + l + 1) * nv] * speed
    add_product(ws.terms_c, ws.m, nv, bias, b)
    add_range_part(b, bias, ws)


@kernel
def solve_moving_r(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """v̇ from the terms, V and V̇ at hand."""
    build_moving_r(at(y, ws.nq), ws)
    failed = solve_on_basis(at(ydot, ws.nq), ws)
    return explain_mass(-1, 0.0, ws) if failed >= 0 else 0
