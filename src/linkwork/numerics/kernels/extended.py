"""Coordinate partitioning with all positions integrated.

- extended: the independent velocities and all positions are integrated, the dependent velocities solved for (Paul; García
  de Jalón and Bayo, eq. 5.58). Errors of position do not grow like t, they add up; now and then they are removed.
- stabilised: all coordinates are integrated. After each step it is decided how the next one is taken (Park and Haug):
  freely; with Baumgarte's terms added to b where a row is open by more than the tolerance; with positions and velocities
  solved for, where the dependent block has a small pivot.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.choice import smallest_pivot, watch_set
from linkwork.numerics.kernels.constrained import NEGLIGIBLE, flow_partition, solve_state
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.partition import (
    explain_singular,
    factor_dependent,
    solve_positions,
    solve_reduced,
    solve_velocities,
)
from linkwork.numerics.kernels.projection import evaluate_closure, reframe, settle, weigh_rows, worst_row

WORN_BLOCK = 1e-2  # pivot of the dependent block below which Baumgarte's terms are not trusted


@kernel("int32(double t, double* y, int64* ic, double* w)")
def keep_positions(t, y, ic, w):
    """Closure and factors of the dependent block at the positions as they are."""
    w[slots.CORRECTION] = settle(t, y, ic, w)
    evaluate_closure(t, y, ic, w)
    failed = factor_dependent(ic, w)
    return explain_singular(failed, ic, w) if failed >= 0 else 0


@kernel("double(int64* ic, double* w)")
def open_by(ic, w):
    """Largest scaled residual of the closure at hand."""
    weigh_rows(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    worst_row(ic, w)
    return w[slots.RESIDUAL]


@kernel("int32(double t, int64 code, double* y, int64* ic, double* w)")
def watch_partition(t, code, y, ic, w):
    """Look after the set at states beyond all earlier ones, then after the charts."""
    if t > w[slots.LAST_TIME] and ic[slots.RANK] > 0 and ic[slots.RANK] < ic[slots.NV]:
        w[slots.LAST_TIME] = t
        failed = watch_set(t, y, ic, w)
        if failed < 0:
            return failed
    return RESTART if reframe(t, y, ic, w) == 1 else code


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_extended(t, y, ydot, ic, w):
    """ẏ with the dependent velocities solved for."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    solve_velocities(y, ic, w)
    evaluate_terms(t, y, ydot, ic, w)
    return solve_reduced(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_extended(t, y, ic, w):
    """Return the dependent positions to the conditions when a row is open by more than the tolerance."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    moved = 1 if w[slots.CORRECTION] > NEGLIGIBLE else 0
    residual = open_by(ic, w)
    if residual > w[slots.TOLERANCE]:
        ic[slots.FALLBACKS] += 1 if t > w[slots.LAST_TIME] else 0
        code = solve_positions(t, y, ic, w)
        if code < 0:
            return code
        if residual > NEGLIGIBLE:
            moved = 1
    solve_velocities(y, ic, w)
    return watch_partition(t, moved, y, ic, w)


@kernel("void(double* y, int64* ic, double* w)")
def damp(y, ic, w):
    """b <- b + 2 α Φ̇ + β² Φ in the terms at hand, from the closure at hand."""
    nv, m = ic[slots.NV], ic[slots.M]
    v, phi = at(y, ic[slots.NQ]), at(w, ic[slots.CLOSURE_OUT])
    c, b = at(phi, m), at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + nv)
    rate = at(c, m * nv)
    for i in range(m):
        speed = rate[i]
        for j in range(nv):
            speed += c[i + j * m] * v[j]
        b[i] += 2.0 * w[slots.ALPHA] * speed + w[slots.BETA] * w[slots.BETA] * phi[i]


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_stabilised(t, y, ydot, ic, w):
    """ẏ in the mode that the last step has asked for."""
    if ic[slots.MODE] == slots.SOLVED:
        return flow_partition(t, y, ydot, ic, w)
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    evaluate_terms(t, y, ydot, ic, w)
    if ic[slots.MODE] == slots.DAMPED:
        damp(y, ic, w)
    return solve_reduced(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_stabilised(t, y, ic, w):
    """Decide how the next step is taken; where the block is worn the state is returned to the conditions at once."""
    code = keep_positions(t, y, ic, w)
    if code < 0:
        return code
    before, moved = ic[slots.MODE], 1 if w[slots.CORRECTION] > NEGLIGIBLE else 0
    if t > w[slots.LAST_TIME]:
        ic[slots.MODE] = slots.DAMPED if open_by(ic, w) > w[slots.TOLERANCE] else slots.FREE
        if smallest_pivot(ic, w) < WORN_BLOCK:
            ic[slots.MODE] = slots.SOLVED
        ic[slots.EVALUATIONS] += 1 if ic[slots.MODE] == slots.DAMPED else 0
        ic[slots.FALLBACKS] += 1 if ic[slots.MODE] == slots.SOLVED else 0
    if ic[slots.MODE] == slots.SOLVED:
        code = solve_state(t, y, ic, w)
        if code < 0:
            return code
    return watch_partition(t, 1 if before != ic[slots.MODE] else moved, y, ic, w)
