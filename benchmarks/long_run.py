"""Ten million steps: errors as theory has them, loops that stay closed, memory that stays flat.

A pendulum with small swings is ẍ + ω² x = 0. Runge-Kutta 4 multiplies its energy in every step by
|R(iωh)|² = 1 − (ωh)⁶/72 + (ωh)⁸/576, which is what it must lose, no more and no less; the trapezoidal rule and the midpoint
rule that keeps energies must lose nothing. A four-bar has no such formula, but its loss of energy in a given time goes with
a power of h, 5 where the motion runs the same way back, else 4: two runs with longer steps give it, and the long one is
compared with them. Closure is the largest opening of the loop: rounding errors of lengths, and of the angle of the crank,
which counts its turns. Memory is the growth of the resident set after the first tenth.
"""

from __future__ import annotations

import argparse
import resource
import sys
from dataclasses import dataclass
from time import perf_counter

import linkwork as lw

PENDULUM = """
linkwork: 1
name: pendulum
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, -1]}
bodies: {rod: {points: [O, A], mass: 1, com: A, inertia: 0}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
initial: {O: {speed: 1e-3}}
outputs: {swing: 0.5*O.speed^2 + 2*9.81*sin(0.5*O.angle)^2}
"""
FOUR_BAR = """
linkwork: 1
name: four_bar
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, 1], B: [2, 2], C: [3, 0]}
bodies:
  crank: {bar: [O, A], mass: 1}
  coupler: {bar: [A, B], mass: 2}
  rocker: {bar: [C, B], mass: 1.5}
joints:
  O: {kind: revolute, bodies: [ground, crank]}
  A: {kind: revolute, bodies: [crank, coupler]}
  B: {kind: revolute, bodies: [coupler, rocker]}
  C: {kind: revolute, bodies: [ground, rocker]}
initial: {O: {speed: 15 rad/s}}
outputs: {swing: energy.total}
"""
FALLING = FOUR_BAR.replace("15 rad/s", "0")
PARTS = 10  # of a run, at whose ends things are looked at


@dataclass(frozen=True)
class Record:
    """What was seen: change of the energy relative to the largest kinetic one, largest closure (m), growth of the memory
    after the first part (MB), s."""

    energy: float
    closure: float
    memory: float
    seconds: float


def resident() -> float:
    """MB in memory now; where the system does not tell, the most so far."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (1e6 if sys.platform == "darwin" else 1e3)


def run(text: str, step: float, steps: int, integrator: str) -> Record:
    """So many steps, looked at PARTS times."""
    rt = lw.realtime(lw.loads(text), step, integrator=integrator, outputs=["swing", "closure"], keep=1000, every=10)
    first, closure, settled, size = rt["swing"], 0.0, 0.0, 1.0
    begin = perf_counter()
    for part in range(PARTS):
        outcome = rt.step(steps // PARTS)
        if not outcome.completed:
            raise SystemExit(str(outcome))
        closure = max(closure, rt["closure"])
        if part == 0:
            size = float(rt.result["energy.kinetic"].max())
            settled = resident()
    seconds = perf_counter() - begin
    return Record((rt["swing"] - first) / size, closure, resident() - settled, seconds)


def expected_pendulum(text: str, step: float, steps: int, integrator: str) -> float:
    """Relative loss of energy of a small swing."""
    if integrator != "rk4":
        return 0.0
    z = (9.81**0.5 * step) ** 2
    return (1.0 - z**3 / 72 + z**4 / 576) ** steps - 1.0


def expected_four_bar(text: str, step: float, steps: int, integrator: str) -> float:
    """From two runs with longer steps over a tenth of the time."""
    if integrator != "rk4":
        return 0.0
    short = steps // 10
    coarse, fine = (run(text, factor * step, short // factor, integrator).energy for factor in (4, 2))
    return fine / (coarse / fine) * (steps / short)


def simulated(steps: int) -> tuple[float, int]:
    """Growth of the memory (MB) by ``simulate`` with so many steps, and the times of steps in its result."""
    model = lw.loads(PENDULUM)
    lw.simulate(model, steps * 1e-5, integrator="rk4", fixed_step="1 ms")
    before = resident()
    result = lw.simulate(model, steps * 1e-3, integrator="rk4", fixed_step="1 ms", max_steps=2 * steps)
    return resident() - before, len(result.steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10_000_000)
    steps = parser.parse_args().steps
    cases = [
        ("pendulum", PENDULUM, 5e-3, "rk4", expected_pendulum),
        ("pendulum", PENDULUM, 5e-3, "trapezoidal", expected_pendulum),
        ("pendulum", PENDULUM, 5e-3, "energy_midpoint", expected_pendulum),
        ("four-bar, falling", FALLING, 2e-3, "rk4", expected_four_bar),
        ("four-bar, falling", FALLING, 2e-3, "energy_midpoint", expected_four_bar),
        ("four-bar, turning", FOUR_BAR, 1e-3, "rk4", expected_four_bar),
    ]
    print(f"{steps} steps of fixed size")
    print(f"{'':36}{'step':>5}  {'energy':>10}  {'theory':>10}  {'closure':>9}  {'memory':>10}  {'a step':>8}")
    for name, text, step, integrator, theory in cases:
        found = run(text, step, steps, integrator)
        expected = theory(text, step, steps, integrator)
        cells = f"{found.energy:10.2e}  {expected:10.2e}  {found.closure:7.1e} m  {found.memory:+7.2f} MB"
        print(
            f"{name:19}{integrator:16}{1e3 * step:3.3g} ms  {cells}  {1e9 * found.seconds / steps:5.0f} ns", flush=True
        )
    memory, kept = simulated(steps)
    print(f"simulate, {steps} steps: {memory:+.1f} MB, {kept} times of steps kept")


if __name__ == "__main__":
    main()
