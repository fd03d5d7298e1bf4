"""Implicit stages of any equations F(t, y, k) = 0: Newton's method for y = ŷ + τ k.

    (F_y + F_k / τ) δ = −F,   y ← y + δ,   k = (y − ŷ) / τ

positions having τ_q in the place of τ. Rows and columns are brought to one size: those of algebraic equations and unknowns
would differ by powers of τ. The derivatives and the factors are kept from stage to stage and made anew where the iteration
(``linear/iteration.py``), which ends by its rate, becomes slow.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    FlowFunction,
    Ints,
    Record,
    ResidualFunction,
    TangentFunction,
    array,
    borrowed,
)
from linkwork.numerics.kernels.linear.dense import HUGE, equilibrate, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.linear.iteration import (
    ROUNDING,
    SLOW,
    STALLED,
    IterationPolicy,
    RatePolicy,
    by_rate,
    by_size,
    iterate,
)
from linkwork.numerics.kernels.linear.slope import UNKNOWN as UNKNOWN_SLOPE

NOT_CONVERGED, SINGULAR = -2001, -2002  # failures
FLOOR = 1e-15  # relative pivot under which a matrix counts as singular
SAME = 1e-9  # relative change of τ that needs no other matrix
LASTING, FEW = 0.05, 2  # rate of convergence and iterations up to which the derivatives are kept
TO_ROUNDING = 1e-3  # weighted size of a correction that ends the iteration, of steps of fixed size
ANEW = IterationPolicy(limit=20, tolerance=TO_ROUNDING, stalled=STALLED, rounding=ROUNDING)  # with new derivatives each
NOISE = 1e-13  # of positions, relative to the largest
DIFFERENCE, SMALL = 1.5e-8, 1e-3  # of differences, relative to the state; its least size


class NewtonMemory(RatePolicy):
    """The solver of implicit stages: when it ends, its equations, what it knows of them, and its work."""

    size: int  # n
    positions: int  # how many come first that have τ_q in the place of τ
    residual: ResidualFunction
    tangent: TangentFunction
    equations: Record  # the memory of these two
    rated: int  # how many states come first that have rates; the others are algebraic
    known: int  # 1: fy and fk are those of a state not far away
    factored: int  # 1: the matrix is factored for tau and tau_q
    iterations: int
    jacobians: int
    factorisations: int
    failures: int
    relative: float
    tau: float  # of the matrix that is factored
    tau_q: float
    stage_tau: float  # of the stage at hand
    stage_tau_q: float
    hat: Floats = borrowed()  # ŷ of the stage
    rates: Floats = borrowed()  # k of the stage
    pivots: Ints = array("size")
    fy: Floats = array("size", "size")
    fk: Floats = array("size", "size")
    matrix: Floats = array("size", "size")
    residuals: Floats = array("size")
    move: Floats = array("size")
    first: Floats = array("size")
    row_scale: Floats = array("size")
    absolute: Floats = array("size")
    levels: Floats = array("size")
    rows: Floats = array("size")  # factors of the equilibrated matrix
    columns: Floats = array("size")
    grades: Floats = array("size")  # powers of 1/τ that unknowns of one size grow with


class FlowEquations(Record):
    """The equations of a flow, F = k − f(t, y)."""

    flow: FlowFunction
    slope: FlowFunction | None = None  # exact ∂f/∂y, None: by differences
    memory: Record  # of the flow
    count: int
    copy: Floats = array("count")
    here: Floats = array("count")
    moved: Floats = array("count")


@kernel
def weighted_size(tau: float, x: Floats, y: Floats, whole: int, newton: NewtonMemory) -> float:
    """Root mean square of x in units of the tolerances at y; the first *whole* states count in full whatever their level,
    but for rounding errors of positions, which grow with 1/τ in them."""
    n, total, noise = newton.size, 0.0, NOISE * largest(y, newton.positions)
    absolute, levels = newton.absolute, newton.levels
    for i in range(n):
        scale = absolute[i] + newton.relative * abs(y[i])
        if levels[i] != 0.0:
            power = tau ** levels[i]
            scale = scale / power if i >= whole else scale + noise / power
        total += (x[i] / scale) * (x[i] / scale)
    return math.sqrt(total / n)


@kernel
def take_tangent(t: float, y: Floats, k: Floats, newton: NewtonMemory) -> Code:
    """F_y and F_k of a state."""
    newton.jacobians += 1
    newton.factored = 0
    code = newton.tangent(t, y, k, newton.fy, newton.fk, newton.equations)
    newton.known = 1 if code >= 0 else 0
    return code


@kernel
def factor(tau_q: float, tau: float, newton: NewtonMemory) -> Code:
    """The factors of F_y + F_k / τ."""
    n = newton.size
    fy, fk, matrix = newton.fy, newton.fk, newton.matrix
    for j in range(n):
        inverse = 1.0 / tau_q if j < newton.positions else 1.0 / tau
        matrix[j * n : (j + 1) * n] = fy[j * n : (j + 1) * n] + fk[j * n : (j + 1) * n] * inverse
    newton.factorisations += 1
    newton.tau = tau
    newton.tau_q = tau_q
    # what is known of the convergence was that with another matrix
    newton.assumed = 1.0
    if largest(matrix, n * n) >= HUGE:
        return SINGULAR
    columns, grades = newton.columns, newton.grades
    for j in range(n):
        columns[j] = tau ** -grades[j] if grades[j] != 0.0 else 1.0
    equilibrate(matrix, n, newton.rows, columns)
    failed = factor_lu(matrix, n, newton.pivots, newton.row_scale, FLOOR)
    newton.factored = 1 if failed < 0 else 0
    return 0 if failed < 0 else SINGULAR


@kernel
def set_rates(y: Floats, newton: NewtonMemory) -> None:
    """k = (y − ŷ) / τ."""
    k, hat, tau_q, tau = newton.rates, newton.hat, newton.stage_tau_q, newton.stage_tau
    for i in range(newton.size):
        k[i] = (y[i] - hat[i]) / (tau_q if i < newton.positions else tau)


@kernel
def solve_factored(x: Floats, newton: NewtonMemory) -> None:
    """x <- (F_y + F_k / τ)⁻¹ x."""
    n, rows, columns = newton.size, newton.rows, newton.columns
    x[:n] *= rows[:n]
    solve_lu(newton.matrix, n, newton.pivots, x)
    x[:n] *= columns[:n]


@kernel
def correct_stage(t: float, y: Floats, newton: NewtonMemory) -> float:
    """One correction with the matrix at hand. Returns its weighted size, < 0: failure."""
    n, residual, move = newton.size, newton.residuals, newton.move
    set_rates(y, newton)
    code = newton.residual(t, y, newton.rates, residual, newton.equations)
    if code < 0:
        return float(code)
    newton.iterations += 1
    move[:n] = -residual[:n]
    solve_factored(move, newton)
    # what is left open of a velocity in one step adds up over a run
    size = weighted_size(newton.stage_tau, move, y, newton.rated, newton)
    if not size < HUGE:
        return float(SLOW)
    y[:n] += move[:n]
    return size


@kernel
def correct_anew(t: float, y: Floats, newton: NewtonMemory) -> float:
    """One correction with the derivatives of the iterate, where a step of fixed size leaves no other way."""
    set_rates(y, newton)
    code = take_tangent(t, y, newton.rates, newton)
    if code >= 0:
        code = factor(newton.stage_tau_q, newton.stage_tau, newton)
    return correct_stage(t, y, newton) if code >= 0 else float(code)


@kernel
def search(t: float, y: Floats, newton: NewtonMemory) -> int:
    """Iterate with what is known, and with derivatives of this stage where that is too slow."""
    n, first, tau_q, tau = newton.size, newton.first, newton.stage_tau_q, newton.stage_tau
    first[:n] = y[:n]
    fresh = 0
    while True:
        code = 0
        if newton.known == 0 or newton.fixed == 1:
            set_rates(y, newton)
            code = take_tangent(t, y, newton.rates, newton)
            newton.rate = 1.0
            fresh = 1
        other = abs(tau - newton.tau) > SAME * tau or abs(tau_q - newton.tau_q) > SAME * tau_q
        if code >= 0 and (newton.factored == 0 or other):
            code = factor(tau_q, tau, newton)
        count = 0
        if code >= 0:
            count = iterate(correct_stage, by_rate, newton, t, y, newton)
        if code >= 0 and count >= 0:
            return count
        newton.known = 0
        y[:n] = first[:n]
        if fresh == 1:
            if code < 0:
                return code
            if count == SLOW and newton.constant == 1:
                newton.rate = 1.0
                count = iterate(correct_anew, by_size, ANEW, t, y, newton)
            return NOT_CONVERGED if count == SLOW else count


@kernel
def solve_stage(t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, newton: NewtonMemory) -> Code:
    """y and k of a stage, from a first y. Returns the iterations, < 0: failure."""
    newton.stage_tau_q, newton.stage_tau, newton.hat, newton.rates = tau_q, tau, hat, k
    count = search(t, y, newton)
    if count < 0:
        newton.failures += 1
        newton.known = 0
        return count
    if newton.rate > LASTING and count > FEW:
        newton.known = 0
    set_rates(y, newton)
    return count


# --- the equations of a flow: F = k − f(t, y) --------------------------------------------------------------------------


@kernel
def evaluate_rates(t: float, y: Floats, f: Floats, rates: FlowEquations) -> Code:
    """f(t, y), on a copy of y: the flow may correct what it is given."""
    n = rates.count
    rates.copy[:n] = y[:n]
    return rates.flow(t, rates.copy, f, rates.memory)


@kernel
def residual_of_rates(t: float, y: Floats, k: Floats, F: Floats, rates: FlowEquations) -> Code:
    code = evaluate_rates(t, y, F, rates)
    if code < 0:
        return code
    F[: rates.count] = k[: rates.count] - F[: rates.count]
    return 0


@kernel
def tangent_of_rates(t: float, y: Floats, k: Floats, Fy: Floats, Fk: Floats, rates: FlowEquations) -> Code:
    """F_y = −∂f/∂y, exact where it is compiled, else by differences; F_k = 1."""
    n = rates.count
    Fk[: n * n] = 0.0
    for i in range(n):
        Fk[i + i * n] = 1.0
    code = UNKNOWN_SLOPE
    if rates.slope is not None:
        code = rates.slope(t, y, Fy, rates.memory)
        for i in range(n * n if code == 0 else 0):
            Fy[i] = -Fy[i]
    return difference_rates(t, y, Fy, rates) if code == UNKNOWN_SLOPE else code


@kernel
def difference_rates(t: float, y: Floats, Fy: Floats, rates: FlowEquations) -> Code:
    """−∂f/∂y by differences."""
    n = rates.count
    here, moved = rates.here, rates.moved
    code = evaluate_rates(t, y, here, rates)
    moved[:n] = y[:n]
    for j in range(n):
        if code < 0:
            return code
        step = DIFFERENCE * max(abs(y[j]), SMALL)
        column = at(Fy, j * n)
        moved[j] = y[j] + step
        code = evaluate_rates(t, moved, column, rates)
        if code < 0:
            # at an edge of what the flow can evaluate
            moved[j] = y[j] - step
            code = evaluate_rates(t, moved, column, rates)
        step = moved[j] - y[j]
        column[:n] = (here[:n] - column[:n]) / step
        moved[j] = y[j]
    return code
