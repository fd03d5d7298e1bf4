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

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import displacement_slots as slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, integers, kernel
from linkwork.numerics.kernels.linear import (
    HUGE,
    apply_q,
    dot,
    factor_cholesky,
    factor_qr,
    largest,
    solve_upper,
    solve_upper_transposed,
)

SINGULAR = 1e-10  # of the largest pivot
EMPTY = 1e-12  # of the longest row
STAGNANT = 1e-10  # residual that is accepted where it falls no further
REGULAR = 1e-10  # added to the normal equations where some motion is left open
HALVINGS = 12
LONGEST = 1.0  # correction in units of the scale beyond which a displacement is divided
FINEST = 1e-10  # part of a displacement below which it is not divided any further
APART = 0.2  # of a displacement by which it may differ from the mean of the velocities at its ends
NEARLY = 1e-3  # displacement in units of the scale below which such a difference does not count


@kernel("void(double* c, int64* ic, double* w)")
def fill_matrix(c, ic, w):
    """weights (m) = 1 / length of the rows of C S; matrix (nv, m) = (C S)ᵀ with such rows."""
    nv, m = ic[slots.NV], ic[slots.M]
    scale, weights, matrix = at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.MATRIX])
    longest = 0.0
    for j in range(m):
        for i in range(nv):
            matrix[i + j * nv] = c[j + i * m] * scale[i]
        weights[j] = math.sqrt(dot(at(matrix, j * nv), at(matrix, j * nv), nv))
        longest = max(longest, weights[j])
    for j in range(m):
        weights[j] = 1.0 / weights[j] if weights[j] > EMPTY * longest else 0.0
        for i in range(nv):
            matrix[i + j * nv] *= weights[j]


@kernel("int32(int64* ic, double* w)")
def factor_normal(ic, w):
    """Behind the matrix: (C S)ᵀ(C S) (nv, nv) in Cholesky factors."""
    nv, m = ic[slots.NV], ic[slots.M]
    matrix = at(w, ic[slots.MATRIX])
    normal = at(matrix, nv * m)
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


@kernel("int32(double t, double* y, int64* ic, double* w)")
def factorise(t, y, ic, w):
    """Evaluate Φ, C and a, and factorise C. Returns -1 where fewer rows than expected are independent."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    out = at(w, ic[slots.OUT])
    call_model(ic[slots.CLOSURE], t, y, doubles(ic[slots.PARAMETERS]), out)
    ic[slots.FACTORISATIONS] += 1
    if largest(out, m * (nv + 2)) >= HUGE:
        return -1
    fill_matrix(at(out, m), ic, w)
    if ic[slots.METHOD] == slots.LEAST_SQUARES:
        return factor_normal(ic, w)
    matrix = at(w, ic[slots.MATRIX])
    factor_qr(matrix, nv, m, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.TAU]), at(w, ic[slots.NORMS]))
    if rank > 0 and abs(matrix[(rank - 1) * (nv + 1)]) < SINGULAR * abs(matrix[0]):
        return -1
    return 0


@kernel("void(double* right, double* x, int64* ic, double* w)")
def solve(right, x, ic, w):
    """x (nv) = S x̂, the shortest solution of C x = −right (m) by the factors of C."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    scale, weights, matrix = at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.MATRIX])
    for i in range(nv):
        x[i] = 0.0
    if ic[slots.METHOD] == slots.LEAST_SQUARES:
        for i in range(nv):
            for j in range(m):
                x[i] -= matrix[i + j * nv] * weights[j] * right[j]
        solve_upper_transposed(at(matrix, nv * m), nv, nv, x)
        solve_upper(at(matrix, nv * m), nv, nv, x)
    else:
        pivots = at(ic, ic[slots.PIVOTS])
        for k in range(rank):
            x[k] = -weights[pivots[k]] * right[pivots[k]]
        solve_upper_transposed(matrix, nv, rank, x)
        apply_q(matrix, nv, rank, at(w, ic[slots.TAU]), x)
    for i in range(nv):
        x[i] *= scale[i]


