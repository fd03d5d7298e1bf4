"""Many runs of one system in the lanes of vector registers: explicit Runge-Kutta steps, each lane with its own.

Lanes take their stages together and everything else alone: time, size and error of the step, output. What a lane finds
depends on no other lane. A lane whose task has ended takes the next one of the queue (``lane_tasks.py``). Step control is
that of ``advance.py``, and so are the steps, but for rounding errors.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.advance import (
    CREEPING,
    GROW_MOST,
    RESOLUTION,
    SAFETY,
    SHRINK_MOST,
    SHRINK_ON_FAILURE,
    SMALLEST_ERROR,
)
from linkwork.numerics.kernels.stepping.lane_tasks import CHANGE, DONE, ELSEWHERE, LANES, NONE, LaneRun, leave
from linkwork.numerics.kernels.stepping.runge_kutta import CALMING, RARELY


@kernel(vectorise=True)
def add_up(count: int, size: int, stride: int, weights: Floats, k: Floats, out: Floats) -> None:
    """out (size) = Σ_j weights_j k_j, four at a time"""
    out[:size] = 0.0
    j = 0
    while j + 4 <= count:
        a, b, c, d = weights[j], weights[j + 1], weights[j + 2], weights[j + 3]
        first, second = at(k, j * stride), at(k, (j + 1) * stride)
        third, fourth = at(k, (j + 2) * stride), at(k, (j + 3) * stride)
        out[:size] += a * first[:size] + b * second[:size] + c * third[:size] + d * fourth[:size]
        j += 4
    while j < count:
        a, first = weights[j], at(k, j * stride)
        out[:size] += a * first[:size]
        j += 1


@kernel(vectorise=True)
def move_on(size: int, h: Floats, y: Floats, rate: Floats, out: Floats) -> None:
    """out = y + h rate"""
    out[:size] = y[:size] + h[:size] * rate[:size]


@kernel(vectorise=True)
def least(found: Floats, out: Floats) -> None:
    """out = min(out, found); what is no number is −1"""
    for l in range(LANES):
        value = found[l] if found[l] == found[l] else -1.0
        out[l] = min(out[l], value)


@kernel(vectorise=True)
def weigh_errors(size: int, relative: float, absolute: Floats, y: Floats, new: Floats, e: Floats) -> None:
    """e (size) <- (e / (absolute + relative max(|y|, |new|)))²"""
    for i in range(size):
        share = e[i] / (absolute[i] + relative * max(abs(y[i]), abs(new[i])))
        e[i] = share * share


@kernel
def sum_errors(run: LaneRun, weights: Floats, total: Floats) -> None:
    """total (lanes) = Σ_i (Σ_j weights_j k_ij / scale_i)²"""
    size, e = run.states * LANES, run.sums
    add_up(run.stages + 1, size, run.width * LANES, weights, run.rates, e)
    weigh_errors(size, run.relative, run.absolute, run.y, run.new, e)
    total[:LANES] = 0.0
    for i in range(run.states):
        total[:LANES] += e[i * LANES : (i + 1) * LANES]


@kernel
def take_stage(run: LaneRun, stage: int, out: Floats) -> None:
    """The state of a stage, and its derivative."""
    size, stride, node = run.states * LANES, run.width * LANES, run.nodes[stage]
    add_up(stage, size, stride, at(run.matrix, stage * run.all_stages), run.rates, run.sums)
    move_on(size, run.sizes_of_states, run.y, run.sums, out)
    moment, time, h = run.moment, run.time, run.size
    moment[:LANES] = time[:LANES] + node * h[:LANES]
    rate = at(run.rates, stage * stride)
    run.flow(moment, out, run.p, rate)
    if run.width > run.states:
        least(at(rate, size), run.health)


@kernel
def attempt(run: LaneRun) -> None:
    """A step of all lanes, and its errors."""
    run.health[:LANES] = 1.0
    for i in range(run.states):
        run.sizes_of_states[i * LANES : (i + 1) * LANES] = run.size[:LANES]
    for stage in range(1, run.stages):
        take_stage(run, stage, run.stage)
    take_stage(run, run.stages, run.new)
    if run.adaptive == 0:
        check_finite_lanes(run)
        return
    sum_errors(run, run.estimators, run.first)
    run.second[:LANES] = 0.0
    if run.second_weight != 0.0:
        sum_errors(run, at(run.estimators, run.all_stages), run.second)
    find_norms(run)


@kernel
def check_finite_lanes(run: LaneRun) -> None:
    """Steps of a size that is given have no error, as long as all numbers are finite."""
    n, end = run.states, run.stages * run.width * LANES
    for l in range(LANES):
        size = 0.0
        for i in range(n):
            size += abs(run.new[i * LANES + l]) + abs(run.rates[end + i * LANES + l])
        run.error[l] = 0.0 if size < math.inf else math.inf


@kernel
def find_norms(run: LaneRun) -> None:
    """err = |h| e₁² / √(n (e₁² + w e₂²)), as in ``runge_kutta.py``."""
    for l in range(LANES):
        first = run.first[l]
        whole = run.states * (first + run.second_weight * run.second[l])
        run.error[l] = run.size[l] * first / math.sqrt(whole) if first != 0.0 else 0.0


@kernel
def close_loops(run: LaneRun) -> None:
    """The new states put right by the formulas, and their health."""
    if run.close is not None:
        run.close(run.new_time, run.new, run.p, run.closing)
        found, new, count = run.closing, run.new, run.closed * LANES
        new[:count] = found[:count]
        run.end_health[:LANES] = 1.0
        least(at(found, count), run.end_health)
        least(run.end_health, run.health)


@kernel
def choose_ends(run: LaneRun) -> None:
    """Where the steps of all lanes end; the last one of a run meets its end exactly, and the two before are equal."""
    end = run.end
    for l in range(LANES):
        t, h = run.time[l], run.step[l]
        if run.task[l] == NONE:
            run.new_time[l] = t
        elif run.adaptive == 0:
            t_new = run.start + (run.accepted[run.task[l]] + 1) * h
            run.new_time[l] = end if end - t_new < 1e-8 * h else t_new
        elif end - t <= h:
            run.new_time[l] = end
        else:
            run.new_time[l] = t + min(h, 0.5 * (end - t))
        run.size[l] = run.new_time[l] - t


@kernel
def is_good(run: LaneRun, l: int) -> int:
    """1 where the attempt of a lane counts."""
    if not run.health[l] > run.floor:
        return 0
    return 1 if run.error[l] <= 1.0 else 0


@kernel
def has_output(run: LaneRun, l: int) -> int:
    """1 where a lane has grid points inside its step."""
    if run.task[l] == NONE or is_good(run, l) == 0:
        return 0
    return 1 if run.grid[run.outputs[run.task[l]]] < run.new_time[l] else 0


@kernel
def densify(run: LaneRun) -> None:
    """The stages that serve the dense output only, where a lane has output; the health of the others stays as it is."""
    wanted = 0
    for l in range(LANES):
        run.first[l] = run.health[l]
        wanted += has_output(run, l)
    if wanted == 0:
        return
    for stage in range(run.stages + 1, run.all_stages):
        take_stage(run, stage, run.inside)
    for l in range(LANES):
        low, run.health[l] = run.health[l], run.first[l]
        if has_output(run, l) == 1:
            run.health[l] = low


@kernel
def write_output(run: LaneRun, l: int) -> None:
    """Fill the grid points of a lane after the start of its step, up to and including its end."""
    task, n, degree, stride = run.task[l], run.states, run.degree, run.width * LANES
    index, t, t_new, h = run.outputs[task], run.time[l], run.new_time[l], run.size[l]
    while index < run.grid_size and run.grid[index] <= t_new:
        out = at(run.output, (task * run.grid_size + index) * n)
        if run.grid[index] < t_new:
            theta = (run.grid[index] - t) / h
            for i in range(n):
                out[i] = 0.0
            for j in range(run.all_stages):
                value = 0.0
                for power in range(degree - 1, -1, -1):
                    value = (value + run.dense[j * degree + power]) * theta
                for i in range(n):
                    out[i] += value * run.rates[j * stride + i * LANES + l]
            for i in range(n):
                out[i] = run.y[i * LANES + l] + h * out[i]
        else:
            for i in range(n):
                out[i] = run.new[i * LANES + l]
        index += 1
    run.outputs[task] = index


@kernel
def watch_stiffness(run: LaneRun, l: int) -> None:
    """As in ``runge_kutta.py``: h ρ by the last two stages, both at the end of the step."""
    if run.suspicion[l] == 0 and run.accepted[run.task[l]] % RARELY != 0:
        return
    n, stride = run.states, run.width * LANES
    last = run.stages * stride
    rates, moves = 0.0, 0.0
    for i in range(n):
        there = run.new[i * LANES + l]
        weight = 1.0 / (run.absolute[i * LANES] + run.relative * abs(there))
        rate = weight * (run.rates[last + i * LANES + l] - run.rates[last - stride + i * LANES + l])
        move = weight * (there - run.stage[i * LANES + l])
        rates += rate * rate
        moves += move * move
    if moves == 0.0:
        return
    stiffness = run.size[l] * math.sqrt(rates / moves)
    if stiffness > 1.0:
        run.suspicion[l] += status.STRONG if stiffness > run.stiff_limit else 1
        run.calm[l] = 0
        return
    run.calm[l] += 1
    if run.calm[l] >= CALMING:
        run.suspicion[l] = 0


@kernel
def grow(run: LaneRun, l: int) -> None:
    """PI control behind a step that counts."""
    if run.adaptive != 0:
        error = max(run.error[l], SMALLEST_ERROR)
        factor = SAFETY * math.exp(run.beta * math.log(run.last_error[l]) - run.alpha * math.log(error))
        most = 1.0 if run.failed[l] != 0 else GROW_MOST
        run.step[l] = min(run.size[l] * min(max(factor, SHRINK_MOST), most), run.end - run.start)
        run.last_error[l] = max(error, 1e-4)
    run.failed[l] = 0


@kernel
def commit(run: LaneRun, l: int) -> None:
    """The step of a lane counts; its task ends where it has reached the end, or needs what lanes have not."""
    n, task = run.states, run.task[l]
    end = run.stages * run.width * LANES
    write_output(run, l)
    if run.watch > 0:
        watch_stiffness(run, l)
    grow(run, l)
    for i in range(n):
        run.y[i * LANES + l] = run.new[i * LANES + l]
        run.rates[i * LANES + l] = run.rates[end + i * LANES + l]
    run.time[l] = run.new_time[l]
    run.accepted[task] += 1
    if run.time[l] >= run.end:
        leave(run, l, DONE)
    elif is_for_others(run, l) == 1:
        leave(run, l, ELSEWHERE)
    elif run.closed > 0 and run.end_health[l] < run.near_end:
        reconsider(run, l)


@kernel
def is_for_others(run: LaneRun, l: int) -> int:
    """1 where a task is stiff, creeps, or takes too many steps."""
    if run.watch > 0 and run.suspicion[l] >= run.watch:
        return 1
    if run.adaptive != 0 and run.size[l] < CREEPING * abs(run.time[l]):
        return 1
    return 1 if run.accepted[run.task[l]] + run.rejected[run.task[l]] >= run.max_attempts else 0


@kernel
def reconsider(run: LaneRun, l: int) -> None:
    """Near the end of the formulas of a lane: those that are clearly better, by the rule of ``constrained/explicit.py``."""
    task, n, count = run.task[l], run.states, run.parameters
    if run.pending != 0:
        run.wishes[task] = run.formulas
        leave(run, l, CHANGE)
        return
    y, p, found = run.lone_state, run.lone_parameters, run.lone_closed
    for i in range(n):
        y[i] = run.y[i * LANES + l]
    for i in range(count):
        p[i] = run.p[i * LANES + l]
    best, health, own = -1, 0.0, 0.0
    for j in range(run.formulas_count):
        other = run.others[j]
        if j != run.formulas and other.select is not None:
            other.select(run.time[l], y, p, at(p, run.first_place + other.first_selector))
        other.state(run.time[l], y, p, found)
        if j == run.formulas:
            own = found[run.closed]
        if found[run.closed] > health:
            best = j
            health = found[run.closed]
    if best >= 0 and best != run.formulas and health > run.better * own:
        run.wishes[task] = best
        for i in range(count):
            run.task_parameters[task * count + i] = p[i]
        leave(run, l, CHANGE)
    elif own < run.hopeless:
        leave(run, l, ELSEWHERE)


@kernel
def reject(run: LaneRun, l: int) -> None:
    """A shorter step next time; a task whose steps become too short is handed back."""
    task, error = run.task[l], run.error[l]
    run.rejected[task] += 1
    run.failed[l] = 1
    factor = SHRINK_ON_FAILURE
    if error > 1.0 and error < math.inf and run.health[l] > run.floor:
        factor = max(SAFETY * error**-run.alpha, SHRINK_MOST)
    run.step[l] = run.size[l] * factor
    short = run.step[l] < max(run.min_step, RESOLUTION * abs(run.time[l]))
    if run.adaptive == 0 or short or run.accepted[task] + run.rejected[task] >= run.max_attempts:
        leave(run, l, ELSEWHERE)


@kernel
def advance_lanes(run: LaneRun, attempts: int) -> int:
    """So many steps of all lanes at most; returns how many tasks are in lanes."""
    for _ in range(attempts):
        active = 0
        for l in range(LANES):
            if run.task[l] != NONE:
                active += 1
        if active == 0:
            return 0
        choose_ends(run)
        attempt(run)
        close_loops(run)
        densify(run)
        for l in range(LANES):
            if run.task[l] != NONE:
                if is_good(run, l) == 1:
                    commit(run, l)
                else:
                    reject(run, l)
    return 1
