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
    count = run.event_count
    g = run.event_values
    if run.event_directions[e] == status.HELD:
        return 0  # a function of time alone, whose steps are short enough
    sign = 1.0
    if run.event_directions[e] > status.HELD and g[e] < 0.0:
        sign = -1.0
    moved = max(abs(g[6 * count + e]) * h, abs(g[count + e] - g[e]))
    return 0 if min(sign * g[e], sign * g[count + e]) > REACH * moved else 1


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
    row = j + status.EVENT_ROWS - 1
    if j == 0:
        row = 0
    if j == status.LOOKS + 1:
        row = 1
    return run.event_values[row * run.event_count + e]


@kernel
def look_inside(run: Stepping, h: float, found: int) -> int:
    """Bracket the first zero of functions that are watched, where it is inside the step; mark others that may have some.

    Return the number of functions that are to be looked at.
    """
    count = run.event_count
    values = run.event_values
    theta = at(values, 3 * count)
    for j in range(status.LOOKS):
        code = glance(run, h, look_place(j + 1), at(values, (status.EVENT_ROWS + j) * count))
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

    The place before it, at which it is still positive, is kept.
    """
    count = run.event_count
    values = run.event_values
    noise = values[4 * count + e]
    safe = -1
    for j in range(status.LOOKS + 2):
        g = look_value(run, e, j)
        seen = 0.0
        if g > noise:
            if j > 0 and safe == j - 1:
                seen = sink(run, h, e, j, 1.0)
        elif g < -noise and safe >= 0 and j <= status.LOOKS:
            seen = look_place(j)
        if seen > 0.0:
            values[5 * count + e] = look_place(safe)
        if seen != 0.0:
            return seen
        if g > noise:
            safe = j
    return 0.0


@kernel
def sink(run: Stepping, h: float, e: int, j: int, sign: float) -> float:
    """θ between looks j - 1 and j, at which a function has a sign, where it has the other; 0: no corner leads there."""
    count = run.event_count
    values = run.event_values
    noise = values[4 * count + e]
    inside = at(values, 2 * count)
    w = at(values, (status.EVENT_ROWS + status.LOOKS) * count)
    for i in range(4):
        # where there is none beyond, a line of any slope: its place is that of its neighbour
        look = min(max(j - 2 + i, 0), status.LOOKS + 1)
        w[2 * i] = look_place(look)
        w[2 * i + 1] = sign * look_value(run, e, look)
    low = LOW * min(w[3], w[5])
    for _ in range(PROBES):
        if find_corner(w, 0, 2) > low:
            return 0.0
        room = MARGIN * (w[4] - w[2])
        x = min(max(w[10], w[2] + room), w[4] - room)
        code = glance(run, h, x, inside)
        if code < 0:
            return code
        if sign * inside[e] < -noise:
            return x
        if sign * inside[e] <= noise:
            return 0.0
        narrow(w, x, sign * inside[e])
    return 0.0


@kernel
def find_corner(w: Floats, left: int, right: int) -> float:
    """Height of the corner between the second of two places on the left and the first of two on the right.

    w: (θ, g) of up to five places in order, behind them θ of the corner. Infinite where the lines do not go down to it.
    """
    a, b = at(w, 2 * left), at(w, 2 * left + 2)
    d, f = at(w, 2 * right), at(w, 2 * right + 2)
    before, behind = b[0] - a[0], f[0] - d[0]
    down = (b[1] - a[1]) / before if before > 0.0 else 0.0
    up = (f[1] - d[1]) / behind if behind > 0.0 else 0.0
    if (before > 0.0 and down >= 0.0) or (behind > 0.0 and up <= 0.0):
        return math.inf
    if before <= 0.0:
        w[10] = b[0]
        return d[1] + up * (b[0] - d[0])
    if behind <= 0.0:
        w[10] = d[0]
        return b[1] + down * (d[0] - b[0])
    w[10] = min(max((d[1] - b[1] - up * d[0] + down * b[0]) / (down - up), b[0]), d[0])
    return max(b[1] + down * (w[10] - b[0]), d[1] + up * (w[10] - d[0]))


@kernel
def narrow(w: Floats, x: float, g: float) -> None:
    """A new place between the second and the third: four of the five stay, those around the lower corner."""
    for i in range(4):
        w[9 - i] = w[7 - i]
    w[4] = x
    w[5] = g
    first = find_corner(w, 0, 2)
    if find_corner(w, 1, 3) < first:
        for i in range(8):
            w[i] = w[i + 2]
