"""Operations that return a state to its conditions by the smallest correction."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.placing import fail
from linkwork.numerics.kernels.constrained.projection import (
    correct_velocities,
    evaluate_closure,
    factor_constraints,
    project_positions,
    raise_rank,
    weakest_row,
)
from linkwork.numerics.kernels.constrained.straight import NEGLIGIBLE, settle_state
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats

JUMP = 0.01  # a projection above this would put the state on another branch


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
