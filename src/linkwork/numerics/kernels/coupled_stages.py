"""The stages of a step found at once: Newton's method on all of them, for any equations F(t, y, k) = 0.

With the increments z_i = h Σ_j a_ij k_j and W = A⁻¹ the stages satisfy F(t + c_i h, y + z_i, h⁻¹ Σ_j w_ij z_j) = 0. An
iteration with F_y and F_k of one state is

    F_y δ_i + h⁻¹ Σ_j w_ij F_k δ_j = −F_i,   z_i ← z_i + δ_i

and with δ = T x, T⁻¹ W T = diag(γ⁻¹, [α β; −β α]), it becomes a real system F_y + F_k / (hγ) and complex ones
F_y + h⁻¹ (α − iβ) F_k for x₁ + i x₂ (Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8).
``c``, ``r``: control blocks; ``m``, ``x``: memory of the family; ``ic``, ``w``: that of the solver (``newton.py``),
which holds F_y, F_k and the factors of the real system.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import coupled_slots as own
from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.kernels.calling import at, call_residual, doubles, integers, kernel
from linkwork.numerics.kernels.complex_linear import factor_complex_lu, solve_complex_lu
from linkwork.numerics.kernels.linear import HUGE
from linkwork.numerics.kernels.newton import (
    ANEW,
    SLOW,
    convergence,
    factor,
    judge,
    most_iterations,
    solve_factored,
    take_tangent,
    weighted_size,
)

RETURNING = 1.5  # rate of the second iteration that is not given up
SOONEST = 1e-3  # rate that two corrections may tell: the first one is long and straight, what bends comes behind it
AT_ONCE = 0.01  # rate that is assumed where one iteration was enough
MORE = 3  # iterations for each stage above three
SAME = 1e-6  # relative change of the step that needs no other matrix


# --- the matrices ----------------------------------------------------------------------------------------------------


@kernel("int32(double h, int64* m, double* x, int64* ic, double* w)")
def factor_pairs(h, m, x, ic, w):
    """Factors of F_y + h⁻¹ (α − iβ) F_k for each pair."""
    n = ic[slots.SIZE]
    fy, fk, spectrum = at(w, ic[slots.FY]), at(w, ic[slots.FK]), at(x, m[own.SPECTRUM])
    for pair in range(m[own.COUNT] // 2):
        real = at(x, m[own.COMPLEX] + 2 * pair * n * n)
        imaginary = at(real, n * n)
        alpha, beta = spectrum[2 * pair] / h, spectrum[2 * pair + 1] / h
        for i in range(n * n):
            real[i] = fy[i] + alpha * fk[i]
            imaginary[i] = -beta * fk[i]
        ic[slots.FACTORISATIONS] += 1
        if factor_complex_lu(real, imaginary, n, at(m, m[own.PIVOTS] + pair * n), at(x, m[own.SCALE])) >= 0:
            return slots.SINGULAR
    return 0


@kernel("int32(int64* c, double h, int64* m, double* x)")
def factor_all(c, h, m, x):
    """The factors for this step, from F_y and F_k."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    m[own.FACTORED] = 0
    x[own.FACTORED_STEP] = h
    code = 0
    if m[own.COUNT] % 2 == 1 or c[slot.ADAPTIVE] == 1:
        code = factor(h * x[own.GAMMA], h * x[own.GAMMA], ic, w)
    if code >= 0:
        code = factor_pairs(h, m, x, ic, w)
    if code >= 0:
        m[own.FACTORED] = 1
    return code


