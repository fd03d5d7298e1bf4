"""Coordinate partitioning with all positions integrated.

- extended: the independent velocities and all positions are integrated, the dependent velocities solved for (Paul; García
  de Jalón and Bayo, eq. 5.58). Errors of position do not grow like t, they add up; now and then they are removed.
- stabilised: all coordinates are integrated. After each step it is decided how the next one is taken (Park and Haug):
  freely; with Baumgarte's terms added to b where a row is open by more than the tolerance; with positions and velocities
  solved for, where the dependent block has a small pivot.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.choice import smallest_pivot, watch_set
from linkwork.numerics.kernels.constrained.partition import (
    explain_singular,
    factor_dependent,
    solve_positions,
)
from linkwork.numerics.kernels.constrained.placing import settle
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, open_by
from linkwork.numerics.kernels.constrained.state import solve_state
from linkwork.numerics.kernels.constrained.straight import NEGLIGIBLE
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats

WORN_BLOCK = 1e-2  # pivot of the dependent block below which Baumgarte's terms are not trusted


@kernel
def keep_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Closure and factors of the dependent block at the positions as they are."""
    ws.correction = settle(t, y, ws)
    evaluate_closure(t, y, ws)
    failed = factor_dependent(ws)
    return explain_singular(failed, ws) if failed >= 0 else 0


@kernel
def look_after_set(t: float, y: Floats, ws: Workspace) -> Code:
    """Look after the independent set at states beyond all earlier ones."""
    if t <= ws.last_time or ws.rank == 0 or ws.rank == ws.nv:
        return 0
    ws.last_time = t
    return min(watch_set(t, y, ws), 0)


@kernel
def return_dependent(t: float, y: Floats, ws: Workspace) -> Code:
    """Return the dependent positions to the conditions when a row is open by more than the tolerance."""
    moved, residual = ws.correction, open_by(ws)
    if residual > ws.tolerance:
        ws.fallbacks += 1 if t > ws.last_time else 0
        code = solve_positions(t, y, ws)
        if code < 0:
            return code
        moved = max(moved, residual)
    return 1 if moved > NEGLIGIBLE else 0


@kernel
def damp(y: Floats, ws: Workspace) -> Code:
    """b <- b + 2 α Φ̇ + β² Φ in the terms at hand, from the closure at hand, where the last step has asked for it."""
    if ws.mode != codes.DAMPED:
        return 0
    nv, m = ws.nv, ws.m
    v, phi, c, rate, b = at(y, ws.nq), ws.phi, ws.c, ws.a, ws.b
    for i in range(m):
        speed = rate[i]
        for j in range(nv):
            speed += c[i + j * m] * v[j]
        b[i] += 2.0 * ws.alpha * speed + ws.beta * ws.beta * phi[i]
    return 0


@kernel
def take_positions(t: float, y: Floats, ws: Workspace) -> Code:
    """Positions as they are, or solved for, as the last step has asked for."""
    if ws.mode == codes.SOLVED:
        return solve_state(t, y, ws)
    ws.passing = 0
    return keep_positions(t, y, ws)


@kernel
def choose_mode(t: float, y: Floats, ws: Workspace) -> Code:
    """Decide how the next step is taken; where the block is worn the state is returned to the conditions at once."""
    before, moved = ws.mode, 1 if ws.correction > NEGLIGIBLE else 0
    if t > ws.last_time:
        ws.mode = codes.DAMPED if open_by(ws) > ws.tolerance else codes.FREE
        if smallest_pivot(ws) < WORN_BLOCK:
            ws.mode = codes.SOLVED
        ws.evaluations += 1 if ws.mode == codes.DAMPED else 0
        ws.fallbacks += 1 if ws.mode == codes.SOLVED else 0
    if ws.mode == codes.SOLVED:
        code = solve_state(t, y, ws)
        if code < 0:
            return code
    return 1 if before != ws.mode else moved
