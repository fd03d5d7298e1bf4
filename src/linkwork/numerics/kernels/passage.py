"""Through positions where the conditions lose their independence for a moment, on the branch that the motion is on.

There C_D has no inverse, and near them rounding errors of the dependent accelerations grow like 1/distance³. But along a
smooth branch everything that the reduced equations need, q_D, v_D, A and ξ, is smooth: at a state near such a position it
is the polynomial through its values at points on both sides, which lie on a line along the velocities,

    q_I(τ) = q_I + τ v_I,   t(τ) = t + τ,   f(0) ≈ Σ_j L_j(0) f(τ_j),   L_j the polynomials of Lagrange

with gaps around the singular position. Mass matrix and forces are those of the state itself. Whether two branches meet
there or only come near, the residual of the interpolated positions tells: where they only come near, the polynomial is none
of the conditions, the evaluation is the usual one, and a step that leaps from one branch to the other is refused.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.linear import HUGE, factor_lu, factor_qr_first
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.partition import build_basis, build_bias, solve_positions, solve_velocities
from linkwork.numerics.kernels.projection import (
    count_rank,
    evaluate_closure,
    factor_constraints,
    fail,
    move,
    raise_rank,
    settle,
    weakest_row,
    worst_row,
)

NEAR = 0.02  # pivot of the dependent block, relative to its row, below which a state may be near a singular position
POINTS = 6  # on either side
SPACING = 0.04  # of the points, in units of the coordinate scale
TRIALS = 3  # with half the spacing each
ALONG = 1e-4  # of the coordinate scale, along which rows of C are compared
RISE = 2.5  # of the pivot from the state to the outermost points
MEETING = (
    1e-11  # residual of interpolated positions; branches that come nearer to each other than its root count as meeting
)
PARTED = 10.0  # pivot at which branches are told from each other, in roots of the errors of the conditions
FEW_DIGITS = 5e-3  # pivot below which rounding errors of the accelerations may hold the steps of a tolerance down
SHORT = 0.01  # steps there, of those before
PATIENCE = 3000  # short steps in a row: so many more would follow that a run would seem to stand still
DIP = 0.25  # of the pivot between the ends of a step, against the lower end: something was passed


@kernel("double(int64* ic, double* w)")
def smallest_pivot(ic, w):
    """Smallest pivot of the dependent block at hand, relative to the greatest length of its row."""
    rank = ic[slots.RANK]
    rows, pivots, place = at(ic, ic[slots.ROWS]), at(ic, ic[slots.PIVOTS]), at(ic, ic[slots.CHOICE])
    lu, lengths = at(w, ic[slots.LU]), at(w, ic[slots.LENGTHS])
    for i in range(rank):
        place[i] = rows[i]
    smallest = 1.0
    for j in range(rank):
        row = place[pivots[j]]
        place[pivots[j]] = place[j]
        smallest = min(smallest, abs(lu[j * (rank + 1)]) / max(lengths[row], 1e-300))
    return smallest


@kernel("int32(double t, double shift, double* y, int64* ic, double* w)")
def follow(t, shift, y, ic, w):
    """FOLLOWED <- the state after a shift in time along the velocities of y, its dependent part solved."""
    nq, nv = ic[slots.NQ], ic[slots.NV]
    state, step = at(w, ic[slots.FOLLOWED]), at(w, ic[slots.STEP])
    for i in range(nq + nv + ic[slots.NS]):
        state[i] = y[i]
    for i in range(nv):
        step[i] = shift * y[nq + i]
    move(t, state, step, ic, w)
    code = solve_positions(t + shift, state, ic, w)
    if code == 0:
        solve_velocities(state, ic, w)
    return code


@kernel("double(double t, double* y, int64* ic, double* w)")
def turning_of(t, y, ic, w):
    """How fast the rows of C S change, relative to their greatest lengths: the speed of the fastest part in its own size."""
    nq, nv, m = ic[slots.NQ], ic[slots.NV], ic[slots.M]
    state, step, c = at(w, ic[slots.FOLLOWED]), at(w, ic[slots.STEP]), at(w, ic[slots.CLOSURE_OUT] + m)
    before, scale, lengths = at(w, ic[slots.C_RATE]), at(w, ic[slots.SCALE]), at(w, ic[slots.LENGTHS])
    speed, fastest = speed_of(y, ic, w), 0.0
    if speed == 0.0:
        return 0.0
    evaluate_closure(t, y, ic, w)
    for i in range(m * nv):
        before[i] = c[i]
    for i in range(nq + nv + ic[slots.NS]):
        state[i] = y[i]
    for i in range(nv):
        step[i] = ALONG / speed * y[nq + i]
    move(t, state, step, ic, w)
    evaluate_closure(t, state, ic, w)
    for j in range(m):
        square = 0.0
        for i in range(nv):
            change = (c[j + i * m] - before[j + i * m]) * scale[i]
            square += change * change
        fastest = max(fastest, math.sqrt(square) / max(lengths[j], 1e-300))
    return fastest * speed / ALONG


@kernel("double(double* y, int64* ic, double* w)")
def speed_of(y, ic, w):
    """Greatest speed of a coordinate, in units of its scale."""
    v, scale = at(y, ic[slots.NQ]), at(w, ic[slots.SCALE])
    speed = 0.0
    for i in range(ic[slots.NV]):
        speed = max(speed, abs(v[i]) / scale[i])
    return speed


@kernel("double(double t, double* y, int64* ic, double* w)")
def spacing_of(t, y, ic, w):
    """Time between two points; 0 when nothing moves. In a large mechanism small parts turn far on a short way."""
    speed = speed_of(y, ic, w)
    if not speed > SPACING * 1e-6:
        return 0.0
    return SPACING / max(speed, 0.5 * turning_of(t, y, ic, w))


@kernel("double(int64 point, double centre, double spacing)")
def place_of(point, centre, spacing):
    """τ of one of 2 POINTS points."""
    return centre + (point - POINTS + 0.5) * spacing


@kernel("double(int64 point, double centre, double spacing, double tau)")
def weight_of(point, centre, spacing, tau):
    """L_point(τ)."""
    own, weight = place_of(point, centre, spacing), 1.0
    for j in range(2 * POINTS):
        if j != point:
            other = place_of(j, centre, spacing)
            weight *= (tau - other) / (own - other)
    return weight


@kernel("void(double weight, int64* ic, double* w)")
def accumulate(weight, ic, w):
    """GATHERED += weight [q, v, ξ, A] of the state that was followed."""
    nq, nv = ic[slots.NQ], ic[slots.NV]
    k = nv - ic[slots.RANK]
    total, state = at(w, ic[slots.GATHERED]), at(w, ic[slots.FOLLOWED])
    bias, basis = at(w, ic[slots.BIAS]), at(w, ic[slots.BASIS])
    for i in range(nq + nv):
        total[i] += weight * state[i]
    for i in range(nv):
        total[nq + nv + i] += weight * bias[i]
    for i in range(nv * k):
        total[nq + 2 * nv + i] += weight * basis[i]


@kernel("int32(double t, double* y, double tau, double centre, double spacing, int64* ic, double* w)")
def gather(t, y, tau, centre, spacing, ic, w):
    """GATHERED <- [q, v, ξ, A] at τ by interpolation between points around *centre*; RESIDUAL tells how well it closes."""
    nq, nv, ns = ic[slots.NQ], ic[slots.NV], ic[slots.NS]
    k = nv - ic[slots.RANK]
    total, state = at(w, ic[slots.GATHERED]), at(w, ic[slots.FOLLOWED])
    for i in range(nq + (2 + k) * nv):
        total[i] = 0.0
    for point in range(2 * POINTS):
        place = place_of(point, centre, spacing)
        code = follow(t, place, y, ic, w)
        if code < 0:
            return code
        evaluate_terms(t + place, state, at(w, ic[slots.RATES_OUT]), ic, w)
        build_bias(at(w, ic[slots.TERMS_OUT] + nq + ns + nv), ic, w)
        build_basis(ic, w)
        accumulate(weight_of(point, centre, spacing, tau), ic, w)
    for i in range(nq + nv):
        state[i] = total[i]
    settle(t + tau, state, ic, w)
    evaluate_closure(t + tau, state, ic, w)
    phi, lengths = at(w, ic[slots.CLOSURE_OUT]), at(w, ic[slots.LENGTHS])
    w[slots.RESIDUAL] = 0.0
    for j in range(ic[slots.M]):
        w[slots.RESIDUAL] = max(w[slots.RESIDUAL], abs(phi[j]) / max(lengths[j], 1e-300))
    return 0


@kernel("double(double t, double* y, double about, double pivot, double spacing, int64* ic, double* w)")
def find_centre(t, y, about, pivot, spacing, ic, w):
    """τ at which the pivot vanishes, by its values far before and far behind *about*; HUGE: it does not."""
    reach = POINTS * spacing
    centre = about
    for _ in range(2):
        if follow(t, centre - reach, y, ic, w) < 0:
            return HUGE
        before = smallest_pivot(ic, w)
        if follow(t, centre + reach, y, ic, w) < 0:
            return HUGE
        behind = smallest_pivot(ic, w)
        if min(before, behind) <= RISE * pivot:
            return HUGE
        centre += reach * (before - behind) / (before + behind)
    return centre


@kernel("int32(double t, double* y, double pivot, int64* ic, double* w)")
def interpolate_state(t, y, pivot, ic, w):
    """GATHERED <- [q, v, ξ, A] of a state near a singular position that its branch passes. Returns 1 where there is none."""
    spacing, first = spacing_of(t, y, ic, w), 0.0
    if spacing == 0.0 or ic[slots.APART] == 1:
        return 1
    for trial in range(TRIALS):
        centre = find_centre(t, y, 0.0, pivot, spacing, ic, w)
        if abs(centre) > 0.5 * POINTS * spacing or gather(t, y, 0.0, centre, spacing, ic, w) < 0:
            return 1
        if w[slots.RESIDUAL] < MEETING:
            return 0
        first = w[slots.RESIDUAL] if trial == 0 else first
        spacing *= 0.5
    # an error of the interpolation would have become much smaller
    ic[slots.APART] = 1 if w[slots.RESIDUAL] > 0.1 * first else 0
    return 1


@kernel("int32(double t, double* y, int64* ic, double* w)")
def pass_singular(t, y, ic, w):
    """q_D and v_D of a state, which stays as it is where they cannot be had by interpolation.

    Returns 0: by Newton's method, closure and factors are at hand; 1: by interpolation, with A and ξ in GATHERED; < 0.
    """
    n = ic[slots.NQ] + ic[slots.NV]
    state, given = at(w, ic[slots.FOLLOWED]), at(w, ic[slots.GIVEN])
    for i in range(n + ic[slots.NS]):
        given[i] = y[i]
    code = solve_positions(t, y, ic, w)
    pivot = smallest_pivot(ic, w) if code == 0 else 0.0
    w[slots.PIVOT] = pivot
    if pivot < NEAR and interpolate_state(t, given, pivot, ic, w) == 0:
        for i in range(n):
            y[i] = state[i]
        return 1
    if code < 0:
        return code
    if pivot < NEAR:
        code = solve_positions(t, y, ic, w)
    solve_velocities(y, ic, w)
    return code


@kernel("void(int64* ic, double* w)")
def take_gathered(ic, w):
    """BIAS and BASIS <- ξ and A by interpolation."""
    nv = ic[slots.NV]
    total = at(w, ic[slots.GATHERED] + ic[slots.NQ] + nv)
    bias, basis = at(w, ic[slots.BIAS]), at(w, ic[slots.BASIS])
    for i in range(nv):
        bias[i] = total[i]
    for i in range(nv * (nv - ic[slots.RANK])):
        basis[i] = total[nv + i]


@kernel("double(double share, int64* ic, double* w)")
def blended_pivot(share, ic, w):
    """Smallest pivot of C_D between the last state and this one; LU is overwritten."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    rows, dependent = at(ic, ic[slots.ROWS]), at(ic, ic[slots.ORDER] + nv - rank)
    new, old = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.LAST_ROWS])
    lu, scale = at(w, ic[slots.LU]), at(w, ic[slots.SCALE])
    for j in range(rank):
        column = dependent[j]
        for i in range(rank):
            place = rows[i] + column * m
            lu[i + j * rank] = (share * new[place] + (1.0 - share) * old[place]) * scale[column]
    failed = factor_lu(lu, rank, at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE]), 1e-300)
    return smallest_pivot(ic, w) if failed < 0 else 0.0


