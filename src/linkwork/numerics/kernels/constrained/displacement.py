"""Finite displacements: the positions Φ(q, t) = 0 at a row of times, with velocities, accelerations and jerk.

    positions      C δ = −Φ,  q <- q ⊕ δ           C anew in every iteration, or kept from the last position (modified) as
                                                    long as Φ falls
    derivatives    C v = −a,  C v̇ = −b,  C v̈ = −j   one factorisation for the three, kept for the next displacement
    prediction     q ⊕ (h v + h² v̇ / 2)             of first or second order; none: the last position

J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, Springer 1994, sections 3.1 to 3.4.
A displacement whose iterations fail, or that would end on another branch, is divided into smaller ones.

δ = S δ̂ with S = diag(scale); rows of C S have length 1. The solution is the shortest δ̂: redundant rows are left out by QR
of (C S)ᵀ with column pivoting, and what no row determines (the spin of a rod between two balls) does not move. By least
squares it is that of (C S)ᵀ(C S) δ̂ = −(C S)ᵀ Φ.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.placing import move
from linkwork.numerics.kernels.constrained.projection import (
    evaluate_closure,
    factor_weighted,
    fill_weighted,
    least_correction,
    weigh_rows,
)
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, ModelFunction, array, borrowed
from linkwork.numerics.kernels.linear.dense import HUGE, factor_cholesky, largest, solve_upper, solve_upper_transposed
from linkwork.numerics.policy import POLICY

SINGULAR = POLICY.pivot  # of the largest pivot
STAGNANT = 1e-10  # residual that is accepted where it falls no further
REGULAR = 1e-10  # added to the normal equations where some motion is left open
HALVINGS = 12
LONGEST = 1.0  # correction in units of the scale beyond which a displacement is divided
APART = 0.2  # of a displacement by which it may differ from the mean of the velocities at its ends
TINY = 1e-300
NEARLY = 1e-3  # displacement in units of the scale below which such a difference does not count
NEWTON, DAMPED, MODIFIED, LEAST_SQUARES = 0, 1, 2, 3  # methods


class Displacement(Workspace):
    """What a kinematic solution is given, works on and gives back; functions as in ``numerics/paths/displacement.py``."""

    gap: ModelFunction
    bend: ModelFunction
    jerk: ModelFunction
    count: ModelFunction | None = None
    method: int
    prediction: int  # order of the first approximation
    derivatives: int
    points: int
    times: Floats = borrowed()
    states: Floats = borrowed()  # (points, n)
    accelerations: Floats = borrowed()  # (points, nv)
    jerks: Floats = borrowed()  # (points, nv)
    spent: Ints = borrowed()  # (points) iterations
    smallest: Floats = borrowed()  # (points) how independent the conditions are
    greatest: Floats = borrowed()  # (m) the greatest length that each row of C S has had
    improve: int  # 1: positions that are given are first brought onto the conditions
    np: int  # how many parameters change from time to time
    along: Floats | None = borrowed()  # (points, np) these parameters
    stop: int  # 1: somebody wants it to end
    # what it cost, and how far it came
    factorisations: int
    steps: int
    rejected: int
    reached: float
    least_pivot: float  # how independent the last conditions were that were factorised
    # work
    normal: Floats = array("nv", "nv")
    right: Floats = array("m")
    part: Floats = array("nv")  # of a step
    y: Floats = array("n")
    vdot: Floats = array("nv")
    vddot: Floats = array("nv")
    base: Floats = array("n")
    total: Floats = array("nv")
    corrections: Floats = array("nv")
    extended: Floats = array("n + nv")
    counted: Floats = array("ns")
    before: Floats = array("nq")


@kernel
def factor_normal(d: Displacement) -> int:
    """normal (nv, nv) = (C S)ᵀ(C S) in Cholesky factors."""
    nv, m = d.nv, d.m
    matrix, normal = d.factors, d.normal
    added = 0.0
    while added < 1.0:
        for i in range(nv):
            for j in range(nv):
                total = added if i == j else 0.0
                for k in range(m):
                    total += matrix[i + k * nv] * matrix[j + k * nv]
                normal[i + j * nv] = total
        if factor_cholesky(normal, nv) < 0:
            return 0
        added = max(REGULAR, 100.0 * added)
    return -1


@kernel
def independence(d: Displacement) -> float:
    """The last pivot of the factors at hand, times the shortest row beside the greatest length that it has had: rows are
    dependent where one of the two vanishes."""
    least = 1.0
    for k in range(d.rank):
        j = d.pivots[k]
        length = 1.0 / d.weights[j] if d.weights[j] > 0.0 else 0.0
        d.greatest[j] = max(d.greatest[j], length)
        least = min(least, length / max(d.greatest[j], TINY))
    return least * abs(d.factors[(d.rank - 1) * (d.nv + 1)]) if d.rank > 0 else 1.0


@kernel
def factorise(d: Displacement, t: float, y: Floats) -> int:
    """Evaluate Φ, C and a, and factorise C. Returns -1 where fewer rows than expected are independent."""
    nv, m, rank, matrix = d.nv, d.m, d.rank, d.factors
    evaluate_closure(t, y, d)
    d.factorisations += 1
    d.least_pivot = 0.0
    if largest(d.closure_out, m * (nv + 2)) >= HUGE:
        return -1
    weigh_rows(d.c, d)
    if d.method == LEAST_SQUARES:
        factor_weighted(d.c, d)
        d.least_pivot = independence(d)
        fill_weighted(d.c, d)
        return factor_normal(d)
    factor_weighted(d.c, d)
    d.least_pivot = independence(d)
    if rank > 0 and abs(matrix[(rank - 1) * (nv + 1)]) < SINGULAR * abs(matrix[0]):
        return -1
    return 0


@kernel
def solve(d: Displacement, right: Floats, x: Floats) -> None:
    """x (nv) = S x̂, the shortest solution of C x = −right (m) by the factors of C."""
    nv, m, weights, matrix = d.nv, d.m, d.weights, d.factors
    if d.method == LEAST_SQUARES:
        x[:nv] = 0.0
        for i in range(nv):
            for j in range(m):
                x[i] -= matrix[i + j * nv] * weights[j] * right[j]
        solve_upper_transposed(d.normal, nv, nv, x)
        solve_upper(d.normal, nv, nv, x)
    else:
        least_correction(right, d.rank, d)
        x[:nv] = d.x[:nv]
    x[:nv] *= d.scale[:nv]


@kernel
def move_part(d: Displacement, t: float, y: Floats, factor: float) -> None:
    """q <- q ⊕ factor · step."""
    d.part[: d.nv] = factor * d.step[: d.nv]
    move(t, y, d.part, d)


@kernel
def gap(d: Displacement, t: float, y: Floats) -> float:
    """Φ into the right side; returns its largest row, as a part of the scale."""
    m = d.m
    right, weights = d.right, d.weights
    d.gap(t, y, d.p, right)
    d.evaluations += 1
    if largest(right, m) >= HUGE:
        return HUGE
    size = 0.0
    for j in range(m):
        size = max(size, abs(right[j]) * weights[j])
    return size


@kernel
def advance(d: Displacement, t: float, y: Floats, size: float) -> float:
    """y <- y moved by the step, halved until the residual falls where that is the method; returns the new residual."""
    factor, before, nq = 1.0, d.before, d.nq
    before[:nq] = y[:nq]
    for _ in range(HALVINGS):
        move_part(d, t, y, factor)
        new = gap(d, t, y)
        if new < size or d.method != DAMPED:
            return new
        factor /= 2.0
        y[:nq] = before[:nq]
    return HUGE


@kernel
def close_positions(d: Displacement, t: float, y: Floats, total: Floats) -> int:
    """Iterate until Φ = 0; total (nv): all corrections. Returns how many, or -1 where it fails.

    A loop of its own: it ends by residuals, which are known before the matrix is, and keeps or renews that by them.
    """
    nv, scale, step = d.nv, d.scale, d.step
    kept = 1 if d.method == MODIFIED else 0
    size = gap(d, t, y)
    for iteration in range(d.limit + 1):
        if size < d.tolerance:
            return iteration
        if iteration == d.limit or size >= HUGE:
            return -1
        if d.method != MODIFIED and factorise(d, t, y) < 0:
            return -1
        d.iterations += 1
        solve(d, d.right, step)
        for i in range(nv):
            total[i] += step[i]
            if abs(total[i]) > LONGEST * scale[i] or not abs(step[i]) < HUGE:
                return -1
        new = advance(d, t, y, size)
        if new >= size and size < STAGNANT and kept == 0:
            return iteration
        if new > 10.0 * size and size >= STAGNANT:
            return -1
        if new >= size and kept == 1:
            # the matrix that was kept leads no further: it is taken anew, once
            kept = 0
            if factorise(d, t, y) < 0:
                return -1
        size = new
    return -1


@kernel
def count_turns(d: Displacement, t: float, y: Floats) -> None:
    """Set the counters of turns among s to the angles that they count."""
    if d.count is None:
        return
    now, first = d.counted, d.nq + d.nv
    d.count(t, y, d.p, now)
    y[first : first + d.ns] = now[: d.ns]


@kernel
def differentiate(d: Displacement, t: float, y: Floats, vdot: Floats, jerk: Floats) -> int:
    """Factorise C at a closed position and find v (in y), v̇ and v̈, as many as are asked for."""
    nq, nv, n = d.nq, d.nv, d.n
    p, right, extended = d.p, d.right, d.extended
    if factorise(d, t, y) < 0:
        return -1
    if d.derivatives > 0:
        solve(d, d.a, at(y, nq))
    if d.derivatives > 1:
        d.bend(t, y, p, right)
        solve(d, right, vdot)
    if d.derivatives > 2:
        extended[:n] = y[:n]
        extended[n : n + nv] = vdot[:nv]
        d.jerk(t, extended, p, right)
        solve(d, right, jerk)
    return 0


@kernel
def follows(d: Displacement, base: Floats, y: Floats, total: Floats, h: float) -> int:
    """Whether a displacement agrees with the velocities at its ends, as it does not on another branch."""
    nq, scale = d.nq, d.scale
    apart, size = 0.0, 0.0
    for i in range(d.nv):
        mean = 0.5 * h * (base[nq + i] + y[nq + i])
        apart = max(apart, abs(total[i] - mean) / scale[i])
        size = max(size, abs(total[i]) / scale[i])
    return 0 if apart <= APART * size + NEARLY else -1


@kernel
def predict(d: Displacement, t: float, h: float, y: Floats, vdot: Floats, total: Floats) -> None:
    """Move y from t to where its derivatives lead at t + h; total (nv): by how much."""
    nq, predicted = d.nq, d.step
    for i in range(d.nv):
        total[i] = 0.0
        if d.prediction > 0:
            total[i] = h * y[nq + i]
        if d.prediction > 1:
            total[i] += 0.5 * h * h * vdot[i]
        predicted[i] = total[i]
    if d.prediction > 0:
        move(t + h, y, predicted, d)
        count_turns(d, t + h, y)


@kernel
def displace(d: Displacement, t: float, h: float, y: Floats, vdot: Floats, jerk: Floats) -> int:
    """From the position y at t to that at t + h. Returns -1, with y and its factors as they were, where that fails."""
    nv, n = d.nv, d.n
    base, total, corrections = d.base, d.total, d.corrections
    base[:n] = y[:n]
    predict(d, t, h, y, vdot, total)
    corrections[:nv] = 0.0
    if close_positions(d, t + h, y, corrections) >= 0:
        total[:nv] += corrections[:nv]
        if finish(d, t + h, base, y, vdot, jerk, total, h) == 0:
            return 0
    y[:n] = base[:n]
    differentiate(d, t, y, vdot, jerk)
    return -1


@kernel
def finish(
    d: Displacement, t: float, base: Floats, y: Floats, vdot: Floats, jerk: Floats, total: Floats, h: float
) -> int:
    """The derivatives at a closed position, and whether it is the one that the last position leads to."""
    count_turns(d, t, y)
    if d.derivatives == 0 and d.prediction == 0 and d.method != MODIFIED:
        return 0
    if differentiate(d, t, y, vdot, jerk) < 0:
        return 1
    if d.derivatives > 0 and follows(d, base, y, total, h) < 0:
        return 1
    return 0
