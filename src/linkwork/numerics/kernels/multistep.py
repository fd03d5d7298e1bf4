"""Linear multistep methods of fixed step: Adams-Bashforth, predictor-correctors, Adams-Moulton, backward differences.

With the history of k rates (Adams) or k states (backward differences), weights w and v = w of the predictor,

    y₊ = y + h Σ_i w_i f_{n−i} + h β₀ f₊      or      y₊ = y + Σ_i w_i y_{n−i} + h β₀ f₊

(Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section III.1). Explicit: β₀ = 0, or one or more
corrections of a predicted end, each with an evaluation behind it (García de Jalón and Bayo, algorithm 7-1); implicit: one
stage of the solver. The first k − 1 steps are those of a method of one step, and so is a last step of another size. The
output between the steps is the polynomial that has the rates of the end and of the history as its slopes, or that goes
through the end and the history.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import multistep_slots as own
from linkwork.numerics.kernels import runge_kutta as one_step
from linkwork.numerics.kernels.calling import at, doubles, integers, kernel
from linkwork.numerics.kernels.extrapolated_euler import between, extrapolate
from linkwork.numerics.kernels.newton_slots import NOT_CONVERGED
from linkwork.numerics.kernels.stages import combine, evaluate, solve, take_stages

SAME = 1e-8  # relative difference of step sizes that are the same
MOST_CORRECTIONS, CONVERGED = 100, 1e-15  # change of a state relative to its size


@kernel("void(int64* c, double h, int64 weights, double* out)")
def extend(c, h, weights, out):
    """out = y + Σ_i w_i of the history, with the weights at this place."""
    n, ic, w = c[slot.STATES], integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    scale = 1.0 if ic[own.STATES_KEPT] == 1 else h
    combine(n, ic[own.STEPS], scale, at(w, weights), doubles(c[slot.STATE]), at(w, own.ROWS + n), out)


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    ic, w = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    r[slot.ERROR] = 0.0
    c[slot.END_OPEN] = 0
    if c[slot.STATES] == 0:
        return 0
    other = abs(h - w[own.STEP]) > SAME * h and ic[own.STEPS] > 1
    ic[own.STARTING] = 1 if ic[own.FILLED] < ic[own.STEPS] or other else 0
    if ic[own.STARTING] == 1:
        return start(c, r, h)
    new, t_new = doubles(c[slot.NEW_STATE]), r[slot.TIME] + h
    end = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * c[slot.STATES])
    extend(c, h, own.PREDICTOR, new)
    if ic[own.IMPLICIT] == 1:
        hat, tau = doubles(c[slot.HAT]), h * w[own.END_WEIGHT]
        extend(c, h, own.CORRECTOR, hat)
        return solve(c, t_new, tau, tau, hat, new, end)
    c[slot.END_OPEN] = 1
    if ic[own.CORRECTIONS] != 0:
        return correct_end(c, t_new, h, new, end)
    return 0


@kernel("int32(int64* c, double* r, double h)")
def start(c, r, h):
    """A step of the starting method."""
    ic, n = integers(c[slot.OWN_INTEGERS]), c[slot.STATES]
    if ic[own.IMPLICIT] == 0:
        return take_stages(c, r, h)
    table = at(doubles(c[slot.OWN_NUMBERS]), ic[own.TABLE])
    code = extrapolate(c, r, h, ic[own.STEPS], doubles(c[slot.NEW_STATE]), table)
    new, end = doubles(c[slot.NEW_STATE]), at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    for i in range(n):
        new[i] = table[2 * n + i]
        end[i] = table[3 * n + i]
    return code


@kernel("int32(int64* c, double t_new, double h, double* new, double* end)")
def correct_end(c, t_new, h, new, end):
    """f₊ <- f(y₊) and y₊ <- ŷ + h β₀ f₊, as often as wanted; the end is evaluated when the step is completed."""
    ic, hat = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.HAT])
    tau = h * doubles(c[slot.OWN_NUMBERS])[own.END_WEIGHT]
    extend(c, h, own.CORRECTOR, hat)
    for _ in range(ic[own.CORRECTIONS] if ic[own.CORRECTIONS] > 0 else MOST_CORRECTIONS):
        code = evaluate(c, t_new, new, end)
        if code < 0:
            return code
        change, size = 0.0, 0.0
        for i in range(c[slot.STATES]):
            value = hat[i] + tau * end[i]
            change = max(change, abs(value - new[i]))
            size = max(size, abs(value))
            new[i] = value
        if ic[own.CORRECTIONS] < 0 and change <= CONVERGED * size:
            return 0
    return NOT_CONVERGED if ic[own.CORRECTIONS] < 0 else 0


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """The end takes its place before the history; where rates are kept, what their polynomial lacks there."""
    ic, n = integers(c[slot.OWN_INTEGERS]), c[slot.STATES]
    if ic[own.STARTING] == 1:
        return 0 if ic[own.IMPLICIT] == 1 else one_step.densify(c, r, h)
    w, new = doubles(c[slot.OWN_NUMBERS]), doubles(c[slot.NEW_STATE])
    rows, lack = at(w, own.ROWS), at(w, ic[own.LACK])
    end = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * n)
    for i in range(n):
        rows[i] = new[i] if ic[own.STATES_KEPT] == 1 else end[i]
        lack[i] = 0.0
    if ic[own.STATES_KEPT] == 0:
        polynomial(c, h, 1.0, lack)
        for i in range(n):
            lack[i] = new[i] - lack[i]
    return 0


@kernel("void(int64* c, double h, double theta, double* out)")
def polynomial(c, h, theta, out):
    """y + Σ_i b_i(θ) of the end and the history, b_i(θ) = Σ_j P_ij θ^j (j from 1)."""
    ic, w = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    count = ic[own.STEPS] + 1
    weights = at(w, own.WORK)
    for i in range(count):
        value = 0.0
        for j in range(count - 1, -1, -1):
            value = (value + w[own.DENSE + i * count + j]) * theta
        weights[i] = value
    scale = 1.0 if ic[own.STATES_KEPT] == 1 else h
    combine(c[slot.STATES], count, scale, weights, doubles(c[slot.STATE]), at(w, own.ROWS), out)


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    ic, w = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    if ic[own.STARTING] == 1:
        if ic[own.IMPLICIT] == 0:
            return one_step.interpolate(c, r, h, theta, out)
        between(c, h, theta, at(w, ic[own.TABLE]), out)
        return 0
    polynomial(c, h, theta, out)
    lack, blend = at(w, ic[own.LACK]), theta * theta * (3.0 - 2.0 * theta)
    for i in range(c[slot.STATES]):
        out[i] += blend * lack[i]
    return 0


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """The history grows by the end of the step; a step of another size begins it anew."""
    ic, w = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    if abs(h - w[own.STEP]) > SAME * h and ic[own.FILLED] > 1:
        ic[own.FILLED] = 0
    w[own.STEP] = h
    ic[own.FILLED] = min(ic[own.FILLED] + 1, ic[own.STEPS])
    push(c, new, derivative)


@kernel("void(int64* c, double* new, double* derivative)")
def push(c, new, derivative):
    """The rows of the history move back by one."""
    ic, n = integers(c[slot.OWN_INTEGERS]), c[slot.STATES]
    rows = at(doubles(c[slot.OWN_NUMBERS]), own.ROWS)
    for i in range((ic[own.STEPS] + 1) * n - 1, 2 * n - 1, -1):
        rows[i] = rows[i - n]
    for i in range(n):
        rows[n + i] = new[i] if ic[own.STATES_KEPT] == 1 else derivative[i]


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """The history is the state at hand."""
    integers(c[slot.OWN_INTEGERS])[own.FILLED] = 1
    push(c, doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]))
