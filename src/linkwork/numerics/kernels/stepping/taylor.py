"""Taylor series of high order: y(t + h) = Σ_k y_k h^k, whose coefficients the flow gives by recurrences.

The order follows from the tolerance once, the step from the last two coefficients (Jorba and Zou, Experimental Mathematics
14, 2005, section 3): a term of order p is as large as the tolerance at h = (1 / |y_p|)^(1/p), in units of the tolerance.
A step that ends where the series and the flow disagree is repeated with a smaller h, which costs no new series: for the
remainder R = C h^(p+1) the defect is R' = f(y) − ẏ_series, so that |R| = h |R'| / (p + 1). This notices a kink of the
equations inside the step, of which the coefficients know nothing. The series itself is the dense output.

Where the flow has no series (another way to solve the equations is in use), steps are those of DOP853.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.runge_kutta import attempt as attempt_stages
from linkwork.numerics.kernels.stepping.runge_kutta import densify as densify_stages
from linkwork.numerics.kernels.stepping.runge_kutta import interpolate as interpolate_stages
from linkwork.numerics.kernels.stepping.stages import combine, evaluate

LOWEST, LONGEST = 4, 36  # orders
WATCHFUL = 10  # order at most where there are events: they are compared at the ends of steps, which must not be long
FIRST_ORDERS, ORDERS_PER_DIGIT = 2.0, 1.5  # order = 2 + 1.5 digits
LOG_TEN = 2.302585092994046
SMALLEST = 1e-16  # tolerance that an order is chosen for
TERM = 1.0  # size of the last term of a step, in units of the tolerance


class PowerSeries(Stepping):
    """The memory of a run: the power series of a step."""

    stepping: int  # 1: by the stages of a Runge-Kutta method, where there is no series
    declared: int  # order of fixed steps
    stage_alpha: float  # exponent of the step control of the stages
    powers: Floats = array(f"{LONGEST}")  # weights of y_1, y_2, ...
    coefficients: Floats = array(f"{LONGEST + 1}", "states")
    change: Floats = array("states")  # work
    zero: Floats = array("states")


@kernel
def choose_order(run: PowerSeries) -> int:
    """From the tolerance; steps of a fixed size have the order that is declared."""
    if run.adaptive == 0:
        return run.declared
    tolerance = run.relative
    if tolerance == 0.0:
        tolerance = 1.0
        for i in range(run.states):
            tolerance = min(tolerance, run.absolute[i])
    digits = -math.log(max(tolerance, SMALLEST)) / LOG_TEN
    most = WATCHFUL if run.event_count > 0 else LONGEST
    return min(max(int(FIRST_ORDERS + ORDERS_PER_DIGIT * digits), LOWEST), most)


@kernel
def size_of(run: PowerSeries, y: Floats, x: Floats) -> float:
    """The largest entry of x in units of the tolerance at y."""
    largest = 0.0
    for i in range(run.states):
        entry = abs(x[i]) / (run.absolute[i] + run.relative * abs(y[i]))
        if not entry <= largest:
            largest = entry
    return largest


@kernel
def reach(size: float, order: int) -> float:
    """h at which a term of this size and order is TERM."""
    return math.inf if size == 0.0 else (TERM / size) ** (1.0 / order)


@kernel
def expand(run: PowerSeries, t: float, y: Floats) -> Code:
    """The series from y at t, and the step that it allows. Negative: there is none."""
    n = run.states
    order, series = run.order, run.coefficients
    if run.series is None or run.series(t, y, series, order, run.flow_memory) < 0:
        return -1
    run.evaluations += order
    last = size_of(run, y, at(series, order * n))
    before = size_of(run, y, at(series, (order - 1) * n))
    if not last + before < math.inf:
        return -1
    if run.adaptive != 0:
        step = min(reach(last, order), reach(before, order - 1))
        span = run.end - run.start
        run.step = min(step, min(span, run.max_step))
    return 0


@kernel
def begin_step(run: PowerSeries, t: float, y: Floats) -> None:
    """Prepare the step from y at t: by its series, or by stages where there is none."""
    run.stepping = 1
    if run.series is not None and expand(run, t, y) == 0:
        run.stepping = 0
    run.own_control = 1 - run.stepping
    run.alpha = run.stage_alpha if run.stepping == 1 else 1.0 / (run.order + 1)


@kernel
def accept(run: PowerSeries, h: float, new: Floats, derivative: Floats) -> None:
    """The series of the next step."""
    t = run.time + h
    if t < run.end:
        begin_step(run, t, new)


@kernel
def restart(run: PowerSeries) -> None:
    """At the start, and wherever the state means something else."""
    run.order = choose_order(run)
    begin_step(run, run.time, run.state)


@kernel
def sum_series(run: PowerSeries, h: float, out: Floats) -> None:
    """out = Σ_k y_k h^k"""
    n, order = run.states, run.order
    weights = run.powers
    series = run.coefficients
    power = 1.0
    for k in range(order):
        weights[k] = power
        power *= h
    combine(n, order, h, weights, series, at(series, n), out)


@kernel
def remainder(run: PowerSeries, h: float, new: Floats, derivative: Floats) -> float:
    """|R| = h |f(y) − Σ_k k y_k h^(k-1)| / (p + 1) in units of the tolerance, of the states that have a series."""
    n, order = run.states, run.order
    weights = run.powers
    series = run.coefficients
    change, zero = run.change, run.zero
    for k in range(order):
        weights[k] *= k + 1
    combine(n, order, h, weights, zero, at(series, n), change)
    for i in range(n):
        change[i] = (h * derivative[i] - change[i]) / (order + 1)
        if series[n + i] == 0.0 and series[2 * n + i] == 0.0 and series[3 * n + i] == 0.0:
            change[i] = 0.0
    return size_of(run, new, change)


@kernel
def attempt(run: PowerSeries, h: float) -> Code:
    """The sum of the series, the derivative there, and how well the two agree."""
    if run.stepping == 1:
        return attempt_stages(run, h)
    new, derivative = run.new_state, run.end_rates
    sum_series(run, h, new)
    run.error = 0.0
    code = evaluate(run, run.time + h, new, derivative)
    if code >= 0 and run.adaptive != 0:
        run.error = remainder(run, h, new, derivative)
    return code


@kernel
def densify(run: PowerSeries, h: float) -> Code:
    """The series needs nothing more."""
    return densify_stages(run, h) if run.stepping == 1 else 0


@kernel
def interpolate(run: PowerSeries, h: float, theta: float, out: Floats) -> Code:
    """The sum of the series at θ h."""
    if run.stepping == 1:
        return interpolate_stages(run, h, theta, out)
    sum_series(run, theta * h, out)
    return 0
