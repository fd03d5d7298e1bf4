"""C and M by their entries: evaluated, multiplied, compared, and spread out where a dense factorisation is to decide.

Who reads ``ws.c``, ``ws.terms_c`` or ``ws.inertia`` asks first whether ``ws.entrywise`` is set: then they are not filled.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats


@kernel
def call_sparse_closure(t: float, y: Floats, s: SparseSystem, ws: Workspace) -> None:
    """Φ and a of the rows that hold, and the entries of C."""
    s.closure(t, y, ws.p, s.closure_out)
    s.c[: s.count] = s.closure_c[: s.count]
    for i in range(ws.m):
        ws.phi[i] = s.all_phi[ws.active[i]]
        ws.a[i] = s.all_a[ws.active[i]]


@kernel
def call_sparse_terms(t: float, y: Floats, s: SparseSystem, ws: Workspace) -> None:
    """q̇, ṡ, h, b of the rows that hold, and the entries of M and C."""
    s.terms(t, y, ws.p, s.terms_out)
    s.c[: s.count] = s.terms_c[: s.count]
    plain = s.nq + s.ns + s.nv
    ws.terms_out[:plain] = s.plain[:plain]
    for i in range(ws.m):
        ws.b[i] = s.all_b[ws.active[i]]


@kernel
def spread_rows(share: float, out: Floats, s: SparseSystem, ws: Workspace) -> None:
    """out (m, nv) <- C of the rows that hold, between the state at which the set was examined (0) and this one (1)."""
    m, starts, places = ws.m, s.rows.starts, s.rows.places
    out[: m * ws.nv] = 0.0
    for i in range(m):
        row = ws.active[i]
        for e in range(starts[row], starts[row + 1]):
            out[i + places[e] * m] = share * s.c[e] + (1.0 - share) * s.passed[e]


@kernel
def spread_mass(s: SparseSystem, ws: Workspace) -> None:
    """inertia (nv, nv) <- M."""
    nv, starts, places = ws.nv, s.mass.starts, s.mass.places
    ws.inertia[: nv * nv] = 0.0
    for j in range(nv):
        for e in range(starts[j], starts[j + 1]):
            ws.inertia[places[e] + j * nv] = s.inertia[e]


@kernel
def add_rows_times(x: Floats, out: Floats, s: SparseSystem, ws: Workspace) -> None:
    """out (m) <- out + C x."""
    starts, places = s.rows.starts, s.rows.places
    for i in range(ws.m):
        row = ws.active[i]
        for e in range(starts[row], starts[row + 1]):
            out[i] += s.c[e] * x[places[e]]


@kernel
def multiply_mass(values: Floats, x: Floats, out: Floats, s: SparseSystem) -> None:
    """out (nv) <- M x with some values of its entries; M is symmetric."""
    starts, places = s.mass.starts, s.mass.places
    for j in range(s.nv):
        total = 0.0
        for e in range(starts[j], starts[j + 1]):
            total += values[e] * x[places[e]]
        out[j] = total


@kernel
def squared_length(place: int, values: Floats, s: SparseSystem, ws: Workspace) -> float:
    """Of a row of C S with some values of its entries."""
    square = 0.0
    for e in range(s.rows.starts[place], s.rows.starts[place + 1]):
        entry = values[e] * ws.scale[s.rows.places[e]]
        square += entry * entry
    return square


@kernel
def squared_change(place: int, s: SparseSystem, ws: Workspace) -> float:
    """Squared length of what a row of C S has changed by since it was kept in BEFORE."""
    square = 0.0
    for e in range(s.rows.starts[place], s.rows.starts[place + 1]):
        change = (s.c[e] - s.before[e]) * ws.scale[s.rows.places[e]]
        square += change * change
    return square


@kernel
def blend_rows(share: float, s: SparseSystem, ws: Workspace) -> None:
    """Entries to be factored <- (C S)ᵀ between the state at which the set was examined last (0) and this one (1)."""
    values = s.rows.values
    for e in range(s.count):
        values[e] = (share * s.c[e] + (1.0 - share) * s.passed[e]) * ws.scale[s.rows.places[e]]


@kernel
def use_rows(rows: int, s: SparseSystem, ws: Workspace) -> None:
    """ORDER of what is factored <- those rows that hold (rows < 0: all of them), or the first *rows* of ROWS alone."""
    used, taken = s.used, 0
    used[: s.every] = 0
    for i in range(ws.m):
        s.number[ws.active[i]] = i
    for i in range(rows if rows >= 0 else ws.m):
        used[ws.active[ws.rows[i] if rows >= 0 else i]] = 1
    for i in range(s.every):
        if used[s.order[i]] == 1:
            s.rows.order[taken] = s.order[i]
            taken += 1
    s.rows.taken = taken


@kernel
def largest_in_row(place: int, s: SparseSystem) -> float:
    """Largest entry, of those that may be pivots, of a row that is to be factored."""
    size, f = 0.0, s.rows
    for e in range(f.starts[place], f.starts[place + 1]):
        if f.barred[f.places[e]] == 0:
            size = max(size, abs(f.values[e]))
    return size


@kernel
def note_parts(row: int, length: float, s: SparseSystem, ws: Workspace) -> None:
    """MOST grows with the parts of a row."""
    for e in range(s.rows.starts[row], s.rows.starts[row + 1]):
        i = s.rows.places[e]
        if length > 0.0:
            s.most[i] = max(s.most[i], abs(s.c[e]) * ws.scale[i] / length)
