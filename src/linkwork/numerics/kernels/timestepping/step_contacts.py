"""What contacts do in a step: rows of those within reach that take part, their impulses, and overlaps taken apart."""

from __future__ import annotations

import math

from linkwork.numerics.kernels.collision.broad import locate_all, sweep, touch_all
from linkwork.numerics.kernels.collision.shape_record import PLANE
from linkwork.numerics.kernels.complementarity.cones import CONVEX, COULOMB
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.dense import largest
from linkwork.numerics.kernels.timestepping.contact_rows import (
    ROWS,
    TOUCHING,
    TouchingBody,
    add_impulses,
    add_row,
    place_sides,
    set_axes,
    settle_rows,
    takes_part,
)
from linkwork.numerics.kernels.timestepping.pushing import solve_pushes
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.kernels.timestepping.step_motion import put_changes

PAIRS = 2  # there is no room for the pairs of shapes
LEFT = 1e-3  # of the deepest overlap, that may be left of it
OVERLAP = 1e-11  # of the size of the mechanism: less is left where it is
WIDER, FADING = (
    2.0,
    0.9,
)  # overlaps within which all contacts count then; what is left of that a step later
ROUNDING = 2e-15  # of the size of the mechanism in the time of a step: velocities that positions do not tell from none
HELD = 1e-6  # part of friction by which what holds is below it; and slip, of what forces of a step do, that is none


@kernel
def farthest_move(m: StepMemory, h: float) -> float:
    """A bound on how far places of shapes go in half a step, to look for contacts within it."""
    most, v = 0.0, at(m.state, m.nq)
    if m.scene is None:
        return 0.0
    for s in range(m.shape_count):
        carrier = m.carriers[m.of_shape[s]].carrier
        if carrier.island < 0:
            continue
        island, shape = m.islands[carrier.island].island, m.scene.entries[s].shape
        slopes, arm = at(m.out, carrier.slopes), 0.0
        for k in range(3):
            arm += (shape.place[k] - m.out[carrier.origin + k]) ** 2
        arm = math.sqrt(arm) + (0.0 if shape.kind == PLANE else shape.size + shape.radius)
        for turn in range(2):
            linear, turning = 0.0, 0.0
            for k in range(3):
                x, w = 0.0, 0.0
                for l in range(carrier.count):
                    j = island.columns[carrier.local[l]]
                    speed = v[j] + (m.change[j] if turn == 1 else 0.0)
                    x += slopes[6 * l + k] * speed
                    w += slopes[6 * l + 3 + k] * speed
                linear += x * x
                turning += w * w
            most = max(most, math.sqrt(linear) + math.sqrt(turning) * arm)
    return h * most


@kernel
def find_contacts(m: StepMemory, h: float) -> int:
    """Shapes at their poses, and all contacts within reach; PAIRS where there is no room."""
    scene = m.scene
    if scene is None:
        return 0
    for s in range(m.shape_count):
        shape, pose = scene.entries[s].shape, at(m.out, m.poses + 12 * s)
        shape.place[:3] = pose[:3]
        shape.axes[:9] = pose[3:12]
    scene.reach = farthest_move(m, h) + m.slack + TOUCHING * m.size
    locate_all(scene)
    if sweep(scene) > scene.room:
        return PAIRS
    touch_all(scene)
    return 0


@kernel
def add_contacts(m: StepMemory, h: float) -> int:
    """Rows of the contacts that take part."""
    scene, rows, v = m.scene, m.rows, at(m.state, m.nq)
    if scene is None:
        return 0
    for k in range(scene.contacts):
        a, b, i = scene.contact_pair[2 * k], scene.contact_pair[2 * k + 1], rows.count
        one, other = m.carriers[m.of_shape[a]].carrier, m.carriers[m.of_shape[b]].carrier
        if one.island < 0 and other.island < 0:
            continue
        law = m.law[a * m.shape_count + b]
        if law < 0:
            continue
        first, size = rows.numbers, 1 if max(m.friction[law], m.static[law]) == 0.0 else 3 - rows.planar
        if place_sides(rows, one, other, size) != 0:
            return ROWS
        set_axes(at(scene.normal, 3 * k), rows.planar, at(rows.axes, 9 * i))
        for l in range(3):
            rows.point[3 * i + l] = 0.5 * (scene.one[3 * k + l] + scene.other[3 * k + l])
        for r in range(size):
            d = at(rows.axes, 9 * i + 3 * r)
            for side in range(2):
                carrier = one if side == 0 else other
                if carrier.island < 0:
                    continue
                n = m.islands[carrier.island].island.n
                place = rows.places[2 * i] if one.island == other.island else rows.places[2 * i + side]
                add_row(carrier, m.out, at(rows.point, 3 * i), d, 2.0 * side - 1.0, at(rows.rows, place + r * n))
        rows.gap[i], rows.size[i] = scene.gap[k], size
        rows.shapes[2 * i], rows.shapes[2 * i + 1] = a, b
        felt = settle_rows(rows, i, size, v, m.z, m.starts)
        rows.felt[i] = felt
        rows.law[i] = law
        if takes_part(rows, i, h, m.restitution[law], m.slack + TOUCHING * m.size) == 1:
            rows.count = i + 1
        else:
            rows.numbers = first
    return 0


