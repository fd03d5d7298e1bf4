"""Accelerations by penalties, corrected by multipliers until the conditions hold.

    (M + Cᵀ α C) v̇ = h − Cᵀ (α b + λ*),   λ* ← λ* + α (C v̇ + b)

b contains the terms that damp errors of position and velocity. Without iterations this is the penalty method. The matrix
is positive definite as long as M is on the null space of C, whatever the rank of C: redundant conditions and singular
positions make no difference.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.linear import (
    factor_cholesky,
    factor_lu,
    solve_lu,
    solve_upper,
    solve_upper_transposed,
)
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.projection import evaluate_closure, explain_mass, move, reframe, settle

RETURNS = 5  # most corrections of positions, and of velocities, after a step
LONGEST = 0.01  # correction; more would be another branch
NEGLIGIBLE = 1e-12


@kernel("void(int64* ic, double* w)")
def penalise(ic, w):
    """MASS and MASS_FACTOR <- M + Cᵀ α C from the terms at hand."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    mass = at(w, ic[slots.TERMS_OUT] + nq + ns + nv + m)
    c, alpha = at(mass, nv * nv), at(w, ic[slots.PENALTY])
    a, copy = at(w, ic[slots.MASS]), at(w, ic[slots.MASS_FACTOR])
    for i in range(nv * nv):
        a[i] = mass[i]
    for r in range(m):
        # most elements of a row are zero
        for j in range(nv):
            if c[r + j * m] != 0.0:
                for i in range(nv):
                    if c[r + i * m] != 0.0:
                        a[i + j * nv] += c[r + i * m] * alpha[r] * c[r + j * m]
    for i in range(nv * nv):
        copy[i] = a[i]


@kernel("int64(int64* ic, double* w)")
def factor_penalised(ic, w):
    """Factor the matrix: Cholesky in MASS, else LU in MASS_FACTOR. Returns 0, 1 for LU, -1 - column where it fails."""
    nv = ic[slots.NV]
    if factor_cholesky(at(w, ic[slots.MASS]), nv) < 0:
        return 0
    failed = factor_lu(at(w, ic[slots.MASS_FACTOR]), nv, at(ic, ic[slots.CHOICE]), at(w, ic[slots.ROW_SCALE]), 1e-13)
    return 1 if failed < 0 else -1 - failed


@kernel("void(int64 by_lu, double* x, int64* ic, double* w)")
def solve_penalised(by_lu, x, ic, w):
    """x <- A⁻¹ x with the factors at hand."""
    nv = ic[slots.NV]
    if by_lu == 1:
        solve_lu(at(w, ic[slots.MASS_FACTOR]), nv, at(ic, ic[slots.CHOICE]), x)
    else:
        solve_upper_transposed(at(w, ic[slots.MASS]), nv, nv, x)
        solve_upper(at(w, ic[slots.MASS]), nv, nv, x)


@kernel("double(double* x, int64* ic, double* w)")
def raise_multipliers(x, ic, w):
    """λ* <- λ* + α (C v̇ + b). Returns the largest change of the residual force, as a part of all forces."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    h = at(w, ic[slots.TERMS_OUT] + nq + ns)
    b = at(h, nv)
    c = at(b, m + nv * nv)
    alpha, multipliers = at(w, ic[slots.PENALTY]), at(w, ic[slots.MULTIPLIERS])
    change, size = 0.0, 0.0
    for r in range(m):
        residual = b[r]
        for j in range(nv):
            residual += c[r + j * m] * x[j]
        multipliers[r] += alpha[r] * residual
        change = max(change, abs(alpha[r] * residual))
        size = max(size, abs(multipliers[r]))
    return change / size if size > 0.0 else 0.0


@kernel("void(double* x, int64* ic, double* w)")
def load_penalised(x, ic, w):
    """x <- h − Cᵀ (α b + λ*)."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    h = at(w, ic[slots.TERMS_OUT] + nq + ns)
    b = at(h, nv)
    c = at(b, m + nv * nv)
    alpha, multipliers = at(w, ic[slots.PENALTY]), at(w, ic[slots.MULTIPLIERS])
    for j in range(nv):
        total = h[j]
        for r in range(m):
            total -= c[r + j * m] * (alpha[r] * b[r] + multipliers[r])
        x[j] = total


