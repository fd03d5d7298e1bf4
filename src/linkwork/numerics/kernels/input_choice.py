"""Choose the rows of B, watch them, and choose them anew before they depend on those of C.

Ways to B, all on the equilibrated C S (García de Jalón and Bayo, sections 3.5.3, 3.5.4 and 5.1.2):

- Gauss with full pivoting: the columns without a pivot are independent coordinates, B is Boolean (eq. 3.44);
- QR of (C S)ᵀ: the last columns of Q (eq. 3.41);
- singular values: right vectors of zero values, by Jacobi's rotations on one side (Hestenes);
- Gram and Schmidt: rows of C one after the other, then the unit vectors with the longest remainders (eq. 3.49,
  whose p must be that of the row at hand);
- null eigenvectors of SCᵀC S, by Jacobi's rotations on both sides (Kamman and Huston).

B stays as it is over a range of the motion. How independent it is says the last pivot of QR of B N, N an orthonormal basis
of the null space: 1 for B = Nᵀ, 0 where R ceases to exist. Below a fraction of its best value B is chosen anew.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.choice import adopt_choice, choose_rows, log_set
from linkwork.numerics.kernels.linear import add_multiple, apply_q, apply_q_transposed, dot, factor_qr, swap
from linkwork.numerics.kernels.projection import factor_constraints, hold_rank

SWEEPS = 60  # of Jacobi's rotations
ORTHOGONAL = 1e-30  # squared cosine of two columns that need no rotation
NO_ENTRY = 1e-17  # of a matrix whose rows have been brought to length 1


@kernel("double(int64* ic, double* w)")
def independence(ic, w):
    """How far the rows of B are from those of C, with the constraint factorisation at hand."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    k = nv - rank
    x, frame, inputs = at(w, ic[slots.X]), at(w, ic[slots.FRAME]), at(w, ic[slots.INPUTS])
    if k == 0:
        return 1.0
    for l in range(k):
        for i in range(nv):
            x[i] = inputs[i + l * nv]
        apply_q_transposed(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), x)
        for i in range(k):
            frame[i + l * k] = x[rank + i]
    # the reflectors of the constraints keep the front of TAU
    factor_qr(frame, k, k, at(ic, ic[slots.CHOICE]), at(w, ic[slots.TAU] + ic[slots.M]), at(w, ic[slots.NORMS]))
    return abs(frame[k * k - 1])


@kernel("void(int64* ic, double* w)")
def equilibrate(ic, w):
    """PRODUCT (rank, nv) <- the rows of C S in use, brought to length 1."""
    m, rank = ic[slots.M], ic[slots.RANK]
    rows, a, weights = at(ic, ic[slots.ROWS]), at(w, ic[slots.PRODUCT]), at(w, ic[slots.WEIGHTS])
    c, scale = at(w, ic[slots.CLOSURE_OUT] + m), at(w, ic[slots.SCALE])
    for j in range(ic[slots.NV]):
        for i in range(rank):
            a[i + j * rank] = c[rows[i] + j * m] * scale[j] * weights[rows[i]]


@kernel("void(int64 step, int64* ic, double* w)")
def pivot_fully(step, ic, w):
    """Bring the largest remaining element to the place (step, step) and eliminate below it."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    a, choice = at(w, ic[slots.PRODUCT]), at(ic, ic[slots.CHOICE])
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


@kernel("void(int64* ic, double* w)")
def choose_by_gauss(ic, w):
    """B selects the coordinates in whose columns no pivot has appeared."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    k = nv - rank
    choice, order, inputs = at(ic, ic[slots.CHOICE]), at(ic, ic[slots.ORDER]), at(w, ic[slots.INPUTS])
    for j in range(nv):
        choice[j] = j
    for step in range(rank):
        pivot_fully(step, ic, w)
    for j in range(k):
        choice[j] = choice[rank + j]
    adopt_choice(k, ic)
    for l in range(k):
        for j in range(nv):
            inputs[j + l * nv] = 1.0 if j == order[l] else 0.0


