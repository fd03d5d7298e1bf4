"""Zeros of event functions within a step: they are noticed at its ends, and located by interpolation."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import correct, measure

LOCATION = 4e-15  # bracket of an event, relative to the time
LOCATION_STEPS = 100
NOWHERE = 3.0  # θ of an event that does not occur in the step
PARTS, POWERS = 8, 10  # of a step, and of its start, in which a function is looked at that is negative at both ends


@kernel
def place(run: Stepping, h: float, theta: float, out: Floats) -> Code:
    """The state inside the step attempted, corrected by the refresh."""
    code = run.interpolate(run, h, theta, out)
    if code < 0:
        return code
    return correct(run, run.time + theta * h, out)


@kernel
def find_crossings(run: Stepping, t_new: float, new: Floats) -> int:
    """Count the event functions that change their sign; a zero counts at the end of the step, not at its start.

    Functions that are held count where they are negative at the end by more than rounding errors, even if they were not
    positive at the start: such errors may have put them on the wrong side of a zero. Negative: the code of a failure.
    """
    count = run.event_count
    if count == 0:
        return 0
    directions = run.event_directions
    old = run.event_values
    value = at(old, count)
    theta = at(old, 3 * count)
    noise = at(old, 4 * count)
    safe = at(old, 5 * count)
    sign = at(old, 7 * count)
    code = measure(run, t_new, new, value)
    if code < 0:
        return code
    found = 0
    for e in range(count):
        rising = old[e] < 0.0 and value[e] >= 0.0 and directions[e] >= 0
        falling = old[e] > 0.0 and value[e] <= 0.0 and directions[e] <= 0
        if directions[e] <= status.HELD:
            falling = value[e] < -noise[e]
        theta[e] = -1.0
        safe[e] = -1.0 if directions[e] <= status.HELD else 0.0
        sign[e] = 0.0
        if old[e] != 0.0:
            sign[e] = 1.0 if old[e] > 0.0 else -1.0
        if rising or falling:
            theta[e] = 2.0
            found += 1
    return found


@kernel
def measure_inside(run: Stepping, h: float, theta: float) -> Code:
    """The event functions inside the step attempted."""
    y = run.scratch
    code = place(run, h, theta, y)
    if code < 0:
        return code
    return measure(run, run.time + theta * h, y, at(run.event_values, 2 * run.event_count))


@kernel
def first_hold(run: Stepping, h: float, e: int) -> float:
    """θ at which event function e, negative at both ends of the step, is seen positive; 0: nowhere. Leaves it inside."""
    count = run.event_count
    inside = at(run.event_values, 2 * count)
    noise = run.event_values[4 * count + e]
    for i in range(1, PARTS + POWERS):
        theta = i / PARTS if i < PARTS else 0.5 ** (2 * (i - PARTS) + 4)
        code = measure_inside(run, h, theta)
        if code < 0:
            return code
        if inside[e] > (0.0 if i < PARTS else noise):
            return theta
    return 0.0


@kernel
def locate(run: Stepping, h: float, e: int) -> float:
    """θ of the sign change of event e, in the bracket of a dip or in the whole step; NOWHERE: there is none.

    What was seen of a dip has not been corrected by the refresh: it must be there in corrected states too. Negative: the
    code of a failure.
    """
    count = run.event_count
    g = run.event_values
    inside = at(g, 2 * count)
    bracket = at(g, (status.EVENT_ROWS + status.LOOKS) * count)
    if g[3 * count + e] < 1.0:
        for i in range(2):
            # the place before the dip, and that of the dip
            bracket[i] = g[(5 - 2 * i) * count + e]
            bracket[2 + i] = g[e]
            if bracket[i] > 0.0:
                code = measure_inside(run, h, bracket[i])
                if code < 0:
                    return code
                bracket[2 + i] = inside[e]
        if bracket[2] > 0.0 > bracket[3]:
            return close_in(run, h, e, bracket)
        if g[count + e] >= -g[4 * count + e]:
            return NOWHERE
    for i in range(2):
        bracket[i] = 1.0 * i
        bracket[2 + i] = g[i * count + e]
    if bracket[2] <= 0.0 and bracket[3] < 0.0:
        bracket[0] = first_hold(run, h, e)
        if bracket[0] <= 0.0:
            return bracket[0]
        bracket[2] = inside[e]
    return close_in(run, h, e, bracket)


@kernel
def close_in(run: Stepping, h: float, e: int, bracket: Floats) -> float:
    """θ of the sign change of event e in a bracket: regula falsi, Illinois variant (Dowell & Jarratt, BIT 11, 1971).

    The trial point keeps a distance from both ends, so that the bracket itself becomes small. Its right end, where the
    function has its new sign, is the answer. bracket: θ of both ends, g at both. Negative: the code of a failed refresh.
    """
    inside = at(run.event_values, 2 * run.event_count)
    a, b, ga, gb = bracket[0], bracket[1], bracket[2], bracket[3]
    side = 0
    width = LOCATION * max(abs(run.time) / h, 1.0)
    for _ in range(LOCATION_STEPS):
        if b - a <= 2.0 * width:
            break
        theta = b - gb * (b - a) / (gb - ga)
        theta = min(max(theta, a + width), b - width)
        code = measure_inside(run, h, theta)
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
