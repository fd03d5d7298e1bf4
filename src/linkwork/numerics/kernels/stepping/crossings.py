"""All zeros of event functions within a step, recorded in the order of time.

A function of which the run goes on behind a zero may have several in a step. Its sign behind the last one is known; the next
one lies before the first look at which the sign is another, or where it dips to the other sign between two looks.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.dips import look_place, look_value, sink
from linkwork.numerics.kernels.stepping.events import NOWHERE, close_in, locate, measure_inside, place
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import show

TINY = 1e-300  # stands for a zero on the side from which a function comes


@kernel
def follow(run: Stepping, h: float, e: int) -> float:
    """θ of the next zero of function e in its direction, behind its last one; NOWHERE: there is none.

    Negative: the code of a failure.
    """
    sign, last = run.signs, status.LOOKS + 1
    for j in range(1 if run.looked == 1 else last, last + 1):
        # there and back between two looks
        for _ in range(2):
            theta = cross_before(run, h, e, j)
            if theta < 0.0:
                return theta
            if theta > 0.0 and run.event_directions[e] * sign[e] >= 0.0:
                return theta
    return NOWHERE


@kernel
def cross_before(run: Stepping, h: float, e: int, j: int) -> float:
    """θ at which function e changes its sign before look j; 0: it does not. Sign and place behind it are kept."""
    safe, sign = run.safe, run.signs
    place_now, value = look_place(j), look_value(run, e, j)
    if place_now <= safe[e]:
        return 0.0
    if sign[e] == 0.0:
        # it was zero where the step begins: that zero was counted before
        if value != 0.0:
            sign[e] = 1.0 if value > 0.0 else -1.0
            safe[e] = place_now
        return 0.0
    beyond = place_now
    if sign[e] * value > 0.0:
        before = look_place(j - 1) if run.looked == 1 else place_now
        beyond = 0.0
        if safe[e] <= before < place_now and sign[e] * look_value(run, e, j - 1) > 0.0:
            beyond = sink(run, h, e, j, sign[e])
        if beyond <= 0.0:
            return beyond
        safe[e] = before
    elif value == 0.0 and j <= status.LOOKS:
        return 0.0
    return change_sign(run, h, e, beyond)


@kernel
def change_sign(run: Stepping, h: float, e: int, beyond: float) -> float:
    """θ of the zero between the place that is safe and one beyond it; 0: it is not there in corrected states."""
    safe, sign, far = run.safe, run.signs, run.at_end[e]
    if beyond < 1.0:
        code = measure_inside(run, h, beyond)
        if code < 0:
            return code
        far = run.inside[e]
    near = run.at_start[e]
    if safe[e] > 0.0:
        code = measure_inside(run, h, safe[e])
        if code < 0:
            return code
        near = run.inside[e]
    if sign[e] * far > 0.0:
        return 0.0
    run.low, run.high = safe[e], beyond
    run.low_value, run.high_value = sign[e] * max(sign[e] * near, TINY), far
    theta = close_in(run, h, e)
    if theta >= 0.0:
        safe[e] = beyond
        sign[e] = -sign[e]
    return theta


@kernel
def next_zero(run: Stepping, h: float, e: int) -> float:
    """θ of the next zero of function e: of one that is held there is one, at which the run ends."""
    if run.event_directions[e] <= status.HELD:
        return locate(run, h, e)
    return follow(run, h, e)


@kernel
def first_zeros(run: Stepping, h: float) -> float:
    """θ of the first zero of every function that may have one, and with it that of the first at which the run ends; 2: none.

    Negative: the code of a failure.
    """
    theta = run.crossings
    stop = 2.0
    for e in range(run.event_count):
        if theta[e] > 0.0:
            theta[e] = next_zero(run, h, e)
            if theta[e] < 0.0:
                return theta[e]
            if run.event_terminal[e] != 0:
                stop = min(stop, theta[e])
    return stop


@kernel
def record_events(run: Stepping, h: float, new: Floats) -> float:
    """Record the events of the step in time order, up to the first terminal one, whose state goes to *new*.

    Return θ of the terminal event, 2 if there is none, or the code of a failure.
    """
    count, theta = run.event_count, run.crossings
    stop = first_zeros(run, h)
    while stop >= 0.0:
        first = -1
        for e in range(count):
            if 0.0 <= theta[e] <= stop and (first < 0 or theta[e] < theta[first]):
                first = e
        if first < 0:
            break
        row = at(run.records, run.record_index * (run.shown + 2))
        row[0] = first
        row[1] = run.time + theta[first] * h
        code = place(run, h, theta[first], run.scratch)
        if code >= 0:
            code = show(run, row[1], run.scratch, at(row, 2))
        if code < 0:
            return code
        run.record_index += 1
        again = theta[first] < stop and run.event_directions[first] > status.HELD
        theta[first] = follow(run, h, first) if again else NOWHERE
        if theta[first] < 0.0:
            return theta[first]
    if 0.0 < stop <= 1.0:
        code = place(run, h, stop, new)
        if code < 0:
            return code
    return stop
