"""Many steps: energies drift as the method has it and no more, loops stay closed, and memory stays flat."""

import os
from functools import cache

import numpy as np
import pytest

import linkwork as lw

# small swings: ẍ + ω² x = 0 with ω² = 9.81
PENDULUM = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, -1]}
bodies: {rod: {points: [O, A], mass: 1, com: A, inertia: 0}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
initial: {O: {speed: 1e-4}}
outputs: {swing: 0.5*O.speed^2 + 2*9.81*sin(0.5*O.angle)^2}
"""
FOUR_BAR = """
linkwork: 1
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
"""


@cache
def model(text):
    return lw.loads(text)


def test_a_pendulum_loses_what_runge_kutta_takes():
    """|R(iz)|² = 1 − z⁶/72 + z⁸/576 in every step (Hairer and Wanner II, section IV.2: R is the series to z⁴)."""
    steps, step = 100_000, 0.06
    rt = lw.realtime(model(PENDULUM), step, integrator="rk4", outputs=["swing"])
    first = rt["swing"]
    rt.step(steps)
    z = 9.81 * step**2
    assert rt["swing"] / first == pytest.approx((1 - z**3 / 72 + z**4 / 576) ** steps, rel=1e-6)
    assert rt["swing"] / first < 0.95


@pytest.mark.parametrize("integrator", ["trapezoidal", "energy_midpoint"])
def test_a_pendulum_keeps_its_energy_by_a_rule_that_does(integrator):
    """Rounding errors of 10⁵ steps add up to less than if all had one sign."""
    rt = lw.realtime(model(PENDULUM), 0.02, integrator=integrator, outputs=["swing"])
    first = rt["swing"]
    rt.step(100_000)
    # the trapezoidal rule keeps the energy of the linear oscillator; the pendulum differs from it by the swing squared
    assert rt["swing"] / first == pytest.approx(1.0, abs=1e-9)


def test_a_four_bar_stays_closed_and_loses_as_the_fifth_power_of_the_step():
    losses = []
    for step, steps in ((8e-3, 50_000), (4e-3, 100_000)):
        rt = lw.realtime(model(FOUR_BAR), step, integrator="rk4", keep=1000, every=steps // 1000)
        first = rt["energy.total"]
        assert rt.step(steps).completed
        run = rt.result
        assert run.closure_error.max() < 1e-14
        losses.append(first - run.energy[-1])
    assert losses[1] > 1e-9
    assert losses[0] / losses[1] == pytest.approx(2.0**5, rel=0.05)


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="this system does not tell how much memory is used")
def test_memory_stays_flat():
    rt = lw.realtime(model(PENDULUM), 1e-3, keep=100)
    rt.step(10_000)
    before = resident()
    for _ in range(100):
        rt.step(10_000)
    assert resident() - before < 2e6  # 8 bytes of every step would be 8 MB


def test_times_of_steps_are_thinned_out_in_a_long_run(monkeypatch):
    from linkwork.numerics.integrators import step_times

    monkeypatch.setattr(step_times, "MOST", 1000)
    run = lw.simulate(model(PENDULUM), 10.0, integrator="rk4", fixed_step=1e-3)
    assert run.statistics["steps"] == 10_000
    assert len(run.steps) <= 1002
    assert run.steps[[0, -2, -1]] == pytest.approx([0.0, 9.999, 10.0])
    # works, which repeat the run, are as good as before
    assert np.abs(run["energy.balance"]).max() < 1e-14
