"""Accelerations of a constrained system by its null space.

    M v̇ = h + Cᵀλ,   C v̇ + b = 0

With (C S)ᵀ P = Q R and v̇ = S Q (x₁, x₂): x₁ from Rᵀ x₁ = -b of the independent rows, and the multipliers drop out of
    G₂₂ x₂ = (Qᵀ S h)₂ - G₂₁ x₁,   G = Qᵀ S M S Q
C may have redundant rows and M may be singular, as long as G₂₂, the mass matrix on the null space of C, is not.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.active import call_terms
from linkwork.numerics.kernels.constrained.projection import explain_mass, factor_constraints, hold_rank, range_part
from linkwork.numerics.kernels.constrained.reduction import solve_on_basis, solve_together
from linkwork.numerics.kernels.constrained.sparse_factors import load_right, write_tangents
from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.sparse_terms import spread_mass
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import apply_q, apply_q_transposed, congruence, solve_symmetric
from linkwork.numerics.kernels.linear.sparse_lu import solve_rows


@kernel
def evaluate_terms(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """Evaluate the terms; q̇ and ṡ go to their places in ẏ."""
    nq, nv, ns = ws.nq, ws.nv, ws.ns
    call_terms(t, y, ws)
    ydot[:nq] = ws.qdot[:nq]
    ydot[nq + nv : nq + nv + ns] = ws.sdot[:ns]
    return 0


@kernel
def reduce_to_null_space(rank: int, ws: Workspace) -> None:
    """G and the right-hand side of x₂, which goes to x[rank:]; x[:rank] holds x₁."""
    nv, h, mass = ws.nv, ws.h, ws.inertia
    scale, x, g = ws.scale, ws.x, ws.mass
    a, tau, load = ws.factors, ws.tau, ws.bias
    for j in range(nv):
        load[j] = scale[j] * h[j]
        g[j * nv : (j + 1) * nv] = scale[:nv] * mass[j * nv : (j + 1) * nv] * scale[j]
    congruence(a, nv, rank, tau, g)
    apply_q_transposed(a, nv, rank, tau, load)
    for i in range(rank, nv):
        x[i] = load[i]
        for j in range(rank):
            x[i] -= g[i + j * nv] * x[j]


@kernel
def solve_on_tangents(vdot: Floats, s: SparseSystem, ws: Workspace) -> Code:
    """v̇ (nv) from the terms and the sparse factors at hand: on the directions in which free coordinates go."""
    nv, rank = ws.nv, ws.rank
    scale, bias, basis = ws.scale, ws.bias, ws.basis
    write_tangents(rank, basis, s)
    for l in range(nv - rank):
        basis[l * nv : (l + 1) * nv] *= scale[:nv]
    load_right(ws.b, s, ws)
    bias[:nv] = 0.0
    solve_rows(rank, s.right, bias, s.rows)
    bias[:nv] *= scale[:nv]
    failed = solve_on_basis(vdot, ws)
    return explain_mass(-1, ws.reduced[failed * (nv - rank + 1)], ws) if failed >= 0 else 0


@kernel
def solve_null_space(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms at hand."""
    nv = ws.nv
    factor_constraints(ws.terms_c, ws)
    code = hold_rank(ws)
    if code < 0:
        return code
    if ws.at_hand == 1:
        return 0 if solve_together(vdot, ws) == 0 else solve_on_tangents(vdot, ws.sparse, ws)
    rank = ws.rank
    if ws.entrywise == 1:
        spread_mass(ws.sparse, ws)
    range_part(ws.b, rank, ws)
    reduce_to_null_space(rank, ws)
    k = nv - rank
    x, g, reduced = ws.x, ws.mass, ws.reduced
    for j in range(k):
        reduced[j * k : (j + 1) * k] = g[rank + (rank + j) * nv : rank + (rank + j) * nv + k]
    failed = solve_symmetric(reduced, k, ws.product, ws.choice, ws.row_scale, at(x, rank))
    if failed >= 0:
        return explain_mass(-1, reduced[failed * (k + 1)], ws)
    apply_q(ws.factors, nv, rank, ws.tau, x)
    vdot[:nv] = ws.scale[:nv] * x[:nv]
    return 0
