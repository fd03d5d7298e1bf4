"""Through positions where the conditions lose their independence for a moment, on the branch that the motion is on.

There C_D has no inverse, and near them rounding errors of the dependent accelerations grow like 1/distance³. But along a
smooth branch everything that the reduced equations need, q_D, v_D, A and ξ, is smooth: at a state near such a position it
is the polynomial through its values at points on both sides, which lie on a line along the velocities,

    q_I(τ) = q_I + τ v_I,   t(τ) = t + τ,   f(0) ≈ Σ_j L_j(0) f(τ_j),   L_j the polynomials of Lagrange

with gaps around the singular position. Mass matrix and forces are those of the state itself. Whether two branches meet
there or only come near, the residual of the interpolated positions tells: where they only come near, the polynomial is none
of the conditions, the evaluation is the usual one, and a step that leaps from one branch to the other is refused.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms
from linkwork.numerics.kernels.constrained.partition import build_basis, build_bias, solve_positions, solve_velocities
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.projection import (
    evaluate_closure,
    factor_constraints,
    length_of,
    look_at_rank,
    raise_rank,
    speed_of,
    weakest_row,
    worst_row,
)
from linkwork.numerics.kernels.constrained.sparse_factors import factor_dependent_block, smallest_of_block
from linkwork.numerics.kernels.constrained.sparse_terms import note_parts, spread_rows, squared_change
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, factor_lu, factor_qr_first

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


@kernel
def smallest_pivot(ws: Workspace) -> float:
    """Smallest pivot of the dependent block at hand, relative to the greatest length of its row."""
    rank = ws.rank
    if ws.at_hand == 1:
        return smallest_of_block(ws.sparse, ws)
    rows, pivots, place = ws.rows, ws.pivots, ws.choice
    place[:rank] = rows[:rank]
    smallest = 1.0
    for j in range(rank):
        row = place[pivots[j]]
        place[pivots[j]] = place[j]
        smallest = min(smallest, abs(ws.lu[j * (rank + 1)]) / max(ws.lengths[row], 1e-300))
    return smallest


@kernel
def follow(t: float, shift: float, y: Floats, ws: Workspace) -> Code:
    """FOLLOWED <- the state after a shift in time along the velocities of y, its dependent part solved."""
    nq, nv = ws.nq, ws.nv
    state, step = ws.followed, ws.step
    state[: ws.n] = y[: ws.n]
    step[:nv] = shift * y[nq : nq + nv]
    move(t, state, step, ws)
    code = solve_positions(t + shift, state, ws)
    if code == 0:
        solve_velocities(state, ws)
    return code


@kernel
def turning_of(t: float, y: Floats, ws: Workspace) -> float:
    """How fast the rows of C S change, relative to their greatest lengths: the speed of the fastest part in its own size."""
    nq, nv, m = ws.nq, ws.nv, ws.m
    state, step, c = ws.followed, ws.step, ws.c
    before, scale, lengths = ws.c_rate, ws.scale, ws.lengths
    speed, fastest = speed_of(y, ws), 0.0
    if speed == 0.0:
        return 0.0
    evaluate_closure(t, y, ws)
    if ws.entrywise == 1:
        ws.sparse.before[: ws.sparse.count] = ws.sparse.c[: ws.sparse.count]
    else:
        before[: m * nv] = c[: m * nv]
    state[: ws.n] = y[: ws.n]
    step[:nv] = ALONG / speed * y[nq : nq + nv]
    move(t, state, step, ws)
    evaluate_closure(t, state, ws)
    for j in range(m):
        square = 0.0
        if ws.entrywise == 1:
            square = squared_change(ws.active[j], ws.sparse, ws)
        else:
            for i in range(nv):
                change = (c[j + i * m] - before[j + i * m]) * scale[i]
                square += change * change
        fastest = max(fastest, math.sqrt(square) / max(lengths[j], 1e-300))
    return fastest * speed / ALONG


@kernel
def spacing_of(t: float, y: Floats, ws: Workspace) -> float:
    """Time between two points; 0 when nothing moves. In a large mechanism small parts turn far on a short way."""
    speed = speed_of(y, ws)
    if not speed > SPACING * 1e-6:
        return 0.0
    return SPACING / max(speed, 0.5 * turning_of(t, y, ws))


@kernel
def place_of(point: int, centre: float, spacing: float) -> float:
    """τ of one of 2 POINTS points."""
    return centre + (point - POINTS + 0.5) * spacing


@kernel
def weight_of(point: int, centre: float, spacing: float, tau: float) -> float:
    """L_point(τ)."""
    own, weight = place_of(point, centre, spacing), 1.0
    for j in range(2 * POINTS):
        if j != point:
            other = place_of(j, centre, spacing)
            weight *= (tau - other) / (own - other)
    return weight


@kernel
def accumulate(weight: float, ws: Workspace) -> None:
    """GATHERED += weight [q, v, ξ, A] of the state that was followed."""
    nq, nv = ws.nq, ws.nv
    k = nv - ws.rank
    ws.gathered_state[: nq + nv] += weight * ws.followed[: nq + nv]
    ws.gathered_bias[:nv] += weight * ws.bias[:nv]
    ws.gathered_basis[: nv * k] += weight * ws.basis[: nv * k]


@kernel
def gather(t: float, y: Floats, tau: float, centre: float, spacing: float, ws: Workspace) -> Code:
    """GATHERED <- [q, v, ξ, A] at τ by interpolation between points around *centre*; RESIDUAL tells how well it closes."""
    nq, nv, k = ws.nq, ws.nv, ws.nv - ws.rank
    total, state = ws.gathered, ws.followed
    total[: nq + (2 + k) * nv] = 0.0
    for point in range(2 * POINTS):
        place = place_of(point, centre, spacing)
        code = follow(t, place, y, ws)
        if code < 0:
            return code
        evaluate_terms(t + place, state, ws.rates_out, ws)
        build_bias(ws)
        build_basis(ws)
        accumulate(weight_of(point, centre, spacing, tau), ws)
    state[: nq + nv] = total[: nq + nv]
    settle(t + tau, state, ws)
    evaluate_closure(t + tau, state, ws)
    ws.residual = 0.0
    for j in range(ws.m):
        ws.residual = max(ws.residual, abs(ws.phi[j]) / max(ws.lengths[j], 1e-300))
    return 0


@kernel
def find_centre(t: float, y: Floats, about: float, pivot: float, spacing: float, ws: Workspace) -> float:
    """τ at which the pivot vanishes, by its values far before and far behind *about*; HUGE: it does not."""
    reach = POINTS * spacing
    centre = about
    for _ in range(2):
        if follow(t, centre - reach, y, ws) < 0:
            return HUGE
        before = smallest_pivot(ws)
        if follow(t, centre + reach, y, ws) < 0:
            return HUGE
        behind = smallest_pivot(ws)
        if min(before, behind) <= RISE * pivot:
            return HUGE
        centre += reach * (before - behind) / (before + behind)
    return centre


@kernel
def interpolate_state(t: float, y: Floats, pivot: float, ws: Workspace) -> Code:
    """GATHERED <- [q, v, ξ, A] of a state near a singular position that its branch passes. Returns 1 where there is none."""
    spacing, first = spacing_of(t, y, ws), 0.0
    if spacing == 0.0 or ws.apart == 1:
        return 1
    for trial in range(TRIALS):
        centre = find_centre(t, y, 0.0, pivot, spacing, ws)
        if abs(centre) > 0.5 * POINTS * spacing or gather(t, y, 0.0, centre, spacing, ws) < 0:
            return 1
        if ws.residual < MEETING:
            return 0
        first = ws.residual if trial == 0 else first
        spacing *= 0.5
    # an error of the interpolation would have become much smaller
    ws.apart = 1 if ws.residual > 0.1 * first else 0
    return 1


@kernel
def pass_singular(t: float, y: Floats, ws: Workspace) -> Code:
    """q_D and v_D of a state, which stays as it is where they cannot be had by interpolation.

    Returns 0: by Newton's method, closure and factors are at hand; 1: by interpolation, with A and ξ in GATHERED; < 0.
    """
    n = ws.nq + ws.nv
    state, given = ws.followed, ws.given
    given[: n + ws.ns] = y[: n + ws.ns]
    code = solve_positions(t, y, ws)
    pivot = smallest_pivot(ws) if code == 0 else 0.0
    ws.pivot = pivot
    if pivot < NEAR and interpolate_state(t, given, pivot, ws) == 0:
        y[:n] = state[:n]
        return 1
    if code < 0:
        return code
    if pivot < NEAR:
        code = solve_positions(t, y, ws)
    solve_velocities(y, ws)
    return code


@kernel
def take_gathered(ws: Workspace) -> None:
    """BIAS and BASIS <- ξ and A by interpolation."""
    nv, k = ws.nv, ws.nv - ws.rank
    ws.bias[:nv] = ws.gathered_bias[:nv]
    ws.basis[: nv * k] = ws.gathered_basis[: nv * k]


@kernel
def blended_pivot(share: float, ws: Workspace) -> float:
    """Smallest pivot of C_D between the last state and this one; LU is overwritten."""
    m, rank = ws.m, ws.rank
    if ws.entrywise == 1:
        failed = factor_dependent_block(share, 1e-300, ws.sparse, ws)
        ws.at_hand = 1 if failed < rank else 0
        if ws.at_hand == 1:
            return smallest_of_block(ws.sparse, ws) if failed < 0 else 0.0
        spread_rows(share, ws.c, ws.sparse, ws)
        share = 1.0
    lu, scale = ws.lu, ws.scale
    for j in range(rank):
        column = ws.dependent[j]
        for i in range(rank):
            place = ws.rows[i] + column * m
            lu[i + j * rank] = (share * ws.c[place] + (1.0 - share) * ws.last_rows[place]) * scale[column]
    failed = factor_lu(lu, rank, ws.pivots, ws.row_scale, 1e-300)
    return smallest_pivot(ws) if failed < 0 else 0.0


@kernel
def remember_rows(ws: Workspace) -> None:
    """LAST_ROWS <- C of the closure at hand; LENGTHS grows with its rows."""
    size = ws.m * ws.nv
    if ws.entrywise == 1:
        ws.sparse.passed[: ws.sparse.count] = ws.sparse.c[: ws.sparse.count]
    else:
        ws.last_rows[:size] = ws.c[:size]
    lengthen(ws)


@kernel
def lengthen(ws: Workspace) -> None:
    """LENGTHS grows with the rows of C S of the closure at hand."""
    for j in range(ws.m):
        length = length_of(j, ws.c, ws)
        ws.lengths[j] = max(ws.lengths[j], length)
        if ws.entrywise == 1:
            note_parts(ws.active[j], length, ws.sparse, ws)


@kernel
def check_leap(t: float, y: Floats, ws: Workspace) -> Code:
    """Refuse a step that has leapt to another branch near the last one; closure and factors at hand are those of y.

    Returns 0: nothing was passed, and the factors are at hand again; 1: a singular position was passed; < 0.
    """
    here, past = blended_pivot(1.0, ws), blended_pivot(0.0, ws)
    share = past / (past + here) if past + here > 0.0 else 0.5
    if here > NEAR:
        ws.apart = 0
    if blended_pivot(share, ws) > DIP * min(here, past):
        blended_pivot(1.0, ws)
        return 0
    spacing = spacing_of(t, y, ws)
    centre = (1.0 - share) * (ws.last_time - t)
    for _ in range(TRIALS if spacing > 0.0 else 0):
        found = find_centre(t, y, centre, 0.0, spacing, ws)
        if found < HUGE and gather(t, y, found, found, spacing, ws) == 0 and ws.residual < MEETING:
            return 1
        spacing *= 0.5
    return refuse(ws)


@kernel
def creeps(t: float, ws: Workspace) -> int:
    """1 when steps have become ever so short near a singular position, many in a row.

    Accelerations have few digits there. Where a tolerance asks for more of them, and the interpolation has no more either,
    steps shrink with the distance.
    """
    length = t - ws.near_time
    ws.near_time = t
    if ws.pivot > FEW_DIGITS:
        ws.usual_step = length
        ws.nearing = 0
        return 0
    ws.nearing = ws.nearing + 1 if length < SHORT * ws.usual_step else 0
    return 1 if ws.nearing > PATIENCE else 0


@kernel
def refuse(ws: Workspace) -> Code:
    """Tell that branches meet or nearly do at the closure at hand, or else that the set is at a dead centre."""
    code = codes.LEAPT if look_at_rank(NEAR, ws) < ws.rank else codes.DEPENDENT_SINGULAR
    return fail(code, -1, -1, ws.residual, ws)


@kernel
def blended_rank(share: float, ws: Workspace) -> float:
    """Smallest pivot of the rows in use between the last state and this one, relative to the greatest lengths of rows."""
    nv, m = ws.nv, ws.m
    new, old, a = ws.c, ws.last_rows, ws.factors
    scale, lengths = ws.scale, ws.lengths
    for j in range(m):
        unit = 1.0 / lengths[j] if lengths[j] > 0.0 else 0.0
        for i in range(nv):
            a[i + j * nv] = (share * new[j + i * m] + (1.0 - share) * old[j + i * m]) * scale[i] * unit
    pivots, tau, norms = ws.pivots, ws.tau, ws.norms
    factor_qr_first(a, nv, m, ws.holonomic, codes.RANK_TOLERANCE, pivots, tau, norms)
    return abs(a[(ws.rank - 1) * (nv + 1)])


@kernel
def watch_branch(t: float, y: Floats, ws: Workspace) -> Code:
    """Refuse a step to or across a position where the conditions lose their independence, in a motion that drifts.

    Branches meet there. Errors Φ of the conditions part them by √Φ: nearer than that the motion turns from one to the other,
    and no step tells.
    """
    if ws.m == 0 or (ws.watched == 1 and t <= ws.last_time):
        return 0
    evaluate_closure(t, y, ws)
    factor_constraints(ws.c, ws)
    worst_row(ws)
    drift = max(ws.worst_error, ws.residual)
    if ws.watched == 0:
        raise_rank(ws)
    elif ws.rank > 0:
        lengthen(ws)
        here, past = blended_rank(1.0, ws), blended_rank(0.0, ws)
        between = blended_rank(past / (past + here) if past + here > 0.0 else 0.5, ws)
        if between < DIP * min(here, past) or here < max(PARTED * math.sqrt(drift), codes.RANK_TOLERANCE):
            return fail(codes.RANK_CHANGED, weakest_row(ws), -1, between, ws)
    remember_rows(ws)
    ws.worst_error = drift
    ws.watched = 1
    ws.last_time = t
    return 0
