"""Factors of sparse rows: of all that hold, for rank and least corrections, and of the dependent block.

The pivots of ``sparse_lu`` decide on the rank where they leave no doubt: each of them is clearly a part of its row, or
nothing but rounding. Elsewhere the dense factorisation decides, with columns exchanged by their lengths.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.sparse_terms import blend_rows, largest_in_row, use_rows
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.sparse_lu import count_pivots, factor_sparse, follow_null, shorten, solve_rows

CLEAR, NOTHING = 1e-4, 1e-6  # pivot that is no rounding error, and what is left of a row that depends on others
FAINT = 1e-6  # pivot beside its row alone, with coordinates in their scales, below which it is in doubt
FIRST_CLEAR, FIRST_NOTHING = (
    1e-2,
    1e-9,
)  # while the rank is not known, and an open loop looks like a condition of its own


@kernel
def measure_coordinates(s: SparseSystem, ws: Workspace) -> None:
    """ROW_SCALES <- the largest part of a row of length one that each coordinate has.

    In a large mechanism the size of which is the scale of all lengths, that of an angle is small.
    """
    f = s.rows
    f.row_scales[: ws.nv] = 0.0
    for j in range(ws.m):
        row = ws.active[j]
        for e in range(f.starts[row], f.starts[row + 1]):
            size = abs(f.values[e]) * ws.weights[j]
            f.row_scales[f.places[e]] = max(f.row_scales[f.places[e]], size)
    for i in range(ws.nv):
        f.row_scales[i] = f.row_scales[i] if f.row_scales[i] > 0.0 else 1.0


@kernel
def factor_all(s: SparseSystem, ws: Workspace) -> int:
    """Factors of all rows that hold, with the weights at hand, as ``factor_weighted`` leaves them. Returns 0 in doubt."""
    f, known = s.rows, ws.rank >= 0
    blend_rows(1.0, s, ws)
    use_rows(-1, s, ws)
    measure_coordinates(s, ws)
    f.barred[: ws.nv] = 0
    for j in range(ws.m):
        f.scales[ws.active[j]] = 1.0 / ws.weights[j] if ws.weights[j] > 0.0 else 0.0
    found = factor_sparse(CLEAR if known else FIRST_CLEAR, f)
    if found < 0 or (known and found < ws.rank) or count_pivots(FAINT, f) < found:
        return 0
    s.served = 0
    for k in range(f.rank):
        ws.pivots[k] = s.number[f.pivot_columns[k]]
        if f.pivot_columns[k] < ws.every_position:
            s.served = k + 1
    for k in range(f.left_count):
        if not f.left_sizes[k] <= (NOTHING if known else FIRST_NOTHING):
            return 0
        ws.pivots[f.rank + k] = s.number[f.left[k]]
    return 1


@kernel
def about_rank(tolerance: float, s: SparseSystem) -> int:
    """How many rows exceed a tolerance, by the factors at hand and by what is left of the others."""
    f = s.rows
    count = count_pivots(tolerance, f)
    for k in range(f.left_count):
        if f.left_sizes[k] > tolerance:
            count += 1
    return count


@kernel
def weakest_of_all(s: SparseSystem) -> int:
    """The row with the smallest pivot of the factors at hand, -1: there is none."""
    f, row, smallest = s.rows, -1, 2.0
    for k in range(f.rank):
        size = abs(f.pivots[k]) / (f.scales[f.pivot_columns[k]] * f.row_scales[f.pivot_rows[k]])
        if size < smallest:
            row, smallest = s.number[f.pivot_columns[k]], size
    return row


@kernel
def load_right(residual: Floats, s: SparseSystem, ws: Workspace) -> None:
    """RIGHT <- −residual (m) of the rows that hold."""
    for j in range(ws.m):
        s.right[ws.active[j]] = -residual[j]


@kernel
def shortest_correction(residual: Floats, rank: int, s: SparseSystem, ws: Workspace) -> None:
    """x (nv) <- the shortest solution of C S x = −residual (m) of the rows of the first *rank* pivots."""
    load_right(residual, s, ws)
    ws.x[: ws.nv] = 0.0
    solve_rows(rank, s.right, ws.x, s.rows)
    shorten(rank, ws.x, s.t, s.r, s.d, s.rows)


@kernel
def write_tangents(rank: int, out: Floats, s: SparseSystem) -> None:
    """out (nv, nv − rank) <- the directions in which the rows in the factors let each free coordinate go, scaled."""
    nv, x, column = s.nv, s.x, 0
    for i in range(nv):
        pivot = s.rows.row_pivots[i]
        if pivot < 0 or pivot >= rank:
            x[:nv] = 0.0
            x[i] = 1.0
            follow_null(rank, x, s.rows)
            out[column * nv : (column + 1) * nv] = x[:nv]
            column += 1


@kernel
def free_coordinates(s: SparseSystem, ws: Workspace) -> None:
    """CHOICE <- the coordinates without a pivot, when the rows in use may take whichever they like."""
    f, count = s.rows, 0
    f.barred[: ws.nv] = 0
    factor_block(1.0, ws.rank, 0.0, s, ws)
    for i in range(ws.nv):
        if f.row_pivots[i] < 0:
            ws.choice[count] = i
            count += 1


@kernel
def factor_block(share: float, rows: int, floor: float, s: SparseSystem, ws: Workspace) -> int:
    """Factors of the rows in use between the last state at which the set was examined (0) and this one (1)."""
    f = s.rows
    blend_rows(share, s, ws)
    use_rows(rows, s, ws)
    f.row_scales[: ws.nv] = 1.0
    for j in range(f.taken):
        f.scales[f.order[j]] = largest_in_row(f.order[j], s)
    return factor_sparse(floor, f)


@kernel
def factor_dependent_block(share: float, floor: float, s: SparseSystem, ws: Workspace) -> int:
    """Factors of C_D S_D. Returns -1, the number of a dependent coordinate without a pivot, or their number: no room."""
    rank, f = ws.rank, s.rows
    f.barred[: ws.nv] = 0
    for i in range(ws.nv - rank):
        f.barred[ws.order[i]] = 1
    found = factor_block(share, rank, floor, s, ws)
    if found < 0:
        return rank
    for j in range(rank if found < rank else 0):
        if f.row_pivots[ws.dependent[j]] < 0:
            return j
    return -1


@kernel
def solve_block(x: Floats, s: SparseSystem, ws: Workspace) -> None:
    """x (rank) <- (C_D S_D)⁻¹ x: from the order of ROWS to that of the dependent coordinates."""
    full = s.x
    full[: ws.nv] = 0.0
    for i in range(ws.rank):
        s.right[ws.active[ws.rows[i]]] = x[i]
    solve_rows(ws.rank, s.right, full, s.rows)
    for j in range(ws.rank):
        x[j] = full[ws.dependent[j]]


@kernel
def load_independent(column: int, s: SparseSystem, ws: Workspace) -> None:
    """x (rank) <- −C of an independent coordinate."""
    f = s.rows
    for i in range(ws.rank):
        row = ws.active[ws.rows[i]]
        ws.x[i] = 0.0
        for e in range(f.starts[row], f.starts[row + 1]):
            if f.places[e] == column:
                ws.x[i] -= s.c[e]


@kernel
def take_independent(v: Floats, s: SparseSystem, ws: Workspace) -> None:
    """x (rank) <- x − C_I v_I."""
    f, full = s.rows, s.x
    full[: ws.nv] = v[: ws.nv]
    for j in range(ws.rank):
        full[ws.dependent[j]] = 0.0
    for i in range(ws.rank):
        row = ws.active[ws.rows[i]]
        for e in range(f.starts[row], f.starts[row + 1]):
            ws.x[i] -= s.c[e] * full[f.places[e]]


@kernel
def smallest_of_block(s: SparseSystem, ws: Workspace) -> float:
    """Smallest pivot of the dependent block at hand, relative to the greatest length of its row, and to the greatest part of
    a row that its coordinate has had: in a large mechanism, of which all lengths are parts, that of an angle is small.
    """
    f, smallest = s.rows, 1.0
    for k in range(f.rank):
        size = ws.lengths[s.number[f.pivot_columns[k]]] * s.most[f.pivot_rows[k]]
        smallest = min(smallest, abs(f.pivots[k]) / max(size, 1e-300))
    return smallest
