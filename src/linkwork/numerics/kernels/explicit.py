"""Flows of systems whose dependent states are given by formulas, for several choices of the independent ones.

A *variant* has three functions: FLOW gives [ẏ, health], STATE gives [q, v, health] with everything that is dependent,
SELECT gives the selectors (numbers behind the parameters) that belong to a state. Blocks without a formula are solved
first, by Newton's method from where the state has them. The health is 1 far from and 0 at the end of a formula; when it
falls, the variant with the best one takes over at the end of a step. All of q and v stay in the state, so that nothing
is restarted. Where no variant is left, coordinate partitioning takes over until one is.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import control
from linkwork.numerics.kernels import explicit_slots as slots
from linkwork.numerics.kernels.calling import at, call_model, call_series, doubles, integers, kernel
from linkwork.numerics.kernels.constrained import flow_partition, refresh_partition, start_partition
from linkwork.numerics.kernels.linear import HUGE, factor_lu, largest, solve_lu
from linkwork.numerics.kernels.projection import change_charts
from linkwork.numerics.kernels.slope import UNKNOWN, write_slope

ITERATION_LIMIT = 10
CONVERGED = 1e-12  # of the last correction, in units of the coordinate scale
LONGEST_CORRECTION = 1.0
SINGULAR = 1e-10


@kernel("int32(int64 code, int64 block, int64* ic)")
def refuse(code, block, ic):
    """Note what the failure is about; returns the code."""
    ic[slots.FAILURE] = code
    ic[slots.FAILED_VARIANT] = ic[slots.VARIANT]
    ic[slots.FAILED_BLOCK] = block
    return code


@kernel("void(double t, double* y, int64* unknowns, int64 n, int64* ic, double* w)")
def correct(t, y, unknowns, n, ic, w):
    """q <- q ⊕ S x in the unknowns of a block."""
    nq, nv = ic[slots.NQ], ic[slots.NV]
    x, scale = at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    if ic[slots.RETRACT] == 0:
        for i in range(n):
            y[unknowns[i]] += scale[unknowns[i]] * x[i]
        return
    state = at(w, ic[slots.STEP])
    for i in range(nq + nv + ic[slots.NS]):
        state[i] = y[i]
    for i in range(nv):
        state[nq + i] = 0.0
    for i in range(n):
        state[nq + unknowns[i]] = scale[unknowns[i]] * x[i]
    call_model(ic[slots.RETRACT], t, state, doubles(ic[slots.PARAMETERS]), at(w, ic[slots.OUT]))
    moved = at(w, ic[slots.OUT])
    for i in range(nq):
        y[i] = moved[i]


@kernel("int32(double t, double* y, int64 block, int64* ic, double* w)")
def iterate(t, y, block, ic, w):
    """Newton's method on one block, warm started from y."""
    line = at(ic, ic[slots.ITERATIONS] + block * slots.ITERATION_LINE)
    n, unknowns = line[slots.SIZE], at(ic, line[slots.UNKNOWNS])
    phi, x, scale = at(w, ic[slots.SYSTEM]), at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    pivots, row_scale = at(ic, ic[slots.PIVOTS]), at(w, ic[slots.ROW_SCALE])
    jacobian = at(phi, n)
    last = HUGE
    for _ in range(ITERATION_LIMIT):
        call_model(line[slots.RESIDUAL], t, y, doubles(ic[slots.PARAMETERS]), phi)
        for j in range(n):
            for i in range(n):
                jacobian[i + j * n] *= scale[unknowns[j]]
        if factor_lu(jacobian, n, pivots, row_scale, SINGULAR) >= 0:
            return refuse(slots.BLOCK_SINGULAR, block, ic)
        for i in range(n):
            x[i] = -phi[i]
        solve_lu(jacobian, n, pivots, x)
        size = largest(x, n)
        if not size < LONGEST_CORRECTION or size > max(2.0 * last, 1e-6):
            return refuse(slots.NOT_FINITE if size >= HUGE else slots.NOT_CONVERGED, block, ic)
        correct(t, y, unknowns, n, ic, w)
        if size < CONVERGED or (size < 1e-8 and size > 0.25 * last):
            return 0
        # the correction after the next one would be below rounding: Newton's method squares the error
        if size < 1e-9 and last < 1e-3:
            return 0
        last = size
    return refuse(slots.NOT_CONVERGED, block, ic)


