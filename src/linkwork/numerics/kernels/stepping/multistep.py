"""Linear multistep methods of fixed step: Adams-Bashforth, predictor-correctors, Adams-Moulton, backward differences.

With the history of k rates (Adams) or k states (backward differences), weights w and v = w of the predictor,

    y₊ = y + h Σ_i w_i f_{n−i} + h β₀ f₊      or      y₊ = y + Σ_i w_i y_{n−i} + h β₀ f₊

(Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section III.1). Explicit: β₀ = 0, or one or more
corrections of a predicted end, each with an evaluation behind it (García de Jalón and Bayo, algorithm 7-1); implicit: one
stage of the solver. The first k − 1 steps are those of a method of one step, and so is a last step of another size. The
output between the steps is the polynomial that has the rates of the end and of the history as its slopes, or that goes
through the end and the history.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping import runge_kutta as one_step
from linkwork.numerics.kernels.stepping.extrapolated_euler import between, extrapolate
from linkwork.numerics.kernels.stepping.newton import NOT_CONVERGED
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import combine, evaluate, solve, take_stages

SAME = 1e-8  # relative difference of step sizes that are the same
MOST_CORRECTIONS, CONVERGED = 100, 1e-15  # change of a state relative to its size


class StepHistory(Stepping):
    """The memory of a run: the weights of a method of k steps, and its history."""

    steps: int  # k
    filled: int  # how many rows of the history are of the past at the step size
    states_kept: int  # 1: the history is one of states, 0: of their rates
    implicit: int  # 1: the corrector is solved by the solver of the flow
    corrections: int  # of a predictor-corrector; 0: the predictor is all, < 0: until they no longer change the state
    starting: int  # 1: the step attempted was one of the starting method
    history_step: float  # step size of the history
    end_weight: float  # β₀
    predictor: Floats = array("steps")  # weights of the history
    corrector: Floats = array("steps")
    dense_table: Floats = array("steps + 1", "steps + 1")
    work: Floats = array("steps + 1")
    history: Floats = array("steps + 1", "states")  # the end of the step attempted, and the last point and those before
    lack: Floats = array("states")  # what the dense output lacks at the end
    table: Floats = array("4 * steps", "states")  # of an extrapolation


@kernel
def extend(run: StepHistory, h: float, weights: Floats, out: Floats) -> None:
    """out = y + Σ_i w_i of the history."""
    n = run.states
    scale = 1.0 if run.states_kept == 1 else h
    combine(n, run.steps, scale, weights, run.state, at(run.history, n), out)


@kernel
def attempt(run: StepHistory, h: float) -> Code:
    run.error = 0.0
    run.end_open = 0
    if run.states == 0:
        return 0
    other = abs(h - run.history_step) > SAME * h and run.steps > 1
    run.starting = 1 if run.filled < run.steps or other else 0
    if run.starting == 1:
        return start(run, h)
    new, t_new = run.new_state, run.time + h
    end = run.end_rates
    extend(run, h, run.predictor, new)
    if run.implicit == 1:
        hat, tau = run.hat, h * run.end_weight
        extend(run, h, run.corrector, hat)
        return solve(run, t_new, tau, tau, hat, new, end)
    run.end_open = 1
    if run.corrections != 0:
        return correct_end(run, t_new, h, new, end)
    return 0


@kernel
def start(run: StepHistory, h: float) -> Code:
    """A step of the starting method."""
    n = run.states
    if run.implicit == 0:
        return take_stages(run, h)
    table = run.table
    code = extrapolate(run, h, run.steps, run.new_state, table)
    run.new_state[:n] = table[2 * n : 3 * n]
    run.end_rates[:n] = table[3 * n : 4 * n]
    return code


@kernel
def correct_end(run: StepHistory, t_new: float, h: float, new: Floats, end: Floats) -> Code:
    """f₊ <- f(y₊) and y₊ <- ŷ + h β₀ f₊, as often as wanted; the end is evaluated when the step is completed."""
    hat = run.hat
    tau = h * run.end_weight
    extend(run, h, run.corrector, hat)
    for _ in range(run.corrections if run.corrections > 0 else MOST_CORRECTIONS):
        code = evaluate(run, t_new, new, end)
        if code < 0:
            return code
        change, size = 0.0, 0.0
        for i in range(run.states):
            value = hat[i] + tau * end[i]
            change = max(change, abs(value - new[i]))
            size = max(size, abs(value))
            new[i] = value
        if run.corrections < 0 and change <= CONVERGED * size:
            return 0
    return NOT_CONVERGED if run.corrections < 0 else 0


@kernel
def densify(run: StepHistory, h: float) -> Code:
    """The end takes its place before the history; where rates are kept, what their polynomial lacks there."""
    n = run.states
    if run.starting == 1:
        return 0 if run.implicit == 1 else one_step.densify(run, h)
    new = run.new_state
    rows, lack, end = run.history, run.lack, run.end_rates
    for i in range(n):
        rows[i] = new[i] if run.states_kept == 1 else end[i]
        lack[i] = 0.0
    if run.states_kept == 0:
        polynomial(run, h, 1.0, lack)
        lack[:n] = new[:n] - lack[:n]
    return 0


@kernel
def polynomial(run: StepHistory, h: float, theta: float, out: Floats) -> None:
    """y + Σ_i b_i(θ) of the end and the history, b_i(θ) = Σ_j P_ij θ^j (j from 1)."""
    count = run.steps + 1
    weights = run.work
    for i in range(count):
        value = 0.0
        for j in range(count - 1, -1, -1):
            value = (value + run.dense_table[i * count + j]) * theta
        weights[i] = value
    scale = 1.0 if run.states_kept == 1 else h
    combine(run.states, count, scale, weights, run.state, run.history, out)


@kernel
def interpolate(run: StepHistory, h: float, theta: float, out: Floats) -> Code:
    if run.starting == 1:
        if run.implicit == 0:
            return one_step.interpolate(run, h, theta, out)
        between(run, h, theta, run.table, out)
        return 0
    polynomial(run, h, theta, out)
    lack, blend = run.lack, theta * theta * (3.0 - 2.0 * theta)
    out[: run.states] += blend * lack[: run.states]
    return 0


@kernel
def accept(run: StepHistory, h: float, new: Floats, derivative: Floats) -> None:
    """The history grows by the end of the step; a step of another size begins it anew."""
    if abs(h - run.history_step) > SAME * h and run.filled > 1:
        run.filled = 0
    run.history_step = h
    run.filled = min(run.filled + 1, run.steps)
    push(run, new, derivative)


@kernel
def push(run: StepHistory, new: Floats, derivative: Floats) -> None:
    """The rows of the history move back by one."""
    n = run.states
    rows = run.history
    for i in range((run.steps + 1) * n - 1, 2 * n - 1, -1):
        rows[i] = rows[i - n]
    for i in range(n):
        rows[n + i] = new[i] if run.states_kept == 1 else derivative[i]


@kernel
def restart(run: StepHistory) -> None:
    """The history is the state at hand."""
    run.filled = 1
    push(run, run.state, run.derivatives)
