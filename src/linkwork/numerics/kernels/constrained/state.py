"""Operations on the state of a constrained system, with multipliers and with coordinate partitioning."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.choice import choose_set, log_set, watch_set
from linkwork.numerics.kernels.constrained.multipliers import accelerate
from linkwork.numerics.kernels.constrained.operations import FINISHED
from linkwork.numerics.kernels.constrained.partition import (
    return_positions,
    solve_reduced,
    solve_velocities,
    solve_with_basis,
)
from linkwork.numerics.kernels.constrained.passage import (
    check_leap,
    creeps,
    pass_singular,
    refuse,
    remember_rows,
    take_gathered,
)
from linkwork.numerics.kernels.constrained.projection import (
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
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, largest
from linkwork.numerics.kernels.linear.slope import UNKNOWN, write_slope
from linkwork.numerics.kernels.stepping.status import RESTART

NEGLIGIBLE = 1e-12  # a projection below this leaves the derivative as it is
ENDLESS = 1e150
JUMP = 0.01  # a projection above this would put the state on another branch


@kernel
def accelerate_straight(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ of all coordinates by the straight-line acceleration where that is healthy; else it is for others to find."""
    if accelerate(t, y, ydot, ws) == 1:
        return FINISHED
    ws.fallbacks += 1
    return 0


@kernel
def accelerate_or_fail(t: float, y: Floats, ydot: Floats, ws: Workspace) -> Code:
    """ẏ of all coordinates by the straight-line acceleration, which nothing else stands behind."""
    if accelerate(t, y, ydot, ws) == 1:
        return 0
    health = ws.accelerate_out[ws.n]
    # a pivot of zero leaves no number in ẏ, but is one itself
    code = codes.MASS_SINGULAR if health <= ws.health_limit else codes.NOT_FINITE
    return fail(code, -1, -1, health, ws)


@kernel
def refuse_endless(t: float, y: Floats, ws: Workspace) -> Code:
    """Velocities whose squares are no numbers: nothing has a kinetic energy there, and steps that grow so are unstable.

    A state without a value is none of a step, but one at which an event without a value was looked for.
    """
    fastest = largest(at(y, ws.nq), ws.nv)
    return fail(codes.NOT_FINITE, -1, -1, fastest, ws) if ENDLESS <= fastest < HUGE else 0


@kernel
def series_multipliers(t: float, y: Floats, out: Floats, order: int, ws: Workspace) -> Code:
    """The power series of the straight-line acceleration, unless its pivots were poor at the last evaluation."""
    if ws.series is None or not ws.accelerate_out[ws.n] > ws.health_limit:
        return codes.NO_SERIES
    ws.series(t, y, ws.p, out, ws.series_work, order)
    return 0


@kernel
def slope_multipliers(t: float, y: Floats, out: Floats, ws: Workspace) -> Code:
    """∂ẏ/∂y of the straight-line acceleration where it is healthy."""
    if ws.slope is None or accelerate(t, y, ws.rates_out, ws) == 0:
        return UNKNOWN
    return write_slope(ws.slope, ws.n, t, y, ws.p, out)


@kernel
def close_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Correct q until Φ = 0."""
    return project_positions(t, y, ws) if ws.m > 0 else 0


@kernel
def close_velocities(t: float, y: Floats, ws: Workspace) -> Code:
    """Correct v so that C v + a = 0."""
    if ws.m == 0:
        return 0
    ws.correction = 0.0
    evaluate_closure(t, y, ws)
    factor_constraints(ws.c, ws)
    return correct_velocities(t, y, ws)


@kernel
def project(t: float, y: Floats, ws: Workspace) -> Code:
    """Correct q, then v. Returns 1 when the state has moved so much that its derivative must be evaluated again."""
    if ws.m == 0:
        return settle_state(t, y, ws)
    code = project_positions(t, y, ws)
    if code < 0:
        return code
    if ws.correction > JUMP:
        return fail(codes.POSITIONS_NOT_FOUND, weakest_row(ws), -1, ws.correction, ws)
    raise_rank(ws)
    code = correct_velocities(t, y, ws)
    if code < 0:
        return code
    if ws.correction > JUMP:
        return fail(codes.RANK_CHANGED, weakest_row(ws), -1, ws.correction, ws)
    ws.closed = 1
    return 1 if ws.correction > NEGLIGIBLE else 0


@kernel
def settle_state(t: float, y: Floats, ws: Workspace) -> Code:
    """Positions that have drifted off their manifold return to it."""
    return 1 if settle(t, y, ws) > NEGLIGIBLE else 0


@kernel
def rechart(t: float, y: Floats, ws: Workspace) -> Code:
    """Charts away from their ends."""
    return RESTART if reframe(t, y, ws) == 1 else 0


@kernel
def solve_state(t: float, y: Floats, ws: Workspace) -> Code:
    """q_D and v_D from q_I and v_I; where rows restrict velocities only, v_D from v_I and the nearest q.

    Returns 1 near a singular position that is being passed: then A and ξ are at hand, and not the factors.
    """
    ws.passing = 0
    if ws.rank == 0:
        settle(t, y, ws)
        return 0
    holonomic = ws.holonomic == ws.m
    if holonomic:
        code = pass_singular(t, y, ws)
        ws.passing = max(code, 0)
        return code
    code = return_positions(t, y, ws)
    if code == 0:
        solve_velocities(y, ws)
    return code


@kernel
def solve_rates(vdot: Floats, ws: Workspace) -> Code:
    """v̇ by the reduced equations, from the terms of a state whose dependent part was solved."""
    if ws.passing == 1:
        take_gathered(ws)
        return solve_with_basis(vdot, ws)
    return solve_reduced(vdot, ws)


@kernel
def solve_and_watch(t: float, y: Floats, ws: Workspace) -> Code:
    """Solve the dependent part of y and look after the independent set.

    Output points and trial points of events lie behind the end of the last step: they do not touch the set.
    """
    code = solve_state(t, y, ws)
    if code >= 0 and ws.rank > 0 and t > ws.near_time and creeps(t, ws) == 1:
        evaluate_closure(t, y, ws)
        return refuse(ws)
    if code != 0 or ws.rank == 0 or t <= ws.last_time:
        return min(code, 0)
    if ws.holonomic == ws.m:
        code = check_leap(t, y, ws)
        if code == 1:
            ws.passages += 1
            code = solve_state(t, y, ws)
        if code != 0:
            return min(code, 0)
        remember_rows(ws)
    ws.last_time = t
    return watch_set(t, y, ws) if ws.rank < ws.nv else 0


@kernel
def start_partition(t: float, y: Floats, ws: Workspace) -> Code:
    """Choose the first independent set and begin the log."""
    code = choose_set(t, y, ws) if ws.m > 0 else 0
    if code == 0:
        ws.last_time = t
        ws.near_time = t
        ws.pivot = 1.0
        log_set(t, ws)
        remember_rows(ws)
    return code
