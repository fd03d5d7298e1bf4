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

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.linear import HUGE, apply_q, factor_qr_first, largest, solve_upper_transposed

CONVERGED = 1e-12  # of a scaled correction
CLOSED = 1e-9  # largest scaled residual of a row that counts as closed
LONGEST_STEP = 0.5  # in units of the coordinate scale
SHORTEST_STEP = 1.0 / 64.0


@kernel("int32(int64 code, int64 row, int64 coordinate, double value, int64* ic, double* w)")
def fail(code, row, coordinate, value, ic, w):
    """Note what the failure is about, for the message; returns the code."""
    ic[slots.FAILURE] = code
    ic[slots.FAILED_ROW] = row
    ic[slots.FAILED_COORDINATE] = coordinate
    w[slots.FAILED_VALUE] = value
    return code


@kernel("int32(int64 coordinate, double pivot, int64* ic, double* w)")
def explain_mass(coordinate, pivot, ic, w):
    """Name why the reduced mass matrix cannot be factored: its terms are not finite, or it is singular."""
    nv, m = ic[slots.NV], ic[slots.M]
    terms = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS])
    code = slots.NOT_FINITE if largest(terms, nv + m + nv * nv) >= HUGE else slots.MASS_SINGULAR
    return fail(code, -1, coordinate, pivot, ic, w)


@kernel("void(double t, double* y, int64* ic, double* w)")
def evaluate_closure(t, y, ic, w):
    call_model(ic[slots.CLOSURE], t, y, doubles(ic[slots.PARAMETERS]), at(w, ic[slots.CLOSURE_OUT]))


@kernel("void(double t, double* y, double* step, int64* ic, double* w)")
def move(t, y, step, ic, w):
    """q <- q ⊕ step, step (nv)."""
    nq, nv = ic[slots.NQ], ic[slots.NV]
    if ic[slots.RETRACT] == 0:
        for i in range(nq):
            y[i] += step[i]
        return
    state, moved = at(w, ic[slots.STATE]), at(w, ic[slots.MOVED])
    for i in range(nq + nv + ic[slots.NS]):
        state[i] = y[i]
    for i in range(nv):
        state[nq + i] = step[i]
    call_model(ic[slots.RETRACT], t, state, doubles(ic[slots.PARAMETERS]), moved)
    for i in range(nq):
        y[i] = moved[i]


@kernel("double(double t, double* y, int64* ic, double* w)")
def settle(t, y, ic, w):
    """Retract by nothing, which brings drifted positions (unit quaternions) to where they belong. Returns the change."""
    if ic[slots.RETRACT] == 0:
        return 0.0
    before, step = at(w, ic[slots.STATE]), at(w, ic[slots.STEP])
    for i in range(ic[slots.NV]):
        step[i] = 0.0
    move(t, y, step, ic, w)
    change = 0.0
    for i in range(ic[slots.NQ]):
        change = max(change, abs(y[i] - before[i]))
    return change


@kernel("int64(int64 function, double t, double* y, int64 nq, double* p, double* out)")
def change_charts(function, t, y, nq, p, out):
    """Write q in other charts where its present ones end; out (nq + 1). Returns 1 when it has become another q."""
    if function == 0:
        return 0
    call_model(function, t, y, p, out)
    if out[nq] == 0.0:
        return 0
    for i in range(nq):
        y[i] = out[i]
    return 1


@kernel("int64(double t, double* y, int64* ic, double* w)")
def reframe(t, y, ic, w):
    """Change the charts of the state where that is due. Returns 1 when its derivative must be evaluated again."""
    return change_charts(ic[slots.REFRAME], t, y, ic[slots.NQ], doubles(ic[slots.PARAMETERS]), at(w, ic[slots.FRAMED]))


@kernel("void(double* c, int64* ic, double* w)")
def weigh_rows(c, ic, w):
    """weights (m) = 1 / length of each row of C S, less for one that is faint beside the others and 0 for an empty one."""
    nv, m = ic[slots.NV], ic[slots.M]
    scale, weights = at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS])
    longest = 0.0
    for j in range(m):
        square = 0.0
        for i in range(nv):
            entry = c[j + i * m] * scale[i]
            square += entry * entry
        weights[j] = math.sqrt(square)
        longest = max(longest, weights[j])
    for j in range(m):
        empty = weights[j] <= slots.EMPTY_ROW * longest
        weights[j] = 0.0 if empty else 1.0 / max(weights[j], slots.FAINT_ROW * longest)


