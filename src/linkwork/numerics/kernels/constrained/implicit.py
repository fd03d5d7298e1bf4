"""Stages of implicit integrators: Newton's method on the velocities, with penalties and multipliers for the conditions.

A stage asks for y = ŷ + τ ẏ at the time t, with a τ of their own for positions. With the velocities v as unknowns, q and s
follow from them (PLACE), and

    A δ = −r,   v <- v + δ,   λ* <- λ* + u + U δ

where the compiled function STAGE gives at once the residual r = f + Cᵀ (u + λ*), the forces u of the penalties, the tangent
A of r and U = ∂u/∂v. Redundant constraints and singular positions do no harm to A. Multipliers are raised when the
iteration has converged, as often as is asked for, or else after every iteration, as always those of conditions on velocities
alone.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.augmented import factor_penalised, solve_penalised
from linkwork.numerics.kernels.constrained.canonical import open_state
from linkwork.numerics.kernels.constrained.closing import project
from linkwork.numerics.kernels.constrained.multipliers import solve_null_space
from linkwork.numerics.kernels.constrained.placing import fail, reframe, settle
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, add_product, factor_lu, largest
from linkwork.numerics.kernels.linear.iteration import ASTRAY, SLOW, by_size, iterate
from linkwork.numerics.kernels.stepping.status import RESTART

HANDED_OVER = 0.9  # of the multipliers of the start, from one stage to the next
PLACINGS = 2  # corrections of positions that are not plain sums


@kernel
def place(t: float, ws: Workspace) -> None:
    """q and s of the velocities at hand."""
    nq, nv, ns = ws.nq, ws.nv, ws.ns
    given, q, s = ws.stage_in, ws.placed_q, ws.placed_s
    for _ in range(1 if ws.retract is None and ns == 0 else PLACINGS):
        ws.place(t, given, ws.p, ws.place_out)
        given[:nq] = q[:nq]
        given[nq + nv : nq + nv + ns] = s[:ns]


@kernel
def factor_tangent(ws: Workspace) -> int:
    """Factor the tangent: by Cholesky where it is symmetric and definite, else by LU. Returns 0, or -1 - column."""
    nv, tangent = ws.nv, ws.stage_tangent
    a, copy = ws.mass, ws.mass_factor
    a[: nv * nv] = tangent[: nv * nv]
    copy[: nv * nv] = tangent[: nv * nv]
    if ws.symmetric == 1:
        return factor_penalised(ws)
    ws.by_lu = 1
    return min(-1 - factor_lu(copy, nv, ws.choice, ws.row_scale, 1e-14), 0)


@kernel
def change_of_positions(ws: Workspace) -> float:
    """The largest scaled one of the last correction of velocities."""
    size, tau_q = 0.0, ws.stage_taus[1]
    for i in range(ws.nv):
        size = max(size, abs(tau_q * ws.x[i]) / ws.scale[i])
    return size


@kernel
def correct_stage(t: float, given: Floats, ws: Workspace) -> float:
    """One correction of the velocities, and of the multipliers. Returns its change of the positions, < 0: failure."""
    nv, m, x, out = ws.nv, ws.m, ws.x, ws.stage_out
    place(t, ws)
    ws.stage(t, given, ws.p, out)
    if largest(out, nv + m + 1 + nv * nv) >= HUGE:
        return float(fail(codes.NOT_FINITE, -1, -1, HUGE, ws))
    failed = factor_tangent(ws)
    if failed < 0:
        return float(fail(codes.MASS_SINGULAR, -1, -1 - failed, 0.0, ws))
    x[:nv] = -ws.stage_residual[:nv]
    solve_penalised(x, ws)
    given[ws.nq : ws.nq + nv] += x[:nv]
    find_multipliers(ws)
    raise_stage(0 if ws.augmentations < 0 else ws.holonomic, ws)
    return change_of_positions(ws)


@kernel
def find_multipliers(ws: Workspace) -> None:
    """λ = λ* + u + U δ after an iteration, into MULTIPLIERS."""
    m = ws.m
    ws.multipliers[:m] = ws.raised[:m] + ws.push[:m]
    add_product(ws.push_slope, m, ws.nv, ws.x, ws.multipliers)


@kernel
def raise_stage(first: int, ws: Workspace) -> None:
    """λ* <- λ from the row *first* on."""
    ws.raised[first : ws.m] = ws.multipliers[first : ws.m]


@kernel
def converge(t: float, ws: Workspace) -> int:
    """Iterate until the correction is below the tolerance or lost in rounding, or as often as allowed.

    Returns the number of iterations, < 0: failure.
    """
    policy = ws.stage_policy
    count = iterate(correct_stage, by_size, policy, t, ws.stage_in, ws)
    if count < ASTRAY or count > 0:
        return count
    last = change_of_positions(ws)
    if count == SLOW:
        ws.unfinished += 1
        if last <= max(policy.rounding, policy.tolerance):
            return policy.limit
    return fail(codes.STAGE_NOT_FOUND, -1, -1, last, ws)


@kernel
def solve_stage(t: float, ws: Workspace) -> int:
    """Velocities, positions, own states and multipliers of the stage in STAGE_IN. Returns the iterations, < 0: failure."""
    total = converge(t, ws)
    for _ in range(max(ws.augmentations, 0) if ws.m > 0 else 0):
        if total < 0:
            return total
        raise_stage(0, ws)
        count = converge(t, ws)
        total = total + count if count >= 0 else count
    if total < 0:
        return total
    raise_stage(0, ws)
    place(t, ws)
    ws.stages += 1
    ws.stage_iterations += total
    ws.stage_most = max(ws.stage_most, total)
    ws.worst_error = max(ws.worst_error, ws.stage_error[0])
    return total


@kernel
def read_stage(tau: float, y: Floats, hat: Floats, k: Floats, ws: Workspace) -> None:
    """k of the stage y = hat + τ k; rates of positions from the velocities."""
    nq, nv, ns = ws.nq, ws.nv, ws.ns
    k[:nq] = ws.placed_qdot[:nq]
    k[nq : nq + nv + ns] = (y[nq : nq + nv + ns] - hat[nq : nq + nv + ns]) / tau


@kernel
def fill_stage(tau_q: float, tau: float, y: Floats, hat: Floats, ws: Workspace) -> None:
    """STAGE_IN but for λ*, from a first state."""
    n, taus = ws.n, ws.stage_taus
    ws.stage_state[:n] = y[:n]
    ws.stage_hat[:n] = hat[:n]
    ws.longest = max(ws.longest, tau)
    taus[0], taus[1], taus[2] = tau, tau_q, ws.longest


@kernel
def stage_velocities(t: float, tau_q: float, tau: float, hat: Floats, y: Floats, k: Floats, ws: Workspace) -> Code:
    """A stage of y = [q, v, s]; multipliers of positions begin at zero, the others at their last values.

    At the start of a run no penalty acts yet: the multipliers of the start hand over to the penalties little by little.
    """
    n, first = ws.n, ws.first_multipliers
    fill_stage(tau_q, tau, y, hat, ws)
    first[: ws.holonomic] *= HANDED_OVER
    ws.raised[: ws.holonomic] = first[: ws.holonomic]
    count = solve_stage(t, ws)
    if count < 0:
        return count
    y[:n] = ws.stage_state[:n]
    read_stage(tau, y, hat, k, ws)
    return count


@kernel
def keep_multipliers(vdot: Floats, ws: Workspace) -> Code:
    """Those of the first state."""
    if ws.stages == 0:
        first, found = ws.first_multipliers, ws.multipliers
        first[: ws.m] = found[: ws.m]
    return 0


@kernel
def settle_quietly(t: float, y: Floats, ws: Workspace) -> Code:
    """Positions return to their manifold; the rates are as good as before."""
    settle(t, y, ws)
    return 0


@kernel
def stage_momenta(t: float, tau_q: float, tau: float, hat: Floats, z: Floats, k: Floats, ws: Workspace) -> Code:
    """A stage of z = [q, π, s]; multipliers begin at their last values."""
    code = open_state(t, z, ws)
    if code < 0:
        return code
    fill_stage(tau_q, tau, ws.inner, hat, ws)
    count = solve_stage(t, ws)
    if count < 0:
        return count
    ws.encode(t, ws.stage_in, ws.p, z)
    read_stage(tau, z, hat, k, ws)
    return count


@kernel
def rates_index_two(t: float, z: Floats, zdot: Floats, ws: Workspace) -> Code:
    """ż = [q̇, π̇, ṡ], π̇ = M v̇ + Ṁ v, with the accelerations of the state in INNER, which satisfies its conditions."""
    n, inner = ws.n, ws.inner
    parameters, given = ws.p, ws.stage_in
    ws.acceleration_terms(t, inner, parameters, ws.terms_out)
    given[:n] = inner[:n]
    code = solve_null_space(at(given, n), ws)
    if code >= 0:
        ws.rates(t, given, parameters, zdot)
    return code


@kernel
def project_momenta(t: float, z: Floats, ws: Workspace) -> Code:
    """z <- INNER returned to its conditions, where they have their rank; the rates stay as they are but for charts."""
    n, inner, given = ws.n, ws.inner, ws.stage_in
    given[:n] = inner[:n]
    if project(t, inner, ws) < 0:
        inner[:n] = given[:n]
        settle(t, inner, ws)
    changed = reframe(t, inner, ws)
    ws.encode(t, inner, ws.p, z)
    return RESTART if changed == 1 else 0
