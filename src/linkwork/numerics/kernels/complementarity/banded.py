"""Factors of matrices that have the blocks of A: contacts are ordered so that those which know each other are near.

The order is that of E. Cuthill and J. McKee (1969), turned round: from a contact at the end of the graph, neighbours
with few neighbours first. What is then far from the diagonal is zero, and stays so in the factors of LAPACK's banded
matrices: a stack of any height has a narrow band, a wall one as wide as its shorter side.
"""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.cones import ConeProblem
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.linear.lapack import (
    factor_band,
    solve_band,
    solve_factored_band,
    solve_general_band,
)


class Band(Record):
    """An order of contacts, and room for a matrix that has the blocks of A; larger than is needed, if it was made so."""

    rows: int
    count: int
    room: int  # rows beside the diagonal for which there is memory
    general: int = 0  # 1: not symmetric, with pivots
    width: int  # rows beside the diagonal that are needed
    order: Ints = array("count")  # contacts in their order
    place: Ints = array("count")  # first row of each contact in it
    matrix: Floats = array("(1 + 2 * general) * room + 1", "rows")
    x: Floats = array("rows")
    pivots: Ints = array("general * rows")
    marks: Ints = array("count")
    cells: Ints = array("6")


@kernel
def walk_graph(problem: ConeProblem, band: Band, begin: int, placed: int) -> int:
    """Contacts that hang together with one, in their order behind those that are placed; returns how many are then."""
    order, marks, starts = band.order, band.marks, problem.starts
    order[placed], marks[begin] = begin, 1
    done, last = placed, placed + 1
    while done < last:
        i = order[done]
        done += 1
        first = last
        for k in range(starts[i], starts[i + 1]):
            j = problem.columns[k]
            if marks[j] == 0:
                marks[j] = 1
                # few neighbours first
                p = last
                while p > first and starts[order[p - 1] + 1] - starts[order[p - 1]] > starts[j + 1] - starts[j]:
                    order[p] = order[p - 1]
                    p -= 1
                order[p] = j
                last += 1
    return last


@kernel
def order_contacts(problem: ConeProblem, band: Band) -> int:
    """The order, and the width of the band."""
    count, order, marks, first = problem.count, band.order, band.marks, problem.first
    band.rows, band.count = problem.rows, count
    for i in range(count):
        marks[i] = 0
    placed = 0
    for i in range(count):
        if marks[i] == 1:
            continue
        # the last of a walk is at an end of the graph: the walk from there is the longest, or nearly
        last = walk_graph(problem, band, i, placed)
        end = order[last - 1]
        for p in range(placed, last):
            marks[order[p]] = 0
        placed = walk_graph(problem, band, end, placed)
    for p in range(count // 2):
        i = order[p]
        order[p] = order[count - 1 - p]
        order[count - 1 - p] = i
    row, width = 0, 0
    for p in range(count):
        band.place[order[p]] = row
        row += first[order[p] + 1] - first[order[p]]
    for i in range(count):
        for k in range(problem.starts[i], problem.starts[i + 1]):
            j = problem.columns[k]
            width = max(width, band.place[i] + first[i + 1] - first[i] - 1 - band.place[j])
    band.width = width
    return width


@kernel
def write_block(band: Band, row: int, column: int, height: int, width: int, block: Floats) -> None:
    """A block (height, width), by rows, at its place; of a symmetric matrix the lower triangle alone."""
    kd, out = band.width, band.matrix
    for k in range(height):
        for l in range(width):
            i, j = row + k, column + l
            if band.general == 1:
                out[2 * kd + i - j + j * (3 * kd + 1)] = block[k * width + l]
            elif i >= j:
                out[i - j + j * (kd + 1)] = block[k * width + l]


@kernel
def clear_band(band: Band) -> None:
    band.matrix[: (1 + (1 + 2 * band.general) * band.width) * band.rows] = 0.0


@kernel
def add_diagonal(problem: ConeProblem, band: Band, i: int, size: int, block: Floats) -> None:
    """Add a symmetric block (size, size) to that of a contact."""
    kd, row = band.width, band.place[i]
    for k in range(size):
        for l in range(k + 1):
            band.matrix[k - l + (row + l) * (kd + 1)] += block[k * size + l]


@kernel
def add_block(band: Band, row: int, size: int, block: Floats) -> None:
    """Add a block (size, size) on the diagonal of a general band."""
    for k in range(size):
        for l in range(size):
            band.matrix[2 * band.width + k - l + (row + l) * (3 * band.width + 1)] += block[k * size + l]


@kernel
def add_to_all(band: Band, more: float) -> None:
    """Add a number to the diagonal."""
    height = (1 + 2 * band.general) * band.width + 1
    for j in range(band.rows):
        band.matrix[2 * band.general * band.width + j * height] += more


@kernel
def write_scaled(problem: ConeProblem, band: Band, factors: Floats, work: Floats) -> None:
    """R A R of diagonal *factors* (rows); work: (9)."""
    first = problem.first
    clear_band(band)
    for i in range(problem.count):
        size = first[i + 1] - first[i]
        for t in range(problem.starts[i], problem.starts[i + 1]):
            j = problem.columns[t]
            width, a = first[j + 1] - first[j], at(problem.values, problem.places[t])
            for k in range(size):
                for l in range(width):
                    work[k * width + l] = factors[first[i] + k] * a[k * width + l] * factors[first[j] + l]
            write_block(band, band.place[i], band.place[j], size, width, work)


@kernel
def sort_rows(problem: ConeProblem, band: Band, x: Floats, back: int) -> None:
    """x of the band from x in the order of the problem, or *back*."""
    for i in range(problem.count):
        for k in range(problem.first[i + 1] - problem.first[i]):
            if back == 1:
                x[problem.first[i] + k] = band.x[band.place[i] + k]
            else:
                band.x[band.place[i] + k] = x[problem.first[i] + k]


@kernel
def factorise(band: Band) -> int:
    """The factor in place of the symmetric matrix. Returns -1 or the failing column."""
    return factor_band(band.matrix, band.rows, band.width, band.cells)


@kernel
def solve(problem: ConeProblem, band: Band, x: Floats) -> None:
    """x <- the solution for x, by the factor."""
    sort_rows(problem, band, x, 0)
    solve_band(band.matrix, band.rows, band.width, band.x, band.cells)
    sort_rows(problem, band, x, 1)


@kernel
def solve_once(problem: ConeProblem, band: Band, x: Floats) -> int:
    """x <- the solution for x; of the matrix, of a general band, factors are left. Returns -1 or the failing column."""
    sort_rows(problem, band, x, 0)
    failed = solve_general_band(band.matrix, band.rows, band.width, band.pivots, band.x, band.cells)
    sort_rows(problem, band, x, 1)
    return failed


@kernel
def solve_again(problem: ConeProblem, band: Band, x: Floats) -> None:
    """x <- the solution for x, with the factors that solve_once has left."""
    sort_rows(problem, band, x, 0)
    solve_factored_band(band.matrix, band.rows, band.width, band.pivots, band.x, band.cells)
    sort_rows(problem, band, x, 1)
