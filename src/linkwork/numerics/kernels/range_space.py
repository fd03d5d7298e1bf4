"""Accelerations by the range space of the conditions (García de Jalón and Bayo, eq. 5.12).

    C M⁻¹ Cᵀ λ = −b − C M⁻¹ h,   M v̇ = h + Cᵀ λ

With M = UᵀU and Y = U⁻ᵀ Cᵀ the matrix is YᵀY. Its Cholesky factor is the triangle of Y P = Q R, which is found without
forming YᵀY: half of the digits are saved, and redundant rows of C are recognised by their pivots. With z = U⁻ᵀ h

    Rᵀ g = −b − Yᵀ z,   U v̇ = z + Q g

M must be positive definite.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.linear import (
    apply_q,
    dot,
    factor_cholesky,
    factor_qr,
    solve_upper,
    solve_upper_transposed,
)
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.projection import explain_mass, hold_rank


@kernel("void(double* c, double* factor, double* z, int64* ic, double* w)")
def factor_range(c, factor, z, ic, w):
    """QR of Y with columns of length 1, whose lengths go to WEIGHTS; bias <- Yᵀ z for each row."""
    nv, m = ic[slots.NV], ic[slots.M]
    y, weights, known = at(w, ic[slots.FACTORS]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.MULTIPLIERS])
    longest = 0.0
    for j in range(m):
        column = at(y, j * nv)
        for i in range(nv):
            column[i] = c[j + i * m]
        solve_upper_transposed(factor, nv, nv, column)
        known[j] = dot(column, z, nv)
        weights[j] = math.sqrt(dot(column, column, nv))
        longest = max(longest, weights[j])
    for j in range(m):
        empty = weights[j] <= slots.EMPTY_ROW * longest
        weights[j] = 0.0 if empty else 1.0 / max(weights[j], slots.FAINT_ROW * longest)
        for i in range(nv):
            y[i + j * nv] *= weights[j]
    factor_qr(y, nv, m, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.TAU]), at(w, ic[slots.NORMS]))


@kernel("int32(double* vdot, int64* ic, double* w)")
def solve_range_space(vdot, ic, w):
    """v̇ (nv) from the terms at hand."""
    nv, m = ic[slots.NV], ic[slots.M]
    h = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS])
    b, mass, factor = at(h, nv), at(h, nv + m), at(w, ic[slots.MASS_FACTOR])
    z, x = at(w, ic[slots.BIAS]), at(w, ic[slots.X])
    for i in range(nv * nv):
        factor[i] = mass[i]
    failed = factor_cholesky(factor, nv)
    if failed >= 0:
        return explain_mass(failed, mass[failed * (nv + 1)], ic, w)
    for i in range(nv):
        z[i] = h[i]
        x[i] = 0.0
    solve_upper_transposed(factor, nv, nv, z)
    factor_range(at(mass, nv * nv), factor, z, ic, w)
    code = hold_rank(ic, w)
    if code < 0:
        return code
    rank, pivots = ic[slots.RANK], at(ic, ic[slots.PIVOTS])
    weights, known = at(w, ic[slots.WEIGHTS]), at(w, ic[slots.MULTIPLIERS])
    for i in range(rank):
        x[i] = -weights[pivots[i]] * (b[pivots[i]] + known[pivots[i]])
    solve_upper_transposed(at(w, ic[slots.FACTORS]), nv, rank, x)
    apply_q(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), x)
    for i in range(nv):
        vdot[i] = z[i] + x[i]
    solve_upper(factor, nv, nv, vdot)
    return 0


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_range_space(t, y, ydot, ic, w):
    """ẏ of all coordinates."""
    evaluate_terms(t, y, ydot, ic, w)
    return solve_range_space(at(ydot, ic[slots.NQ]), ic, w)
