"""Operations on states whose rates one straight-line function gives; trees need no others."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.operations import FINISHED
from linkwork.numerics.kernels.constrained.placing import fail, reframe, settle
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, largest
from linkwork.numerics.kernels.linear.slope import UNKNOWN, write_slope
from linkwork.numerics.kernels.stepping.status import RESTART

NEGLIGIBLE = 1e-12  # a projection below this leaves the derivative as it is
ENDLESS = 1e150


@kernel
def accelerate(t: float, y: Floats, ydot: Floats, ws: Workspace) -> int:
    """ẏ by the straight-line function. Returns 1 when its pivots are healthy, 0 when ẏ is not to be trusted."""
    n, out = ws.n, ws.accelerate_out
    if ws.accelerate is None:
        return 0
    ws.accelerate(t, y, ws.p, out)
    ydot[:n] = out[:n]
    return 1 if out[n] > ws.health_limit else 0


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
    # a pivot of zero leaves no number in ẏ, but is one itself; beside conditions it is theirs
    singular = codes.RANK_CHANGED if ws.m > 0 else codes.MASS_SINGULAR
    code = singular if health <= ws.health_limit else codes.NOT_FINITE
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
def settle_state(t: float, y: Floats, ws: Workspace) -> Code:
    """Positions that have drifted off their manifold return to it."""
    return 1 if settle(t, y, ws) > NEGLIGIBLE else 0


@kernel
def rechart(t: float, y: Floats, ws: Workspace) -> Code:
    """Charts away from their ends."""
    return RESTART if reframe(t, y, ws) == 1 else 0