@kernel("void(int64* ic, double* w)")
def remember_rows(ic, w):
    """LAST_ROWS <- C of the closure at hand; LENGTHS grows with its rows."""
    m, nv = ic[slots.M], ic[slots.NV]
    new, old = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.LAST_ROWS])
    for i in range(m * nv):
        old[i] = new[i]
    lengthen(ic, w)


@kernel("void(int64* ic, double* w)")
def lengthen(ic, w):
    """LENGTHS grows with the rows of C S of the closure at hand."""
    m, nv = ic[slots.M], ic[slots.NV]
    c, scale, lengths = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.SCALE]), at(w, ic[slots.LENGTHS])
    for j in range(m):
        square = 0.0
        for i in range(nv):
            entry = c[j + i * m] * scale[i]
            square += entry * entry
        lengths[j] = max(lengths[j], math.sqrt(square))


@kernel("int32(double t, double* y, int64* ic, double* w)")
def check_leap(t, y, ic, w):
    """Refuse a step that has leapt to another branch near the last one; closure and factors at hand are those of y.

    Returns 0: nothing was passed, and the factors are at hand again; 1: a singular position was passed; < 0.
    """
    here, past = blended_pivot(1.0, ic, w), blended_pivot(0.0, ic, w)
    share = past / (past + here) if past + here > 0.0 else 0.5
    if here > NEAR:
        ic[slots.APART] = 0
    if blended_pivot(share, ic, w) > DIP * min(here, past):
        blended_pivot(1.0, ic, w)
        return 0
    spacing = spacing_of(t, y, ic, w)
    centre = (1.0 - share) * (w[slots.LAST_TIME] - t)
    for _ in range(TRIALS if spacing > 0.0 else 0):
        found = find_centre(t, y, centre, 0.0, spacing, ic, w)
        if found < HUGE and gather(t, y, found, found, spacing, ic, w) == 0 and w[slots.RESIDUAL] < MEETING:
            return 1
        spacing *= 0.5
    return refuse(ic, w)


