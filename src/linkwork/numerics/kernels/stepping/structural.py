"""Methods of structural dynamics: positions by the parabola of an acceleration, which a rule of its own updates.

With the rates q̇ and the accelerations w, a that the method carries along (algorithmic ones, of positions and of all other
states), one system is solved a step, at t + H, H = θ h::

    q̃ = q + H q̇ + H² [(1/2 − β) w + β w̃],   q̇~ = q̇ + H [(1 − γ) w + γ w̃]
    v~ = v + H [(1 − γ) a + γ ã],   (1 − α_m) ã + α_m a = (1 − α_f) v̇~ + α_f v̇

where q̇~ = T(q̃) v~ and v̇~ satisfy the equations of motion (Newmark; Hilber, Hughes and Taylor; Chung and Hulbert; in the
form of M. Arnold, O. Brüls, Multibody System Dynamics 18, 2007, pp. 185-202). Without w̃ and ã this is a stage
ỹ = ŷ + τ ẏ with two factors::

    q̂ = q + H (1 − β/γ) q̇ + H² (1/2 − β/γ) w,                        τ_q = H β/γ
    v̂ = v + H (1 − γ) a + H γ/(1 − α_m) (α_f v̇ − α_m a),               τ = H γ (1 − α_f)/(1 − α_m)

Where q̇ = v, w is a. Elsewhere w is what the same rule makes of the rates, so that quaternions have the same order. Methods
of collocation (θ > 1) interpolate between t and t + H: a₊ = a + (ã − a)/θ, and q₊, v₊ follow by the formulas above with h
for H.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import evaluate, level_weight, solve

KNOWN, ALL, POSITIONS = range(3)  # what is carried along: all of it, nothing yet, or nothing of positions
AHEAD = 1e-3  # of a step


class CarriedAlong(Stepping):
    """The memory of a run: the numbers of a method, and what it carries along."""

    fresh: int
    newmark_beta: float
    newmark_gamma: float
    alpha_m: float
    alpha_f: float
    theta: float
    position_error: float  # local error of q in units of h² times the change of w
    velocity_error: float  # local error of v in units of h³ d³v/dt³
    last_step: float  # 0 at the start
    carried: Floats = array("states")  # w and a at the start of the step
    found: Floats = array("states")  # at its end
    slope: Floats = array("states")  # change of w and a over the last step, per time
    bend: Floats = array("states")  # change of the rates over the last step, per time
    shifted: Floats = array("states")  # w and a as they would be after a last step of this size


@kernel
def attempt(run: CarriedAlong, h: float) -> Code:
    """Solve at t + θ h, and go back to the end of the step where that lies beyond it."""
    code = 0
    if run.fresh != KNOWN:
        code = begin(run, h)
    if code >= 0:
        shift(run, h)
        code = solve_ahead(run, run.theta * h)
    if code >= 0:
        code = finish(run, h)
    run.error = 0.0
    if code >= 0 and run.adaptive != 0:
        run.error = error_norm(run, h)
    return code


@kernel
def begin(run: CarriedAlong, h: float) -> Code:
    """w, a and their slopes at the start: a is v̇, the others are differences along a short explicit step.

    In the middle of a run a stays: velocities mean the same in every chart, and the order would fall with another a.
    """
    n, positions, span = run.states, run.positions, AHEAD * h
    y, k, ahead, there = run.state, run.derivatives, run.scratch, run.end_rates
    ahead[:n] = y[:n] + span * k[:n]
    code = evaluate(run, run.time + span, ahead, there)
    if code < 0:
        return code
    carried, slope, bend = run.carried, run.slope, run.bend
    count = positions
    if run.fresh == ALL:
        count = n
        run.last_step = 0.0
    for i in range(count):
        bend[i] = (there[i] - k[i]) / span
        carried[i] = bend[i] if i < positions else k[i]
        slope[i] = 0.0
    run.fresh = KNOWN
    return 0


@kernel
def shift(run: CarriedAlong, h: float) -> None:
    """SHIFTED: a at t is v̇ at t + (α_m − α_f) h, so that another h asks for another a.

    Second order with steps that change (O. Brüls, M. Arnold, J. Comput. Nonlinear Dynam. 3, 2008, 041007).
    """
    n = run.states
    carried, slope, shifted = run.carried, run.slope, run.shifted
    longer = (run.alpha_m - run.alpha_f) * (h - run.last_step)
    if run.last_step == 0.0 or abs(h - run.last_step) < 1e-9 * h:
        longer = 0.0
    shifted[:n] = carried[:n] + longer * slope[:n]


@kernel
def solve_ahead(run: CarriedAlong, span: float) -> Code:
    """ỹ into NEW_STATE and its derivative, from the ŷ of a step of size *span*.

    The search begins at a constant a, as far as that does not turn velocities round: long steps over stiff springs would.
    """
    n, positions = run.states, run.positions
    y, k, a = run.state, run.derivatives, run.shifted
    hat, new = run.hat, run.new_state
    gamma, part, rest = run.newmark_gamma, run.newmark_beta / run.newmark_gamma, 1.0 - run.alpha_m
    for i in range(positions):
        hat[i] = y[i] + span * (1.0 - part) * k[i] + span * span * (0.5 - part) * a[i]
        new[i] = y[i] + span * (k[i] + 0.5 * min(max(span * a[i], -abs(k[i])), abs(k[i])))
    for i in range(positions, n):
        forced = (run.alpha_f * k[i] - run.alpha_m * a[i]) / rest
        hat[i] = y[i] + span * ((1.0 - gamma) * a[i] + gamma * forced)
        new[i] = y[i] + min(max(span * a[i], -abs(y[i])), abs(y[i]))
    tau = span * gamma * (1.0 - run.alpha_f) / rest
    return solve(run, run.time + span, span * part, tau, hat, new, run.end_rates)


@kernel
def finish(run: CarriedAlong, h: float) -> Code:
    """FOUND, and for θ ≠ 1 the state at t + h with its derivative."""
    n, positions = run.states, run.positions
    a, found = run.shifted, run.found
    y, k, new, there = run.state, run.derivatives, run.new_state, run.end_rates
    beta, gamma, theta = run.newmark_beta, run.newmark_gamma, run.theta
    span = theta * h
    for i in range(n):
        if i < positions:
            found[i] = ((there[i] - k[i]) / span - (1.0 - gamma) * a[i]) / gamma
        else:
            forced = (1.0 - run.alpha_f) * there[i] + run.alpha_f * k[i]
            found[i] = (forced - run.alpha_m * a[i]) / (1.0 - run.alpha_m)
    if theta == 1.0:
        return 0
    for i in range(n):
        found[i] = a[i] + (found[i] - a[i]) / theta
        if i < positions:
            new[i] = y[i] + h * (k[i] + h * ((0.5 - beta) * a[i] + beta * found[i]))
        else:
            new[i] = y[i] + h * ((1.0 - gamma) * a[i] + gamma * found[i])
    return evaluate(run, run.time + h, new, there)


@kernel
def error_norm(run: CarriedAlong, h: float) -> float:
    """Root mean square of the terms h³ of the Taylor series that the step misses, in units of the tolerances.

    Of q: (1/6 − β − (α_m − α_f)/2) h² (w₊ − w), after O. C. Zienkiewicz and Y. M. Xie (Earthquake Engng. Struct. Dyn. 20,
    1991, pp. 871-887). Of v: its third derivative, from the changes of v̇ over this step and the last.
    """
    n, positions = run.states, run.positions
    y, k, new, there = run.state, run.derivatives, run.new_state, run.end_rates
    a, found, bend = run.shifted, run.found, run.bend
    total = 0.0
    for i in range(n):
        if i < positions:
            error = run.position_error * h * h * (found[i] - a[i])
        else:
            third = 2.0 * ((there[i] - k[i]) / h - bend[i]) / (h + run.last_step)
            error = run.velocity_error * h * h * h * third
        scale = run.absolute[i] + run.relative * max(abs(y[i]), abs(new[i]))
        # rates of algebraic unknowns mean nothing, and errors of velocities of index 3 follow those of positions
        error = 0.0 if level_weight(run, 0.5, i) < 1.0 else error / scale
        total += error * error
    return math.sqrt(total / n) if n > 0 else 0.0


@kernel
def densify(run: CarriedAlong, h: float) -> Code:
    """Both ends of the step are enough."""
    return 0


@kernel
def interpolate(run: Stepping, h: float, theta: float, out: Floats) -> Code:
    """Positions: the cubic with the rates at both ends; other states: the parabola with the change of their rates."""
    y, k, new, there = run.state, run.derivatives, run.new_state, run.end_rates
    rest = 1.0 - theta
    for i in range(run.states):
        value = rest * y[i] + theta * new[i]
        if i < run.positions:
            change = (new[i] - y[i]) / h
            out[i] = value + h * theta * rest * (rest * (k[i] - change) - theta * (there[i] - change))
        else:
            out[i] = value + 0.5 * h * theta * rest * (k[i] - there[i])
    return 0


@kernel
def accept(run: CarriedAlong, h: float, new: Floats, derivative: Floats) -> None:
    """w, a and their changes go over to the next step."""
    n, k, there = run.states, run.derivatives, run.end_rates
    carried, found, shifted = run.carried, run.found, run.shifted
    run.slope[:n] = (found[:n] - shifted[:n]) / h
    run.bend[:n] = (there[:n] - k[:n]) / h
    carried[:n] = found[:n]
    run.last_step = h


@kernel
def restart(run: CarriedAlong) -> None:
    """What was carried along of positions is void, or all of it."""
    if run.fresh == KNOWN:
        run.fresh = ALL if run.void == status.RENEWED else POSITIONS
