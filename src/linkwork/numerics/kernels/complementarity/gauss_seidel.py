"""Block Gauss-Seidel sweeps with projection: contact after contact, each with what the others do now.

Of a contact alone, r + A f + c ⊥ f in K is solved by cases (the local problem of M. Jean 1999, "NonSmooth Contact
Dynamics"):

    it parts     f = 0, where r + c(r) is in K*,
    it sticks    A f = −r, where that f is in K,
    it slides    f = f_n (1, −μ e), u_t = |u_t| e: one number f_n and one direction e, by Newton's method.

What the cases leave (blocks that are nearly singular) takes projected steps f <- P(f − ρ (A f + r + c)).
Over-relaxation goes along the change, f + ω (f⁺ − f), and back to the cone; 0 < ω < 2.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.cones import (
    COULOMB,
    LIMIT,
    SOLVED,
    TINY,
    ConeProblem,
    is_solved,
    project,
    slip_speed,
)
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Record, array

TURNS, ENOUGH = 20, 1e-12  # of Newton's method for the direction of sliding: most, and an angle that is small enough
AROUND = 8  # directions to begin with, where the last one and that of sticking lead nowhere
STEPS, SMALL = 30, 1e-3  # of projection: most, and a part of the change that is small enough


class Sweeps(Record):
    """How to sweep."""

    relaxation: float = 1.0  # ω
    both_ways: int = 0  # 1: every other sweep goes backwards
    waiting: int  # sweeps between two looks at the residual, at most
    count: int  # contacts
    r: Floats = array("3")
    next: Floats = array("3")
    image: Floats = array("3")


@kernel
def apply_own(a: Floats, size: int, x: Floats, out: Floats) -> None:
    """out <- A x."""
    for i in range(size):
        out[i] = 0.0
        for j in range(size):
            out[i] += a[i * size + j] * x[j]


@kernel
def slide_along(a: Floats, mu: float, law: int, r: Floats, out: Floats) -> bool:
    """f of a contact in the plane that slides one way or the other; whether there is one."""
    for turn in range(2):
        e = 1.0 if turn == 0 else -1.0
        # u_n + c_n = μ |u_t| of the associated law, u_n = 0 of Coulomb's
        w = -mu * e if law != COULOMB else 0.0
        below = a[0] - mu * e * a[1] + w * (a[2] - mu * e * a[3])
        if below > TINY:
            n = -(r[0] + w * r[1]) / below
            slip = (a[2] - mu * e * a[3]) * n + r[1]
            if n >= 0.0 and slip * e >= 0.0:
                out[0], out[1] = n, -mu * e * n
                return True
    return False


@kernel
def slide_around(a: Floats, mu: float, law: int, r: Floats, x: float, y: float, out: Floats) -> bool:
    """f of a contact in space that slides, the direction e near (x, y); whether it was found."""
    size = math.sqrt(x * x + y * y)
    if size < TINY:
        return False
    x, y = x / size, y / size
    for _ in range(TURNS):
        # A_tt e, A_nt e, and the same for the direction across
        px, py, qx, qy = a[4] * x + a[5] * y, a[7] * x + a[8] * y, a[5] * x - a[4] * y, a[8] * x - a[7] * y
        along, across = a[1] * x + a[2] * y, a[2] * x - a[1] * y
        if law == COULOMB:
            over, over_slope = r[0], 0.0
            below, below_slope = a[0] - mu * along, -mu * across
        else:
            over, over_slope = r[0] - mu * (x * r[1] + y * r[2]), -mu * (x * r[2] - y * r[1])
            below = a[0] - 2.0 * mu * along + mu * mu * (x * px + y * py)
            below_slope = -2.0 * mu * across + 2.0 * mu * mu * (x * qx + y * qy)
        if not below > TINY:
            return False
        n = -over / below
        n_slope = -(over_slope + n * below_slope) / below
        # u_t and its change with the angle; what is across e must vanish
        tx, ty = a[3] - mu * px, a[6] - mu * py
        sx, sy = n * tx + r[1], n * ty + r[2]
        dx, dy = n_slope * tx - n * mu * qx, n_slope * ty - n * mu * qy
        slip, left = x * sx + y * sy, x * sy - y * sx
        slope = x * dy - y * dx - slip
        turn = -left / slope if abs(slope) > TINY else 0.0
        turn = max(-0.5, min(0.5, turn))
        if abs(turn) < ENOUGH:
            out[0], out[1], out[2] = n, -mu * n * x, -mu * n * y
            return n >= 0.0 and slip >= 0.0
        x, y = x - turn * y, y + turn * x
        size = math.sqrt(x * x + y * y)
        x, y = x / size, y / size
    return False


@kernel
def solve_contact(problem: ConeProblem, sweeps: Sweeps, i: int, f: Floats) -> None:
    """f of one contact, from what the others leave of its u in r."""
    size, mu, law = problem.first[i + 1] - problem.first[i], problem.mu[i], problem.law
    a, r, found = at(problem.values, problem.own[i]), sweeps.r, sweeps.next
    still = mu * slip_speed(size, r) if law != COULOMB else 0.0
    if mu >= 0.0 and r[0] >= still:
        found[0], found[1], found[2] = 0.0, 0.0, 0.0
        return
    if size == 1:
        found[0] = -r[0] / max(a[0], TINY)
        return
    # from the f of now, so that what a singular block leaves open stays, and sweeps take away rounding errors
    apply_own(a, size, f, sweeps.image)
    for k in range(size):
        sweeps.image[k] += r[k]
    apply_own(at(problem.inverses, 9 * i), size, sweeps.image, found)
    for k in range(size):
        found[k] = f[k] - found[k]
    if mu < 0.0 or slip_speed(size, found) <= mu * found[0]:
        return
    if mu == 0.0:
        found[0], found[1], found[2] = -r[0] / max(a[0], TINY), 0.0, 0.0
        return
    if size == 2 and slide_along(a, mu, law, r, found) == 1:
        return
    if size == 3:
        if f[0] > 0.0 and slide_around(a, mu, law, r, -f[1], -f[2], found) == 1:
            return
        if slide_around(a, mu, law, r, -found[1], -found[2], found) == 1:
            return
        for turn in range(AROUND):
            angle = 2.0 * math.pi * float(turn) / float(AROUND)
            if slide_around(a, mu, law, r, math.cos(angle), math.sin(angle), found) == 1:
                return
    step_towards(problem, sweeps, i, f)


@kernel
def step_towards(problem: ConeProblem, sweeps: Sweeps, i: int, f: Floats) -> None:
    """Projected steps from f on, where no case is known to hold."""
    size, mu, rho = problem.first[i + 1] - problem.first[i], problem.mu[i], problem.reach[i]
    a, r, found, image = at(problem.values, problem.own[i]), sweeps.r, sweeps.next, sweeps.image
    for k in range(size):
        found[k] = f[k]
    first = 0.0
    for step in range(STEPS):
        apply_own(a, size, found, image)
        change = 0.0
        for k in range(size):
            image[k] += r[k]
        if problem.law == COULOMB:
            image[0] += mu * slip_speed(size, image)
        for k in range(size):
            image[k] = found[k] - rho * image[k]
        project(mu, size, image, image)
        for k in range(size):
            change += (image[k] - found[k]) ** 2
            found[k] = image[k]
        if step == 0:
            first = change
        if change <= SMALL * SMALL * first:
            return


@kernel
def take_others(problem: ConeProblem, i: int, r: Floats) -> None:
    """r <- what u of a contact would be without its own f."""
    first, columns, places, values, x = problem.first, problem.columns, problem.places, problem.values, problem.f
    row = first[i]
    size = first[i + 1] - row
    s0, s1, s2 = 0.0, 0.0, 0.0
    for k in range(problem.starts[i], problem.starts[i + 1]):
        j = columns[k]
        if j == i:
            continue
        column = first[j]
        width = first[j + 1] - column
        a, y = at(values, places[k]), at(x, column)
        if size == 3 and width == 3:
            s0 += a[0] * y[0] + a[1] * y[1] + a[2] * y[2]
            s1 += a[3] * y[0] + a[4] * y[1] + a[5] * y[2]
            s2 += a[6] * y[0] + a[7] * y[1] + a[8] * y[2]
            continue
        for l in range(width):
            s0 += a[l] * y[l]
            if size > 1:
                s1 += a[width + l] * y[l]
            if size > 2:
                s2 += a[2 * width + l] * y[l]
    r[0] = s0 + problem.b[row]
    if size > 1:
        r[1] = s1 + problem.b[row + 1]
    if size > 2:
        r[2] = s2 + problem.b[row + 2]


@kernel(vectorise=True)
def sweep(problem: ConeProblem, sweeps: Sweeps, backwards: int) -> float:
    """One sweep through all contacts; returns the largest change of f, as the speed that it stands for."""
    first, found, most = problem.first, sweeps.next, 0.0
    for turn in range(problem.count):
        i = problem.count - 1 - turn if backwards == 1 else turn
        f, size, change = at(problem.f, first[i]), first[i + 1] - first[i], 0.0
        take_others(problem, i, sweeps.r)
        solve_contact(problem, sweeps, i, f)
        if sweeps.relaxation != 1.0:
            for k in range(size):
                found[k] = f[k] + sweeps.relaxation * (found[k] - f[k])
            project(problem.mu[i], size, found, found)
        for k in range(size):
            change += (found[k] - f[k]) * (found[k] - f[k])
            f[k] = found[k]
        most = max(most, change * problem.weights[i] * problem.weights[i])
    return math.sqrt(most)


@kernel
def solve_by_sweeps(problem: ConeProblem, sweeps: Sweeps) -> int:
    """f of the problem from f on, in scaled units."""
    waited = 0
    if is_solved(problem) == 1:
        return SOLVED
    for count in range(problem.limit):
        change = sweep(problem, sweeps, sweeps.both_ways * (count % 2))
        waited += 1
        problem.iterations = count + 1
        if change <= problem.tolerance or waited >= sweeps.waiting:
            waited = 0
            if is_solved(problem) == 1:
                return SOLVED
    is_solved(problem)
    return SOLVED if problem.residual <= problem.tolerance else LIMIT
