"""Least squares of least norm for many matrices of one pattern, by one order of elimination.

A (n, m) of rank r is brought to P A Q = L U, with L (n, r) unit lower and U (r, m) upper trapezoidal, along the lists that
``numerics/elimination.py`` makes; entries outside the pattern are not touched. With orthonormal bases of the null spaces

    Lᵀ Y = 0,   Y = [−L₁⁻ᵀ L₂ᵀ; 1],        U Z = 0,   Z = [−U₁⁻¹ U₂; 1],

x = (1 − Z Zᵀ) [U₁⁻¹ L₁⁻¹ (1 − Y Yᵀ) b; 0] is the shortest least-squares solution (Golub and Van Loan, Matrix Computations,
section 5.5). Samples stand beside each other: number i of lane l lies at a[i * lanes + l], so that all operations are those
of vectors. What tells whether the order suits a sample is measured on the way.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import least_norm_slots as slots
from linkwork.numerics.kernels.calling import at, integers, kernel

CONSISTENT = 1e-14  # part of a right side that may be left over before it is projected


@kernel("void(int64* steps, double* a, double* largest, int64 lanes)", vectorise=True)
def eliminate(steps, a, largest, lanes):
    """L and U in place of A; *largest* (lanes): of the entries of L.

    Steps: how many, and for each pivot its slot, the number of rows below and of entries beside it, the slots of these
    entries, and for each row the slot below the pivot and those below the entries.
    """
    k = 1
    for _ in range(steps[0]):
        pivot, below, beside = at(a, steps[k] * lanes), steps[k + 1], steps[k + 2]
        entries = at(steps, k + 3)
        k += 3 + beside
        for _ in range(below):
            factor = at(a, steps[k] * lanes)
            for l in range(lanes):
                factor[l] /= pivot[l]
                largest[l] = max(largest[l], abs(factor[l]))
            for j in range(beside):
                target, source = at(a, steps[k + 1 + j] * lanes), at(a, entries[j] * lanes)
                for l in range(lanes):
                    target[l] -= factor[l] * source[l]
            k += 1 + beside


@kernel("void(int64* entries, int64 count, double* a, double* x, int64 lanes)", vectorise=True)
def substitute(entries, count, a, x, lanes):
    """x[to] −= a[slot] x[from] along a list of (slot, to, from); without a from, x[to] is divided by a[slot]."""
    for k in range(count):
        entry, target = at(a, entries[3 * k] * lanes), at(x, entries[3 * k + 1] * lanes)
        if entries[3 * k + 2] < 0:
            for l in range(lanes):
                target[l] /= entry[l]
        else:
            source = at(x, entries[3 * k + 2] * lanes)
            for l in range(lanes):
                target[l] -= entry[l] * source[l]


@kernel("void(double* x, double* y, int64 n, double* out, int64 lanes)", vectorise=True)
def products(x, y, n, out, lanes):
    """out (lanes) = x · y."""
    for l in range(lanes):
        out[l] = 0.0
    for i in range(n):
        a, b = at(x, i * lanes), at(y, i * lanes)
        for l in range(lanes):
            out[l] += a[l] * b[l]


@kernel("void(double* basis, int64 count, double* x, int64 n, double* along, int64 lanes)", vectorise=True)
def project(basis, count, x, n, along, lanes):
    """x (n) less its parts along *count* orthonormal vectors."""
    for k in range(count):
        vector = at(basis, k * n * lanes)
        products(vector, x, n, along, lanes)
        for i in range(n):
            target, source = at(x, i * lanes), at(vector, i * lanes)
            for l in range(lanes):
                target[l] -= along[l] * source[l]


@kernel("void(double* x, int64 first, int64 last, int64 lanes)", vectorise=True)
def clear(x, first, last, lanes):
    for i in range(first * lanes, last * lanes):
        x[i] = 0.0


@kernel("void(int64* entries, int64 count, double* a, int64 size, int64* ic, double* w, double* basis)")
def find_null_space(entries, count, a, size, ic, w, basis):
    """An orthonormal basis of the vectors of *size* that a substitution makes of what is free behind the rank."""
    rank, lanes, along = ic[slots.RANK], ic[slots.LANES], at(w, ic[slots.ALONG])
    clear(basis, 0, (size - rank) * size, lanes)
    for k in range(size - rank):
        vector = at(basis, k * size * lanes)
        for l in range(lanes):
            vector[(rank + k) * lanes + l] = 1.0
        substitute(entries, count, a, vector, lanes)
        project(basis, k, vector, size, along, lanes)
        products(vector, vector, size, along, lanes)
        for i in range(size):
            for l in range(lanes):
                vector[i * lanes + l] /= math.sqrt(along[l])


@kernel("int64(double* x, int64 first, int64 n, int64 lanes)")
def is_consistent(x, first, n, lanes):
    """Whether in every lane nothing to speak of is left behind *first*."""
    for l in range(lanes):
        size, rest = 0.0, 0.0
        for i in range(first):
            size = max(size, abs(x[i * lanes + l]))
        for i in range(first, n):
            rest = max(rest, abs(x[i * lanes + l]))
        if rest > CONSISTENT * size:
            return 0
    return 1


@kernel("void(int64* ic, double* w)")
def solve_lower(ic, w):
    """The vector b (n) <- L₁⁻¹ (1 − Y Yᵀ) b (r)."""
    n, rank, lanes, a = ic[slots.ROWS], ic[slots.RANK], ic[slots.LANES], w
    x, saved, basis = at(w, ic[slots.VECTOR]), at(w, ic[slots.SAVED]), at(w, ic[slots.LEFT_BASIS])
    for i in range(n * lanes):
        saved[i] = x[i]
    substitute(integers(ic[slots.LOWER]), ic[slots.LOWER_COUNT], a, x, lanes)
    if n == rank or is_consistent(x, rank, n, lanes) == 1:
        return
    find_null_space(integers(ic[slots.LOWER_TRANSPOSED]), ic[slots.LOWER_COUNT], a, n, ic, w, basis)
    project(basis, n - rank, saved, n, at(w, ic[slots.ALONG]), lanes)
    for i in range(n * lanes):
        x[i] = saved[i]
    substitute(integers(ic[slots.LOWER]), ic[slots.LOWER_COUNT], a, x, lanes)


@kernel("void(int64* ic, double* w, double* inverse)")
def measure_inverse(ic, w, inverse):
    """The norm (lanes) of U₁⁻¹ L₁⁻¹, by a step of inverse iteration from a vector of signs."""
    rank, lanes, a, x = ic[slots.RANK], ic[slots.LANES], w, at(w, ic[slots.SAVED])
    size, along = max(ic[slots.ROWS], ic[slots.COLUMNS]), at(w, ic[slots.ALONG])
    if rank == 0:
        return
    for i in range(rank):
        for l in range(lanes):
            x[i * lanes + l] = 1.0 if (7 * i * i + 3 * i) % 11 < 5 else -1.0
    clear(x, rank, size, lanes)
    substitute(integers(ic[slots.LOWER]), ic[slots.LOWER_COUNT], a, x, lanes)
    clear(x, rank, size, lanes)
    substitute(integers(ic[slots.UPPER]), ic[slots.UPPER_COUNT], a, x, lanes)
    products(x, x, rank, inverse, lanes)
    substitute(integers(ic[slots.UPPER_TRANSPOSED]), ic[slots.UPPER_COUNT], a, x, lanes)
    clear(x, rank, size, lanes)
    substitute(integers(ic[slots.LOWER_TRANSPOSED]), ic[slots.LOWER_COUNT], a, x, lanes)
    products(x, x, rank, along, lanes)
    for l in range(lanes):
        first, second = math.sqrt(inverse[l] / float(rank)), math.sqrt(along[l] / inverse[l])
        inverse[l] = first if first > second else second


@kernel("void(double* data, int64 valid, int64* ic, double* w)", vectorise=True)
def gather(data, valid, ic, w):
    """A, b and W of the samples of a block, each number to its place; lanes that are left over repeat the last sample."""
    lanes, places = ic[slots.LANES], integers(ic[slots.PLACES])
    clear(w, 0, ic[slots.SLOTS], lanes)
    for l in range(lanes):
        row = at(data, min(l, valid - 1) * ic[slots.STRIDE])
        for e in range(ic[slots.WIDTH]):
            w[places[e] * lanes + l] = row[e]


@kernel("void(double* x, int64* ic, double* w, int64 valid, double* out, int64 stride)", vectorise=True)
def weigh(x, ic, w, valid, out, stride):
    """W x of the samples of a block."""
    lanes, nc, where = ic[slots.LANES], ic[slots.COMPONENTS], integers(ic[slots.WEIGHTS_AT])
    weights, parts = at(w, ic[slots.WEIGHTS]), at(w, ic[slots.PARTS])
    clear(parts, 0, nc, lanes)
    for e in range(ic[slots.WEIGHTS_COUNT]):
        weight, part, number = (
            at(weights, e * lanes),
            at(parts, where[2 * e] * lanes),
            at(x, where[2 * e + 1] * lanes),
        )
        for l in range(lanes):
            part[l] += weight[l] * number[l]
    for l in range(valid):
        for i in range(nc):
            out[l * stride + i] = parts[i * lanes + l]


@kernel("void(int64* ic, double* w)", vectorise=True)
def factorise(ic, w):
    """L and U of a block, and its measures."""
    lanes, told, left = ic[slots.LANES], at(w, ic[slots.TOLD]), integers(ic[slots.LEFT])
    rest = at(told, slots.REST * lanes)
    clear(told, 0, slots.JUDGED, lanes)
    products(w, w, ic[slots.SLOTS], told, lanes)
    eliminate(integers(ic[slots.STEPS]), w, at(told, slots.LARGEST * lanes), lanes)
    for k in range(ic[slots.LEFT_COUNT]):
        entry = at(w, left[k] * lanes)
        for l in range(lanes):
            rest[l] = max(rest[l], abs(entry[l]))
    measure_inverse(ic, w, at(told, slots.INVERSE * lanes))


@kernel("void(double* data, int64 count, int64* ic, double* w, double* out, double* free, double* told)")
def solve_samples(data, count, ic, w, out, free, told):
    """W x (count, nc), W Z (count, m − r, nc) and the measures (count, 4) of samples [A, b, W]."""
    n, m, rank, lanes = ic[slots.ROWS], ic[slots.COLUMNS], ic[slots.RANK], ic[slots.LANES]
    nc, size = ic[slots.COMPONENTS], max(n, m)
    x, basis, judged = at(w, ic[slots.VECTOR]), at(w, ic[slots.RIGHT_BASIS]), at(w, ic[slots.TOLD])
    first = 0
    while first < count:
        valid = min(lanes, count - first)
        gather(at(data, first * ic[slots.STRIDE]), valid, ic, w)
        factorise(ic, w)
        solve_lower(ic, w)
        clear(x, rank, size, lanes)
        substitute(integers(ic[slots.UPPER]), ic[slots.UPPER_COUNT], w, x, lanes)
        if m > rank:
            find_null_space(integers(ic[slots.UPPER]), ic[slots.UPPER_COUNT], w, m, ic, w, basis)
            project(basis, m - rank, x, m, at(w, ic[slots.ALONG]), lanes)
            for k in range(m - rank):
                loose = at(free, (first * (m - rank) + k) * nc)
                weigh(at(basis, k * m * lanes), ic, w, valid, loose, (m - rank) * nc)
        weigh(x, ic, w, valid, at(out, first * nc), nc)
        for l in range(valid):
            for i in range(slots.JUDGED):
                told[(first + l) * slots.JUDGED + i] = judged[i * lanes + l]
        first += lanes
