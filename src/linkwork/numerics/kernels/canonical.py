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

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.augmented import raise_multipliers, solve_augmented
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.constrained import NEGLIGIBLE, project
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.linear import apply_q_transposed, solve_least
from linkwork.numerics.kernels.multipliers import solve_null_space
from linkwork.numerics.kernels.projection import reframe, settle


@kernel("void(double* v, double* tau, int64* ic, double* w)")
def impulses(v, tau, ic, w):
    """The least τ (of rows of length 1) with Cᵀ τ = π − M v, from the factors at hand.

    It changes smoothly where rows are redundant; that of a choice of independent rows jumps with the choice, and π̇ with it.
    """
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    momentum = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS])
    mass = at(momentum, nv + m)
    scale, weights, x = at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS]), at(w, ic[slots.X])
    for i in range(nv):
        total = momentum[i]
        for j in range(nv):
            total -= mass[i + j * nv] * v[j]
        x[i] = scale[i] * total
    factors, pivots = at(w, ic[slots.FACTORS]), at(ic, ic[slots.PIVOTS])
    apply_q_transposed(factors, nv, rank, at(w, ic[slots.TAU]), x)
    solve_least(factors, nv, rank, m, at(w, ic[slots.NORMS]), x)
    for i in range(m):
        tau[pivots[i]] = weights[pivots[i]] * x[i]


@kernel("int32(double t, double* z, int64* ic, double* w)")
def open_state(t, z, ic, w):
    """INNER <- [q, v, s, τ] of the state z."""
    nq, nv, ns, m = ic[slots.NQ], ic[slots.NV], ic[slots.NS], ic[slots.M]
    inner, multipliers = at(w, ic[slots.INNER]), at(w, ic[slots.MULTIPLIERS])
    v, tau = at(inner, nq), at(inner, nq + nv + ns)
    for i in range(nq + nv + ns):
        inner[i] = z[i]
    call_model(ic[slots.TERMS], t, z, doubles(ic[slots.PARAMETERS]), at(w, ic[slots.TERMS_OUT]))
    if ic[slots.AUGMENTED] == 0:
        code = solve_null_space(v, ic, w)
        if code >= 0:
            impulses(v, tau, ic, w)
        return code
    code = solve_augmented(v, ic, w)
    if code >= 0:
        raise_multipliers(v, ic, w)
        for r in range(m):
            tau[r] = multipliers[r]
    return code


@kernel("int32(double t, double* z, double* zdot, int64* ic, double* w)")
def flow_momenta(t, z, zdot, ic, w):
    """ż of all coordinates and momenta."""
    code = open_state(t, z, ic, w)
    if code >= 0:
        call_model(ic[slots.RATES], t, at(w, ic[slots.INNER]), doubles(ic[slots.PARAMETERS]), zdot)
    return code


@kernel("int32(double t, double* z, double* y, int64* ic, double* w)")
def decode_momenta(t, z, y, ic, w):
    """y from z."""
    code = open_state(t, z, ic, w)
    inner = at(w, ic[slots.INNER])
    for i in range(ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]):
        y[i] = inner[i]
    return code


@kernel("int32(double t, double* y, double* z, int64* ic, double* w)")
def encode_momenta(t, y, z, ic, w):
    """z from y, whose velocities satisfy the conditions."""
    call_model(ic[slots.ENCODE], t, y, doubles(ic[slots.PARAMETERS]), z)
    return 0


@kernel("int32(double t, double* z, int64* ic, double* w)")
def renew_momenta(t, z, ic, w):
    """Take the momenta anew, π <- M v, so that impulses of the conditions do not pile up over a run; ∫Φ goes on.

    With multipliers the state returns to its conditions first, else only to the manifold of its positions. The derivative
    must be evaluated again.
    """
    code = open_state(t, z, ic, w)
    if code < 0:
        return code
    n, count = ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], ic[slots.INTEGRALS]
    inner, integrals = at(w, ic[slots.INNER]), at(w, ic[slots.INNER] + n)
    for r in range(count):
        integrals[r] = z[n + r]
    if ic[slots.AUGMENTED] == 0:
        code = project(t, inner, ic, w)
        if code < 0:
            return code
    else:
        settle(t, inner, ic, w)
    reframe(t, inner, ic, w)
    call_model(ic[slots.ENCODE], t, inner, doubles(ic[slots.PARAMETERS]), z)
    for r in range(count):
        z[n + r] = integrals[r]
    return 1


@kernel("int32(double t, double* z, int64* ic, double* w)")
def keep_momenta(t, z, ic, w):
    """Positions return to their manifold; momenta stay as they are."""
    moved = settle(t, z, ic, w)
    if reframe(t, z, ic, w) == 1:
        return RESTART
    return 1 if moved > NEGLIGIBLE else 0
