"""Runge-Kutta methods: one family for every tableau with stages that are explicit or solved one after the other.

Notation of Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 2nd ed., sections II.4 to II.6:
k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y_new = y + h Σ_j b_j k_j, y(t + θ h) = y + h Σ_i b_i(θ) k_i.
Row s of the matrix holds b, so that stage s is the derivative at the end of the step; rows after it serve the dense
output only.
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats
from linkwork.numerics.kernels.stepping import status
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import combine, level_weight, take_stage, take_stages, weigh

RARELY, CALMING = 4, 6  # steps


@kernel
def attempt(run: Stepping, h: float) -> Code:
    """All stages, and the error where the step follows it."""
    code = take_stages(run, h)
    run.error = 0.0
    if code >= 0 and run.adaptive != 0:
        run.error = error_norm(run, h)
        if run.watch != 0 and run.error <= 1.0:
            watch_stiffness(run, h)
    return code


@kernel
def watch_stiffness(run: Stepping, h: float) -> None:
    """h ρ ≈ h ‖k_s − k_{s−1}‖ / ‖Y_s − Y_{s−1}‖ of the last two stages, both at the end of the step.

    Hairer, Wanner II, section IV.2; the norms are weighted by the tolerances. Steps near the stability limit count STRONG
    times as much as others with h ρ > 1. A step in four is looked at, and each one while there is a suspicion, which
    six calm steps in a row remove.
    """
    if run.suspicion == 0 and run.accepted % RARELY != 0:
        return
    n = run.states
    last = run.stages * n
    k = run.derivatives
    new = run.new_state
    stage = at(run.stage_states, last - n)
    rates = 0.0
    moves = 0.0
    for i in range(n):
        weight = 1.0 / (run.absolute[i] + run.relative * abs(new[i]))
        rate = weight * (k[last + i] - k[last - n + i])
        move = weight * (new[i] - stage[i])
        rates += rate * rate
        moves += move * move
    if moves == 0.0:
        return
    run.stiffness = h * math.sqrt(rates / moves)
    if run.stiffness > 1.0:
        run.suspicion += status.STRONG if run.stiffness > run.stiff_limit else 1
        run.calm = 0
        return
    run.calm += 1
    if run.calm >= CALMING:
        run.suspicion = 0


@kernel
def error_norm(run: Stepping, h: float) -> float:
    """err = |h| e₁² / √(n (e₁² + w e₂²)) with e² = Σ_i (Σ_j E_j k_ij / scale_i)²; w = 0 is the usual root mean square.

    Hairer, Nørsett, Wanner, section II.10, formula (10.17): w = 0.01 for DOP853.
    """
    n, count = run.states, run.stages + 1
    wide, narrow = run.scratch, run.hat
    weigh(n, count, run.estimators, run.derivatives, wide)
    weigh(n, count, at(run.estimators, run.all_stages), run.derivatives, narrow)
    first = 0.0
    second = 0.0
    for i in range(n):
        scale = run.absolute[i] + run.relative * max(abs(run.state[i]), abs(run.new_state[i]))
        weight = level_weight(run, h, i) / scale
        first += (weight * wide[i]) * (weight * wide[i])
        second += (weight * narrow[i]) * (weight * narrow[i])
    if first == 0.0:
        return 0.0
    return h * first / math.sqrt(n * (first + run.second_weight * second))


@kernel
def densify(run: Stepping, h: float) -> Code:
    """The stages that serve the dense output only."""
    for stage in range(run.stages + 1, run.all_stages):
        code = take_stage(run, h, stage, at(run.stage_states, stage * run.states))
        if code < 0:
            return code
    return 0


@kernel
def interpolate(run: Stepping, h: float, theta: float, out: Floats) -> Code:
    """Dense output b_i(θ) = Σ_j P_ij θ^j (j from 1)."""
    degree = run.degree
    weights = run.weights
    for i in range(run.all_stages):
        value = 0.0
        for j in range(degree - 1, -1, -1):
            value = (value + run.dense[i * degree + j]) * theta
        weights[i] = value
    combine(run.states, run.all_stages, h, weights, run.state, run.derivatives, out)
    return 0


@kernel
def accept(run: Stepping, h: float, new: Floats, derivative: Floats) -> None:
    """A method of one step remembers nothing."""
    return


@kernel
def restart(run: Stepping) -> None:
    return
