"""Accelerations by the range space of the conditions (García de Jalón and Bayo, eq. 5.12).

    C M⁻¹ Cᵀ λ = −b − C M⁻¹ h,   M v̇ = h + Cᵀ λ

With M = UᵀU and Y = U⁻ᵀ Cᵀ the matrix is YᵀY. Its Cholesky factor is the triangle of Y P = Q R, which is found without
forming YᵀY: half of the digits are saved, and redundant rows of C are recognised by their pivots. With z = U⁻ᵀ h

    Rᵀ g = −b − Yᵀ z,   U v̇ = z + Q g

M must be positive definite.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained.projection import explain_mass, hold_rank, invert_lengths
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import (
    apply_q,
    dot,
    factor_cholesky,
    factor_qr,
    solve_upper,
    solve_upper_transposed,
)


@kernel
def factor_range(c: Floats, factor: Floats, z: Floats, ws: Workspace) -> None:
    """QR of Y with columns of length 1, whose lengths go to WEIGHTS; bias <- Yᵀ z for each row."""
    nv, m = ws.nv, ws.m
    y, weights, known = ws.factors, ws.weights, ws.multipliers
    for j in range(m):
        column = at(y, j * nv)
        for i in range(nv):
            column[i] = c[j + i * m]
        solve_upper_transposed(factor, nv, nv, column)
        known[j] = dot(column, z, nv)
        weights[j] = math.sqrt(dot(column, column, nv))
    invert_lengths(ws)
    for j in range(m):
        y[j * nv : (j + 1) * nv] *= weights[j]
    factor_qr(y, nv, m, ws.pivots, ws.tau, ws.norms)


@kernel
def solve_range_space(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms at hand."""
    nv = ws.nv
    h, b, mass, factor = ws.h, ws.b, ws.inertia, ws.mass_factor
    z, x = ws.bias, ws.x
    factor[: nv * nv] = mass[: nv * nv]
    failed = factor_cholesky(factor, nv)
    if failed >= 0:
        return explain_mass(failed, mass[failed * (nv + 1)], ws)
    z[:nv] = h[:nv]
    x[:nv] = 0.0
    solve_upper_transposed(factor, nv, nv, z)
    factor_range(ws.terms_c, factor, z, ws)
    code = hold_rank(ws)
    if code < 0:
        return code
    rank, pivots = ws.rank, ws.pivots
    for i in range(rank):
        x[i] = -ws.weights[pivots[i]] * (b[pivots[i]] + ws.multipliers[pivots[i]])
    solve_upper_transposed(ws.factors, nv, rank, x)
    apply_q(ws.factors, nv, rank, ws.tau, x)
    vdot[:nv] = z[:nv] + x[:nv]
    solve_upper(factor, nv, nv, vdot)
    return 0
