"""Taylor series of high order: y(t + h) = Σ_k y_k h^k, whose coefficients the flow gives by recurrences.

The order follows from the tolerance once, the step from the last two coefficients (Jorba and Zou, Experimental Mathematics
14, 2005, section 3): a term of order p is as large as the tolerance at h = (1 / |y_p|)^(1/p), in units of the tolerance.
A step that ends where the series and the flow disagree is repeated with a smaller h, which costs no new series: for the
remainder R = C h^(p+1) the defect is R' = f(y) − ẏ_series, so that |R| = h |R'| / (p + 1). This notices a kink of the
equations inside the step, of which the coefficients know nothing. The series itself is the dense output.

Where the flow has no series (another way to solve the equations is in use), steps are those of DOP853.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, call_flow_series, doubles, integers, kernel
from linkwork.numerics.kernels.runge_kutta import attempt as attempt_stages
from linkwork.numerics.kernels.runge_kutta import densify as densify_stages
from linkwork.numerics.kernels.runge_kutta import interpolate as interpolate_stages
from linkwork.numerics.kernels.stages import combine, evaluate

# memory of the family: integers
ORDER = 0  # of the series
STEPPING = 1  # 1: by the stages of a Runge-Kutta method, where there is no series
DECLARED = 2  # order of fixed steps
INTEGERS = 3
# and numbers: two, the weights of y_1, y_2, ... (LONGEST), the coefficients (LONGEST + 1, n), and of work (2, n)
STAGE_ALPHA, STAGE_BETA, WEIGHTS = 0, 1, 2  # exponents of the step control of the stages
LOWEST, LONGEST = 4, 36  # orders
WATCHFUL = 10  # order at most where there are events: they are compared at the ends of steps, which must not be long
HEADER = WEIGHTS + LONGEST
FIRST_ORDERS, ORDERS_PER_DIGIT = 2.0, 1.5  # order = 2 + 1.5 digits
LOG_TEN = 2.302585092994046
SMALLEST = 1e-16  # tolerance that an order is chosen for
GROW_MOST = 8.0
TERM = 1.0  # size of the last term of a step, in units of the tolerance


@kernel("int64(int64* c, double* r)")
def choose_order(c, r):
    """From the tolerance; steps of a fixed size have the order that is declared."""
    if c[slot.ADAPTIVE] == 0:
        return integers(c[slot.OWN_INTEGERS])[DECLARED]
    tolerance = r[slot.RELATIVE]
    if tolerance == 0.0:
        tolerance = 1.0
        for i in range(c[slot.STATES]):
            tolerance = min(tolerance, doubles(c[slot.ABSOLUTE])[i])
    digits = -math.log(max(tolerance, SMALLEST)) / LOG_TEN
    most = WATCHFUL if c[slot.EVENT_COUNT] > 0 else LONGEST
    return min(max(int(FIRST_ORDERS + ORDERS_PER_DIGIT * digits), LOWEST), most)


@kernel("double(int64* c, double* r, double* y, double* x)")
def size_of(c, r, y, x):
    """The largest entry of x in units of the tolerance at y."""
    absolute = doubles(c[slot.ABSOLUTE])
    largest = 0.0
    for i in range(c[slot.STATES]):
        entry = abs(x[i]) / (absolute[i] + r[slot.RELATIVE] * abs(y[i]))
        if not entry <= largest:
            largest = entry
    return largest


@kernel("double(double size, int64 order)")
def reach(size, order):
    """h at which a term of this size and order is TERM."""
    return math.inf if size == 0.0 else (TERM / size) ** (1.0 / order)


@kernel("int32(int64* c, double* r, double t, double* y)")
def expand(c, r, t, y):
    """The series from y at t, and the step that it allows. Negative: there is none."""
    n = c[slot.STATES]
    own = integers(c[slot.OWN_INTEGERS])
    order = own[ORDER]
    series = at(doubles(c[slot.OWN_NUMBERS]), HEADER)
    flow_integers, flow_work = integers(c[slot.FLOW_INTEGERS]), doubles(c[slot.FLOW_WORK])
    if call_flow_series(c[slot.SERIES], t, y, series, order, flow_integers, flow_work) < 0:
        return -1
    c[slot.EVALUATIONS] += order
    last = size_of(c, r, y, at(series, order * n))
    before = size_of(c, r, y, at(series, (order - 1) * n))
    if not last + before < math.inf:
        return -1
    if c[slot.ADAPTIVE] != 0:
        step = min(reach(last, order), reach(before, order - 1))
        span = r[slot.END] - r[slot.START]
        r[slot.STEP] = min(step, min(span, r[slot.MAX_STEP]))
    return 0


@kernel("void(int64* c, double* r, double t, double* y)")
def begin_step(c, r, t, y):
    """Prepare the step from y at t: by its series, or by stages where there is none."""
    own, numbers = integers(c[slot.OWN_INTEGERS]), doubles(c[slot.OWN_NUMBERS])
    own[STEPPING] = 1
    if c[slot.SERIES] != 0 and expand(c, r, t, y) == 0:
        own[STEPPING] = 0
    c[slot.OWN_CONTROL] = 1 - own[STEPPING]
    r[slot.ALPHA] = numbers[STAGE_ALPHA] if own[STEPPING] == 1 else 1.0 / (own[ORDER] + 1)


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """The series of the next step."""
    t = r[slot.TIME] + h
    if t < r[slot.END]:
        begin_step(c, r, t, new)


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """At the start, and wherever the state means something else."""
    integers(c[slot.OWN_INTEGERS])[ORDER] = choose_order(c, r)
    begin_step(c, r, r[slot.TIME], doubles(c[slot.STATE]))


@kernel("void(int64* c, double h, double* out)")
def sum_series(c, h, out):
    """out = Σ_k y_k h^k"""
    n, order = c[slot.STATES], integers(c[slot.OWN_INTEGERS])[ORDER]
    weights = at(doubles(c[slot.OWN_NUMBERS]), WEIGHTS)
    series = at(doubles(c[slot.OWN_NUMBERS]), HEADER)
    power = 1.0
    for k in range(order):
        weights[k] = power
        power *= h
    combine(n, order, h, weights, series, at(series, n), out)


@kernel("double(int64* c, double* r, double h, double* new, double* derivative)")
def remainder(c, r, h, new, derivative):
    """|R| = h |f(y) − Σ_k k y_k h^(k-1)| / (p + 1) in units of the tolerance, of the states that have a series."""
    n, order = c[slot.STATES], integers(c[slot.OWN_INTEGERS])[ORDER]
    weights = at(doubles(c[slot.OWN_NUMBERS]), WEIGHTS)
    series = at(doubles(c[slot.OWN_NUMBERS]), HEADER)
    change = at(series, (LONGEST + 1) * n)
    zero = at(change, n)
    for k in range(order):
        weights[k] *= k + 1
    combine(n, order, h, weights, zero, at(series, n), change)
    for i in range(n):
        change[i] = (h * derivative[i] - change[i]) / (order + 1)
        if series[n + i] == 0.0 and series[2 * n + i] == 0.0 and series[3 * n + i] == 0.0:
            change[i] = 0.0
    return size_of(c, r, new, change)


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    """The sum of the series, the derivative there, and how well the two agree."""
    if integers(c[slot.OWN_INTEGERS])[STEPPING] == 1:
        return attempt_stages(c, r, h)
    new = doubles(c[slot.NEW_STATE])
    derivative = at(doubles(c[slot.DERIVATIVES]), c[slot.STAGES] * c[slot.STATES])
    sum_series(c, h, new)
    r[slot.ERROR] = 0.0
    code = evaluate(c, r[slot.TIME] + h, new, derivative)
    if code >= 0 and c[slot.ADAPTIVE] != 0:
        r[slot.ERROR] = remainder(c, r, h, new, derivative)
    return code


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """The series needs nothing more."""
    return densify_stages(c, r, h) if integers(c[slot.OWN_INTEGERS])[STEPPING] == 1 else 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """The sum of the series at θ h."""
    if integers(c[slot.OWN_INTEGERS])[STEPPING] == 1:
        return interpolate_stages(c, r, h, theta, out)
    sum_series(c, theta * h, out)
    return 0