@kernel
def add_limits(m: StepMemory, h: float) -> int:
    """Rows of the limits that take part."""
    rows, v = m.rows, at(m.state, m.nq)
    for k in range(m.limit_count):
        limit, i, first = m.limits[k].limit, rows.count, rows.numbers
        n = m.islands[limit.island].island.n
        if i >= rows.most or rows.numbers + n > rows.room:
            return ROWS
        rows.sides[2 * i], rows.sides[2 * i + 1] = limit.island, -1
        rows.places[2 * i], rows.places[2 * i + 1] = first, first
        rows.rows[first : first + n] = 0.0
        rows.numbers = first + n
        for l in range(limit.count):
            rows.rows[first + limit.local[l]] = m.out[limit.slopes + l]
        rows.gap[i], rows.size[i], rows.law[i] = m.out[limit.room], 1, -1
        rows.shapes[2 * i], rows.shapes[2 * i + 1] = -1, k
        felt = settle_rows(rows, i, 1, v, m.z, m.starts)
        rows.felt[i] = felt
        rows.before[3 * i] += m.out[limit.drift]
        rows.free[3 * i] += m.out[limit.drift]
        if takes_part(rows, i, h, m.out[limit.back], m.slack + TOUCHING * m.size) == 1:
            rows.count = i + 1
        else:
            rows.numbers = first
    return 0


@kernel
def choose_friction(m: StepMemory) -> None:
    """μ of all contacts: of what sticks, until the impulse of the last step is that of friction and it slips."""
    rows, f = m.rows, m.pushing.problem.f
    for i in range(rows.count):
        law, first, before = rows.law[i], rows.first[i], at(rows.before, 3 * i)
        if law < 0 or rows.size[i] == 1:
            rows.mu[i] = 0.0
            continue
        mu, most = m.friction[law], m.static[law]
        rows.mu[i] = mu
        if mu == most:
            continue
        slip, rubs = before[1] * before[1], f[first + 1] * f[first + 1]
        if rows.size[i] == 3:
            slip, rubs = slip + before[2] * before[2], rubs + f[first + 2] * f[first + 2]
        slip, rubs = math.sqrt(slip), math.sqrt(rubs)
        if m.fading[law] > 0.0:
            rows.mu[i] = mu + (most - mu) * math.exp(-((slip / m.fading[law]) ** 2))
        elif f[first] <= 0.0:
            rows.mu[i] = most if slip <= rows.felt[i] else mu
        else:
            bound = mu if rubs <= (1.0 + HELD) * mu * f[first] else most
            if rubs < (1.0 - HELD) * bound * f[first] or slip <= HELD * rows.felt[i]:
                rows.mu[i] = most


@kernel
def deepest_end(m: StepMemory, h: float) -> float:
    """The least gap that those which take part would have at the end of the step; 0: none overlaps."""
    rows, worst = m.rows, 0.0
    for i in range(rows.count):
        # the normal velocity behind the step
        speed = m.pushing.problem.u[rows.first[i]] + rows.least[i]
        worst = min(worst, rows.gap[i] + 0.5 * h * speed)
    return worst


@kernel
def place_speed(m: StepMemory, carrier: TouchingBody, x: Floats, d: Floats) -> float:
    """The velocity along d of the place x of a body behind the step."""
    if carrier.island < 0:
        return 0.0
    o, j, total = at(m.out, carrier.origin), at(m.out, carrier.slopes), 0.0
    island, v = m.islands[carrier.island].island, at(m.state, m.nq)
    rx, ry, rz = x[0] - o[0], x[1] - o[1], x[2] - o[2]
    mx, my, mz = ry * d[2] - rz * d[1], rz * d[0] - rx * d[2], rx * d[1] - ry * d[0]
    for k in range(carrier.count):
        c, column = at(j, 6 * k), island.columns[carrier.local[k]]
        slope = c[0] * d[0] + c[1] * d[1] + c[2] * d[2] + c[3] * mx + c[4] * my + c[5] * mz
        total += slope * (v[column] + m.change[column])
    return total


