"""Differential and algebraic equations F(t, z, ż) = 0 of constrained systems: residual, tangent, start and refresh.

z = [q, v, s, λ, ...]: behind the multipliers stand unknowns that are zero in the solution (``equations/
differential_algebraic.py``). The compiled functions know v̇ but not q̇ and ṡ, which enter with the factor 1:

    residual: (t, [z, v̇], p) → F less q̇ and ṡ
    tangent:  (t, [z, v̇], p) → entries of ∂F/∂[z, v̇], whose places are listed

Where conditions depend on each other, only independent ones are asked for: the row of another is λ = λ of the last step, or
μ = 0. Which ones they are is chosen by the pivots of (C S)ᵀ at states that satisfy the conditions, and those in use have
preference, lest multipliers wander from row to row.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.canonical import impulses
from linkwork.numerics.kernels.constrained.closing import project
from linkwork.numerics.kernels.constrained.multipliers import evaluate_terms, solve_null_space
from linkwork.numerics.kernels.constrained.placing import fail
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, factor_weighted, weigh_rows
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, largest

PREFERENCE = 0.1  # length of rows that are not in use, beside those that are


@kernel
def fill_arguments(t: float, z: Floats, k: Floats, ws: Workspace) -> None:
    """DAE_IN <- [z, v̇]."""
    n, nq, given = ws.dae_size, ws.nq, ws.dae_in
    given[:n] = z[:n]
    given[n : n + ws.nv] = k[nq : nq + ws.nv]


@kernel
def residual(t: float, z: Floats, k: Floats, f: Floats, ws: Workspace) -> Code:
    """F(t, z, k) (n)."""
    nq, ns, m, n = ws.nq, ws.ns, ws.m, ws.dae_size
    first, own = nq + ws.nv + ns, nq + ws.nv
    fill_arguments(t, z, k, ws)
    ws.dae_residual(t, ws.dae_in, ws.p, f)
    f[:nq] += k[:nq]
    f[own:first] += k[own:first]
    rows, held = ws.rows, ws.first_multipliers
    for i in range(max(ws.rank, 0), m):
        f[first + rows[i]] = z[first + rows[i]] - held[rows[i]]
        if rows[i] < ws.dae_stabilised:
            f[first + m + rows[i]] = z[first + m + rows[i]]
    if largest(f, n) >= HUGE:
        return fail(codes.NOT_FINITE, -1, -1, HUGE, ws)
    return 0


@kernel
def hold(row: int, n: int, fz: Floats, fk: Floats) -> None:
    """The tangent of a row that asks for a given value of its own unknown."""
    for j in range(n):
        fz[row + j * n] = 0.0
        fk[row + j * n] = 0.0
    fz[row * (n + 1)] = 1.0


@kernel
def tangent(t: float, z: Floats, k: Floats, fz: Floats, fk: Floats, ws: Workspace) -> Code:
    """∂F/∂z and ∂F/∂k (n, n)."""
    nq, ns, m, n = ws.nq, ws.ns, ws.m, ws.dae_size
    first, own = nq + ws.nv + ns, nq + ws.nv
    entries, places = ws.dae_entries, ws.dae_places
    fill_arguments(t, z, k, ws)
    ws.dae_tangent(t, ws.dae_in, ws.p, entries)
    fz[: n * n] = 0.0
    fk[: n * n] = 0.0
    for e in range(ws.dae_count):
        if places[e] < n * n:
            fz[places[e]] = entries[e]
        else:
            fk[places[e] - n * n] = entries[e]
    for i in range(nq):
        fk[i * (n + 1)] = 1.0
    for i in range(own, first):
        fk[i * (n + 1)] = 1.0
    rows = ws.rows
    for i in range(max(ws.rank, 0), m):
        hold(first + rows[i], n, fz, fk)
        if rows[i] < ws.dae_stabilised:
            hold(first + m + rows[i], n, fz, fk)
    if largest(entries, ws.dae_count) >= HUGE:
        return fail(codes.NOT_FINITE, -1, -1, HUGE, ws)
    return 0


@kernel
def rest(t: float, z: Floats, zdot: Floats, ws: Workspace) -> Code:
    """ż = 0 where a state has no equation of its own."""
    zdot[ws.n : ws.dae_size] = 0.0
    return 0


@kernel
def encode(t: float, y: Floats, z: Floats, ws: Workspace) -> Code:
    """z of a state that satisfies its conditions, with the multipliers of its accelerations, least ones where redundant."""
    nq, first, m = ws.nq, ws.n, ws.m
    rates, found = ws.rates_out, ws.multipliers
    for i in range(ws.dae_size):
        z[i] = y[i] if i < first else 0.0
    ws.last_time = t
    if m == 0:
        return 0
    evaluate_terms(t, y, rates, ws)
    code = solve_null_space(at(rates, nq), ws)
    if code < 0:
        return code
    pivots, rows, held = ws.pivots, ws.rows, ws.first_multipliers
    impulses(at(rates, nq), found, ws)
    rows[:m] = pivots[:m]
    z[first : first + m] = -found[:m]
    held[:m] = -found[:m]
    return 0


@kernel
def decode(t: float, z: Floats, y: Floats, ws: Workspace) -> Code:
    """y from z."""
    y[: ws.n] = z[: ws.n]
    return 0


@kernel
def decode_projection(t: float, z: Floats, y: Floats, ws: Workspace) -> Code:
    """y from z, returned to all conditions where that is possible; the steps go on from z."""
    decode(t, z, y, ws)
    if project(t, y, ws) < 0:
        decode(t, z, y, ws)
    return 0


@kernel
def choose_rows(t: float, z: Floats, ws: Workspace) -> Code:
    """Independent rows where some depend on others, and the multipliers that the others keep.

    Output points lie behind the end of the last step: they do not touch the choice.
    """
    m, first = ws.m, ws.n
    rows, held, pivots = ws.rows, ws.first_multipliers, ws.pivots
    if ws.rank >= m or t <= ws.last_time:
        return 0
    ws.last_time = t
    evaluate_closure(t, z, ws)
    c = ws.c
    weigh_rows(c, ws)
    for i in range(ws.rank, m):
        ws.weights[rows[i]] *= PREFERENCE
    factor_weighted(c, ws)
    rows[:m] = pivots[:m]
    held[:m] = z[first : first + m]
    return 0


@kernel
def evaluate_anew(t: float, z: Floats, ws: Workspace) -> Code:
    """The rates of an accepted state are taken anew: accelerations of index 3 alternate, and that would pile up."""
    return 1


@kernel
def encode_samples(count: int, t: Floats, y: Floats, z: Floats, ws: Workspace) -> int:
    """z (count, n) of states y that satisfy their conditions; undefined where that fails. Returns the failures."""
    failures, size, shown = 0, ws.dae_size, ws.n
    for row in range(count):
        if encode(t[row], at(y, row * shown), at(z, row * size), ws) < 0:
            failures += 1
            z[row * size : (row + 1) * size] = math.nan
    return failures