@kernel("int32(int64* c, double* r, double h, int64* m, double* x)")
def prepare(c, r, h, m, x):
    """F_y and F_k where they are not known, and the factors for this step."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    if ic[slots.KNOWN] == 0:
        code = take_tangent(r[slot.TIME], doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), ic, w)
        if code < 0:
            return code
        m[own.FRESH] = 1
        m[own.FACTORED] = 0
        w[slots.RATE] = 1.0
        w[slots.ASSUMED] = 1.0
    if m[own.FACTORED] == 1 and abs(h - x[own.FACTORED_STEP]) <= SAME * h:
        return 0
    return factor_all(c, h, m, x)


# --- Newton's method -------------------------------------------------------------------------------------------------


@kernel("void(int64* c, double h, int64* m, double* x)")
def predict(c, h, m, x):
    """First increments, from the polynomial of the last step: z_i = h₁ Σ_j k_j (P_j(1 + c_i h/h₁) − P_j(1))."""
    n, s = c[slot.STATES], m[own.COUNT]
    z, last, polynomial = at(x, m[own.INCREMENTS]), at(x, m[own.LAST]), at(x, m[own.POLYNOMIAL])
    for i in range(s * n):
        z[i] = 0.0
    if x[own.LAST_STEP] == 0.0:
        return
    for i in range(s):
        theta = 1.0 + doubles(c[slot.NODES])[i + 1] * h / x[own.LAST_STEP]
        row = at(z, i * n)
        for j in range(s):
            value = 0.0
            end = 0.0
            for q in range(s - 1, -1, -1):
                value = (value + polynomial[j * s + q]) * theta
                end += polynomial[j * s + q]
            weight = x[own.LAST_STEP] * (value - end)
            for l in range(n):
                row[l] += weight * last[j * n + l]


@kernel("void(int64 s, int64 n, double factor, double* matrix, double* given, double* out)", vectorise=True)
def mix(s, n, factor, matrix, given, out):
    """out_i = factor Σ_j matrix_ij given_j of s vectors (n)."""
    for i in range(s):
        row = at(out, i * n)
        for l in range(n):
            row[l] = 0.0
        for j in range(s):
            weight = factor * matrix[i * s + j]
            for l in range(n):
                row[l] += weight * given[j * n + l]


@kernel("void(int64* c, double h, int64* m, double* x)")
def set_rates(c, h, m, x):
    """k_i = h⁻¹ Σ_j w_ij z_j."""
    n, z = c[slot.STATES], at(x, m[own.INCREMENTS])
    mix(m[own.COUNT], n, 1.0 / h, at(x, m[own.INVERSE]), z, at(doubles(c[slot.DERIVATIVES]), n))


@kernel("int32(int64* c, double* r, double h, int64* m, double* x, int64* ic)")
def residuals(c, r, h, m, x, ic):
    """k_i of the increments at hand, and F_i in CORRECTIONS."""
    n, s = c[slot.STATES], m[own.COUNT]
    y, state, k = doubles(c[slot.STATE]), doubles(c[slot.SCRATCH]), at(doubles(c[slot.DERIVATIVES]), n)
    z, found = at(x, m[own.INCREMENTS]), at(x, m[own.CORRECTIONS])
    equations, work = integers(ic[slots.INTEGERS]), doubles(ic[slots.NUMBERS])
    set_rates(c, h, m, x)
    for i in range(s):
        for l in range(n):
            state[l] = y[l] + z[i * n + l]
        t = r[slot.TIME] + doubles(c[slot.NODES])[i + 1] * h
        c[slot.EVALUATIONS] += 1
        code = call_residual(ic[slots.RESIDUAL], t, state, at(k, i * n), at(found, i * n), equations, work)
        if code < 0:
            return code
    return 0


@kernel("void(int64 n, int64* m, double* x, int64* ic, double* w)")
def solve_blocks(n, m, x, ic, w):
    """The systems of the transformed corrections."""
    s = m[own.COUNT]
    first = s % 2
    rows = at(x, m[own.TRANSFORMED])
    if first == 1:
        solve_factored(rows, ic, w)
    for pair in range(s // 2):
        real = at(x, m[own.COMPLEX] + 2 * pair * n * n)
        place = at(rows, (first + 2 * pair) * n)
        solve_complex_lu(real, at(real, n * n), n, at(m, m[own.PIVOTS] + pair * n), place, at(place, n))


@kernel("double(int64* c, double* r, double h, int64* m, double* x)")
def correct_stages(c, r, h, m, x):
    """One iteration. Returns the weighted size of the corrections, < 0: failure."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    n, s = c[slot.STATES], m[own.COUNT]
    code = residuals(c, r, h, m, x, ic)
    if code < 0:
        return float(code)
    c[slot.ITERATIONS] += 1
    corrections, z = at(x, m[own.CORRECTIONS]), at(x, m[own.INCREMENTS])
    mix(s, n, -1.0, at(x, m[own.BACK]), corrections, at(x, m[own.TRANSFORMED]))
    solve_blocks(n, m, x, ic, w)
    mix(s, n, 1.0, at(x, m[own.TRANSFORM]), at(x, m[own.TRANSFORMED]), corrections)
    total = 0.0
    for i in range(s):
        total += weighted_size(h, at(corrections, i * n), doubles(c[slot.STATE]), 0, ic, w) ** 2
    size = math.sqrt(total / s)
    if not size < HUGE:
        return float(SLOW)
    for i in range(s * n):
        z[i] += corrections[i]
    return size