@kernel
def widest_left_out(m: StepMemory, h: float) -> float:
    """The largest gap, beyond the slack, of contacts that the impulses of others, or what takes overlaps apart, close in the
    step; -1: there is none."""
    scene, widest, least = m.scene, -1.0, m.slack + TOUCHING * m.size
    if scene is None:
        return widest
    lifts = -OVERLAP * m.size - WIDER * deepest_end(m, h)
    for k in range(scene.contacts):
        g = scene.gap[k]
        # what is within the slack takes part already
        if g <= max(least, widest):
            continue
        a, b = scene.contact_pair[2 * k], scene.contact_pair[2 * k + 1]
        if m.law[a * m.shape_count + b] < 0:
            continue
        one, other = m.carriers[m.of_shape[a]].carrier, m.carriers[m.of_shape[b]].carrier
        n, place = at(scene.normal, 3 * k), m.rows.work
        for l in range(3):
            place[l] = 0.5 * (scene.one[3 * k + l] + scene.other[3 * k + l])
        speed = place_speed(m, other, place, n) - place_speed(m, one, place, n)
        if g + 0.5 * h * speed < lifts:
            widest = g
    return widest


@kernel
def pose_velocities(m: StepMemory) -> None:
    """b of the problem of velocities: u without contacts, less what u_n is not less than."""
    rows = m.rows
    for i in range(rows.count):
        first = rows.first[i]
        for r in range(rows.size[i]):
            rows.right[first + r] = rows.free[3 * i + r]
        rows.right[first] -= rows.least[i]
        m.pushing.problem.mu[i] = rows.mu[i]


@kernel
def find_velocities(m: StepMemory, h: float, way: int) -> float:
    """change <- v⁺ − v by all impulses; returns the speed that is left over."""
    rows, problem, left = m.rows, m.pushing.problem, 0.0
    if rows.count > 0:
        pose_velocities(m)
        # where nothing moves, such as at a stop of what is held anyhow, rounding errors are all there is
        none = ROUNDING * m.size / (h * m.pushing.tolerance)
        size = max(largest(rows.right, rows.first[rows.count]), none)
        m.pushing.size = size
        left = solve_pushes(rows, m.pushing, way, m.pushing.tolerance * size)
        m.pushing.worst = max(m.pushing.worst, left / size)
        if m.pushing.solver < 0:
            m.pushing.failures += 1
        add_impulses(rows, problem.f, 0, m.z, m.starts)
    put_changes(m, m.z, m.change)
    return left


@kernel
def part_overlaps(m: StepMemory, h: float, way: int) -> None:
    """shift <- h/2 v⁺ and the least displacement beside it that leaves no overlap."""
    rows, problem, worst = m.rows, m.pushing.problem, 0.0
    v = at(m.state, m.nq)
    for k in range(m.nv):
        m.shift[k] = 0.5 * h * (v[k] + m.change[k])
    for i in range(rows.count):
        first = rows.first[i]
        # the normal velocity behind the step
        speed = problem.u[first] + rows.least[i]
        rows.right[first] = rows.gap[i] + 0.5 * h * speed
        worst = min(worst, rows.right[first])
        for r in range(1, rows.size[i]):
            rows.right[first + r] = 0.0
        problem.mu[i] = 0.0
    m.slack = max(-WIDER * worst, FADING * m.slack)
    if worst > -OVERLAP * m.size:
        return
    total = rows.first[rows.count]
    m.pushing.kept[:total] = problem.f[:total]
    problem.f[:total] = 0.0
    # nothing rubs: both laws are one, and solvers know convex problems better
    problem.law = CONVEX
    solve_pushes(rows, m.pushing, way, max(-LEFT * worst, OVERLAP * m.size))
    problem.law = COULOMB
    for k in range(m.nv):
        m.next[k] = 0.0
    add_impulses(rows, problem.f, 0, m.next, m.starts)
    put_changes(m, m.next, m.given)
    for k in range(m.nv):
        m.shift[k] += m.given[k]
        m.tally.shifted -= m.out[m.ns + k] * m.given[k]
    problem.f[:total] = m.pushing.kept[:total]
