"""The stages of a step found at once: Newton's method on all of them, for any equations F(t, y, k) = 0.

With the increments z_i = h Σ_j a_ij k_j and W = A⁻¹ the stages satisfy F(t + c_i h, y + z_i, h⁻¹ Σ_j w_ij z_j) = 0. An
iteration with F_y and F_k of one state is

    F_y δ_i + h⁻¹ Σ_j w_ij F_k δ_j = −F_i,   z_i ← z_i + δ_i

and with δ = T x, T⁻¹ W T = diag(γ⁻¹, [α β; −β α]), it becomes a real system F_y + F_k / (hγ) and complex ones
F_y + h⁻¹ (α − iβ) F_k for x₁ + i x₂ (Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.8).
The memory of the solver (``newton.py``) holds F_y, F_k and the factors of the real system.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Ints, array
from linkwork.numerics.kernels.linear.complex_linear import factor_complex_lu, solve_complex_lu
from linkwork.numerics.kernels.linear.dense import HUGE
from linkwork.numerics.kernels.linear.iteration import DONE, GO_ON, SLOW, by_rate, iterate, still_to_come
from linkwork.numerics.kernels.stepping.newton import (
    ANEW,
    NOT_CONVERGED,
    SINGULAR,
    NewtonMemory,
    factor,
    solve_factored,
    take_tangent,
    weighted_size,
)
from linkwork.numerics.kernels.stepping.run import Stepping

MORE = 3  # iterations for each stage above three
SAME = 1e-6  # relative change of the step that needs no other matrix


class CoupledStages(Stepping):
    """The memory of a run: s stages that are found at once, T⁻¹ A⁻¹ T being made of blocks."""

    collocated: int  # s
    fresh: int  # 1: F_y and F_k are those of the state at the start of the step
    factored: int  # 1: the matrices are factored for factored_step
    factored_step: float
    last_step: float  # size of the last step, 0: there is none
    last_step_error: float
    sharpness: float  # exponent of the relative tolerance
    gamma: (
        float  # γ of the matrix F_y + F_k / (hγ): the real eigenvalue, where there is one, and the filter of the error
    )
    inverse: Floats = array("collocated", "collocated")  # A⁻¹, rows
    transform: Floats = array("collocated", "collocated")  # T
    back: Floats = array("collocated", "collocated")  # T⁻¹
    spectrum: Floats = array("2 * (collocated // 2)")  # real and imaginary part of the eigenvalue of each pair
    polynomial: Floats = array("collocated", "collocated")  # through the stages
    increments: Floats = array("collocated", "states")
    corrections: Floats = array("collocated", "states")
    transformed: Floats = array("collocated", "states")
    last: Floats = array("collocated", "states")  # derivatives of the stages of the last step
    factors: Floats = array("collocated", "states", "states")  # real and imaginary parts, (2, n, n) of each pair
    pair_pivots: Ints = array("collocated // 2", "states")
    pair_scale: Floats = array("states")
    start_rate: Floats = array("states")  # derivative at the start of the step as the polynomial of the last one has it


# --- the matrices ----------------------------------------------------------------------------------------------------


@kernel
def factor_pairs(run: CoupledStages, h: float, newton: NewtonMemory) -> Code:
    """Factors of F_y + h⁻¹ (α − iβ) F_k for each pair."""
    n = newton.size
    fy, fk, spectrum = newton.fy, newton.fk, run.spectrum
    for pair in range(run.collocated // 2):
        real = at(run.factors, 2 * pair * n * n)
        imaginary = at(real, n * n)
        alpha, beta = spectrum[2 * pair] / h, spectrum[2 * pair + 1] / h
        real[: n * n] = fy[: n * n] + alpha * fk[: n * n]
        imaginary[: n * n] = -beta * fk[: n * n]
        newton.factorisations += 1
        if factor_complex_lu(real, imaginary, n, at(run.pair_pivots, pair * n), run.pair_scale) >= 0:
            return SINGULAR
    return 0


@kernel
def factor_all(run: CoupledStages, h: float) -> Code:
    """The factors for this step, from F_y and F_k."""
    newton = run.newton
    run.factored = 0
    run.factored_step = h
    code = 0
    if run.collocated % 2 == 1 or run.adaptive == 1:
        code = factor(h * run.gamma, h * run.gamma, newton)
    if code >= 0:
        code = factor_pairs(run, h, newton)
    if code >= 0:
        run.factored = 1
    return code


@kernel
def prepare(run: CoupledStages, h: float) -> Code:
    """F_y and F_k where they are not known, and the factors for this step."""
    newton = run.newton
    if newton.known == 0 or newton.fixed == 1:
        code = take_tangent(run.time, run.state, run.derivatives, newton)
        if code < 0:
            return code
        run.fresh = 1
        run.factored = 0
        newton.rate = 1.0
        newton.assumed = 1.0
    if run.factored == 1 and abs(h - run.factored_step) <= SAME * h:
        return 0
    return factor_all(run, h)


# --- Newton's method -------------------------------------------------------------------------------------------------


@kernel
def predict(run: CoupledStages, h: float) -> None:
    """First increments, from the polynomial of the last step: z_i = h₁ Σ_j k_j (P_j(1 + c_i h/h₁) − P_j(1))."""
    n, s = run.states, run.collocated
    z, last, polynomial = run.increments, run.last, run.polynomial
    z[: s * n] = 0.0
    if run.last_step == 0.0:
        return
    for i in range(s):
        theta = 1.0 + run.nodes[i + 1] * h / run.last_step
        row = at(z, i * n)
        for j in range(s):
            value = 0.0
            end = 0.0
            for q in range(s - 1, -1, -1):
                value = (value + polynomial[j * s + q]) * theta
                end += polynomial[j * s + q]
            weight = run.last_step * (value - end)
            row[:n] += weight * last[j * n : (j + 1) * n]


@kernel(vectorise=True)
def mix(s: int, n: int, factor: float, matrix: Floats, given: Floats, out: Floats) -> None:
    """out_i = factor Σ_j matrix_ij given_j of s vectors (n)."""
    for i in range(s):
        row = at(out, i * n)
        row[:n] = 0.0
        for j in range(s):
            weight = factor * matrix[i * s + j]
            row[:n] += weight * given[j * n : (j + 1) * n]


@kernel
def set_rates(run: CoupledStages, h: float) -> None:
    """k_i = h⁻¹ Σ_j w_ij z_j."""
    n, z = run.states, run.increments
    mix(run.collocated, n, 1.0 / h, run.inverse, z, at(run.derivatives, n))


@kernel
def residuals(run: CoupledStages, h: float, newton: NewtonMemory) -> Code:
    """k_i of the increments at hand, and F_i in CORRECTIONS."""
    n, s = run.states, run.collocated
    y, state, k = run.state, run.scratch, at(run.derivatives, n)
    set_rates(run, h)
    for i in range(s):
        state[:n] = y[:n] + run.increments[i * n : (i + 1) * n]
        t = run.time + run.nodes[i + 1] * h
        run.evaluations += 1
        code = newton.residual(t, state, at(k, i * n), at(run.corrections, i * n), newton.equations)
        if code < 0:
            return code
    return 0


@kernel
def solve_blocks(run: CoupledStages, newton: NewtonMemory) -> None:
    """The systems of the transformed corrections."""
    n, s = run.states, run.collocated
    first = s % 2
    rows = run.transformed
    if first == 1:
        solve_factored(rows, newton)
    for pair in range(s // 2):
        real = at(run.factors, 2 * pair * n * n)
        place = at(rows, (first + 2 * pair) * n)
        solve_complex_lu(real, at(real, n * n), n, at(run.pair_pivots, pair * n), place, at(place, n))


@kernel
def correct_stages(h: float, z: Floats, run: CoupledStages) -> float:
    """One correction of all increments. Returns its weighted size, < 0: failure.

    Where F_k depends on the state, corrections of algebraic unknowns shrink in every other iteration only.
    """
    newton = run.newton
    n, s = run.states, run.collocated
    code = residuals(run, h, newton)
    if code < 0:
        return float(code)
    run.iterations += 1
    corrections = run.corrections
    mix(s, n, -1.0, run.back, corrections, run.transformed)
    solve_blocks(run, newton)
    mix(s, n, 1.0, run.transform, run.transformed, corrections)
    total = 0.0
    for i in range(s):
        total += weighted_size(h, at(corrections, i * n), run.state, 0, newton) ** 2
    size = math.sqrt(total / s)
    if not size < HUGE:
        return float(SLOW)
    z[: s * n] += corrections[: s * n]
    return size


@kernel
def correct_anew(h: float, z: Floats, run: CoupledStages) -> float:
    """One correction with the derivatives of the middle stage, for steps of fixed size that leave no other way."""
    n, middle, state = run.states, run.collocated // 2, run.scratch
    set_rates(run, h)
    state[:n] = run.state[:n] + z[middle * n : (middle + 1) * n]
    t = run.time + run.nodes[middle + 1] * h
    code = take_tangent(t, state, at(run.derivatives, (middle + 1) * n), run.newton)
    if code >= 0:
        code = factor_all(run, h)
    return correct_stages(h, z, run) if code >= 0 else float(code)


@kernel
def by_new_rate(count: int, size: float, last: float, newton: NewtonMemory) -> int:
    """The same by the rate of the last two corrections alone, at most so many."""
    if size == 0.0 or (count > 0 and still_to_come(size, size / last, ANEW.limit * ANEW.limit, newton) == DONE):
        return DONE
    return SLOW if count + 1 == ANEW.limit else GO_ON


@kernel
def find_stages(run: CoupledStages, h: float) -> Code:
    """Increments and derivatives of all stages, with derivatives of the start where older ones do not serve."""
    newton = run.newton
    while True:
        predict(run, h)
        code = prepare(run, h)
        if code < 0:
            return code
        count = iterate(correct_stages, by_rate, newton, h, run.increments, run)
        if count == SLOW and run.fresh == 1 and newton.constant == 1:
            predict(run, h)
            count = iterate(correct_anew, by_new_rate, newton, h, run.increments, run)
            newton.rate = 1.0
        if count >= 0:
            set_rates(run, h)
            return 0
        newton.known = 0
        if run.fresh == 1:
            newton.failures += 1
            return NOT_CONVERGED if count == SLOW else count
