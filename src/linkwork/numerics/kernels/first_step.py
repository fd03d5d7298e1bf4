"""The beginning of a run: the initial state put right, its derivative, and the first step size.

Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section II.4: from the size of y, y' and of y''
along an Euler step, each in units of its tolerance.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_restart, doubles, kernel
from linkwork.numerics.kernels.stages import check_finite, correct, evaluate

SMALLEST_SCALE = 2.3e-308


@kernel("double(double* x, double* minus, int64* c, double* r)")
def scaled_size(x, minus, c, r):
    """Root mean square of x - minus, each entry in units of its tolerance at the initial state."""
    n = c[slot.STATES]
    absolute, y = doubles(c[slot.ABSOLUTE]), doubles(c[slot.STATE])
    total = 0.0
    for i in range(n):
        scale = max(absolute[i] + r[slot.RELATIVE] * abs(y[i]), SMALLEST_SCALE)
        total += ((x[i] - minus[i]) / scale) * ((x[i] - minus[i]) / scale)
    return math.sqrt(total / n)


@kernel("int32(int64* c, double* r)")
def begin(c, r):
    """Correct the state, evaluate there: the derivative is the first of all stages. Returns the code of a failure."""
    y, k = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES])
    code = correct(c, r[slot.TIME], y)
    if code >= 0:
        code = evaluate(c, r[slot.TIME], y, k)
    return code if code < 0 else check_finite(c, y, k)


@kernel("int32(int64* c, double* r)")
def void_history(c, r):
    """Let the family begin anew."""
    call_restart(c[slot.RESTART_HISTORY], c, r)
    return 0


@kernel("void(int64* c, double* r, double exponent)")
def choose_step(c, r, exponent):
    """STEP from the state and its derivative; *exponent* is 1 / order."""
    n = c[slot.STATES]
    span = r[slot.END] - r[slot.START]
    limit = min(span, r[slot.MAX_STEP])
    r[slot.STEP] = limit
    if n == 0:
        return
    y, k, ahead = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.SCRATCH])
    there, zero = at(k, n), at(k, 2 * n)
    for i in range(n):
        zero[i] = 0.0
    size, speed = scaled_size(y, zero, c, r), scaled_size(k, zero, c, r)
    trial = min(1e-6 * span, limit)
    if min(size, speed) > 1e-5:
        trial = min(0.01 * size / speed, limit)
    for i in range(n):
        ahead[i] = y[i] + trial * k[i]
    code = evaluate(c, r[slot.TIME] + trial, ahead, there)
    bend = scaled_size(there, k, c, r) / trial
    if code < 0 or not bend < math.inf:
        r[slot.STEP] = 0.1 * trial
        return
    largest = max(speed, bend)
    second = max(1e-6 * span, trial * 1e-3)
    if largest > 1e-15:
        second = (0.01 / largest) ** exponent
    r[slot.STEP] = min(min(100.0 * trial, second), limit)
