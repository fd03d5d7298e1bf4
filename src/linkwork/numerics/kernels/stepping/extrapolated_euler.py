"""One step of any order by implicit Euler steps, for the first values of implicit multistep methods.

The error of n steps of size H = h/n has an expansion in powers of H, also for differential and algebraic equations once
their first steps are over (E. Hairer, C. Lubich, M. Roche, "The Numerical Solution of Differential-Algebraic Systems by
Runge-Kutta Methods", Lecture Notes in Mathematics 1409, 1989). So the polynomial through the results for n = 6, 8, 12, 16,
24 at H = 0, by Aitken and Neville, has the order of their number (Hairer, Nørsett, Wanner I, section II.9)::

    T_j,1 = result with n_j steps,   T_j,m+1 = T_j,m + (T_j,m − T_j−1,m) / (n_j / n_j−m − 1)

It gives states and rates at the middle and the end of the step, and with them the output in between.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import solve

FIRST, SECOND = 6, 8  # steps of the first two results; three pass before anything is looked at


@kernel
def euler_steps(run: Stepping, h: float, count: int, y: Floats, row: Floats) -> Code:
    """*count* implicit Euler steps from STATE. row (4, n) <- state and rate at the middle, state and rate at the end."""
    n, state, hat = run.states, run.state, run.hat
    tau = h / count
    rate, start = at(row, 3 * n), run.derivatives
    y[:n] = state[:n]
    rate[:n] = start[:n]
    for step in range(1, count + 1):
        hat[:n] = y[:n]
        y[:n] += tau * rate[:n]
        code = solve(run, run.time + step * tau, tau, tau, hat, y, rate)
        if code < 0:
            return code
        if 2 * step == count:
            for i in range(n):
                row[i] = y[i]
                row[n + i] = rate[i]
    row[2 * n : 3 * n] = y[:n]
    return 0


@kernel
def steps_of(j: int) -> int:
    """n_j: 6, 8, and twice as many for each two further."""
    count = FIRST if j % 2 == 0 else SECOND
    for _ in range(j // 2):
        count *= 2
    return count


@kernel
def extrapolate(run: Stepping, h: float, order: int, y: Floats, table: Floats) -> Code:
    """The first row of the table (order, 4 n) <- state and rate at the middle and at the end of a step of this order."""
    size = 4 * run.states
    for j in range(order):
        count = steps_of(j)
        code = euler_steps(run, h, count, y, at(table, j * size))
        if code < 0:
            return code
        for m in range(j - 1, -1, -1):
            better, worse = at(table, (m + 1) * size), at(table, m * size)
            factor = 1.0 / (count / (1.0 * steps_of(m)) - 1.0)
            worse[:size] = better[:size] + factor * (better[:size] - worse[:size])
    return 0


@kernel
def between(run: Stepping, h: float, theta: float, table: Floats, out: Floats) -> None:
    """The polynomial of degree 4 with the state at the start, and states and rates at the middle and the end."""
    n, state = run.states, run.state
    for i in range(n):
        middle, slope = table[i], h * table[n + i]
        end, last = table[2 * n + i], h * table[3 * n + i]
        first = 2.0 * (middle - state[i])
        second = 2.0 * (slope - first)
        across = 2.0 * (end - middle)
        third = 2.0 * (across - slope) - second
        fourth = 2.0 * (2.0 * (last - across) - 2.0 * (across - slope)) - third
        x = theta - 0.5
        out[i] = state[i] + theta * (first + x * (second + x * (third + (theta - 1.0) * fourth)))
