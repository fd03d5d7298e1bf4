"""Runge-Kutta methods: one family for every tableau with stages that are explicit or solved one after the other.

Notation of Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 2nd ed., sections II.4 to II.6:
k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y_new = y + h Σ_j b_j k_j, y(t + θ h) = y + h Σ_i b_i(θ) k_i.
Row s of the matrix holds b, so that stage s is the derivative at the end of the step; rows after it serve the dense
output only.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels.calling import at, doubles, kernel
from linkwork.numerics.kernels.stages import combine, level_weight, take_stage, take_stages

RARELY, CALMING = 4, 6  # steps


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    """All stages, and the error where the step follows it."""
    code = take_stages(c, r, h)
    r[slot.ERROR] = 0.0
    if code >= 0 and c[slot.ADAPTIVE] != 0:
        r[slot.ERROR] = error_norm(c, r, h)
        if c[slot.WATCH] != 0 and r[slot.ERROR] <= 1.0:
            watch_stiffness(c, r, h)
    return code


@kernel("void(int64* c, double* r, double h)")
def watch_stiffness(c, r, h):
    """h ρ ≈ h ‖k_s − k_{s−1}‖ / ‖Y_s − Y_{s−1}‖ of the last two stages, both at the end of the step.

    Hairer, Wanner II, section IV.2; the norms are weighted by the tolerances. Steps near the stability limit count STRONG
    times as much as others with h ρ > 1. A step in four is looked at, and each one while there is a suspicion, which
    six calm steps in a row remove.
    """
    if c[slot.SUSPICION] == 0 and c[slot.ACCEPTED] % RARELY != 0:
        return
    n = c[slot.STATES]
    last = c[slot.STAGES] * n
    k = doubles(c[slot.DERIVATIVES])
    new = doubles(c[slot.NEW_STATE])
    stage = at(doubles(c[slot.STAGE_STATES]), last - n)
    absolute = doubles(c[slot.ABSOLUTE])
    rates = 0.0
    moves = 0.0
    for i in range(n):
        weight = 1.0 / (absolute[i] + r[slot.RELATIVE] * abs(new[i]))
        rate = weight * (k[last + i] - k[last - n + i])
        move = weight * (new[i] - stage[i])
        rates += rate * rate
        moves += move * move
    if moves == 0.0:
        return
    r[slot.STIFFNESS] = h * math.sqrt(rates / moves)
    if r[slot.STIFFNESS] > 1.0:
        c[slot.SUSPICION] += slot.STRONG if r[slot.STIFFNESS] > r[slot.STIFF_LIMIT] else 1
        c[slot.CALM] = 0
        return
    c[slot.CALM] += 1
    if c[slot.CALM] >= CALMING:
        c[slot.SUSPICION] = 0


@kernel("double(int64* c, double* r, double h)")
def error_norm(c, r, h):
    """err = |h| e₁² / √(n (e₁² + w e₂²)) with e² = Σ_i (Σ_j E_j k_ij / scale_i)²; w = 0 is the usual root mean square.

    Hairer, Nørsett, Wanner, section II.10, formula (10.17): w = 0.01 for DOP853.
    """
    n = c[slot.STATES]
    count = c[slot.ALL_STAGES]
    y = doubles(c[slot.STATE])
    new = doubles(c[slot.NEW_STATE])
    k = doubles(c[slot.DERIVATIVES])
    weights = doubles(c[slot.ESTIMATORS])
    absolute = doubles(c[slot.ABSOLUTE])
    first = 0.0
    second = 0.0
    for i in range(n):
        e1 = 0.0
        e2 = 0.0
        for j in range(c[slot.STAGES] + 1):
            e1 += weights[j] * k[j * n + i]
            e2 += weights[count + j] * k[j * n + i]
        weight = level_weight(c, h, i)
        scale = absolute[i] + r[slot.RELATIVE] * max(abs(y[i]), abs(new[i]))
        first += (weight * e1 / scale) * (weight * e1 / scale)
        second += (weight * e2 / scale) * (weight * e2 / scale)
    if first == 0.0:
        return 0.0
    return h * first / math.sqrt(n * (first + r[slot.SECOND_WEIGHT] * second))


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """The stages that serve the dense output only."""
    n, states = c[slot.STATES], doubles(c[slot.STAGE_STATES])
    for stage in range(c[slot.STAGES] + 1, c[slot.ALL_STAGES]):
        code = take_stage(c, r, h, stage, at(states, stage * n))
        if code < 0:
            return code
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """Dense output b_i(θ) = Σ_j P_ij θ^j (j from 1)."""
    degree = c[slot.DEGREE]
    weights = doubles(c[slot.WEIGHTS])
    dense = doubles(c[slot.DENSE])
    for i in range(c[slot.ALL_STAGES]):
        value = 0.0
        for j in range(degree - 1, -1, -1):
            value = (value + dense[i * degree + j]) * theta
        weights[i] = value
    combine(c[slot.STATES], c[slot.ALL_STAGES], h, weights, doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES]), out)
    return 0


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """A method of one step remembers nothing."""
    return


@kernel("void(int64* c, double* r)")
def restart(c, r):
    return