@kernel("int32(double t, double* y, int64 variant, int64* ic, double* w)")
def solve_blocks(t, y, variant, ic, w):
    """All blocks of a variant that need iteration, in their order."""
    line = at(ic, ic[slots.TABLE] + variant * slots.LINE)
    first = line[slots.FIRST_ITERATION]
    if line[slots.ITERATION_COUNT] > 0:
        # retract by nothing: a unit quaternion has unit length before the conditions are looked at
        correct(t, y, at(ic, ic[slots.ITERATIONS]), 0, ic, w)
    for block in range(first, first + line[slots.ITERATION_COUNT]):
        code = iterate(t, y, block, ic, w)
        if code < 0:
            return code
    return 0


@kernel("int64(double t, int64* ic, double* w)")
def variant_at(t, ic, w):
    """The variant that is in use at a time; behind the end of the last step the one that made it."""
    return ic[slots.BEHIND] if t < w[slots.LAST_TIME] else ic[slots.VARIANT]


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_explicit(t, y, ydot, ic, w):
    """ẏ by the formulas of the variant in use."""
    variant = variant_at(t, ic, w)
    if variant < 0:
        return flow_partition(t, y, ydot, integers(ic[slots.NET_INTEGERS]), doubles(ic[slots.NET_WORK]))
    line = at(ic, ic[slots.TABLE] + variant * slots.LINE)
    if line[slots.ITERATION_COUNT] > 0:
        code = solve_blocks(t, y, variant, ic, w)
        if code < 0:
            return code
    out = at(w, ic[slots.OUT])
    call_model(line[slots.FLOW], t, y, doubles(ic[slots.PARAMETERS]), out)
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    if not out[n] > slots.FLOOR:
        return refuse(slots.BRANCH_ENDS, -1, ic)
    for i in range(n):
        ydot[i] = out[i]
    return 0


@kernel("int32(double t, double* y, double* out, int64 order, int64* ic, double* w)")
def series_explicit(t, y, out, order, ic, w):
    """The power series by the formulas of the variant in use."""
    line = at(ic, ic[slots.TABLE] + ic[slots.VARIANT] * slots.LINE)
    if ic[slots.VARIANT] < 0 or line[slots.SERIES] == 0:
        return slots.NO_SERIES
    parameters, work = doubles(ic[slots.PARAMETERS]), doubles(line[slots.SERIES_WORK])
    call_series(line[slots.SERIES], t, y, parameters, out, work, order)
    return 0


@kernel("int32(double t, double* y, double* out, int64* ic, double* w)")
def slope_explicit(t, y, out, ic, w):
    """∂ẏ/∂y by the formulas of the variant in use, which read its independent states alone."""
    variant = variant_at(t, ic, w)
    line = at(ic, ic[slots.TABLE] + max(variant, 0) * slots.LINE)
    if variant < 0 or line[slots.SLOPE] == 0:
        return UNKNOWN
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    return write_slope(line[slots.SLOPE], n, t, y, doubles(ic[slots.PARAMETERS]), out)


@kernel("double(double t, double* y, int64 variant, int64* ic, double* w)")
def evaluate_state(t, y, variant, ic, w):
    """[q, v] of a variant goes to OUT. Returns its health."""
    line = at(ic, ic[slots.TABLE] + variant * slots.LINE)
    out = at(w, ic[slots.OUT])
    call_model(line[slots.STATE], t, y, doubles(ic[slots.PARAMETERS]), out)
    return out[ic[slots.NQ] + ic[slots.NV]]


@kernel("void(double t, double* y, int64 variant, int64* ic, double* w)")
def select_branches(t, y, variant, ic, w):
    """Set the selectors of a variant to the branches that the state is on."""
    line = at(ic, ic[slots.TABLE] + variant * slots.LINE)
    count = line[slots.SELECTOR_COUNT]
    if count > 0:
        parameters = doubles(ic[slots.PARAMETERS])
        call_model(
            line[slots.SELECT], t, y, parameters, at(parameters, ic[slots.SELECTORS] + line[slots.FIRST_SELECTOR])
        )


@kernel("void(double t, int64 variant, int64* ic, double* w)")
def adopt(t, variant, ic, w):
    """Use a variant from now on."""
    if ic[slots.LOGGED] > 0:
        ic[slots.CHANGES] += 1
    ic[slots.VARIANT] = variant
    entry = ic[slots.LOGGED]
    if entry < ic[slots.LOG_LIMIT]:
        at(ic, ic[slots.LOG])[entry] = variant
        at(w, ic[slots.LOG_TIMES])[entry] = t
        ic[slots.LOGGED] = entry + 1


