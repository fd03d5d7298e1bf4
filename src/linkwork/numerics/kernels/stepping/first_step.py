"""The beginning of a run: the initial state put right, its derivative, and the first step size.

Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section II.4: from the size of y, y' and of y''
along an Euler step, each in units of its tolerance.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import check_finite, correct, evaluate

SMALLEST_SCALE = 2.3e-308
FELT = 1e5 * 2.0**-52  # part of time in which changes are felt


@kernel
def scaled_size(x: Floats, minus: Floats, run: Stepping) -> float:
    """Root mean square of x - minus, each entry in units of its tolerance at the initial state."""
    n = run.states
    total = 0.0
    for i in range(n):
        scale = max(run.absolute[i] + run.relative * abs(run.state[i]), SMALLEST_SCALE)
        total += ((x[i] - minus[i]) / scale) * ((x[i] - minus[i]) / scale)
    return math.sqrt(total / n)


@kernel
def begin(run: Stepping) -> Code:
    """Correct the state, evaluate there: the derivative is the first of all stages. Returns the code of a failure."""
    y, k = run.state, run.derivatives
    code = correct(run, run.time, y)
    if code >= 0:
        code = evaluate(run, run.time, y, k)
    return code if code < 0 else check_finite(run, y, k)


@kernel
def void_history(run: Stepping) -> Code:
    """Let the family begin anew."""
    run.restart_history(run)
    return 0


@kernel
def choose_step(run: Stepping, exponent: float) -> None:
    """STEP from the state and its derivative; *exponent* is 1 / order."""
    n = run.states
    span = run.end - run.start
    limit = min(span, run.max_step)
    run.step = limit
    if n == 0:
        return
    y, k, ahead = run.state, run.derivatives, run.scratch
    there, zero = at(k, n), at(k, 2 * n)
    zero[:n] = 0.0
    size, speed = scaled_size(y, zero, run), scaled_size(k, zero, run)
    trial = min(1e-6 * span, limit)
    if min(size, speed) > 1e-5:
        trial = min(0.01 * size / speed, limit)
    # states that are rounding errors tell nothing of the time in which they change
    trial = min(max(trial, FELT * abs(run.time)), limit)
    ahead[:n] = y[:n] + trial * k[:n]
    code = evaluate(run, run.time + trial, ahead, there)
    bend = scaled_size(there, k, run) / trial
    if code < 0 or not bend < math.inf:
        run.step = 0.1 * trial
        return
    largest = max(speed, bend)
    second = max(1e-6 * span, trial * 1e-3)
    if largest > 1e-15:
        second = (0.01 / largest) ** exponent
    run.step = min(min(100.0 * trial, second), limit)


@kernel
def choose_step_anew(run: Stepping) -> None:
    """Within a run: STEP for a method that begins again with order 1, no longer than it was."""
    if run.time > run.start:
        longest = run.step
        choose_step(run, 0.5)
        run.step = min(run.step, longest)
