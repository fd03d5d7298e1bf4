"""The functions of a constrained system, with the rows that hold alone: closure and terms give all of them.

What comes and goes is chosen by *active*, places in ascending order; matrices are made smaller where they are, column by
column, so that nothing is overwritten before it has been moved.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.sparse_terms import call_sparse_terms
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats


@kernel
def keep_rows(values: Floats, columns: int, kept: Floats, ws: Workspace) -> None:
    """kept (m, columns) <- the rows of values (every, columns) that hold; kept may stand where values do, or before."""
    m, every, active = ws.m, ws.every, ws.active
    for j in range(columns):
        for i in range(m):
            kept[i + j * m] = values[active[i] + j * every]


@kernel
def call_terms(t: float, y: Floats, ws: Workspace) -> None:
    """q̇, ṡ, h, b, M and C."""
    nv, m, every = ws.nv, ws.m, ws.every
    if ws.entrywise == 1:
        call_sparse_terms(t, y, ws.sparse, ws)
        return
    ws.terms(t, y, ws.p, ws.terms_out)
    if m < every:
        given, inertia = at(ws.terms_out, ws.nq + ws.ns + nv), ws.inertia  # b, M and C of all rows
        keep_rows(given, 1, ws.b, ws)
        for i in range(nv * nv):
            inertia[i] = given[every + i]
        keep_rows(at(given, every + nv * nv), nv, ws.terms_c, ws)
