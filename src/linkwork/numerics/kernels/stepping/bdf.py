"""Backward differences of variable order and step, orders 1 to 5, for stiff equations and for algebraic ones.

L. F. Shampine and M. W. Reichelt, "The MATLAB ODE Suite", SIAM J. Sci. Comput. 18 (1997) 1-22. The history is that of equal
steps, as backward differences ∇^j y; another step size takes the polynomial through them at its own distances. A step of
order k is

    Σ_{j≤k} ∇^j y₊ / j − κ_k γ_k (y₊ − p) = h f₊,   p = Σ_{j≤k} ∇^j y,   γ_k = Σ_{j≤k} 1/j

which in terms of d = y₊ − p = ∇^{k+1} y₊ is one implicit stage, y₊ = ŷ + τ f₊::

    ŷ = p − Σ_{j≤k} γ_j ∇^j y / α_k,   τ = h / α_k,   α_k = (1 − κ_k) γ_k

The κ_k make the error (κ_k γ_k + 1/(k + 1)) ∇^{k+1} y₊ smaller. Errors of states with a level count h^level as much, and so
those of multipliers do not hold up the steps.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping.first_step import choose_step_anew
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import error_size, solve

MOST = 5  # largest order
WIDTH = MOST + 3
SAME = 1e-12  # relative difference of step sizes that are the same
SAFETY, GROW_MOST, SMALLEST_ERROR = 0.9, 10.0, 1e-12
GROW_LEAST = 1.2  # a change of the step costs a factorisation
FEW_ITERATIONS = 4
TRIES = 3  # rejections after which the order is the lowest


class BackwardDifferences(Stepping):
    """The memory of a run: backward differences of equal steps."""

    equal: int  # steps in sequence of the same size and order, the last one included
    tries: int  # rejections in sequence
    spent: int  # iterations of the step attempted
    history_step: float  # size of the steps between the states that the differences belong to
    alphas: Floats = array(f"{MOST + 1}")  # (1 − κ_k) γ_k by the order
    gammas: Floats = array(f"{MOST + 1}")  # γ_k = 1 + 1/2 + ... + 1/k
    constants: Floats = array(f"{MOST + 1}")  # of the error, κ_k γ_k + 1/(k + 1)
    change: Floats = array(f"{WIDTH * WIDTH}")  # from differences of one step size to another
    unit: Floats = array(f"{WIDTH * WIDTH}")  # work for it
    differences: Floats = array(f"{WIDTH}", "states")  # ∇^j y_n
    ahead: Floats = array(f"{WIDTH}", "states")  # the same with the step attempted
    ending: Floats = array(f"{WIDTH}", "states")  # those at its end, for output inside it
    predicted: Floats = array("states")  # p
    added: Floats = array("states")  # d = y₊ − p


@kernel
def values_of_differences(k: int, ratio: float, out: Floats) -> None:
    """R_ij: the factor of ∇^i y in the value at j steps of *ratio* back, Π_{m<i} (m − j ratio) / (m + 1), up to k."""
    for j in range(k + 1):
        factor = 1.0
        for i in range(k + 1):
            out[i * WIDTH + j] = factor
            factor *= (i - ratio * j) / (i + 1)


@kernel
def change_step(run: BackwardDifferences, k: int, ratio: float) -> None:
    """Differences of the step attempted from those of steps that *ratio* is the size of: (R(ratio) R(1))ᵀ ∇."""
    n, R, U = run.states, run.change, run.unit
    old, new = run.differences, run.ahead
    new[: WIDTH * n] = old[: WIDTH * n]
    if abs(ratio - 1.0) <= SAME:
        return
    values_of_differences(k, ratio, R)
    values_of_differences(k, 1.0, U)
    for j in range(1, k + 1):
        new[j * n : (j + 1) * n] = 0.0
        for m in range(1, k + 1):
            factor = 0.0
            for s in range(k + 1):
                factor += R[m * WIDTH + s] * U[s * WIDTH + j]
            new[j * n : (j + 1) * n] += factor * old[m * n : (m + 1) * n]


@kernel
def attempt(run: BackwardDifferences, h: float) -> Code:
    n = run.states
    run.error = 0.0
    if n == 0:
        return 0
    if run.failure != 0:
        run.tries += 1
        if run.tries >= TRIES:
            run.order = 1
    k = run.order
    run.alpha = 1.0 / (k + 1)
    change_step(run, k, h / run.history_step)
    new, predicted, added = run.new_state, run.predicted, run.added
    predict(run, k, predicted)
    new[:n] = predicted[:n]
    tau, before = h / run.alphas[k], run.iterations
    code = solve(run, run.time + h, tau, tau, run.hat, new, run.end_rates)
    run.spent = run.iterations - before
    if code < 0:
        return code
    added[:n] = new[:n] - predicted[:n]
    run.error = run.constants[k] * error_size(run, h, added, new)
    return 0


@kernel
def predict(run: BackwardDifferences, k: int, predicted: Floats) -> None:
    """p, and ŷ of the stage."""
    n, hat = run.states, run.hat
    ahead = run.ahead
    for i in range(n):
        total, weighted = ahead[i], 0.0
        for j in range(1, k + 1):
            total += ahead[j * n + i]
            weighted += run.gammas[j] * ahead[j * n + i]
        predicted[i] = total
        hat[i] = total - weighted / run.alphas[k]


@kernel
def densify(run: BackwardDifferences, h: float) -> Code:
    """The differences at the end: ∇^j y₊ = d + Σ_{j≤i≤k} ∇^i y."""
    n = run.states
    k, ahead, end, added = run.order, run.ahead, run.ending, run.added
    for i in range(n):
        total = added[i]
        for j in range(k, -1, -1):
            total += ahead[j * n + i]
            end[j * n + i] = total
    return 0


@kernel
def interpolate(run: BackwardDifferences, h: float, theta: float, out: Floats) -> Code:
    """The polynomial through the end and the k states before it: Σ_j ∇^j y₊ Π_{m<j} (θ − 1 + m) / (m + 1)."""
    n = run.states
    end = run.ending
    out[:n] = end[:n]
    factor = 1.0
    for j in range(1, run.order + 1):
        factor *= (theta - 2.0 + j) / j
        out[:n] += factor * end[j * n : (j + 1) * n]
    return 0


@kernel
def accept(run: BackwardDifferences, h: float, new: Floats, derivative: Floats) -> None:
    """The differences at the end, then the order and the size of the next step."""
    n = run.states
    k, kept, ahead = run.order, run.differences, run.ahead
    for i in range(n):
        added = new[i] - run.predicted[i]
        kept[(k + 2) * n + i] = added - ahead[(k + 1) * n + i]
        kept[(k + 1) * n + i] = added
        for j in range(k, -1, -1):
            kept[j * n + i] = ahead[j * n + i] + kept[(j + 1) * n + i]
    run.equal = run.equal + 1 if abs(h - run.history_step) <= SAME * h else 1
    run.tries = 0
    run.history_step = h
    run.step = min(h, run.max_step)
    if run.equal > k:
        choose_next(run, h, new)


@kernel
def choose_next(run: BackwardDifferences, h: float, new: Floats) -> None:
    """The order, of k − 1, k and k + 1, that allows the longest step."""
    n = run.states
    k, kept = run.order, run.differences
    longest = max(run.error, SMALLEST_ERROR) ** (-1.0 / (k + 1))
    order = k
    if k > 1:
        error = run.constants[k - 1] * error_size(run, h, at(kept, k * n), new)
        factor = max(error, SMALLEST_ERROR) ** (-1.0 / k)
        if factor > longest:
            order, longest = k - 1, factor
    if k < MOST:
        error = run.constants[k + 1] * error_size(run, h, at(kept, (k + 2) * n), new)
        factor = max(error, SMALLEST_ERROR) ** (-1.0 / (k + 2))
        if factor > longest:
            order, longest = k + 1, factor
    # many iterations are a sign of long steps
    longest *= SAFETY * (2 * FEW_ITERATIONS + 1.0) / (2 * FEW_ITERATIONS + min(run.spent, FEW_ITERATIONS))
    if order == k and 1.0 <= longest < GROW_LEAST:
        return
    run.order, run.equal = order, 0
    run.step = min(h * min(longest, GROW_MOST), run.max_step)


@kernel
def restart(run: BackwardDifferences) -> None:
    """Order 1 from the state at hand, as if the last step had been of size 1; within a run with a step of its own."""
    n = run.states
    y, rate, kept = run.state, run.derivatives, run.differences
    kept[: WIDTH * n] = 0.0
    for i in range(n):
        kept[i] = y[i]
        kept[n + i] = rate[i]
    run.order, run.equal, run.tries = 1, 0, 0
    run.history_step = 1.0
    choose_step_anew(run)
