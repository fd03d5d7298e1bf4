"""What bodies do in a step without contacts: positions on, forces of the mid-step, and conditions closed at the end."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.linear.dense import largest
from linkwork.numerics.kernels.timestepping.islands import (
    expand_row,
    factorise_conditions,
    factorise_mass,
    meet_conditions,
    reduce_row,
)
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory

MASS_LOST, NOT_FINITE, NOT_CLOSED = -1, -2, -3  # what a run ends with
CLOSINGS, SURELY = 12, 2  # Newton steps, and those after which the error must become less
LOOSE = 1e3  # errors that are none, for which a position is closed all the same


@kernel
def move(m: StepMemory, t: float, y: Floats, delta: Floats, out: Floats) -> None:
    """The positions of out <- q ⊕ δ."""
    if m.retract is None:
        out[: m.nq] = y[: m.nq] + delta[: m.nq]
        return
    m.work[: m.n] = y[: m.n]
    m.work[m.nq : m.nq + m.nv] = delta[: m.nv]
    m.retract(t, m.work, m.p, out)


@kernel
def scaled_move(m: StepMemory, t: float, y: Floats, v: Floats, h: float, out: Floats) -> None:
    """The positions of out <- q ⊕ h v."""
    for k in range(m.nv):
        m.shift[k] = h * v[k]
    move(m, t, y, m.shift, out)


@kernel
def factorise_islands(m: StepMemory) -> int:
    """M and C of the mid-step."""
    for e in range(m.island_count):
        island = m.islands[e].island
        slopes = at(m.out, island.slopes)
        if factorise_mass(island, at(m.out, island.mass), slopes) < 0:
            return MASS_LOST
        factorise_conditions(island, slopes)
    return 0


@kernel
def take_forces(m: StepMemory, h: float) -> None:
    """z of forces and conditions, without contacts."""
    forces, b = at(m.out, m.ns), at(m.out, m.ns + m.nv)
    for k in range(m.m):
        m.c[k] = -h * b[k]
    for e in range(m.island_count):
        island, z, given = m.islands[e].island, at(m.z, m.starts[e]), at(m.given, m.starts[e])
        for k in range(island.n):
            given[k] = h * forces[island.columns[k]]
        reduce_row(island, given)
        z[: island.n] = given[: island.n]
        meet_conditions(island, m.c, z)


@kernel
def put_changes(m: StepMemory, z: Floats, out: Floats) -> None:
    """out (nv) <- R⁻¹ Q z of all islands."""
    for e in range(m.island_count):
        island = m.islands[e].island
        x = island.x
        part = at(z, m.starts[e])
        x[: island.n] = part[: island.n]
        expand_row(island, x)
        for k in range(island.n):
            out[island.columns[k]] = x[k]


@kernel
def look_at_forces(m: StepMemory, h: float, theta: float) -> None:
    """The terms of the mid-step, with the velocities v + θ (v⁺ − v)."""
    v, mid = at(m.state, m.nq), at(m.middle, m.nq)
    for k in range(m.nv):
        mid[k] = v[k] + theta * m.change[k]
    m.terms(m.t + 0.5 * h, m.middle, m.p, m.out)
    if m.ns > 0:
        first = m.nq + m.nv
        m.middle[first : first + m.ns] = m.state[first : first + m.ns] + 0.5 * h * m.out[: m.ns]
        m.terms(m.t + 0.5 * h, m.middle, m.p, m.out)


@kernel
def follow_conditions(m: StepMemory, left: Floats, factor: float, out: Floats) -> None:
    """out (nv) <- the least change in M with C w = factor left, with the slopes of the closure."""
    for k in range(m.m):
        m.c[k] = factor * left[k]
    for k in range(m.nv):
        m.z[k] = 0.0
    for e in range(m.island_count):
        island = m.islands[e].island
        if island.m > 0:
            factorise_conditions(island, at(m.open, island.closing))
            meet_conditions(island, m.c, at(m.z, m.starts[e]))
    put_changes(m, m.z, out)


@kernel
def close_conditions(m: StepMemory, t: float, y: Floats) -> int:
    """Positions and velocities of y onto the conditions, by the least change in M."""
    if m.closure is None or m.m == 0:
        return 0
    last, apart = 1e300, 0.0
    for turn in range(CLOSINGS + 1):
        m.closure(t, y, m.p, m.open)
        apart = largest(m.open, m.m)
        if apart <= m.closed or (turn > SURELY and apart >= last):
            break
        if turn == CLOSINGS:
            break
        last = apart
        follow_conditions(m, m.open, -1.0, m.shift)
        move(m, t, y, m.shift, m.next)
        y[: m.nq] = m.next[: m.nq]
    m.tally.open = max(m.tally.open, apart)
    if not apart <= LOOSE * m.closed:
        return NOT_CLOSED
    # C v + a, with the slopes of now
    v, drift = at(y, m.nq), at(m.open, m.closure_size - m.m)
    for k in range(m.m):
        m.push[k] = drift[k]
    for e in range(m.island_count):
        island = m.islands[e].island
        slopes = at(m.open, island.closing)
        for j in range(island.n):
            for k in range(island.m):
                m.push[island.rows[k]] += slopes[k + j * island.m] * v[island.columns[j]]
    follow_conditions(m, m.push, -1.0, m.shift)
    for k in range(m.nv):
        v[k] += m.shift[k]
    return 0
