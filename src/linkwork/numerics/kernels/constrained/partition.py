"""Coordinate partitioning: independent velocities are integrated, dependent coordinates are solved for.

With v = [v_I, v_D] and as many rows of C as its rank:

    q_D from Φ = 0,   C_D v_D = -C_I v_I - a,   v̇_D = A v̇_I + ξ,   A = -C_D⁻¹ C_I,   ξ = -C_D⁻¹ b
    M' v̇_I = h',   M' = TᵀM T,   h' = Tᵀ(h - M [0; ξ]),   T = [I; A]

(Blajer, Schiehlen, Schirm, "A projective criterion to the coordinate partitioning method for multibody dynamics",
section 2; after Wehage and Haug.) All of q and v stay in the state, so that the independent set can change at any
time: nothing is restarted.

Rows that restrict velocities only make further velocities dependent, whose positions are no functions of the others.
Then all positions are integrated, and return to Φ = 0 by the smallest correction.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.projection import (
    evaluate_closure,
    explain_mass,
    look_at_rank,
    project_positions,
    weigh_rows,
    worst_row,
)
from linkwork.numerics.kernels.constrained.reduction import solve_on_basis, solve_together
from linkwork.numerics.kernels.constrained.sparse_factors import (
    factor_dependent_block,
    load_independent,
    solve_block,
    take_independent,
)
from linkwork.numerics.kernels.constrained.sparse_terms import spread_rows
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.linear.iteration import ASTRAY, IterationPolicy, by_size, iterate
from linkwork.numerics.policy import POLICY

LONGEST_CORRECTION = 1.0  # in units of the coordinate scale; more would be another branch
NEAR_BY = IterationPolicy(
    limit=8,
    tolerance=1e-12,  # of the last correction: it bounds the error of C, and so of the velocities and accelerations
    rounding=1e-8,
    stalled=0.25,
    longest=LONGEST_CORRECTION,
    growth=2.0,
    small=1e-6,
)
SINGULAR = POLICY.weak  # pivot of the dependent block relative to its row


@kernel
def factor_dependent(ws: Workspace) -> int:
    """LU of C_D S_D from the closure at hand. Returns -1 or the failing column."""
    m, rank = ws.m, ws.rank
    if ws.entrywise == 1:
        failed = factor_dependent_block(1.0, SINGULAR, ws.sparse, ws)
        ws.at_hand = 1 if failed < rank else 0
        if ws.at_hand == 1:
            return failed
        spread_rows(1.0, ws.c, ws.sparse, ws)
    c, lu, scale = ws.c, ws.lu, ws.scale
    for j in range(rank):
        column = ws.dependent[j]
        for i in range(rank):
            lu[i + j * rank] = c[ws.rows[i] + column * m] * scale[column]
    return factor_lu(lu, rank, ws.pivots, ws.row_scale, SINGULAR)


@kernel
def solve_factored(x: Floats, ws: Workspace) -> None:
    """x (rank) <- (C_D S_D)⁻¹ x with the factors at hand."""
    if ws.at_hand == 1:
        solve_block(x, ws.sparse, ws)
    else:
        solve_lu(ws.lu, ws.rank, ws.pivots, x)


@kernel
def solve_dependent(x: Floats, ws: Workspace) -> None:
    """x (rank) <- C_D⁻¹ x with the factors at hand."""
    rank, dependent, scale = ws.rank, ws.dependent, ws.scale
    solve_factored(x, ws)
    for j in range(rank):
        x[j] *= scale[dependent[j]]


@kernel
def row_of_pivot(column: int, ws: Workspace) -> int:
    """Constraint row that came nearest to a pivot in the failing *column* of the dependent block."""
    if ws.at_hand == 1:
        return ws.sparse.number[ws.sparse.rows.left[0]]
    rows, pivots, place = ws.rows, ws.pivots, ws.choice
    place[: ws.rank] = rows[: ws.rank]
    for j in range(column):
        kept = place[j]
        place[j] = place[pivots[j]]
        place[pivots[j]] = kept
    return place[pivots[column]]


@kernel
def largest_of_closure(ws: Workspace) -> float:
    """Largest magnitude in the closure at hand, or a huge number."""
    if ws.entrywise == 1:
        return largest(ws.sparse.closure_out, 2 * ws.every + ws.sparse.count)
    return largest(ws.closure_out, ws.m * (ws.nv + 2))


@kernel
def explain_singular(column: int, ws: Workspace) -> Code:
    """Name why the dependent block has no pivot in *column*: not finite, rank lost, or a dead centre of the set."""
    rank = ws.rank
    coordinate = ws.dependent[column]
    row = row_of_pivot(column, ws)
    pivot = ws.sparse.rows.left_sizes[0] if ws.at_hand == 1 else abs(ws.lu[ws.pivots[column] + column * rank])
    if largest_of_closure(ws) >= HUGE:
        return fail(codes.NOT_FINITE, row, coordinate, pivot, ws)
    if look_at_rank(codes.RANK_TOLERANCE, ws) < rank:
        return fail(codes.RANK_CHANGED, row, coordinate, pivot, ws)
    return fail(codes.DEPENDENT_SINGULAR, row, coordinate, pivot, ws)


@kernel
def explain_open(code: int, ws: Workspace) -> Code:
    """Note which row stays open and which coordinate was asked to move most."""
    rank, x = ws.rank, ws.x
    weigh_rows(ws.c, ws)
    row = worst_row(ws)
    most = 0
    for j in range(rank):
        if abs(x[j]) > abs(x[most]):
            most = j
    return fail(code, row, ws.dependent[most], ws.residual, ws)


@kernel
def move_dependent(t: float, y: Floats, ws: Workspace) -> None:
    """q <- q ⊕ S_D x."""
    nv, rank = ws.nv, ws.rank
    dependent, x = ws.dependent, ws.x
    step, scale = ws.step, ws.scale
    step[:nv] = 0.0
    for j in range(rank):
        step[dependent[j]] = scale[dependent[j]] * x[j]
    move(t, y, step, ws)


@kernel
def correct_dependent(t: float, y: Floats, ws: Workspace) -> float:
    """One correction of q_D. Returns its size, < 0: failure."""
    rank, phi, x, rows = ws.rank, ws.phi, ws.x, ws.rows
    evaluate_closure(t, y, ws)
    failed = factor_dependent(ws)
    if failed >= 0:
        return float(explain_singular(failed, ws))
    for i in range(rank):
        x[i] = -phi[rows[i]]
    solve_factored(x, ws)
    move_dependent(t, y, ws)
    return largest(x, rank)


@kernel
def solve_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Newton on q_D, warm started from y; leaves the closure and the factors of its last iteration behind."""
    settle(t, y, ws)
    code = iterate(correct_dependent, by_size, NEAR_BY, t, y, ws)
    if ASTRAY <= code < 0:
        endless = largest(ws.x, ws.rank) >= HUGE
        return explain_open(codes.NOT_FINITE if endless else codes.POSITIONS_NOT_FOUND, ws)
    return min(code, 0)


