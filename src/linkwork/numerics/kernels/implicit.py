"""Stages of implicit integrators: Newton's method on the velocities, with penalties and multipliers for the conditions.

A stage asks for y = ŷ + τ ẏ at the time t, with a τ of their own for positions. With the velocities v as unknowns, q and s
follow from them (PLACE), and

    A δ = −r,   v <- v + δ,   λ* <- λ* + u + U δ

where the compiled function STAGE gives at once the residual r = f + Cᵀ (u + λ*), the forces u of the penalties, the tangent
A of r and U = ∂u/∂v. Redundant conditions and singular positions do no harm to A. Multipliers are raised when the
iteration has converged, as often as is asked for, or else after every iteration, as always those of conditions on velocities
alone.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.augmented import factor_penalised, flow_augmented, solve_penalised
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.canonical import open_state
from linkwork.numerics.kernels.constrained import project
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.linear import HUGE, factor_lu, largest
from linkwork.numerics.kernels.multipliers import solve_null_space
from linkwork.numerics.kernels.projection import fail, reframe, settle

STALLED = 0.5  # of the last correction: no longer shrinking
ROUNDING = 1e-7  # scaled corrections that may stall
ASTRAY = 1e3  # a scaled correction that leads nowhere
HANDED_OVER = 0.9  # of the multipliers of the start, from one stage to the next
PLACINGS = 2  # corrections of positions that are not plain sums


@kernel("void(double t, int64* ic, double* w)")
def place(t, ic, w):
    """q and s of the velocities at hand."""
    nq, nv, ns = ic[slots.NQ], ic[slots.NV], ic[slots.NS]
    given, out = at(w, ic[slots.STAGE_IN]), at(w, ic[slots.PLACE_OUT])
    for _ in range(1 if ic[slots.RETRACT] == 0 and ns == 0 else PLACINGS):
        call_model(ic[slots.PLACE], t, given, doubles(ic[slots.PARAMETERS]), out)
        for i in range(nq):
            given[i] = out[i]
        for i in range(ns):
            given[nq + nv + i] = out[nq + i]


@kernel("int64(int64* ic, double* w)")
def factor_tangent(ic, w):
    """Factor the tangent: by Cholesky where it is symmetric and definite, else by LU. Returns 0, 1 for LU, < 0: failure."""
    nv, m = ic[slots.NV], ic[slots.M]
    tangent = at(w, ic[slots.STAGE_OUT] + nv + m + 1)
    a, copy = at(w, ic[slots.MASS]), at(w, ic[slots.MASS_FACTOR])
    for i in range(nv * nv):
        a[i] = tangent[i]
        copy[i] = tangent[i]
    if ic[slots.SYMMETRIC] == 1:
        return factor_penalised(ic, w)
    failed = factor_lu(copy, nv, at(ic, ic[slots.CHOICE]), at(w, ic[slots.ROW_SCALE]), 1e-14)
    return 1 if failed < 0 else -1 - failed


@kernel("double(double t, int64* ic, double* w)")
def iterate(t, ic, w):
    """One correction of the velocities. Returns its largest scaled change of the positions, < 0: failure."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    given, out = at(w, ic[slots.STAGE_IN]), at(w, ic[slots.STAGE_OUT])
    v, tau_q, x, scale = at(given, nq), given[2 * (nq + nv + ns) + 1], at(w, ic[slots.X]), at(w, ic[slots.SCALE])
    place(t, ic, w)
    call_model(ic[slots.STAGE], t, given, doubles(ic[slots.PARAMETERS]), out)
    if largest(out, nv + m + 1 + nv * nv) >= HUGE:
        return float(fail(slots.NOT_FINITE, -1, -1, HUGE, ic, w))
    by_lu = factor_tangent(ic, w)
    if by_lu < 0:
        return float(fail(slots.MASS_SINGULAR, -1, -1 - by_lu, 0.0, ic, w))
    for i in range(nv):
        x[i] = -out[i]
    solve_penalised(by_lu, x, ic, w)
    size = 0.0
    for i in range(nv):
        v[i] += x[i]
        size = max(size, abs(tau_q * x[i]) / scale[i])
    return size


