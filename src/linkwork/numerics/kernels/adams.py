"""Adams predictor-corrector of variable order and step: modified divided differences, orders 1 to 12.

L. F. Shampine and M. K. Gordon, "Computer Solution of Ordinary Differential Equations", 1975, in the notation of Hairer,
Nørsett, Wanner, "Solving Ordinary Differential Equations I", sections III.5 and III.7. With the divided differences of the
rates, Φ_j(n) = Π_{i<j} (t_n − t_{n−1−i}) f[t_n, ..., t_{n−j}], a step of order k is::

    Φ*_j = β_j Φ_j(n),   β_j = β_{j−1} (t_{n+1} − t_{n+1−j}) / (t_n − t_{n−j})
    p   = y + h Σ_{j<k} g_j Φ*_j                        predicted, of order k
    y₊  = p + h g_k Φ_k(n+1)                            corrected with f(p), of order k + 1
    Φ_0(n+1) = f,   Φ_{j+1}(n+1) = Φ_j(n+1) − Φ*_j
    err = h (g_k − g_{k−1}) Φ_k(n+1)                    what the corrector of order k would have been off

and an evaluation at y₊ ends it. The g_j are integrals over the step of the products that stand at Φ*_j in Newton's form of
the polynomial through the rates. Their factors have no negative coefficients, so they are expanded in powers, and the same
integrals up to θ < 1 give the output inside the step.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import adams_slots as own
from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, doubles, integers, kernel
from linkwork.numerics.kernels.first_step import choose_step
from linkwork.numerics.kernels.stages import combine, evaluate

SAME = 1e-12  # relative difference of step sizes that are the same
FAIR = 0.5  # error, of 1 that is allowed, that the next step is chosen for
SHRINK_LEAST, SHRINK_MOST = 0.9, 0.5
TRIES = 3  # rejections after which the history is given up


@kernel("void(int64 count, double h, double theta, double* past, double* polynomial, double* g)")
def integrate_products(count, h, theta, past, polynomial, g):
    """g_j = ∫_0^θ Π_{i<j} (s h + t_n − t_{n−i}) / (t_{n+1} − t_{n−i}) ds for j = 0 ... count."""
    polynomial[0] = 1.0
    for j in range(count + 1):
        total = 0.0
        for m in range(j, -1, -1):
            total = total * theta + polynomial[m] / (m + 1)
        g[j] = total * theta
        whole = h + past[j]
        constant, slope = past[j] / whole, h / whole
        polynomial[j + 1] = slope * polynomial[j]
        for m in range(j, 0, -1):
            polynomial[m] = constant * polynomial[m] + slope * polynomial[m - 1]
        polynomial[0] *= constant


@kernel("void(int64* c, int64 k, double h, int64* ic, double* w)")
def extend_differences(c, k, h, ic, w):
    """Φ*_j for j = 0 ... k, as far as they are known, and g_j; with equal steps β_j = 1 and g_j = γ_j."""
    n, past = c[slot.STATES], at(w, own.PAST)
    plain = at(w, own.DIFFERENCES)
    extended = at(plain, own.WIDTH * n)
    known = min(k + 1, ic[own.POINTS])
    if ic[own.EQUAL] >= k and abs(h - w[own.STEP]) <= SAME * h:
        for j in range(k + 1):
            w[own.G + j] = w[own.EVEN + j]
        for i in range(known * n):
            extended[i] = plain[i]
        return
    integrate_products(k, h, 1.0, past, at(w, own.POLYNOMIAL), at(w, own.G))
    beta = 1.0
    for j in range(known):
        if j > 0:
            beta *= (h + past[j - 1]) / past[j]
        for i in range(j * n, (j + 1) * n):
            extended[i] = beta * plain[i]


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    r[slot.ERROR] = 0.0
    if n == 0:
        return 0
    if c[slot.FAILURE] != 0:
        after_rejection(ic)
    k = ic[own.ORDER]
    r[slot.ALPHA] = 1.0 / (k + 1)
    extend_differences(c, k, h, ic, w)
    new, t_new = doubles(c[slot.NEW_STATE]), r[slot.TIME] + h
    end = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    extended, g = at(w, own.DIFFERENCES + own.WIDTH * n), at(w, own.G)
    combine(n, k, h, g, doubles(c[slot.STATE]), extended, new)
    code = evaluate(c, t_new, new, end)
    if code < 0:
        return code
    correct_end(c, r, h, k, new, end)
    c[slot.END_OPEN] = 1
    return 0


@kernel("void(int64* ic)")
def after_rejection(ic):
    """A step that was too long: the lower order if that is as good, and the lowest where nothing helps."""
    ic[own.STARTING] = 0
    ic[own.TRIES] += 1
    if ic[own.LOWER] == 1 and ic[own.ORDER] > 1:
        ic[own.ORDER] -= 1
    ic[own.LOWER] = 0
    if ic[own.TRIES] >= TRIES:
        ic[own.ORDER] = 1


@kernel("void(int64* c, double* r, double h, int64 k, double* new, double* end)")
def correct_end(c, r, h, k, new, end):
    """y₊ = p + h g_k Φ_k(n+1), its error, and whether a lower order would do."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    extended, g = at(w, own.DIFFERENCES + own.WIDTH * n), at(w, own.G)
    y, absolute = doubles(c[slot.STATE]), doubles(c[slot.ABSOLUTE])
    first, second, third = 0.0, 0.0, 0.0
    for i in range(n):
        difference, before, older = end[i], 0.0, 0.0
        for j in range(k):
            older = before
            before = difference
            difference -= extended[j * n + i]
        new[i] += h * g[k] * difference
        scale = absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i]))
        first += (difference / scale) * (difference / scale)
        second += (before / scale) * (before / scale)
        third += (older / scale) * (older / scale)
    r[slot.ERROR] = h * abs(g[k] - g[k - 1]) * math.sqrt(first / n)
    ic[own.LOWER] = 0
    if k == 1:
        return
    w[own.ERROR_LOWER] = h * abs(g[k - 1] - g[k - 2]) * math.sqrt(second / n)
    if k == 2:
        ic[own.LOWER] = 1 if w[own.ERROR_LOWER] <= 0.5 * r[slot.ERROR] else 0
        return
    lowest = h * abs(g[k - 2] - g[k - 3]) * math.sqrt(third / n)
    ic[own.LOWER] = 1 if max(w[own.ERROR_LOWER], lowest) <= r[slot.ERROR] else 0


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """Φ_k(n+1) with the rate at the end, and what the polynomial lacks there."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, new, g = ic[own.ORDER], doubles(c[slot.NEW_STATE]), at(w, own.G)
    extended = at(w, own.DIFFERENCES + own.WIDTH * n)
    last = at(extended, own.WIDTH * n)
    lack, end = at(last, n), at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    combine(n, k, h, g, doubles(c[slot.STATE]), extended, lack)
    for i in range(n):
        last[i] = end[i]
        for j in range(k):
            last[i] -= extended[j * n + i]
        lack[i] = new[i] - lack[i] - h * g[k] * last[i]
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """The integral of the polynomial through the rates at the end and the history; it meets the end smoothly."""
    n, k, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS])[own.ORDER], doubles(c[slot.OWN_NUMBERS])
    g = at(w, own.WEIGHTS)
    integrate_products(k, h, theta, at(w, own.PAST), at(w, own.POLYNOMIAL), g)
    extended = at(w, own.DIFFERENCES + own.WIDTH * n)
    last = at(extended, own.WIDTH * n)
    combine(n, k, h, g, doubles(c[slot.STATE]), extended, out)
    blend = theta * theta * (3.0 - 2.0 * theta)
    for i in range(n):
        out[i] += h * g[k] * last[i] + blend * last[n + i]
    return 0


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """The differences at the end, then the order and the size of the next step."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, plain = ic[own.ORDER], at(w, own.DIFFERENCES)
    extended, past = at(plain, own.WIDTH * n), at(w, own.PAST)
    known = min(k + 1, ic[own.POINTS])
    for i in range(n):
        plain[i] = derivative[i]
    for i in range(known * n):
        plain[n + i] = plain[i] - extended[i]
    for j in range(known, 0, -1):
        past[j] = past[j - 1] + h
    ic[own.POINTS] = known + 1
    ic[own.EQUAL] = ic[own.EQUAL] + 1 if abs(h - w[own.STEP]) <= SAME * h else 1
    w[own.STEP] = h
    if c[slot.FAILURE] != 0:
        ic[own.STARTING] = 0
    ic[own.TRIES] = 0
    r[slot.STEP] = min(choose_next(c, r, h, new), r[slot.MAX_STEP])


