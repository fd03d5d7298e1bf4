"""LU of sparse columns, with pivots chosen as they come: P B Q = L U, L (n, r) unit lower trapezoidal, U (r, r) upper.

Columns come in an order that fills in little whatever rows their pivots stand in (``numerics/matrices/fill.py``); each is
cleared by those before it along the entries that it touches, and its largest row becomes its pivot (Gilbert and Peierls,
Sparse partial pivoting in time proportional to arithmetic operations, 1988; Davis, Direct Methods for Sparse Linear Systems,
sections 3.1 and 6.2). Nothing has to be told of values beforehand, and no pivot that was sound once is trusted later.

B may have more rows than columns, and columns that depend on others: these are left out. From what rows without a pivot are
given the others follow,

    Bᵀ x = c:   Uᵀ w = c,   L₁ᵀ x₁ = w − L₂ᵀ x₂,        B x = b:   L z = b,   U x = z

where x₂ are the free ones. With c = 0 that is the null space of Bᵀ, of which nothing is stored.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array

NO_ROOM = -1
PASSES = 2  # of conjugate gradients,
FURTHER = 2  # of so many steps for each free row, more than it would take without rounding,
SHORTENED = 1e-24  # until so much is left of what is to be taken away, squared


class SparseLu(Record):
    """A sparse matrix B, column by column, and its factors."""

    size: int  # rows of B
    columns: int
    entries: int
    lower_room: int  # entries that L and U may have
    upper_room: int
    starts: Ints = array("columns + 1")  # of each column among the entries
    places: Ints = array("entries")  # rows of the entries
    values: Floats = array("entries")
    order: Ints = array("columns")  # columns as they come,
    taken: int  # as many as there are now
    barred: Ints = array("size")  # 1: this row is to be no pivot
    scales: Floats = array("columns")  # what counts as the size of a column; 0: it is left out
    row_scales: Floats = array("size")  # and of a row: pivots are chosen and judged beside both
    diagonal: float  # the row of a column's own number is its pivot where it is such a part of the largest; 0: never

    # --- factors
    rank: int  # r
    pivot_rows: Ints = array("columns")
    pivot_columns: Ints = array("columns")
    pivots: Floats = array("columns")
    row_pivots: Ints = array("size")  # which pivot stands in a row, -1: none
    left: Ints = array("columns")  # columns without a pivot
    left_count: int
    left_sizes: Floats = array("columns")  # what is left of them, over their scales
    lower_starts: Ints = array("columns + 1")
    lower_rows: Ints = array("lower_room")  # rows of B
    lower: Floats = array("lower_room")
    upper_starts: Ints = array("columns + 1")
    upper_pivots: Ints = array("upper_room")  # numbers of pivots
    upper: Floats = array("upper_room")

    # --- work
    x: Floats = array("size")  # zero between columns
    reached: Ints = array("size")
    path: Ints = array("size")
    following: Ints = array("size")
    marked: Ints = array("size")
    half: Floats = array("columns")


@kernel
def search(row: int, top: int, f: SparseLu) -> int:
    """Put what a row reaches along L before *top* in REACHED, each behind all that reach it. Returns the new top."""
    path, following, marked, starts = f.path, f.following, f.marked, f.lower_starts
    path[0], marked[row] = row, 1
    pivot, depth = f.row_pivots[row], 0
    following[0] = starts[pivot] if pivot >= 0 else 0
    while depth >= 0:
        pivot = f.row_pivots[path[depth]]
        last = starts[pivot + 1] if pivot >= 0 else 0
        e = following[depth]
        while e < last and marked[f.lower_rows[e]] == 1:
            e += 1
        if e < last:
            following[depth] = e + 1
            depth += 1
            path[depth] = f.lower_rows[e]
            marked[path[depth]] = 1
            pivot = f.row_pivots[path[depth]]
            following[depth] = starts[pivot] if pivot >= 0 else 0
        else:
            top -= 1
            f.reached[top] = path[depth]
            depth -= 1
    return top


@kernel
def load_column(column: int, f: SparseLu) -> int:
    """X <- a column of B, zero where L fills it in; the rows that are touched stand behind the place returned in REACHED."""
    top, x = f.size, f.x
    for e in range(f.starts[column], f.starts[column + 1]):
        if f.marked[f.places[e]] == 0:
            top = search(f.places[e], top, f)
    for e in range(f.starts[column], f.starts[column + 1]):
        x[f.places[e]] += f.values[e]
    return top


@kernel
def clear_column(top: int, f: SparseLu) -> int:
    """Take earlier columns out of X, and put them into U. Returns the row of the largest that is left, -1: there is none."""
    x, best, size = f.x, -1, 0.0
    last = f.upper_starts[f.rank]
    for e in range(top, f.size):
        row = f.reached[e]
        pivot = f.row_pivots[row]
        if pivot < 0:
            if f.barred[row] == 0 and abs(x[row]) > size * f.row_scales[row]:
                best, size = row, abs(x[row]) / f.row_scales[row]
            continue
        f.upper_pivots[last], f.upper[last] = pivot, x[row]
        last += 1
        for l in range(f.lower_starts[pivot], f.lower_starts[pivot + 1]):
            x[f.lower_rows[l]] -= f.lower[l] * x[row]
    f.upper_starts[f.rank + 1] = last
    return best


@kernel
def take_pivot(column: int, row: int, top: int, f: SparseLu) -> None:
    """The pivot of a column, and what stands beside it in L."""
    k, x, last = f.rank, f.x, f.lower_starts[f.rank]
    f.pivot_rows[k], f.pivot_columns[k], f.pivots[k] = row, column, x[row]
    f.row_pivots[row] = k
    for e in range(top, f.size):
        other = f.reached[e]
        if f.row_pivots[other] < 0 and x[other] != 0.0:
            f.lower_rows[last], f.lower[last] = other, x[other] / x[row]
            last += 1
    f.lower_starts[k + 1] = last
    f.rank = k + 1


@kernel
def forget_column(top: int, f: SparseLu) -> None:
    """X <- 0 and nothing marked."""
    for e in range(top, f.size):
        f.x[f.reached[e]] = 0.0
        f.marked[f.reached[e]] = 0


@kernel
def own_row(column: int, best: int, f: SparseLu) -> int:
    """The row of the column's own number, where it will do as its pivot, or the best one."""
    if f.diagonal == 0.0 or f.row_pivots[column] >= 0:
        return best
    return column if abs(f.x[column]) >= f.diagonal * abs(f.x[best]) else best


