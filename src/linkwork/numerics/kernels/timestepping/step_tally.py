"""What a step adds to the tally of a run: impulses, impacts, and energy that comes in and goes."""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.timestepping.contact_rows import add_impulses
from linkwork.numerics.kernels.timestepping.islands import find_pushes
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory


@kernel
def count_up(m: StepMemory, h: float) -> None:
    """What the step adds to the tally."""
    rows, tally, f, u = m.rows, m.tally, m.pushing.problem.f, m.pushing.problem.u
    tally.steps += 1
    tally.contacts = max(tally.contacts, rows.count)
    tally.adrift += h * m.pushing.left
    for i in range(rows.count):
        first = rows.first[i]
        before, lost = rows.before[3 * i], 0.0
        tally.deepest = max(tally.deepest, 0.5 * h * before - rows.gap[i])
        for r in range(rows.size[i]):
            now = u[first + r] + (rows.least[i] if r == 0 else 0.0)
            rows.behind[3 * i + r] = now
            lost -= 0.5 * f[first + r] * (rows.before[3 * i + r] + now)
        tally.destroyed += lost
        if f[first] <= 0.0:
            continue
        a, b = rows.shapes[2 * i], rows.shapes[2 * i + 1]
        pair = a * m.shape_count + b if a >= 0 else m.shape_count * m.shape_count + b
        # what comes down faster than forces of a step make it, and what touches for the first time
        if rows.felt[i] < -before or tally.impulse[pair] == 0.0:
            tally.hit[pair] += 1
            if tally.hit_count < tally.hit_room:
                hit = at(tally.hits, 5 * tally.hit_count)
                hit[0], hit[1], hit[2], hit[3], hit[4] = m.t + 0.5 * h, float(a), float(b), f[first], -before
            tally.hit_count += 1
        if tally.impulse[pair] == 0.0:
            tally.first[pair] = m.t + 0.5 * h
        if tally.last[pair] < m.t + h:
            tally.touching[pair] += h
            tally.last[pair] = m.t + h
        tally.impulse[pair] += f[first]


@kernel
def count_energy(m: StepMemory, h: float) -> None:
    """What elements and moving conditions bring in and destroy in the step."""
    v, tally = at(m.state, m.nq), m.tally
    if m.powers is not None:
        m.moment[: m.n] = m.middle[: m.n]
        for k in range(m.nv):
            m.moment[m.nq + k] = v[k] + 0.5 * m.change[k]
            m.moment[m.n + k] = m.change[k] / h
        m.powers(m.t + 0.5 * h, m.moment, m.p, m.power)
        tally.given += h * m.power[0]
        tally.destroyed += h * m.power[1]
    if m.driven == 0:
        return
    # Λ of conditions does the work Λ·C (v + v⁺)/2
    add_impulses(m.rows, m.pushing.problem.f, 1, m.given, m.starts)
    for e in range(m.island_count):
        island = m.islands[e].island
        if island.m == 0:
            continue
        pushed, slopes = at(m.given, m.starts[e]), at(m.out, island.slopes)
        find_pushes(island, m.c, at(m.z, m.starts[e]), pushed, m.push)
        for j in range(island.n):
            column = island.columns[j]
            for k in range(island.m):
                rate = slopes[k + j * island.m] * (v[column] + 0.5 * m.change[column])
                tally.given += m.push[island.rows[k]] * rate
