"""One Runge-Kutta kernel for every tableau: step control, dense output, events, resumption in chunks.

Notation of Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 2nd ed., sections II.4 to II.6:
k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y_new = y + h Σ_j b_j k_j, y(t + θ h) = y + h Σ_i b_i(θ) k_i.
Row s of the matrix holds b, so that stage s is the derivative at the end of the step; rows after it serve the dense
output only. ``c`` and ``r`` are the control blocks, ``slot`` names their places.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_flow, doubles, integers, kernel
from linkwork.numerics.kernels.stages import combine, correct, evaluate, measure, show, take_stage, take_stages

SAFETY, SHRINK_MOST, GROW_MOST, SHRINK_ON_FAILURE = 0.9, 0.2, 8.0, 0.25
SMALLEST_ERROR = 1e-10  # keeps the powers of the step control finite
LOCATION = 4e-15  # bracket of an event, relative to the time
LOCATION_STEPS = 100
PROGRESS, PATIENCE = 1e-8, 100  # of the run; failures of the flow without that much progress


@kernel("void(int64* c, double* r)")
def advance(c, r):
    """Take steps until the run ends, reaches the pause, or has filled its buffers."""
    h_min = r[slot.MIN_STEP]
    attempts = c[slot.CHUNK_STEPS]
    c[slot.STEP_INDEX] = 0
    c[slot.RECORD_INDEX] = 0
    while c[slot.STATUS] == slot.RUNNING:
        if c[slot.ACCEPTED] + c[slot.REJECTED] >= c[slot.MAX_STEPS]:
            c[slot.STATUS] = slot.TOO_MANY_STEPS
            return
        if attempts == 0 or c[slot.STEP_INDEX] == c[slot.STEP_CAPACITY]:
            return
        if c[slot.RECORD_INDEX] + c[slot.EVENT_COUNT] > c[slot.RECORD_CAPACITY]:
            return
        attempts -= 1
        t_new = end_of_step(c, r)
        h = t_new - r[slot.TIME]
        error = 0.0
        code = take_stages(c, r, h)
        if code >= 0 and c[slot.ADAPTIVE] != 0:
            error = error_norm(c, r, h)
            if not error < math.inf:
                code = slot.NOT_FINITE_CODE
        if code >= 0 and error <= 1.0:
            code = complete_step(c, r, t_new)
            if code >= 0:
                control_after_success(c, r, h, error)
                if r[slot.TIME] >= r[slot.PAUSE] or c[slot.ATTENTION] != 0:
                    return
                continue
        control_after_rejection(c, r, h, h_min, error, code)


@kernel("double(int64* c, double* r)")
def end_of_step(c, r):
    """Time at the end of the next step; the last one meets the end of the run exactly."""
    t = r[slot.TIME]
    end = r[slot.END]
    h = r[slot.STEP]
    if c[slot.ADAPTIVE] == 0:
        t_new = r[slot.START] + (c[slot.ACCEPTED] + 1) * h
        return end if end - t_new < 1e-8 * h else t_new
    if end - t <= h:
        return end
    # two equal steps rather than a full one and a sliver
    return t + min(h, 0.5 * (end - t))


@kernel("double(int64* c, double* r, double h)")
def error_norm(c, r, h):
    """err = |h| e₁² / √(n (e₁² + w e₂²)) with e² = Σ_i (Σ_j E_j k_ij / scale_i)²; w = 0 is the usual root mean square.

    Hairer, Nørsett, Wanner, section II.10, formula (10.17): w = 0.01 for DOP853.
    """
    n = c[slot.STATES]
    count = c[slot.ALL_STAGES]
    y = doubles(c[slot.STATE])
    new = doubles(c[slot.NEW_STATE])
    k = doubles(c[slot.DERIVATIVES])
    weights = doubles(c[slot.ERROR])
    absolute = doubles(c[slot.ABSOLUTE])
    first = 0.0
    second = 0.0
    for i in range(n):
        e1 = 0.0
        e2 = 0.0
        for j in range(c[slot.STAGES] + 1):
            e1 += weights[j] * k[j * n + i]
            e2 += weights[count + j] * k[j * n + i]
        scale = absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i]))
        first += (e1 / scale) * (e1 / scale)
        second += (e2 / scale) * (e2 / scale)
    if first == 0.0:
        return 0.0
    return h * first / math.sqrt(n * (first + r[slot.SECOND_WEIGHT] * second))


@kernel("void(int64* c, double* r, double h, double error)")
def control_after_success(c, r, h, error):
    """PI control, Hairer & Wanner II, section IV.2: h ← h · 0.9 · err^-α · err_last^β."""
    if c[slot.ADAPTIVE] != 0:
        error = max(error, SMALLEST_ERROR)
        factor = SAFETY * error ** -r[slot.ALPHA] * r[slot.LAST_ERROR] ** r[slot.BETA]
        # no growth straight after a rejection
        most = 1.0 if c[slot.FAILURE] != 0 else GROW_MOST
        r[slot.STEP] = min(h * min(max(factor, SHRINK_MOST), most), r[slot.MAX_STEP])
        r[slot.LAST_ERROR] = max(error, 1e-4)
    c[slot.FAILURE] = 0


@kernel("void(int64* c, double* r, double h, double h_min, double error, int32 code)")
def control_after_rejection(c, r, h, h_min, error, code):
    """Shrink the step, or give the run up; a failure counts as 1 when only the error was too large."""
    c[slot.REJECTED] += 1
    c[slot.FAILURE] = code if code < 0 else 1
    if c[slot.ADAPTIVE] == 0:
        c[slot.STATUS] = slot.NOT_FINITE if code == slot.NOT_FINITE_CODE else slot.FLOW_FAILED
        return
    factor = SHRINK_ON_FAILURE
    if code >= 0:
        factor = max(SAFETY * error ** -r[slot.ALPHA], SHRINK_MOST)
    r[slot.STEP] = h * factor
    stuck = 0
    if code < 0:
        stuck = is_stuck(c, r)
    if r[slot.STEP] < h_min or stuck == 1:
        c[slot.STATUS] = slot.NOT_FINITE if code == slot.NOT_FINITE_CODE else slot.STEP_TOO_SMALL


@kernel("int64(int64* c, double* r)")
def is_stuck(c, r):
    """1 when the flow has failed again and again with next to no progress: it cannot be continued from here."""
    if r[slot.TIME] - r[slot.STALL_TIME] > PROGRESS * (r[slot.END] - r[slot.START]):
        r[slot.STALL_TIME] = r[slot.TIME]
        c[slot.STALLED] = 0
    c[slot.STALLED] += 1
    return 1 if c[slot.STALLED] > PATIENCE else 0


@kernel("int32(int64* c, double* r, double t_new)")
def complete_step(c, r, t_new):
    """Correct the new state, locate events, write the output, and only then make the step count."""
    n = c[slot.STATES]
    h = t_new - r[slot.TIME]
    plain = doubles(c[slot.NEW_STATE])
    new = at(plain, n)
    derivative = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    for i in range(n):
        new[i] = plain[i]
    code = correct(c, t_new, new)
    if code == slot.ATTEND:
        c[slot.ATTENTION] = 1
        code = 0
    if code > 0:
        derivative = at(doubles(c[slot.DERIVATIVES]), c[slot.ALL_STAGES] * n)
        code = evaluate(c, t_new, new, derivative)
    if code < 0:
        return code
    found = find_crossings(c, t_new, new)
    if found < 0:
        return found
    if found > 0 or doubles(c[slot.GRID])[c[slot.GRID_INDEX]] < t_new:
        for stage in range(c[slot.STAGES] + 1, c[slot.ALL_STAGES]):
            code = take_stage(c, r, h, stage, doubles(c[slot.SCRATCH]))
            if code < 0:
                return code
    recorded = c[slot.RECORD_INDEX]
    stop = 2.0
    if found > 0:
        stop = record_events(c, r, h, new)
    if stop < 1.0:
        t_new = r[slot.TIME] + stop * h
    if stop >= 0.0:
        code = write_output(c, r, h, t_new, new)
    if stop < 0.0 or code < 0:
        c[slot.RECORD_INDEX] = recorded
        return code if code < 0 else int(stop)
    commit(c, r, t_new, new, derivative)
    if stop <= 1.0:
        c[slot.STATUS] = slot.EVENT
    return 0


@kernel("void(int64* c, double* r, double t_new, double* new, double* derivative)")
def commit(c, r, t_new, new, derivative):
    y = doubles(c[slot.STATE])
    k = doubles(c[slot.DERIVATIVES])
    for i in range(c[slot.STATES]):
        y[i] = new[i]
        k[i] = derivative[i]
    g = doubles(c[slot.EVENT_VALUES])
    for e in range(c[slot.EVENT_COUNT]):
        g[e] = g[c[slot.EVENT_COUNT] + e]
    r[slot.TIME] = t_new
    doubles(c[slot.STEP_TIMES])[c[slot.STEP_INDEX]] = t_new
    c[slot.STEP_INDEX] += 1
    c[slot.ACCEPTED] += 1
    if t_new >= r[slot.END]:
        c[slot.STATUS] = slot.COMPLETED


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """Dense output b_i(θ) = Σ_j P_ij θ^j (j from 1), corrected by the refresh."""
    degree = c[slot.DEGREE]
    weights = doubles(c[slot.WEIGHTS])
    dense = doubles(c[slot.DENSE])
    for i in range(c[slot.ALL_STAGES]):
        value = 0.0
        for j in range(degree - 1, -1, -1):
            value = (value + dense[i * degree + j]) * theta
        weights[i] = value
    combine(c[slot.STATES], c[slot.ALL_STAGES], h, weights, doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), out)
    return correct(c, r[slot.TIME] + theta * h, out)


@kernel("int32(int64* c, double* r, double h, double t_new, double* new)")
def write_output(c, r, h, t_new, new):
    """Fill the grid points after the start of the step, up to and including its end."""
    grid = doubles(c[slot.GRID])
    index = c[slot.GRID_INDEX]
    while index < c[slot.GRID_SIZE] and grid[index] <= t_new:
        state = new
        if grid[index] < t_new:
            state = doubles(c[slot.SCRATCH])
            code = interpolate(c, r, h, (grid[index] - r[slot.TIME]) / h, state)
            if code < 0:
                return code
        code = show(c, grid[index], state, at(doubles(c[slot.OUTPUT]), index * c[slot.SHOWN]))
        if code < 0:
            return code
        index += 1
    c[slot.GRID_INDEX] = index
    return 0


@kernel("int64(int64* c, double t_new, double* new)")
def find_crossings(c, t_new, new):
    """Count the event functions that change their sign; a zero counts at the end of the step, not at its start.

    Negative: the code of a failure.
    """
    count = c[slot.EVENT_COUNT]
    if count == 0:
        return 0
    directions = integers(c[slot.EVENT_DIRECTIONS])
    old = doubles(c[slot.EVENT_VALUES])
    value = at(old, count)
    theta = at(old, 3 * count)
    code = measure(c, t_new, new, value)
    if code < 0:
        return code
    found = 0
    for e in range(count):
        rising = old[e] < 0.0 and value[e] >= 0.0 and directions[e] >= 0
        falling = old[e] > 0.0 and value[e] <= 0.0 and directions[e] <= 0
        theta[e] = -1.0
        if rising or falling:
            theta[e] = 2.0
            found += 1
    return found


@kernel("double(int64* c, double* r, double h, int64 e)")
def locate(c, r, h, e):
    """θ of the sign change of event e: regula falsi, Illinois variant (Dowell & Jarratt, BIT 11, 1971).

    The trial point keeps a distance from both ends, so that the bracket itself becomes small. Its right end, where the
    function has its new sign, is the answer. Negative: the code of a failed refresh.
    """
    count = c[slot.EVENT_COUNT]
    g = doubles(c[slot.EVENT_VALUES])
    inside = at(g, 2 * count)
    y = doubles(c[slot.SCRATCH])
    a = 0.0
    b = 1.0
    ga = g[e]
    gb = g[count + e]
    side = 0
    width = LOCATION * max(abs(r[slot.TIME]) / h, 1.0)
    for _ in range(LOCATION_STEPS):
        if b - a <= 2.0 * width:
            break
        theta = b - gb * (b - a) / (gb - ga)
        theta = min(max(theta, a + width), b - width)
        code = interpolate(c, r, h, theta, y)
        if code >= 0:
            code = measure(c, r[slot.TIME] + theta * h, y, inside)
        if code < 0:
            return code
        if (inside[e] > 0.0) == (ga > 0.0) and inside[e] != 0.0:
            a = theta
            ga = inside[e]
            gb = 0.5 * gb if side < 0 else gb
            side = -1
        else:
            b = theta
            gb = inside[e]
            ga = 0.5 * ga if side > 0 else ga
            side = 1
    return b


@kernel("double(int64* c, double* r, double h, double* new)")
def record_events(c, r, h, new):
    """Record the events of the step in time order, up to the first terminal one, whose state goes to *new*.

    Return θ of the terminal event, 2 if there is none, or the code of a failure.
    """
    count = c[slot.EVENT_COUNT]
    theta = at(doubles(c[slot.EVENT_VALUES]), 3 * count)
    stop = 2.0
    for e in range(count):
        if theta[e] > 0.0:
            theta[e] = locate(c, r, h, e)
            if theta[e] < 0.0:
                return theta[e]
            if integers(c[slot.EVENT_TERMINAL])[e] != 0:
                stop = min(stop, theta[e])
    while True:
        first = -1
        for e in range(count):
            if 0.0 <= theta[e] <= stop and (first < 0 or theta[e] < theta[first]):
                first = e
        if first < 0:
            break
        row = at(doubles(c[slot.RECORDS]), c[slot.RECORD_INDEX] * (c[slot.SHOWN] + 2))
        row[0] = first
        row[1] = r[slot.TIME] + theta[first] * h
        code = interpolate(c, r, h, theta[first], doubles(c[slot.SCRATCH]))
        if code >= 0:
            code = show(c, row[1], doubles(c[slot.SCRATCH]), at(row, 2))
        if code < 0:
            return code
        c[slot.RECORD_INDEX] += 1
        theta[first] = -1.0
    if stop <= 1.0:
        code = interpolate(c, r, h, stop, new)
        if code < 0:
            return code
    return stop


@kernel(
    "int64(int64 n, int64 count, int64 flow, double* t, double* y, double* ydot, int64* ic, double* w, double* work)"
)
def evaluate_samples(n, count, flow, t, y, ydot, ic, w, work):
    """Flow at *count* states (count, n), on a copy of each; a row that fails becomes undefined. Return the failures."""
    failures = 0
    for row in range(count):
        for i in range(n):
            work[i] = y[row * n + i]
        if call_flow(flow, t[row], work, at(ydot, row * n), ic, w) < 0:
            failures += 1
            for i in range(n):
                ydot[row * n + i] = math.nan
    return failures
