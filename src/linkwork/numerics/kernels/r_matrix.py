"""Entry points of the formulations by the matrix R of admissible velocities: flows and refreshes.

- independent: z is integrated, positions and velocities are solved for (García de Jalón and Bayo, algorithm 5-5);
- all: ż and all positions are integrated, velocities are solved for (algorithm 5-4);
- projected: all coordinates are integrated, [C; RᵀM] v̇ = [−b; Rᵀh] (eq. 5.17, algorithm 5-2).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.choice import choose_rows, log_set
from linkwork.numerics.kernels.constrained import NEGLIGIBLE, refresh_manifold, refresh_projection
from linkwork.numerics.kernels.control import RESTART
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


@kernel("int32(double t, double* y, int64* ic, double* w)")
def start_inputs(t, y, ic, w):
    """Choose the rows of C and the first B, and begin the log."""
    evaluate_closure(t, y, ic, w)
    code = choose_rows(ic, w)
    if code == 0:
        choose_inputs(ic, w)
        w[slots.LAST_TIME] = t
        log_set(t, ic, w)
    return code


@kernel("int32(double* vdot, int64* ic, double* w)")
def solve_r_method(vdot, ic, w):
    """RᵀM R z̈ = Rᵀ(h − M S̄c), v̇ = R z̈ + S̄c, from the terms and the factors at hand."""
    build_sc(at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + ic[slots.NV]), ic, w)
    build_r(ic, w)
    failed = solve_on_basis(vdot, ic, w)
    return explain_mass(-1, 0.0, ic, w) if failed >= 0 else 0


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_independent(t, y, ydot, ic, w):
    """ẏ with positions and velocities solved from z and ż."""
    code = meet_conditions(t, y, ic, w)
    if code < 0:
        return code
    meet_velocities(y, ic, w)
    evaluate_terms(t, y, ydot, ic, w)
    return solve_r_method(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_all(t, y, ydot, ic, w):
    """ẏ with velocities solved from ż; positions are those of the integrator."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    meet_velocities(y, ic, w)
    evaluate_terms(t, y, ydot, ic, w)
    return solve_r_method(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_projected(t, y, ydot, ic, w):
    """ẏ of all coordinates by the equations that R projects."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    evaluate_terms(t, y, ydot, ic, w)
    build_r(ic, w)
    mass = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + ic[slots.NV] + ic[slots.M])
    reduce_mass(mass, ic[slots.NV] - ic[slots.RANK], ic, w)
    failed = solve_projected(at(ydot, ic[slots.NQ]), ic, w)
    return explain_mass(failed, 0.0, ic, w) if failed >= 0 else 0


@kernel("int32(double t, int64 code, int64 closed, double* y, int64* ic, double* w)")
def watch(t, code, closed, y, ic, w):
    """Look after B at states beyond all earlier ones, then after the charts; the closure belongs to the state."""
    if t > w[slots.LAST_TIME]:
        w[slots.LAST_TIME] = t
        failed = watch_inputs(t, closed, ic, w)
        if failed < 0:
            return failed
    return RESTART if reframe(t, y, ic, w) == 1 else code


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_independent(t, y, ic, w):
    """Solve positions and velocities of an accepted state."""
    code = meet_conditions(t, y, ic, w)
    if code < 0:
        return code
    meet_velocities(y, ic, w)
    return watch(t, 0, 1, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_all(t, y, ic, w):
    """Return positions to the conditions when a row is open by more than the tolerance."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    weigh_rows(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    worst_row(ic, w)
    closed = 0
    if w[slots.RESIDUAL] > w[slots.TOLERANCE]:
        closed = 1
        ic[slots.FALLBACKS] += 1 if t > w[slots.LAST_TIME] else 0
        code = meet_conditions(t, y, ic, w)
        if code < 0:
            return code
    moved = 1 if w[slots.CORRECTION] > NEGLIGIBLE else 0
    meet_velocities(y, ic, w)
    return watch(t, moved, closed, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_projected(t, y, ic, w):
    """Return the state to the conditions by the least correction."""
    code = refresh_projection(t, y, ic, w)
    if code < 0:
        return code
    evaluate_closure(t, y, ic, w)
    return watch(t, code, 1, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_drifting(t, y, ic, w):
    """Leave the state where it is, on its branch."""
    last = w[slots.LAST_TIME]
    code = watch_branch(t, y, ic, w)
    if code < 0:
        return code
    w[slots.LAST_TIME] = last
    code = refresh_manifold(t, y, ic, w)
    evaluate_closure(t, y, ic, w)
    return watch(t, code, 0, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def find_r(t, y, ic, w):
    """R at a state, into BASIS."""
    evaluate_closure(t, y, ic, w)
    if factor_square(ic, w) >= 0:
        return -1
    build_r(ic, w)
    return 0
