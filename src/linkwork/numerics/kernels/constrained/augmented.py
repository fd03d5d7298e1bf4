"""Accelerations by penalties, corrected by multipliers until the conditions hold.

    (M + Cᵀ α C) v̇ = h − Cᵀ (α b + λ*),   λ* ← λ* + α (C v̇ + b)

b contains the terms that damp errors of position and velocity. Without iterations this is the penalty method. The matrix
is positive definite as long as M is on the null space of C, whatever the rank of C: redundant constraints and singular
positions make no difference.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, explain_mass
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import (
    HUGE,
    add_product,
    factor_cholesky,
    factor_lu,
    largest,
    solve_lu,
    solve_upper,
    solve_upper_transposed,
)
from linkwork.numerics.kernels.linear.iteration import ASTRAY, SLOW, IterationPolicy, by_size, iterate

NEGLIGIBLE = 1e-12
SLOWED = IterationPolicy(limit=5, tolerance=NEGLIGIBLE)  # corrections of velocities after a step
BACK = IterationPolicy(
    limit=5, tolerance=NEGLIGIBLE, longest=0.01
)  # of positions; a longer one leads to another branch


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
    """Factor the matrix: Cholesky in MASS, else LU in MASS_FACTOR. Returns 0, or -1 - column where it fails."""
    ws.by_lu = 0 if factor_cholesky(ws.mass, ws.nv) < 0 else 1
    failed = factor_lu(ws.mass_factor, ws.nv, ws.choice, ws.row_scale, 1e-13) if ws.by_lu == 1 else -1
    return min(-1 - failed, 0)


@kernel
def factor_terms(ws: Workspace) -> Code:
    """Factors of M + Cᵀ α C from the terms at hand."""
    penalise(ws)
    return explain_mass(-1, 0.0, ws) if factor_penalised(ws) < 0 else 0


@kernel
def solve_penalised(x: Floats, ws: Workspace) -> None:
    """x <- A⁻¹ x with the factors at hand."""
    nv = ws.nv
    if ws.by_lu == 1:
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
def accelerate_penalised(x: Floats, ws: Workspace) -> None:
    """x <- v̇ of the multipliers and the factors at hand."""
    nv, m, h, b, c = ws.nv, ws.m, ws.h, ws.b, ws.terms_c
    alpha, active, multipliers = ws.penalty, ws.active, ws.multipliers
    for j in range(nv):
        total = h[j]
        for r in range(m):
            total -= c[r + j * m] * (alpha[active[r]] * b[r] + multipliers[r])
        x[j] = total
    solve_penalised(x, ws)


@kernel
def correct_multipliers(t: float, vdot: Floats, ws: Workspace) -> float:
    """One correction of the multipliers, and v̇ with them. Returns its size, as a part of all forces."""
    change = raise_multipliers(vdot, ws)
    accelerate_penalised(vdot, ws)
    return change


@kernel
def solve_augmented(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms at hand, corrected by multipliers as often as their policy says."""
    code = factor_terms(ws)
    if code < 0:
        return code
    ws.multipliers[: ws.m] = 0.0
    accelerate_penalised(vdot, ws)
    limit = ws.multiplier_policy.limit
    count = iterate(correct_multipliers, by_size, ws.multiplier_policy, 0.0, vdot, ws)
    if count == SLOW and limit > 0:
        ws.fallbacks += 1
    if count < 0:
        count = limit
    ws.iterations += count
    ws.evaluations += 1
    ws.most = max(ws.most, count)
    return 0


@kernel
def push_back(residual: Floats, ws: Workspace) -> float:
    """X <- δ of (M + Cᵀ α C) δ = −Cᵀ α residual, with the factors at hand. Returns its size over the scale."""
    nv, m, c = ws.nv, ws.m, ws.terms_c
    alpha, active, x, scale = ws.penalty, ws.active, ws.x, ws.scale
    size = 0.0
    for j in range(nv):
        x[j] = 0.0
        for r in range(m):
            x[j] -= c[r + j * m] * alpha[active[r]] * residual[r]
    solve_penalised(x, ws)
    for j in range(nv):
        size = max(size, abs(x[j]) / scale[j])
    size = HUGE if largest(x, nv) >= HUGE else size
    ws.correction = max(ws.correction, size)
    return size


@kernel
def factor_here(t: float, y: Floats, ws: Workspace) -> Code:
    """Closure, terms and factors at a state."""
    evaluate_closure(t, y, ws)
    evaluate_terms(t, y, ws.rates_out, ws)
    return factor_terms(ws)


@kernel
def push_positions(t: float, y: Floats, ws: Workspace) -> float:
    """One correction of the positions. Returns its size, < 0: failure."""
    code = factor_here(t, y, ws)
    if code < 0:
        return float(code)
    size = push_back(ws.phi, ws)
    move(t, y, ws.x, ws)
    return size


@kernel
def push_velocities(t: float, y: Floats, ws: Workspace) -> float:
    """One correction of the velocities, with closure and factors at hand; Φ is overwritten by Φ̇. Returns its size."""
    nv, m, v, rate = ws.nv, ws.m, at(y, ws.nq), ws.phi
    rate[:m] = ws.a[:m]
    add_product(ws.c, m, nv, v, rate)
    size = push_back(rate, ws)
    v[:nv] += ws.x[:nv]
    return size


@kernel
def return_state(t: float, y: Floats, ws: Workspace) -> Code:
    """Return q and v to their conditions in the metric of the mass, as far as the penalties can. Returns 1: it has moved."""
    ws.correction = settle(t, y, ws)
    code = iterate(push_positions, by_size, BACK, t, y, ws)
    if code >= SLOW:
        code = factor_here(t, y, ws)
    if code == 0:
        code = iterate(push_velocities, by_size, SLOWED, t, y, ws)
    if code == ASTRAY:
        astray = codes.NOT_FINITE if ws.correction >= HUGE else codes.POSITIONS_NOT_FOUND
        return fail(astray, -1, -1, ws.correction, ws)
    if code < ASTRAY:
        return code
    return 1 if ws.correction > NEGLIGIBLE else 0
