"""The stages of a Runge-Kutta step: k_i = f(t + c_i h, y + h Σ_j a_ij k_j), and what calls the flow.

A stage with a_ii ≠ 0 is implicit: y_i = ŷ + τ k_i with ŷ = y + h Σ_{j<i} a_ij k_j and τ = h a_ii. The flow itself finds y_i
and k_i, which may also belong to differential and algebraic equations.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import (
    at,
    call_flow,
    call_model,
    call_refresh,
    call_stage,
    doubles,
    integers,
    kernel,
)

FEW_STATES = 12


@kernel("int32(int64* c, double* y, double* k)")
def check_finite(c, y, k):
    """0, or the code for a state or a derivative that is not finite."""
    size = 0.0
    for i in range(c[slot.STATES]):
        size += abs(y[i]) + abs(k[i])
    return 0 if size < math.inf else slot.NOT_FINITE_CODE


@kernel("int32(int64* c, double t, double* y, double* k)")
def evaluate(c, t, y, k):
    """Call the flow: k = f(t, y). It may correct y."""
    c[slot.EVALUATIONS] += 1
    code = call_flow(c[slot.FLOW], t, y, k, integers(c[slot.FLOW_INTEGERS]), doubles(c[slot.FLOW_WORK]))
    if code < 0 or c[slot.ADAPTIVE] != 0:
        # the error estimate, which contains all derivatives, notices what is not finite
        return code
    return check_finite(c, y, k)


@kernel("int32(int64* c, double t, double* y)")
def correct(c, t, y):
    """Call the refresh of the flow, if it has one."""
    if c[slot.REFRESH] == 0:
        return 0
    return call_refresh(c[slot.REFRESH], t, y, integers(c[slot.FLOW_INTEGERS]), doubles(c[slot.FLOW_WORK]))


@kernel("int32(int64* c, double t, double* y, double* out)")
def show(c, t, y, out):
    """out <- the state y as the outside sees it."""
    if c[slot.DECODE] != 0:
        return call_flow(c[slot.DECODE], t, y, out, integers(c[slot.FLOW_INTEGERS]), doubles(c[slot.FLOW_WORK]))
    for i in range(c[slot.STATES]):
        out[i] = y[i]
    return 0


@kernel("int32(int64* c, double t, double* y, double* values)")
def measure(c, t, y, values):
    """Evaluate the event functions, which know the state that is shown."""
    seen = y
    if c[slot.DECODE] != 0:
        seen = doubles(c[slot.VIEW])
        code = show(c, t, y, seen)
        if code < 0:
            return code
    call_model(c[slot.EVENT_FUNCTION], t, seen, doubles(c[slot.EVENT_PARAMETERS]), values)
    return 0


@kernel("void(int64 n, int64 count, double h, double* weights, double* y, double* k, double* out)", vectorise=True)
def combine(n, count, h, weights, y, k, out):
    """out = y + h Σ_j weights_j k_j"""
    if n <= FEW_STATES:
        # four sums at a time: the loops over states would be too short
        first = 0
        while first + 4 <= n:
            a, b, d, e = 0.0, 0.0, 0.0, 0.0
            for j in range(count):
                row = at(k, j * n + first)
                a += weights[j] * row[0]
                b += weights[j] * row[1]
                d += weights[j] * row[2]
                e += weights[j] * row[3]
            out[first] = y[first] + h * a
            out[first + 1] = y[first + 1] + h * b
            out[first + 2] = y[first + 2] + h * d
            out[first + 3] = y[first + 3] + h * e
            first += 4
        for i in range(first, n):
            total = 0.0
            for j in range(count):
                total += weights[j] * k[j * n + i]
            out[i] = y[i] + h * total
        return
    for i in range(n):
        out[i] = 0.0
    for j in range(count):
        weight = weights[j]
        if weight != 0.0:
            for i in range(n):
                out[i] += weight * k[j * n + i]
    for i in range(n):
        out[i] = y[i] + h * out[i]


@kernel("int32(int64* c, double t, double tau_q, double tau, double* hat, double* y, double* k)")
def solve(c, t, tau_q, tau, hat, y, k):
    """y = hat + τ k at the time t, with τ_q in the place of τ for positions, from the y given."""
    work = doubles(c[slot.SOLVER_WORK])
    code = call_stage(c[slot.SOLVE], t, tau_q, tau, hat, y, k, integers(c[slot.SOLVER_INTEGERS]), work)
    if code < 0:
        return code
    c[slot.EVALUATIONS] += code
    c[slot.ITERATIONS] += code
    return check_finite(c, y, k)


@kernel("double(int64* c, double h, int64 i)")
def level_weight(c, h, i):
    """h^level of state i: errors of algebraic unknowns, and of states of a higher index, count less."""
    if c[slot.LEVELS] == 0:
        return 1.0
    return h ** doubles(c[slot.LEVELS])[i]


@kernel("int32(int64* c, double* r, double h, int64 stage, double* out)")
def take_stage(c, r, h, stage, out):
    n = c[slot.STATES]
    k = doubles(c[slot.DERIVATIVES])
    row = at(doubles(c[slot.MATRIX]), stage * c[slot.ALL_STAGES])
    combine(n, stage, h, row, doubles(c[slot.STATE]), k, out)
    t = r[slot.TIME] + doubles(c[slot.NODES])[stage] * h
    tau = h * row[stage]
    if tau != 0.0:
        hat, last = doubles(c[slot.HAT]), at(k, (stage - 1) * n)
        for i in range(n):
            hat[i] = out[i]
            out[i] += tau * last[i]
        return solve(c, t, tau, tau, hat, out, at(k, stage * n))
    return evaluate(c, t, out, at(k, stage * n))


@kernel("int32(int64* c, double* r, double h)")
def take_stages(c, r, h):
    """Stages 1 to s - 1, then the new state and its derivative, stage s."""
    n, states = c[slot.STATES], doubles(c[slot.STAGE_STATES])
    for stage in range(1, c[slot.STAGES]):
        code = take_stage(c, r, h, stage, at(states, stage * n))
        if code < 0:
            return code
    return take_stage(c, r, h, c[slot.STAGES], doubles(c[slot.NEW_STATE]))
