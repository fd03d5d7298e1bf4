"""Accelerations of a constrained system by its null space.

    M v̇ = h + Cᵀλ,   C v̇ + b = 0

With (C S)ᵀ P = Q R and v̇ = S Q (x₁, x₂): x₁ from Rᵀ x₁ = -b of the independent rows, and the multipliers drop out of
    G₂₂ x₂ = (Qᵀ S h)₂ - G₂₁ x₁,   G = Qᵀ S M S Q
C may have redundant rows and M may be singular, as long as G₂₂, the mass matrix on the null space of C, is not.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.linear import apply_q, apply_q_transposed, congruence, solve_symmetric
from linkwork.numerics.kernels.projection import explain_mass, factor_constraints, hold_rank, range_part


@kernel("void(double t, double* y, double* ydot, int64* ic, double* w)")
def evaluate_terms(t, y, ydot, ic, w):
    """Evaluate the terms; q̇ and ṡ go to their places in ẏ."""
    nq, nv, ns = ic[slots.NQ], ic[slots.NV], ic[slots.NS]
    out = at(w, ic[slots.TERMS_OUT])
    call_model(ic[slots.TERMS], t, y, doubles(ic[slots.PARAMETERS]), out)
    for i in range(nq):
        ydot[i] = out[i]
    for i in range(ns):
        ydot[nq + nv + i] = out[nq + i]


@kernel("void(double* h, double* mass, int64 rank, int64* ic, double* w)")
def reduce_to_null_space(h, mass, rank, ic, w):
    """G and the right-hand side of x₂, which goes to x[rank:]; x[:rank] holds x₁."""
    nv = ic[slots.NV]
    scale, x, g = at(w, ic[slots.SCALE]), at(w, ic[slots.X]), at(w, ic[slots.MASS])
    a, tau, load = at(w, ic[slots.FACTORS]), at(w, ic[slots.TAU]), at(w, ic[slots.BIAS])
    for j in range(nv):
        load[j] = scale[j] * h[j]
        for i in range(nv):
            g[i + j * nv] = scale[i] * mass[i + j * nv] * scale[j]
    congruence(a, nv, rank, tau, g)
    apply_q_transposed(a, nv, rank, tau, load)
    for i in range(rank, nv):
        x[i] = load[i]
        for j in range(rank):
            x[i] -= g[i + j * nv] * x[j]


@kernel("int32(double* vdot, int64* ic, double* w)")
def solve_null_space(vdot, ic, w):
    """v̇ (nv) from the terms at hand."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    h = at(w, ic[slots.TERMS_OUT] + nq + ns)
    mass = at(h, nv + m)
    factor_constraints(at(mass, nv * nv), ic, w)
    code = hold_rank(ic, w)
    if code < 0:
        return code
    rank = ic[slots.RANK]
    range_part(at(h, nv), rank, ic, w)
    reduce_to_null_space(h, mass, rank, ic, w)
    k = nv - rank
    x, g, reduced = at(w, ic[slots.X]), at(w, ic[slots.MASS]), at(w, ic[slots.REDUCED])
    for j in range(k):
        for i in range(k):
            reduced[i + j * k] = g[rank + i + (rank + j) * nv]
    copy, row_scale = at(w, ic[slots.PRODUCT]), at(w, ic[slots.ROW_SCALE])
    failed = solve_symmetric(reduced, k, copy, at(ic, ic[slots.CHOICE]), row_scale, at(x, rank))
    if failed >= 0:
        return explain_mass(-1, reduced[failed * (k + 1)], ic, w)
    apply_q(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), x)
    for i in range(nv):
        vdot[i] = at(w, ic[slots.SCALE])[i] * x[i]
    return 0


@kernel("int64(double t, double* y, double* ydot, int64* ic, double* w)")
def accelerate(t, y, ydot, ic, w):
    """ẏ by the straight-line function. Returns 1 when its pivots are healthy, 0 when ẏ is not to be trusted."""
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    out = at(w, ic[slots.ACCELERATE_OUT])
    call_model(ic[slots.ACCELERATE], t, y, doubles(ic[slots.PARAMETERS]), out)
    for i in range(n):
        ydot[i] = out[i]
    return 1 if out[n] > w[slots.HEALTH_LIMIT] else 0
