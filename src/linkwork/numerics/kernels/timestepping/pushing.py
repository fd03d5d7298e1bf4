"""What contacts push in a step: the problem of cones, from the impulses of the last step, by one solver after the other."""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.banded import Band, order_contacts
from linkwork.numerics.kernels.complementarity.cones import SOLVED, ConeProblem
from linkwork.numerics.kernels.complementarity.entries import ConeFunction
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.timestepping.contact_rows import ContactRows

BAND = 5  # a factor of A needs more room
QUICK, SURE = 0, 1  # ways


class ConeSolverEntry(Record):
    """A solver: its kernel with its memory, how many iterations it gets, and in which way it is asked; −1: in both."""

    solve: ConeFunction
    memory: Record
    limit: int
    way: int = -1


class LastPushes(Record):
    """Impulses (3, in the world) of the last step at their points, by the first shape of their pairs; those of limits."""

    most: int
    shapes_count: int
    limits: int
    count: int
    head: Ints = array("shapes_count")
    next: Ints = array("most")
    other: Ints = array("most")
    point: Floats = array("3 * most")
    push: Floats = array("3 * most")
    limit: Floats = array("limits")


class Pushing(Record):
    """The problem and its solvers, asked in their order.

    cheap: sweeps that a factor may take for the way SURE, in time: flop, block, contact (ns) are those of one operation
    """

    problem: ConeProblem
    band: Band
    count: int
    band_room: int
    solvers: list[ConeSolverEntry] = array("count")
    last: LastPushes
    tolerance: float
    cheap: float
    flop: float
    block: float
    contact: float
    forced: int = -1  # the way that is always taken
    solver: int  # who has solved the last problem, −1: nobody
    solved_by: Ints = array("count")
    failures: int
    iterations: int
    size: float  # the largest |b| of velocities in the last step
    left: float  # residual of velocities in the last step
    worst: float  # residual beside the largest |b|, of all steps so far
    best: Floats = array("3 * contacts")
    kept: Floats = array("3 * contacts")
    contacts: int


@kernel
def remember(rows: ContactRows, f: Floats, last: LastPushes) -> None:
    """Keep the impulses of contacts for the next step."""
    for s in range(last.shapes_count):
        last.head[s] = -1
    for k in range(last.limits):
        last.limit[k] = 0.0
    last.count = rows.count
    for i in range(rows.count):
        a, b = rows.shapes[2 * i], rows.shapes[2 * i + 1]
        if a < 0:
            last.limit[b] = f[rows.first[i]]
            continue
        last.other[i], last.next[i] = b, last.head[a]
        last.head[a] = i
        for k in range(3):
            last.point[3 * i + k] = rows.point[3 * i + k]
            total = 0.0
            for r in range(rows.size[i]):
                total += rows.axes[9 * i + 3 * r + k] * f[rows.first[i] + r]
            last.push[3 * i + k] = total


@kernel
def recall(rows: ContactRows, last: LastPushes, f: Floats) -> None:
    """f <- the impulses of the last step, of the nearest contact of the same pair."""
    for i in range(rows.count):
        a, b, first = rows.shapes[2 * i], rows.shapes[2 * i + 1], rows.first[i]
        for r in range(rows.size[i]):
            f[first + r] = 0.0
        if a < 0:
            f[first] = last.limit[b]
            continue
        c, best, found = last.head[a], 1e300, -1
        while c >= 0:
            if last.other[c] == b:
                apart = 0.0
                for k in range(3):
                    apart += (last.point[3 * c + k] - rows.point[3 * i + k]) ** 2
                if apart < best:
                    best, found = apart, c
            c = last.next[c]
        if found >= 0:
            for r in range(rows.size[i]):
                for k in range(3):
                    f[first + r] += rows.axes[9 * i + 3 * r + k] * last.push[3 * found + k]


@kernel
def choose_way(rows: ContactRows, pushing: Pushing) -> int:
    """Whether a factor of the band is cheap beside sweeps; BAND where it has no room."""
    problem = pushing.problem
    if pushing.forced == QUICK:
        return QUICK
    width = order_contacts(problem, pushing.band)
    pushing.band.width = width
    if width > pushing.band_room:
        return BAND
    if pushing.forced >= 0:
        return pushing.forced
    factor = pushing.flop * problem.rows * (width + 10.0) ** 2
    sweep = pushing.block * problem.blocks + pushing.contact * problem.count
    return SURE if factor <= pushing.cheap * sweep else QUICK


@kernel
def solve_pushes(rows: ContactRows, pushing: Pushing, way: int, tolerance: float) -> float:
    """f of the problem whose A, b and μ are there, from f on; each solver goes on from the best f so far.

    tolerance: residual; returns the one that was reached
    """
    problem, m = pushing.problem, rows.first[rows.count]
    pushing.best[:m] = problem.f[:m]
    best = 1e300
    pushing.solver = -1
    for k in range(pushing.count):
        entry = pushing.solvers[k]
        if entry.way >= 0 and entry.way != way:
            continue
        problem.f[:m] = pushing.best[:m]
        problem.tolerance, problem.limit = tolerance, entry.limit
        code = entry.solve(problem, entry.memory)
        pushing.iterations += problem.iterations
        if code == SOLVED:
            pushing.solver = k
            pushing.solved_by[k] += 1
            best = problem.residual
            break
        if problem.residual < best:
            best = problem.residual
            pushing.best[:m] = problem.f[:m]
    if pushing.solver < 0:
        problem.f[:m] = pushing.best[:m]
    return best
