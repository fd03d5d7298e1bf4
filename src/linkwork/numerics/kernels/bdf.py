"""Backward differences of variable order and step, orders 1 to 5, for stiff equations and for algebraic ones.

L. F. Shampine and M. W. Reichelt, "The MATLAB ODE Suite", SIAM J. Sci. Comput. 18 (1997) 1-22. The history is that of equal
steps, as backward differences ∇^j y; another step size takes the polynomial through them at its own distances. A step of
order k is

    Σ_{j≤k} ∇^j y₊ / j − κ_k γ_k (y₊ − p) = h f₊,   p = Σ_{j≤k} ∇^j y,   γ_k = Σ_{j≤k} 1/j

which in terms of d = y₊ − p = ∇^{k+1} y₊ is one implicit stage, y₊ = ŷ + τ f₊::

    ŷ = p − Σ_{j≤k} γ_j ∇^j y / α_k,   τ = h / α_k,   α_k = (1 − κ_k) γ_k

The κ_k make the error (κ_k γ_k + 1/(k + 1)) ∇^{k+1} y₊ smaller. Errors of states with a level count h^level as much, and so
those of multipliers do not hold up the steps.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import bdf_slots as own
from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, doubles, integers, kernel
from linkwork.numerics.kernels.first_step import choose_step
from linkwork.numerics.kernels.stages import level_weight, solve

SAME = 1e-12  # relative difference of step sizes that are the same
SAFETY, GROW_MOST, SMALLEST_ERROR = 0.9, 10.0, 1e-12
GROW_LEAST = 1.2  # a change of the step costs a factorisation
FEW_ITERATIONS = 4
TRIES = 3  # rejections after which the order is the lowest


@kernel("void(int64 k, double ratio, double* out)")
def values_of_differences(k, ratio, out):
    """R_ij: the factor of ∇^i y in the value at j steps of *ratio* back, Π_{m<i} (m − j ratio) / (m + 1), up to k."""
    for j in range(k + 1):
        factor = 1.0
        for i in range(k + 1):
            out[i * own.WIDTH + j] = factor
            factor *= (i - ratio * j) / (i + 1)


@kernel("void(int64* c, int64 k, double ratio, double* w)")
def change_step(c, k, ratio, w):
    """Differences of the step attempted from those of steps that *ratio* is the size of: (R(ratio) R(1))ᵀ ∇."""
    n, R, U = c[slot.STATES], at(w, own.CHANGE), at(w, own.UNIT)
    old, new = at(w, own.DIFFERENCES), at(w, integers(c[slot.OWN_INTEGERS])[own.AHEAD])
    for i in range(own.WIDTH * n):
        new[i] = old[i]
    if abs(ratio - 1.0) <= SAME:
        return
    values_of_differences(k, ratio, R)
    values_of_differences(k, 1.0, U)
    for j in range(1, k + 1):
        for i in range(n):
            new[j * n + i] = 0.0
        for m in range(1, k + 1):
            factor = 0.0
            for s in range(k + 1):
                factor += R[m * own.WIDTH + s] * U[s * own.WIDTH + j]
            for i in range(n):
                new[j * n + i] += factor * old[m * n + i]


@kernel("double(int64* c, double* r, double h, double* x, double* new)")
def size(c, r, h, x, new):
    """Root mean square of x in units of the tolerances."""
    n, total = c[slot.STATES], 0.0
    y, absolute = doubles(c[slot.STATE]), doubles(c[slot.ABSOLUTE])
    for i in range(n):
        scale = absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i]))
        value = level_weight(c, h, i) * x[i] / scale
        total += value * value
    return math.sqrt(total / n)


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    r[slot.ERROR] = 0.0
    if n == 0:
        return 0
    if c[slot.FAILURE] != 0:
        ic[own.TRIES] += 1
        if ic[own.TRIES] >= TRIES:
            ic[own.ORDER] = 1
    k = ic[own.ORDER]
    r[slot.ALPHA] = 1.0 / (k + 1)
    change_step(c, k, h / w[own.STEP], w)
    new, predicted, added = doubles(c[slot.NEW_STATE]), at(w, ic[own.PREDICTED]), at(w, ic[own.ADDED])
    predict(c, k, predicted)
    for i in range(n):
        new[i] = predicted[i]
    tau, before = h / w[own.ALPHA + k], c[slot.ITERATIONS]
    end = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    code = solve(c, r[slot.TIME] + h, tau, tau, doubles(c[slot.HAT]), new, end)
    ic[own.ITERATIONS] = c[slot.ITERATIONS] - before
    if code < 0:
        return code
    for i in range(n):
        added[i] = new[i] - predicted[i]
    r[slot.ERROR] = w[own.CONSTANTS + k] * size(c, r, h, added, new)
    return 0


@kernel("void(int64* c, int64 k, double* predicted)")
def predict(c, k, predicted):
    """p, and ŷ of the stage."""
    n, w, hat = c[slot.STATES], doubles(c[slot.OWN_NUMBERS]), doubles(c[slot.HAT])
    ahead = at(w, integers(c[slot.OWN_INTEGERS])[own.AHEAD])
    for i in range(n):
        total, weighted = ahead[i], 0.0
        for j in range(1, k + 1):
            total += ahead[j * n + i]
            weighted += w[own.GAMMA + j] * ahead[j * n + i]
        predicted[i] = total
        hat[i] = total - weighted / w[own.ALPHA + k]


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """The differences at the end: ∇^j y₊ = d + Σ_{j≤i≤k} ∇^i y."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, ahead, end, added = ic[own.ORDER], at(w, ic[own.AHEAD]), at(w, ic[own.END]), at(w, ic[own.ADDED])
    for i in range(n):
        total = added[i]
        for j in range(k, -1, -1):
            total += ahead[j * n + i]
            end[j * n + i] = total
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """The polynomial through the end and the k states before it: Σ_j ∇^j y₊ Π_{m<j} (θ − 1 + m) / (m + 1)."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    end = at(w, ic[own.END])
    for i in range(n):
        out[i] = end[i]
    factor = 1.0
    for j in range(1, ic[own.ORDER] + 1):
        factor *= (theta - 2.0 + j) / j
        for i in range(n):
            out[i] += factor * end[j * n + i]
    return 0


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """The differences at the end, then the order and the size of the next step."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, kept, ahead = ic[own.ORDER], at(w, own.DIFFERENCES), at(w, ic[own.AHEAD])
    predicted = at(w, ic[own.PREDICTED])
    for i in range(n):
        added = new[i] - predicted[i]
        kept[(k + 2) * n + i] = added - ahead[(k + 1) * n + i]
        kept[(k + 1) * n + i] = added
        for j in range(k, -1, -1):
            kept[j * n + i] = ahead[j * n + i] + kept[(j + 1) * n + i]
    ic[own.EQUAL] = ic[own.EQUAL] + 1 if abs(h - w[own.STEP]) <= SAME * h else 1
    ic[own.TRIES] = 0
    w[own.STEP] = h
    r[slot.STEP] = min(h, r[slot.MAX_STEP])
    if ic[own.EQUAL] > k:
        choose_next(c, r, h, new)


