"""Flows of systems whose dependent states are given by formulas, for several choices of the independent ones.

A *variant* has three functions: FLOW gives [ẏ, health], STATE gives [q, v, health] with everything that is dependent,
SELECT gives the selectors (numbers behind the parameters) that belong to a state. Blocks without a formula are solved
first, by Newton's method from where the state has them. The health is 1 far from and 0 at the end of a formula; when it
falls, the variant with the best one takes over at the end of a step. All of q and v stay in the state, so that nothing
is restarted. Where no variant is left, coordinate partitioning takes over until one is.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.projection import change_charts
from linkwork.numerics.kernels.constrained.state import flow_partition, rechart, solve_and_watch, start_partition
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    Ints,
    ModelFunction,
    Record,
    SeriesFunction,
    array,
    borrowed,
)
from linkwork.numerics.kernels.linear.dense import HUGE, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.linear.iteration import ASTRAY, IterationPolicy, by_size, iterate
from linkwork.numerics.kernels.linear.slope import UNKNOWN, Slope, write_slope
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.policy import POLICY

# --- failure codes ----------------------------------------------------------------------------------------------------
BRANCH_ENDS = -21
NOT_CONVERGED = -22
BLOCK_SINGULAR = -23
NOT_FINITE = -15
NO_SERIES = -24

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
    slope: Slope | None = None


class Explicit(Record):
    """An explicitly closed system, with the memory of its flow."""

    nq: int
    nv: int
    ns: int
    n: int  # nq + nv + ns
    p: Floats = borrowed()
    retract: ModelFunction | None = None
    reframe: ModelFunction | None = None  # None: positions have no charts
    net: Workspace | None = None  # of a partition flow to fall back on
    room: int  # for variants
    count: int  # of variants
    variants: list[VariantMemory] = array("room")
    block_room: int
    blocks: list[BlockMemory] = array("block_room")
    largest: int  # unknowns of a block
    block: int  # the one that is being solved
    variant: int  # the one in use; -1: the fall-back
    behind: int  # the variant that made the last step: for output points behind its end, and where it is repeated
    selectors: int  # place of the first selector in p
    pending: int  # 1 while more variants could be prepared
    changes: int
    logged: int
    log_limit: int
    log: Ints = array("log_limit")  # variants
    log_times: Floats = array("log_limit")
    failure: int  # code of the last failure, 0: none
    last_time: float
    health: float
    scale: Floats = array("nv")  # typical size of each coordinate
    out: Floats = array("n + 1")  # what a function of a variant gives
    system: Floats = array("largest", "largest + 1")  # Φ (m) and its derivative (m, m)
    x: Floats = array("largest")
    row_scale: Floats = array("largest")
    pivots: Ints = array("largest")
    step: Floats = array("n")  # state handed to retract


@kernel
def refuse(code: int, system: Explicit) -> Code:
    """Note the failure; returns its code."""
    system.failure = code
    return code


@kernel
def correct(t: float, y: Floats, unknowns: Ints, n: int, system: Explicit) -> None:
    """q <- q ⊕ S x in the unknowns of a block."""
    nq, nv = system.nq, system.nv
    x, scale = system.x, system.scale
    if system.retract is None:
        for i in range(n):
            y[unknowns[i]] += scale[unknowns[i]] * x[i]
        return
    state = system.step
    state[: system.n] = y[: system.n]
    state[nq : nq + nv] = 0.0
    for i in range(n):
        state[nq + unknowns[i]] = scale[unknowns[i]] * x[i]
    system.retract(t, state, system.p, system.out)
    y[:nq] = system.out[:nq]


@kernel
def correct_block(t: float, y: Floats, system: Explicit) -> float:
    """One correction of the block at hand. Returns its size, < 0: failure."""
    line = system.blocks[system.block]
    n, unknowns = line.size, line.unknowns
    phi, x, scale, pivots = system.system, system.x, system.scale, system.pivots
    jacobian = at(phi, n)
    line.residual(t, y, system.p, phi)
    for j in range(n):
        jacobian[j * n : (j + 1) * n] *= scale[unknowns[j]]
    if factor_lu(jacobian, n, pivots, system.row_scale, SINGULAR) >= 0:
        return float(refuse(BLOCK_SINGULAR, system))
    x[:n] = -phi[:n]
    solve_lu(jacobian, n, pivots, x)
    correct(t, y, unknowns, n, system)
    return largest(x, n)


@kernel
def solve_blocks(t: float, y: Floats, variant: int, system: Explicit) -> Code:
    """All blocks of a variant that need iteration, in their order."""
    line = system.variants[variant]
    first = line.first_iteration
    if line.iteration_count > 0:
        # retract by nothing: a unit quaternion has unit length before the conditions are looked at
        correct(t, y, system.pivots, 0, system)
    for block in range(first, first + line.iteration_count):
        system.block = block
        code = iterate(correct_block, by_size, BLOCK_BY_BLOCK, t, y, system)
        if ASTRAY <= code < 0:
            endless = largest(system.x, system.blocks[block].size) >= HUGE
            return refuse(NOT_FINITE if endless else NOT_CONVERGED, system)
        if code < 0:
            return code
    return 0


@kernel
def variant_at(t: float, system: Explicit) -> int:
    """The variant that is in use at a time; behind the end of the last step the one that made it."""
    return system.behind if t < system.last_time else system.variant


@kernel
def flow_explicit(t: float, y: Floats, ydot: Floats, system: Explicit) -> Code:
    """ẏ by the formulas of the variant in use."""
    variant = variant_at(t, system)
    if variant < 0 and system.net is not None:
        return flow_partition(t, y, ydot, system.net)
    line = system.variants[variant]
    if line.iteration_count > 0:
        code = solve_blocks(t, y, variant, system)
        if code < 0:
            return code
    out = system.out
    line.flow(t, y, system.p, out)
    n = system.n
    if not out[n] > FLOOR:
        return refuse(BRANCH_ENDS, system)
    ydot[:n] = out[:n]
    return 0


@kernel
def series_explicit(t: float, y: Floats, out: Floats, order: int, system: Explicit) -> Code:
    """The power series by the formulas of the variant in use."""
    line = system.variants[system.variant]
    if system.variant < 0 or line.series is None:
        return NO_SERIES
    parameters, work = system.p, line.series_work
    line.series(t, y, parameters, out, work, order)
    return 0


@kernel
def slope_explicit(t: float, y: Floats, out: Floats, system: Explicit) -> Code:
    """∂ẏ/∂y by the formulas of the variant in use, which read its independent states alone."""
    variant = variant_at(t, system)
    line = system.variants[max(variant, 0)]
    if variant < 0 or line.slope is None:
        return UNKNOWN
    return write_slope(line.slope, system.n, t, y, system.p, out)


@kernel
def evaluate_state(t: float, y: Floats, variant: int, system: Explicit) -> float:
    """[q, v] of a variant goes to OUT. Returns its health."""
    line = system.variants[variant]
    out = system.out
    line.state(t, y, system.p, out)
    return out[system.nq + system.nv]


@kernel
def select_branches(t: float, y: Floats, variant: int, system: Explicit) -> None:
    """Set the selectors of a variant to the branches that the state is on."""
    line = system.variants[variant]
    count = line.selector_count
    if count > 0:
        parameters = system.p
        line.select(t, y, parameters, at(parameters, system.selectors + line.first_selector))


@kernel
def adopt(t: float, variant: int, system: Explicit) -> None:
    """Use a variant from now on."""
    if system.logged > 0:
        system.changes += 1
    system.variant = variant
    entry = system.logged
    if entry < system.log_limit:
        system.log[entry] = variant
        system.log_times[entry] = t
        system.logged = entry + 1


@kernel
def best_variant(t: float, y: Floats, system: Explicit) -> int:
    """The variant with the best health at a state; the health goes to w[HEALTH]."""
    best = -1
    system.health = 0.0
    for variant in range(system.count):
        if variant != system.variant:
            select_branches(t, y, variant, system)
        health = evaluate_state(t, y, variant, system)
        if health > system.health:
            best = variant
            system.health = health
    return best


@kernel
def reconsider(t: float, y: Floats, health: float, system: Explicit) -> Code:
    """Change to a variant that is clearly better; near a common end of all of them, to the fall-back.

    While there are variants that have not been prepared, the caller is asked for them first.
    """
    if system.pending != 0:
        return status.ATTEND
    best = best_variant(t, y, system)
    if best >= 0 and best != system.variant and system.health > BETTER * health:
        adopt(t, best, system)
        return 0
    if health < FALL_BACK and system.net is not None:
        code = start_partition(t, y, system.net)
        if code < 0:
            return 0
        adopt(t, -1, system)
    return 0


@kernel
def begin_watch(t: float, system: Explicit) -> None:
    """The end of a step has been reached: whatever is adopted now is for the next one."""
    system.last_time = t
    system.behind = system.variant


@kernel
def refresh_net(t: float, y: Floats, system: Explicit) -> Code:
    """Refresh by partitioning, and leave it as soon as a variant is good enough."""
    if system.net is None:
        return BRANCH_ENDS
    code = solve_and_watch(t, y, system.net)
    if code >= 0:
        code = max(code, rechart(t, y, system.net))
    if code < 0 or t <= system.last_time:
        return code
    begin_watch(t, system)
    best = best_variant(t, y, system)
    if best >= 0 and system.health > RESUME:
        adopt(t, best, system)
    return code


@kernel
def solve_and_reconsider(t: float, y: Floats, system: Explicit) -> Code:
    """Put the dependent part of y right, and look after the variant.

    Output points and trial points of events lie behind the end of the last step: they do not touch the variant.
    """
    variant = variant_at(t, system)
    if variant < 0:
        return refresh_net(t, y, system)
    code = solve_blocks(t, y, variant, system)
    if code < 0:
        return code
    health = evaluate_state(t, y, variant, system)
    if not health > FLOOR:
        return refuse(BRANCH_ENDS, system)
    y[: system.nq + system.nv] = system.out[: system.nq + system.nv]
    if t <= system.last_time:
        return 0
    begin_watch(t, system)
    return reconsider(t, y, health, system) if health < WATCH else 0


@kernel
def refresh_explicit(t: float, y: Floats, system: Explicit) -> Code:
    """Put the state right, in charts away from their ends. While the owner is called for they can wait."""
    code = solve_and_reconsider(t, y, system)
    if code != 0:
        return code
    return status.RESTART if change_charts(system.reframe, t, y, system.nq, system.p, system.out) == 1 else 0


@kernel
def start_explicit(t: float, y: Floats, system: Explicit) -> Code:
    """Find the branches of a state, and the variant to begin with: the first, unless it is near its end."""
    for variant in range(system.count):
        select_branches(t, y, variant, system)
    system.last_time = t
    system.variant = 0
    adopt(t, 0, system)
    health = evaluate_state(t, y, 0, system)
    return reconsider(t, y, health, system) if health < WATCH else 0