@kernel("int64(double t, double* y, int64* ic, double* w)")
def best_variant(t, y, ic, w):
    """The variant with the best health at a state; the health goes to w[HEALTH]."""
    best = -1
    w[slots.HEALTH] = 0.0
    for variant in range(ic[slots.COUNT]):
        if variant != ic[slots.VARIANT]:
            select_branches(t, y, variant, ic, w)
        health = evaluate_state(t, y, variant, ic, w)
        if health > w[slots.HEALTH]:
            best = variant
            w[slots.HEALTH] = health
    return best


@kernel("int32(double t, double* y, double health, int64* ic, double* w)")
def reconsider(t, y, health, ic, w):
    """Change to a variant that is clearly better; near a common end of all of them, to the fall-back.

    While there are variants that have not been prepared, the caller is asked for them first.
    """
    if ic[slots.PENDING] != 0:
        return control.ATTEND
    best = best_variant(t, y, ic, w)
    if best >= 0 and best != ic[slots.VARIANT] and w[slots.HEALTH] > slots.BETTER * health:
        adopt(t, best, ic, w)
        return 0
    if health < slots.FALL_BACK and ic[slots.NET_INTEGERS] != 0:
        code = start_partition(t, y, integers(ic[slots.NET_INTEGERS]), doubles(ic[slots.NET_WORK]))
        if code < 0:
            return 0
        adopt(t, -1, ic, w)
    return 0


@kernel("void(double t, int64* ic, double* w)")
def begin_watch(t, ic, w):
    """The end of a step has been reached: whatever is adopted now is for the next one."""
    w[slots.LAST_TIME] = t
    ic[slots.BEHIND] = ic[slots.VARIANT]


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_net(t, y, ic, w):
    """Refresh by partitioning, and leave it as soon as a variant is good enough."""
    code = refresh_partition(t, y, integers(ic[slots.NET_INTEGERS]), doubles(ic[slots.NET_WORK]))
    if code < 0 or t <= w[slots.LAST_TIME]:
        return code
    begin_watch(t, ic, w)
    best = best_variant(t, y, ic, w)
    if best >= 0 and w[slots.HEALTH] > slots.RESUME:
        adopt(t, best, ic, w)
    return code


@kernel("int32(double t, double* y, int64* ic, double* w)")
def solve_and_reconsider(t, y, ic, w):
    """Put the dependent part of y right, and look after the variant.

    Output points and trial points of events lie behind the end of the last step: they do not touch the variant.
    """
    variant = variant_at(t, ic, w)
    if variant < 0:
        return refresh_net(t, y, ic, w)
    code = solve_blocks(t, y, variant, ic, w)
    if code < 0:
        return code
    health = evaluate_state(t, y, variant, ic, w)
    if not health > slots.FLOOR:
        return refuse(slots.BRANCH_ENDS, -1, ic)
    out = at(w, ic[slots.OUT])
    for i in range(ic[slots.NQ] + ic[slots.NV]):
        y[i] = out[i]
    if t <= w[slots.LAST_TIME]:
        return 0
    begin_watch(t, ic, w)
    return reconsider(t, y, health, ic, w) if health < slots.WATCH else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_explicit(t, y, ic, w):
    """Put the state right, in charts away from their ends. While the owner is called for they can wait."""
    code = solve_and_reconsider(t, y, ic, w)
    if code != 0:
        return code
    parameters, out = doubles(ic[slots.PARAMETERS]), at(w, ic[slots.OUT])
    return control.RESTART if change_charts(ic[slots.REFRAME], t, y, ic[slots.NQ], parameters, out) == 1 else 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def start_explicit(t, y, ic, w):
    """Find the branches of a state, and the variant to begin with: the first, unless it is near its end."""
    for variant in range(ic[slots.COUNT]):
        select_branches(t, y, variant, ic, w)
    w[slots.LAST_TIME] = t
    ic[slots.VARIANT] = 0
    adopt(t, 0, ic, w)
    health = evaluate_state(t, y, 0, ic, w)
    return reconsider(t, y, health, ic, w) if health < slots.WATCH else 0
