"""Least squares of least norm for many matrices of one pattern, by one order of elimination.

A (n, m) of rank r is brought to P A Q = L U, with L (n, r) unit lower and U (r, m) upper trapezoidal, along the lists that
``numerics/matrices/elimination.py`` makes; no others are touched. With bases of the null spaces

    Lᵀ Y = 0,   Y = [−L₁⁻ᵀ L₂ᵀ; 1],        U Z = 0,   Z = [−U₁⁻¹ U₂; 1],

the second one made orthonormal, x = (1 − Z Zᵀ) [U₁⁻¹ L₁⁻¹ (1 − Y (YᵀY)⁻¹ Yᵀ) b; 0] is the shortest least-squares solution
(Golub and Van Loan, Matrix Computations, section 5.5). Yᵀ b is what L₁⁻¹ leaves of b behind the rank: rounding errors, where
A x = b has a solution. What is to be taken from b is never longer, and is found by conjugate gradients, of which each step
costs two substitutions. Z falls into groups of unknowns, each of which has its own.

Samples stand beside each other: number i of lane l lies at a[i * lanes + l], so that all operations are those of vectors.
What tells whether the order suits a sample is measured on the way.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array, borrowed, part

CONSISTENT = 1e-14  # part of a right side that may be left over before it is projected,
SUMMED = 2.2e-16  # and for each number that adds up to it: sums of many are rounded as often
PASSES = 3  # of conjugate gradients, each from what the one before has left
JUDGED = 6  # numbers by which a sample is judged
HUGE = 1e300


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
    pivots: Ints = borrowed()  # slots of the pivots
    groups: Ints = borrowed()  # groups of unknowns that are not determined, see `free_group`
    groups_count: int
    group_size: int  # the most unknowns of a group,
    group_parts: int  # the most components that they have,
    group_basis: int  # and the most numbers of a basis
    told_free: int  # whether W Z is asked for, or the lengths of its rows alone
    work: Floats = array("lanes", "slots + size + weights_count")  # what a sample gives
    matrix: Floats = part("work", "lanes", "slots")  # A
    vector: Floats = part("work", "lanes", "size")  # b
    weights: Floats = part("work", "lanes", "weights_count")  # W
    saved: Floats = array("lanes", "size")
    parts: Floats = array("lanes", "components")
    motion: Floats = array("lanes", "rows")  # Y d for a direction d
    image: Floats = array("lanes", "rows")  # Yᵀ Y d, behind the rank
    direction: Floats = array("lanes", "rows - rank")
    rest: Floats = array("lanes", "rows - rank")
    basis: Floats = array("lanes", "group_basis")
    group: Floats = array("lanes", "group_size")
    group_weighed: Floats = array("lanes", "group_parts")
    along: Floats = array("lanes")
    squares: Floats = array("lanes")
    sizes: Floats = array("lanes")  # square of that of b
    norm: Floats = array("lanes")  # square of that of A
    largest: Floats = array("lanes")  # entry of L
    left_over: Floats = array("lanes")  # largest entry that is left
    inverse: Floats = array("lanes")  # norm of that of L₁ U₁
    faintest: Floats = array("lanes")  # pivot beside the largest entry of A
    gap: Floats = array("lanes")  # of b, which no x closes, beside b


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


@kernel(vectorise=True)
def subtract(x: Floats, n: int, factors: Floats, y: Floats, lanes: int) -> None:
    """y (n) −= factors (lanes) x (n)."""
    for i in range(n):
        target, source = at(y, i * lanes), at(x, i * lanes)
        target[:lanes] -= factors[:lanes] * source[:lanes]


@kernel
def find_null_space(entries: Ints, count: int, size: int, nullity: int, samples: SampleMemory) -> None:
    """An orthonormal basis of the vectors of *size* that a substitution makes of the last *nullity* numbers."""
    rank, lanes, along, basis = size - nullity, samples.lanes, samples.along, samples.basis
    clear(basis, 0, nullity * size, lanes)
    for k in range(nullity):
        vector = at(basis, k * size * lanes)
        vector[(rank + k) * lanes : (rank + k + 1) * lanes] = 1.0
        substitute(entries, count, samples.matrix, vector, lanes)
        project(basis, k, vector, size, along, lanes)
        products(vector, vector, size, along, lanes)
        for i in range(size):
            for l in range(lanes):
                vector[i * lanes + l] /= math.sqrt(along[l])


@kernel
def measure_gap(x: Floats, samples: SampleMemory) -> float:
    """The largest part of any lane's vector that is left behind the rank, beside its largest number."""
    lanes, rank, rows, most = samples.lanes, samples.rank, samples.rows, 0.0
    for l in range(lanes):
        size, rest = 0.0, 0.0
        for i in range(rank):
            size = max(size, abs(x[i * lanes + l]))
        for i in range(rank, rows):
            rest = max(rest, abs(x[i * lanes + l]))
        samples.gap[l] = 0.0 if rest == 0.0 else rest / max(size, rest)
        most = max(most, samples.gap[l])
    return most