@kernel("int64(double t, int64* ic, double* w)")
def creeps(t, ic, w):
    """1 when steps have become ever so short near a singular position, many in a row.

    Accelerations have few digits there. Where a tolerance asks for more of them, and the interpolation has no more either,
    steps shrink with the distance.
    """
    length = t - w[slots.NEAR_TIME]
    w[slots.NEAR_TIME] = t
    if w[slots.PIVOT] > FEW_DIGITS:
        w[slots.USUAL_STEP] = length
        ic[slots.NEARING] = 0
        return 0
    ic[slots.NEARING] = ic[slots.NEARING] + 1 if length < SHORT * w[slots.USUAL_STEP] else 0
    return 1 if ic[slots.NEARING] > PATIENCE else 0


@kernel("int32(int64* ic, double* w)")
def refuse(ic, w):
    """Tell that branches meet or nearly do at the closure at hand, or else that the set is at a dead centre."""
    factor_constraints(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    code = slots.LEAPT if count_rank(NEAR, ic, w) < ic[slots.RANK] else slots.DEPENDENT_SINGULAR
    return fail(code, -1, -1, w[slots.RESIDUAL], ic, w)


@kernel("double(double share, int64* ic, double* w)")
def blended_rank(share, ic, w):
    """Smallest pivot of the rows in use between the last state and this one, relative to the greatest lengths of rows."""
    nv, m = ic[slots.NV], ic[slots.M]
    new, old, a = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.LAST_ROWS]), at(w, ic[slots.FACTORS])
    scale, lengths = at(w, ic[slots.SCALE]), at(w, ic[slots.LENGTHS])
    for j in range(m):
        unit = 1.0 / lengths[j] if lengths[j] > 0.0 else 0.0
        for i in range(nv):
            a[i + j * nv] = (share * new[j + i * m] + (1.0 - share) * old[j + i * m]) * scale[i] * unit
    pivots, tau, norms = at(ic, ic[slots.PIVOTS]), at(w, ic[slots.TAU]), at(w, ic[slots.NORMS])
    factor_qr_first(a, nv, m, ic[slots.HOLONOMIC], slots.RANK_TOLERANCE, pivots, tau, norms)
    return abs(a[(ic[slots.RANK] - 1) * (nv + 1)])


