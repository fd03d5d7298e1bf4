"""Least squares of least norm for many matrices of one pattern, by one order of elimination.

A (n, m) of rank r is brought to P A Q = L U, with L (n, r) unit lower and U (r, m) upper trapezoidal, along the lists that
``numerics/matrices/elimination.py`` makes; no others are touched. With orthonormal bases of the null spaces

    Lᵀ Y = 0,   Y = [−L₁⁻ᵀ L₂ᵀ; 1],        U Z = 0,   Z = [−U₁⁻¹ U₂; 1],

x = (1 − Z Zᵀ) [U₁⁻¹ L₁⁻¹ (1 − Y Yᵀ) b; 0] is the shortest least-squares solution (Golub and Van Loan, Matrix Computations,
section 5.5). Samples stand beside each other: number i of lane l lies at a[i * lanes + l], so that all operations are those
of vectors. What tells whether the order suits a sample is measured on the way.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array, borrowed, part

CONSISTENT = 1e-14  # part of a right side that may be left over before it is projected
JUDGED = 4  # numbers by which a sample is judged


class SampleMemory(Record):
    """Samples of one pattern and their elimination: sizes, lists, and the work of all lanes."""

    rows: int  # n
    columns: int  # m
    size: int  # of a vector: the larger of them
    rank: int  # r
    lanes: int
    slots: int  # of A with what elimination fills in
    components: int  # nc
    weights_count: int  # entries of W, behind the right side b of a sample
    width: int  # numbers of a sample
    stride: int  # from one sample to the next
    places: Ints = borrowed()  # slots of the entries of A, then rows of b, then places of the entries of W
    steps: Ints = borrowed()
    lower: Ints = borrowed()
    lower_transposed: Ints = borrowed()
    lower_count: int
    upper: Ints = borrowed()
    upper_transposed: Ints = borrowed()
    upper_count: int
    weights_at: Ints = borrowed()  # (component, column) of the entries of W
    left: Ints = borrowed()  # slots of what is left of A behind the last pivot
    left_count: int
    work: Floats = array("lanes", "slots + size + weights_count")  # what a sample gives
    matrix: Floats = part("work", "lanes", "slots")  # A
    vector: Floats = part("work", "lanes", "size")  # b
    weights: Floats = part("work", "lanes", "weights_count")  # W
    saved: Floats = array("lanes", "size")
    parts: Floats = array("lanes", "components")
    left_basis: Floats = array("lanes", "rows - rank", "rows")
    right_basis: Floats = array("lanes", "columns - rank", "columns")
    along: Floats = array("lanes")
    norm: Floats = array("lanes")  # square of that of A
    largest: Floats = array("lanes")  # entry of L
    rest: Floats = array("lanes")  # largest entry that is left
    inverse: Floats = array("lanes")  # norm of that of L₁ U₁


@kernel(vectorise=True)
def eliminate(steps: Ints, a: Floats, largest: Floats, lanes: int) -> None:
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
                target[:lanes] -= factor[:lanes] * source[:lanes]
            k += 1 + beside


@kernel(vectorise=True)
def substitute(entries: Ints, count: int, a: Floats, x: Floats, lanes: int) -> None:
    """x[to] −= a[slot] x[from] along a list of (slot, to, from); without a from, x[to] is divided by a[slot]."""
    for k in range(count):
        entry, target = at(a, entries[3 * k] * lanes), at(x, entries[3 * k + 1] * lanes)
        if entries[3 * k + 2] < 0:
            target[:lanes] /= entry[:lanes]
        else:
            source = at(x, entries[3 * k + 2] * lanes)
            target[:lanes] -= entry[:lanes] * source[:lanes]


@kernel(vectorise=True)
def products(x: Floats, y: Floats, n: int, out: Floats, lanes: int) -> None:
    """out (lanes) = x · y."""
    out[:lanes] = 0.0
    for i in range(n):
        a, b = at(x, i * lanes), at(y, i * lanes)
        out[:lanes] += a[:lanes] * b[:lanes]


@kernel(vectorise=True)
def project(basis: Floats, count: int, x: Floats, n: int, along: Floats, lanes: int) -> None:
    """x (n) less its parts along *count* orthonormal vectors."""
    for k in range(count):
        vector = at(basis, k * n * lanes)
        products(vector, x, n, along, lanes)
        for i in range(n):
            target, source = at(x, i * lanes), at(vector, i * lanes)
            target[:lanes] -= along[:lanes] * source[:lanes]


@kernel(vectorise=True)
def clear(x: Floats, first: int, last: int, lanes: int) -> None:
    x[first * lanes : last * lanes] = 0.0


@kernel
def find_null_space(entries: Ints, count: int, a: Floats, size: int, samples: SampleMemory, basis: Floats) -> None:
    """An orthonormal basis of the vectors of *size* that a substitution makes of what is free behind the rank."""
    rank, lanes, along = samples.rank, samples.lanes, samples.along
    clear(basis, 0, (size - rank) * size, lanes)
    for k in range(size - rank):
        vector = at(basis, k * size * lanes)
        vector[(rank + k) * lanes : (rank + k + 1) * lanes] = 1.0
        substitute(entries, count, a, vector, lanes)
        project(basis, k, vector, size, along, lanes)
        products(vector, vector, size, along, lanes)
        for i in range(size):
            for l in range(lanes):
                vector[i * lanes + l] /= math.sqrt(along[l])


@kernel
def is_consistent(x: Floats, first: int, n: int, lanes: int) -> int:
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


@kernel
def solve_lower(samples: SampleMemory) -> None:
    """The vector b (n) <- L₁⁻¹ (1 − Y Yᵀ) b (r)."""
    n, rank, lanes, a = samples.rows, samples.rank, samples.lanes, samples.matrix
    x, saved, basis = samples.vector, samples.saved, samples.left_basis
    saved[: n * lanes] = x[: n * lanes]
    substitute(samples.lower, samples.lower_count, a, x, lanes)
    if n == rank or is_consistent(x, rank, n, lanes) == 1:
        return
    find_null_space(samples.lower_transposed, samples.lower_count, a, n, samples, basis)
    project(basis, n - rank, saved, n, samples.along, lanes)
    x[: n * lanes] = saved[: n * lanes]
    substitute(samples.lower, samples.lower_count, a, x, lanes)


@kernel
def measure_inverse(samples: SampleMemory) -> None:
    """The norm (lanes) of U₁⁻¹ L₁⁻¹, by a step of inverse iteration from a vector of signs."""
    rank, lanes, a, x = samples.rank, samples.lanes, samples.matrix, samples.saved
    size, along, inverse = samples.size, samples.along, samples.inverse
    if rank == 0:
        return
    for i in range(rank):
        for l in range(lanes):
            x[i * lanes + l] = 1.0 if (7 * i * i + 3 * i) % 11 < 5 else -1.0
    clear(x, rank, size, lanes)
    substitute(samples.lower, samples.lower_count, a, x, lanes)
    clear(x, rank, size, lanes)
    substitute(samples.upper, samples.upper_count, a, x, lanes)
    products(x, x, rank, inverse, lanes)
    substitute(samples.upper_transposed, samples.upper_count, a, x, lanes)
    clear(x, rank, size, lanes)
    substitute(samples.lower_transposed, samples.lower_count, a, x, lanes)
    products(x, x, rank, along, lanes)
    for l in range(lanes):
        first, second = math.sqrt(inverse[l] / float(rank)), math.sqrt(along[l] / inverse[l])
        inverse[l] = first if first > second else second


@kernel(vectorise=True)
def gather(data: Floats, valid: int, samples: SampleMemory) -> None:
    """A, b and W of the samples of a block, each number to its place; lanes that are left over repeat the last sample."""
    lanes, places = samples.lanes, samples.places
    clear(samples.work, 0, samples.slots, lanes)
    for l in range(lanes):
        row = at(data, min(l, valid - 1) * samples.stride)
        for e in range(samples.width):
            samples.work[places[e] * lanes + l] = row[e]


@kernel(vectorise=True)
def weigh(x: Floats, samples: SampleMemory, valid: int, out: Floats, stride: int) -> None:
    """W x of the samples of a block."""
    lanes, nc, where = samples.lanes, samples.components, samples.weights_at
    weights, parts = samples.weights, samples.parts
    clear(parts, 0, nc, lanes)
    for e in range(samples.weights_count):
        weight, part, number = (
            at(weights, e * lanes),
            at(parts, where[2 * e] * lanes),
            at(x, where[2 * e + 1] * lanes),
        )
        part[:lanes] += weight[:lanes] * number[:lanes]
    for l in range(valid):
        for i in range(nc):
            out[l * stride + i] = parts[i * lanes + l]


@kernel(vectorise=True)
def factorise(samples: SampleMemory) -> None:
    """L and U of a block, and its measures."""
    lanes, a, left, rest = samples.lanes, samples.matrix, samples.left, samples.rest
    samples.largest[:lanes] = 0.0
    rest[:lanes] = 0.0
    samples.inverse[:lanes] = 0.0
    products(a, a, samples.slots, samples.norm, lanes)
    eliminate(samples.steps, a, samples.largest, lanes)
    for k in range(samples.left_count):
        entry = at(a, left[k] * lanes)
        for l in range(lanes):
            rest[l] = max(rest[l], abs(entry[l]))
    measure_inverse(samples)


@kernel
def solve_samples(data: Floats, count: int, samples: SampleMemory, out: Floats, free: Floats, told: Floats) -> None:
    """W x (count, nc), W Z (count, m − r, nc) and the measures (count, 4) of samples [A, b, W]."""
    m, rank, lanes = samples.columns, samples.rank, samples.lanes
    nc, size, a = samples.components, samples.size, samples.matrix
    x, basis = samples.vector, samples.right_basis
    first = 0
    while first < count:
        valid = min(lanes, count - first)
        gather(at(data, first * samples.stride), valid, samples)
        factorise(samples)
        solve_lower(samples)
        clear(x, rank, size, lanes)
        substitute(samples.upper, samples.upper_count, a, x, lanes)
        if m > rank:
            find_null_space(samples.upper, samples.upper_count, a, m, samples, basis)
            project(basis, m - rank, x, m, samples.along, lanes)
            for k in range(m - rank):
                loose = at(free, (first * (m - rank) + k) * nc)
                weigh(at(basis, k * m * lanes), samples, valid, loose, (m - rank) * nc)
        weigh(x, samples, valid, at(out, first * nc), nc)
        for l in range(valid):
            row = at(told, (first + l) * JUDGED)
            row[0], row[1] = samples.norm[l], samples.largest[l]
            row[2], row[3] = samples.rest[l], samples.inverse[l]
        first += lanes
