"""A million positions, velocities and accelerations of a driven four-bar, on one core.

The crank of the published four-bar turns once; at a million moments all angles, their speeds and accelerations are
solved for. An iterative formulation starts from the solution at the preceding thousandth of the turn; a closed form
needs no start. Beside it stands the closed form written by hand for whole arrays in NumPy, which also checks the values.
"""

from __future__ import annotations

import numpy as np
from contenders import FORMULATIONS
from published import SPEED, START, Array, driven_model, solve
from timing import best_time

import linkwork as lw
from linkwork.numerics.integrators.flow import evaluate_flow
from linkwork.numerics.integrators.run import integrate

COUNT = 1_000_000
GRID = np.linspace(0.0, 1.0, 1001)  # s, one turn
# the flow of the multipliers takes positions as they are given
SOLVING = tuple(name for name in FORMULATIONS if name != "multipliers")


def time_formulation(formulation: str, times: Array) -> tuple[float, float]:
    """Seconds for all moments, and the largest relative error of the accelerations."""
    mechanism = lw.prepare(driven_model(), formulation=formulation)
    start = mechanism.start()
    coarse = integrate("dop853", mechanism.flow(start), start.y, GRID).y
    states = coarse[np.minimum((times * (GRID.size - 1)).astype(int), GRID.size - 1)]
    flow = mechanism.flow(start)
    seconds = best_time(lambda: evaluate_flow(flow, times, states), rounds=5, limit=10.0)
    names = mechanism.coordinates.kinematics.q_names
    rates = evaluate_flow(flow, times, states)[:, len(names) :]
    _, _, (_, coupler, follower) = solve(START + SPEED * times)
    # O and D stand on the ground; A is the angle of the coupler from the crank, which turns evenly
    expected = {"O.angle": 0.0 * coupler, "A.angle": SPEED**2 * coupler, "D.angle": SPEED**2 * follower}
    errors = [np.abs(rates[:, i] - expected[name]).max() for i, name in enumerate(names)]
    return seconds, float(max(errors) / np.abs(expected["D.angle"]).max())


def main() -> None:
    times = np.linspace(0.0, 1.0, COUNT)
    print("A million positions, velocities and accelerations of a driven four-bar")
    print(f"{'':<30}{'time, s':>9}{'each, ns':>10}{'relative error':>16}")
    for formulation in SOLVING:
        seconds, error = time_formulation(formulation, times)
        print(f"{'Linkwork ' + formulation:<30}{seconds:9.3f}{seconds / COUNT * 1e9:10.0f}{error:16.1e}")
    seconds = best_time(lambda: solve(START + SPEED * times), rounds=5, limit=10.0)
    print(f"{'NumPy, closed form by hand':<30}{seconds:9.3f}{seconds / COUNT * 1e9:10.0f}")


if __name__ == "__main__":
    main()
