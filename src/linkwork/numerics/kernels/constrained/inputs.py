"""Independent velocities ż = B v of any constant B, and the matrix R of the velocities that they give.

    [ C ]        [ −a ]                     [ C ]⁻¹
    [ B ]  v  =  [  ż ] ,   [ S̄  R ]  =  [ B ]   ,   C R = 0,   B R = 1

(García de Jalón and Bayo, eqs. 3.29 to 3.32 and 5.60.) S̄ is never formed: its products with −a, −b and −Φ are solutions
with ż = 0. Columns are multiplied with the scales S of the coordinates; the rows of B are stored for S⁻¹ v.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.partition import NEAR_BY, SINGULAR
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.projection import (
    count_rank,
    evaluate_closure,
    factor_constraints,
    weigh_rows,
    worst_row,
)
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.linear.iteration import ASTRAY, by_size, iterate


@kernel
def explain_square(column: int, ws: Workspace) -> Code:
    """Name why [C; B] has no pivot in *column*: not finite, rank lost, or B no longer independent of C."""
    nv, m, rank = ws.nv, ws.m, ws.rank
    pivot = abs(ws.lu[ws.pivots[column] + column * nv])
    if largest(ws.closure_out, m * (nv + 2)) >= HUGE:
        return fail(codes.NOT_FINITE, -1, column, pivot, ws)
    factor_constraints(ws.c, ws)
    found = count_rank(codes.RANK_TOLERANCE, ws)
    if found < rank:
        return fail(codes.RANK_CHANGED, ws.pivots[found], -1, pivot, ws)
    return fail(codes.DEPENDENT_SINGULAR, -1, column, pivot, ws)


@kernel
def factor_square(ws: Workspace) -> Code:
    """LU of [C S; B] from the closure at hand."""
    nv, m, rank = ws.nv, ws.m, ws.rank
    rows, inputs = ws.rows, ws.inputs
    c, lu, scale = ws.c, ws.lu, ws.scale
    for j in range(nv):
        for i in range(rank):
            lu[i + j * nv] = c[rows[i] + j * m] * scale[j]
        for l in range(nv - rank):
            lu[rank + l + j * nv] = inputs[j + l * nv]
    failed = factor_lu(lu, nv, ws.pivots, ws.row_scale, SINGULAR)
    return explain_square(failed, ws) if failed >= 0 else 0


@kernel
def solve_square(x: Floats, ws: Workspace) -> None:
    """x (nv) <- [C; B]⁻¹ x with the factors at hand."""
    solve_lu(ws.lu, ws.nv, ws.pivots, x)
    x[: ws.nv] *= ws.scale[: ws.nv]


@kernel
def load_rows(residual: Floats, x: Floats, ws: Workspace) -> None:
    """x (nv) <- [−residual of the rows in use; 0]."""
    rows, rank = ws.rows, ws.rank
    for i in range(rank):
        x[i] = -residual[rows[i]]
    x[rank : ws.nv] = 0.0


@kernel
def correct_inputs(t: float, y: Floats, ws: Workspace) -> float:
    """One correction of Φ = 0 with B δ = 0. Returns its size, < 0: failure."""
    nv, x = ws.nv, ws.x
    evaluate_closure(t, y, ws)
    code = factor_square(ws)
    if code < 0:
        return float(code)
    load_rows(ws.phi, x, ws)
    solve_lu(ws.lu, nv, ws.pivots, x)
    ws.step[:nv] = ws.scale[:nv] * x[:nv]
    move(t, y, ws.step, ws)
    size = largest(x, nv)
    ws.correction = max(ws.correction, size)
    return size


@kernel
def meet_conditions(t: float, y: Floats, ws: Workspace) -> Code:
    """Newton on Φ = 0 with B δ = 0; leaves the closure and the factors of its last iteration behind."""
    ws.correction = settle(t, y, ws)
    code = iterate(correct_inputs, by_size, NEAR_BY, t, y, ws)
    if code > 0:
        ws.closed = 1
        return 0
    if code < ASTRAY:
        return code
    weigh_rows(ws.c, ws)
    row = worst_row(ws)
    code = codes.NOT_FINITE if ws.residual >= HUGE else codes.POSITIONS_NOT_FOUND
    return fail(code, row, -1, ws.residual, ws)


@kernel
def keep_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Closure and factors at the positions as they are."""
    ws.closed = 0
    ws.correction = settle(t, y, ws)
    evaluate_closure(t, y, ws)
    return factor_square(ws)


@kernel
def meet_velocities(y: Floats, ws: Workspace) -> Code:
    """v from ż = B v and the conditions, with the closure and the factors at hand."""
    nv, rank, inputs = ws.nv, ws.rank, ws.inputs
    v, x, scale = at(y, ws.nq), ws.x, ws.scale
    load_rows(ws.a, x, ws)
    for l in range(nv - rank):
        for j in range(nv):
            x[rank + l] += inputs[j + l * nv] * v[j] / scale[j]
    solve_square(x, ws)
    v[:nv] = x[:nv]
    return 0


@kernel
def build_r(ws: Workspace) -> None:
    """BASIS (nv, k) <- R from the factors at hand."""
    nv, rank, basis = ws.nv, ws.rank, ws.basis
    for l in range(nv - rank):
        column = at(basis, l * nv)
        for i in range(nv):
            column[i] = 1.0 if i == rank + l else 0.0
        solve_square(column, ws)


@kernel
def build_sc(ws: Workspace) -> None:
    """BIAS (nv) <- v̇ at z̈ = 0."""
    load_rows(ws.b, ws.bias, ws)
    solve_square(ws.bias, ws)
