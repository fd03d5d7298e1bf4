"""The driver of all integrators: step control, corrections, output, events, resumption in chunks.

What a step is, only the family of the method knows. It gives five kernels, which are called by address:

    attempt(run, h)                      a step of size h from time, state and the derivative there, row 0 of derivatives.
                                         It leaves the new state in new_state, its derivative in the row *stages* of
                                         derivatives (or sets end_open, and the driver evaluates it once the state is
                                         corrected) and the weighted norm of the error in *error*, and can be repeated
                                         with another h. Returns the code of a failure < 0
    densify(run, h)                      prepares interpolation within the step attempted
    interpolate(run, h, theta, out)      the state at time + θ h, before it is corrected
    accept(run, h, new, derivative)      the step counts, with the state and derivative that corrections have left. With
                                         own_control the family chooses the next step, and its order
    restart(run)                         what was remembered of former steps is void

Step control: Hairer and Wanner, "Solving Ordinary Differential Equations II", section IV.2.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, FlowFunction, Record, RefreshFunction
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.crossings import record_events
from linkwork.numerics.kernels.stepping.dips import look_inside, may_dip
from linkwork.numerics.kernels.stepping.events import find_crossings, place
from linkwork.numerics.kernels.stepping.keeping import keep, looks_inside
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import check_finite, correct, evaluate, show

SAFETY, SHRINK_MOST, GROW_MOST, SHRINK_ON_FAILURE = 0.9, 0.2, 8.0, 0.25
SMALLEST_ERROR = 1e-10  # keeps the powers of the step control finite
RESOLUTION = 16.0 * 2.0**-52  # of time: the shortest step there
CREEPING = 1e5 * 2.0**-52  # of time: steps that are so short that its rounding is felt in states that change that fast
PROGRESS, PATIENCE = 1e-8, 1000  # of the run; creeping steps without that much progress
FAILURES = 10  # creeping steps that a failure of the flow counts for


@kernel
def advance(run: Stepping) -> None:
    """Take steps until the run ends, reaches the pause, or has filled its buffers."""
    attempts = run.chunk_steps
    run.step_index = 0
    run.record_index = 0
    while run.status == status.RUNNING:
        if run.accepted + run.rejected >= run.max_steps:
            run.status = status.TOO_MANY_STEPS
            return
        if attempts == 0 or run.step_index == run.step_capacity:
            return
        if run.record_index + status.CROSSINGS * run.event_count > run.record_capacity:
            return
        if run.node_index > run.node_capacity:
            return
        attempts -= 1
        t_new = end_of_step(run)
        h = t_new - run.time
        code = run.attempt(run, h)
        error = run.error
        if code >= 0 and not error < math.inf:
            code = status.NOT_FINITE_CODE
        if code >= 0 and error <= 1.0:
            code = complete_step(run, t_new)
            if code >= 0:
                control_after_success(run, h, error)
                if run.watch != 0 and is_suspicious(run) == 1:
                    run.attention = 1
                if run.time >= run.pause or run.attention != 0:
                    return
                continue
        control_after_rejection(run, h, error, code)


@kernel
def is_suspicious(run: Stepping) -> int:
    """1 when enough steps have looked stiff, or when somebody wants to look after so many of them."""
    if run.suspicion >= run.watch:
        return 1
    return 1 if run.review_at > 0 and run.accepted >= run.review_at else 0


@kernel
def end_of_step(run: Stepping) -> float:
    """Time at the end of the next step; the last one meets the end of the run exactly."""
    t = run.time
    end = run.end
    h = run.step
    if run.adaptive == 0:
        t_new = run.start + (run.accepted + 1) * h
        return end if end - t_new < 1e-8 * h else t_new
    if end - t <= h:
        return end
    # two equal steps rather than a full one and a sliver
    return t + min(h, 0.5 * (end - t))


@kernel
def control_after_success(run: Stepping, h: float, error: float) -> None:
    """PI control: h ← h · 0.9 · err^-α · err_last^β."""
    if run.adaptive != 0 and run.own_control == 0:
        error = max(error, SMALLEST_ERROR)
        factor = SAFETY * error**-run.alpha * run.last_error**run.beta
        # no growth straight after a rejection
        most = 1.0 if run.failure != 0 else GROW_MOST
        run.step = min(h * min(max(factor, SHRINK_MOST), most), run.max_step)
        run.last_error = max(error, 1e-4)
    run.failure = 0
    creeps = run.adaptive != 0 and h < CREEPING * abs(run.time) and run.status == status.RUNNING
    # speeds grow beyond all bounds, as at a dead centre of a driver, which no number of steps reaches
    if creeps and is_stuck(run, 1) == 1:
        run.status = status.STEP_TOO_SMALL


@kernel
def control_after_rejection(run: Stepping, h: float, error: float, code: Code) -> None:
    """Shrink the step, or give the run up; a failure counts as 1 when only the error was too large."""
    run.rejected += 1
    run.failure = code if code < 0 else 1
    if run.adaptive == 0:
        run.status = status.NOT_FINITE if code == status.NOT_FINITE_CODE else status.FLOW_FAILED
        return
    factor = SHRINK_ON_FAILURE
    if code >= 0:
        factor = max(SAFETY * error**-run.alpha, SHRINK_MOST)
    run.step = h * factor
    stuck = 0
    if code < 0:
        stuck = is_stuck(run, FAILURES)
    if run.step < max(run.min_step, RESOLUTION * abs(run.time)) or stuck == 1:
        run.status = status.NOT_FINITE if code == status.NOT_FINITE_CODE else status.STEP_TOO_SMALL


@kernel
def is_stuck(run: Stepping, weight: int) -> int:
    """1 when the flow has failed again and again, or steps have crept, with next to no progress: it ends here."""
    if run.time - run.stall_time > PROGRESS * (run.end - run.start):
        run.stall_time = run.time
        run.stalled = 0
    run.stalled += weight
    return 1 if run.stalled > PATIENCE else 0


@kernel
def settle(run: Stepping, t_new: float, plain: Floats, new: Floats) -> int:
    """new <- the state at the end, corrected. Returns the row of its derivative, or the code of a failure < 0."""
    n, rates = run.states, run.derivatives
    end, anew = run.stages, run.all_stages
    new[:n] = plain[:n]
    code = correct(run, t_new, new)
    if code == status.ATTEND:
        run.attention = 1
        code = 0
    run.void = code if code >= status.RESTART else 0
    if code >= 0 and run.end_open == 1:
        # output inside the step goes with the state before a change of chart
        state = plain if code >= status.RESTART else new
        failed = evaluate(run, t_new, state, at(rates, end * n))
        if failed >= 0:
            failed = check_finite(run, state, at(rates, end * n))
        if failed < 0 or code < status.RESTART:
            return failed if failed < 0 else end
    if code > 0:
        code = evaluate(run, t_new, new, at(rates, anew * n))
        end = anew
    return code if code < 0 else end


@kernel
def notice(run: Stepping, h: float, t_new: float, new: Floats) -> int:
    """How many event functions may be zero in the step attempted, whose dense output is there where anybody needs it."""
    run.looked = 0
    run.densified = 0
    found = find_crossings(run, t_new, new)
    if found < 0:
        return found
    run.looked = may_dip(run, h)
    if found > 0 or looks_inside(run) == 1 or run.looked == 1 or run.grid[run.grid_index] < t_new:
        run.densified = 1
        code = run.densify(run, h)
        if code < 0:
            return code
    return look_inside(run, h, found) if run.looked == 1 else found


@kernel
def complete_step(run: Stepping, t_new: float) -> Code:
    """Correct the new state, locate events, write the output, and only then make the step count."""
    h = t_new - run.time
    new = at(run.new_state, run.states)
    row = settle(run, t_new, run.new_state, new)
    if row < 0:
        return row
    found = notice(run, h, t_new, new)
    if found < 0:
        return found
    recorded = run.record_index
    code, stop = 0, 2.0
    if found > 0:
        stop = record_events(run, h, new)
    if stop < 1.0:
        t_new = run.time + stop * h
    if stop >= 0.0:
        code = write_output(run, h, t_new, new)
    if stop > 0.0 and code >= 0 and run.node_count > 0:
        code = keep(run, h, t_new, run.densified, 1 if stop <= 1.0 or run.void > 0 else 0)
    if stop < 0.0 or code < 0:
        run.record_index = recorded
        return code if code < 0 else int(stop)
    if stop == 0.0:
        # the step should not have begun: the run ends where it did
        run.rejected += 1
        run.status = status.EVENT
        return 0
    commit(run, t_new, new, at(run.derivatives, row * run.states))
    if stop <= 1.0:
        run.status = status.EVENT
    return 0


@kernel
def commit(run: Stepping, t_new: float, new: Floats, derivative: Floats) -> None:
    run.accept(run, t_new - run.time, new, derivative)
    run.state[: run.states] = new[: run.states]
    run.derivatives[: run.states] = derivative[: run.states]
    for e in range(run.event_count):
        run.event_rates[e] = (run.at_end[e] - run.at_start[e]) / (t_new - run.time)
        run.at_start[e] = run.at_end[e]
    run.time = t_new
    run.step_times[run.step_index] = t_new
    run.step_index += 1
    run.accepted += 1
    if run.void > 0:
        run.restart_history(run)
    if t_new >= run.end:
        run.status = status.COMPLETED


@kernel
def write_output(run: Stepping, h: float, t_new: float, new: Floats) -> Code:
    """Fill the grid points after the start of the step, up to and including its end."""
    grid = run.grid
    index = run.grid_index
    while index < run.grid_size and grid[index] <= t_new:
        state = new
        if grid[index] < t_new:
            state = run.scratch
            code = place(run, h, (grid[index] - run.time) / h, state)
            if code < 0:
                return code
        code = show(run, grid[index], state, at(run.output, index * run.shown))
        if code < 0:
            return code
        index += 1
    run.grid_index = index
    return 0


@kernel
def evaluate_samples(
    n: int, count: int, flow: FlowFunction, t: Floats, y: Floats, ydot: Floats, memory: Record, work: Floats
) -> int:
    """Flow at *count* states (count, n), on a copy of each; a row that fails becomes undefined. Return the failures."""
    failures = 0
    for row in range(count):
        work[:n] = y[row * n : (row + 1) * n]
        if flow(t[row], work, at(ydot, row * n), memory) < 0:
            failures += 1
            ydot[row * n : (row + 1) * n] = math.nan
    return failures


@kernel
def refresh_samples(n: int, count: int, refresh: RefreshFunction, t: Floats, y: Floats, memory: Record) -> int:
    """Correct *count* states (count, n) in place; a row that fails becomes undefined. Return the failures."""
    failures = 0
    for row in range(count):
        if refresh(t[row], at(y, row * n), memory) < 0:
            failures += 1
            y[row * n : (row + 1) * n] = math.nan
    return failures
