"""Zeros of event functions within a step: they are noticed at its ends, and located by interpolation."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import correct, measure

LOCATION = 4e-15  # bracket of an event, relative to the time
LOCATION_STEPS = 100
SLOW = 3  # trials in a row that leave more than half of a bracket, before it is halved
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
    directions, old, value = run.event_directions, run.at_start, run.at_end
    code = measure(run, t_new, new, value)
    if code < 0:
        return code
    found = 0
    for e in range(count):
        rising = old[e] < 0.0 and value[e] >= 0.0 and directions[e] >= 0
        falling = old[e] > 0.0 and value[e] <= 0.0 and directions[e] <= 0
        if directions[e] <= status.HELD:
            falling = value[e] < -run.noise[e]
        run.crossings[e] = -1.0
        run.safe[e] = -1.0 if directions[e] <= status.HELD else 0.0
        run.signs[e] = 0.0
        if old[e] != 0.0:
            run.signs[e] = 1.0 if old[e] > 0.0 else -1.0
        if rising or falling:
            run.crossings[e] = 2.0
            found += 1
    return found


@kernel
def measure_inside(run: Stepping, h: float, theta: float) -> Code:
    """The event functions inside the step attempted."""
    y = run.scratch
    code = place(run, h, theta, y)
    if code < 0:
        return code
    return measure(run, run.time + theta * h, y, run.inside)


@kernel
def first_hold(run: Stepping, h: float, e: int) -> float:
    """θ at which event function e, negative at both ends of the step, is seen positive; 0: nowhere. Leaves it inside."""
    for i in range(1, PARTS + POWERS):
        theta = i / PARTS if i < PARTS else 0.5 ** (2 * (i - PARTS) + 4)
        code = measure_inside(run, h, theta)
        if code < 0:
            return code
        if run.inside[e] > (0.0 if i < PARTS else run.noise[e]):
            return theta
    return 0.0


@kernel
def leave_zero(run: Stepping, h: float, e: int) -> float:
    """θ at which event function e, zero at the start but for rounding errors, becomes negative in its bracket: 0 where it
    is seen positive nowhere before. Negative: the code of a failure.
    """
    for i in range(1, POWERS):
        theta = run.high * 0.5 ** (2 * i - 1)
        code = measure_inside(run, h, theta)
        if code < 0:
            return code
        if run.inside[e] > run.noise[e]:
            run.low = theta
            run.low_value = run.inside[e]
            return close_in(run, h, e)
    return 0.0


@kernel
def locate(run: Stepping, h: float, e: int) -> float:
    """θ of the sign change of event e, in the bracket of a dip or in the whole step; NOWHERE: there is none.

    What was seen of a dip has not been corrected by the refresh: it must be there in corrected states too. Negative: the
    code of a failure.
    """
    if run.crossings[e] < 1.0:
        # the place before the dip, and that of the dip
        run.low, run.high = run.safe[e], run.crossings[e]
        run.low_value = run.high_value = run.at_start[e]
        if run.low > 0.0:
            code = measure_inside(run, h, run.low)
            if code < 0:
                return code
            run.low_value = run.inside[e]
        if run.high > 0.0:
            code = measure_inside(run, h, run.high)
            if code < 0:
                return code
            run.high_value = run.inside[e]
        if run.low == 0.0 and run.low_value <= run.noise[e] and run.high_value < -run.noise[e]:
            return leave_zero(run, h, e)
        if run.low_value > 0.0 > run.high_value:
            return close_in(run, h, e)
        if run.at_end[e] >= -run.noise[e]:
            return NOWHERE
    run.low, run.high = 0.0, 1.0
    run.low_value, run.high_value = run.at_start[e], run.at_end[e]
    if run.low_value <= run.noise[e] and run.high_value < 0.0:
        # what is positive at the start by rounding errors alone says nothing of the side from which the zero is reached
        held = first_hold(run, h, e)
        if held < 0.0 or (held == 0.0 and run.low_value <= 0.0):
            return held
        if held > 0.0:
            run.low = held
            run.low_value = run.inside[e]
    return close_in(run, h, e)


@kernel
def close_in(run: Stepping, h: float, e: int) -> float:
    """θ of the sign change of event e in its bracket: regula falsi, Illinois variant (Dowell & Jarratt, BIT 11, 1971).

    The trial point keeps a distance from both ends, so that the bracket itself becomes small; where it hardly does, as next
    to a value that is zero to rounding, it is halved. Its right end, where the function has its new sign, is the answer.
    Negative: the code of a failed refresh.
    """
    a, b, ga, gb = run.low, run.high, run.low_value, run.high_value
    side = slow = 0
    width = LOCATION * max(abs(run.time) / h, 1.0)
    for _ in range(LOCATION_STEPS):
        if b - a <= 2.0 * width:
            break
        before = b - a
        theta = b - gb * (b - a) / (gb - ga) if slow < SLOW else 0.5 * (a + b)
        theta = min(max(theta, a + width), b - width)
        code = measure_inside(run, h, theta)
        if code < 0:
            return code
        if (run.inside[e] > 0.0) == (ga > 0.0) and run.inside[e] != 0.0:
            a = theta
            ga = run.inside[e]
            gb = 0.5 * gb if side < 0 else gb
            side = -1
        else:
            b = theta
            gb = run.inside[e]
            ga = 0.5 * ga if side > 0 else ga
            side = 1
        slow = slow + 1 if b - a > 0.5 * before else 0
    return b
