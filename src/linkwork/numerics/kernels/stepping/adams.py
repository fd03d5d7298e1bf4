"""Adams predictor-corrector of variable order and step: modified divided differences, orders 1 to 12.

L. F. Shampine and M. K. Gordon, "Computer Solution of Ordinary Differential Equations", 1975, in the notation of Hairer,
Nørsett, Wanner, "Solving Ordinary Differential Equations I", sections III.5 and III.7. With the divided differences of the
rates, Φ_j(n) = Π_{i<j} (t_n − t_{n−1−i}) f[t_n, ..., t_{n−j}], a step of order k is::

    Φ*_j = β_j Φ_j(n),   β_j = β_{j−1} (t_{n+1} − t_{n+1−j}) / (t_n − t_{n−j})
    p   = y + h Σ_{j<k} g_j Φ*_j                        predicted, of order k
    y₊  = p + h g_k Φ_k(n+1)                            corrected with f(p), of order k + 1
    Φ_0(n+1) = f,   Φ_{j+1}(n+1) = Φ_j(n+1) − Φ*_j
    err = h (g_k − g_{k−1}) Φ_k(n+1)                    what the corrector of order k would have been off

and an evaluation at y₊ ends it. The g_j are integrals over the step of the products that stand at Φ*_j in Newton's form of
the polynomial through the rates. Their factors have no negative coefficients, so they are expanded in powers, and the same
integrals up to θ < 1 give the output inside the step.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping.first_step import choose_step_anew
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import combine, evaluate

MOST = 12  # largest order
WIDTH = MOST + 2
SAME = 1e-12  # relative difference of step sizes that are the same
FAIR = 0.5  # error, of 1 that is allowed, that the next step is chosen for
SHRINK_LEAST, SHRINK_MOST = 0.9, 0.5
TRIES = 3  # rejections after which the history is given up


class DividedDifferences(Stepping):
    """The memory of a run: modified divided differences."""

    points: int  # how many differences are known: 0 ... points − 1
    equal: int  # steps in sequence of the same size, the last one included
    starting: int  # 1: the order grows and the step doubles with every step
    lower: int  # 1: after the step attempted, a lower order would have done as well
    tries: int  # rejections in sequence
    history_step: float  # size of the last step
    error_lower: float  # error of the step attempted, had it been of order k − 1
    past: Floats = array(f"{WIDTH}")  # t_n − t_{n−i}
    g: Floats = array(f"{WIDTH}")  # g_j of the step attempted
    g_inside: Floats = array(f"{WIDTH}")  # g_j(θ)
    polynomial: Floats = array(f"{WIDTH}")  # work
    constants: Floats = array(f"{WIDTH}")  # γ*_j
    even: Floats = array(f"{WIDTH}")  # γ_j: g_j of equal steps
    differences: Floats = array(f"{WIDTH}", "states")  # Φ_j(n)
    extended: Floats = array(f"{WIDTH}", "states")  # β_j Φ_j(n), those of the step attempted
    last: Floats = array("states")  # Φ_k(n+1), for the dense output
    lack: Floats = array("states")  # what it lacks at the end


@kernel
def integrate_products(count: int, h: float, theta: float, past: Floats, polynomial: Floats, g: Floats) -> None:
    """g_j = ∫_0^θ Π_{i<j} (s h + t_n − t_{n−i}) / (t_{n+1} − t_{n−i}) ds for j = 0 ... count."""
    polynomial[0] = 1.0
    for j in range(count + 1):
        total = 0.0
        for m in range(j, -1, -1):
            total = total * theta + polynomial[m] / (m + 1)
        g[j] = total * theta
        whole = h + past[j]
        constant, slope = past[j] / whole, h / whole
        polynomial[j + 1] = slope * polynomial[j]
        for m in range(j, 0, -1):
            polynomial[m] = constant * polynomial[m] + slope * polynomial[m - 1]
        polynomial[0] *= constant


@kernel
def extend_differences(run: DividedDifferences, k: int, h: float) -> None:
    """Φ*_j for j = 0 ... k, as far as they are known, and g_j; with equal steps β_j = 1 and g_j = γ_j."""
    n, past = run.states, run.past
    plain = run.differences
    extended = run.extended
    known = min(k + 1, run.points)
    if run.equal >= k and abs(h - run.history_step) <= SAME * h:
        run.g[: k + 1] = run.even[: k + 1]
        extended[: known * n] = plain[: known * n]
        return
    integrate_products(k, h, 1.0, past, run.polynomial, run.g)
    beta = 1.0
    for j in range(known):
        if j > 0:
            beta *= (h + past[j - 1]) / past[j]
        extended[j * n : (j + 1) * n] = beta * plain[j * n : (j + 1) * n]


@kernel
def attempt(run: DividedDifferences, h: float) -> Code:
    n = run.states
    run.error = 0.0
    if n == 0:
        return 0
    if run.failure != 0:
        after_rejection(run)
    k = run.order
    run.alpha = 1.0 / (k + 1)
    extend_differences(run, k, h)
    new, t_new = run.new_state, run.time + h
    end = run.end_rates
    combine(n, k, h, run.g, run.state, run.extended, new)
    code = evaluate(run, t_new, new, end)
    if code < 0:
        return code
    correct_end(run, h, k, new, end)
    run.end_open = 1
    return 0


@kernel
def after_rejection(run: DividedDifferences) -> None:
    """A step that was too long: the lower order if that is as good, and the lowest where nothing helps."""
    run.starting = 0
    run.tries += 1
    if run.lower == 1 and run.order > 1:
        run.order -= 1
    run.lower = 0
    if run.tries >= TRIES:
        run.order = 1


@kernel
def correct_end(run: DividedDifferences, h: float, k: int, new: Floats, end: Floats) -> None:
    """y₊ = p + h g_k Φ_k(n+1), its error, and whether a lower order would do."""
    n = run.states
    extended, g = run.extended, run.g
    first, second, third = 0.0, 0.0, 0.0
    for i in range(n):
        difference, before, older = end[i], 0.0, 0.0
        for j in range(k):
            older = before
            before = difference
            difference -= extended[j * n + i]
        new[i] += h * g[k] * difference
        scale = run.absolute[i] + run.relative * max(abs(run.state[i]), abs(new[i]))
        first += (difference / scale) * (difference / scale)
        second += (before / scale) * (before / scale)
        third += (older / scale) * (older / scale)
    run.error = h * abs(g[k] - g[k - 1]) * math.sqrt(first / n)
    run.lower = 0
    if k == 1:
        return
    run.error_lower = h * abs(g[k - 1] - g[k - 2]) * math.sqrt(second / n)
    if k == 2:
        run.lower = 1 if run.error_lower <= 0.5 * run.error else 0
        return
    lowest = h * abs(g[k - 2] - g[k - 3]) * math.sqrt(third / n)
    run.lower = 1 if max(run.error_lower, lowest) <= run.error else 0


@kernel
def densify(run: DividedDifferences, h: float) -> Code:
    """Φ_k(n+1) with the rate at the end, and what the polynomial lacks there."""
    n = run.states
    k, new, g = run.order, run.new_state, run.g
    extended = run.extended
    last, lack, end = run.last, run.lack, run.end_rates
    combine(n, k, h, g, run.state, extended, lack)
    for i in range(n):
        last[i] = end[i]
        for j in range(k):
            last[i] -= extended[j * n + i]
        lack[i] = new[i] - lack[i] - h * g[k] * last[i]
    return 0


@kernel
def interpolate(run: DividedDifferences, h: float, theta: float, out: Floats) -> Code:
    """The integral of the polynomial through the rates at the end and the history; it meets the end smoothly."""
    n, k = run.states, run.order
    g = run.g_inside
    integrate_products(k, h, theta, run.past, run.polynomial, g)
    combine(n, k, h, g, run.state, run.extended, out)
    blend = theta * theta * (3.0 - 2.0 * theta)
    out[:n] += h * g[k] * run.last[:n] + blend * run.lack[:n]
    return 0


@kernel
def accept(run: DividedDifferences, h: float, new: Floats, derivative: Floats) -> None:
    """The differences at the end, then the order and the size of the next step."""
    n = run.states
    k, plain = run.order, run.differences
    extended, past = run.extended, run.past
    known = min(k + 1, run.points)
    plain[:n] = derivative[:n]
    for i in range(known * n):
        plain[n + i] = plain[i] - extended[i]
    for j in range(known, 0, -1):
        past[j] = past[j - 1] + h
    run.points = known + 1
    run.equal = run.equal + 1 if abs(h - run.history_step) <= SAME * h else 1
    run.history_step = h
    if run.failure != 0:
        run.starting = 0
    run.tries = 0
    run.step = min(choose_next(run, h, new), run.max_step)


@kernel
def choose_next(run: DividedDifferences, h: float, new: Floats) -> float:
    """The order with the smallest error, of k − 1, k and k + 1; twice the step, the same, or a shorter one."""
    k, error = run.order, run.error
    if run.lower == 1 or k == MOST:
        run.starting = 0
    if run.starting == 1:
        run.order = k + 1
        return 2.0 * h
    if run.lower == 1:
        run.order = k - 1
        error = run.error_lower
    elif k < MOST and run.equal > k and run.points > k + 1:
        above = error_above(run, h, k, new)
        if k > 1 and run.error_lower <= min(error, above):
            run.order = k - 1
            error = run.error_lower
        elif above < (error if k > 1 else 0.5 * error):
            run.order = k + 1
            error = above
    power = run.order + 1
    if error * 2.0**power <= FAIR:
        return 2.0 * h
    if error <= FAIR:
        return h
    return h * max(SHRINK_MOST, min(SHRINK_LEAST, (FAIR / error) ** (1.0 / power)))


@kernel
def error_above(run: DividedDifferences, h: float, k: int, new: Floats) -> float:
    """Error of order k + 1 with equal steps: h γ*_{k+1} Φ_{k+1}(n+1)."""
    n = run.states
    difference, absolute = at(run.differences, (k + 1) * n), run.absolute
    total = 0.0
    for i in range(n):
        scale = absolute[i] + run.relative * abs(new[i])
        total += (difference[i] / scale) * (difference[i] / scale)
    return h * abs(run.constants[k + 1]) * math.sqrt(total / n)


@kernel
def restart(run: DividedDifferences) -> None:
    """Order 1 from the state at hand; within a run with a step of its own."""
    n = run.states
    run.order, run.points, run.equal = 1, 1, 0
    run.starting, run.lower, run.tries = 1, 0, 0
    run.past[0] = 0.0
    run.differences[:n] = run.derivatives[:n]
    choose_step_anew(run)
