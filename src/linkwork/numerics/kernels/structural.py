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

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, doubles, integers, kernel
from linkwork.numerics.kernels.stages import evaluate, level_weight, solve

# memory of the family: numbers, then rows of n
(
    BETA,
    GAMMA,
    ALPHA_M,
    ALPHA_F,
    THETA,
    POSITION_ERROR,  # local error of q in units of h² times the change of w
    VELOCITY_ERROR,  # local error of v in units of h³ d³v/dt³
    LAST_STEP,  # 0 at the start
    HEAD,
) = range(9)
(
    CARRIED,  # w and a at the start of the step
    FOUND,  # at its end
    SLOPE,  # change of w and a over the last step, per time
    BEND,  # change of the rates over the last step, per time
    SHIFTED,  # w and a as they would be after a last step of this size
    ROWS,
) = range(6)
FRESH = 0  # integer: ALL when nothing is carried along yet, POSITIONS when positions have become other numbers
KNOWN, ALL, POSITIONS = range(3)
AHEAD = 1e-3  # of a step


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    """Solve at t + θ h, and go back to the end of the step where that lies beyond it."""
    own = doubles(c[slot.OWN_NUMBERS])
    code = 0
    if integers(c[slot.OWN_INTEGERS])[FRESH] != KNOWN:
        code = begin(c, r, h)
    if code >= 0:
        shift(c, h)
        code = solve_ahead(c, r, own[THETA] * h)
    if code >= 0:
        code = finish(c, r, h)
    r[slot.ERROR] = 0.0
    if code >= 0 and c[slot.ADAPTIVE] != 0:
        r[slot.ERROR] = error_norm(c, r, h)
    return code


@kernel("int32(int64* c, double* r, double h)")
def begin(c, r, h):
    """w, a and their slopes at the start: a is v̇, the others are differences along a short explicit step.

    In the middle of a run a stays: velocities mean the same in every chart, and the order would fall with another a.
    """
    n, positions, span = c[slot.STATES], c[slot.POSITIONS], AHEAD * h
    y, k, ahead = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.SCRATCH])
    there = at(k, c[slot.STAGES] * n)
    for i in range(n):
        ahead[i] = y[i] + span * k[i]
    code = evaluate(c, r[slot.TIME] + span, ahead, there)
    if code < 0:
        return code
    rows = at(doubles(c[slot.OWN_NUMBERS]), HEAD)
    carried, slope, bend = at(rows, CARRIED * n), at(rows, SLOPE * n), at(rows, BEND * n)
    count = positions
    if integers(c[slot.OWN_INTEGERS])[FRESH] == ALL:
        count = n
        doubles(c[slot.OWN_NUMBERS])[LAST_STEP] = 0.0
    for i in range(count):
        bend[i] = (there[i] - k[i]) / span
        carried[i] = bend[i] if i < positions else k[i]
        slope[i] = 0.0
    integers(c[slot.OWN_INTEGERS])[FRESH] = KNOWN
    return 0


@kernel("void(int64* c, double h)")
def shift(c, h):
    """SHIFTED: a at t is v̇ at t + (α_m − α_f) h, so that another h asks for another a.

    Second order with steps that change (O. Brüls, M. Arnold, J. Comput. Nonlinear Dynam. 3, 2008, 041007).
    """
    n, own = c[slot.STATES], doubles(c[slot.OWN_NUMBERS])
    rows = at(own, HEAD)
    carried, slope, shifted = at(rows, CARRIED * n), at(rows, SLOPE * n), at(rows, SHIFTED * n)
    longer = (own[ALPHA_M] - own[ALPHA_F]) * (h - own[LAST_STEP])
    if own[LAST_STEP] == 0.0 or abs(h - own[LAST_STEP]) < 1e-9 * h:
        longer = 0.0
    for i in range(n):
        shifted[i] = carried[i] + longer * slope[i]


@kernel("int32(int64* c, double* r, double span)")
def solve_ahead(c, r, span):
    """ỹ into NEW_STATE and its derivative, from the ŷ of a step of size *span*.

    The search begins at a constant a, as far as that does not turn velocities round: long steps over stiff springs would.
    """
    n, positions, own = c[slot.STATES], c[slot.POSITIONS], doubles(c[slot.OWN_NUMBERS])
    y, k, a = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), at(own, HEAD + SHIFTED * n)
    hat, new = doubles(c[slot.HAT]), doubles(c[slot.NEW_STATE])
    gamma, part, rest = own[GAMMA], own[BETA] / own[GAMMA], 1.0 - own[ALPHA_M]
    for i in range(positions):
        hat[i] = y[i] + span * (1.0 - part) * k[i] + span * span * (0.5 - part) * a[i]
        new[i] = y[i] + span * (k[i] + 0.5 * min(max(span * a[i], -abs(k[i])), abs(k[i])))
    for i in range(positions, n):
        forced = (own[ALPHA_F] * k[i] - own[ALPHA_M] * a[i]) / rest
        hat[i] = y[i] + span * ((1.0 - gamma) * a[i] + gamma * forced)
        new[i] = y[i] + min(max(span * a[i], -abs(y[i])), abs(y[i]))
    tau = span * gamma * (1.0 - own[ALPHA_F]) / rest
    return solve(c, r[slot.TIME] + span, span * part, tau, hat, new, at(k, c[slot.STAGES] * n))


