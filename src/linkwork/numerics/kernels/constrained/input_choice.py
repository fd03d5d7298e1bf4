"""Choose the rows of B, watch them, and choose them anew before they depend on those of C.

Ways to B, all on the equilibrated C S (García de Jalón and Bayo, sections 3.5.3, 3.5.4 and 5.1.2):

- Gauss with full pivoting: the columns without a pivot are independent coordinates, B is Boolean (eq. 3.44);
- QR of (C S)ᵀ: the last columns of Q (eq. 3.41);
- singular values: right vectors of zero values;
- Gram and Schmidt: rows of C one after the other, then the unit vectors with the longest remainders (eq. 3.49,
  whose p must be that of the row at hand);
- null eigenvectors of SCᵀC S (Kamman and Huston).

B stays as it is over a range of the motion. How independent it is says the last pivot of QR of B N, N an orthonormal basis
of the null space: 1 for B = Nᵀ, 0 where R ceases to exist. Below a fraction of its best value B is chosen anew.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.constrained.choice import (
    adopt_choice,
    choose_rows,
    equilibrate,
    log_change,
    write_null_space,
)
from linkwork.numerics.kernels.constrained.projection import factor_constraints, hold_rank
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.linear.dense import add_multiple, apply_q_transposed, dot, factor_qr, swap
from linkwork.numerics.kernels.linear.lapack import eigenvectors, right_vectors


@kernel
def independence(ws: Workspace) -> float:
    """How far the rows of B are from those of C, with the constraint factorisation at hand."""
    nv, rank = ws.nv, ws.rank
    k = nv - rank
    x, frame, inputs = ws.x, ws.frame, ws.inputs
    if k == 0:
        return 1.0
    for l in range(k):
        x[:nv] = inputs[l * nv : (l + 1) * nv]
        apply_q_transposed(ws.factors, nv, rank, ws.tau, x)
        frame[l * k : (l + 1) * k] = x[rank : rank + k]
    # the reflectors of the constraints keep the front of TAU
    factor_qr(frame, k, k, ws.choice, at(ws.tau, ws.m), ws.norms)
    return abs(frame[k * k - 1])


@kernel
def pivot_fully(step: int, ws: Workspace) -> None:
    """Bring the largest remaining element to the place (step, step) and eliminate below it."""
    nv, rank = ws.nv, ws.rank
    a, choice = ws.product, ws.choice
    row, column = step, step
    for j in range(step, nv):
        for i in range(step, rank):
            if abs(a[i + j * rank]) > abs(a[row + column * rank]):
                row, column = i, j
    swap(at(a, step * rank), at(a, column * rank), rank)
    kept = choice[step]
    choice[step] = choice[column]
    choice[column] = kept
    for j in range(nv):
        swap(at(a, step + j * rank), at(a, row + j * rank), 1)
    for i in range(step + 1, rank):
        factor = a[i + step * rank] / a[step + step * rank]
        for j in range(step, nv):
            a[i + j * rank] -= factor * a[step + j * rank]


@kernel
def choose_by_gauss(ws: Workspace) -> None:
    """B selects the coordinates in whose columns no pivot has appeared."""
    nv, rank = ws.nv, ws.rank
    k = nv - rank
    choice, order, inputs = ws.choice, ws.order, ws.inputs
    for j in range(nv):
        choice[j] = j
    for step in range(rank):
        pivot_fully(step, ws)
    for j in range(k):
        choice[j] = choice[rank + j]
    adopt_choice(k, ws)
    for l in range(k):
        for j in range(nv):
            inputs[j + l * nv] = 1.0 if j == order[l] else 0.0


@kernel
def choose_by_svd(ws: Workspace) -> None:
    """B <- the right singular vectors of zero singular values."""
    nv, rank = ws.nv, ws.rank
    vt, inputs = ws.mass, ws.inputs
    if rank == 0:
        write_null_space(ws.inputs, ws)  # all are independent
        return
    right_vectors(ws.product, rank, nv, vt, ws.lapack_work, ws.lapack_cells)
    for l in range(nv - rank):
        for i in range(nv):
            inputs[i + l * nv] = vt[rank + l + i * nv]


@kernel
def choose_by_eigenvectors(ws: Workspace) -> None:
    """B <- the eigenvectors of zero eigenvalues of SCᵀC S."""
    nv, rank = ws.nv, ws.rank
    rows, a, inputs = ws.product, ws.mass_factor, ws.inputs
    for j in range(nv):
        for i in range(nv):
            a[i + j * nv] = dot(at(rows, i * rank), at(rows, j * rank), rank)
    eigenvectors(a, nv, ws.lapack_work, ws.lapack_cells)
    inputs[: (nv - rank) * nv] = a[: (nv - rank) * nv]


@kernel
def orthogonalise(x: Floats, against: Floats, count: int, nv: int) -> None:
    """x <- its part orthogonal to *count* orthonormal vectors, with length 1; twice is enough."""
    for _ in range(2):
        for i in range(count):
            add_multiple(at(against, i * nv), -dot(at(against, i * nv), x, nv), x, nv)
    length = math.sqrt(dot(x, x, nv))
    x[:nv] /= length


@kernel
def choose_by_gram_schmidt(ws: Workspace) -> None:
    """B <- unit vectors made orthogonal to the rows of C and to each other, those with the longest remainders."""
    nv, rank = ws.nv, ws.rank
    a, known = ws.product, ws.mass
    for i in range(rank):
        for j in range(nv):
            known[j + i * nv] = a[i + j * rank]
        orthogonalise(at(known, i * nv), known, i, nv)
    for l in range(rank, nv):
        longest, chosen = -1.0, 0
        for j in range(nv):
            remainder = 1.0
            for i in range(l):
                remainder -= known[j + i * nv] * known[j + i * nv]
            if remainder > longest:
                longest, chosen = remainder, j
        vector = at(known, l * nv)
        for j in range(nv):
            vector[j] = 1.0 if j == chosen else 0.0
        orthogonalise(vector, known, l, nv)
        for j in range(nv):
            at(ws.inputs, (l - rank) * nv)[j] = vector[j]


@kernel
def choose_inputs(ws: Workspace) -> None:
    """B from the closure and the constraint factorisation at hand."""
    kind = ws.basis_kind
    equilibrate(ws)
    if kind == codes.QR:
        write_null_space(ws.inputs, ws)  # B is the last columns of Q
    elif kind == codes.SVD:
        choose_by_svd(ws)
    elif kind == codes.EIGENVECTORS:
        choose_by_eigenvectors(ws)
    elif kind == codes.GRAM_SCHMIDT:
        choose_by_gram_schmidt(ws)
    else:
        choose_by_gauss(ws)
    ws.independence = independence(ws)


@kernel
def hold_rows(ws: Workspace) -> Code:
    """ROWS from the closure at hand, which may not satisfy the conditions: their number stays."""
    factor_constraints(ws.c, ws)
    code = hold_rank(ws)
    if code == 0:
        ws.rows[: ws.m] = ws.pivots[: ws.m]
    return code


@kernel
def watch_inputs(t: float, closed: int, ws: Workspace) -> Code:
    """Choose the rows of C again, and B where it has lost its independence. The closure at hand belongs to the state."""
    nv, rank = ws.nv, ws.rank
    code = choose_rows(ws) if closed == 1 else hold_rows(ws)
    if code < 0:
        return code
    if rank == ws.rank:
        value = independence(ws)
        if value >= ws.switch_ratio * ws.independence:
            ws.independence = max(ws.independence, value)
            return 0
    ws.kept[:nv] = ws.order[:nv]
    choose_inputs(ws)
    log_change(t, 0 if ws.basis_kind == codes.GAUSS and rank == ws.rank else 1, ws)
    return 0
