"""Positions that move on their manifold and change their charts, and what is noted where something fails."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats, ModelFunction


@kernel
def fail(code: int, row: int, coordinate: int, value: float, ws: Workspace) -> Code:
    """Note what the failure is about, for the message; returns the code."""
    ws.failure = code
    ws.failed_row = row
    ws.failed_coordinate = coordinate
    ws.failed_value = value
    return code


@kernel
def move(t: float, y: Floats, step: Floats, ws: Workspace) -> None:
    """q <- q ⊕ step, step (nv)."""
    nq, nv = ws.nq, ws.nv
    if ws.retract is None:
        y[:nq] += step[:nq]
        return
    state, moved = ws.state, ws.moved
    state[: ws.n] = y[: ws.n]
    state[nq : nq + nv] = step[:nv]
    ws.retract(t, state, ws.p, moved)
    y[:nq] = moved[:nq]


@kernel
def settle(t: float, y: Floats, ws: Workspace) -> float:
    """Retract by nothing, which brings drifted positions (unit quaternions) to where they belong. Returns the change."""
    if ws.retract is None:
        return 0.0
    before, step = ws.state, ws.step
    step[: ws.nv] = 0.0
    move(t, y, step, ws)
    change = 0.0
    for i in range(ws.nq):
        change = max(change, abs(y[i] - before[i]))
    return change


@kernel
def change_charts(function: ModelFunction | None, t: float, y: Floats, nq: int, p: Floats, out: Floats) -> int:
    """Write q in other charts where its present ones end; out (nq + 1). Returns 1 when it has become another q."""
    if function is None:
        return 0
    function(t, y, p, out)
    if out[nq] == 0.0:
        return 0
    y[:nq] = out[:nq]
    return 1


@kernel
def reframe(t: float, y: Floats, ws: Workspace) -> int:
    """Change the charts of the state where that is due. Returns 1 when its derivative must be evaluated again."""
    return change_charts(ws.reframe, t, y, ws.nq, ws.p, ws.framed)