@kernel("int32(int64* c, double* r, double h)")
def finish(c, r, h):
    """FOUND, and for θ ≠ 1 the state at t + h with its derivative."""
    n, positions, own = c[slot.STATES], c[slot.POSITIONS], doubles(c[slot.OWN_NUMBERS])
    rows = at(own, HEAD)
    a, found = at(rows, SHIFTED * n), at(rows, FOUND * n)
    y, k, new = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.NEW_STATE])
    there = at(k, c[slot.STAGES] * n)
    beta, gamma, theta = own[BETA], own[GAMMA], own[THETA]
    span = theta * h
    for i in range(n):
        if i < positions:
            found[i] = ((there[i] - k[i]) / span - (1.0 - gamma) * a[i]) / gamma
        else:
            forced = (1.0 - own[ALPHA_F]) * there[i] + own[ALPHA_F] * k[i]
            found[i] = (forced - own[ALPHA_M] * a[i]) / (1.0 - own[ALPHA_M])
    if theta == 1.0:
        return 0
    for i in range(n):
        found[i] = a[i] + (found[i] - a[i]) / theta
        if i < positions:
            new[i] = y[i] + h * (k[i] + h * ((0.5 - beta) * a[i] + beta * found[i]))
        else:
            new[i] = y[i] + h * ((1.0 - gamma) * a[i] + gamma * found[i])
    return evaluate(c, r[slot.TIME] + h, new, there)


@kernel("double(int64* c, double* r, double h)")
def error_norm(c, r, h):
    """Root mean square of the terms h³ of the Taylor series that the step misses, in units of the tolerances.

    Of q: (1/6 − β − (α_m − α_f)/2) h² (w₊ − w), after O. C. Zienkiewicz and Y. M. Xie (Earthquake Engng. Struct. Dyn. 20,
    1991, pp. 871-887). Of v: its third derivative, from the changes of v̇ over this step and the last.
    """
    n, positions, own = c[slot.STATES], c[slot.POSITIONS], doubles(c[slot.OWN_NUMBERS])
    rows, absolute = at(own, HEAD), doubles(c[slot.ABSOLUTE])
    y, k, new = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.NEW_STATE])
    there = at(k, c[slot.STAGES] * n)
    a, found, bend = at(rows, SHIFTED * n), at(rows, FOUND * n), at(rows, BEND * n)
    total = 0.0
    for i in range(n):
        if i < positions:
            error = own[POSITION_ERROR] * h * h * (found[i] - a[i])
        else:
            third = 2.0 * ((there[i] - k[i]) / h - bend[i]) / (h + own[LAST_STEP])
            error = own[VELOCITY_ERROR] * h * h * h * third
        scale = absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i]))
        # rates of algebraic unknowns mean nothing, and errors of velocities of index 3 follow those of positions
        error = 0.0 if level_weight(c, 0.5, i) < 1.0 else error / scale
        total += error * error
    return math.sqrt(total / n) if n > 0 else 0.0


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """Both ends of the step are enough."""
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """Positions: the cubic with the rates at both ends; other states: the parabola with the change of their rates."""
    n, positions = c[slot.STATES], c[slot.POSITIONS]
    y, k, new = doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), doubles(c[slot.NEW_STATE])
    there = at(k, c[slot.STAGES] * n)
    rest = 1.0 - theta
    for i in range(n):
        value = rest * y[i] + theta * new[i]
        if i < positions:
            change = (new[i] - y[i]) / h
            out[i] = value + h * theta * rest * (rest * (k[i] - change) - theta * (there[i] - change))
        else:
            out[i] = value + 0.5 * h * theta * rest * (k[i] - there[i])
    return 0


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """w, a and their changes go over to the next step."""
    n, own, k = c[slot.STATES], doubles(c[slot.OWN_NUMBERS]), doubles(c[slot.DERIVATIVES])
    rows, there = at(own, HEAD), at(k, c[slot.STAGES] * n)
    carried, found, shifted = at(rows, CARRIED * n), at(rows, FOUND * n), at(rows, SHIFTED * n)
    slope, bend = at(rows, SLOPE * n), at(rows, BEND * n)
    for i in range(n):
        slope[i] = (found[i] - shifted[i]) / h
        bend[i] = (there[i] - k[i]) / h
        carried[i] = found[i]
    own[LAST_STEP] = h


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """What was carried along of positions is void, or all of it."""
    own = integers(c[slot.OWN_INTEGERS])
    if own[FRESH] == KNOWN:
        own[FRESH] = ALL if c[slot.VOID] == slot.RENEWED else POSITIONS
