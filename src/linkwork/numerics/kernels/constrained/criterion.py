"""The projective criterion: which coordinates are the best independent ones.

Columns of T (nv, k) span the null space of C. With M' = TᵀM T = RᵀR and the frame F = R⁻ᵀTᵀ (k, nv), each column
divided by √(M⁻¹)_ii:

    cos²α_i = P_ii / (M⁻¹)_ii = ‖F_i‖²,   P = T M'⁻¹ Tᵀ

1: the constraints do not hinder coordinate i; 0: they hold it fixed. Once coordinate i is chosen, it joins the
constraints and the rest is projected again: P - P_i P_iᵀ / P_ii. That is one step of QR with column pivoting on F, and
the squared diagonal of its triangle is the sequence of criteria. The last one says how good the set is.

A coordinate that is light by itself and tied to heavy bodies has a large (M⁻¹)_ii, without bound where it has no inertia,
and counts as hindered though it moves as much as any other. So that not all others are preferred, near whatever dead centre
they are, the choice gives a coordinate at least its share of the motion that a push on it causes,

    (P_ii / s_i)² / max_j (P_ij / s_j)² / LIGHTEST

with the scales s of the coordinates: in F, (M⁻¹)_ii is replaced by what this bound needs.

Source: Blajer, Schiehlen, Schirm, "A projective criterion to the coordinate partitioning method for multibody
dynamics", section 3; cos²α_i is eq. (23 a). The repetition for more than one freedom, the QR form and the bound are ours.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.reduction import reduce_mass
from linkwork.numerics.kernels.constrained.sparse_mass import invert_sparse_diagonal, regularise_entries
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.dense import dot, factor_cholesky, factor_qr, solve_upper_transposed

LIGHTEST = 100.0  # how much more a coordinate may move freely than tied, before this counts no more


@kernel
def regularise_mass(mass: Floats, ws: Workspace) -> None:
    """Copy M with a trace of inertia added to each coordinate, so that it has an inverse."""
    nv = ws.nv
    if ws.entrywise == 1:
        regularise_entries(ws.sparse, ws)
        return
    scale, copy, factor = ws.scale, ws.mass, ws.mass_factor
    typical = 0.0
    for i in range(nv):
        typical = max(typical, mass[i + i * nv] * scale[i] * scale[i])
    for j in range(nv):
        copy[j * nv : (j + 1) * nv] = mass[j * nv : (j + 1) * nv]
        copy[j + j * nv] += codes.REGULARISATION * (mass[j + j * nv] + typical / (scale[j] * scale[j]))
    factor[: nv * nv] = copy[: nv * nv]


@kernel
def invert_diagonal(ws: Workspace) -> int:
    """cos2 <- diagonal of M⁻¹. Returns -1, or the coordinate at which M is not positive."""
    nv = ws.nv
    if ws.entrywise == 1:
        return invert_sparse_diagonal(ws.sparse, ws)
    factor, x, cos2 = ws.mass_factor, ws.x, ws.cos2
    failed = factor_cholesky(factor, nv)
    if failed >= 0:
        return failed
    for i in range(nv):
        x[:nv] = 0.0
        x[i] = 1.0
        solve_upper_transposed(at(factor, i + i * nv), nv, nv - i, at(x, i))
        cos2[i] = dot(at(x, i), at(x, i), nv - i)
    return -1


@kernel
def bound_freedom(k: int, ws: Workspace) -> None:
    """X <- (M⁻¹)_ii, or less for a coordinate that is light beside what it is tied to; the columns F_i give P = FᵀF."""
    nv, frame = ws.nv, ws.frame
    cos2, scale, x, widest = ws.cos2, ws.scale, ws.x, 0.0
    for j in range(nv if k == 1 else 0):
        widest = max(widest, abs(frame[j]) / scale[j])
    for i in range(nv):
        own, farthest = dot(at(frame, i * k), at(frame, i * k), k), 0.0
        x[i] = cos2[i]
        # what the bound asks for is never less than this, as a push moves the coordinate itself
        if own > 0.0 and cos2[i] > LIGHTEST * own:
            farthest = abs(frame[i * k]) * widest  # of one freedom, whose products are those of numbers
            for j in range(nv if k > 1 else 0):
                farthest = max(farthest, abs(dot(at(frame, i * k), at(frame, j * k), k)) / scale[j])
            x[i] = min(x[i], LIGHTEST * (scale[i] * farthest) * (scale[i] * farthest) / own)


@kernel
def build_frame(mass: Floats, k: int, ws: Workspace) -> int:
    """F and cos²α from M and the basis T. Returns -1, or a column where a mass matrix is not positive."""
    nv = ws.nv
    regularise_mass(mass, ws)
    failed = invert_diagonal(ws)
    if failed >= 0:
        return failed
    reduce_mass(ws.sparse.mass.values if ws.entrywise == 1 else ws.mass, k, ws)
    basis, reduced = ws.basis, ws.reduced
    frame, cos2, x = ws.frame, ws.cos2, ws.x
    failed = factor_cholesky(reduced, k)
    if failed >= 0:
        return failed
    for i in range(nv):
        column = at(frame, i * k)
        for j in range(k):
            column[j] = basis[i + j * nv]
        solve_upper_transposed(reduced, k, k, column)
    bound_freedom(k, ws)
    for i in range(nv):
        column = at(frame, i * k)
        cos2[i] = dot(column, column, k) / cos2[i]
        for j in range(k):
            column[j] /= math.sqrt(x[i])
    return -1


@kernel
def worst_criterion(k: int, count: int, ws: Workspace) -> float:
    """Criterion of the last of k coordinates taken greedily among the first *count* of ORDER; they go to CHOICE."""
    frame, a = ws.frame, ws.product
    order, choice = ws.order, ws.choice
    for j in range(count):
        for i in range(k):
            a[i + j * k] = frame[i + order[j] * k]
    factor_qr(a, k, count, choice, ws.tau, ws.norms)
    for j in range(k):
        choice[j] = order[choice[j]]
    return a[k * k - 1] * a[k * k - 1]