@kernel("int64(int64* c, double* r, double h, int64* m, double* x)")
def iterate(c, r, h, m, x):
    """Iterate with the matrices at hand. Returns the iterations, < 0: failure.

    Where F_k depends on the state, corrections of algebraic unknowns shrink in every other iteration only: rates are
    those of two iterations, and the second one may be as large as the first. Where the first correction is the last one,
    there is no rate, and nothing that should keep the next step short.
    """
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    before, last, limit = 0.0, 0.0, most_iterations(ic) + MORE * max(m[own.COUNT] - 3, 0)
    for count in range(limit):
        size = correct_stages(c, r, h, m, x)
        if size < 0.0:
            return int(size)
        if size == 0.0:
            w[slots.RATE] = 0.0
            return count + 1
        rate = convergence(size, last if count < 2 else math.sqrt(before * size), count, ic, w)
        if count == 1 and ic[slots.ALGEBRAIC] == 1:
            rate = max(rate, SOONEST)
        verdict = judge(size, rate, limit - 1 - count if count > 0 else limit, ic, w)
        if verdict == 1:
            w[slots.RATE] = w[slots.RATE] if count > 0 else min(w[slots.RATE], AT_ONCE)
            return count + 1
        if verdict < 0 and (count > 1 or (count == 1 and rate > RETURNING)):
            return SLOW
        before, last = last, size
    return SLOW


@kernel("int64(int64* c, double* r, double h, int64* m, double* x)")
def iterate_anew(c, r, h, m, x):
    """Iterate with the derivatives of the middle stage at every iterate, for steps of fixed size that leave no other way."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    n, middle, last = c[slot.STATES], m[own.COUNT] // 2, 0.0
    y, z, state = doubles(c[slot.STATE]), at(x, m[own.INCREMENTS] + middle * n), doubles(c[slot.SCRATCH])
    predict(c, h, m, x)
    for count in range(ANEW):
        set_rates(c, h, m, x)
        for i in range(n):
            state[i] = y[i] + z[i]
        t = r[slot.TIME] + doubles(c[slot.NODES])[middle + 1] * h
        code = take_tangent(t, state, at(doubles(c[slot.DERIVATIVES]), (middle + 1) * n), ic, w)
        if code >= 0:
            code = factor_all(c, h, m, x)
        if code < 0:
            return code
        size = correct_stages(c, r, h, m, x)
        if size < 0.0:
            return int(size)
        if size == 0.0 or (count > 0 and judge(size, size / last, ANEW * ANEW, ic, w) == 1):
            return count + 1
        last = size
    return SLOW


@kernel("int32(int64* c, double* r, double h, int64* m, double* x)")
def find_stages(c, r, h, m, x):
    """Increments and derivatives of all stages, with derivatives of the start where older ones do not serve."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    while True:
        predict(c, h, m, x)
        code = prepare(c, r, h, m, x)
        if code < 0:
            return code
        count = iterate(c, r, h, m, x)
        if count == SLOW and m[own.FRESH] == 1 and ic[slots.CONSTANT] == 1:
            count = iterate_anew(c, r, h, m, x)
            w[slots.RATE] = 1.0
        if count >= 0:
            set_rates(c, h, m, x)
            return 0
        ic[slots.KNOWN] = 0
        if m[own.FRESH] == 1:
            ic[slots.FAILURES] += 1
            return slots.NOT_CONVERGED if count == SLOW else count