@kernel("void(double t, double* y, double* step, double factor, int64* ic, double* w)")
def move(t, y, step, factor, ic, w):
    """q <- q ⊕ factor · step."""
    nq, nv = ic[slots.NQ], ic[slots.NV]
    if ic[slots.RETRACT] == 0:
        for i in range(nq):
            y[i] += factor * step[i]
        return
    extended, moved = at(w, ic[slots.EXTENDED]), at(w, ic[slots.MOVED])
    for i in range(nq + nv + ic[slots.NS]):
        extended[i] = y[i]
    for i in range(nv):
        extended[nq + i] = factor * step[i]
    call_model(ic[slots.RETRACT], t, extended, doubles(ic[slots.PARAMETERS]), moved)
    for i in range(nq):
        y[i] = moved[i]


@kernel("double(double t, double* y, int64* ic, double* w)")
def gap(t, y, ic, w):
    """Φ into the right side; returns its largest row, as a part of the scale."""
    m = ic[slots.M]
    right, weights = at(w, ic[slots.RIGHT]), at(w, ic[slots.WEIGHTS])
    call_model(ic[slots.GAP], t, y, doubles(ic[slots.PARAMETERS]), right)
    ic[slots.EVALUATIONS] += 1
    if largest(right, m) >= HUGE:
        return HUGE
    size = 0.0
    for j in range(m):
        size = max(size, abs(right[j]) * weights[j])
    return size


@kernel("double(double t, double* y, double size, int64* ic, double* w)")
def advance(t, y, size, ic, w):
    """y <- y moved by the step, halved until the residual falls where that is the method; returns the new residual."""
    factor, step, before, nq = 1.0, at(w, ic[slots.STEP]), at(w, ic[slots.BEFORE]), ic[slots.NQ]
    for i in range(nq):
        before[i] = y[i]
    for _ in range(HALVINGS):
        move(t, y, step, factor, ic, w)
        new = gap(t, y, ic, w)
        if new < size or ic[slots.METHOD] != slots.DAMPED:
            return new
        factor /= 2.0
        for i in range(nq):
            y[i] = before[i]
    return HUGE


@kernel("int64(double t, double* y, double* total, int64* ic, double* w)")
def close_positions(t, y, total, ic, w):
    """Iterate until Φ = 0; total (nv): all corrections. Returns how many, or -1 where it fails."""
    nv, scale, step = ic[slots.NV], at(w, ic[slots.SCALE]), at(w, ic[slots.STEP])
    kept = 1 if ic[slots.METHOD] == slots.MODIFIED else 0
    size = gap(t, y, ic, w)
    for iteration in range(ic[slots.LIMIT] + 1):
        if size < w[slots.TOLERANCE]:
            return iteration
        if iteration == ic[slots.LIMIT] or size >= HUGE:
            return -1
        if ic[slots.METHOD] != slots.MODIFIED and factorise(t, y, ic, w) < 0:
            return -1
        ic[slots.ITERATIONS] += 1
        solve(at(w, ic[slots.RIGHT]), step, ic, w)
        for i in range(nv):
            total[i] += step[i]
            if abs(total[i]) > LONGEST * scale[i] or not abs(step[i]) < HUGE:
                return -1
        new = advance(t, y, size, ic, w)
        if new >= size and size < STAGNANT and kept == 0:
            return iteration
        if new > 10.0 * size and size >= STAGNANT:
            return -1
        if new >= size and kept == 1:
            # the matrix that was kept leads no further: it is taken anew, once
            kept = 0
            if factorise(t, y, ic, w) < 0:
                return -1
        size = new
    return -1


