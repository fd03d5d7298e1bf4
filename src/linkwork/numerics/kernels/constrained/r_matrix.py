"""Operations of the formulations by the matrix R of admissible velocities.

- independent: z is integrated, positions and velocities are solved for (García de Jalón and Bayo, algorithm 5-5);
- all: ż and all positions are integrated, velocities are solved for (algorithm 5-4);
- projected: all coordinates are integrated, [C; RᵀM] v̇ = [−b; Rᵀh] (eq. 5.17, algorithm 5-2).
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.choice import choose_rows, log_set
from linkwork.numerics.kernels.constrained.input_choice import choose_inputs, watch_inputs
from linkwork.numerics.kernels.constrained.inputs import build_r, build_sc, load_rows, meet_conditions, solve_square
from linkwork.numerics.kernels.constrained.passage import watch_branch
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, explain_mass, open_by
from linkwork.numerics.kernels.constrained.reduction import reduce_mass, solve_on_basis
from linkwork.numerics.kernels.constrained.straight import NEGLIGIBLE, settle_state
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import dot, factor_lu


@kernel
def start_inputs(t: float, y: Floats, ws: Workspace) -> Code:
    """Choose the rows of C and the first B, and begin the log."""
    evaluate_closure(t, y, ws)
    code = choose_rows(ws)
    if code == 0:
        choose_inputs(ws)
        ws.last_time = t
        log_set(t, ws)
    return code


@kernel
def solve_r_method(vdot: Floats, ws: Workspace) -> Code:
    """RᵀM R z̈ = Rᵀ(h − M S̄c), v̇ = R z̈ + S̄c, from the terms and the factors at hand."""
    build_sc(ws)
    build_r(ws)
    failed = solve_on_basis(vdot, ws)
    return explain_mass(-1, 0.0, ws) if failed >= 0 else 0


@kernel
def solve_projected_equations(vdot: Floats, ws: Workspace) -> Code:
    """[C; RᵀM] v̇ = [−b; Rᵀh] from the terms and the factors at hand."""
    build_r(ws)
    reduce_mass(ws.inertia, ws.nv - ws.rank, ws)
    nv, m, rank = ws.nv, ws.m, ws.rank
    h, c, rows = ws.h, ws.terms_c, ws.rows
    lu, scale = ws.lu, ws.scale
    for j in range(nv):
        for i in range(rank):
            lu[i + j * nv] = c[rows[i] + j * m] * scale[j]
        for l in range(nv - rank):
            lu[rank + l + j * nv] = ws.product[j + l * nv] * scale[j]
    failed = factor_lu(lu, nv, ws.pivots, ws.row_scale, 1e-13)
    if failed >= 0:
        return explain_mass(failed, 0.0, ws)
    load_rows(ws.b, vdot, ws)
    for l in range(nv - rank):
        vdot[rank + l] = dot(at(ws.basis, l * nv), h, nv)
    solve_square(vdot, ws)
    return 0


@kernel
def return_if_open(t: float, y: Floats, ws: Workspace) -> Code:
    """Return positions to the conditions when a row is open by more than the tolerance."""
    moved = ws.correction
    if open_by(ws) > ws.tolerance:
        ws.fallbacks += 1 if t > ws.last_time else 0
        code = meet_conditions(t, y, ws)
        if code < 0:
            return code
    return 1 if max(moved, ws.correction) > NEGLIGIBLE else 0


@kernel
def watch_drift(t: float, y: Floats, ws: Workspace) -> Code:
    """Refuse a step to another branch; the state is left where it is."""
    last = ws.last_time
    code = watch_branch(t, y, ws)
    if code < 0:
        return code
    ws.last_time = last
    ws.closed = 0
    return settle_state(t, y, ws)


@kernel
def look_after_inputs(t: float, y: Floats, ws: Workspace) -> Code:
    """Choose B anew where it is worn, at states beyond all earlier ones; the closure belongs to the state."""
    if t <= ws.last_time:
        return 0
    ws.last_time = t
    return min(watch_inputs(t, ws.closed, ws), 0)