@kernel
def close_gap(samples: SampleMemory) -> None:
    """The vector b (n) <- (1 − Y (YᵀY)⁻¹ Yᵀ) b; what it leaves behind the rank is in *rest*."""
    n, rank, lanes, a = samples.rows, samples.rank, samples.lanes, samples.matrix
    motion, image, rest, direction = samples.motion, samples.image, samples.rest, samples.direction
    left, along, squares, count = n - rank, samples.along, samples.squares, samples.lower_count
    behind, least = at(image, rank * lanes), max(CONSISTENT, SUMMED * float(n))
    direction[: left * lanes] = rest[: left * lanes]
    products(rest, rest, left, squares, lanes)
    for _ in range(2 * left + 8):
        clear(motion, 0, rank, lanes)
        motion[rank * lanes : n * lanes] = direction[: left * lanes]
        substitute(samples.lower_transposed, count, a, motion, lanes)
        products(motion, motion, n, along, lanes)
        for l in range(lanes):
            along[l] = squares[l] / along[l] if along[l] > 0.0 else 0.0
        subtract(motion, n, along, samples.saved, lanes)
        image[: n * lanes] = motion[: n * lanes]
        substitute(samples.lower, count, a, image, lanes)
        subtract(behind, left, along, rest, lanes)
        products(rest, rest, left, along, lanes)
        most = 0.0
        for l in range(lanes):
            part = along[l]
            most = max(most, part / max(samples.sizes[l], 1e-300))
            along[l] = -part / squares[l] if squares[l] > 0.0 else 0.0
            squares[l] = part
        if most <= least * least:
            return
        # d <- rest + β d
        image[: left * lanes] = rest[: left * lanes]
        subtract(direction, left, along, image, lanes)
        direction[: left * lanes] = image[: left * lanes]


@kernel
def solve_lower(samples: SampleMemory) -> None:
    """The vector b (n) <- L₁⁻¹ (1 − Y (YᵀY)⁻¹ Yᵀ) b (r)."""
    n, rank, lanes, a = samples.rows, samples.rank, samples.lanes, samples.matrix
    x, saved = samples.vector, samples.saved
    products(x, x, n, samples.sizes, lanes)
    for k in range(PASSES + 1):
        saved[: n * lanes] = x[: n * lanes]
        substitute(samples.lower, samples.lower_count, a, x, lanes)
        if measure_gap(x, samples) <= max(CONSISTENT, SUMMED * float(n)) or k == PASSES:
            return
        samples.rest[: (n - rank) * lanes] = x[rank * lanes : n * lanes]
        close_gap(samples)
        x[: n * lanes] = saved[: n * lanes]


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
def weigh(x: Floats, samples: SampleMemory, valid: int, out: Floats) -> None:
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
            out[l * nc + i] = parts[i * lanes + l]


@kernel(vectorise=True)
def weigh_group(x: Floats, entries: Ints, count: int, parts_count: int, samples: SampleMemory) -> None:
    """W x of a group, by a list of entries of W, their components and their unknowns, both counted within the group."""
    lanes, weights, parts = samples.lanes, samples.weights, samples.group_weighed
    clear(parts, 0, parts_count, lanes)
    for e in range(count):
        weight, part, number = (
            at(weights, entries[3 * e] * lanes),
            at(parts, entries[3 * e + 1] * lanes),
            at(x, entries[3 * e + 2] * lanes),
        )
        part[:lanes] += weight[:lanes] * number[:lanes]


