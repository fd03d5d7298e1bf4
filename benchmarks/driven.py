"""A million positions, velocities and accelerations of a driven four-bar, on one core.

The crank of the published four-bar turns once; at a million moments all angles, their speeds and accelerations are
solved for: by the closed form of the hybrid formulation (``Mechanism.motion``), and by iteration, which starts from the
solution at the preceding thousandth of the turn. Beside them stands the closed form written by hand for whole arrays in
NumPy, which also checks the values.
"""

from __future__ import annotations

import numpy as np
from published import SPEED, START, Array, driven_model, solve

import linkwork as lw
from linkwork.bench.timing import best_time
from linkwork.numerics.flows.flow import evaluate_flow
from linkwork.numerics.integrators.run import integrate

COUNT = 1_000_000
GRID = np.linspace(0.0, 1.0, 1001)  # s, one turn


def error_of(names: tuple[str, ...], accelerations: Array, times: Array) -> float:
    """The largest relative error of the accelerations (N, n)."""
    _, _, (_, coupler, follower) = solve(START + SPEED * times)
    # O and D stand on the ground; A is the angle of the coupler from the crank, which turns evenly
    expected = {"O.angle": 0.0 * coupler, "A.angle": SPEED**2 * coupler, "D.angle": SPEED**2 * follower}
    errors = [np.abs(accelerations[:, i] - expected[name]).max() for i, name in enumerate(names)]
    return float(max(errors) / np.abs(expected["D.angle"]).max())


def time_closed_form(times: Array) -> tuple[float, float]:
    """Seconds for all moments, and the error."""
    mechanism = lw.prepare(driven_model())
    start = mechanism.start()
    seconds = best_time(lambda: mechanism.motion(times, start), rounds=5, limit=10.0)
    return seconds, error_of(mechanism.coordinates.kinematics.q_names, mechanism.motion(times, start)[2], times)


def time_iteration(times: Array) -> tuple[float, float]:
    """Seconds for all moments, and the error."""
    mechanism = lw.prepare(driven_model(), formulation="partitioning")
    start = mechanism.start()
    coarse = integrate("dop853", mechanism.flow(start), start.y, GRID).y
    states = coarse[np.minimum((times * (GRID.size - 1)).astype(int), GRID.size - 1)]
    flow = mechanism.flow(start)
    seconds = best_time(lambda: evaluate_flow(flow, times, states), rounds=5, limit=10.0)
    names = mechanism.coordinates.kinematics.q_names
    return seconds, error_of(names, evaluate_flow(flow, times, states)[:, len(names) :], times)


def main() -> None:
    times = np.linspace(0.0, 1.0, COUNT)
    print("A million positions, velocities and accelerations of a driven four-bar")
    print(f"{'':<30}{'time, s':>9}{'each, ns':>10}{'relative error':>16}")
    for name, measure in (("Linkwork, closed form", time_closed_form), ("Linkwork, iteration", time_iteration)):
        seconds, error = measure(times)
        print(f"{name:<30}{seconds:9.3f}{seconds / COUNT * 1e9:10.0f}{error:16.1e}")
    seconds = best_time(lambda: solve(START + SPEED * times), rounds=5, limit=10.0)
    print(f"{'NumPy, closed form by hand':<30}{seconds:9.3f}{seconds / COUNT * 1e9:10.0f}")


if __name__ == "__main__":
    main()
