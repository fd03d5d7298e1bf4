"""Positions, velocities, accelerations and jerk at a row of times, displacement by displacement (``displacement.py``)."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.displacement import (
    Displacement,
    close_positions,
    count_turns,
    differentiate,
    displace,
    factorise,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats

FINEST = 1e-10  # part of a displacement below which it is not divided any further


@kernel
def load_parameters(d: Displacement, k: int) -> None:
    """p <- those that hold up to the time k and at it, where they change."""
    if d.along is None:
        return
    p, along, size = d.p, d.along, d.np
    p[:size] = along[k * size : (k + 1) * size]


@kernel
def follow(d: Displacement) -> int:
    """All positions at the times, from the first state on. Returns how many were found."""
    n, nv, points = d.n, d.nv, d.points
    times, states, spent = d.times, d.states, d.spent
    vdots, jerks, y = d.accelerations, d.jerks, d.y
    vdot, jerk = d.vdot, d.vddot
    t = times[0]
    d.reached = t
    y[:n] = states[:n]
    load_parameters(d, 0)
    if differentiate(d, t, y, vdot, jerk) < 0:
        return 0
    for k in range(points):
        load_parameters(d, k)
        first = d.iterations
        whole = times[k] - t
        h = whole
        while t < times[k]:
            if d.stop != 0:
                d.reached = t
                return k
            last = h >= (1.0 - 1e-12) * (times[k] - t)
            if last:
                h = times[k] - t
            if displace(d, t, h, y, vdot, jerk) < 0:
                d.rejected += 1
                h /= 2.0
                if h < FINEST * whole:
                    d.reached = t
                    return k
                continue
            d.steps += 1
            t = times[k] if last else t + h
            h *= 2.0
        states[k * n : (k + 1) * n] = y[:n]
        for i in range(nv):
            vdots[k * nv + i], jerks[k * nv + i] = vdot[i], jerk[i]
        spent[k] = d.iterations - first
        d.smallest[k] = d.least_pivot
        d.reached = t
    return points


@kernel
def improve(d: Displacement, t: float, y: Floats) -> int:
    """Bring a position that is nearly known onto the conditions."""
    d.total[: d.nv] = 0.0
    # residuals are measured by the rows of the matrix
    if factorise(d, t, y) < 0:
        return -1
    return close_positions(d, t, y, d.total)


@kernel
def complete(d: Displacement) -> int:
    """The derivatives at positions that are known at all times, or nearly so. Returns at how many C could be factorised."""
    nq, nv, points = d.nq, d.nv, d.points
    n, y = d.n, d.y
    times, states = d.times, d.states
    y[:n] = states[:n]
    for k in range(points):
        y[:nq] = states[k * n : k * n + nq]
        load_parameters(d, k)
        if d.stop != 0:
            return k
        if d.improve == 1 and improve(d, times[k], y) < 0:
            return k
        count_turns(d, times[k], y)
        if differentiate(d, times[k], y, at(d.accelerations, k * nv), at(d.jerks, k * nv)) < 0:
            return k
        states[k * n : (k + 1) * n] = y[:n]
        d.smallest[k] = d.least_pivot
        d.reached = times[k]
    return points
