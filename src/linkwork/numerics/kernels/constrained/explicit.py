"""Flows of systems whose dependent states are given by formulas, for several choices of the independent ones.

A *variant* has three functions: FLOW gives [ẏ, health], STATE gives [q, v, health] with everything that is dependent,
SELECT gives the selectors (numbers behind the parameters) that belong to a state. Blocks without a formula are solved
first, by Newton's method from where the state has them. The health is 1 far from and 0 at the end of a formula; when it
falls, the variant with the best one takes over at the end of a step. All of q and v stay in the state, so that nothing
is restarted. Where no variant is left, the operations of another procedure, the *net*, take over until one is.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.placing import fail, move, settle
from linkwork.numerics.kernels.constrained.procedure import correct, evaluate
from linkwork.numerics.kernels.constrained.straight import rechart
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    Ints,
    ModelFunction,
    Record,
    RefreshFunction,
    SeriesFunction,
    array,
    borrowed,
)
from linkwork.numerics.kernels.linear.dense import HUGE, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.linear.iteration import ASTRAY, IterationPolicy, by_size, iterate
from linkwork.numerics.kernels.linear.slope import UNKNOWN, Slope, write_slope
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.policy import POLICY

# --- thresholds of the health, a squared sine -------------------------------------------------------------------------
FLOOR = 1e-9  # below it positions, velocities and accelerations have lost too many digits
WATCH = 0.1  # below it other variants are looked at
BETTER = 2.0  # how much better another one must be
FALL_BACK = 1e-2  # below it, with no better variant, the fall-back takes over
RESUME = 3e-2  # above it a variant takes over from the fall-back

BLOCK_BY_BLOCK = IterationPolicy(  # corrections are in units of the coordinate scale
    limit=10, tolerance=1e-12, rounding=1e-8, stalled=0.25, square=1e-9, root=1e-3, longest=1.0, growth=2.0, small=1e-6
)
SINGULAR = POLICY.pivot


class BlockMemory(Record):
    """A block for Newton's method: its function [Φ (n), dΦ (n, n)] and the places of its unknowns in v."""

    residual: ModelFunction
    size: int
    unknowns: Ints = borrowed()


class VariantMemory(Record):
    """Functions of a variant, and where its selectors and blocks are."""

    flow: ModelFunction
    state: ModelFunction
    select: ModelFunction
    first_selector: int
    selector_count: int
    first_iteration: int
    iteration_count: int
    series: SeriesFunction | None = None
    series_work: Floats = borrowed()
    read_count: int  # of the states that its flow reads; 0: any of them
    read: Ints = borrowed()
    slope: Slope | None = None


class Explicit(Workspace):
    """An explicitly closed system, with the memory of its flow; the lists of operations are those of its net."""

    net: int  # 1: there is one
    start_net: RefreshFunction = borrowed()  # what it begins with
    room: int  # for variants
    count: int  # of variants
    variants: list[VariantMemory] = array("room")
    block_room: int
    blocks: list[BlockMemory] = array("block_room")
    largest: int  # unknowns of a block
    system: Floats = array("largest", "largest + 1")  # Φ (m) of a block and its derivative (m, m)
    block: int  # the one that is being solved
    variant: int  # the one in use; -1: the fall-back
    behind: int  # the variant that made the last step: for output points behind its end, and where it is repeated
    first_place: int  # of the selectors in p
    pending: int  # 1 while more variants, or the net, could be prepared
    health: float  # of the best variant
    watched_time: float  # of the last state at which the variant was examined
    reads: Ints = array("n + 1")  # states that the rates of the next step read: how many, -1: any of them; and which
    exchanges: int  # how often it has changed
    entries: int  # in the log of variants
    entered: Ints = array("log_limit")  # variants
    entry_times: Floats = array("log_limit")


@kernel
def refuse(code: int, ws: Explicit) -> Code:
    """Note the failure of a variant; returns its code."""
    return fail(code, -1, -1, 0.0, ws)


