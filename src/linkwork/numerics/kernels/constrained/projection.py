"""Return a state to its constraints with the smallest scaled correction.

    positions:   C δ = -Φ,         q <- q ⊕ δ, repeated
    velocities:  C δ = -(C v + a),  v <- v + δ

δ = S δ̂ with S = diag(scale), and ‖δ̂‖ is the least possible. Rows of C S are brought to length 1, so that neither
the units of the rows nor those of the coordinates matter. Redundant rows are recognised by QR of (C S)ᵀ with column
pivoting; only the *expected rank* of rows is used. That rank is counted on states that satisfy the constraints: away
from them rows that depend on each other may look independent, and near a singular position the reverse.

Rows that restrict velocities only come behind the others, and their pivots too: the leading part of the factorisation
is that of the rows that restrict positions, and it alone corrects positions.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.active import keep_rows
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.sparse_factors import (
    about_rank,
    factor_all,
    shortest_correction,
    weakest_of_all,
)
from linkwork.numerics.kernels.constrained.sparse_terms import (
    add_rows_times,
    call_sparse_closure,
    spread_rows,
    squared_length,
)
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import (
    HUGE,
    add_product,
    apply_q,
    factor_qr_first,
    largest,
    solve_upper_transposed,
)
from linkwork.numerics.policy import POLICY

CONVERGED = 1e-12  # of a scaled correction
CLOSED = POLICY.stalled  # largest scaled residual of a row that counts as closed
LONGEST_STEP = 0.5  # in units of the coordinate scale
SHORTEST_STEP = 1.0 / 64.0


@kernel
def explain_mass(coordinate: int, pivot: float, ws: Workspace) -> Code:
    """Name why the reduced mass matrix cannot be factored: its terms are not finite, or it is singular."""
    size = max(largest(ws.h, ws.nv), largest(ws.b, ws.m))
    if ws.entrywise == 1:
        size = max(size, largest(ws.sparse.terms_out, ws.n + ws.every + ws.sparse.mass_count + ws.sparse.count))
    else:
        size = max(size, largest(ws.inertia, ws.nv * ws.nv), largest(ws.terms_c, ws.m * ws.nv))
    code = codes.NOT_FINITE if size >= HUGE else codes.MASS_SINGULAR
    return fail(code, -1, coordinate, pivot, ws)


@kernel
def evaluate_closure(t: float, y: Floats, ws: Workspace) -> Code:
    """Φ, C and a."""
    if ws.entrywise == 1:
        call_sparse_closure(t, y, ws.sparse, ws)
        return 0
    ws.closure(t, y, ws.p, ws.closure_out)
    if ws.m < ws.every:
        keep_rows(ws.closure_out, ws.nv + 2, ws.closure_out, ws)
    return 0


@kernel
def length_of(row: int, c: Floats, ws: Workspace) -> float:
    """Length of a row of C S."""
    if ws.entrywise == 1:
        return math.sqrt(squared_length(ws.active[row], ws.sparse.c, ws.sparse, ws))
    m, scale, square = ws.m, ws.scale, 0.0
    for i in range(ws.nv):
        entry = c[row + i * m] * scale[i]
        square += entry * entry
    return math.sqrt(square)


@kernel
def weigh_rows(c: Floats, ws: Workspace) -> None:
    """weights (m) = 1 / length of each row of C S."""
    for j in range(ws.m):
        ws.weights[j] = length_of(j, c, ws)
    invert_lengths(ws)


@kernel
def invert_lengths(ws: Workspace) -> None:
    """weights (m) <- 1 / weights, less for one that is faint beside the others and 0 for an empty one."""
    m, weights, longest = ws.m, ws.weights, 0.0
    for j in range(m):
        longest = max(longest, weights[j])
    for j in range(m):
        empty = weights[j] <= codes.EMPTY_ROW * longest
        weights[j] = 0.0 if empty else 1.0 / max(weights[j], codes.FAINT_ROW * longest)


@kernel
def factor_constraints(c: Floats, ws: Workspace) -> None:
    """QR with column pivoting of the equilibrated (C S)ᵀ (nv, m), rows of positions first; C (m, nv)."""
    weigh_rows(c, ws)
    if ws.entrywise == 1:
        ws.at_hand = factor_all(ws.sparse, ws)
        if ws.at_hand == 1:
            return
        spread_rows(1.0, c, ws.sparse, ws)
    factor_weighted(c, ws)


@kernel
def fill_weighted(c: Floats, ws: Workspace) -> None:
    """factors (nv, m) <- (C S)ᵀ with the weights at hand."""
    nv, m, scale, weights, a = ws.nv, ws.m, ws.scale, ws.weights, ws.factors
    for j in range(m):
        for i in range(nv):
            a[i + j * nv] = c[j + i * m] * scale[i] * weights[j]


@kernel
def factor_weighted(c: Floats, ws: Workspace) -> None:
    """Its QR with column pivoting, rows of positions first."""
    fill_weighted(c, ws)
    first, pivots, tau, norms = ws.holonomic, ws.pivots, ws.tau, ws.norms
    ws.served = factor_qr_first(ws.factors, ws.nv, ws.m, first, codes.RANK_TOLERANCE, pivots, tau, norms)


@kernel
def count_rank(tolerance: float, ws: Workspace) -> int:
    """Number of pivots of the constraint factorisation above the tolerance (rows have length 1)."""
    nv, m = ws.nv, ws.m
    if ws.at_hand == 1:
        return ws.sparse.rows.rank  # whatever is in doubt is no pivot of theirs
    for k in range(min(nv, m)):
        if not abs(ws.factors[k + k * nv]) > tolerance:
            return k
    return min(nv, m)


@kernel
def look_at_rank(tolerance: float, ws: Workspace) -> int:
    """The rank of the closure at hand, for a message: rows in doubt are no reason for a dense factorisation."""
    if ws.entrywise == 0:
        factor_constraints(ws.c, ws)
        return count_rank(tolerance, ws)
    weigh_rows(ws.c, ws)
    factor_all(ws.sparse, ws)
    ws.at_hand = 1
    return about_rank(tolerance, ws.sparse)


@kernel
def count_position_rank(tolerance: float, ws: Workspace) -> int:
    """``count_rank`` of the rows that restrict positions."""
    return min(count_rank(tolerance, ws), ws.sparse.served if ws.at_hand == 1 else ws.served)


@kernel
def largest_factor(ws: Workspace) -> float:
    """Largest magnitude in the factors of all rows at hand, or a huge number."""
    return largest(ws.sparse.c, ws.sparse.count) if ws.at_hand == 1 else largest(ws.factors, ws.nv * ws.m)


@kernel
def refuse_rank(found: int, ws: Workspace) -> Code:
    """Note that the constraint factorisation has only *found* pivots, or that it is not finite."""
    nv, m = ws.nv, ws.m
    a = ws.factors
    row = ws.pivots[found] if found < m else -1
    if largest_factor(ws) >= HUGE:
        return fail(codes.NOT_FINITE, row, -1, HUGE, ws)
    if ws.at_hand == 1:
        return fail(codes.RANK_CHANGED, row, -1, 0.0, ws)
    return fail(codes.RANK_CHANGED, row, -1, abs(a[found * (nv + 1)]) if found < min(nv, m) else 0.0, ws)


@kernel
def hold_rank(ws: Workspace) -> Code:
    """Fix the expected rank if it is not known yet; refuse when one of its rows has no pivot left."""
    if ws.rank < 0:
        if largest_factor(ws) >= HUGE:
            return refuse_rank(0, ws)
        raise_rank(ws)
    rank = count_rank(codes.EXPECTED_PIVOT, ws)
    return refuse_rank(rank, ws) if rank < ws.rank else 0


@kernel
def raise_rank(ws: Workspace) -> None:
    """Let the expected rank rise to the rank found; only for states that satisfy the constraints."""
    ws.rank = max(ws.rank, count_rank(codes.RANK_TOLERANCE, ws))
    ws.position_rank = max(ws.position_rank, count_position_rank(codes.RANK_TOLERANCE, ws))


@kernel
def weakest_row(ws: Workspace) -> int:
    """Constraint row in use with the smallest pivot of the factorisation at hand, or -1."""
    if ws.at_hand == 1:
        return weakest_of_all(ws.sparse)
    return ws.pivots[ws.rank - 1] if ws.rank > 0 else -1


@kernel
def range_part(residual: Floats, rank: int, ws: Workspace) -> None:
    """x = (x₁, 0) with Rᵀ x₁ = -residual of the leading rows: Q x solves C S Q x = -residual with least length."""
    pivots, weights, x = ws.pivots, ws.weights, ws.x
    for i in range(rank):
        x[i] = -residual[pivots[i]] * weights[pivots[i]]
    x[rank : ws.nv] = 0.0
    solve_upper_transposed(ws.factors, ws.nv, rank, x)


@kernel
def least_correction(residual: Floats, rank: int, ws: Workspace) -> float:
    """x = δ̂, the shortest solution of C S δ̂ = -residual. Returns its largest component."""
    nv, x = ws.nv, ws.x
    if ws.at_hand == 1:
        shortest_correction(residual, rank, ws.sparse, ws)
        return largest(x, nv)
    range_part(residual, rank, ws)
    apply_q(ws.factors, nv, rank, ws.tau, x)
    return largest(x, nv)


@kernel
def worst_row(ws: Workspace) -> int:
    """Constraint row with the largest scaled residual; the residual goes to w[RESIDUAL]."""
    row, worst = -1, 0.0
    for j in range(ws.m):
        size = abs(ws.phi[j]) * ws.weights[j]
        if not size < HUGE:
            row, worst = j, HUGE
            break
        if size > worst:
            row, worst = j, size
    ws.residual = worst
    return row


@kernel
def open_by(ws: Workspace) -> float:
    """Largest scaled residual of the closure at hand."""
    weigh_rows(ws.c, ws)
    worst_row(ws)
    return ws.residual


@kernel
def take_step(t: float, y: Floats, fraction: float, ws: Workspace) -> None:
    """q <- kept q ⊕ fraction S x; the positions before the step are kept in STATE."""
    kept, step = ws.state, ws.step
    y[: ws.nq] = kept[: ws.nq]
    step[: ws.nv] = fraction * ws.scale[: ws.nv] * ws.x[: ws.nv]
    move(t, y, step, ws)


@kernel
def is_closed(size: float, last: float, tolerance: float, ws: Workspace) -> int:
    """1 when the correction is negligible or no longer shrinks, and every row, also the unused ones, is closed."""
    if ws.residual > CLOSED or tolerance > 10.0 * codes.RANK_TOLERANCE:
        return 0
    return 1 if size < CONVERGED or size > 0.25 * last else 0


@kernel
def project_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Newton with least corrections, shortened while they do not bring the worst row down. Corrects q in place.

    While the rank is unknown, pivots smaller than the last correction are not trusted: rows that only become
    dependent on the solution would give wild corrections on the way to it. A loop of its own: an iteration may take the
    last step back, and judges residuals beside corrections.
    """
    last, tolerance, before, fraction = HUGE, 1e-3, HUGE, 1.0
    ws.correction = settle(t, y, ws)
    for iteration in range(ws.limit):
        ws.iterations = iteration + 1
        evaluate_closure(t, y, ws)
        factor_constraints(ws.c, ws)
        row = worst_row(ws)
        residual = ws.residual
        if residual > max(before, 1e-6) and fraction > SHORTEST_STEP:
            fraction *= 0.25
            take_step(t, y, fraction, ws)
            continue
        known = ws.position_rank
        rank = known if known >= 0 else count_position_rank(tolerance, ws)
        if known >= 0:
            tolerance = codes.RANK_TOLERANCE
        size = least_correction(ws.phi, rank, ws)
        if max(size, residual) >= HUGE:
            return fail(codes.NOT_FINITE, row, -1, residual, ws)
        fraction = min(1.0, LONGEST_STEP / max(size, 1e-300))
        ws.state[: ws.nq] = y[: ws.nq]
        take_step(t, y, fraction, ws)
        ws.correction = max(ws.correction, size)
        if is_closed(size, last, tolerance, ws) == 1:
            return 0
        before, last = residual, size
        tolerance = max(codes.RANK_TOLERANCE, min(1e-3, size))
    return fail(codes.POSITIONS_NOT_FOUND, worst_row(ws), -1, ws.residual, ws)


@kernel
def speed_of(y: Floats, ws: Workspace) -> float:
    """Greatest speed of a coordinate, in units of its scale."""
    v, scale = at(y, ws.nq), ws.scale
    speed = 0.0
    for i in range(ws.nv):
        if scale[i] > 0.0:
            speed = max(speed, abs(v[i]) / scale[i])
    return speed


@kernel
def correct_velocities(t: float, y: Floats, ws: Workspace) -> Code:
    """Least correction of v with the closure and the factors at hand. Corrects v in place."""
    nv, v = ws.nv, at(y, ws.nq)
    rate, scale, x = ws.a, ws.scale, ws.x
    if ws.entrywise == 1:
        add_rows_times(v, rate, ws.sparse, ws)
    else:
        add_product(ws.c, ws.m, nv, v, rate)
    code = hold_rank(ws)
    if code < 0:
        return code
    size = least_correction(rate, ws.rank, ws)
    if size >= HUGE:
        return fail(codes.NOT_FINITE, -1, -1, size, ws)
    v[:nv] += scale[:nv] * x[:nv]
    ws.correction = max(ws.correction, size / max(speed_of(y, ws), 1.0))
    return 0
