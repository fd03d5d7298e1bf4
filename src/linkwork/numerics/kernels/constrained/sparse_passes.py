"""How far the conditions are from losing their independence, at many states: by the pivots of sparse rows."""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained.sparse_terms import (
    blend_rows,
    call_sparse_closure,
    note_parts,
    squared_length,
    use_rows,
)
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, largest
from linkwork.numerics.kernels.linear.sparse_lu import factor_sparse
from linkwork.numerics.policy import POLICY

INDEPENDENT = POLICY.rank


@kernel
def lengthen_rows(count: int, times: Floats, states: Floats, ws: Workspace) -> Code:
    """LENGTHS grows with the rows of C S at all states (count, n). Returns < 0 where C is no number."""
    for k in range(count):
        call_sparse_closure(times[k], at(states, k * ws.n), ws.sparse, ws)
        if largest(ws.sparse.c, ws.sparse.count) >= HUGE:
            return -1
        for j in range(ws.m):
            length = math.sqrt(squared_length(ws.active[j], ws.sparse.c, ws.sparse, ws))
            ws.lengths[j] = max(ws.lengths[j], length)
            note_parts(ws.active[j], length, ws.sparse, ws)
    return 0


@kernel
def smallest_pivots(count: int, times: Floats, states: Floats, rank: int, out: Floats, ws: Workspace) -> Code:
    """out (count) <- the smallest pivot of rows over their greatest lengths, 0 where there are fewer than *rank* of them.

    Returns the greatest rank.
    """
    s, f, most = ws.sparse, ws.sparse.rows, 0
    for i in range(ws.nv):
        f.row_scales[i] = s.most[i] if s.most[i] > 0.0 else 1.0
    for k in range(count):
        call_sparse_closure(times[k], at(states, k * ws.n), s, ws)
        blend_rows(1.0, s, ws)
        use_rows(-1, s, ws)
        f.barred[: ws.nv] = 0
        for j in range(ws.m):
            f.scales[ws.active[j]] = ws.lengths[j]
        found = factor_sparse(INDEPENDENT, f)
        if found < 0:
            return found
        most = max(most, found)
        out[k] = 0.0
        if found >= rank and largest(s.c, s.count) < HUGE:
            out[k] = 1.0
            for i in range(found):
                size = abs(f.pivots[i]) / (f.scales[f.pivot_columns[i]] * f.row_scales[f.pivot_rows[i]])
                out[k] = min(out[k], size)
    return most
