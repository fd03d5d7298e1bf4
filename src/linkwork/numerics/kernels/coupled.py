"""Runge-Kutta methods whose stages are found at once (``coupled_stages.py``): error, dense output, step control.

Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8. ``c``, ``r``: control blocks; ``m``,
``x``: memory of the family; ``ic``, ``w``: that of the solver (``newton.py``).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import coupled_slots as own
from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.kernels.calling import at, call_residual, doubles, integers, kernel
from linkwork.numerics.kernels.coupled_stages import find_stages
from linkwork.numerics.kernels.linear import add_multiple
from linkwork.numerics.kernels.newton import solve_factored
from linkwork.numerics.kernels.runge_kutta import interpolate as interpolate_stages
from linkwork.numerics.kernels.stages import check_finite, combine, evaluate, level_weight

LASTING = 0.01  # rate of convergence up to which the derivatives are kept
SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 0.2, 8.0
MOVED = 0.1  # tolerances, by a correction of the state that does not touch its derivative
CONVERGING = 0.2  # rate of convergence that the next step may be expected to have
KEPT = 1.2  # growth of the step that is not worth another factorisation


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
    polynomial of the last step has, because one evaluated anew is that of stiff components off their course. States of a
    higher index do not count: their derivatives have errors of a lower order, which do not shrink with the step."""
    e = at(x, m[own.TRANSFORMED])
    if x[own.LAST_STEP] == 0.0:
        return 0.0
    estimate(c, at(x, m[own.START]), e)
    for i in range(c[slot.STATES]):
        if c[slot.LEVELS] != 0 and doubles(c[slot.LEVELS])[i] > 0.0:
            e[i] = 0.0
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


@kernel("void(int64* c, double* r, int64* m, double* x, double* new, double* derivative)")
def keep_start(c, r, m, x, new, derivative):
    """The derivative with which the polynomial ends, unless a correction has taken the state elsewhere."""
    n, plain, moved, start = c[slot.STATES], doubles(c[slot.NEW_STATE]), at(x, m[own.TRANSFORMED]), at(x, m[own.START])
    for i in range(n):
        moved[i] = new[i] - plain[i]
    end = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    here = norm(c, r, 1.0, moved) < MOVED
    for i in range(n):
        start[i] = end[i] if here else derivative[i]


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """Keep the stages for the next prediction, and choose the next step."""
    m, x = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    ic, w = integers(c[slot.SOLVER_INTEGERS]), doubles(c[slot.SOLVER_WORK])
    n, k, last = c[slot.STATES], doubles(c[slot.DERIVATIVES]), at(x, m[own.LAST])
    for i in range(m[own.COUNT] * n):
        last[i] = k[n + i]
    keep_start(c, r, m, x, new, derivative)
    m[own.FRESH] = 0
    if w[slots.RATE] > LASTING:
        ic[slots.KNOWN] = 0
    if c[slot.ADAPTIVE] == 1:
        choose_step(c, r, h, w[slots.RATE], ic, x)
    x[own.LAST_STEP] = h


@kernel("void(int64* c, double* r, double h, double rate, int64* ic, double* x)")
def choose_step(c, r, h, rate, ic, x):
    """The step that the error asks for, less where the last two steps tell that errors grow (K. Gustafsson, ACM TOMS
    20, 1994).

    h ← h min(0.9 err^-α, 0.9 (h/h₁) (err₁/err²)^α)
    """
    error = max(r[slot.ERROR], 1e-10)
    factor = SAFETY * error ** -r[slot.ALPHA]
    if x[own.LAST_STEP] > 0.0 and x[own.LAST_ERROR] > 0.0:
        ahead = SAFETY * h / x[own.LAST_STEP] * (x[own.LAST_ERROR] / (error * error)) ** r[slot.ALPHA]
        factor = min(factor, ahead)
    # stages of a longer step converge more slowly
    most = min(max(CONVERGING / max(rate, 1e-3), 1.0), GROW_MOST)
    factor = min(max(factor, SHRINK_MOST), 1.0 if c[slot.FAILURE] != 0 else most)
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
