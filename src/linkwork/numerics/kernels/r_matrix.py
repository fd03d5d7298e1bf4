"""Entry points of the formulations by the matrix R of admissible velocities: flows and refreshes.

- independent: z is integrated, positions and velocities are solved for (García de Jalón and Bayo, algorithm 5-5);
- all: ż and all positions are integrated, velocities are solved for (algorithm 5-4);
- projected: all coordinates are integrated, [C; RᵀM] v̇ = [−b; Rᵀh] (eq. 5.17, algorithm 5-2).
"""

from __future__ import annotations

from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.choice import choose_rows, log_set
from linkwork.numerics.kernels.constrained import NEGLIGIBLE, refresh_manifold, refresh_projection
from linkwork.numerics.kernels.criterion import reduce_mass
from linkwork.numerics.kernels.input_choice import choose_inputs, watch_inputs
from linkwork.numerics.kernels.inputs import (
    build_r,
    build_sc,
    factor_square,
    keep_positions,
    meet_conditions,
    meet_velocities,
    solve_projected,
)
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.partition import solve_on_basis
from linkwork.numerics.kernels.passage import watch_branch
from linkwork.numerics.kernels.projection import evaluate_closure, explain_mass, reframe, weigh_rows, worst_row
from linkwork.numerics.kernels.records import Code, Floats
from linkwork.numerics.kernels.status import RESTART
from linkwork.numerics.kernels.workspace import Workspace


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
    build_sc(at(ws.terms_out, ws.nq + ws.ns + ws.nv), ws)
    build_r(ws)
    failed = solve_on_basis(vdot, ws)
    return explain_mass(-1, 0.0, ws) if failed >= 0 else 0


@kernel
def flow_independent(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ with positions and velocities solved from z and ż."""
    code = meet_conditions(t, y, ws)
    if code < 0:
        return code
    meet_velocities(y, ws)
    evaluate_terms(t, y, ydot, ws)
    return solve_r_method(at(ydot, ws.nq), ws)


@kernel
def flow_all(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ with velocities solved from ż; positions are those of the integrator."""
    code = keep_positions(t, y, ws)
    if code < 0:
        return code
    meet_velocities(y, ws)
    evaluate_terms(t, y, ydot, ws)
    return solve_r_method(at(ydot, ws.nq), ws)


@kernel
def flow_projected(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ of all coordinates by the equations that R projects."""
    code = keep_positions(t, y, ws)
    if code < 0:
        return code
    evaluate_terms(t, y, ydot, ws)
    build_r(ws)
    mass = at(ws.terms_out, ws.nq + ws.ns + ws.nv + ws.m)
    reduce_mass(mass, ws.nv - ws.rank, ws)
    failed = solve_projected(at(ydot, ws.nq), ws)
    return explain_mass(failed, 0.0, ws) if failed >= 0 else 0


@kernel
def watch(t: float, code: int, closed: int, y: Floats, ws: Workspace) -> Code:
    """Look after B at states beyond all earlier ones, then after the charts; the closure belongs to the state."""
    if t > ws.last_time:
        ws.last_time = t
        failed = watch_inputs(t, closed, ws)
        if failed < 0:
            return failed
    return RESTART if reframe(t, y, ws) == 1 else code


@kernel
def refresh_independent(t: float, y: Floats, ws: Workspace) -> Code:
    """Solve positions and velocities of an accepted state."""
    code = meet_conditions(t, y, ws)
    if code < 0:
        return code
    meet_velocities(y, ws)
    return watch(t, 0, 1, y, ws)


@kernel
def refresh_all(t: float, y: Floats, ws: Workspace) -> Code:
    """Return positions to the conditions when a row is open by more than the tolerance."""
    code = keep_positions(t, y, ws)
    if code < 0:
        return code
    weigh_rows(at(ws.closure_out, ws.m), ws)
    worst_row(ws)
    closed = 0
    if ws.residual > ws.tolerance:
        closed = 1
        ws.fallbacks += 1 if t > ws.last_time else 0
        code = meet_conditions(t, y, ws)
        if code < 0:
            return code
    moved = 1 if ws.correction > NEGLIGIBLE else 0
    meet_velocities(y, ws)
    return watch(t, moved, closed, y, ws)


@kernel
def refresh_projected(t: float, y: Floats, ws: Workspace) -> Code:
    """Return the state to the conditions by the least correction."""
    code = refresh_projection(t, y, ws)
    if code < 0:
        return code
    evaluate_closure(t, y, ws)
    return watch(t, code, 1, y, ws)


@kernel
def refresh_drifting(t: float, y: Floats, ws: Workspace) -> Code:
    """Leave the state where it is, on its branch."""
    last = ws.last_time
    code = watch_branch(t, y, ws)
    if code < 0:
        return code
    ws.last_time = last
    code = refresh_manifold(t, y, ws)
    evaluate_closure(t, y, ws)
    return watch(t, code, 0, y, ws)


@kernel
def find_r(t: float, y: Floats, ws: Workspace) -> Code:
    """R at a state, into BASIS."""
    evaluate_closure(t, y, ws)
    if factor_square(ws) >= 0:
        return -1
    build_r(ws)
    return 0
