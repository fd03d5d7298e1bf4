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

from __future__ import annotations

from linkwork.numerics.kernels.constrained.input_choice import watch_inputs
from linkwork.numerics.kernels.constrained.inputs import build_r, factor_square, meet_conditions
from linkwork.numerics.kernels.constrained.projection import evaluate_closure
from linkwork.numerics.kernels.constrained.r_matrix import solve_r_method
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import dot, solve_lu_transposed
from linkwork.numerics.kernels.stepping.status import RENEWED


@kernel
def take_inputs(version: int, ws: Workspace) -> None:
    """INPUTS <- the rows of B with this number."""
    if version == ws.version:
        return
    offset, number = ws.inputs, ws.version
    ws.inputs, ws.version = ws.former_inputs, ws.former_version
    ws.former_inputs, ws.former_version = offset, number


@kernel
def keep_in_inputs(x: Floats, ws: Workspace) -> None:
    """x (nv, in the units of the momenta) <- BᵀRᵀx with R at hand."""
    nv, k = ws.nv, ws.nv - ws.rank
    unit, scale, load = ws.units, ws.scale, ws.x
    basis, inputs = ws.basis, ws.inputs
    load[:nv] = unit[:nv] * x[:nv]
    x[:nv] = 0.0
    for l in range(k):
        momentum = dot(at(basis, l * nv), load, nv)
        x[:nv] += inputs[l * nv : (l + 1) * nv] * momentum / (scale[:nv] * unit[:nv])


@kernel
def encode_anew(t: float, z: Floats, ws: Workspace) -> Code:
    """Momenta of the B in INPUTS from those of any other."""
    evaluate_closure(t, z, ws)
    code = factor_square(ws)
    if code < 0:
        return code
    build_r(ws)
    keep_in_inputs(at(z, ws.nq), ws)
    z[ws.n] = float(ws.version)
    return 1


@kernel
def hold_in_inputs(v: Floats, tau: Floats, ws: Workspace) -> None:
    """τ = −S̄ᵀM v, with the terms and the factors of [C; B] at hand."""
    nv, m, rank = ws.nv, ws.m, ws.rank
    x, scale, rows, mass = ws.x, ws.scale, ws.rows, ws.inertia
    for i in range(nv):
        x[i] = scale[i] * dot(at(mass, i * nv), v, nv)
    solve_lu_transposed(ws.lu, nv, ws.pivots, x)
    tau[:m] = 0.0
    for i in range(rank):
        tau[rows[i]] = -x[i]


@kernel
def open_inputs(t: float, z: Floats, ws: Workspace) -> Code:
    """INNER <- [q, v, s, τ] of the state z, with positions that satisfy the conditions."""
    nq, n, inner = ws.nq, ws.n, ws.inner
    inner[:n] = z[:n]
    take_inputs(int(z[n]), ws)
    code = meet_conditions(t, inner, ws)
    if code < 0:
        return code
    ws.terms(t, inner, ws.p, ws.terms_out)
    code = solve_r_method(at(inner, nq), ws)
    if code >= 0:
        hold_in_inputs(at(inner, nq), ws.impulses, ws)
    return code


@kernel
def rates_in_inputs(t: float, z: Floats, zdot: Floats, ws: Workspace) -> Code:
    """ż of all coordinates and of the momenta in the rows of B, from INNER, whose positions z takes."""
    nq, n, inner = ws.nq, ws.n, ws.inner
    z[:nq] = inner[:nq]
    ws.rates(t, inner, ws.p, zdot)
    keep_in_inputs(at(zdot, nq), ws)
    zdot[n] = 0.0
    return 0


@kernel
def decode_inputs(t: float, z: Floats, y: Floats, ws: Workspace) -> Code:
    """y from z."""
    code = open_inputs(t, z, ws)
    y[: ws.n] = ws.inner[: ws.n]
    return code


@kernel
def encode_inputs(t: float, y: Floats, z: Floats, ws: Workspace) -> Code:
    """z from y, which satisfies the conditions."""
    ws.encode(t, y, ws.p, z)
    return encode_anew(t, z, ws)


@kernel
def watch_momenta(t: float, ws: Workspace) -> Code:
    """Choose B anew where it is worn; the former one is kept for the step that ends here."""
    inputs, former = ws.inputs, ws.former_inputs
    former[: ws.nv * ws.nv] = inputs[: ws.nv * ws.nv]
    ws.former_version = ws.version
    changes = ws.changes
    code = watch_inputs(t, 1, ws)
    if ws.changes > changes:
        ws.version += 1
    return code


@kernel
def renew_inputs(t: float, z: Floats, ws: Workspace) -> Code:
    """Solve the positions of an accepted state, and encode its momenta anew where B has changed."""
    version = int(z[ws.n])
    take_inputs(version, ws)
    code = meet_conditions(t, z, ws)
    if code < 0:
        return code
    code = 0
    if t > ws.last_time:
        ws.last_time = t
        if ws.former_version > version:
            take_inputs(ws.former_version, ws)  # the step that has chosen it was given up
        else:
            code = watch_momenta(t, ws)
        if code >= 0 and ws.version != version:
            code = encode_anew(t, z, ws)
            if code >= 0:
                code = RENEWED
        if code < 0:
            return code
    return code
