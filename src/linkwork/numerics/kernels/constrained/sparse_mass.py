"""The mass matrix by its entries: with a trace of inertia for each coordinate, and the diagonal of its inverse."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.linear.sparse_lu import factor_sparse, solve_square

LOST = 1e-14  # pivot, over the inertia of its coordinate, that is lost in rounding


@kernel
def regularise_entries(s: SparseSystem, ws: Workspace) -> None:
    """Entries to be factored <- M with a trace of inertia added to each coordinate, so that it has an inverse."""
    f, scale, typical = s.mass, ws.scale, 0.0
    f.values[: s.mass_count] = s.inertia[: s.mass_count]
    for j in range(s.nv):
        f.scales[j] = 0.0
        for e in range(f.starts[j], f.starts[j + 1]):
            if f.places[e] == j:
                f.scales[j] = f.values[e]
        typical = max(typical, f.scales[j] * scale[j] * scale[j])
    for j in range(s.nv):
        trace = codes.REGULARISATION * (f.scales[j] + typical / (scale[j] * scale[j]))
        f.scales[j] += trace
        for e in range(f.starts[j], f.starts[j + 1]):
            if f.places[e] == j:
                f.values[e] += trace


@kernel
def invert_sparse_diagonal(s: SparseSystem, ws: Workspace) -> int:
    """cos2 <- diagonal of M⁻¹. Returns -1, or a coordinate at which M is not positive."""
    f, x = s.mass, s.x
    if factor_sparse(LOST, f) < s.nv:
        return f.left[0] if f.left_count > 0 else 0
    for k in range(s.nv):
        if not f.pivots[k] > 0.0 or f.pivot_rows[k] != f.pivot_columns[k]:
            return f.pivot_columns[k]
    x[: s.nv] = 0.0
    for i in range(s.nv):
        x[i] = 1.0
        solve_square(x, s.first[i], s.last[i], f)
        ws.cos2[i] = x[i]
        for k in range(s.first[i], s.last[i]):
            x[f.pivot_rows[k]] = 0.0
    return -1
