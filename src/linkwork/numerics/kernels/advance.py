"""The driver of all integrators: step control, corrections, output, events, resumption in chunks.

What a step is, only the family of the method knows. It gives five kernels, which are called by address:

    attempt(c, r, h)                     a step of size h from TIME, STATE and the derivative there, row 0 of DERIVATIVES.
                                         It leaves the new state in NEW_STATE, its derivative in the row STAGES of
                                         DERIVATIVES (or sets END_OPEN, and the driver evaluates it once the state
                                         is corrected) and the weighted norm of the error in r[ERROR], and can be
                                         repeated with another h. Returns the code of a failure < 0
    densify(c, r, h)                     prepares interpolation within the step attempted
    interpolate(c, r, h, theta, out)     the state at TIME + θ h, before it is corrected
    accept(c, r, h, new, derivative)     the step counts, with the state and derivative that corrections have left. With
                                         OWN_CONTROL the family chooses the next step r[STEP], and its order
    restart(c, r)                        what was remembered of former steps is void

``c`` and ``r`` are the control blocks, ``slot`` names their places. Step control: Hairer and Wanner, "Solving Ordinary
Differential Equations II", section IV.2.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import (
    at,
    call_accept,
    call_attempt,
    call_flow,
    call_refresh,
    call_restart,
    doubles,
    kernel,
)
from linkwork.numerics.kernels.dips import look_inside, may_dip
from linkwork.numerics.kernels.events import find_crossings, place, record_events
from linkwork.numerics.kernels.keeping import keep, looks_inside
from linkwork.numerics.kernels.stages import check_finite, correct, evaluate, show

SAFETY, SHRINK_MOST, GROW_MOST, SHRINK_ON_FAILURE = 0.9, 0.2, 8.0, 0.25
SMALLEST_ERROR = 1e-10  # keeps the powers of the step control finite
RESOLUTION = 16.0 * 2.0**-52  # of time: the shortest step there
CREEPING = 1e5 * 2.0**-52  # of time: steps that are so short that its rounding is felt in states that change that fast
PROGRESS, PATIENCE = 1e-8, 1000  # of the run; creeping steps without that much progress
FAILURES = 10  # creeping steps that a failure of the flow counts for


@kernel("void(int64* c, double* r)")
def advance(c, r):
    """Take steps until the run ends, reaches the pause, or has filled its buffers."""
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
        if c[slot.NODE_INDEX] > c[slot.NODE_CAPACITY]:
            return
        attempts -= 1
        t_new = end_of_step(c, r)
        h = t_new - r[slot.TIME]
        code = call_attempt(c[slot.ATTEMPT], c, r, h)
        error = r[slot.ERROR]
        if code >= 0 and not error < math.inf:
            code = slot.NOT_FINITE_CODE
        if code >= 0 and error <= 1.0:
            code = complete_step(c, r, t_new)
            if code >= 0:
                control_after_success(c, r, h, error)
                if c[slot.WATCH] != 0 and is_suspicious(c) == 1:
                    c[slot.ATTENTION] = 1
                if r[slot.TIME] >= r[slot.PAUSE] or c[slot.ATTENTION] != 0:
                    return
                continue
        control_after_rejection(c, r, h, error, code)


@kernel("int64(int64* c)")
def is_suspicious(c):
    """1 when enough steps have looked stiff, or when somebody wants to look after so many of them."""
    if c[slot.SUSPICION] >= c[slot.WATCH]:
        return 1
    return 1 if c[slot.REVIEW_AT] > 0 and c[slot.ACCEPTED] >= c[slot.REVIEW_AT] else 0


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


@kernel("void(int64* c, double* r, double h, double error)")
def control_after_success(c, r, h, error):
    """PI control: h ← h · 0.9 · err^-α · err_last^β."""
    if c[slot.ADAPTIVE] != 0 and c[slot.OWN_CONTROL] == 0:
        error = max(error, SMALLEST_ERROR)
        factor = SAFETY * error ** -r[slot.ALPHA] * r[slot.LAST_ERROR] ** r[slot.BETA]
        # no growth straight after a rejection
        most = 1.0 if c[slot.FAILURE] != 0 else GROW_MOST
        r[slot.STEP] = min(h * min(max(factor, SHRINK_MOST), most), r[slot.MAX_STEP])
        r[slot.LAST_ERROR] = max(error, 1e-4)
    c[slot.FAILURE] = 0
    creeps = c[slot.ADAPTIVE] != 0 and h < CREEPING * abs(r[slot.TIME]) and c[slot.STATUS] == slot.RUNNING
    # speeds grow beyond all bounds, as at a dead centre of a driver, which no number of steps reaches
    if creeps and is_stuck(c, r, 1) == 1:
        c[slot.STATUS] = slot.STEP_TOO_SMALL


@kernel("void(int64* c, double* r, double h, double error, int32 code)")
def control_after_rejection(c, r, h, error, code):
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
        stuck = is_stuck(c, r, FAILURES)
    if r[slot.STEP] < max(r[slot.MIN_STEP], RESOLUTION * abs(r[slot.TIME])) or stuck == 1:
        c[slot.STATUS] = slot.NOT_FINITE if code == slot.NOT_FINITE_CODE else slot.STEP_TOO_SMALL


@kernel("int64(int64* c, double* r, int64 weight)")
def is_stuck(c, r, weight):
    """1 when the flow has failed again and again, or steps have crept, with next to no progress: it ends here."""
    if r[slot.TIME] - r[slot.STALL_TIME] > PROGRESS * (r[slot.END] - r[slot.START]):
        r[slot.STALL_TIME] = r[slot.TIME]
        c[slot.STALLED] = 0
    c[slot.STALLED] += weight
    return 1 if c[slot.STALLED] > PATIENCE else 0


@kernel("int64(int64* c, double t_new, double* plain, double* new)")
def settle(c, t_new, plain, new):
    """new <- the state at the end, corrected. Returns the row of its derivative, or the code of a failure < 0."""
    n, rates = c[slot.STATES], doubles(c[slot.DERIVATIVES])
    end, anew = c[slot.STAGES], c[slot.ALL_STAGES]
    for i in range(n):
        new[i] = plain[i]
    code = correct(c, t_new, new)
    if code == slot.ATTEND:
        c[slot.ATTENTION] = 1
        code = 0
    c[slot.VOID] = code if code >= slot.RESTART else 0
    if code >= 0 and c[slot.END_OPEN] == 1:
        # output inside the step goes with the state before a change of chart
        state = plain if code >= slot.RESTART else new
        failed = evaluate(c, t_new, state, at(rates, end * n))
        if failed >= 0:
            failed = check_finite(c, state, at(rates, end * n))
        if failed < 0 or code < slot.RESTART:
            return failed if failed < 0 else end
    if code > 0:
        code = evaluate(c, t_new, new, at(rates, anew * n))
        end = anew
    return code if code < 0 else end


@kernel("int32(int64* c, double* r, double t_new)")
def complete_step(c, r, t_new):
    """Correct the new state, locate events, write the output, and only then make the step count."""
    n = c[slot.STATES]
    h = t_new - r[slot.TIME]
    plain = doubles(c[slot.NEW_STATE])
    new = at(plain, n)
    row = settle(c, t_new, plain, new)
    if row < 0:
        return row
    derivative = at(doubles(c[slot.DERIVATIVES]), row * n)
    found = find_crossings(c, t_new, new)
    if found < 0:
        return found
    watched = may_dip(c, h)
    dense = 0
    if found > 0 or looks_inside(c) == 1 or watched == 1 or doubles(c[slot.GRID])[c[slot.GRID_INDEX]] < t_new:
        dense = 1
        code = call_attempt(c[slot.DENSIFY], c, r, h)
        if code < 0:
            return code
    if watched == 1:
        found = look_inside(c, r, h, found)
        if found < 0:
            return found
    recorded = c[slot.RECORD_INDEX]
    code, stop = 0, 2.0
    if found > 0:
        stop = record_events(c, r, h, new)
    if stop < 1.0:
        t_new = r[slot.TIME] + stop * h
    if stop >= 0.0:
        code = write_output(c, r, h, t_new, new)
    if stop > 0.0 and code >= 0 and c[slot.NODE_COUNT] > 0:
        code = keep(c, r, h, t_new, dense, 1 if stop <= 1.0 or c[slot.VOID] > 0 else 0)
    if stop < 0.0 or code < 0:
        c[slot.RECORD_INDEX] = recorded
        return code if code < 0 else int(stop)
    if stop == 0.0:
        # the step should not have begun: the run ends where it did
        c[slot.REJECTED] += 1
        c[slot.STATUS] = slot.EVENT
        return 0
    commit(c, r, t_new, new, derivative)
    if stop <= 1.0:
        c[slot.STATUS] = slot.EVENT
    return 0


@kernel("void(int64* c, double* r, double t_new, double* new, double* derivative)")
def commit(c, r, t_new, new, derivative):
    call_accept(c[slot.ACCEPT], c, r, t_new - r[slot.TIME], new, derivative)
    y = doubles(c[slot.STATE])
    k = doubles(c[slot.DERIVATIVES])
    for i in range(c[slot.STATES]):
        y[i] = new[i]
        k[i] = derivative[i]
    g = doubles(c[slot.EVENT_VALUES])
    for e in range(c[slot.EVENT_COUNT]):
        g[6 * c[slot.EVENT_COUNT] + e] = (g[c[slot.EVENT_COUNT] + e] - g[e]) / (t_new - r[slot.TIME])
        g[e] = g[c[slot.EVENT_COUNT] + e]
    r[slot.TIME] = t_new
    doubles(c[slot.STEP_TIMES])[c[slot.STEP_INDEX]] = t_new
    c[slot.STEP_INDEX] += 1
    c[slot.ACCEPTED] += 1
    if c[slot.VOID] > 0:
        call_restart(c[slot.RESTART_HISTORY], c, r)
    if t_new >= r[slot.END]:
        c[slot.STATUS] = slot.COMPLETED


@kernel("int32(int64* c, double* r, double h, double t_new, double* new)")
def write_output(c, r, h, t_new, new):
    """Fill the grid points after the start of the step, up to and including its end."""
    grid = doubles(c[slot.GRID])
    index = c[slot.GRID_INDEX]
    while index < c[slot.GRID_SIZE] and grid[index] <= t_new:
        state = new
        if grid[index] < t_new:
            state = doubles(c[slot.SCRATCH])
            code = place(c, r, h, (grid[index] - r[slot.TIME]) / h, state)
            if code < 0:
                return code
        code = show(c, grid[index], state, at(doubles(c[slot.OUTPUT]), index * c[slot.SHOWN]))
        if code < 0:
            return code
        index += 1
    c[slot.GRID_INDEX] = index
    return 0


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


@kernel("int64(int64 n, int64 count, int64 refresh, double* t, double* y, int64* ic, double* w)")
def refresh_samples(n, count, refresh, t, y, ic, w):
    """Correct *count* states (count, n) in place; a row that fails becomes undefined. Return the failures."""
    failures = 0
    for row in range(count):
        if call_refresh(refresh, t[row], at(y, row * n), ic, w) < 0:
            failures += 1
            for i in range(n):
                y[row * n + i] = math.nan
    return failures