@kernel("void(double t, double* y, int64* ic, double* w)")
def count_turns(t, y, ic, w):
    """Set the counters of turns among s to the angles that they count."""
    if ic[slots.COUNT] == 0:
        return
    now, first = at(w, ic[slots.MOVED]), ic[slots.NQ] + ic[slots.NV]
    call_model(ic[slots.COUNT], t, y, doubles(ic[slots.PARAMETERS]), now)
    for i in range(ic[slots.NS]):
        y[first + i] = now[i]


@kernel("int32(double t, double* y, double* vdot, double* jerk, int64* ic, double* w)")
def differentiate(t, y, vdot, jerk, ic, w):
    """Factorise C at a closed position and find v (in y), v̇ and v̈, as many as are asked for."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    p, right, extended = doubles(ic[slots.PARAMETERS]), at(w, ic[slots.RIGHT]), at(w, ic[slots.EXTENDED])
    if factorise(t, y, ic, w) < 0:
        return -1
    if ic[slots.DERIVATIVES] > 0:
        solve(at(w, ic[slots.OUT] + m + m * nv), at(y, nq), ic, w)
    if ic[slots.DERIVATIVES] > 1:
        call_model(ic[slots.BEND], t, y, p, right)
        solve(right, vdot, ic, w)
    if ic[slots.DERIVATIVES] > 2:
        for i in range(nq + nv + ns):
            extended[i] = y[i]
        for i in range(nv):
            extended[nq + nv + ns + i] = vdot[i]
        call_model(ic[slots.JERK], t, extended, p, right)
        solve(right, jerk, ic, w)
    return 0


@kernel("int32(double* base, double* y, double* total, double h, int64* ic, double* w)")
def follows(base, y, total, h, ic, w):
    """Whether a displacement agrees with the velocities at its ends, as it does not on another branch."""
    nq, scale = ic[slots.NQ], at(w, ic[slots.SCALE])
    apart, size = 0.0, 0.0
    for i in range(ic[slots.NV]):
        mean = 0.5 * h * (base[nq + i] + y[nq + i])
        apart = max(apart, abs(total[i] - mean) / scale[i])
        size = max(size, abs(total[i]) / scale[i])
    return 0 if apart <= APART * size + NEARLY else -1


@kernel("void(double t, double h, double* y, double* vdot, double* total, int64* ic, double* w)")
def predict(t, h, y, vdot, total, ic, w):
    """Move y from t to where its derivatives lead at t + h; total (nv): by how much."""
    nq, predicted = ic[slots.NQ], at(w, ic[slots.STEP])
    for i in range(ic[slots.NV]):
        total[i] = 0.0
        if ic[slots.ORDER] > 0:
            total[i] = h * y[nq + i]
        if ic[slots.ORDER] > 1:
            total[i] += 0.5 * h * h * vdot[i]
        predicted[i] = total[i]
    if ic[slots.ORDER] > 0:
        move(t + h, y, predicted, 1.0, ic, w)
        count_turns(t + h, y, ic, w)


@kernel("int32(double t, double h, double* y, double* vdot, double* jerk, int64* ic, double* w)")
def displace(t, h, y, vdot, jerk, ic, w):
    """From the position y at t to that at t + h. Returns -1, with y and its factors as they were, where that fails."""
    nv, n = ic[slots.NV], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    base, total = at(w, ic[slots.BASE]), at(w, ic[slots.BASE] + n)
    for i in range(n):
        base[i] = y[i]
    predict(t, h, y, vdot, total, ic, w)
    corrections = at(total, nv)
    for i in range(nv):
        corrections[i] = 0.0
    if close_positions(t + h, y, corrections, ic, w) >= 0:
        for i in range(nv):
            total[i] += corrections[i]
        if finish(t + h, base, y, vdot, jerk, total, h, ic, w) == 0:
            return 0
    for i in range(n):
        y[i] = base[i]
    differentiate(t, y, vdot, jerk, ic, w)
    return -1


@kernel(
    "int64(double t, double* base, double* y, double* vdot, double* jerk, double* total, double h, int64* ic, double* w)"
)
def finish(t, base, y, vdot, jerk, total, h, ic, w):
    """The derivatives at a closed position, and whether it is the one that the last position leads to."""
    count_turns(t, y, ic, w)
    if ic[slots.DERIVATIVES] == 0 and ic[slots.ORDER] == 0 and ic[slots.METHOD] != slots.MODIFIED:
        return 0
    if differentiate(t, y, vdot, jerk, ic, w) < 0:
        return 1
    if ic[slots.DERIVATIVES] > 0 and follows(base, y, total, h, ic, w) < 0:
        return 1
    return 0


@kernel("void(int64 k, int64* ic)")
def load_parameters(k, ic):
    """p <- those that hold up to the time k and at it, where they change."""
    if ic[slots.ALONG] == 0:
        return
    p, along, size = doubles(ic[slots.PARAMETERS]), doubles(ic[slots.ALONG]), ic[slots.NP]
    for i in range(size):
        p[i] = along[k * size + i]


@kernel("int64(int64* ic, double* w)")
def follow(ic, w):
    """All positions at the times, from the first state on. Returns how many were found."""
    n, nv, points = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.NV], ic[slots.POINTS]
    times, states, spent = doubles(ic[slots.TIMES]), doubles(ic[slots.STATES]), integers(ic[slots.SPENT])
    vdots, jerks, y = doubles(ic[slots.ACCELERATIONS]), doubles(ic[slots.JERKS]), at(w, ic[slots.NOW])
    vdot, jerk = at(y, n), at(y, n + nv)
    t = times[0]
    w[slots.REACHED] = t
    for i in range(n):
        y[i] = states[i]
    load_parameters(0, ic)
    if differentiate(t, y, vdot, jerk, ic, w) < 0:
        return 0
    for k in range(points):
        load_parameters(k, ic)
        first = ic[slots.ITERATIONS]
        whole = times[k] - t
        h = whole
        while t < times[k]:
            if ic[slots.STOP] != 0:
                w[slots.REACHED] = t
                return k
            last = h >= (1.0 - 1e-12) * (times[k] - t)
            if last:
                h = times[k] - t
            if displace(t, h, y, vdot, jerk, ic, w) < 0:
                ic[slots.REJECTED] += 1
                h /= 2.0
                if h < FINEST * whole:
                    w[slots.REACHED] = t
                    return k
                continue
            ic[slots.STEPS] += 1
            t = times[k] if last else t + h
            h *= 2.0
        for i in range(n):
            states[k * n + i] = y[i]
        for i in range(nv):
            vdots[k * nv + i], jerks[k * nv + i] = vdot[i], jerk[i]
        spent[k] = ic[slots.ITERATIONS] - first
        w[slots.REACHED] = t
    return points


@kernel("int64(int64* ic, double* w)")
def complete(ic, w):
    """The derivatives at positions that are known at all times. Returns at how many C could be factorised."""
    nq, nv, points = ic[slots.NQ], ic[slots.NV], ic[slots.POINTS]
    n, y = nq + nv + ic[slots.NS], at(w, ic[slots.NOW])
    times, states = doubles(ic[slots.TIMES]), doubles(ic[slots.STATES])
    vdots, jerks = doubles(ic[slots.ACCELERATIONS]), doubles(ic[slots.JERKS])
    for i in range(n):
        y[i] = states[i]
    for k in range(points):
        for i in range(nq):
            y[i] = states[k * n + i]
        load_parameters(k, ic)
        if ic[slots.STOP] != 0:
            return k
        count_turns(times[k], y, ic, w)
        if differentiate(times[k], y, at(vdots, k * nv), at(jerks, k * nv), ic, w) < 0:
            return k
        for i in range(n):
            states[k * n + i] = y[i]
        w[slots.REACHED] = times[k]
    return points
