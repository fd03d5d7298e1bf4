"""Flow whose states are momenta of independent velocities: z = [q, Bᵀη, s, version].

    η = RᵀM v = RᵀM R ż + RᵀM S̄(−a),   η̇ = Rᵀ(h + Ṁ v) + Ṙᵀ M v,   Ṙ = −S̄ Ċ R

(García de Jalón and Bayo, eqs. 5.111 and 5.112, algorithm 5-7.) [C; B] R = [0; 1] with a constant B gives Ṙ, and

    ṘᵀM v = RᵀĊᵀτ,   τ = −S̄ᵀM v

so that neither Ṙ nor S̄ is formed: the upper part of one solution with [C; B]ᵀ is S̄ᵀM v. With these impulses
π = M v + Cᵀτ = Bᵀη: the canonical equations of ``canonical.py`` whose momenta stay in the rows of B. Bᵀη stands in the state
in the place of η. Any velocities follow from it by any B, since RᵀBᵀη = RᵀM v for all of them.

A change of B at the end of a step encodes the momenta anew. The state itself says to which B it belongs, by a number that
does not change within a step: a step that is interpolated or repeated after the change goes on with the former B. The
functions that these kernels call are those of ``canonical.py``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.control import RENEWED, RESTART
from linkwork.numerics.kernels.input_choice import watch_inputs
from linkwork.numerics.kernels.inputs import build_r, explain_square, factor_square, meet_conditions
from linkwork.numerics.kernels.linear import dot, solve_lu_transposed
from linkwork.numerics.kernels.projection import evaluate_closure, reframe
from linkwork.numerics.kernels.r_matrix import solve_r_method


@kernel("void(int64 version, int64* ic)")
def take_inputs(version, ic):
    """INPUTS <- the rows of B with this number."""
    if version == ic[slots.VERSION]:
        return
    offset, number = ic[slots.INPUTS], ic[slots.VERSION]
    ic[slots.INPUTS], ic[slots.VERSION] = ic[slots.FORMER_INPUTS], ic[slots.FORMER_VERSION]
    ic[slots.FORMER_INPUTS], ic[slots.FORMER_VERSION] = offset, number


@kernel("void(double* x, int64* ic, double* w)")
def keep_in_inputs(x, ic, w):
    """x (nv, in the units of the momenta) <- BᵀRᵀx with R at hand."""
    nv, k = ic[slots.NV], ic[slots.NV] - ic[slots.RANK]
    unit, scale, load = at(w, ic[slots.UNITS]), at(w, ic[slots.SCALE]), at(w, ic[slots.X])
    basis, inputs = at(w, ic[slots.BASIS]), at(w, ic[slots.INPUTS])
    for j in range(nv):
        load[j] = unit[j] * x[j]
        x[j] = 0.0
    for l in range(k):
        momentum = dot(at(basis, l * nv), load, nv)
        for j in range(nv):
            x[j] += inputs[j + l * nv] * momentum / (scale[j] * unit[j])


@kernel("int32(double t, double* z, int64* ic, double* w)")
def encode_anew(t, z, ic, w):
    """Momenta of the B in INPUTS from those of any other."""
    evaluate_closure(t, z, ic, w)
    failed = factor_square(ic, w)
    if failed >= 0:
        return explain_square(failed, ic, w)
    build_r(ic, w)
    keep_in_inputs(at(z, ic[slots.NQ]), ic, w)
    z[ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]] = float(ic[slots.VERSION])
    return 1


@kernel("void(double* v, double* tau, int64* ic, double* w)")
def hold_in_inputs(v, tau, ic, w):
    """τ = −S̄ᵀM v, with the terms and the factors of [C; B] at hand."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    mass = at(w, ic[slots.TERMS_OUT] + ic[slots.NQ] + ic[slots.NS] + nv + m)
    x, scale, rows = at(w, ic[slots.X]), at(w, ic[slots.SCALE]), at(ic, ic[slots.ROWS])
    for i in range(nv):
        x[i] = scale[i] * dot(at(mass, i * nv), v, nv)
    solve_lu_transposed(at(w, ic[slots.LU]), nv, at(ic, ic[slots.PIVOTS]), x)
    for r in range(m):
        tau[r] = 0.0
    for i in range(rank):
        tau[rows[i]] = -x[i]