@kernel("void(int64* c, double* r, double h, double* new)")
def choose_next(c, r, h, new):
    """The order, of k − 1, k and k + 1, that allows the longest step."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, kept = ic[own.ORDER], at(w, own.DIFFERENCES)
    longest = max(r[slot.ERROR], SMALLEST_ERROR) ** (-1.0 / (k + 1))
    order = k
    if k > 1:
        error = w[own.CONSTANTS + k - 1] * size(c, r, h, at(kept, k * n), new)
        factor = max(error, SMALLEST_ERROR) ** (-1.0 / k)
        if factor > longest:
            order, longest = k - 1, factor
    if k < own.MOST:
        error = w[own.CONSTANTS + k + 1] * size(c, r, h, at(kept, (k + 2) * n), new)
        factor = max(error, SMALLEST_ERROR) ** (-1.0 / (k + 2))
        if factor > longest:
            order, longest = k + 1, factor
    # many iterations are a sign of long steps
    longest *= SAFETY * (2 * FEW_ITERATIONS + 1.0) / (2 * FEW_ITERATIONS + min(ic[own.ITERATIONS], FEW_ITERATIONS))
    if order == k and 1.0 <= longest < GROW_LEAST:
        return
    ic[own.ORDER], ic[own.EQUAL] = order, 0
    r[slot.STEP] = min(h * min(longest, GROW_MOST), r[slot.MAX_STEP])


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """Order 1 from the state at hand, as if the last step had been of size 1; within a run with a step of its own."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    y, rate, kept = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), at(w, own.DIFFERENCES)
    for i in range(own.WIDTH * n):
        kept[i] = 0.0
    for i in range(n):
        kept[i] = y[i]
        kept[n + i] = rate[i]
    ic[own.ORDER], ic[own.EQUAL], ic[own.TRIES] = 1, 0, 0
    w[own.STEP] = 1.0
    if r[slot.TIME] > r[slot.START]:
        longest = r[slot.STEP]
        choose_step(c, r, 0.5)
        r[slot.STEP] = min(r[slot.STEP], longest)