@kernel
def relative_size(column: int, row: int, f: SparseLu) -> float:
    """What is left of a column in a row, beside the sizes of both."""
    return abs(f.x[row]) / (f.scales[column] * f.row_scales[row])


@kernel
def factor_sparse(floor: float, f: SparseLu) -> int:
    """L and U of the columns in ORDER; those whose pivot would not exceed *floor*, beside SCALES and ROW_SCALES, are LEFT.

    Returns the rank, or NO_ROOM.
    """
    f.rank, f.left_count = 0, 0
    f.row_pivots[: f.size] = -1
    for j in range(f.taken):
        column = f.order[j]
        best, top = -1, f.size
        if f.scales[column] > 0.0:
            top = load_column(column, f)
            touched = f.size - top
            room = min(f.lower_room - f.lower_starts[f.rank], f.upper_room - f.upper_starts[f.rank])
            if touched > room:
                forget_column(top, f)
                return NO_ROOM
            best = clear_column(top, f)
        size = relative_size(column, best, f) if best >= 0 else 0.0
        if best >= 0 and size > floor:
            take_pivot(column, own_row(column, best, f), top, f)
        else:
            f.left[f.left_count] = column
            f.left_sizes[f.left_count] = size
            f.left_count += 1
        forget_column(top, f)
    return f.rank


@kernel
def smallest_ratio(scales: Floats, f: SparseLu) -> float:
    """The smallest pivot over what counts as the size of its column, at most 1."""
    smallest = 1.0
    for k in range(f.rank):
        smallest = min(smallest, abs(f.pivots[k]) / max(scales[f.pivot_columns[k]], 1e-300))
    return smallest


