"""Equations of motion on the directions that the conditions admit: M' = TᵀM T, v̇ = T x + ξ, M' x = Tᵀ(h − M ξ)."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.sparse_saddle import solve_saddle
from linkwork.numerics.kernels.constrained.sparse_terms import multiply_mass
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.dense import dot, solve_symmetric

FEW = 6  # freedoms up to which directions for each of them are sooner found than factors of all


@kernel
def reduce_mass(mass: Floats, k: int, ws: Workspace) -> None:
    """reduced (k, k) <- Tᵀ M T, product (nv, k) <- M T."""
    nv = ws.nv
    basis, product, reduced = ws.basis, ws.product, ws.reduced
    for j in range(k):
        if ws.entrywise == 1:
            multiply_mass(mass, at(basis, j * nv), at(product, j * nv), ws.sparse)
        else:
            for i in range(nv):
                product[i + j * nv] = dot(at(mass, i * nv), at(basis, j * nv), nv)
        for i in range(j + 1):
            value = dot(at(basis, i * nv), at(product, j * nv), nv)
            reduced[i + j * k] = value
            reduced[j + i * k] = value


@kernel
def solve_together(vdot: Floats, ws: Workspace) -> int:
    """v̇ (nv) of many freedoms by the entries of M and C, with the rows of the factors at hand. Returns 0 where it is."""
    if ws.at_hand == 0 or ws.nv - ws.rank < FEW or ws.sparse.rows.rank != ws.rank:
        return 1
    return solve_saddle(vdot, ws.sparse, ws)


@kernel
def solve_on_basis(vdot: Floats, ws: Workspace) -> int:
    """v̇ (nv) from the terms, the basis and the bias at hand. Returns -1 or the failing column of M'."""
    nv, k = ws.nv, ws.nv - ws.rank
    h, bias, basis = ws.h, ws.bias, ws.basis
    reduce_mass(ws.sparse.inertia if ws.entrywise == 1 else ws.inertia, k, ws)
    x, product, reduced = ws.x, ws.product, ws.reduced
    for l in range(k):
        x[l] = dot(at(basis, l * nv), h, nv) - dot(at(product, l * nv), bias, nv)
    failed = solve_symmetric(reduced, k, ws.frame, ws.choice, ws.row_scale, x)
    if failed >= 0:
        return failed
    for i in range(nv):
        vdot[i] = bias[i]
        for l in range(k):
            vdot[i] += basis[i + l * nv] * x[l]
    return -1
