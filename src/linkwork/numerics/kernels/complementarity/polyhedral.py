"""Cones as pyramids: friction along N directions d_k of the surface, a linear problem that Lemke's method solves.

    f = n f_n + Σ d_k β_k:   0 ≤ f_n ⊥ u_n ≥ 0,   0 ≤ β_k ⊥ d_k·u_t + λ ≥ 0,   0 ≤ λ ⊥ μ f_n − Σ β_k ≥ 0

(D. Stewart, J. Trinkle 1996; M. Anitescu, F. Potra 1997). λ is the speed of slip where it slips. In the plane two
directions are all there are, and nothing is approximated. In space friction is less than μ f_n between two directions,
cos(π/N) of it at least, and its direction is off by π/N at most.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.cones import FAILED, LIMIT, SOLVED, TINY, ConeProblem, update_speeds
from linkwork.numerics.kernels.complementarity.lemke import LinearProblem, run_lemke
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.linear.dense import largest


class Pyramids(Record):
    """The linear problem of contacts. facets: N; room: unknowns; begin: (contacts + 1) first unknown of each contact.

    way: (3) of each unknown, what of f it pushes along: n, d_k, or nothing of λ; contact: (room) of each unknown
    """

    facets: int
    room: int
    contacts: int
    begin: Ints = array("contacts + 1")
    contact: Ints = array("room")
    way: Floats = array("3 * room")
    matrix: Floats = array("room", "room")
    q: Floats = array("room")
    linear: LinearProblem


@kernel
def list_unknowns(problem: ConeProblem, pyramids: Pyramids) -> int:
    """The unknowns of all contacts with their ways; how many there are, -1 where there is no room or no cone."""
    n, way = 0, pyramids.way
    if problem.count > pyramids.contacts:
        return -1
    for i in range(problem.count):
        size, mu = problem.first[i + 1] - problem.first[i], problem.rub[i]
        own = 0 if size == 1 or mu == 0.0 else 2 if size == 2 else pyramids.facets
        wanted = 1 if own == 0 else own + 2
        if mu < 0.0 or n + wanted > pyramids.room:
            return -1
        pyramids.begin[i] = n
        for k in range(wanted):
            pyramids.contact[n + k] = i
            out = at(way, 3 * (n + k))
            out[0], out[1], out[2] = 1.0 if k == 0 else 0.0, 0.0, 0.0
            if 0 < k <= own:
                angle = 2.0 * math.pi * float(k - 1) / float(own)
                out[1], out[2] = math.cos(angle), math.sin(angle) if size == 3 else 0.0
        n += wanted
    pyramids.begin[problem.count] = n
    return n


@kernel
def write_linear(problem: ConeProblem, pyramids: Pyramids, n: int, unit: float) -> None:
    """M and q, in scaled units and with b of size one."""
    first, begin, m, way = problem.first, pyramids.begin, pyramids.matrix, pyramids.way
    m[: n * n] = 0.0
    for i in range(problem.count):
        size = first[i + 1] - first[i]
        for t in range(problem.starts[i], problem.starts[i + 1]):
            j, a = problem.columns[t], at(problem.values, problem.places[t])
            width = first[j + 1] - first[j]
            for k in range(begin[i], begin[i + 1]):
                for l in range(begin[j], begin[j + 1]):
                    total = 0.0
                    for r in range(size):
                        for s in range(width):
                            total += way[3 * k + r] * a[r * width + s] * way[3 * l + s]
                    m[k * n + l] = total
        last = begin[i + 1] - 1
        for k in range(begin[i], begin[i + 1]):
            total = 0.0
            for r in range(size):
                total += way[3 * k + r] * problem.b[first[i] + r]
            pyramids.q[k] = total / unit
            if begin[i] < k < last:
                m[k * n + last], m[last * n + k] = 1.0, -1.0
        if last > begin[i]:
            m[last * n + begin[i]] = problem.rub[i]


@kernel
def solve_by_pyramids(problem: ConeProblem, pyramids: Pyramids) -> int:
    """f of the problem with pyramids, in scaled units; the residual is that of the linear problem."""
    n, linear, way = list_unknowns(problem, pyramids), pyramids.linear, pyramids.way
    unit, most = max(largest(problem.b, problem.rows), TINY), 0.0
    if n < 0:
        update_speeds(problem)
        problem.residual = 1e300
        return FAILED
    write_linear(problem, pyramids, n, unit)
    linear.n, linear.limit = n, problem.limit
    linear.matrix, linear.q = pyramids.matrix, pyramids.q
    code = run_lemke(linear)
    problem.iterations = linear.pivots
    problem.f[: problem.rows] = 0.0
    for k in range(n):
        i = pyramids.contact[k]
        row = problem.first[i]
        for r in range(problem.first[i + 1] - row):
            problem.f[row + r] += unit * linear.z[k] * way[3 * k + r]
        most = max(most, unit * abs(min(linear.z[k], linear.w[k])) / problem.scales[i])
    update_speeds(problem)
    problem.residual = most
    return SOLVED if code == 0 else LIMIT