@kernel
def correct_block(t: float, y: Floats, ws: Explicit) -> float:
    """One correction of the block at hand. Returns its size, < 0: failure."""
    line = ws.blocks[ws.block]
    n, unknowns = line.size, line.unknowns
    phi, x, step, scale, pivots = ws.system, ws.x, ws.step, ws.scale, ws.pivots
    jacobian = at(phi, n)
    line.residual(t, y, ws.p, phi)
    for j in range(n):
        jacobian[j * n : (j + 1) * n] *= scale[unknowns[j]]
    if factor_lu(jacobian, n, pivots, ws.row_scale, SINGULAR) >= 0:
        return float(refuse(codes.BLOCK_SINGULAR, ws))
    x[:n] = -phi[:n]
    solve_lu(jacobian, n, pivots, x)
    step[: ws.nv] = 0.0
    for i in range(n):
        step[unknowns[i]] = scale[unknowns[i]] * x[i]
    move(t, y, step, ws)
    return largest(x, n)


@kernel
def solve_blocks(t: float, y: Floats, variant: int, ws: Explicit) -> Code:
    """All blocks of a variant that need iteration, in their order."""
    line = ws.variants[variant]
    first = line.first_iteration
    if line.iteration_count > 0:
        # a unit quaternion has unit length before the conditions are looked at
        settle(t, y, ws)
    for block in range(first, first + line.iteration_count):
        ws.block = block
        code = iterate(correct_block, by_size, BLOCK_BY_BLOCK, t, y, ws)
        if ASTRAY <= code < 0:
            endless = largest(ws.x, ws.blocks[block].size) >= HUGE
            return refuse(codes.NOT_FINITE if endless else codes.NOT_CONVERGED, ws)
        if code < 0:
            return code
    return 0


@kernel
def variant_at(t: float, ws: Explicit) -> int:
    """The variant that is in use at a time; behind the end of the last step the one that made it."""
    return ws.behind if t < ws.watched_time else ws.variant


@kernel
def flow_explicit(t: float, y: Floats, ydot: Floats, ws: Explicit) -> Code:
    """ẏ by the formulas of the variant in use."""
    variant = variant_at(t, ws)
    if variant < 0:
        return evaluate(t, y, ydot, ws)
    line = ws.variants[variant]
    if line.iteration_count > 0:
        code = solve_blocks(t, y, variant, ws)
        if code < 0:
            return code
    out = ws.accelerate_out
    line.flow(t, y, ws.p, out)
    n = ws.n
    if not out[n] > FLOOR:
        return refuse(codes.BRANCH_ENDS, ws)
    ydot[:n] = out[:n]
    return 0


@kernel
def series_explicit(t: float, y: Floats, out: Floats, order: int, ws: Explicit) -> Code:
    """The power series by the formulas of the variant in use."""
    line = ws.variants[ws.variant]
    if ws.variant < 0 or line.series is None:
        return codes.NO_SERIES
    parameters, work = ws.p, line.series_work
    line.series(t, y, parameters, out, work, order)
    return 0


@kernel
def slope_explicit(t: float, y: Floats, out: Floats, ws: Explicit) -> Code:
    """∂ẏ/∂y by the formulas of the variant in use, which read its independent states alone."""
    variant = variant_at(t, ws)
    line = ws.variants[max(variant, 0)]
    if variant < 0 or line.slope is None:
        return UNKNOWN
    return write_slope(line.slope, ws.n, t, y, ws.p, out)


@kernel
def evaluate_state(t: float, y: Floats, variant: int, ws: Explicit) -> float:
    """[q, v] of a variant goes to OUT. Returns its health."""
    line = ws.variants[variant]
    out = ws.accelerate_out
    line.state(t, y, ws.p, out)
    return out[ws.nq + ws.nv]


@kernel
def select_branches(t: float, y: Floats, variant: int, ws: Explicit) -> None:
    """Set the selectors of a variant to the branches that the state is on."""
    line = ws.variants[variant]
    count = line.selector_count
    if count > 0:
        parameters = ws.p
        line.select(t, y, parameters, at(parameters, ws.first_place + line.first_selector))


