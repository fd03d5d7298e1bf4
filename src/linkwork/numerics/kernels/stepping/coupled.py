"""Runge-Kutta methods whose stages are found at once (``coupled_stages.py``): error, dense output, step control.

Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import add_multiple
from linkwork.numerics.kernels.stepping import runge_kutta, structural
from linkwork.numerics.kernels.stepping.coupled_stages import MORE, CoupledStages, find_stages
from linkwork.numerics.kernels.stepping.newton import NewtonMemory, solve_factored
from linkwork.numerics.kernels.stepping.stages import check_finite, combine, error_size, evaluate

LASTING = 0.01  # rate of convergence up to which the derivatives are kept
SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 0.2, 8.0
MOVED = 0.1  # tolerances, by a correction of the state that does not touch its derivative
CONVERGING = 0.2  # rate of convergence that the next step may be expected to have
KEPT = 1.2  # growth of the step that is not worth another factorisation


# --- the error -------------------------------------------------------------------------------------------------------


@kernel
def estimate(run: CoupledStages, start: Floats, e: Floats) -> None:
    """e = Σ_j E_j k_j, with this derivative at the start."""
    n, k, weights = run.states, run.derivatives, run.estimators
    for i in range(n):
        e[i] = weights[0] * start[i]
        for j in range(1, run.stages + 1):
            e[i] += weights[j] * k[j * n + i]


@kernel
def error_between(run: CoupledStages, h: float) -> float:
    """Norm of h Σ_j E_j k_j, which measures the polynomial inside the step, with the derivative at the start that the
    polynomial of the last step has, because one evaluated anew is that of stiff components off their course. States of a
    higher index do not count: their derivatives have errors of a lower order, which do not shrink with the step."""
    e = run.transformed
    if run.last_step == 0.0:
        return 0.0
    estimate(run, run.start_rate, e)
    for i in range(run.states):
        if run.levels is not None and run.levels[i] > 0.0:
            e[i] = 0.0
    return h * error_size(run, h, e, run.new_state)


@kernel
def filtered_error(run: CoupledStages, h: float) -> float:
    """Norm of e in (F_y + F_k / (hγ)) e = F_k Σ_j E_j k_j / γ, for F = k − f that is (I − hγ J) e = h Σ_j E_j k_j.

    Where it would reject the first step, or a step once more, it is filtered again: f(t, y + e) takes the place of the
    derivative at the start (Hairer and Wanner II, section IV.8, formulas 8.19 and 8.20).
    """
    newton = run.newton
    n, k, fk = run.states, run.derivatives, newton.fk
    plain, e = newton.first, newton.move
    estimate(run, k, e)
    plain[:n] = 0.0
    for j in range(n):
        add_multiple(at(fk, j * n), e[j] / run.gamma, plain, n)
    e[:n] = plain[:n]
    solve_factored(e, newton)
    error = error_size(run, h, e, run.new_state)
    if error <= sharpened(run) or (run.failure == 0 and run.accepted > 0):
        return error
    state, moved = run.scratch, newton.residuals
    state[:n] = run.state[:n] + e[:n]
    run.evaluations += 1
    if newton.residual(run.time, state, k, moved, newton.equations) < 0:
        return error
    e[:n] = plain[:n] - moved[:n]
    solve_factored(e, newton)
    return error_size(run, h, e, run.new_state)


@kernel
def sharpened(run: CoupledStages) -> float:
    """How much larger the tolerance of the estimate is, 0.1 rtol^q in the place of rtol."""
    if run.relative == 0.0:
        return 1.0
    return max(0.1 * run.relative ** (run.sharpness - 1.0), 1.0)


# --- the family ------------------------------------------------------------------------------------------------------


@kernel
def attempt(run: CoupledStages, h: float) -> Code:
    """All stages, the end of the step and its error."""
    n, end = run.states, run.stages
    y, k, new = run.state, run.derivatives, run.new_state
    run.error = 0.0
    code = find_stages(run, h)
    if code < 0:
        return code
    if end == run.collocated:
        last = at(run.increments, (end - 1) * n)
        new[:n] = y[:n] + last[:n]
    else:
        combine(n, end, h, at(run.matrix, end * run.all_stages), y, k, new)
        code = evaluate(run, run.time + h, new, at(k, end * n))
    if code >= 0:
        code = check_finite(run, new, at(k, end * n))
    if code >= 0 and run.adaptive == 1:
        run.error = max(filtered_error(run, h), error_between(run, h)) / sharpened(run)
    return code


densify, interpolate = structural.densify, runge_kutta.interpolate


@kernel
def keep_start(run: CoupledStages, new: Floats, derivative: Floats) -> None:
    """The derivative with which the polynomial ends, unless a correction has taken the state elsewhere."""
    n, plain, moved, start = run.states, run.new_state, run.transformed, run.start_rate
    moved[:n] = new[:n] - plain[:n]
    here = error_size(run, 1.0, moved, plain) < MOVED
    for i in range(n):
        start[i] = run.end_rates[i] if here else derivative[i]


@kernel
def accept(run: CoupledStages, h: float, new: Floats, derivative: Floats) -> None:
    """Keep the stages for the next prediction, and choose the next step."""
    newton = run.newton
    n, k, last = run.states, run.derivatives, run.last
    last[: run.collocated * n] = k[n : n + run.collocated * n]
    keep_start(run, new, derivative)
    run.fresh = 0
    if newton.rate > LASTING:
        newton.known = 0
    if run.adaptive == 1:
        choose_step(run, h, newton.rate, newton)
    run.last_step = h


@kernel
def choose_step(run: CoupledStages, h: float, rate: float, newton: NewtonMemory) -> None:
    """The step that the error asks for, less where the last two steps tell that errors grow (K. Gustafsson, ACM TOMS
    20, 1994).

    h ← h min(0.9 err^-α, 0.9 (h/h₁) (err₁/err²)^α)
    """
    error = max(run.error, 1e-10)
    factor = SAFETY * error**-run.alpha
    if run.last_step > 0.0 and run.last_step_error > 0.0:
        ahead = SAFETY * h / run.last_step * (run.last_step_error / (error * error)) ** run.alpha
        factor = min(factor, ahead)
    # stages of a longer step converge more slowly
    most = min(max(CONVERGING / max(rate, 1e-3), 1.0), GROW_MOST)
    factor = min(max(factor, SHRINK_MOST), 1.0 if run.failure != 0 else most)
    if 1.0 <= factor < KEPT and newton.known == 1:
        factor = 1.0
    run.last_step_error = max(error, 1e-2)
    run.step = min(h * factor, run.max_step)


@kernel
def restart(run: CoupledStages) -> None:
    """No polynomial of a last step, and no derivatives of the equations."""
    run.last_step = 0.0
    run.fresh = 0
    newton = run.newton
    newton.known = 0
    newton.pairs, newton.further = 1, MORE * max(run.collocated - 3, 0)
