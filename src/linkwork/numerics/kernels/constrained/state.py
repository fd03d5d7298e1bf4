"""Operations on the state of a constrained system by coordinate partitioning."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.choice import choose_set, log_set, watch_set
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
from linkwork.numerics.kernels.constrained.placing import settle
from linkwork.numerics.kernels.constrained.projection import (
    evaluate_closure,
)
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats


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
