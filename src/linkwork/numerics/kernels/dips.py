"""Event functions that are positive at both ends of a step and negative inside: looks at the dense output find them.

A function that is held, and not farther from zero than it moves in a step, is looked at in a few places. Between two of
them, b and c, at which it is positive, it may still bend down to zero and back. The lines through the places beyond, a and b
on the left, c and d on the right, go on to a corner

    g_b + s_ab (x − x_b) = g_c + s_cd (x − x_c),

below which a function that is bent upward does not go. Where the corner is low, the function is evaluated there, and the
corner is taken anew from the nearer places: it runs into the tip of |x − x₀| − δ, or onto the ground of a parabola.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_interpolate, doubles, integers, kernel
from linkwork.numerics.kernels.stages import measure

REACH = 2.0  # times its last move: how far a function is thought to move in a step
LOW = 0.25  # of the smaller value beside it: a corner that is looked at, since functions may be bent a little downward too
PROBES = 12  # of corners between two looks
MARGIN = 0.05  # of the distance between two places: the least one of a corner from them


@kernel("int64(int64* c, double h)")
def may_dip(c, h):
    """1 where a function that is watched is nearer to zero than it moves in a step, by its rates in this and the last."""
    count = c[slot.EVENT_COUNT]
    g = doubles(c[slot.EVENT_VALUES])
    for e in range(count):
        if integers(c[slot.EVENT_DIRECTIONS])[e] == slot.WATCHED:
            moved = max(abs(g[6 * count + e]) * h, abs(g[count + e] - g[e]))
            if not min(g[e], g[count + e]) > REACH * moved:
                return 1
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* values)")
def glance(c, r, h, theta, values):
    """Event functions of the dense output as it is: a refresh changes it by less than the tolerance."""
    y = doubles(c[slot.SCRATCH])
    code = call_interpolate(c[slot.INTERPOLATE], c, r, h, theta, y)
    if code < 0:
        return code
    return measure(c, r[slot.TIME] + theta * h, y, values)


@kernel("double(int64 j)")
def look_place(j):
    """θ of look j = 0 ... LOOKS + 1: extrema of a Chebyshev polynomial."""
    return 0.5 - 0.5 * math.cos(math.pi * j / (slot.LOOKS + 1))


@kernel("double(int64* c, int64 e, int64 j)")
def look_value(c, e, j):
    """What function e was at look j."""
    row = j + slot.EVENT_ROWS - 1
    if j == 0:
        row = 0
    if j == slot.LOOKS + 1:
        row = 1
    return doubles(c[slot.EVENT_VALUES])[row * c[slot.EVENT_COUNT] + e]


@kernel("int64(int64* c, double* r, double h, int64 found)")
def look_inside(c, r, h, found):
    """Bracket the first zero of functions that are watched, where it is inside the step; the number of crossings then."""
    count = c[slot.EVENT_COUNT]
    values = doubles(c[slot.EVENT_VALUES])
    theta = at(values, 3 * count)
    for j in range(slot.LOOKS):
        code = glance(c, r, h, look_place(j + 1), at(values, (slot.EVENT_ROWS + j) * count))
        if code < 0:
            return code
    for e in range(count):
        if integers(c[slot.EVENT_DIRECTIONS])[e] == slot.WATCHED:
            seen = find_dip(c, r, h, e)
            if seen < 0.0:
                return int(seen)
            if seen > 0.0:
                found += 1 if theta[e] < 0.0 else 0
                theta[e] = seen
    return found


@kernel("double(int64* c, double* r, double h, int64 e)")
def find_dip(c, r, h, e):
    """θ inside the step at which function e is negative after it was positive, both by more than rounding errors; 0: none.

    The place before it, at which it is still positive, is kept.
    """
    count = c[slot.EVENT_COUNT]
    values = doubles(c[slot.EVENT_VALUES])
    noise = values[4 * count + e]
    safe = -1
    for j in range(slot.LOOKS + 2):
        g = look_value(c, e, j)
        seen = 0.0
        if g > noise:
            if j > 0 and safe == j - 1:
                seen = sink(c, r, h, e, j)
        elif g < -noise and safe >= 0 and j <= slot.LOOKS:
            seen = look_place(j)
        if seen > 0.0:
            values[5 * count + e] = look_place(safe)
        if seen != 0.0:
            return seen
        if g > noise:
            safe = j
    return 0.0


@kernel("double(int64* c, double* r, double h, int64 e, int64 j)")
def sink(c, r, h, e, j):
    """θ between looks j - 1 and j, at which function e is positive, where it is negative; 0: no corner leads there."""
    count = c[slot.EVENT_COUNT]
    values = doubles(c[slot.EVENT_VALUES])
    noise = values[4 * count + e]
    inside = at(values, 2 * count)
    w = at(values, (slot.EVENT_ROWS + slot.LOOKS) * count)
    for i in range(4):
        # where there is none beyond, a line of any slope: its place is that of its neighbour
        look = min(max(j - 2 + i, 0), slot.LOOKS + 1)
        w[2 * i] = look_place(look)
        w[2 * i + 1] = look_value(c, e, look)
    low = LOW * min(w[3], w[5])
    for _ in range(PROBES):
        if find_corner(w, 0, 2) > low:
            return 0.0
        room = MARGIN * (w[4] - w[2])
        x = min(max(w[10], w[2] + room), w[4] - room)
        code = glance(c, r, h, x, inside)
        if code < 0:
            return code
        if inside[e] < -noise:
            return x
        if inside[e] <= noise:
            return 0.0
        narrow(w, x, inside[e])
    return 0.0


@kernel("double(double* w, int64 left, int64 right)")
def find_corner(w, left, right):
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


@kernel("void(double* w, double x, double g)")
def narrow(w, x, g):
    """A new place between the second and the third: four of the five stay, those around the lower corner."""
    for i in range(4):
        w[9 - i] = w[7 - i]
    w[4] = x
    w[5] = g
    first = find_corner(w, 0, 2)
    if find_corner(w, 1, 3) < first:
        for i in range(8):
            w[i] = w[i + 2]