@kernel("void(int64* ic, double* w)")
def choose_by_qr(ic, w):
    """B <- the last columns of Q, from the constraint factorisation."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    for l in range(nv - rank):
        row = at(w, ic[slots.INPUTS] + l * nv)
        for i in range(nv):
            row[i] = 1.0 if i == rank + l else 0.0
        apply_q(at(w, ic[slots.FACTORS]), nv, rank, at(w, ic[slots.TAU]), row)


@kernel("double(double* p, double* q, int64 rank, double* u, double* v, int64 nv)")
def rotate(p, q, rank, u, v, nv):
    """Make two columns orthogonal by a rotation, which u and v follow. Returns their squared cosine before."""
    alpha, beta, gamma = dot(p, p, rank), dot(q, q, rank), dot(p, q, rank)
    # columns of the null space are rounding errors: their angles say nothing
    if alpha < 1e-28 or beta < 1e-28 or gamma * gamma <= ORTHOGONAL * alpha * beta:
        return 0.0
    zeta = (beta - alpha) / (2.0 * gamma)
    tangent = math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    for i in range(rank):
        first, second = p[i], q[i]
        p[i] = cosine * (first - tangent * second)
        q[i] = cosine * (second + tangent * first)
    for i in range(nv):
        first, second = u[i], v[i]
        u[i] = cosine * (first - tangent * second)
        v[i] = cosine * (second + tangent * first)
    return gamma * gamma / (alpha * beta)


@kernel("void(double* sizes, double* vectors, int64* ic, double* w)")
def take_least(sizes, vectors, ic, w):
    """B <- the vectors (nv, nv) with the least sizes (nv), which are used up."""
    nv = ic[slots.NV]
    for l in range(nv - ic[slots.RANK]):
        least = 0
        for j in range(nv):
            if sizes[j] < sizes[least]:
                least = j
        sizes[least] = 1e300
        for i in range(nv):
            at(w, ic[slots.INPUTS] + l * nv)[i] = vectors[i + least * nv]


@kernel("void(int64* ic, double* w)")
def choose_by_svd(ic, w):
    """B <- the right singular vectors of zero singular values."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    a, right, sizes = at(w, ic[slots.PRODUCT]), at(w, ic[slots.MASS]), at(w, ic[slots.NORMS])
    for j in range(nv):
        for i in range(nv):
            right[i + j * nv] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        worst = 0.0
        for j in range(nv):
            for l in range(j):
                turned = rotate(at(a, l * rank), at(a, j * rank), rank, at(right, l * nv), at(right, j * nv), nv)
                worst = max(worst, turned)
        if worst <= ORTHOGONAL:
            break
    for j in range(nv):
        sizes[j] = dot(at(a, j * rank), at(a, j * rank), rank)
    take_least(sizes, right, ic, w)


@kernel("double(double* a, double* vectors, int64 p, int64 q, int64 n)")
def rotate_symmetric(a, vectors, p, q, n):
    """Make a_pq of a symmetric A (n, n) zero by a rotation, which the vectors follow. Returns its size before."""
    entry = a[p + q * n]
    if abs(entry) <= NO_ENTRY:
        return 0.0
    zeta = (a[q + q * n] - a[p + p * n]) / (2.0 * entry)
    tangent = math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    for i in range(n):
        first, second = a[i + p * n], a[i + q * n]
        a[i + p * n] = cosine * (first - tangent * second)
        a[i + q * n] = cosine * (second + tangent * first)
        first, second = vectors[i + p * n], vectors[i + q * n]
        vectors[i + p * n] = cosine * (first - tangent * second)
        vectors[i + q * n] = cosine * (second + tangent * first)
    for i in range(n):
        first, second = a[p + i * n], a[q + i * n]
        a[p + i * n] = cosine * (first - tangent * second)
        a[q + i * n] = cosine * (second + tangent * first)
    return abs(entry)


