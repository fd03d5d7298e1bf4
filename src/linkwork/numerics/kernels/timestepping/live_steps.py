"""Steps with contacts that are asked for one by one: a clock at each, and what its contacts were solved to.

All steps have one size, and the number of a step tells its time. A step that fails is not taken. One that wants more room
is asked for again, with nothing changed.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.stepping.realtime import Watch, enter, keep, now
from linkwork.numerics.kernels.timestepping.moreau import DONE, take_step
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory
from linkwork.numerics.kernels.timestepping.step_motion import close_conditions, factorise_islands
from linkwork.numerics.kernels.timestepping.step_touches import PLACE

WORKS = 3  # that are seen besides: brought in, destroyed, and by which taking overlaps apart changed the energy


class LiveSteps(Record):
    """Steps of one size h from a time, of which so many are taken.

    saved: (n + WORKS) the state and the works before the step
    contacts, iterations, unsolved, residual, overlap: of the last step: rows that took part, iterations of all solvers,
        problems that were left with more than the tolerance, what was left beside the largest velocity, and the overlap (m)
        with which the step began; worst, deepest: the largest of the last two; most, late: most iterations, and steps with
        problems that were not solved
    slots: pairs of shapes of which it is told what they push with; slot: of each pair, −1: it is not told; pair: of
        each slot, as it was met
    """

    n: int
    begin: float
    h: float
    taken: int
    code: int
    saved: Floats = array("n + 3")
    contacts: int
    iterations: int
    unsolved: int
    residual: float
    overlap: float
    worst: float
    deepest: float
    most: int
    late: int
    slots: int
    pairs: int
    slot: Ints = array("pairs")
    pair: Ints = array("slots")


@kernel
def begin_live(m: StepMemory, live: LiveSteps, watch: Watch) -> int:
    """The state onto the conditions that hold from now on, positions and velocities; a failure, or 0."""
    m.middle[: m.n] = m.state[: m.n]
    m.change[: m.nv] = 0.0
    m.terms(m.t, m.middle, m.p, m.out)
    code = factorise_islands(m)
    if code == 0:
        code = close_conditions(m, m.t, m.state)
    live.begin, live.taken, live.code = m.t, 0, code
    look_live(m, live, watch)
    return code


@kernel
def save_works(m: StepMemory, out: Floats) -> None:
    """What has come in and gone so far."""
    out[0], out[1], out[2] = m.tally.given, m.tally.destroyed, m.tally.shifted


@kernel
def see_touches(m: StepMemory, live: LiveSteps, out: Floats) -> None:
    """The numbers of each slot, all places of a pair together: forces as sums, all others times the force."""
    rows, f = m.rows, m.pushing.problem.f
    for k in range(PLACE * live.slots):
        out[k] = 0.0
    if live.taken == 0:
        return
    for i in range(rows.count):
        a, b, first = rows.shapes[2 * i], rows.shapes[2 * i + 1], rows.first[i]
        if a < 0 or f[first] <= 0.0:
            continue
        place = live.slot[a * m.shape_count + b]
        if place < 0:
            continue
        live.pair[place] = a * m.shape_count + b
        own, axes, push = at(out, PLACE * place), at(rows.axes, 9 * i), f[first] / live.h
        own[6] += push
        for l in range(3):
            own[l] += push * rows.point[3 * i + l]
            own[3 + l] += push * axes[l]
            for r in range(1, rows.size[i]):
                own[7 + l] += axes[3 * r + l] * f[first + r] / live.h
                own[10 + l] += push * axes[3 * r + l] * rows.behind[3 * i + r]


@kernel
def look_live(m: StepMemory, live: LiveSteps, watch: Watch) -> None:
    """What is seen behind a step: y, mean accelerations, works, what contacts pushed with; and the outputs."""
    seen, n = watch.seen, m.n
    seen[:n] = m.state[:n]
    for k in range(m.nv):
        seen[n + k] = m.change[k] / live.h if live.taken > 0 else 0.0
    save_works(m, at(seen, n + m.nv))
    see_touches(m, live, at(seen, n + m.nv + WORKS))
    if watch.outputs is not None:
        watch.outputs(m.t, seen, watch.parameters, watch.values)


@kernel
def step_once(m: StepMemory, live: LiveSteps) -> int:
    """One step, and how its contacts were solved; where it fails the state is that before it."""
    pushing, tally, n = m.pushing, m.tally, m.n
    live.saved[:n] = m.state[:n]
    save_works(m, at(live.saved, n))
    iterations, failures = pushing.iterations, pushing.failures
    pushing.worst, tally.deepest = 0.0, 0.0
    code = take_step(m, live.h)
    live.contacts, live.iterations = m.rows.count, pushing.iterations - iterations
    live.unsolved, live.residual, live.overlap = pushing.failures - failures, pushing.worst, tally.deepest
    live.worst, live.deepest = max(live.worst, live.residual), max(live.deepest, live.overlap)
    pushing.worst, tally.deepest = live.worst, live.deepest
    if code != DONE:
        m.state[:n] = live.saved[:n]
        m.t = live.begin + float(live.taken) * live.h
        tally.given, tally.destroyed, tally.shifted = live.saved[n], live.saved[n + 1], live.saved[n + 2]
        return code
    live.most = max(live.most, live.iterations)
    live.late += 1 if live.unsolved > 0 else 0
    live.taken += 1
    m.t = live.begin + float(live.taken) * live.h
    return DONE


@kernel
def take_live_steps(m: StepMemory, live: LiveSteps, watch: Watch, count: int) -> int:
    """Take *count* steps, fewer if one fails or wants more room, see the code; return how many were taken."""
    watch.tried = 0
    for done in range(count):
        begin = now(watch)
        live.code = step_once(m, live)
        if live.code != DONE:
            watch.tried = 1
            return done
        watch.steps += 1
        look_live(m, live, watch)
        if watch.ring_rows > 0 and watch.steps % watch.every == 0:
            keep(m.t, watch)
        enter(watch, (now(watch) - begin) * watch.tick)
    return count
