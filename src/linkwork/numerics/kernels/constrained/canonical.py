"""Flows whose states are momenta: z = [q, π, s, ∫Φ] instead of y = [q, v, s].

    M v = π − Cᵀ τ,   C v + e = 0        v and τ from the state
    π̇ = h + Ṁ v + Ċᵀ τ                   explicit

π is the momentum M v and, on top of it, what the conditions have given it since it was last taken anew. The first line has
the form of the equations of the accelerations, and is solved like them: by the null space of the conditions, or by
penalties with corrections. The functions that these kernels call:

    terms:  (t, z, p) → [0 (nq), 0 (ns), π (nv), e (m), M (nv, nv), C (m, nv)]
    encode: (t, y, p) → z
    rates:  (t, [q, v, s, τ], p) → ż
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.augmented import raise_multipliers, solve_augmented
from linkwork.numerics.kernels.constrained.closing import project
from linkwork.numerics.kernels.constrained.multipliers import solve_null_space
from linkwork.numerics.kernels.constrained.placing import reframe, settle
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import apply_q_transposed, solve_least


@kernel
def impulses(v: Floats, tau: Floats, ws: Workspace) -> None:
    """The least τ (of rows of length 1) with Cᵀ τ = π − M v, from the factors at hand.

    It changes smoothly where rows are redundant; that of a choice of independent rows jumps with the choice, and π̇ with it.
    """
    nv, m, rank = ws.nv, ws.m, ws.rank
    scale, weights, x = ws.scale, ws.weights, ws.x
    for i in range(nv):
        total = ws.h[i]
        for j in range(nv):
            total -= ws.inertia[i + j * nv] * v[j]
        x[i] = scale[i] * total
    factors, pivots = ws.factors, ws.pivots
    apply_q_transposed(factors, nv, rank, ws.tau, x)
    solve_least(factors, nv, rank, m, ws.norms, x)
    for i in range(m):
        tau[pivots[i]] = weights[pivots[i]] * x[i]


@kernel
def open_state(t: float, z: Floats, ws: Workspace) -> Code:
    """INNER <- [q, v, s, τ] of the state z."""
    n, m, inner = ws.n, ws.m, ws.inner
    v, tau = at(inner, ws.nq), ws.impulses
    inner[:n] = z[:n]
    ws.terms(t, z, ws.p, ws.terms_out)
    if ws.augmented == 0:
        code = solve_null_space(v, ws)
        if code >= 0:
            impulses(v, tau, ws)
        return code
    code = solve_augmented(v, ws)
    if code >= 0:
        raise_multipliers(v, ws)
        tau[:m] = ws.multipliers[:m]
    return code


@kernel
def rates_of_momenta(t: float, z: Floats, zdot: Floats, ws: Workspace) -> Code:
    """ż of all coordinates and momenta, from INNER."""
    ws.rates(t, ws.inner, ws.p, zdot)
    return 0


@kernel
def decode_momenta(t: float, z: Floats, y: Floats, ws: Workspace) -> Code:
    """y from z."""
    code = open_state(t, z, ws)
    y[: ws.n] = ws.inner[: ws.n]
    return code


@kernel
def encode_momenta(t: float, y: Floats, z: Floats, ws: Workspace) -> Code:
    """z from y, whose velocities satisfy the conditions."""
    ws.encode(t, y, ws.p, z)
    return 0


@kernel
def renew_momenta(t: float, z: Floats, ws: Workspace) -> Code:
    """Take the momenta of INNER anew, π <- M v, so that impulses of the conditions do not pile up over a run; ∫Φ goes on.

    With multipliers the state returns to its conditions first, else only to the manifold of its positions. The derivative
    must be evaluated again.
    """
    n, count = ws.n, ws.integrals
    inner, integrals = ws.inner, ws.impulses
    integrals[:count] = z[n : n + count]
    if ws.augmented == 0:
        code = project(t, inner, ws)
        if code < 0:
            return code
    else:
        settle(t, inner, ws)
    reframe(t, inner, ws)
    ws.encode(t, inner, ws.p, z)
    z[n : n + count] = integrals[:count]
    return 1