@kernel
def return_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """All of q to Φ = 0, where more positions than velocities are independent; leaves closure and factors behind."""
    code = project_positions(t, y, ws)
    if code < 0:
        return code
    if not ws.correction < LONGEST_CORRECTION:
        return fail(codes.POSITIONS_NOT_FOUND, worst_row(ws), -1, ws.residual, ws)
    failed = factor_dependent(ws)
    return explain_singular(failed, ws) if failed >= 0 else 0


@kernel
def solve_velocities(y: Floats, ws: Workspace) -> Code:
    """v_D from v_I with the closure and the factors at hand."""
    nv, m, rank = ws.nv, ws.m, ws.rank
    v, c, x = at(y, ws.nq), ws.c, ws.x
    rows, order, rate = ws.rows, ws.order, ws.a
    for i in range(rank):
        x[i] = -rate[rows[i]]
    if ws.entrywise == 1:
        take_independent(v, ws.sparse, ws)
    else:
        for l in range(nv - rank):
            column = order[l]
            for i in range(rank):
                x[i] -= c[rows[i] + column * m] * v[column]
    solve_dependent(x, ws)
    for j in range(rank):
        v[order[nv - rank + j]] = x[j]
    return 0


@kernel
def build_basis(ws: Workspace) -> None:
    """T (nv, k) with T_I = 1, T_D = A, from the closure and the factors at hand."""
    nv, m, rank = ws.nv, ws.m, ws.rank
    rows, order = ws.rows, ws.order
    c, x, basis = ws.c, ws.x, ws.basis
    k = nv - rank
    for l in range(k):
        for i in range(k):
            basis[order[i] + l * nv] = 1.0 if i == l else 0.0
        if ws.entrywise == 1:
            load_independent(order[l], ws.sparse, ws)
        else:
            for i in range(rank):
                x[i] = -c[rows[i] + order[l] * m]
        solve_dependent(x, ws)
        for j in range(rank):
            basis[order[k + j] + l * nv] = x[j]


@kernel
def build_bias(ws: Workspace) -> None:
    """bias (nv) = [0; ξ]."""
    nv, rank, b = ws.nv, ws.rank, ws.b
    rows, order = ws.rows, ws.order
    x, bias = ws.x, ws.bias
    for i in range(rank):
        x[i] = -b[rows[i]]
    solve_dependent(x, ws)
    for i in range(nv - rank):
        bias[order[i]] = 0.0
    for j in range(rank):
        bias[order[nv - rank + j]] = x[j]


@kernel
def solve_with_basis(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms, the basis and the bias at hand."""
    failed = solve_on_basis(vdot, ws)
    if failed < 0:
        return 0
    pivot = ws.reduced[failed * (ws.nv - ws.rank + 1)]
    return explain_mass(ws.order[failed], pivot, ws)


@kernel
def solve_reduced(vdot: Floats, ws: Workspace) -> Code:
    """v̇ (nv) from the terms at hand."""
    if solve_together(vdot, ws) == 0:
        return 0
    build_bias(ws)
    build_basis(ws)
    return solve_with_basis(vdot, ws)
