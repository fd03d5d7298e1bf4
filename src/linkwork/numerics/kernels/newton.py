"""Implicit stages of any equations F(t, y, k) = 0: Newton's method for y = ŷ + τ k.

    (F_y + F_k / τ) δ = −F,   y ← y + δ,   k = (y − ŷ) / τ

positions having τ_q in the place of τ. Rows and columns are brought to one size: those of algebraic equations and unknowns
would differ by powers of τ. The derivatives and the factors are kept from stage to stage and made anew where
the iteration becomes slow; it ends when the correction still to come, estimated from the rate of convergence, is small
against the tolerances (Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8), with steps of
fixed size when it is lost in rounding errors.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.kernels.calling import (
    at,
    call_flow,
    call_residual,
    call_tangent,
    doubles,
    integers,
    kernel,
)
from linkwork.numerics.kernels.linear import HUGE, equilibrate, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.slope import UNKNOWN as UNKNOWN_SLOPE

SLOW = -1  # of an iteration: a better matrix may help
FLOOR = 1e-15  # relative pivot under which a matrix counts as singular
SAME = 1e-9  # relative change of τ that needs no other matrix
LEAST, UNKNOWN = 1e-16, 0.25  # rate of convergence
LASTING, FEW = 0.05, 2  # rate of convergence and iterations up to which the derivatives are kept
STALLED, STUCK = 0.3, 0.9  # rates of steps of fixed size from which on corrections are taken for rounding errors
SMALL_ENOUGH, ROUNDING = (
    1.0,
    1e6,
)  # weighted sizes of corrections that may stall, and that may be stuck: stiff penalties round so
PATIENCE = 3  # times the iterations, for steps of fixed size
NOISE = 1e-13  # of positions, relative to the largest
ANEW = 20  # iterations with new derivatives each
DIFFERENCE, SMALL = 1.5e-8, 1e-3  # of differences, relative to the state; its least size


@kernel("double(double tau, double* x, double* y, int64 whole, int64* ic, double* w)")
def weighted_size(tau, x, y, whole, ic, w):
    """Root mean square of x in units of the tolerances at y; the first *whole* states count in full whatever their level,
    but for rounding errors of positions, which grow with 1/τ in them."""
    n, total, noise = ic[slots.SIZE], 0.0, NOISE * largest(y, ic[slots.POSITIONS])
    absolute, levels = at(w, ic[slots.ABSOLUTE]), at(w, ic[slots.LEVELS])
    for i in range(n):
        scale = absolute[i] + w[slots.RELATIVE] * abs(y[i])
        if levels[i] != 0.0:
            power = tau ** levels[i]
            scale = scale / power if i >= whole else scale + noise / power
        total += (x[i] / scale) * (x[i] / scale)
    return math.sqrt(total / n)


@kernel("int32(double t, double* y, double* k, int64* ic, double* w)")
def take_tangent(t, y, k, ic, w):
    """F_y and F_k of a state."""
    own, work = integers(ic[slots.INTEGERS]), doubles(ic[slots.NUMBERS])
    ic[slots.JACOBIANS] += 1
    ic[slots.FACTORED] = 0
    code = call_tangent(ic[slots.TANGENT], t, y, k, at(w, ic[slots.FY]), at(w, ic[slots.FK]), own, work)
    ic[slots.KNOWN] = 1 if code >= 0 else 0
    return code


@kernel("int32(double tau_q, double tau, int64* ic, double* w)")
def factor(tau_q, tau, ic, w):
    """The factors of F_y + F_k / τ."""
    n = ic[slots.SIZE]
    fy, fk, matrix = at(w, ic[slots.FY]), at(w, ic[slots.FK]), at(w, ic[slots.MATRIX])
    for j in range(n):
        inverse = 1.0 / tau_q if j < ic[slots.POSITIONS] else 1.0 / tau
        for i in range(n):
            matrix[i + j * n] = fy[i + j * n] + fk[i + j * n] * inverse
    ic[slots.FACTORISATIONS] += 1
    w[slots.TAU] = tau
    w[slots.TAU_Q] = tau_q
    # what is known of the convergence was that with another matrix
    w[slots.ASSUMED] = 1.0
    if largest(matrix, n * n) >= HUGE:
        return slots.SINGULAR
    columns, grades = at(w, ic[slots.COLUMNS]), at(w, ic[slots.GRADES])
    for j in range(n):
        columns[j] = tau ** -grades[j] if grades[j] != 0.0 else 1.0
    equilibrate(matrix, n, at(w, ic[slots.ROWS]), columns)
    failed = factor_lu(matrix, n, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE]), FLOOR)
    ic[slots.FACTORED] = 1 if failed < 0 else 0
    return 0 if failed < 0 else slots.SINGULAR


@kernel("void(double tau_q, double tau, double* hat, double* y, double* k, int64* ic)")
def set_rates(tau_q, tau, hat, y, k, ic):
    """k = (y − ŷ) / τ."""
    for i in range(ic[slots.SIZE]):
        k[i] = (y[i] - hat[i]) / (tau_q if i < ic[slots.POSITIONS] else tau)


@kernel("void(double* x, int64* ic, double* w)")
def solve_factored(x, ic, w):
    """x <- (F_y + F_k / τ)⁻¹ x."""
    n, rows, columns = ic[slots.SIZE], at(w, ic[slots.ROWS]), at(w, ic[slots.COLUMNS])
    for i in range(n):
        x[i] *= rows[i]
    solve_lu(at(w, ic[slots.MATRIX]), n, at(ic, ic[slots.PIVOTS]), x)
    for i in range(n):
        x[i] *= columns[i]


@kernel("double(double size, double last, int64 count, int64* ic, double* w)")
def convergence(size, last, count, ic, w):
    """Rate of convergence, from the sizes of two corrections."""
    # before there is a rate, the one of the last stage, made worse each time that it is not measured anew
    rate = min(max(w[slots.ASSUMED], LEAST), 0.9) ** 0.8
    if ic[slots.CONSTANT] == 1 or ic[slots.ALGEBRAIC] == 1:
        # no guess will do with rounding errors as the goal, nor of corrections that may return in the second iteration
        rate = UNKNOWN
    if count > 0:
        rate = size / last
        w[slots.RATE] = rate
    w[slots.ASSUMED] = rate
    return rate


@kernel("double(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def correct_stage(t, tau_q, tau, hat, y, k, ic, w):
    """One iteration. Returns the weighted size of its correction, < 0: failure."""
    n = ic[slots.SIZE]
    residual, move = at(w, ic[slots.RESIDUALS]), at(w, ic[slots.MOVE])
    own, work = integers(ic[slots.INTEGERS]), doubles(ic[slots.NUMBERS])
    set_rates(tau_q, tau, hat, y, k, ic)
    code = call_residual(ic[slots.RESIDUAL], t, y, k, residual, own, work)
    if code < 0:
        return float(code)
    ic[slots.ITERATIONS] += 1
    for i in range(n):
        move[i] = -residual[i]
    solve_factored(move, ic, w)
    # what is left open of a velocity in one step adds up over a run
    size = weighted_size(tau, move, y, ic[slots.RATED], ic, w)
    if not size < HUGE:
        return float(SLOW)
    for i in range(n):
        y[i] += move[i]
    return size


@kernel("int64(double size, double rate, int64 left, int64* ic, double* w)")
def judge(size, rate, left, ic, w):
    """1: converged, 0: go on, < 0: too slow. *left*: iterations that are left."""
    if ic[slots.CONSTANT] == 1 and rate > STALLED and size < (ROUNDING if rate > STUCK else SMALL_ENOUGH):
        return 1
    if rate >= 1.0:
        return SLOW
    coming = rate / (1.0 - rate) * size
    if coming <= w[slots.ACCURACY]:
        return 1
    if rate**left * coming > w[slots.ACCURACY]:
        return SLOW
    return 0


@kernel("int64(int64* ic)")
def most_iterations(ic):
    """With one matrix."""
    return PATIENCE * ic[slots.LIMIT] if ic[slots.CONSTANT] == 1 and ic[slots.FIXED] == 0 else ic[slots.LIMIT]


@kernel("int64(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def iterate(t, tau_q, tau, hat, y, k, ic, w):
    """Iterate with the matrix at hand. Returns the iterations, < 0: failure."""
    last, limit = 0.0, most_iterations(ic)
    for count in range(limit):
        size = correct_stage(t, tau_q, tau, hat, y, k, ic, w)
        if size < 0.0:
            return int(size)
        if ic[slots.FIXED] == 1:
            continue
        if size == 0.0:
            return count + 1
        rate = convergence(size, last, count, ic, w)
        verdict = judge(size, rate, limit - 1 - count if count > 0 else limit, ic, w)
        if verdict != 0 and (count > 0 or verdict == 1):
            return count + 1 if verdict == 1 else SLOW
        last = size
    return limit if ic[slots.FIXED] == 1 else SLOW


@kernel("int64(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def iterate_anew(t, tau_q, tau, hat, y, k, ic, w):
    """Iterate with the derivatives at every iterate, where a step of fixed size leaves no other way."""
    last = 0.0
    w[slots.RATE] = 1.0
    for count in range(ANEW):
        set_rates(tau_q, tau, hat, y, k, ic)
        code = take_tangent(t, y, k, ic, w)
        if code >= 0:
            code = factor(tau_q, tau, ic, w)
        if code < 0:
            return code
        size = correct_stage(t, tau_q, tau, hat, y, k, ic, w)
        if size < 0.0:
            return int(size)
        if size <= w[slots.ACCURACY] or (count > 0 and size > STALLED * last and size < ROUNDING):
            return count + 1
        last = size
    return SLOW


@kernel("int64(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def search(t, tau_q, tau, hat, y, k, ic, w):
    """Iterate with what is known, and with derivatives of this stage where that is too slow."""
    n, first = ic[slots.SIZE], at(w, ic[slots.FIRST])
    for i in range(n):
        first[i] = y[i]
    fresh = 0
    while True:
        code = 0
        if ic[slots.KNOWN] == 0 or ic[slots.FIXED] == 1:
            set_rates(tau_q, tau, hat, y, k, ic)
            code = take_tangent(t, y, k, ic, w)
            w[slots.RATE] = 1.0
            fresh = 1
        other = abs(tau - w[slots.TAU]) > SAME * tau or abs(tau_q - w[slots.TAU_Q]) > SAME * tau_q
        if code >= 0 and (ic[slots.FACTORED] == 0 or other):
            code = factor(tau_q, tau, ic, w)
        count = 0
        if code >= 0:
            count = iterate(t, tau_q, tau, hat, y, k, ic, w)
        if code >= 0 and count >= 0:
            return count
        ic[slots.KNOWN] = 0
        for i in range(n):
            y[i] = first[i]
        if fresh == 1:
            if code < 0:
                return code
            if count == SLOW and ic[slots.CONSTANT] == 1:
                count = iterate_anew(t, tau_q, tau, hat, y, k, ic, w)
            return slots.NOT_CONVERGED if count == SLOW else count


@kernel("int32(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def solve_stage(t, tau_q, tau, hat, y, k, ic, w):
    """y and k of a stage, from a first y. Returns the iterations, < 0: failure."""
    count = search(t, tau_q, tau, hat, y, k, ic, w)
    if count < 0:
        ic[slots.FAILURES] += 1
        ic[slots.KNOWN] = 0
        return count
    if w[slots.RATE] > LASTING and count > FEW:
        ic[slots.KNOWN] = 0
    set_rates(tau_q, tau, hat, y, k, ic)
    return count


# --- the equations of a flow: F = k − f(t, y) --------------------------------------------------------------------------


@kernel("int32(double t, double* y, double* f, int64* ic, double* w)")
def rates(t, y, f, ic, w):
    """f(t, y), on a copy of y: the flow may correct what it is given."""
    n = ic[slots.COUNT]
    for i in range(n):
        w[i] = y[i]
    return call_flow(ic[slots.FLOW], t, w, f, integers(ic[slots.FLOW_INTEGERS]), doubles(ic[slots.FLOW_WORK]))


@kernel("int32(double t, double* y, double* k, double* F, int64* ic, double* w)")
def residual_of_rates(t, y, k, F, ic, w):
    code = rates(t, y, F, ic, w)
    if code < 0:
        return code
    for i in range(ic[slots.COUNT]):
        F[i] = k[i] - F[i]
    return 0


@kernel("int32(double t, double* y, double* k, double* Fy, double* Fk, int64* ic, double* w)")
def tangent_of_rates(t, y, k, Fy, Fk, ic, w):
    """F_y = −∂f/∂y, exact where it is compiled, else by differences; F_k = 1."""
    n = ic[slots.COUNT]
    for i in range(n * n):
        Fk[i] = 0.0
    for i in range(n):
        Fk[i + i * n] = 1.0
    code = UNKNOWN_SLOPE
    if ic[slots.SLOPE] != 0:
        code = call_flow(ic[slots.SLOPE], t, y, Fy, integers(ic[slots.FLOW_INTEGERS]), doubles(ic[slots.FLOW_WORK]))
        for i in range(n * n if code == 0 else 0):
            Fy[i] = -Fy[i]
    return difference_rates(t, y, Fy, ic, w) if code == UNKNOWN_SLOPE else code


@kernel("int32(double t, double* y, double* Fy, int64* ic, double* w)")
def difference_rates(t, y, Fy, ic, w):
    """−∂f/∂y by differences."""
    n = ic[slots.COUNT]
    here, moved = at(w, n), at(w, 2 * n)
    code = rates(t, y, here, ic, w)
    for i in range(n):
        moved[i] = y[i]
    for j in range(n):
        if code < 0:
            return code
        step = DIFFERENCE * max(abs(y[j]), SMALL)
        column = at(Fy, j * n)
        moved[j] = y[j] + step
        code = rates(t, moved, column, ic, w)
        if code < 0:
            # at an edge of what the flow can evaluate
            moved[j] = y[j] - step
            code = rates(t, moved, column, ic, w)
        step = moved[j] - y[j]
        for i in range(n):
            column[i] = (here[i] - column[i]) / step
        moved[j] = y[j]
    return code