@kernel("void(double* c, int64* ic, double* w)")
def factor_constraints(c, ic, w):
    """QR with column pivoting of the equilibrated (C S)ᵀ (nv, m), rows of positions first; C (m, nv)."""
    nv, m = ic[slots.NV], ic[slots.M]
    weigh_rows(c, ic, w)
    scale, weights, a = at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.FACTORS])
    for j in range(m):
        for i in range(nv):
            a[i + j * nv] = c[j + i * m] * scale[i] * weights[j]
    pivots, tau, norms = at(ic, ic[slots.PIVOTS]), at(w, ic[slots.TAU]), at(w, ic[slots.NORMS])
    ic[slots.SERVED] = factor_qr_first(a, nv, m, ic[slots.HOLONOMIC], slots.RANK_TOLERANCE, pivots, tau, norms)


@kernel("int64(double tolerance, int64* ic, double* w)")
def count_rank(tolerance, ic, w):
    """Number of pivots of the constraint factorisation above the tolerance (rows have length 1)."""
    nv, m = ic[slots.NV], ic[slots.M]
    a = at(w, ic[slots.FACTORS])
    for k in range(min(nv, m)):
        if not abs(a[k + k * nv]) > tolerance:
            return k
    return min(nv, m)


@kernel("int64(double tolerance, int64* ic, double* w)")
def count_position_rank(tolerance, ic, w):
    """``count_rank`` of the rows that restrict positions."""
    return min(count_rank(tolerance, ic, w), ic[slots.SERVED])


@kernel("int32(int64 found, int64* ic, double* w)")
def refuse_rank(found, ic, w):
    """Note that the constraint factorisation has only *found* pivots, or that it is not finite."""
    nv, m = ic[slots.NV], ic[slots.M]
    a = at(w, ic[slots.FACTORS])
    row = at(ic, ic[slots.PIVOTS])[found] if found < m else -1
    if largest(a, nv * m) >= HUGE:
        return fail(slots.NOT_FINITE, row, -1, HUGE, ic, w)
    return fail(slots.RANK_CHANGED, row, -1, abs(a[found * (nv + 1)]) if found < min(nv, m) else 0.0, ic, w)


@kernel("int32(int64* ic, double* w)")
def hold_rank(ic, w):
    """Fix the expected rank if it is not known yet; refuse when one of its rows has no pivot left."""
    if ic[slots.RANK] < 0:
        if largest(at(w, ic[slots.FACTORS]), ic[slots.NV] * ic[slots.M]) >= HUGE:
            return refuse_rank(0, ic, w)
        raise_rank(ic, w)
    rank = count_rank(slots.EXPECTED_PIVOT, ic, w)
    return refuse_rank(rank, ic, w) if rank < ic[slots.RANK] else 0


@kernel("void(int64* ic, double* w)")
def raise_rank(ic, w):
    """Let the expected rank rise to the rank found; only for states that satisfy the constraints."""
    ic[slots.RANK] = max(ic[slots.RANK], count_rank(slots.RANK_TOLERANCE, ic, w))
    ic[slots.POSITION_RANK] = max(ic[slots.POSITION_RANK], count_position_rank(slots.RANK_TOLERANCE, ic, w))


@kernel("int64(int64* ic)")
def weakest_row(ic):
    """Constraint row in use with the smallest pivot of the factorisation at hand, or -1."""
    return at(ic, ic[slots.PIVOTS])[ic[slots.RANK] - 1] if ic[slots.RANK] > 0 else -1


@kernel("void(double* residual, int64 rank, int64* ic, double* w)")
def range_part(residual, rank, ic, w):
    """x = (x₁, 0) with Rᵀ x₁ = -residual of the leading rows: Q x solves C S Q x = -residual with least length."""
    pivots, weights, x = at(ic, ic[slots.PIVOTS]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.X])
    for i in range(rank):
        x[i] = -residual[pivots[i]] * weights[pivots[i]]
    for i in range(rank, ic[slots.NV]):
        x[i] = 0.0
    solve_upper_transposed(at(w, ic[slots.FACTORS]), ic[slots.NV], rank, x)


@kernel("double(double* residual, int64 rank, int64* ic, double* w)")
def least_correction(residual, rank, ic, w):
    """x = δ̂, the shortest solution of C S δ̂ = -residual. Returns its largest component."""
    nv = ic[slots.NV]
    range_part(residual, rank, ic, w)
    x = at(w, ic[slots.X])
    apply_q(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), x)
    return largest(x, nv)


