"""Velocities that belong together: M and the conditions that always hold couple them, contacts couple islands.

Of an island with M = RᵀR and conditions C w = c of a change w of its velocities,

    R⁻ᵀCᵀ P = Q (T, 0)ᵀ,   z = Qᵀ R w:   Tᵀ z₁ = Pᵀc,   z₂ = (Qᵀ R⁻ᵀ x)₂

with x all impulses but those of conditions. So z₂ alone is free; of a row J of a contact it moves with g = Qᵀ R⁻ᵀ Jᵀ, and
Delassus' operator between two rows is the product of their g₂: symmetric, and never negative. Conditions that depend on
others have no pivot in T. Lengths of the columns of R⁻ᵀCᵀ are taken out, so that units do not matter.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.linear.dense import (
    apply_q,
    apply_q_transposed,
    dot,
    factor_cholesky,
    factor_qr,
    solve_upper,
    solve_upper_transposed,
)

DEPENDENT = 1e-9  # pivot of a condition of length one that follows from others
MASSLESS = -1  # what comes back where a velocity has no inertia


class Island(Record):
    """n velocities, m conditions.

    columns: its velocities; rows: its conditions; mass, slopes: where its M (n, n) and its C (m, n), by columns, begin in
    what functions of the model give; basis: reflectors of Q above T; norms: lengths of the columns of R⁻ᵀCᵀ
    """

    n: int
    m: int
    columns: Ints = array("n")
    rows: Ints = array("m")
    mass: int
    slopes: int
    closing: int  # where C begins in what the closure gives
    factor: Floats = array("n", "n")
    basis: Floats = array("n", "m")
    pivots: Ints = array("m")
    tau: Floats = array("m")
    lengths: Floats = array("m")
    norms: Floats = array("m")
    rank: int
    added: float  # s
    x: Floats = array("n")
    y: Floats = array("m + n")


class IslandEntry(Record):
    """One island of many."""

    island: Island


@kernel
def factorise_mass(island: Island, values: Floats, slopes: Floats) -> int:
    """R of M (n, n), to which s CᵀC is added where it is singular: C w is given. MASSLESS: it is so even then."""
    n, m, r = island.n, island.m, island.factor
    island.added = 0.0
    r[: n * n] = values[: n * n]
    if factor_cholesky(r, n) < 0:
        return 0
    trace, length = 0.0, 0.0
    for j in range(n):
        trace += values[j + j * n]
    for k in range(m * n):
        length += slopes[k] * slopes[k]
    if m == 0 or length == 0.0:
        return MASSLESS
    island.added = trace / length
    r[: n * n] = values[: n * n]
    for j in range(n):
        for i in range(n):
            r[i + j * n] += island.added * dot(at(slopes, i * m), at(slopes, j * m), m)
    return 0 if factor_cholesky(r, n) < 0 else MASSLESS


@kernel
def factorise_conditions(island: Island, slopes: Floats) -> None:
    """Q, P and T of C (m, n)."""
    n, m, y = island.n, island.m, island.basis
    island.rank = 0
    if m == 0:
        return
    for i in range(m):
        column = at(y, i * n)
        for j in range(n):
            column[j] = slopes[i + j * m]
        solve_upper_transposed(island.factor, n, n, column)
        length = math.sqrt(dot(column, column, n))
        island.lengths[i] = length
        if length > 0.0:
            for j in range(n):
                column[j] /= length
    factor_qr(y, n, m, island.pivots, island.tau, island.norms)
    while island.rank < min(n, m) and abs(y[island.rank + island.rank * n]) > DEPENDENT:
        island.rank += 1


@kernel
def reduce_row(island: Island, x: Floats) -> None:
    """x (n) <- Qᵀ R⁻ᵀ x."""
    solve_upper_transposed(island.factor, island.n, island.n, x)
    apply_q_transposed(island.basis, island.n, island.rank, island.tau, x)


@kernel
def expand_row(island: Island, x: Floats) -> None:
    """x (n) <- R⁻¹ Q x."""
    apply_q(island.basis, island.n, island.rank, island.tau, x)
    solve_upper(island.factor, island.n, island.n, x)


@kernel
def meet_conditions(island: Island, c: Floats, z: Floats) -> None:
    """The first numbers of z, with which C w = c (of all conditions of the mechanism)."""
    r, y = island.rank, island.y
    for k in range(r):
        i = island.pivots[k]
        y[k] = c[island.rows[i]] / island.lengths[i]
    solve_upper_transposed(island.basis, island.n, r, y)
    z[:r] = y[:r]


@kernel
def find_pushes(island: Island, c: Floats, z: Floats, given: Floats, out: Floats) -> None:
    """out <- the impulses (of all conditions of the mechanism) that make z of what is *given* from outside, Qᵀ R⁻ᵀ x."""
    r, y = island.rank, island.y
    for k in range(r):
        y[k] = z[k] - given[k]
    solve_upper(island.basis, island.n, r, y)
    for k in range(island.m):
        i = island.pivots[k]
        row = island.rows[i]
        out[row] = (y[k] / island.lengths[i] if k < r else 0.0) - island.added * c[row]
