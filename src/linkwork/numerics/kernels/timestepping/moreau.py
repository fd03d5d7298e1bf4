"""A step of Moreau and Jean: positions half a step on, velocities by all impulses at once, positions on.

    q_m = q ⊕ h/2 v,   M (v⁺ − v) = h f(t_m, q_m, v_θ) + CᵀΛ + Jᵀf,   C (v⁺ − v) = −h b,   q⁺ = q_m ⊕ h/2 v⁺

with v_θ = (1 − θ) v + θ v° in forces, v° those without contacts, and contacts by cones in the velocities u = J v⁺
(``contact_rows.py``). Overlaps that would be left at the end are taken out of positions alone, by the least displacement in
M; then conditions are closed to rounding.

Sources: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics", CISM 302 (1988); M. Jean, Comp.
Meth. Appl. Mech. Engrg. 177 (1999) 235-257; V. Acary, Comp. Meth. Appl. Mech. Engrg. 256 (2013) 224-250, for projections of
positions.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code
from linkwork.numerics.kernels.linear.dense import largest
from linkwork.numerics.kernels.timestepping.contact_rows import show_problem, write_operator
from linkwork.numerics.kernels.timestepping.pushing import BAND, SURE, choose_way, recall, remember
from linkwork.numerics.kernels.timestepping.step_contacts import (
    add_contacts,
    add_limits,
    choose_friction,
    find_contacts,
    find_velocities,
    part_overlaps,
    widest_left_out,
)
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.kernels.timestepping.step_motion import (
    NOT_FINITE,
    close_conditions,
    factorise_islands,
    look_at_forces,
    move,
    put_changes,
    scaled_move,
    take_forces,
)
from linkwork.numerics.kernels.timestepping.step_tally import count_energy, count_up
from linkwork.numerics.kernels.timestepping.step_touches import TOUCHES, note_touches, show_touches

LOOKS = 3  # how often it is looked for contacts that others close in the step
DONE, PAUSED = 0, 1  # what a run returns, beside failures and what it wants room for


@kernel
def take_step(m: StepMemory, h: float) -> int:
    """One step; the room that it wants, with nothing changed, or a failure."""
    v = at(m.state, m.nq)
    m.middle[: m.n] = m.state[: m.n]
    m.change[: m.nv] = 0.0
    scaled_move(m, m.t, m.state, v, 0.5 * h, m.middle)
    look_at_forces(m, h, 0.0)
    if not largest(m.out, m.out_size) < 1e299:
        return NOT_FINITE
    code = factorise_islands(m)
    if code < 0:
        return code
    take_forces(m, h)
    put_changes(m, m.z, m.change)
    if m.moving == 1 and m.theta > 0.0:
        look_at_forces(m, h, m.theta)
        take_forces(m, h)
        put_changes(m, m.z, m.change)
    code = find_contacts(m, h)
    if code != 0:
        return code
    for turn in range(LOOKS):
        code = take_impulses(m, h)
        if code < 0 or code > SURE:
            return code
        wide = widest_left_out(m, h)
        if wide < 0.0 or turn == LOOKS - 1:
            break
        # some that were left out are driven together by others: they take part, and z is what it was before
        m.slack = max(m.slack, wide)
        take_forces(m, h)
        put_changes(m, m.z, m.change)
    return end_step(m, h, code)


@kernel
def take_impulses(m: StepMemory, h: float) -> int:
    """Those of all contacts and limits that take part; the way in which they were solved, or what there is no room for."""
    rows, pushing = m.rows, m.pushing
    rows.count, rows.numbers = 0, 0
    code = add_contacts(m, h)
    if code == 0:
        code = add_limits(m, h)
    if code == 0:
        code = write_operator(rows)
    if code != 0:
        return code
    show_problem(rows, pushing.problem)
    way = choose_way(rows, pushing) if rows.count > 0 else 0
    if way == BAND:
        return BAND
    recall(rows, pushing.last, pushing.problem.f)
    choose_friction(m)
    m.pushing.left = find_velocities(m, h, way)
    return way


@kernel
def end_step(m: StepMemory, h: float, way: int) -> int:
    """Positions, and all that counts the step."""
    first, v = m.nq + m.nv, at(m.state, m.nq)
    if not largest(m.change, m.nv) < 1e150:
        return NOT_FINITE
    count_up(m, h)
    count_energy(m, h)
    least = m.pushing.tolerance * m.pushing.size
    # what touches in the first step does so from the start
    when = m.start if m.tally.steps == 1 else m.t + 0.5 * h
    note_touches(m.kept, m.rows, m.pushing.problem.f, least, m.shape_count, m.tally.steps, when)
    remember(m.rows, m.pushing.problem.f, m.pushing.last)
    part_overlaps(m, h, way)
    move(m, m.t + h, m.middle, m.shift, m.state)
    for k in range(m.nv):
        v[k] += m.change[k]
    m.state[first : first + m.ns] = m.state[first : first + m.ns] + h * m.out[: m.ns]
    m.t += h
    return close_conditions(m, m.t, m.state)


@kernel
def show_output(m: StepMemory) -> None:
    """The state of now at its place among the outputs."""
    k = m.grid_index
    out, vdot = at(m.shown, k * m.n), at(m.accelerations, k * m.nv)
    out[: m.n] = m.state[: m.n]
    for j in range(m.nv):
        vdot[j] = m.change[j] / m.h if m.h > 0.0 else 0.0
    m.energies[3 * k], m.energies[3 * k + 1] = m.tally.given, m.tally.destroyed
    m.energies[3 * k + 2] = m.tally.shifted
    if m.h > 0.0:
        show_touches(m.kept, m.rows, m.pushing.problem.f, m.shape_count, k, m.h)
    m.grid_index += 1


@kernel
def run_steps(m: StepMemory) -> Code:
    """Steps until the last output; outputs are ends of steps, all of one size in between."""
    steps = m.chunk
    while m.grid_index < m.outputs:
        end = m.grid[m.grid_index]
        if m.left == 0:
            if end <= m.t:
                show_output(m)
                continue
            # rounded up, but for rounding errors
            m.left = 1 + int((end - m.t) / m.longest * (1.0 - 1e-9))
        if steps == 0:
            return PAUSED
        if m.left == 1 and m.kept.shown + m.rows.most > m.kept.room:
            return TOUCHES
        m.h = (end - m.t) / float(m.left)
        code = take_step(m, m.h)
        if code != 0:
            return code
        steps -= 1
        m.left -= 1
        if m.left == 0:
            m.t = end
            show_output(m)
    return DONE