@kernel("int64(int64* ic, double* w)")
def worst_row(ic, w):
    """Constraint row with the largest scaled residual; the residual goes to w[RESIDUAL]."""
    phi, weights = at(w, ic[slots.CLOSURE_OUT]), at(w, ic[slots.WEIGHTS])
    row, worst = -1, 0.0
    for j in range(ic[slots.M]):
        size = abs(phi[j]) * weights[j]
        if not size < HUGE:
            row, worst = j, HUGE
            break
        if size > worst:
            row, worst = j, size
    w[slots.RESIDUAL] = worst
    return row


@kernel("void(double t, double* y, double fraction, int64* ic, double* w)")
def take_step(t, y, fraction, ic, w):
    """q <- kept q ⊕ fraction S x; the positions before the step are kept in STATE."""
    kept, step = at(w, ic[slots.STATE]), at(w, ic[slots.STEP])
    scale, x = at(w, ic[slots.SCALE]), at(w, ic[slots.X])
    for i in range(ic[slots.NQ]):
        y[i] = kept[i]
    for i in range(ic[slots.NV]):
        step[i] = fraction * scale[i] * x[i]
    move(t, y, step, ic, w)


@kernel("int64(double size, double last, double tolerance, int64* ic, double* w)")
def is_closed(size, last, tolerance, ic, w):
    """1 when the correction is negligible or no longer shrinks, and every row, also the unused ones, is closed."""
    if w[slots.RESIDUAL] > CLOSED or tolerance > 10.0 * slots.RANK_TOLERANCE:
        return 0
    return 1 if size < CONVERGED or size > 0.25 * last else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def project_positions(t, y, ic, w):
    """Newton with least corrections, shortened while they do not bring the worst row down. Corrects q in place.

    While the rank is unknown, pivots smaller than the last correction are not trusted: rows that only become
    dependent on the solution would give wild corrections on the way to it.
    """
    phi = at(w, ic[slots.CLOSURE_OUT])
    kept = at(w, ic[slots.STATE])
    last, tolerance, before, fraction = HUGE, 1e-3, HUGE, 1.0
    w[slots.CORRECTION] = settle(t, y, ic, w)
    for iteration in range(ic[slots.LIMIT]):
        ic[slots.ITERATIONS] = iteration + 1
        evaluate_closure(t, y, ic, w)
        factor_constraints(at(phi, ic[slots.M]), ic, w)
        row = worst_row(ic, w)
        residual = w[slots.RESIDUAL]
        if residual > max(before, 1e-6) and fraction > SHORTEST_STEP:
            fraction *= 0.25
            take_step(t, y, fraction, ic, w)
            continue
        known = ic[slots.POSITION_RANK]
        rank = known if known >= 0 else count_position_rank(tolerance, ic, w)
        if known >= 0:
            tolerance = slots.RANK_TOLERANCE
        size = least_correction(phi, rank, ic, w)
        if max(size, residual) >= HUGE:
            return fail(slots.NOT_FINITE, row, -1, residual, ic, w)
        fraction = min(1.0, LONGEST_STEP / max(size, 1e-300))
        for i in range(ic[slots.NQ]):
            kept[i] = y[i]
        take_step(t, y, fraction, ic, w)
        w[slots.CORRECTION] = max(w[slots.CORRECTION], size)
        if is_closed(size, last, tolerance, ic, w) == 1:
            return 0
        before, last = residual, size
        tolerance = max(slots.RANK_TOLERANCE, min(1e-3, size))
    return fail(slots.POSITIONS_NOT_FOUND, worst_row(ic, w), -1, w[slots.RESIDUAL], ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def correct_velocities(t, y, ic, w):
    """Least correction of v with the closure and the factors at hand. Corrects v in place."""
    nv, m = ic[slots.NV], ic[slots.M]
    v, c = at(y, ic[slots.NQ]), at(w, ic[slots.CLOSURE_OUT] + m)
    rate, scale, x = at(c, m * nv), at(w, ic[slots.SCALE]), at(w, ic[slots.X])
    for i in range(nv):
        for j in range(m):
            rate[j] += c[j + i * m] * v[i]
    code = hold_rank(ic, w)
    if code < 0:
        return code
    size = least_correction(rate, ic[slots.RANK], ic, w)
    if size >= HUGE:
        return fail(slots.NOT_FINITE, -1, -1, size, ic, w)
    for i in range(nv):
        v[i] += scale[i] * x[i]
    speed = 1e-300
    for i in range(nv):
        if scale[i] > 0.0:
            speed = max(speed, abs(v[i]) / scale[i])
    w[slots.CORRECTION] = max(w[slots.CORRECTION], size / max(speed, 1.0))
    return 0
