"""The midpoint rule with an energy that is kept: positions and velocities go along one line until the energy is right.

    y₊ = y + h f(t + h/2, (y + y₊)/2) + σ d,   E(y₊) = E(y) + h P
    d = (−h² q̈, v)

P is the power of what destroys energy or brings it in, at the midpoint. Along d the energy grows by 2T + h² v̇ᵀM v̇ > 0, which
does not vanish where the motion turns round: −∇V points along M v̇ there. Without σ the energy is wrong by O(h³) a step, so
that σ is of that order, and the rule keeps its second order. The refresh returns every trial to the conditions of the
mechanism before its energy is taken; v itself satisfies them.

An energy constraint on the step is due to T. J. R. Hughes, T. K. Caughey, W. K. Liu, J. Appl. Mech. 45, 1978, pp. 366-370.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import newton_slots as slots
from linkwork.numerics.kernels.calling import at, call_model, doubles, integers, kernel
from linkwork.numerics.kernels.stages import correct, evaluate, solve
from linkwork.numerics.kernels.structural import interpolate as interpolate_structural

ENERGY, NEXT_ENERGY, MEASURED, HEAD = 0, 1, 2, 5  # at the start and the end of a step; [E, P, T]; behind them rows of n
(
    MIDDLE,
    RATES,  # at the middle
    BASE,  # end of the step by the midpoint rule
    LINE,  # d
    GIVEN,  # [y, v̇], as the energy function has it
    AFTER,  # second part of GIVEN
    ROWS,
) = range(7)
FRESH = 0
TRIALS = 12
EXACT, ROUNDING = 4e-16, 1e-11  # of the energies in a mechanism: what is asked for, and what is let pass


@kernel("int32(int64* c, double* r, double h)")
def attempt(c, r, h):
    """The midpoint rule, and the energy of its end."""
    n, y, k, rows = (
        c[slot.STATES],
        doubles(c[slot.STATE]),
        doubles(c[slot.DERIVATIVES]),
        at(doubles(c[slot.OWN_NUMBERS]), HEAD),
    )
    hat, new = doubles(c[slot.HAT]), doubles(c[slot.NEW_STATE])
    middle, rates = at(rows, MIDDLE * n), at(rows, RATES * n)
    r[slot.ERROR] = 0.0
    for i in range(n):
        hat[i] = y[i]
        middle[i] = y[i] + 0.5 * h * k[i]
    code = solve(c, r[slot.TIME] + 0.5 * h, 0.5 * h, 0.5 * h, hat, middle, rates)
    if code < 0:
        return code
    for i in range(n):
        new[i] = middle[i] + (middle[i] - y[i])
    code = conserve(c, r, h)
    if code < 0:
        return code
    return evaluate(c, r[slot.TIME] + h, new, at(k, c[slot.STAGES] * n))


@kernel("void(int64* c, double t, double* y, double* v, double* vdot, double* out)")
def measure_energy(c, t, y, v, vdot, out):
    """[E, P, T] of a state with the velocities v."""
    n, positions, velocities = c[slot.STATES], c[slot.POSITIONS], c[slot.VELOCITIES]
    given = at(doubles(c[slot.OWN_NUMBERS]), HEAD + GIVEN * n)
    for i in range(n):
        given[i] = y[i]
    for i in range(velocities):
        given[positions + i] = v[i]
        given[n + i] = vdot[i]
    call_model(c[slot.ENERGY_FUNCTION], t, given, doubles(c[slot.ENERGY_PARAMETERS]), out)


@kernel("double(int64* c, double* r, double h, double* out)")
def draw_line(c, r, h, out):
    """d into LINE; returns how much energy a unit of it has, and leaves [E, P, T] of BASE in *out*."""
    n, positions, velocities = c[slot.STATES], c[slot.POSITIONS], c[slot.VELOCITIES]
    rows, y, k = at(doubles(c[slot.OWN_NUMBERS]), HEAD), doubles(c[slot.STATE]), doubles(c[slot.DERIVATIVES])
    middle, rates, base, line = at(rows, MIDDLE * n), at(rows, RATES * n), at(rows, BASE * n), at(rows, LINE * n)
    for i in range(n):
        line[i] = 0.0
    for i in range(velocities):
        # h v̇, for its kinetic energy
        line[positions + i] = 2.0 * (middle[positions + i] - y[positions + i])
    vdot, end = at(rates, positions), r[slot.TIME] + h
    measure_energy(c, end, base, at(line, positions), vdot, out)
    turning = out[2]
    measure_energy(c, end, base, at(base, positions), vdot, out)
    for i in range(positions):
        line[i] = -2.0 * h * (rates[i] - k[i])
    for i in range(velocities):
        line[positions + i] = base[positions + i]
    return 2.0 * (turning + out[2])


@kernel("int32(int64* c, double* r, double h)")
def conserve(c, r, h):
    """Move NEW_STATE along d until its energy is what it should be, by the secant method."""
    n, positions, own = c[slot.STATES], c[slot.POSITIONS], doubles(c[slot.OWN_NUMBERS])
    rows, y, new, out = at(own, HEAD), doubles(c[slot.STATE]), doubles(c[slot.NEW_STATE]), at(own, MEASURED)
    middle, rates, base, line = at(rows, MIDDLE * n), at(rows, RATES * n), at(rows, BASE * n), at(rows, LINE * n)
    t, vdot = r[slot.TIME], at(rates, positions)
    if integers(c[slot.OWN_INTEGERS])[FRESH] == 1:
        measure_energy(c, t, y, at(y, positions), vdot, out)
        own[ENERGY] = out[0]
        integers(c[slot.OWN_INTEGERS])[FRESH] = 0
    measure_energy(c, t + 0.5 * h, middle, at(middle, positions), vdot, out)
    target = own[ENERGY] + h * out[1]
    own[NEXT_ENERGY] = target
    for i in range(n):
        base[i] = new[i]
    slope = draw_line(c, r, h, out)
    kinetic, place, last_place, last_gap, best = out[2], 0.0, 0.0, 0.0, 0.0
    for trial in range(TRIALS):
        for i in range(n):
            new[i] = base[i] + place * line[i]
        code = correct(c, t + h, new)
        if code < 0 or code >= slot.RESTART:
            return code
        measure_energy(c, t + h, new, at(new, positions), vdot, out)
        gap = out[0] - target
        scale = abs(target) + kinetic
        done = abs(gap) <= EXACT * scale or not slope > 0.0
        if done or (trial > 2 and abs(gap) >= best and abs(gap) < ROUNDING * scale):
            return 0
        best = abs(gap)
        if trial > 0 and place != last_place and gap != last_gap:
            slope = (gap - last_gap) / (place - last_place)
        last_place, last_gap = place, gap
        place -= gap / slope
    return slots.NOT_CONVERGED


@kernel("int32(int64* c, double* r, double h)")
def densify(c, r, h):
    """Both ends of the step are enough."""
    return 0


@kernel("int32(int64* c, double* r, double h, double theta, double* out)")
def interpolate(c, r, h, theta, out):
    """As all methods of structural dynamics."""
    return interpolate_structural(c, r, h, theta, out)


@kernel("void(int64* c, double* r, double h, double* new, double* derivative)")
def accept(c, r, h, new, derivative):
    """The energy of the next step."""
    own = doubles(c[slot.OWN_NUMBERS])
    own[ENERGY] = own[NEXT_ENERGY]


@kernel("void(int64* c, double* r)")
def restart(c, r):
    """Another chart of the positions has the same energy."""
    return
