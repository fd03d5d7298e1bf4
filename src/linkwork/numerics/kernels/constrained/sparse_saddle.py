"""Accelerations of a large system with many freedoms: M and the rows in use factored together, once for all of them.

    [ E M E / μ   E Cᵀ W ] [ E⁻¹ v̇ ]   [ E h / μ ]
    [ W C E       0      ] [   ν    ] = [ −W b    ]

with sizes E that make inertias one and weights W that make rows one; rows that are not in use have −1 on the diagonal.
Pivots are on the diagonal where they are good beside their columns, and elsewhere where none is, as of a coordinate without
inertia. What the solution leaves open is solved for once more; where that is not small, the tangents are asked instead.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.dense import HUGE, largest
from linkwork.numerics.kernels.linear.sparse_lu import factor_sparse, solve_square

LIGHT = 1e-8  # of the largest inertia in sizes of coordinates: less is not brought to one
LOST = 1e-13  # pivot beside its column that is lost in rounding
OPEN = 1e-9  # of the right side, that may be left when it has been solved for twice


@kernel
def measure_inertias(s: SparseSystem, ws: Workspace) -> float:
    """SIZES <- E. Returns μ."""
    f, typical = s.mass, 0.0
    for j in range(s.nv):
        s.sizes[j] = 0.0
        for e in range(f.starts[j], f.starts[j + 1]):
            if f.places[e] == j:
                s.sizes[j] = s.inertia[e] * ws.scale[j] * ws.scale[j]
        typical = max(typical, s.sizes[j])
    for j in range(s.nv):
        share = s.sizes[j] / typical if typical > 0.0 else 0.0
        s.sizes[j] = ws.scale[j] / math.sqrt(max(share, LIGHT))
    return typical


@kernel
def keep_used(s: SparseSystem) -> None:
    """USED <- the rows with pivots in the factors at hand."""
    f = s.rows
    s.used[: s.every] = 0
    for k in range(f.rank):
        s.used[f.pivot_columns[k]] = 1


@kernel
def weigh_used(s: SparseSystem) -> None:
    """RIGHT <- W, 0 for rows that are not in use."""
    f = s.rows
    for i in range(s.every):
        square = 0.0
        for e in range(f.starts[i], f.starts[i + 1]):
            part = s.c[e] * s.sizes[f.places[e]]
            square += part * part
        s.right[i] = 1.0 / math.sqrt(square) if s.used[i] == 1 and square > 0.0 else 0.0


@kernel
def fill_saddle(typical: float, s: SparseSystem) -> None:
    """The entries of the matrix."""
    f, nv, source = s.saddle, s.nv, s.source
    for j in range(f.columns):
        for e in range(f.starts[j], f.starts[j + 1]):
            i, place = f.places[e], source[e]
            if place > 0:
                f.values[e] = s.inertia[place - 1] * s.sizes[i] * s.sizes[j] / typical
            elif place < 0:
                f.values[e] = s.c[-place - 1] * s.sizes[min(i, j)] * s.right[max(i, j) - nv]
            else:
                f.values[e] = 0.0 if s.right[i - nv] > 0.0 else -1.0
        f.scales[j] = 0.0
        for e in range(f.starts[j], f.starts[j + 1]):
            f.scales[j] = max(f.scales[j], abs(f.values[e]))


@kernel
def leave_open(given: Floats, x: Floats, rest: Floats, s: SparseSystem) -> None:
    """rest <- given − K x."""
    f = s.saddle
    rest[: f.size] = given[: f.size]
    for j in range(f.columns):
        if x[j] != 0.0:
            for e in range(f.starts[j], f.starts[j + 1]):
                rest[f.places[e]] -= f.values[e] * x[j]


@kernel
def solve_saddle(vdot: Floats, s: SparseSystem, ws: Workspace) -> int:
    """v̇ (nv) from the terms at hand, with the rows of the factors at hand. Returns 0, or 1 where they are none."""
    f, n, nv = s.saddle, s.saddle.size, s.nv
    typical = measure_inertias(s, ws)
    if typical == 0.0:
        return 1
    keep_used(s)
    weigh_used(s)
    fill_saddle(typical, s)
    if factor_sparse(LOST, f) < n:
        return 1
    for i in range(nv):
        s.given[i] = s.sizes[i] * ws.h[i] / typical
    for i in range(s.every):
        s.given[nv + i] = -s.right[i] * s.all_b[i]
    s.found[:n] = s.given[:n]
    solve_square(s.found, 0, n, f)
    leave_open(s.given, s.found, s.rest, s)
    solve_square(s.rest, 0, n, f)
    s.found[:n] += s.rest[:n]
    leave_open(s.given, s.found, s.rest, s)
    size = largest(s.found, n)
    if size >= HUGE or largest(s.rest, n) > OPEN * max(largest(s.given, n), OPEN * size):
        return 1
    vdot[:nv] = s.sizes[:nv] * s.found[:nv]
    return 0
