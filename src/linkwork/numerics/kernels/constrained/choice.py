"""Choose the independent set, watch it, and change it before it becomes singular."""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.active import call_terms
from linkwork.numerics.kernels.constrained.criterion import build_frame, worst_criterion
from linkwork.numerics.kernels.constrained.partition import build_basis, explain_singular, factor_dependent
from linkwork.numerics.kernels.constrained.projection import (
    count_position_rank,
    count_rank,
    evaluate_closure,
    factor_constraints,
    largest_factor,
    refuse_rank,
)
from linkwork.numerics.kernels.constrained.sparse_factors import free_coordinates, smallest_of_block, write_tangents
from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import HUGE, apply_q, factor_qr
from linkwork.numerics.kernels.linear.sparse_lu import smallest_ratio

STILL_REGULAR = 0.8  # of the smallest pivot of the dependent block when the set was examined last
WORN_ROWS = 1e-4  # pivot of the dependent block below which redundant rows are chosen anew


@kernel
def examine(t: float, y: Floats, k: int, ws: Workspace) -> int:
    """Build the frame of the criterion at the state from the basis at hand. Returns -1 or a failing column."""
    call_terms(t, y, ws)
    return build_frame(ws.inertia, k, ws)


@kernel
def adopt_choice(k: int, ws: Workspace) -> None:
    """ORDER <- the first k of CHOICE, then the others; both ascending."""
    order, choice = ws.order, ws.choice
    independent, dependent = 0, k
    for i in range(ws.nv):
        chosen = 0
        for j in range(k):
            if choice[j] == i:
                chosen = 1
        if chosen == 1:
            order[independent] = i
            independent += 1
        else:
            order[dependent] = i
            dependent += 1


@kernel
def write_null_space(out: Floats, ws: Workspace) -> None:
    """out (nv, k) <- Q₂ from the constraint factorisation."""
    nv, rank = ws.nv, ws.rank
    if ws.at_hand == 1:
        write_tangents(rank, out, ws.sparse)
        return
    for j in range(nv - rank):
        column = at(out, j * nv)
        for i in range(nv):
            column[i] = 1.0 if i == rank + j else 0.0
        apply_q(ws.factors, nv, rank, ws.tau, column)


@kernel
def equilibrate(ws: Workspace) -> None:
    """PRODUCT (rank, nv) <- the rows of C S in use, brought to length 1."""
    m, rank = ws.m, ws.rank
    rows, a, weights = ws.rows, ws.product, ws.weights
    for j in range(ws.nv):
        for i in range(rank):
            a[i + j * rank] = ws.c[rows[i] + j * m] * ws.scale[j] * weights[rows[i]]


@kernel
def choose_by_pivoting(ws: Workspace) -> None:
    """CHOICE <- the coordinates that QR with column pivoting of the independent rows leaves over."""
    nv, rank, choice = ws.nv, ws.rank, ws.choice
    if ws.at_hand == 1:
        free_coordinates(ws.sparse, ws)
        return
    equilibrate(ws)
    factor_qr(ws.product, rank, nv, choice, ws.tau, ws.norms)
    for j in range(nv - rank):
        choice[j] = choice[rank + j]


@kernel
def choose_rows(ws: Workspace) -> Code:
    """ROWS and rank from the closure at hand; refuses a rank that has fallen."""
    m = ws.m
    factor_constraints(ws.c, ws)
    found = count_rank(codes.RANK_TOLERANCE, ws)
    if found < ws.rank or largest_factor(ws) >= HUGE:
        return refuse_rank(found, ws)
    ws.rank = found
    ws.position_rank = count_position_rank(codes.RANK_TOLERANCE, ws)
    ws.rows[:m] = ws.pivots[:m]
    return 0


@kernel
def choose_set(t: float, y: Floats, ws: Workspace) -> Code:
    """Choose rows and independent set from nothing but the state, which satisfies the constraints."""
    evaluate_closure(t, y, ws)
    code = choose_rows(ws)
    if code < 0:
        return code
    k = ws.nv - ws.rank
    if k > 0:
        write_null_space(ws.basis, ws)
        for j in range(k):
            ws.basis[j * ws.nv : (j + 1) * ws.nv] *= ws.scale[: ws.nv]
        if examine(t, y, k, ws) < 0:
            worst_criterion(k, ws.nv, ws)
        else:
            ws.cos2[0] = math.nan
            choose_by_pivoting(ws)
        adopt_choice(k, ws)
    failed = factor_dependent(ws)
    if failed >= 0:
        choose_by_pivoting(ws)
        adopt_choice(k, ws)
        failed = factor_dependent(ws)
    return explain_singular(failed, ws) if failed >= 0 else 0


@kernel
def smallest_pivot(ws: Workspace) -> float:
    """Smallest pivot of the dependent block, relative to its row."""
    rank = ws.rank
    if ws.at_hand == 1:
        return smallest_ratio(ws.sparse.rows.scales, ws.sparse.rows)
    smallest = 1.0
    for i in range(rank):
        smallest = min(smallest, abs(ws.lu[i * (rank + 1)]) * ws.row_scale[i])
    return smallest


@kernel
def find_better(t: float, y: Floats, ws: Workspace) -> int:
    """0: keep set and rows; 1: the better set is in CHOICE; 2: choose everything anew."""
    k = ws.nv - ws.rank
    redundant = ws.m > ws.rank
    if redundant and smallest_pivot(ws) < WORN_ROWS:
        return 2
    build_basis(ws)
    if examine(t, y, k, ws) >= 0:
        return 2
    current = worst_criterion(k, k, ws)
    best = worst_criterion(k, ws.nv, ws)
    if current >= ws.switch_ratio * best:
        return 0
    return 2 if redundant else 1


@kernel
def log_set(t: float, ws: Workspace) -> None:
    """Append (t, set) to the log while there is room."""
    nv, entry = ws.nv, ws.logged
    if entry >= ws.log_limit:
        return
    order, line = ws.order, at(ws.log_sets, entry * nv)
    for i in range(nv):
        line[i] = order[i] if i < nv - ws.rank else -1
    ws.log_times[entry] = t
    ws.logged = entry + 1


@kernel
def log_change(t: float, changed: int, ws: Workspace) -> None:
    """Count and log the set where it has *changed*, or is another than the one that was kept."""
    for i in range(ws.nv):
        if ws.kept[i] != ws.order[i]:
            changed = 1
    if changed == 1:
        ws.changes += 1
        log_set(t, ws)


@kernel
def is_kept(s: SparseSystem, ws: Workspace) -> int:
    """1 while the dependent block of a large system is nearly as regular as when its set was examined last.

    To examine a set takes the criteria of all coordinates, which is more than a step of many freedoms. A set that becomes
    singular loses its smallest pivot before.
    """
    here = smallest_of_block(s, ws)
    if s.examined == 0.0 or here > s.examined:
        s.examined = here
    if here > STILL_REGULAR * s.examined:
        return 1
    s.examined = here
    return 0


@kernel
def watch_set(t: float, y: Floats, ws: Workspace) -> Code:
    """Change the set when it has become much worse than the best one. The factors at hand belong to the state."""
    nv, rank = ws.nv, ws.rank
    if ws.at_hand == 1 and is_kept(ws.sparse, ws) == 1:
        return 0
    ws.kept[:nv] = ws.order[:nv]
    verdict = find_better(t, y, ws)
    if verdict == 1:
        adopt_choice(nv - rank, ws)
        if factor_dependent(ws) >= 0:
            verdict = 2
    if verdict == 2:
        code = choose_set(t, y, ws)
        if code < 0:
            return code
    log_change(t, 0, ws)
    return 0