@kernel
def adopt(t: float, variant: int, ws: Explicit) -> None:
    """Use a variant from now on. Until its first step has counted, that of the last step may be asked for too."""
    ws.reads[0] = -1
    if ws.entries > 0:
        ws.exchanges += 1
    ws.variant = variant
    entry = ws.entries
    if entry < ws.log_limit:
        ws.entered[entry] = variant
        ws.entry_times[entry] = t
        ws.entries = entry + 1


@kernel
def best_variant(t: float, y: Floats, ws: Explicit) -> int:
    """The variant with the best health at a state; the health goes to w[HEALTH]."""
    best = -1
    ws.health = 0.0
    for variant in range(ws.count):
        if variant != ws.variant:
            select_branches(t, y, variant, ws)
        health = evaluate_state(t, y, variant, ws)
        if health > ws.health:
            best = variant
            ws.health = health
    return best


@kernel
def reconsider(t: float, y: Floats, health: float, ws: Explicit) -> Code:
    """Change to a variant that is clearly better; near a common end of all of them, to the fall-back.

    While there are variants that have not been prepared, or the net has not, the caller is asked for them first.
    """
    if ws.pending != 0:
        return status.ATTEND
    best = best_variant(t, y, ws)
    if best >= 0 and best != ws.variant and ws.health > BETTER * health:
        adopt(t, best, ws)
        return 0
    if health < FALL_BACK and ws.net == 1:
        failure = ws.failure
        if ws.start_net(t, y, ws) < 0:
            refuse(failure, ws)
        else:
            adopt(t, -1, ws)
    return 0


@kernel
def begin_watch(t: float, ws: Explicit) -> None:
    """The end of a step has been reached: whatever is adopted now is for the next one."""
    ws.watched_time = t
    ws.behind = ws.variant
    ws.reads[0] = -1
    if ws.variant >= 0 and ws.variants[ws.variant].read_count > 0:
        line = ws.variants[ws.variant]
        ws.reads[0] = line.read_count
        for i in range(line.read_count):
            ws.reads[i + 1] = line.read[i]


@kernel
def refresh_net(t: float, y: Floats, ws: Explicit) -> Code:
    """Refresh by the net, and leave it as soon as a variant is good enough."""
    code = correct(t, y, ws)
    if code < 0 or t <= ws.watched_time:
        return code
    begin_watch(t, ws)
    best = best_variant(t, y, ws)
    if best >= 0 and ws.health > RESUME:
        adopt(t, best, ws)
    return code


@kernel
def solve_and_reconsider(t: float, y: Floats, ws: Explicit) -> Code:
    """Put the dependent part of y right, and look after the variant.

    Output points and trial points of events lie behind the end of the last step: they do not touch the variant.
    """
    variant = variant_at(t, ws)
    if variant < 0:
        return refresh_net(t, y, ws)
    code = solve_blocks(t, y, variant, ws)
    if code < 0:
        return code
    health = evaluate_state(t, y, variant, ws)
    if not health > FLOOR:
        return refuse(codes.BRANCH_ENDS, ws)
    y[: ws.nq + ws.nv] = ws.accelerate_out[: ws.nq + ws.nv]
    if t <= ws.watched_time:
        return 0
    begin_watch(t, ws)
    return reconsider(t, y, health, ws) if health < WATCH else 0


@kernel
def refresh_explicit(t: float, y: Floats, ws: Explicit) -> Code:
    """Put the state right, in charts away from their ends. While the owner is called for they can wait."""
    code = solve_and_reconsider(t, y, ws)
    if code != 0:
        return code
    return rechart(t, y, ws)


@kernel
def start_explicit(t: float, y: Floats, ws: Explicit) -> Code:
    """Find the branches of a state, and the variant to begin with: the first, unless it is near its end."""
    for variant in range(ws.count):
        select_branches(t, y, variant, ws)
    ws.watched_time = t
    ws.entries = 0
    ws.exchanges = 0
    adopt(t, 0, ws)
    health = evaluate_state(t, y, 0, ws)
    return reconsider(t, y, health, ws) if health < WATCH else 0
