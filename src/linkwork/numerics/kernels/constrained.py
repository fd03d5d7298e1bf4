"""Entry points for constrained systems: flows and refreshes with multipliers and with coordinate partitioning."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_series, doubles, kernel
from linkwork.numerics.kernels.choice import choose_set, log_set, watch_set
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.multipliers import accelerate, evaluate_terms, solve_null_space
from linkwork.numerics.kernels.partition import return_positions, solve_reduced, solve_velocities, solve_with_basis
from linkwork.numerics.kernels.passage import (
    check_leap,
    creeps,
    pass_singular,
    refuse,
    remember_rows,
    take_gathered,
    watch_branch,
)
from linkwork.numerics.kernels.projection import (
    correct_velocities,
    evaluate_closure,
    factor_constraints,
    fail,
    project_positions,
    raise_rank,
    reframe,
    settle,
    weakest_row,
)
from linkwork.numerics.kernels.slope import UNKNOWN, write_slope

NEGLIGIBLE = 1e-12  # a projection below this leaves the derivative as it is
JUMP = 0.01  # a projection above this would put the state on another branch


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_multipliers(t, y, ydot, ic, w):
    """ẏ of all coordinates; the straight-line acceleration where it is healthy, else the null space."""
    if ic[slots.ACCELERATE] != 0:
        if accelerate(t, y, ydot, ic, w) == 1:
            return 0
        ic[slots.FALLBACKS] += 1
    evaluate_terms(t, y, ydot, ic, w)
    return solve_null_space(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, double* out, int64 order, int64* ic, double* w)")
def series_multipliers(t, y, out, order, ic, w):
    """The power series of the straight-line acceleration, unless its pivots were poor at the last evaluation."""
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    if ic[slots.SERIES] == 0 or not w[ic[slots.ACCELERATE_OUT] + n] > w[slots.HEALTH_LIMIT]:
        return slots.NO_SERIES
    call_series(ic[slots.SERIES], t, y, doubles(ic[slots.PARAMETERS]), out, doubles(ic[slots.SERIES_WORK]), order)
    return 0


@kernel("int32(double t, double* y, double* out, int64* ic, double* w)")
def slope_multipliers(t, y, out, ic, w):
    """∂ẏ/∂y of the straight-line acceleration where it is healthy."""
    if ic[slots.SLOPE] == 0 or accelerate(t, y, at(w, ic[slots.RATES_OUT]), ic, w) == 0:
        return UNKNOWN
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    return write_slope(ic[slots.SLOPE], n, t, y, doubles(ic[slots.PARAMETERS]), out)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def close_positions(t, y, ic, w):
    """Correct q until Φ = 0."""
    return project_positions(t, y, ic, w) if ic[slots.M] > 0 else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def close_velocities(t, y, ic, w):
    """Correct v so that C v + a = 0."""
    if ic[slots.M] == 0:
        return 0
    w[slots.CORRECTION] = 0.0
    evaluate_closure(t, y, ic, w)
    factor_constraints(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    return correct_velocities(t, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def project(t, y, ic, w):
    """Correct q, then v. Returns 1 when the state has moved so much that its derivative must be evaluated again."""
    if ic[slots.M] == 0:
        return 1 if settle(t, y, ic, w) > NEGLIGIBLE else 0
    code = project_positions(t, y, ic, w)
    if code < 0:
        return code
    if w[slots.CORRECTION] > JUMP:
        return fail(slots.POSITIONS_NOT_FOUND, weakest_row(ic), -1, w[slots.CORRECTION], ic, w)
    raise_rank(ic, w)
    code = correct_velocities(t, y, ic, w)
    if code < 0:
        return code
    if w[slots.CORRECTION] > JUMP:
        return fail(slots.RANK_CHANGED, weakest_row(ic), -1, w[slots.CORRECTION], ic, w)
    return 1 if w[slots.CORRECTION] > NEGLIGIBLE else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_projection(t, y, ic, w):
    """Return the state to its constraints, in charts away from their ends."""
    code = project(t, y, ic, w)
    if code < 0:
        return code
    return RESTART if reframe(t, y, ic, w) == 1 else code


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_manifold(t, y, ic, w):
    """Without a projection: positions that have drifted off their manifold return to it, in charts away from their ends."""
    moved = settle(t, y, ic, w)
    if reframe(t, y, ic, w) == 1:
        return RESTART
    return 1 if moved > NEGLIGIBLE else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_drifting(t, y, ic, w):
    """The same, with an eye on positions where a motion that drifts may leave its branch."""
    code = watch_branch(t, y, ic, w)
    return code if code < 0 else refresh_manifold(t, y, ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def solve_state(t, y, ic, w):
    """q_D and v_D from q_I and v_I; where rows restrict velocities only, v_D from v_I and the nearest q.

    Returns 1 near a singular position that is being passed: then A and ξ are at hand, and not the factors.
    """
    if ic[slots.RANK] == 0:
        settle(t, y, ic, w)
        return 0
    holonomic = ic[slots.HOLONOMIC] == ic[slots.M]
    if holonomic:
        return pass_singular(t, y, ic, w)
    code = return_positions(t, y, ic, w)
    if code == 0:
        solve_velocities(y, ic, w)
    return code


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_partition(t, y, ydot, ic, w):
    """ẏ by the reduced equations; the dependent part of y is solved, not integrated."""
    code = solve_state(t, y, ic, w)
    if code < 0:
        return code
    evaluate_terms(t, y, ydot, ic, w)
    if code == 1:
        take_gathered(ic, w)
        return solve_with_basis(at(ydot, ic[slots.NQ]), ic, w)
    return solve_reduced(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def solve_and_watch(t, y, ic, w):
    """Solve the dependent part of y and look after the independent set.

    Output points and trial points of events lie behind the end of the last step: they do not touch the set.
    """
    code = solve_state(t, y, ic, w)
    if code >= 0 and ic[slots.RANK] > 0 and t > w[slots.NEAR_TIME] and creeps(t, ic, w) == 1:
        evaluate_closure(t, y, ic, w)
        return refuse(ic, w)
    if code != 0 or ic[slots.RANK] == 0 or t <= w[slots.LAST_TIME]:
        return min(code, 0)
    if ic[slots.HOLONOMIC] == ic[slots.M]:
        code = check_leap(t, y, ic, w)
        if code == 1:
            ic[slots.PASSAGES] += 1
            code = solve_state(t, y, ic, w)
        if code != 0:
            return min(code, 0)
        remember_rows(ic, w)
    w[slots.LAST_TIME] = t
    return watch_set(t, y, ic, w) if ic[slots.RANK] < ic[slots.NV] else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_partition(t, y, ic, w):
    """Put the state right, in charts away from their ends; the independent set does not depend on the charts."""
    code = solve_and_watch(t, y, ic, w)
    if code < 0:
        return code
    return RESTART if reframe(t, y, ic, w) == 1 else code


@kernel("int32(double t, double* y, int64* ic, double* w)")
def start_partition(t, y, ic, w):
    """Choose the first independent set and begin the log."""
    code = choose_set(t, y, ic, w) if ic[slots.M] > 0 else 0
    if code == 0:
        w[slots.LAST_TIME] = t
        w[slots.NEAR_TIME] = t
        w[slots.PIVOT] = 1.0
        log_set(t, ic, w)
        remember_rows(ic, w)
    return code