@kernel
def count_pivots(tolerance: float, f: SparseLu) -> int:
    """How many pivots exceed a part of the size of their columns."""
    count = 0
    for k in range(f.rank):
        if abs(f.pivots[k]) > tolerance * f.scales[f.pivot_columns[k]]:
            count += 1
    return count


@kernel
def follow_free(rank: int, x: Floats, f: SparseLu) -> None:
    """x <- the solution of L₁ᵀ x₁ = HALF − L₂ᵀ x₂ by the first *rank* pivots; x₂ stays."""
    for i in range(rank):
        k = rank - 1 - i
        total = f.half[k]
        for e in range(f.lower_starts[k], f.lower_starts[k + 1]):
            total -= f.lower[e] * x[f.lower_rows[e]]
        x[f.pivot_rows[k]] = total


@kernel
def solve_rows(rank: int, right: Floats, x: Floats, f: SparseLu) -> None:
    """x (size) <- the solution of Bᵀ x = right (columns) with the x of all rows but those of the first *rank* pivots."""
    half = f.half
    for k in range(rank):
        total = right[f.pivot_columns[k]]
        for e in range(f.upper_starts[k], f.upper_starts[k + 1]):
            total -= f.upper[e] * half[f.upper_pivots[e]]
        half[k] = total / f.pivots[k]
    follow_free(rank, x, f)


@kernel
def follow_null(rank: int, x: Floats, f: SparseLu) -> None:
    """x <- T x₂, the solution of Bᵀ x = 0 with these free ones."""
    f.half[:rank] = 0.0
    follow_free(rank, x, f)


@kernel
def gather_null(rank: int, x: Floats, f: SparseLu) -> None:
    """x₂ <- Tᵀ x; 0 elsewhere."""
    for k in range(rank):
        row = f.pivot_rows[k]
        for e in range(f.lower_starts[k], f.lower_starts[k + 1]):
            x[f.lower_rows[e]] -= f.lower[e] * x[row]
        x[row] = 0.0


@kernel
def squared(x: Floats, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return total


@kernel
def shorten(rank: int, x: Floats, t: Floats, r: Floats, d: Floats, f: SparseLu) -> None:
    """x <- x − T t, the shortest of the solutions of Bᵀ x = c: TᵀT t = Tᵀ x by conjugate gradients.

    Every t leaves Bᵀ x as it is, so that rounding errors here make x longer and nothing else. They come to an end once more
    from what the first time has left. t, r, d (size): work
    """
    for _ in range(PASSES):
        descend(rank, x, t, r, d, f)


@kernel
def descend(rank: int, x: Floats, t: Floats, r: Floats, d: Floats, f: SparseLu) -> None:
    """Conjugate gradients, each step two substitutions."""
    n = f.size
    r[:n] = x[:n]
    gather_null(rank, r, f)
    d[:n] = r[:n]
    size = squared(r, n)
    first = size
    for _ in range(FURTHER * (n - rank)):
        if not size > SHORTENED * first:
            break
        t[:n] = d[:n]
        follow_null(rank, t, f)
        step = size / squared(t, n)
        x[:n] -= step * t[:n]
        gather_null(rank, t, f)
        r[:n] -= step * t[:n]
        before, size = size, squared(r, n)
        d[:n] = r[:n] + size / before * d[:n]


@kernel
def solve_square(x: Floats, first: int, last: int, f: SparseLu) -> None:
    """x (size) <- B⁻¹ x, where nothing but rows of the pivots from *first* to *last* is in x, which touch no others.

    Its unknowns stand in the rows with their numbers.
    """
    for k in range(first, last):
        value = x[f.pivot_rows[k]]
        if value != 0.0:
            for e in range(f.lower_starts[k], f.lower_starts[k + 1]):
                x[f.lower_rows[e]] -= f.lower[e] * value
    for i in range(last - first):
        k = last - 1 - i
        value = x[f.pivot_rows[k]] / f.pivots[k]
        f.half[k] = value
        if value != 0.0:
            for e in range(f.upper_starts[k], f.upper_starts[k + 1]):
                x[f.pivot_rows[f.upper_pivots[e]]] -= f.upper[e] * value
    for k in range(first, last):
        x[f.pivot_columns[k]] = f.half[k]
