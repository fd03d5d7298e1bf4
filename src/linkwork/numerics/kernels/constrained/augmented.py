"""Accelerations by penalties, corrected by multipliers until the conditions hold.

    (M + Cᵀ α C) v̇ = h − Cᵀ (α b + λ*),   λ* ← λ* + α (C v̇ + b)

b contains the terms that damp errors of position and velocity. Without iterations this is the penalty method. The matrix
is positive definite as long as M is on the null space of C, whatever the rank of C: redundant conditions and singular
positions make no difference.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, explain_mass, move, settle
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import (
    add_product,
    factor_cholesky,
    factor_lu,
    solve_lu,
    solve_upper,
    solve_upper_transposed,
)

RETURNS = 5  # most corrections of positions, and of velocities, after a step
LONGEST = 0.01  # correction; more would be another branch
NEGLIGIBLE = 1e-12


@kernel
def penalise(ws: Workspace) -> None:
    """MASS and MASS_FACTOR <- M + Cᵀ α C from the terms at hand."""
    nv, m, c, alpha, active = ws.nv, ws.m, ws.terms_c, ws.penalty, ws.active
    a, copy = ws.mass, ws.mass_factor
    a[: nv * nv] = ws.inertia[: nv * nv]
    for r in range(m):
        # most elements of a row are zero
        for j in range(nv):
            if c[r + j * m] != 0.0:
                for i in range(nv):
                    if c[r + i * m] != 0.0:
                        a[i + j * nv] += c[r + i * m] * alpha[active[r]] * c[r + j * m]
    copy[: nv * nv] = a[: nv * nv]


@kernel
def factor_penalised(ws: Workspace) -> int:
    """Factor the matrix: Cholesky in MASS, else LU in MASS_FACTOR. Returns 0, 1 for LU, -1 - column where it fails."""
    nv = ws.nv
    if factor_cholesky(ws.mass, nv) < 0:
        return 0
    failed = factor_lu(ws.mass_factor, nv, ws.choice, ws.row_scale, 1e-13)
    return 1 if failed < 0 else -1 - failed


@kernel
def solve_penalised(by_lu: int, x: Floats, ws: Workspace) -> None:
    """x <- A⁻¹ x with the factors at hand."""
    nv = ws.nv
    if by_lu == 1:
        solve_lu(ws.mass_factor, nv, ws.choice, x)
    else:
        solve_upper_transposed(ws.mass, nv, nv, x)
        solve_upper(ws.mass, nv, nv, x)


@kernel
def raise_multipliers(x: Floats, ws: Workspace) -> float:
    """λ* <- λ* + α (C v̇ + b). Returns the largest change of the residual force, as a part of all forces."""
    nv, m, b, c = ws.nv, ws.m, ws.b, ws.terms_c
    alpha, active, multipliers = ws.penalty, ws.active, ws.multipliers
    change, size = 0.0, 0.0
    for r in range(m):
        residual = b[r]
        for j in range(nv):
            residual += c[r + j * m] * x[j]
        multipliers[r] += alpha[active[r]] * residual
        change = max(change, abs(alpha[active[r]] * residual))
        size = max(size, abs(multipliers[r]))
    return change / size if size > 0.0 else 0.0


@kernel
def load_penalised(x: Floats, ws: Workspace) -> None:
    """x <- h − Cᵀ (α b + λ*)."""
    nv, m, h, b, c = ws.nv, ws.m, ws.h, ws.b, ws.terms_c
    alpha, active, multipliers = ws.penalty, ws.active, ws.multipliers
    for j in range(nv):
        total = h[j]
        for r in range(m):
            total -= c[r + j * m] * (alpha[active[r]] * b[r] + multipliers[r])
        x[j] = total


@kernel
def solve_augmented(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms at hand; at most LIMIT corrections, until they are below the tolerance or cease to shrink."""
    m = ws.m
    multipliers = ws.multipliers
    penalise(ws)
    by_lu = factor_penalised(ws)
    if by_lu < 0:
        return explain_mass(-1, 0.0, ws)
    multipliers[:m] = 0.0
    load_penalised(vdot, ws)
    solve_penalised(by_lu, vdot, ws)
    count = 0
    change, last = 1.0, 2.0
    while count < ws.limit and change > ws.tolerance and change < last:
        last = change if count > 0 else 2.0
        change = raise_multipliers(vdot, ws)
        load_penalised(vdot, ws)
        solve_penalised(by_lu, vdot, ws)
        count += 1
    ws.iterations += count
    ws.evaluations += 1
    ws.most = max(ws.most, count)
    if ws.limit > 0 and change > ws.tolerance and change < last:
        ws.fallbacks += 1
    return 0


@kernel
def push_back(residual: Floats, ws: Workspace) -> float:
    """X <- δ of (M + Cᵀ α C) δ = −Cᵀ α residual, from the terms at hand. Returns its size over the scale, or −1."""
    nv, m, c = ws.nv, ws.m, ws.terms_c
    alpha, active, x, scale = ws.penalty, ws.active, ws.x, ws.scale
    penalise(ws)
    by_lu = factor_penalised(ws)
    if by_lu < 0:
        return -1.0
    size = 0.0
    for j in range(nv):
        x[j] = 0.0
        for r in range(m):
            x[j] -= c[r + j * m] * alpha[active[r]] * residual[r]
    solve_penalised(by_lu, x, ws)
    for j in range(nv):
        size = max(size, abs(x[j]) / scale[j])
    return size


@kernel
def return_state(t: float, y: Floats, ws: Workspace) -> Code:
    """Return q and v to their conditions in the metric of the mass, as far as the penalties can. Returns 1: it has moved."""
    nq, nv, m = ws.nq, ws.nv, ws.m
    phi, v, x, step = ws.closure_out, at(y, nq), ws.x, ws.step
    rates, c = ws.rates_out, at(ws.closure_out, m)
    moved, size = settle(t, y, ws), 0.0
    for _ in range(RETURNS):
        evaluate_closure(t, y, ws)
        evaluate_terms(t, y, rates, ws)
        size = push_back(phi, ws)
        if size < 0.0 or size > LONGEST:
            return explain_mass(-1, size, ws)
        step[:nv] = x[:nv]
        move(t, y, step, ws)
        moved = max(moved, size)
        if size < NEGLIGIBLE:
            break
    evaluate_closure(t, y, ws)
    evaluate_terms(t, y, rates, ws)
    slip = at(c, m * nv)
    for _ in range(RETURNS):
        phi[:m] = slip[:m]
        add_product(c, m, nv, v, phi)
        size = push_back(phi, ws)
        v[:nv] += x[:nv]
        moved = max(moved, size)
        if size < NEGLIGIBLE:
            break
    return 1 if moved > NEGLIGIBLE else 0
