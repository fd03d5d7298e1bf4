"""Event functions that have one sign at both ends of a step and another inside: looks at the dense output find them.

A function that is not farther from zero than it moves in a step is looked at in a few places. Between two of
them, b and c, at which it is positive, it may still bend down to zero and back. The lines through the places beyond, a and b
on the left, c and d on the right, go on to a corner

    g_b + s_ab (x − x_b) = g_c + s_cd (x − x_c),

below which a function that is bent upward does not go. Where the corner is low, the function is evaluated there, and the
corner is taken anew from the nearer places: it runs into the tip of |x − x₀| − δ, or onto the ground of a parabola.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import measure

REACH = 2.0  # times its last move: how far a function is thought to move in a step
LOW = 0.25  # of the smaller value beside it: a corner that is looked at, since functions may be bent a little downward too
PROBES = 12  # of corners between two looks
MARGIN = 0.05  # of the distance between two places: the least one of a corner from them


@kernel
def is_near(run: Stepping, h: float, e: int) -> int:
    """1 where a function is nearer to zero than it moves in a step, by its rates in this and the last."""
    if run.event_directions[e] == status.HELD:
        return 0  # a function of time alone, whose steps are short enough
    first, last = run.at_start[e], run.at_end[e]
    sign = 1.0
    if run.event_directions[e] > status.HELD and first < 0.0:
        sign = -1.0
    moved = max(abs(run.event_rates[e]) * h, abs(last - first))
    return 0 if min(sign * first, sign * last) > REACH * moved else 1


@kernel
def may_dip(run: Stepping, h: float) -> int:
    """1 where a function may have another sign inside the step than at its ends."""
    for e in range(run.event_count):
        if is_near(run, h, e) == 1:
            return 1
    return 0


@kernel
def glance(run: Stepping, h: float, theta: float, values: Floats) -> Code:
    """Event functions of the dense output as it is: a refresh changes it by less than the tolerance."""
    y = run.scratch
    code = run.interpolate(run, h, theta, y)
    if code < 0:
        return code
    return measure(run, run.time + theta * h, y, values)


@kernel
def look_place(j: int) -> float:
    """θ of look j = 0 ... LOOKS + 1: extrema of a Chebyshev polynomial."""
    return 0.5 - 0.5 * math.cos(math.pi * j / (status.LOOKS + 1))


@kernel
def look_value(run: Stepping, e: int, j: int) -> float:
    """What function e was at look j."""
    if j == 0:
        return run.at_start[e]
    if j == status.LOOKS + 1:
        return run.at_end[e]
    return run.looks[(j - 1) * run.event_count + e]


@kernel
def look_inside(run: Stepping, h: float, found: int) -> int:
    """Bracket the first zero of functions that are watched, where it is inside the step; mark others that may have some.

    Return the number of functions that are to be looked at.
    """
    count, theta = run.event_count, run.crossings
    for j in range(status.LOOKS):
        code = glance(run, h, look_place(j + 1), at(run.looks, j * count))
        if code < 0:
            return code
    for e in range(count):
        if run.event_directions[e] > status.HELD and is_near(run, h, e) == 1:
            found += 1 if theta[e] < 0.0 else 0
            theta[e] = 2.0
        elif run.event_directions[e] == status.WATCHED:
            seen = find_dip(run, h, e)
            if seen < 0.0:
                return int(seen)
            if seen > 0.0:
                found += 1 if theta[e] < 0.0 else 0
                theta[e] = seen
    return found


@kernel
def find_dip(run: Stepping, h: float, e: int) -> float:
    """θ inside the step at which function e is negative after it was positive, both by more than rounding errors; 0: none.

    The place before it, at which it is still positive, is kept. One that begins at zero and ends above was positive
    there too: it may go down at once.
    """
    noise = run.noise[e]
    zero = abs(run.at_start[e]) <= noise
    safe = -1
    for j in range(status.LOOKS + 2):
        g = look_value(run, e, j)
        seen = 0.0
        if g > noise:
            if j > 0 and safe == j - 1:
                seen = sink(run, h, e, j, 1.0)
        elif g < -noise and (safe >= 0 or zero) and j <= status.LOOKS:
            seen = look_place(j)
        if seen > 0.0:
            run.safe[e] = look_place(max(safe, 0))
        if seen != 0.0:
            return seen
        if g > noise:
            safe = j
    return 0.0


@kernel
def sink(run: Stepping, h: float, e: int, j: int, sign: float) -> float:
    """θ between looks j - 1 and j, at which a function has a sign, where it has the other; 0: no corner leads there."""
    noise, x, g = run.noise[e], run.corner_places, run.corner_values
    for i in range(4):
        # where there is none beyond, a line of any slope: its place is that of its neighbour
        look = min(max(j - 2 + i, 0), status.LOOKS + 1)
        x[i] = look_place(look)
        g[i] = sign * look_value(run, e, look)
    low = LOW * min(g[1], g[2])
    for _ in range(PROBES):
        if find_corner(run, 0, 2) > low:
            return 0.0
        room = MARGIN * (x[2] - x[1])
        theta = min(max(run.corner, x[1] + room), x[2] - room)
        code = glance(run, h, theta, run.inside)
        if code < 0:
            return code
        seen = sign * run.inside[e]
        if seen < -noise:
            return theta
        if seen <= noise:
            return 0.0
        narrow(run, theta, seen)
    return 0.0


@kernel
def find_corner(run: Stepping, left: int, right: int) -> float:
    """Height of the corner between the second of two places on the left and the first of two on the right.

    Infinite where the lines do not go down to it.
    """
    x, g = run.corner_places, run.corner_values
    b, c = left + 1, right
    before, behind = x[b] - x[left], x[c + 1] - x[c]
    down = (g[b] - g[left]) / before if before > 0.0 else 0.0
    up = (g[c + 1] - g[c]) / behind if behind > 0.0 else 0.0
    if (before > 0.0 and down >= 0.0) or (behind > 0.0 and up <= 0.0):
        return math.inf
    if before <= 0.0:
        run.corner = x[b]
        return g[c] + up * (x[b] - x[c])
    if behind <= 0.0:
        run.corner = x[c]
        return g[b] + down * (x[c] - x[b])
    run.corner = min(max((g[c] - g[b] - up * x[c] + down * x[b]) / (down - up), x[b]), x[c])
    return max(g[b] + down * (run.corner - x[b]), g[c] + up * (run.corner - x[c]))


@kernel
def narrow(run: Stepping, theta: float, seen: float) -> None:
    """A new place between the second and the third: four of the five stay, those around the lower corner."""
    x, g = run.corner_places, run.corner_values
    for i in range(2):
        x[4 - i], g[4 - i] = x[3 - i], g[3 - i]
    x[2], g[2] = theta, seen
    first = find_corner(run, 0, 2)
    if find_corner(run, 1, 3) < first:
        for i in range(4):
            x[i], g[i] = x[i + 1], g[i + 1]