@kernel("double(int64* c, double* r, double h, double* new)")
def choose_next(c, r, h, new):
    """The order with the smallest error, of k − 1, k and k + 1; twice the step, the same, or a shorter one."""
    ic, w = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    k, error = ic[own.ORDER], r[slot.ERROR]
    if ic[own.LOWER] == 1 or k == own.MOST:
        ic[own.STARTING] = 0
    if ic[own.STARTING] == 1:
        ic[own.ORDER] = k + 1
        return 2.0 * h
    if ic[own.LOWER] == 1:
        ic[own.ORDER] = k - 1
        error = w[own.ERROR_LOWER]
    elif k < own.MOST and ic[own.EQUAL] > k and ic[own.POINTS] > k + 1:
        above = error_above(c, r, h, k, new)
        if k > 1 and w[own.ERROR_LOWER] <= min(error, above):
            ic[own.ORDER] = k - 1
            error = w[own.ERROR_LOWER]
        elif above < (error if k > 1 else 0.5 * error):
            ic[own.ORDER] = k + 1
            error = above
    power = ic[own.ORDER] + 1
    if error * 2.0**power <= FAIR:
        return 2.0 * h
    if error <= FAIR:
        return h
    return h * max(SHRINK_MOST, min(SHRINK_LEAST, (FAIR / error) ** (1.0 / power)))


@kernel("double(int64* c, double* r, double h, int64 k, double* new)")
def error_above(c, r, h, k, new):
    """Error of order k + 1 with equal steps: h γ*_{k+1} Φ_{k+1}(n+1)."""
    n, w = c[slot.STATES], doubles(c[slot.OWN_NUMBERS])
    difference, absolute = at(w, own.DIFFERENCES + (k + 1) * n), doubles(c[slot.ABSOLUTE])
    total = 0.0
    for i in range(n):
        scale = absolute[i] + r[slot.RELATIVE] * abs(new[i])
        total += (difference[i] / scale) * (difference[i] / scale)
    return h * abs(w[own.CONSTANTS + k + 1]) * math.sqrt(total / n)


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """Order 1 from the state at hand; within a run with a step of its own."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    ic[own.ORDER], ic[own.POINTS], ic[own.EQUAL] = 1, 1, 0
    ic[own.STARTING], ic[own.LOWER], ic[own.TRIES] = 1, 0, 0
    w[own.PAST] = 0.0
    rate = doubles(c[slot.DERIVATIVES])
    for i in range(n):
        w[own.DIFFERENCES + i] = rate[i]
    if r[slot.TIME] > r[slot.START]:
        longest = r[slot.STEP]
        choose_step(c, r, 0.5)
        r[slot.STEP] = min(r[slot.STEP], longest)
