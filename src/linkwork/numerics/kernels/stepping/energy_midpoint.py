"""The midpoint rule with an energy that is kept: positions and velocities go along one line until the energy is right.

    y₊ = y + h f(t + h/2, (y + y₊)/2) + σ d,   E(y₊) = E(y) + h P
    d = (−h² q̈, v)

P is the power of what destroys energy or brings it in, at the midpoint. Along d the energy grows by 2T + h² v̇ᵀM v̇ > 0, which
does not vanish where the motion turns round: −∇V points along M v̇ there. Without σ the energy is wrong by O(h³) a step, so
that σ is of that order, and the rule keeps its second order. The refresh returns every trial to the conditions of the
mechanism before its energy is taken; v itself satisfies them.

An energy constraint on the step is due to T. J. R. Hughes, T. K. Caughey, W. K. Liu, J. Appl. Mech. 45, 1978, pp. 366-370.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, array
from linkwork.numerics.kernels.stepping import runge_kutta, status, structural
from linkwork.numerics.kernels.stepping.newton import NOT_CONVERGED
from linkwork.numerics.kernels.stepping.run import Stepping
from linkwork.numerics.kernels.stepping.stages import correct, evaluate, solve

TRIALS = 12
EXACT, ROUNDING = 4e-16, 1e-11  # of the energies in a mechanism: what is asked for, and what is let pass


class EnergyStepping(Stepping):
    """The memory of a run: its energy, and the line along which a step is moved."""

    fresh: int  # 1: the energy at the start is not known yet
    energy: float  # at the start of a step
    next_energy: float  # at its end
    measured: Floats = array("3")  # E, P, T
    middle: Floats = array("states")
    rates: Floats = array("states")  # at the middle
    base: Floats = array("states")  # end of the step by the midpoint rule
    line: Floats = array("states")  # d
    given: Floats = array("2", "states")  # [y, v̇], as the energy function has it


@kernel
def attempt(run: EnergyStepping, h: float) -> Code:
    """The midpoint rule, and the energy of its end."""
    n, y, k = run.states, run.state, run.derivatives
    hat, new = run.hat, run.new_state
    middle, rates = run.middle, run.rates
    run.error = 0.0
    hat[:n] = y[:n]
    middle[:n] = y[:n] + 0.5 * h * k[:n]
    code = solve(run, run.time + 0.5 * h, 0.5 * h, 0.5 * h, hat, middle, rates)
    if code < 0:
        return code
    new[:n] = middle[:n] + (middle[:n] - y[:n])
    code = conserve(run, h)
    if code < 0:
        return code
    return evaluate(run, run.time + h, new, run.end_rates)


@kernel
def measure_energy(run: EnergyStepping, t: float, y: Floats, v: Floats, vdot: Floats, out: Floats) -> None:
    """[E, P, T] of a state with the velocities v."""
    n, positions, velocities = run.states, run.positions, run.velocities
    given = run.given
    given[:n] = y[:n]
    for i in range(velocities):
        given[positions + i] = v[i]
        given[n + i] = vdot[i]
    run.energy_function(t, given, run.energy_parameters, out)


@kernel
def draw_line(run: EnergyStepping, h: float, out: Floats) -> float:
    """d into LINE; returns how much energy a unit of it has, and leaves [E, P, T] of BASE in *out*."""
    n, positions, velocities = run.states, run.positions, run.velocities
    middle, rates, base, line = run.middle, run.rates, run.base, run.line
    line[:n] = 0.0
    for i in range(velocities):
        # h v̇, for its kinetic energy
        line[positions + i] = 2.0 * (middle[positions + i] - run.state[positions + i])
    vdot, end = at(rates, positions), run.time + h
    measure_energy(run, end, base, at(line, positions), vdot, out)
    turning = out[2]
    measure_energy(run, end, base, at(base, positions), vdot, out)
    line[:positions] = -2.0 * h * (rates[:positions] - run.derivatives[:positions])
    line[positions : positions + velocities] = base[positions : positions + velocities]
    return 2.0 * (turning + out[2])


@kernel
def conserve(run: EnergyStepping, h: float) -> Code:
    """Move NEW_STATE along d until its energy is what it should be, by the secant method."""
    n, positions = run.states, run.positions
    y, new, out = run.state, run.new_state, run.measured
    middle, rates, base, line = run.middle, run.rates, run.base, run.line
    t, vdot = run.time, at(rates, positions)
    if run.fresh == 1:
        measure_energy(run, t, y, at(y, positions), vdot, out)
        run.energy = out[0]
        run.fresh = 0
    measure_energy(run, t + 0.5 * h, middle, at(middle, positions), vdot, out)
    target = run.energy + h * out[1]
    run.next_energy = target
    base[:n] = new[:n]
    slope = draw_line(run, h, out)
    kinetic, place, last_place, last_gap, best = out[2], 0.0, 0.0, 0.0, 0.0
    for trial in range(TRIALS):
        new[:n] = base[:n] + place * line[:n]
        code = correct(run, t + h, new)
        if code < 0 or code >= status.RESTART:
            return code
        measure_energy(run, t + h, new, at(new, positions), vdot, out)
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
    return NOT_CONVERGED


densify, interpolate, restart = structural.densify, structural.interpolate, runge_kutta.restart


@kernel
def accept(run: EnergyStepping, h: float, new: Floats, derivative: Floats) -> None:
    """The energy of the next step."""
    run.energy = run.next_energy