@kernel("void(int64* ic, double* w)")
def find_multipliers(ic, w):
    """λ = λ* + u + U δ after an iteration, into MULTIPLIERS."""
    n, nv, m = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.NV], ic[slots.M]
    push, raised = at(w, ic[slots.STAGE_OUT] + nv), at(w, ic[slots.STAGE_IN] + 2 * n + 3)
    slope, x, found = at(push, m + 1 + nv * nv), at(w, ic[slots.X]), at(w, ic[slots.MULTIPLIERS])
    for r in range(m):
        total = raised[r] + push[r]
        for j in range(nv):
            total += slope[r + j * m] * x[j]
        found[r] = total


@kernel("void(int64 first, int64* ic, double* w)")
def raise_stage(first, ic, w):
    """λ* <- λ from the row *first* on."""
    n, m = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.M]
    raised, found = at(w, ic[slots.STAGE_IN] + 2 * n + 3), at(w, ic[slots.MULTIPLIERS])
    for r in range(first, m):
        raised[r] = found[r]


@kernel("int64(double t, int64* ic, double* w)")
def converge(t, ic, w):
    """Iterate until the correction is below the tolerance or lost in rounding, or as often as allowed.

    Returns the number of iterations, < 0: failure.
    """
    tolerance, last = w[slots.STAGE_TOLERANCE], HUGE
    for count in range(ic[slots.STAGE_LIMIT]):
        size = iterate(t, ic, w)
        if size < 0.0:
            return int(size)
        if size > ASTRAY:
            return fail(slots.STAGE_NOT_FOUND, -1, -1, size, ic, w)
        find_multipliers(ic, w)
        raise_stage(0 if ic[slots.AUGMENTATIONS] < 0 else ic[slots.HOLONOMIC], ic, w)
        if tolerance > 0.0 and (size <= tolerance or (size < ROUNDING and size > STALLED * last)):
            return count + 1
        last = size
    if tolerance > 0.0:
        ic[slots.UNFINISHED] += 1
        if last > max(ROUNDING, tolerance):
            return fail(slots.STAGE_NOT_FOUND, -1, -1, last, ic, w)
    return ic[slots.STAGE_LIMIT]


@kernel("int64(double t, int64* ic, double* w)")
def solve_stage(t, ic, w):
    """Velocities, positions, own states and multipliers of the stage in STAGE_IN. Returns the iterations, < 0: failure."""
    total = converge(t, ic, w)
    for _ in range(max(ic[slots.AUGMENTATIONS], 0) if ic[slots.M] > 0 else 0):
        if total < 0:
            return total
        raise_stage(0, ic, w)
        count = converge(t, ic, w)
        total = total + count if count >= 0 else count
    if total < 0:
        return total
    raise_stage(0, ic, w)
    place(t, ic, w)
    ic[slots.STAGES] += 1
    ic[slots.STAGE_ITERATIONS] += total
    ic[slots.STAGE_MOST] = max(ic[slots.STAGE_MOST], total)
    error = at(w, ic[slots.STAGE_OUT] + ic[slots.NV] + ic[slots.M])
    w[slots.WORST_ERROR] = max(w[slots.WORST_ERROR], error[0])
    return total


@kernel("void(double tau, double* y, double* hat, double* k, int64* ic, double* w)")
def read_stage(tau, y, hat, k, ic, w):
    """k of the stage y = hat + τ k; rates of positions from the velocities."""
    nq, nv, ns = ic[slots.NQ], ic[slots.NV], ic[slots.NS]
    rates = at(w, ic[slots.PLACE_OUT] + nq + ns)
    for i in range(nq):
        k[i] = rates[i]
    for i in range(nq, nq + nv + ns):
        k[i] = (y[i] - hat[i]) / tau


@kernel("void(double tau_q, double tau, double* y, double* hat, int64* ic, double* w)")
def fill_stage(tau_q, tau, y, hat, ic, w):
    """STAGE_IN but for λ*, from a first state."""
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    given = at(w, ic[slots.STAGE_IN])
    for i in range(n):
        given[i] = y[i]
        given[n + i] = hat[i]
    w[slots.LONGEST] = max(w[slots.LONGEST], tau)
    given[2 * n] = tau
    given[2 * n + 1] = tau_q
    given[2 * n + 2] = w[slots.LONGEST]


