"""Zeros of event functions within a step: they are noticed at its ends, located by interpolation, recorded in order."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_interpolate, doubles, integers, kernel
from linkwork.numerics.kernels.stages import correct, measure, show

LOCATION = 4e-15  # bracket of an event, relative to the time
LOCATION_STEPS = 100
LOOKS = 8  # places of a step at which a function is looked at that is negative at both ends


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def place(c, r, h, theta, out):
    """The state inside the step attempted, corrected by the refresh."""
    code = call_interpolate(c[slot.INTERPOLATE], c, r, h, theta, out)
    if code < 0:
        return code
    return correct(c, r[slot.TIME] + theta * h, out)


@kernel("int64(int64* c, double t_new, double* new)")
def find_crossings(c, t_new, new):
    """Count the event functions that change their sign; a zero counts at the end of the step, not at its start.

    Functions that are held count where they are negative at the end by more than rounding errors, even if they were not
    positive at the start: such errors may have put them on the wrong side of a zero. Negative: the code of a failure.
    """
    count = c[slot.EVENT_COUNT]
    if count == 0:
        return 0
    directions = integers(c[slot.EVENT_DIRECTIONS])
    old = doubles(c[slot.EVENT_VALUES])
    value = at(old, count)
    theta = at(old, 3 * count)
    noise = at(old, 4 * count)
    code = measure(c, t_new, new, value)
    if code < 0:
        return code
    found = 0
    for e in range(count):
        rising = old[e] < 0.0 and value[e] >= 0.0 and directions[e] >= 0
        falling = old[e] > 0.0 and value[e] <= 0.0 and directions[e] <= 0
        if directions[e] == slot.HELD:
            falling = value[e] < -noise[e]
        theta[e] = -1.0
        if rising or falling:
            theta[e] = 2.0
            found += 1
    return found


@kernel("double(int64* c, double* r, double h, int64 e)")
def first_hold(c, r, h, e):
    """θ at which event function e, negative at both ends of the step, is seen positive; 0: nowhere. Leaves it inside."""
    inside = at(doubles(c[slot.EVENT_VALUES]), 2 * c[slot.EVENT_COUNT])
    y = doubles(c[slot.SCRATCH])
    for i in range(1, LOOKS):
        theta = i / LOOKS
        code = place(c, r, h, theta, y)
        if code >= 0:
            code = measure(c, r[slot.TIME] + theta * h, y, inside)
        if code < 0:
            return code
        if inside[e] > 0.0:
            return theta
    return 0.0


@kernel("double(int64* c, double* r, double h, int64 e)")
def locate(c, r, h, e):
    """θ of the sign change of event e: regula falsi, Illinois variant (Dowell & Jarratt, BIT 11, 1971).

    The trial point keeps a distance from both ends, so that the bracket itself becomes small. Its right end, where the
    function has its new sign, is the answer: the start of the step, where it has had no other. Negative: the code of a
    failed refresh.
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
    if ga <= 0.0 and gb < 0.0:
        a = first_hold(c, r, h, e)
        if a <= 0.0:
            return a
        ga = inside[e]
    width = LOCATION * max(abs(r[slot.TIME]) / h, 1.0)
    for _ in range(LOCATION_STEPS):
        if b - a <= 2.0 * width:
            break
        theta = b - gb * (b - a) / (gb - ga)
        theta = min(max(theta, a + width), b - width)
        code = place(c, r, h, theta, y)
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
        code = place(c, r, h, theta[first], doubles(c[slot.SCRATCH]))
        if code >= 0:
            code = show(c, row[1], doubles(c[slot.SCRATCH]), at(row, 2))
        if code < 0:
            return code
        c[slot.RECORD_INDEX] += 1
        theta[first] = -1.0
    if 0.0 < stop <= 1.0:
        code = place(c, r, h, stop, new)
        if code < 0:
            return code
    return stop
