"""Methods of collocation: Newton's method on all stages of a step at once, for any equations F(t, y, k) = 0.

With the increments z_i = h Σ_j a_ij k_j and W = A⁻¹ the stages satisfy F(t + c_i h, y + z_i, h⁻¹ Σ_j w_ij z_j) = 0. An
iteration with F_y and F_k of one state is

    F_y δ_i + h⁻¹ Σ_j w_ij F_k δ_j = −F_i,   z_i ← z_i + δ_i

and with δ = T x, T⁻¹ W T = diag(γ⁻¹, [α β; −β α]), it becomes a real system F_y + F_k / (hγ) and complex ones
F_y + h⁻¹ (α − iβ) F_k for x₁ + i x₂ (Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8,
where also the estimate of the error and the control of the step come from). ``c``, ``r``: control blocks; ``m``,
``x``: memory of the family; ``ic``, ``w``: that of the solver (``newton.py``), which holds F_y, F_k and the factors of
the real system.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import coupled_slots as own
from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.kernels.calling import at, call_residual, doubles, integers, kernel
from linkwork.numerics.kernels.complex_linear import factor_complex_lu, solve_complex_lu
from linkwork.numerics.kernels.linear import HUGE, add_multiple
from linkwork.numerics.kernels.newton import (
    SLOW,
    factor,
    judge,
    most_iterations,
    solve_factored,
    take_tangent,
    weighted_size,
)
from linkwork.numerics.kernels.runge_kutta import interpolate as interpolate_stages
from linkwork.numerics.kernels.stages import check_finite, combine, evaluate, level_weight

SAME = 1e-6  # relative change of the step that needs no other matrix
LASTING = 0.01  # rate of convergence up to which the derivatives are kept
SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 0.2, 8.0
KEPT = 1.2  # growth of the step that is not worth another factorisation


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
    if m[own.FACTORED] == 1 and abs(h - x[own.FACTORED_STEP]) <= SAME * h:
        return 0
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


@kernel("int32(int64* c, double* r, double h, int64* m, double* x, int64* ic)")
def residuals(c, r, h, m, x, ic):
    """k_i of the increments at hand, and F_i in CORRECTIONS."""
    n, s = c[slot.STATES], m[own.COUNT]
    y, state, k = doubles(c[slot.STATE]), doubles(c[slot.SCRATCH]), at(doubles(c[slot.DERIVATIVES]), n)
    z, found = at(x, m[own.INCREMENTS]), at(x, m[own.CORRECTIONS])
    equations, work = integers(ic[slots.INTEGERS]), doubles(ic[slots.NUMBERS])
    mix(s, n, 1.0 / h, at(x, m[own.INVERSE]), z, k)
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
        total += weighted_size(h, at(corrections, i * n), doubles(c[slot.STATE]), ic, w) ** 2
    size = math.sqrt(total / s)
    if not size < HUGE:
        return float(SLOW)
    for i in range(s * n):
        z[i] += corrections[i]
    return size


@kernel("int64(int64* c, double* r, double h, int64* m, double* x)")
def iterate(c, r, h, m, x):
    """Iterate with the matrices at hand. Returns the iterations, < 0: failure."""
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    last, limit = 0.0, most_iterations(ic)
    for count in range(limit):
        size = correct_stages(c, r, h, m, x)
        if size < 0.0:
            return int(size)
        if size == 0.0:
            return count + 1
        rate = size / last if count > 0 else min(max(w[slots.RATE], 1e-16), 0.9) ** 0.8
        w[slots.RATE] = rate
        verdict = judge(size, rate, limit - 1 - count if count > 0 else limit, ic, w)
        if verdict != 0 and (count > 0 or verdict == 1):
            return count + 1 if verdict == 1 else SLOW
        last = size
    return SLOW


@kernel("int32(int64* c, double* r, double h, int64* m, double* x)")
def find_stages(c, r, h, m, x):
    """Increments and derivatives of all stages, with derivatives of the start where older ones do not serve."""
    ic = integers(c[slot.SOLVER_INTEGERS])
    while True:
        predict(c, h, m, x)
        code = prepare(c, r, h, m, x)
        if code < 0:
            return code
        count = iterate(c, r, h, m, x)
        if count >= 0:
            mix(
                m[own.COUNT],
                c[slot.STATES],
                1.0 / h,
                at(x, m[own.INVERSE]),
                at(x, m[own.INCREMENTS]),
                at(doubles(c[slot.DERIVATIVES]), c[slot.STATES]),
            )
            return 0
        if m[own.FRESH] == 1:
            ic[slots.FAILURES] += 1
            return slots.NOT_CONVERGED if count == SLOW else count
        ic[slots.KNOWN] = 0


# --- the error -------------------------------------------------------------------------------------------------------


@kernel("double(int64* c, double* r, double h, double* e)")
def norm(c, r, h, e):
    """Root mean square of an error e (n) in units of the tolerances."""
    n, total = c[slot.STATES], 0.0
    y, new, absolute = doubles(c[slot.STATE]), doubles(c[slot.NEW_STATE]), doubles(c[slot.ABSOLUTE])
    for i in range(n):
        size = level_weight(c, h, i) * e[i] / (absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i])))
        total += size * size
    return math.sqrt(total / n)


@kernel("void(int64* c, double* start, double* e)")
def estimate(c, start, e):
    """e = Σ_j E_j k_j, with this derivative at the start."""
    n, k, weights = c[slot.STATES], doubles(c[slot.DERIVATIVES]), doubles(c[slot.ESTIMATORS])
    for i in range(n):
        e[i] = weights[0] * start[i]
        for j in range(1, c[slot.STAGES] + 1):
            e[i] += weights[j] * k[j * n + i]


@kernel("double(int64* c, double* r, double h, int64* m, double* x)")
def error_between(c, r, h, m, x):
    """Norm of h Σ_j E_j k_j, which measures the polynomial inside the step, with the derivative at the start that the
    polynomial of the last step has, because one evaluated anew is that of stiff components off their course."""
    n, s, e = c[slot.STATES], m[own.COUNT], at(x, m[own.TRANSFORMED])
    if x[own.LAST_STEP] == 0.0:
        return 0.0
    if c[slot.STAGES] == s:
        estimate(c, at(x, m[own.LAST] + (s - 1) * n), e)
    else:
        estimate(c, doubles(c[slot.DERIVATIVES]), e)
    return h * norm(c, r, h, e)


@kernel("double(int64* c, double* r, double h, int64* m, double* x)")
def filtered_error(c, r, h, m, x):
    """Norm of e in (F_y + F_k / (hγ)) e = F_k Σ_j E_j k_j / γ, for F = k − f that is (I − hγ J) e = h Σ_j E_j k_j.

    Where it would reject the first step, or a step once more, it is filtered again: f(t, y + e) takes the place of the
    derivative at the start (Hairer and Wanner II, section IV.8, formulas 8.19 and 8.20).
    """
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    n, k, fk = c[slot.STATES], doubles(c[slot.DERIVATIVES]), at(w, ic[slots.FK])
    plain, e = at(w, ic[slots.FIRST]), at(w, ic[slots.MOVE])
    estimate(c, k, e)
    for i in range(n):
        plain[i] = 0.0
    for j in range(n):
        add_multiple(at(fk, j * n), e[j] / x[own.GAMMA], plain, n)
    for i in range(n):
        e[i] = plain[i]
    solve_factored(e, ic, w)
    error = norm(c, r, h, e)
    if error <= sharpened(r, x) or (c[slot.FAILURE] == 0 and c[slot.ACCEPTED] > 0):
        return error
    state, moved = doubles(c[slot.SCRATCH]), at(w, ic[slots.RESIDUALS])
    for i in range(n):
        state[i] = doubles(c[slot.STATE])[i] + e[i]
    equations, work = integers(ic[slots.INTEGERS]), doubles(ic[slots.NUMBERS])
    c[slot.EVALUATIONS] += 1
    if call_residual(ic[slots.RESIDUAL], r[slot.TIME], state, k, moved, equations, work) < 0:
        return error
    for i in range(n):
        e[i] = plain[i] - moved[i]
    solve_factored(e, ic, w)
    return norm(c, r, h, e)


@kernel("double(double* r, double* x)")
def sharpened(r, x):
    """How much larger the tolerance of the estimate is, 0.1 rtol^q in the place of rtol."""
    if r[slot.RELATIVE] == 0.0:
        return 1.0
    return max(0.1 * r[slot.RELATIVE] ** (x[own.SHARPNESS] - 1.0), 1.0)


# --- the family ------------------------------------------------------------------------------------------------------


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    """All stages, the end of the step and its error."""
    m, x = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    n, end = c[slot.STATES], c[slot.STAGES]
    y, k, new = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.NEW_STATE])
    r[slot.ERROR] = 0.0
    code = find_stages(c, r, h, m, x)
    if code < 0:
        return code
    if end == m[own.COUNT]:
        last = at(x, m[own.INCREMENTS] + (end - 1) * n)
        for i in range(n):
            new[i] = y[i] + last[i]
    else:
        combine(n, end, h, at(doubles(c[slot.MATRIX]), end * c[slot.ALL_STAGES]), y, k, new)
        code = evaluate(c, r[slot.TIME] + h, new, at(k, end * n))
    if code >= 0:
        code = check_finite(c, new, at(k, end * n))
    if code >= 0 and c[slot.ADAPTIVE] == 1:
        r[slot.ERROR] = max(filtered_error(c, r, h, m, x), error_between(c, r, h, m, x)) / sharpened(r, x)
    return code


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """Dense output of the stages."""
    return interpolate_stages(c, r, h, theta, out)


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """Keep the stages for the next prediction, and choose the next step."""
    m, x = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    n, k, last = c[slot.STATES], doubles(c[slot.DERIVATIVES]), at(x, m[own.LAST])
    for i in range(m[own.COUNT] * n):
        last[i] = k[n + i]
    m[own.FRESH] = 0
    if w[slots.RATE] > LASTING:
        ic[slots.KNOWN] = 0
    if c[slot.ADAPTIVE] == 1:
        choose_step(c, r, h, ic, x)
    x[own.LAST_STEP] = h


@kernel("void(int64* c, double* r, double h, int64* ic, double* x)")
def choose_step(c, r, h, ic, x):
    """The step that the error asks for, less where the last two steps tell that errors grow (K. Gustafsson, ACM TOMS
    20, 1994).

    h ← h min(0.9 err^-α, 0.9 (h/h₁) (err₁/err²)^α)
    """
    error = max(r[slot.ERROR], 1e-10)
    factor = SAFETY * error ** -r[slot.ALPHA]
    if x[own.LAST_STEP] > 0.0 and x[own.LAST_ERROR] > 0.0:
        ahead = SAFETY * h / x[own.LAST_STEP] * (x[own.LAST_ERROR] / (error * error)) ** r[slot.ALPHA]
        factor = min(factor, ahead)
    factor = min(max(factor, SHRINK_MOST), 1.0 if c[slot.FAILURE] != 0 else GROW_MOST)
    if 1.0 <= factor < KEPT and ic[slots.KNOWN] == 1:
        factor = 1.0
    x[own.LAST_ERROR] = max(error, 1e-2)
    r[slot.STEP] = min(h * factor, r[slot.MAX_STEP])


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """No polynomial of a last step, and no derivatives of the equations."""
    m, x = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    x[own.LAST_STEP] = 0.0
    m[own.FRESH] = 0
    integers(c[slot.SOLVER_INTEGERS])[slots.KNOWN] = 0