@kernel("void(int64* ic, double* w)")
def choose_by_eigenvectors(ic, w):
    """B <- the eigenvectors of zero eigenvalues of SCᵀC S."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    rows, a, vectors = at(w, ic[slots.PRODUCT]), at(w, ic[slots.MASS_FACTOR]), at(w, ic[slots.MASS])
    sizes = at(w, ic[slots.NORMS])
    for j in range(nv):
        for i in range(nv):
            a[i + j * nv] = dot(at(rows, i * rank), at(rows, j * rank), rank)
            vectors[i + j * nv] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        worst = 0.0
        for q in range(nv):
            for p in range(q):
                worst = max(worst, rotate_symmetric(a, vectors, p, q, nv))
        if worst <= NO_ENTRY:
            break
    for j in range(nv):
        sizes[j] = abs(a[j + j * nv])
    take_least(sizes, vectors, ic, w)


@kernel("void(double* x, double* against, int64 count, int64 nv)")
def orthogonalise(x, against, count, nv):
    """x <- its part orthogonal to *count* orthonormal vectors, with length 1; twice is enough."""
    for _ in range(2):
        for i in range(count):
            add_multiple(at(against, i * nv), -dot(at(against, i * nv), x, nv), x, nv)
    length = math.sqrt(dot(x, x, nv))
    for i in range(nv):
        x[i] /= length


@kernel("void(int64* ic, double* w)")
def choose_by_gram_schmidt(ic, w):
    """B <- unit vectors made orthogonal to the rows of C and to each other, those with the longest remainders."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    a, known = at(w, ic[slots.PRODUCT]), at(w, ic[slots.MASS])
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
            at(w, ic[slots.INPUTS] + (l - rank) * nv)[j] = vector[j]


@kernel("void(int64* ic, double* w)")
def choose_inputs(ic, w):
    """B from the closure and the constraint factorisation at hand."""
    kind = ic[slots.BASIS_KIND]
    equilibrate(ic, w)
    if kind == slots.QR:
        choose_by_qr(ic, w)
    elif kind == slots.SVD:
        choose_by_svd(ic, w)
    elif kind == slots.EIGENVECTORS:
        choose_by_eigenvectors(ic, w)
    elif kind == slots.GRAM_SCHMIDT:
        choose_by_gram_schmidt(ic, w)
    else:
        choose_by_gauss(ic, w)
    w[slots.INDEPENDENCE] = independence(ic, w)


@kernel("int32(int64* ic, double* w)")
def hold_rows(ic, w):
    """ROWS from the closure at hand, which may not satisfy the conditions: their number stays."""
    factor_constraints(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    code = hold_rank(ic, w)
    if code == 0:
        for i in range(ic[slots.M]):
            at(ic, ic[slots.ROWS])[i] = at(ic, ic[slots.PIVOTS])[i]
    return code


@kernel("int32(double t, int64 closed, int64* ic, double* w)")
def watch_inputs(t, closed, ic, w):
    """Choose the rows of C again, and B where it has lost its independence. The closure at hand belongs to the state."""
    nv, rank = ic[slots.NV], ic[slots.RANK]
    order, kept = at(ic, ic[slots.ORDER]), at(ic, ic[slots.KEPT])
    code = choose_rows(ic, w) if closed == 1 else hold_rows(ic, w)
    if code < 0:
        return code
    if rank == ic[slots.RANK]:
        value = independence(ic, w)
        if value >= w[slots.SWITCH_RATIO] * w[slots.INDEPENDENCE]:
            w[slots.INDEPENDENCE] = max(w[slots.INDEPENDENCE], value)
            return 0
    for i in range(nv):
        kept[i] = order[i]
    choose_inputs(ic, w)
    changed = 0 if ic[slots.BASIS_KIND] == slots.GAUSS and rank == ic[slots.RANK] else 1
    for i in range(nv):
        if kept[i] != order[i]:
            changed = 1
    if changed == 1:
        ic[slots.CHANGES] += 1
        log_set(t, ic, w)
    return 0