@kernel("int32(double t, double* y, int64* ic, double* w)")
def watch_branch(t, y, ic, w):
    """Refuse a step to or across a position where the conditions lose their independence, in a motion that drifts.

    Branches meet there. Errors Φ of the conditions part them by √Φ: nearer than that the motion turns from one to the other,
    and no step tells.
    """
    if ic[slots.M] == 0 or (ic[slots.WATCHED] == 1 and t <= w[slots.LAST_TIME]):
        return 0
    evaluate_closure(t, y, ic, w)
    factor_constraints(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    worst_row(ic, w)
    drift = max(w[slots.WORST_ERROR], w[slots.RESIDUAL])
    if ic[slots.WATCHED] == 0:
        raise_rank(ic, w)
    elif ic[slots.RANK] > 0:
        lengthen(ic, w)
        here, past = blended_rank(1.0, ic, w), blended_rank(0.0, ic, w)
        between = blended_rank(past / (past + here) if past + here > 0.0 else 0.5, ic, w)
        if between < DIP * min(here, past) or here < max(PARTED * math.sqrt(drift), slots.RANK_TOLERANCE):
            return fail(slots.RANK_CHANGED, weakest_row(ic), -1, between, ic, w)
    remember_rows(ic, w)
    w[slots.WORST_ERROR] = drift
    ic[slots.WATCHED] = 1
    w[slots.LAST_TIME] = t
    return 0