@kernel("int32(double t, double* z, int64* ic, double* w)")
def open_inputs(t, z, ic, w):
    """INNER <- [q, v, s, τ] of the state z, with positions that satisfy the conditions."""
    nq, nv, n = ic[slots.NQ], ic[slots.NV], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]
    inner = at(w, ic[slots.INNER])
    for i in range(n):
        inner[i] = z[i]
    take_inputs(int(z[n]), ic)
    code = meet_conditions(t, inner, ic, w)
    if code < 0:
        return code
    call_model(ic[slots.TERMS], t, inner, doubles(ic[slots.PARAMETERS]), at(w, ic[slots.TERMS_OUT]))
    code = solve_r_method(at(inner, nq), ic, w)
    if code >= 0:
        hold_in_inputs(at(inner, nq), at(inner, nq + nv + ic[slots.NS]), ic, w)
    return code


@kernel("int32(double t, double* z, double* zdot, int64* ic, double* w)")
def flow_inputs(t, z, zdot, ic, w):
    """ż of all coordinates and of the momenta in the rows of B."""
    code = open_inputs(t, z, ic, w)
    if code < 0:
        return code
    nq, n, inner = ic[slots.NQ], ic[slots.NQ] + ic[slots.NV] + ic[slots.NS], at(w, ic[slots.INNER])
    for i in range(nq):
        z[i] = inner[i]
    call_model(ic[slots.RATES], t, inner, doubles(ic[slots.PARAMETERS]), zdot)
    keep_in_inputs(at(zdot, nq), ic, w)
    zdot[n] = 0.0
    return code


@kernel("int32(double t, double* z, double* y, int64* ic, double* w)")
def decode_inputs(t, z, y, ic, w):
    """y from z."""
    code = open_inputs(t, z, ic, w)
    inner = at(w, ic[slots.INNER])
    for i in range(ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]):
        y[i] = inner[i]
    return code


@kernel("int32(double t, double* y, double* z, int64* ic, double* w)")
def encode_inputs(t, y, z, ic, w):
    """z from y, which satisfies the conditions."""
    call_model(ic[slots.ENCODE], t, y, doubles(ic[slots.PARAMETERS]), z)
    return encode_anew(t, z, ic, w)


@kernel("int32(double t, int64* ic, double* w)")
def watch_momenta(t, ic, w):
    """Choose B anew where it is worn; the former one is kept for the step that ends here."""
    inputs, former = at(w, ic[slots.INPUTS]), at(w, ic[slots.FORMER_INPUTS])
    for i in range(ic[slots.NV] * ic[slots.NV]):
        former[i] = inputs[i]
    ic[slots.FORMER_VERSION] = ic[slots.VERSION]
    changes = ic[slots.CHANGES]
    code = watch_inputs(t, 1, ic, w)
    if ic[slots.CHANGES] > changes:
        ic[slots.VERSION] += 1
    return code


@kernel("int32(double t, double* z, int64* ic, double* w)")
def refresh_inputs(t, z, ic, w):
    """Solve the positions of an accepted state, and encode its momenta anew where B has changed."""
    version = int(z[ic[slots.NQ] + ic[slots.NV] + ic[slots.NS]])
    take_inputs(version, ic)
    code = meet_conditions(t, z, ic, w)
    if code < 0:
        return code
    code = 0
    if t > w[slots.LAST_TIME]:
        w[slots.LAST_TIME] = t
        if ic[slots.FORMER_VERSION] > version:
            take_inputs(ic[slots.FORMER_VERSION], ic)  # the step that has chosen it was given up
        else:
            code = watch_momenta(t, ic, w)
        if code >= 0 and ic[slots.VERSION] != version:
            code = encode_anew(t, z, ic, w)
            if code >= 0:
                code = RENEWED
        if code < 0:
            return code
    return RESTART if reframe(t, z, ic, w) == 1 and code != RENEWED else code
