"""Rows of contacts and of limits in a step: which take part, how they move with islands, and Delassus' operator of them.

A contact at the mid-step has the gap g and the velocities u⁻ before and u° without contacts. What forces do to it in the
step is no more than s = |n·Δv°| of either body. It takes part where it would close,

    g ≤ h/2 (max(−u°_n, 0) + s),

and then pushes until  u_n⁺ ≥ −e u_n⁻  where that can be seen, −e u_n⁻ > s, else until it is closed at the end of the step,
u_n⁺ ≥ −2 max(g, 0)/h.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.cones import ConeProblem
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array, borrowed
from linkwork.numerics.kernels.timestepping.islands import Island, IslandEntry, reduce_row

TOUCHING = 1e-9  # gap, of the size of the mechanism, that is none
ROWS, BLOCKS = 3, 4  # what there is no room for


class TouchingBody(Record):
    """A body with shapes.

    island: that moves it, −1: none does; local: (count) the velocities of the island that do
    origin, slopes: where its origin (3), and the slopes (6, count) of its velocity there and of its angular velocity, stand
    """

    island: int = -1
    count: int
    local: Ints = array("count")
    origin: int
    slopes: int


class TouchingBodyEntry(Record):
    """One body of many."""

    carrier: TouchingBody


class LimitRow(Record):
    """A room that is never negative. room, slopes, drift, back: where Φ, ∂Φ̇/∂v (count), ∂Φ/∂t and e stand."""

    island: int
    count: int
    local: Ints = array("count")
    room: int
    slopes: int
    drift: int
    back: int


class LimitRowEntry(Record):
    """One limit of many."""

    limit: LimitRow


class ContactRows(Record):
    """The contacts of a step.

    shapes: (2) of each, −1 and its number for a limit; sides: (2) islands, −1: none; places: (2) of its rows for them
    rows: Qᵀ R⁻ᵀ Jᵀ; axes: (9) n, t₁, t₂; point: (3); before, free, behind: (3) u⁻, u° and u⁺
    felt: s; least: what u_n⁺ is not less than
    head, next: sides (2 i + k) of each island, one after the other, −1 at the end; mark: a contact that was met last
    """

    most: int
    room: int
    islands: int
    blocks_room: int
    count: int
    numbers: int
    planar: int
    size: Ints = array("most")
    shapes: Ints = array("2 * most")
    sides: Ints = array("2 * most")
    places: Ints = array("2 * most")
    rows: Floats = array("room")
    axes: Floats = array("9 * most")
    point: Floats = array("3 * most")
    gap: Floats = array("most")
    before: Floats = array("3 * most")
    free: Floats = array("3 * most")
    behind: Floats = array("3 * most")
    felt: Floats = array("most")
    least: Floats = array("most")
    fast: Ints = array("most")
    mu: Floats = array("most")
    law: Ints = array("most")
    head: Ints = array("islands")
    next: Ints = array("2 * most")
    mark: Ints = array("most")
    first: Ints = array("most + 1")
    starts: Ints = array("most + 1")
    columns: Ints = array("blocks_room")
    blocks: Ints = array("blocks_room")
    own: Ints = array("most")
    matrix: Floats = array("9 * blocks_room")
    right: Floats = array("3 * most")
    entries: list[IslandEntry] = borrowed()
    work: Floats = array("6")


@kernel
def set_axes(n: Floats, planar: int, axes: Floats) -> None:
    """axes <- n and two directions across it, by rows; in the plane one."""
    axes[:3] = n[:3]
    axes[3:9] = 0.0
    if planar == 1:
        axes[3], axes[4] = -n[1], n[0]
        return
    least, k = abs(n[0]), 0
    for i in range(1, 3):
        if abs(n[i]) < least:
            least, k = abs(n[i]), i
    length = math.sqrt(1.0 - n[k] * n[k])
    for i in range(3):
        axes[3 + i] = ((1.0 if i == k else 0.0) - n[k] * n[i]) / length
    axes[6] = n[1] * axes[5] - n[2] * axes[4]
    axes[7] = n[2] * axes[3] - n[0] * axes[5]
    axes[8] = n[0] * axes[4] - n[1] * axes[3]


@kernel
def add_row(carrier: TouchingBody, values: Floats, x: Floats, d: Floats, sign: float, out: Floats) -> None:
    """out (of an island) += the slopes of the velocity along d of the place x of a body."""
    o, j = at(values, carrier.origin), at(values, carrier.slopes)
    rx, ry, rz = x[0] - o[0], x[1] - o[1], x[2] - o[2]
    mx, my, mz = ry * d[2] - rz * d[1], rz * d[0] - rx * d[2], rx * d[1] - ry * d[0]
    for k in range(carrier.count):
        c = at(j, 6 * k)
        slope = c[0] * d[0] + c[1] * d[1] + c[2] * d[2] + c[3] * mx + c[4] * my + c[5] * mz
        out[carrier.local[k]] += sign * slope


@kernel
def place_sides(rows: ContactRows, one: TouchingBody, other: TouchingBody, size: int) -> int:
    """Room for the rows of a contact of two bodies; ROWS: there is none."""
    i, wanted = rows.count, rows.numbers
    for k in range(2):
        island = one.island if k == 0 else other.island
        if k == 1 and one.island == other.island:
            island = -1
        rows.sides[2 * i + k], rows.places[2 * i + k] = island, wanted
        if island >= 0:
            wanted += size * rows.entries[island].island.n
    if wanted > rows.room or i >= rows.most:
        return ROWS
    rows.rows[rows.numbers : wanted] = 0.0
    rows.numbers = wanted
    return 0


@kernel
def along(island: Island, row: Floats, v: Floats) -> float:
    """A row of an island times the velocities of the mechanism."""
    total = 0.0
    for k in range(island.n):
        total += row[k] * v[island.columns[k]]
    return total


@kernel
def settle_rows(rows: ContactRows, i: int, size: int, v: Floats, z: Floats, starts: Ints) -> float:
    """u⁻ and u° of a contact, whose rows are reduced; returns s. z: of all islands, from starts on."""
    felt = 0.0
    for r in range(size):
        before, change = 0.0, 0.0
        for k in range(2):
            e = rows.sides[2 * i + k]
            if e < 0:
                continue
            island = rows.entries[e].island
            row = at(rows.rows, rows.places[2 * i + k] + r * island.n)
            before += along(island, row, v)
            reduce_row(island, row)
            part, free = 0.0, at(z, starts[e])
            for l in range(island.n):
                part += row[l] * free[l]
            change += part
            if r == 0:
                felt += abs(part)
        rows.before[3 * i + r], rows.free[3 * i + r] = before, before + change
    return felt


@kernel
def takes_part(rows: ContactRows, i: int, h: float, back: float, slack: float) -> bool:
    """Whether a contact would close, or is within a slack, and what its velocity is not less than then."""
    g, before, free, felt = rows.gap[i], rows.before[3 * i], rows.free[3 * i], rows.felt[i]
    if g > slack and g > 0.5 * h * (max(-free, 0.0) + felt):
        return False
    rebound = -back * min(before, 0.0)
    rows.fast[i] = 1 if rebound > felt else 0
    rows.least[i] = rebound if rebound > felt else -2.0 * max(g, 0.0) / h
    return True


@kernel
def join_sides(rows: ContactRows) -> None:
    """The contacts of each island."""
    for e in range(rows.islands):
        rows.head[e] = -1
    for i in range(rows.count):
        for k in range(2):
            e = rows.sides[2 * i + k]
            if e >= 0:
                rows.next[2 * i + k] = rows.head[e]
                rows.head[e] = 2 * i + k
        rows.mark[i] = -1


@kernel(vectorise=True)
def add_block(island: Island, a: Floats, b: Floats, height: int, width: int, out: Floats) -> None:
    """out (height, width) += the products of rows a and b, without what conditions hold."""
    n, r = island.n, island.rank
    for k in range(height):
        for l in range(width):
            total, x, y = 0.0, at(a, k * n), at(b, l * n)
            for c in range(r, n):
                total += x[c] * y[c]
            out[k * width + l] += total


@kernel
def write_operator(rows: ContactRows) -> int:
    """A in blocks of contacts; BLOCKS: there is no room. The blocks of a contact begin with its own."""
    join_sides(rows)
    wanted, number = 0, 0
    rows.first[0] = 0
    for i in range(rows.count):
        rows.first[i + 1] = rows.first[i] + rows.size[i]
    for i in range(rows.count):
        begin = wanted
        rows.starts[i] = begin
        if wanted >= rows.blocks_room:
            return BLOCKS
        rows.columns[wanted], rows.own[i], rows.mark[i] = i, number, wanted
        number = open_block(rows, wanted, number, i)
        wanted += 1
        for k in range(2):
            e = rows.sides[2 * i + k]
            if e < 0:
                continue
            island, side = rows.entries[e].island, rows.head[e]
            a = at(rows.rows, rows.places[2 * i + k])
            while side >= 0:
                j = side // 2
                if rows.mark[j] < begin:
                    if wanted >= rows.blocks_room:
                        return BLOCKS
                    rows.columns[wanted], rows.mark[j] = j, wanted
                    number = open_block(rows, wanted, number, i)
                    wanted += 1
                b, out = at(rows.rows, rows.places[side]), at(rows.matrix, rows.blocks[rows.mark[j]])
                add_block(island, a, b, rows.size[i], rows.size[j], out)
                side = rows.next[side]
    rows.starts[rows.count] = wanted
    return 0


@kernel
def open_block(rows: ContactRows, block: int, number: int, i: int) -> int:
    """Begin a block of zeros behind *number* numbers; returns how many there are then."""
    length = rows.size[i] * rows.size[rows.columns[block]]
    rows.blocks[block] = number
    rows.matrix[number : number + length] = 0.0
    return number + length


@kernel
def show_problem(rows: ContactRows, problem: ConeProblem) -> None:
    """Tell a problem of cones how large it is."""
    n = rows.count
    problem.count, problem.rows, problem.blocks = n, rows.first[n], rows.starts[n]
    last = rows.starts[n] - 1
    problem.numbers = 0
    if last >= 0:
        problem.numbers = rows.blocks[last] + rows.size[n - 1] * rows.size[rows.columns[last]]


@kernel
def add_impulses(rows: ContactRows, f: Floats, held: int, z: Floats, starts: Ints) -> None:
    """z += what impulses (or displacements) f do to islands; *held*: to what conditions hold, else to the rest."""
    for i in range(rows.count):
        for k in range(2):
            e = rows.sides[2 * i + k]
            if e < 0:
                continue
            island = rows.entries[e].island
            out = at(z, starts[e])
            for r in range(rows.size[i]):
                row, push = at(rows.rows, rows.places[2 * i + k] + r * island.n), f[rows.first[i] + r]
                for l in range(0 if held == 1 else island.rank, island.rank if held == 1 else island.n):
                    out[l] += row[l] * push