@kernel(vectorise=True)
def copy_group(x: Floats, group: Floats, columns: Ints, count: int, back: int, lanes: int) -> None:
    """The numbers of a group from x, or *back* to it."""
    for i in range(count):
        whole, own = at(x, columns[i] * lanes), at(group, i * lanes)
        if back == 1:
            whole[:lanes] = own[:lanes]
        else:
            own[:lanes] = whole[:lanes]


@kernel
def free_group(
    group: Ints, samples: SampleMemory, valid: int, loose: Floats, free: Floats, at_free: int, all_free: int
) -> None:
    """Make the unknowns of a group the shortest, and tell the rows of W Z, or their squares.

    The list of a group: how many unknowns it has, how many of them are free, entries of U, entries of W and components; then
    its unknowns, its components, entries of U (slot, to, from), and of W (entry, component, unknown).
    """
    size, nullity, count, weights, parts = group[0], group[1], group[2], group[3], group[4]
    columns, components = at(group, 5), at(group, 5 + size)
    entries = at(group, 5 + size + parts)
    weighed = at(entries, 3 * count)
    lanes, nc, told = samples.lanes, samples.components, samples.group_weighed
    find_null_space(entries, count, size, nullity, samples)
    copy_group(samples.vector, samples.group, columns, size, 0, lanes)
    project(samples.basis, nullity, samples.group, size, samples.along, lanes)
    copy_group(samples.vector, samples.group, columns, size, 1, lanes)
    for k in range(nullity):
        weigh_group(at(samples.basis, k * size * lanes), weighed, weights, parts, samples)
        for i in range(parts):
            for l in range(valid):
                value = told[i * lanes + l]
                loose[l * nc + components[i]] += value * value
                if samples.told_free == 1:
                    free[(l * all_free + at_free + k) * nc + components[i]] = value


@kernel(vectorise=True)
def factorise(samples: SampleMemory) -> None:
    """L and U of a block, and its measures."""
    lanes, a, left, left_over = samples.lanes, samples.matrix, samples.left, samples.left_over
    inverse, faintest = samples.inverse, samples.faintest
    samples.largest[:lanes] = 0.0
    left_over[:lanes] = 0.0
    inverse[:lanes] = 0.0
    products(a, a, samples.slots, samples.norm, lanes)
    for k in range(samples.slots):
        entry = at(a, k * lanes)
        for l in range(lanes):
            inverse[l] = max(inverse[l], abs(entry[l]))
    eliminate(samples.steps, a, samples.largest, lanes)
    faintest[:lanes] = HUGE
    for k in range(samples.rank):
        entry = at(a, samples.pivots[k] * lanes)
        for l in range(lanes):
            faintest[l] = min(faintest[l], abs(entry[l]) / inverse[l])
    for k in range(samples.left_count):
        entry = at(a, left[k] * lanes)
        for l in range(lanes):
            left_over[l] = max(left_over[l], abs(entry[l]))
    inverse[:lanes] = 0.0
    measure_inverse(samples)


@kernel
def solve_samples(
    data: Floats, count: int, samples: SampleMemory, out: Floats, loose: Floats, free: Floats, told: Floats
) -> None:
    """W x (count, nc), the squares (count, nc) of the rows of W Z, W Z (count, m − r, nc) where it is asked for, and the
    measures (count, 6) of samples [A, b, W]."""
    nullity, rank, lanes, nc = samples.columns - samples.rank, samples.rank, samples.lanes, samples.components
    first = 0
    while first < count:
        valid = min(lanes, count - first)
        gather(at(data, first * samples.stride), valid, samples)
        factorise(samples)
        solve_lower(samples)
        clear(samples.vector, rank, samples.size, lanes)
        substitute(samples.upper, samples.upper_count, samples.matrix, samples.vector, lanes)
        group, done = samples.groups, 0
        for _ in range(samples.groups_count):
            own = at(free, first * nullity * nc * samples.told_free)
            free_group(group, samples, valid, at(loose, first * nc), own, done, nullity)
            done += group[1]
            group = at(group, 5 + group[0] + group[4] + 3 * group[2] + 3 * group[3])
        weigh(samples.vector, samples, valid, at(out, first * nc))
        for l in range(valid):
            row = at(told, (first + l) * JUDGED)
            row[0], row[1], row[2] = samples.norm[l], samples.largest[l], samples.left_over[l]
            row[3], row[4], row[5] = samples.inverse[l], samples.faintest[l], samples.gap[l]
        first += lanes