@kernel("int32(double t, double tau_q, double tau, double* hat, double* y, double* k, int64* ic, double* w)")
def stage_velocities(t, tau_q, tau, hat, y, k, ic, w):
    """A stage of y = [q, v, s]; multipliers of positions begin at zero, the others at their last values.

    At the start of a run no penalty acts yet: the multipliers of the start hand over to the penalties little by little.
    """
    n = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    given, first = at(w, ic[slots.STAGE_IN]), at(w, ic[slots.FIRST_MULTIPLIERS])
    fill_stage(tau_q, tau, y, hat, ic, w)
    for r in range(ic[slots.HOLONOMIC]):
        first[r] *= HANDED_OVER
        given[2 * n + 3 + r] = first[r]
    count = solve_stage(t, ic, w)
    if count < 0:
        return count
    for i in range(n):
        y[i] = given[i]
    read_stage(tau, y, hat, k, ic, w)
    return count


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_index_three(t, y, ydot, ic, w):
    """ẏ of a state that satisfies its conditions; the multipliers of the first one are kept."""
    code = flow_augmented(t, y, ydot, ic, w)
    if code >= 0 and ic[slots.STAGES] == 0:
        first, found = at(w, ic[slots.FIRST_MULTIPLIERS]), at(w, ic[slots.MULTIPLIERS])
        for r in range(ic[slots.M]):
            first[r] = found[r]
    return code


@kernel("int32(double t, double* y, int64* ic, double* w)")
def keep_manifold(t, y, ic, w):
    """Positions return to their manifold, in charts away from their ends; the rates are as good as before but for charts."""
    settle(t, y, ic, w)
    return RESTART if reframe(t, y, ic, w) == 1 else 0


@kernel("int32(double t, double tau_q, double tau, double* hat, double* z, double* k, int64* ic, double* w)")
def stage_momenta(t, tau_q, tau, hat, z, k, ic, w):
    """A stage of z = [q, π, s]; multipliers begin at their last values."""
    code = open_state(t, z, ic, w)
    if code < 0:
        return code
    fill_stage(tau_q, tau, at(w, ic[slots.INNER]), hat, ic, w)
    count = solve_stage(t, ic, w)
    if count < 0:
        return count
    call_model(ic[slots.ENCODE], t, at(w, ic[slots.STAGE_IN]), doubles(ic[slots.PARAMETERS]), z)
    read_stage(tau, z, hat, k, ic, w)
    return count


@kernel("int32(double t, double* z, double* zdot, int64* ic, double* w)")
def flow_index_two(t, z, zdot, ic, w):
    """ż = [q̇, π̇, ṡ], π̇ = M v̇ + Ṁ v, with the accelerations of a state that satisfies its conditions."""
    code = open_state(t, z, ic, w)
    if code < 0:
        return code
    n, inner = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], at(w, ic[slots.INNER])
    parameters, given = doubles(ic[slots.PARAMETERS]), at(w, ic[slots.STAGE_IN])
    call_model(ic[slots.ACCELERATION_TERMS], t, inner, parameters, at(w, ic[slots.TERMS_OUT]))
    for i in range(n):
        given[i] = inner[i]
    code = solve_null_space(at(given, n), ic, w)
    if code >= 0:
        call_model(ic[slots.RATES], t, given, parameters, zdot)
    return code


@kernel("int32(double t, double* z, int64* ic, double* w)")
def project_momenta(t, z, ic, w):
    """Return the state to its conditions, where they have their rank; the rates stay as they are but for charts."""
    n, inner = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], at(w, ic[slots.INNER])
    code = open_state(t, z, ic, w)
    if code < 0:
        return code
    given = at(w, ic[slots.STAGE_IN])
    for i in range(n):
        given[i] = inner[i]
    if project(t, inner, ic, w) < 0:
        for i in range(n):
            inner[i] = given[i]
        settle(t, inner, ic, w)
    changed = reframe(t, inner, ic, w)
    call_model(ic[slots.ENCODE], t, inner, doubles(ic[slots.PARAMETERS]), z)
    return RESTART if changed == 1 else 0