@kernel("int32(double* x, int64* ic, double* w)")
def solve_augmented(x, ic, w):
    """x (nv) from the terms at hand; at most LIMIT corrections, until they are below the tolerance or cease to shrink."""
    m = ic[slots.M]
    multipliers = at(w, ic[slots.MULTIPLIERS])
    penalise(ic, w)
    by_lu = factor_penalised(ic, w)
    if by_lu < 0:
        return explain_mass(-1, 0.0, ic, w)
    for r in range(m):
        multipliers[r] = 0.0
    load_penalised(x, ic, w)
    solve_penalised(by_lu, x, ic, w)
    count = 0
    change, last = 1.0, 2.0
    while count < ic[slots.LIMIT] and change > w[slots.TOLERANCE] and change < last:
        last = change if count > 0 else 2.0
        change = raise_multipliers(x, ic, w)
        load_penalised(x, ic, w)
        solve_penalised(by_lu, x, ic, w)
        count += 1
    ic[slots.ITERATIONS] += count
    ic[slots.EVALUATIONS] += 1
    ic[slots.MOST] = max(ic[slots.MOST], count)
    if ic[slots.LIMIT] > 0 and change > w[slots.TOLERANCE] and change < last:
        ic[slots.FALLBACKS] += 1
    return 0


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_augmented(t, y, ydot, ic, w):
    """ẏ of all coordinates."""
    evaluate_terms(t, y, ydot, ic, w)
    return solve_augmented(at(ydot, ic[slots.NQ]), ic, w)


@kernel("double(double* residual, int64* ic, double* w)")
def push_back(residual, ic, w):
    """X <- δ of (M + Cᵀ α C) δ = −Cᵀ α residual, from the terms at hand. Returns its size over the scale, or −1."""
    nv, m = ic[slots.NV], ic[slots.M]
    c = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + nv + m + nv * nv)
    alpha, x, scale = at(w, ic[slots.PENALTY]), at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    penalise(ic, w)
    by_lu = factor_penalised(ic, w)
    if by_lu < 0:
        return -1.0
    size = 0.0
    for j in range(nv):
        x[j] = 0.0
        for r in range(m):
            x[j] -= c[r + j * m] * alpha[r] * residual[r]
    solve_penalised(by_lu, x, ic, w)
    for j in range(nv):
        size = max(size, abs(x[j]) / scale[j])
    return size


@kernel("int32(double t, double* y, int64* ic, double* w)")
def return_state(t, y, ic, w):
    """Return q and v to their conditions in the metric of the mass, as far as the penalties can. Returns 1: it has moved."""
    nq, nv, m = ic[slots.NQ], ic[slots.NV], ic[slots.M]
    phi, v, x, step = at(w, ic[slots.CLOSURE_OUT]), at(y, nq), at(w, ic[slots.X]), at(w, ic[slots.STEP])
    rates, c = at(w, ic[slots.RATES_OUT]), at(w, ic[slots.CLOSURE_OUT] + m)
    moved, size = settle(t, y, ic, w), 0.0
    for _ in range(RETURNS):
        evaluate_closure(t, y, ic, w)
        evaluate_terms(t, y, rates, ic, w)
        size = push_back(phi, ic, w)
        if size < 0.0 or size > LONGEST:
            return explain_mass(-1, size, ic, w)
        for j in range(nv):
            step[j] = x[j]
        move(t, y, step, ic, w)
        moved = max(moved, size)
        if size < NEGLIGIBLE:
            break
    evaluate_closure(t, y, ic, w)
    evaluate_terms(t, y, rates, ic, w)
    slip = at(c, m * nv)
    for _ in range(RETURNS):
        for r in range(m):
            phi[r] = slip[r]
            for j in range(nv):
                phi[r] += c[r + j * m] * v[j]
        size = push_back(phi, ic, w)
        for j in range(nv):
            v[j] += x[j]
        moved = max(moved, size)
        if size < NEGLIGIBLE:
            break
    if reframe(t, y, ic, w) == 1:
        return RESTART
    return 1 if moved > NEGLIGIBLE else 0
