"""Differential and algebraic equations F(t, z, ż) = 0 of constrained systems: residual, tangent, start and refresh.

z = [q, v, s, λ, ...]: behind the multipliers stand unknowns that are zero in the solution (``equations/
differential_algebraic.py``). The compiled functions know v̇ but not q̇ and ṡ, which enter with the factor 1:

    residual: (t, [z, v̇], p) → F less q̇ and ṡ
    tangent:  (t, [z, v̇], p) → entries of ∂F/∂[z, v̇], whose places are listed

Where conditions depend on each other, only independent ones are asked for: the row of another is λ = λ of the last step, or
μ = 0. Which ones they are is chosen by the pivots of (C S)ᵀ at states that satisfy the conditions, and those in use have
preference, lest multipliers wander from row to row.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control, slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, integers, kernel
from linkwork.numerics.kernels.canonical import impulses
from linkwork.numerics.kernels.constrained import NEGLIGIBLE, project
from linkwork.numerics.kernels.linear import HUGE, factor_qr_first, largest
from linkwork.numerics.kernels.multipliers import evaluate_terms, solve_null_space
from linkwork.numerics.kernels.projection import evaluate_closure, fail, reframe, settle, weigh_rows

PREFERENCE = 0.1  # length of rows that are not in use, beside those that are


@kernel("void(double t, double* z, double* k, int64* ic, double* w)")
def fill_arguments(t, z, k, ic, w):
    """DAE_IN <- [z, v̇]."""
    n, nq, given = ic[slots.DAE_SIZE], ic[slots.NQ], at(w, ic[slots.DAE_IN])
    for i in range(n):
        given[i] = z[i]
    for i in range(ic[slots.NV]):
        given[n + i] = k[nq + i]


@kernel("int32(double t, double* z, double* k, double* f, int64* ic, double* w)")
def residual(t, z, k, f, ic, w):
    """F(t, z, k) (n)."""
    nq, ns, m, n = ic[slots.NQ], ic[slots.NS], ic[slots.M], ic[slots.DAE_SIZE]
    first, own = nq + ic[slots.NV] + ns, nq + ic[slots.NV]
    fill_arguments(t, z, k, ic, w)
    call_model(ic[slots.DAE_RESIDUAL], t, at(w, ic[slots.DAE_IN]), doubles(ic[slots.PARAMETERS]), f)
    for i in range(nq):
        f[i] += k[i]
    for i in range(own, first):
        f[i] += k[i]
    rows, held = at(ic, ic[slots.ROWS]), at(w, ic[slots.FIRST_MULTIPLIERS])
    for i in range(max(ic[slots.RANK], 0), m):
        f[first + rows[i]] = z[first + rows[i]] - held[rows[i]]
        if rows[i] < ic[slots.DAE_STABILISED]:
            f[first + m + rows[i]] = z[first + m + rows[i]]
    if largest(f, n) >= HUGE:
        return fail(slots.NOT_FINITE, -1, -1, HUGE, ic, w)
    return 0


@kernel("void(int64 row, int64 n, double* fz, double* fk)")
def hold(row, n, fz, fk):
    """The tangent of a row that asks for a given value of its own unknown."""
    for j in range(n):
        fz[row + j * n] = 0.0
        fk[row + j * n] = 0.0
    fz[row * (n + 1)] = 1.0


@kernel("int32(double t, double* z, double* k, double* fz, double* fk, int64* ic, double* w)")
def tangent(t, z, k, fz, fk, ic, w):
    """∂F/∂z and ∂F/∂k (n, n)."""
    nq, ns, m, n = ic[slots.NQ], ic[slots.NS], ic[slots.M], ic[slots.DAE_SIZE]
    first, own = nq + ic[slots.NV] + ns, nq + ic[slots.NV]
    entries, places = at(w, ic[slots.DAE_ENTRIES]), integers(ic[slots.DAE_PLACES])
    fill_arguments(t, z, k, ic, w)
    call_model(ic[slots.DAE_TANGENT], t, at(w, ic[slots.DAE_IN]), doubles(ic[slots.PARAMETERS]), entries)
    for i in range(n * n):
        fz[i] = 0.0
        fk[i] = 0.0
    for e in range(ic[slots.DAE_COUNT]):
        if places[e] < n * n:
            fz[places[e]] = entries[e]
        else:
            fk[places[e] - n * n] = entries[e]
    for i in range(nq):
        fk[i * (n + 1)] = 1.0
    for i in range(own, first):
        fk[i * (n + 1)] = 1.0
    rows = at(ic, ic[slots.ROWS])
    for i in range(max(ic[slots.RANK], 0), m):
        hold(first + rows[i], n, fz, fk)
        if rows[i] < ic[slots.DAE_STABILISED]:
            hold(first + m + rows[i], n, fz, fk)
    if largest(entries, ic[slots.DAE_COUNT]) >= HUGE:
        return fail(slots.NOT_FINITE, -1, -1, HUGE, ic, w)
    return 0


@kernel("int32(double t, double* z, double* zdot, int64* ic, double* w)")
def flow(t, z, zdot, ic, w):
    """ż of a state that satisfies its conditions; zero where a state has no equation of its own."""
    for i in range(ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.DAE_SIZE]):
        zdot[i] = 0.0
    evaluate_terms(t, z, zdot, ic, w)
    return solve_null_space(at(zdot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, double* z, int64* ic, double* w)")
def encode(t, y, z, ic, w):
    """z of a state that satisfies its conditions, with the multipliers of its accelerations, least ones where redundant."""
    nq, first, m = ic[slots.NQ], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.M]
    rates, found = at(w, ic[slots.RATES_OUT]), at(w, ic[slots.MULTIPLIERS])
    for i in range(ic[slots.DAE_SIZE]):
        z[i] = y[i] if i < first else 0.0
    w[slots.LAST_TIME] = t
    if m == 0:
        return 0
    evaluate_terms(t, y, rates, ic, w)
    code = solve_null_space(at(rates, nq), ic, w)
    if code < 0:
        return code
    pivots, rows, held = at(ic, ic[slots.PIVOTS]), at(ic, ic[slots.ROWS]), at(w, ic[slots.FIRST_MULTIPLIERS])
    impulses(at(rates, nq), found, ic, w)
    for r in range(m):
        rows[r] = pivots[r]
        z[first + r] = -found[r]
        held[r] = -found[r]
    return 0


@kernel("int32(double t, double* z, double* y, int64* ic, double* w)")
def decode(t, z, y, ic, w):
    """y from z."""
    for i in range(ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]):
        y[i] = z[i]
    return 0


@kernel("int32(double t, double* z, double* y, int64* ic, double* w)")
def decode_projection(t, z, y, ic, w):
    """y from z, returned to all conditions where that is possible; the steps go on from z."""
    decode(t, z, y, ic, w)
    if project(t, y, ic, w) < 0:
        decode(t, z, y, ic, w)
    return 0


@kernel("void(double t, double* z, int64* ic, double* w)")
def choose_rows(t, z, ic, w):
    """Independent rows where some depend on others, and the multipliers that the others keep.

    Output points lie behind the end of the last step: they do not touch the choice.
    """
    nv, m, first = ic[slots.NV], ic[slots.M], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    rows, held, pivots = at(ic, ic[slots.ROWS]), at(w, ic[slots.FIRST_MULTIPLIERS]), at(ic, ic[slots.PIVOTS])
    if ic[slots.RANK] >= m or t <= w[slots.LAST_TIME]:
        return
    w[slots.LAST_TIME] = t
    evaluate_closure(t, z, ic, w)
    c, scale, weights = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS])
    weigh_rows(c, ic, w)
    a = at(w, ic[slots.FACTORS])
    for i in range(ic[slots.RANK], m):
        weights[rows[i]] *= PREFERENCE
    for j in range(m):
        for i in range(nv):
            a[i + j * nv] = c[j + i * m] * scale[i] * weights[j]
    tau, norms = at(w, ic[slots.TAU]), at(w, ic[slots.NORMS])
    ic[slots.SERVED] = factor_qr_first(a, nv, m, ic[slots.HOLONOMIC], slots.RANK_TOLERANCE, pivots, tau, norms)
    for r in range(m):
        rows[r] = pivots[r]
        held[r] = z[first + r]


@kernel("int32(double t, double* z, int64* ic, double* w)")
def refresh(t, z, ic, w):
    """Positions return to their manifold, in charts away from their ends."""
    moved = settle(t, z, ic, w)
    changed = reframe(t, z, ic, w)
    choose_rows(t, z, ic, w)
    if changed == 1:
        return control.RESTART
    return 1 if moved > NEGLIGIBLE else 0


@kernel("int32(double t, double* z, int64* ic, double* w)")
def refresh_renewed(t, z, ic, w):
    """The same, with accelerations evaluated anew: those of a step of index 3 alternate, and that would pile up."""
    return max(refresh(t, z, ic, w), 1)


@kernel("int32(double t, double* z, int64* ic, double* w)")
def refresh_projection(t, z, ic, w):
    """The state returns to its conditions, with accelerations evaluated anew."""
    code = project(t, z, ic, w)
    if code < 0:
        return code
    changed = reframe(t, z, ic, w)
    choose_rows(t, z, ic, w)
    return control.RESTART if changed == 1 else 1


@kernel("int64(int64 count, double* t, double* y, double* z, int64* ic, double* w)")
def encode_samples(count, t, y, z, ic, w):
    """z (count, n) of states y that satisfy their conditions; undefined where that fails. Returns the failures."""
    failures, size, shown = 0, ic[slots.DAE_SIZE], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    for row in range(count):
        if encode(t[row], at(y, row * shown), at(z, row * size), ic, w) < 0:
            failures += 1
            for i in range(size):
                z[row * size + i] = math.nan
    return failures
