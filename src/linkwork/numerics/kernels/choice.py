"""Choose the independent set, watch it, and change it before it becomes singular."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, kernel
from linkwork.numerics.kernels.criterion import build_frame, worst_criterion
from linkwork.numerics.kernels.linear import HUGE, apply_q, factor_qr, largest
from linkwork.numerics.kernels.partition import build_basis, explain_singular, factor_dependent
from linkwork.numerics.kernels.projection import (
    count_position_rank,
    count_rank,
    evaluate_closure,
    factor_constraints,
    refuse_rank,
)

WORN_ROWS = 1e-4  # pivot of the dependent block below which redundant rows are chosen anew


@kernel("int64(double t, double* y, int64 k, int64* ic, double* w)")
def examine(t, y, k, ic, w):
    """Build the frame of the criterion at the state from the basis at hand. Returns -1 or a failing column."""
    out = at(w, ic[slots.TERMS_OUT])
    call_model(ic[slots.TERMS], t, y, doubles(ic[slots.PARAMETERS]), out)
    mass = at(out, ic[slots.NQ] + ic[slots.NS] + ic[slots.NV] + ic[slots.M])
    return build_frame(mass, k, ic, w)


@kernel("void(int64 k, int64* ic)")
def adopt_choice(k, ic):
    """ORDER <- the first k of CHOICE, then the others; both ascending."""
    order, choice = at(ic, ic[slots.ORDER]), at(ic, ic[slots.CHOICE])
    independent, dependent = 0, k
    for i in range(ic[slots.NV]):
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


@kernel("void(int64* ic, double* w)")
def build_null_space(ic, w):
    """T = S Q₂ from the constraint factorisation."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    basis, scale = at(w, ic[slots.BASIS]), at(w, ic[slots.SCALE])
    for j in range(nv - rank):
        column = at(basis, j * nv)
        for i in range(nv):
            column[i] = 1.0 if i == rank + j else 0.0
        apply_q(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), column)
        for i in range(nv):
            column[i] *= scale[i]


@kernel("void(int64* ic, double* w)")
def choose_by_pivoting(ic, w):
    """CHOICE <- the coordinates that QR with column pivoting of the independent rows leaves over."""
    nv, m, rank = ic[slots.NV], ic[slots.M], ic[slots.RANK]
    rows, choice, a = at(ic, ic[slots.ROWS]), at(ic, ic[slots.CHOICE]), at(w, ic[slots.PRODUCT])
    c, scale, weights = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.SCALE]), at(w, ic[slots.WEIGHTS])
    for j in range(nv):
        for i in range(rank):
            a[i + j * rank] = c[rows[i] + j * m] * scale[j] * weights[rows[i]]
    factor_qr(a, rank, nv, choice, at(w, ic[slots.TAU]), at(w, ic[slots.NORMS]))
    for j in range(nv - rank):
        choice[j] = choice[rank + j]


@kernel("int32(int64* ic, double* w)")
def choose_rows(ic, w):
    """ROWS and rank from the closure at hand; refuses a rank that has fallen."""
    m = ic[slots.M]
    factor_constraints(at(w, ic[slots.CLOSURE_OUT] + m), ic, w)
    rows, pivots = at(ic, ic[slots.ROWS]), at(ic, ic[slots.PIVOTS])
    found = count_rank(slots.RANK_TOLERANCE, ic, w)
    if found < ic[slots.RANK] or largest(at(w, ic[slots.FACTORS]), ic[slots.NV] * m) >= HUGE:
        return refuse_rank(found, ic, w)
    ic[slots.RANK] = found
    ic[slots.POSITION_RANK] = count_position_rank(slots.RANK_TOLERANCE, ic, w)
    for i in range(m):
        rows[i] = pivots[i]
    return 0


@kernel("int32(double t, double* y, int64* ic, double* w)")
def choose_set(t, y, ic, w):
    """Choose rows and independent set from nothing but the state, which satisfies the constraints."""
    evaluate_closure(t, y, ic, w)
    code = choose_rows(ic, w)
    if code < 0:
        return code
    k = ic[slots.NV] - ic[slots.RANK]
    if k > 0:
        build_null_space(ic, w)
        if examine(t, y, k, ic, w) < 0:
            worst_criterion(k, ic[slots.NV], ic, w)
        else:
            at(w, ic[slots.COS2])[0] = math.nan
            choose_by_pivoting(ic, w)
        adopt_choice(k, ic)
    failed = factor_dependent(ic, w)
    if failed >= 0:
        choose_by_pivoting(ic, w)
        adopt_choice(k, ic)
        failed = factor_dependent(ic, w)
    return explain_singular(failed, ic, w) if failed >= 0 else 0


@kernel("double(int64* ic, double* w)")
def smallest_pivot(ic, w):
    """Smallest pivot of the dependent block, relative to its row."""
    rank = ic[slots.RANK]
    lu, row_scale = at(w, ic[slots.LU]), at(w, ic[slots.ROW_SCALE])
    smallest = 1.0
    for i in range(rank):
        smallest = min(smallest, abs(lu[i * (rank + 1)]) * row_scale[i])
    return smallest


@kernel("int64(double t, double* y, int64* ic, double* w)")
def find_better(t, y, ic, w):
    """0: keep set and rows; 1: the better set is in CHOICE; 2: choose everything anew."""
    k = ic[slots.NV] - ic[slots.RANK]
    redundant = ic[slots.M] > ic[slots.RANK]
    if redundant and smallest_pivot(ic, w) < WORN_ROWS:
        return 2
    build_basis(ic, w)
    if examine(t, y, k, ic, w) >= 0:
        return 2
    current = worst_criterion(k, k, ic, w)
    best = worst_criterion(k, ic[slots.NV], ic, w)
    if current >= w[slots.SWITCH_RATIO] * best:
        return 0
    return 2 if redundant else 1


@kernel("void(double t, int64* ic, double* w)")
def log_set(t, ic, w):
    """Append (t, set) to the log while there is room."""
    nv, entry = ic[slots.NV], ic[slots.LOGGED]
    if entry >= ic[slots.LOG_LIMIT]:
        return
    order, line = at(ic, ic[slots.ORDER]), at(ic, ic[slots.LOG_SETS] + entry * nv)
    for i in range(nv):
        line[i] = order[i] if i < nv - ic[slots.RANK] else -1
    at(w, ic[slots.LOG_TIMES])[entry] = t
    ic[slots.LOGGED] = entry + 1


@kernel("int32(double t, double* y, int64* ic, double* w)")
def watch_set(t, y, ic, w):
    """Change the set when it has become much worse than the best one. The factors at hand belong to the state."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    order, kept = at(ic, ic[slots.ORDER]), at(ic, ic[slots.KEPT])
    for i in range(nv):
        kept[i] = order[i]
    verdict = find_better(t, y, ic, w)
    if verdict == 1:
        adopt_choice(nv - rank, ic)
        if factor_dependent(ic, w) >= 0:
            verdict = 2
    if verdict == 2:
        code = choose_set(t, y, ic, w)
        if code < 0:
            return code
    changed = 0
    for i in range(nv):
        if kept[i] != order[i]:
            changed = 1
    if changed == 1:
        ic[slots.CHANGES] += 1
        log_set(t, ic, w)
    return 0
