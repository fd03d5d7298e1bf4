"""The stages of a Runge-Kutta step: k_i = f(t + c_i h, y + h Σ_j a_ij k_j), and what calls the flow.

A stage with a_ii ≠ 0 is implicit: y_i = ŷ + τ k_i with ŷ = y + h Σ_{j<i} a_ij k_j and τ = h a_ii. The flow itself finds y_i
and k_i, which may also belong to differential and algebraic equations.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import (
    at,
    kernel,
)
from linkwork.numerics.kernels.language.records import Code, Floats, Ints
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping

FEW_STATES = 12


@kernel
def check_finite(run: Stepping, y: Floats, k: Floats) -> Code:
    """0, or the code for a state or a derivative that is not finite."""
    size = 0.0
    for i in range(run.states):
        size += abs(y[i]) + abs(k[i])
    return 0 if size < math.inf else status.NOT_FINITE_CODE


@kernel
def evaluate(run: Stepping, t: float, y: Floats, k: Floats) -> Code:
    """Call the flow: k = f(t, y). It may correct y."""
    run.evaluations += 1
    code = run.flow(t, y, k, run.flow_memory)
    if code < 0 or run.adaptive != 0:
        # the error estimate, which contains all derivatives, notices what is not finite
        return code
    return check_finite(run, y, k)


@kernel
def correct(run: Stepping, t: float, y: Floats) -> Code:
    """Call the refresh of the flow, if it has one."""
    if run.refresh is None:
        return 0
    return run.refresh(t, y, run.flow_memory)


@kernel
def show(run: Stepping, t: float, y: Floats, out: Floats) -> Code:
    """out <- the state y as the outside sees it."""
    if run.decode is not None:
        return run.decode(t, y, out, run.flow_memory)
    out[: run.states] = y[: run.states]
    return 0


@kernel
def measure(run: Stepping, t: float, y: Floats, values: Floats) -> Code:
    """Evaluate the event functions, which know the state that is shown."""
    seen = y
    if run.decode is not None:
        seen = run.view
        code = show(run, t, y, seen)
        if code < 0:
            return code
    run.event_function(t, seen, run.event_parameters, values)
    return 0


@kernel(vectorise=True)
def combine(n: int, count: int, h: float, weights: Floats, y: Floats, k: Floats, out: Floats) -> None:
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
    out[:n] = 0.0
    for j in range(count):
        weight = weights[j]
        if weight != 0.0:
            out[:n] += weight * k[j * n : (j + 1) * n]
    out[:n] = y[:n] + h * out[:n]


@kernel(vectorise=True)
def weigh(n: int, count: int, weights: Floats, k: Floats, out: Floats) -> None:
    """out = Σ_j weights_j k_j; what is not finite is so in the sum, whatever its weight."""
    if n <= FEW_STATES:
        for i in range(n):
            total = 0.0
            for j in range(count):
                total += weights[j] * k[j * n + i]
            out[i] = total
        return
    out[:n] = 0.0
    for j in range(count):
        out[:n] += weights[j] * k[j * n : (j + 1) * n]


@kernel
def combine_some(some: Ints, n: int, count: int, h: float, weights: Floats, y: Floats, k: Floats, out: Floats) -> None:
    """The same of some states: how many, and which."""
    for a in range(some[0]):
        i = some[a + 1]
        total = 0.0
        for j in range(count):
            total += weights[j] * k[j * n + i]
        out[i] = y[i] + h * total


@kernel
def solve(run: Stepping, t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats) -> Code:
    """y = hat + τ k at the time t, with τ_q in the place of τ for positions, from the y given."""
    code = run.solve(t, tau_q, tau, hat, y, k, run.solver_memory)
    if code < 0:
        return code
    run.evaluations += code
    run.iterations += code
    return check_finite(run, y, k)


@kernel
def level_weight(run: Stepping, h: float, i: int) -> float:
    """h^level of state i: errors of algebraic unknowns, and of states of a higher index, count less."""
    if run.levels is None:
        return 1.0
    return h ** run.levels[i]


@kernel
def error_size(run: Stepping, h: float, e: Floats, new: Floats) -> float:
    """Root mean square of an error e (n) at the end of a step, in units of the tolerances."""
    n, total = run.states, 0.0
    y, absolute = run.state, run.absolute
    for i in range(n):
        size = level_weight(run, h, i) * e[i] / (absolute[i] + run.relative * max(abs(y[i]), abs(new[i])))
        total += size * size
    return math.sqrt(total / n)


@kernel
def is_inner(run: Stepping, stage: int) -> int:
    """1 where nobody but the flow, which reads some of the states alone, looks at those of a stage.

    The last two are compared for their stiffness, and all stages are looked at where they are kept.
    """
    return 0 if run.node_count > 0 or run.stages - 1 <= stage <= run.stages else 1


@kernel
def take_stage(run: Stepping, h: float, stage: int, out: Floats) -> Code:
    n = run.states
    k = run.derivatives
    row = at(run.matrix, stage * run.all_stages)
    some = run.reads
    if some is not None and is_inner(run, stage) == 1 and some[0] >= 0:
        combine_some(some, n, stage, h, row, run.state, k, out)
    else:
        combine(n, stage, h, row, run.state, k, out)
    t = run.time + run.nodes[stage] * h
    tau = h * row[stage]
    if tau != 0.0:
        hat, last = run.hat, at(k, (stage - 1) * n)
        hat[:n] = out[:n]
        out[:n] += tau * last[:n]
        return solve(run, t, tau, tau, hat, out, at(k, stage * n))
    return evaluate(run, t, out, at(k, stage * n))


@kernel
def take_stages(run: Stepping, h: float) -> Code:
    """Stages 1 to s - 1, then the new state and its derivative, stage s."""
    for stage in range(1, run.stages):
        code = take_stage(run, h, stage, at(run.stage_states, stage * run.states))
        if code < 0:
            return code
    return take_stage(run, h, run.stages, run.new_state)
