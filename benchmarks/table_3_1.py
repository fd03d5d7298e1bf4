"""Table 3.1 of García de Jalón and Bayo: 1000 finite displacements of a 6R robot along an ellipse, in natural coordinates.

Newton's method, the modified one with the matrix of the last position, and that with a prediction by velocities (its
sections 3.3.1 to 3.3.3), to the same residual as a part of the size. Only positions are found, but for what the prediction
needs. The source gives seconds on an HP 9000/834 and no iterations, no tolerance, no dimensions and no number of rounds: the
longer the displacements and the smaller the residual, the more iterations follow. What can be said of its iterations: all
three methods spend a matrix F and solutions S, Newton's n (F + S) and the one with a prediction at least F + S, so that
n ≥ 53.1 / 15.5 = 3.4, four iterations for a displacement.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.analysis.runs.solve_kinematics import prescribed_system
from linkwork.bench.timing import best_times
from linkwork.numerics.paths.displacement import follow

WAYS = {
    "Newton": ("newton", 0, 53.1),
    "modified": ("modified", 0, 21.7),
    "modified, predicted": ("modified", 1, 15.5),
    "modified, second order": ("modified", 2, None),
    "Newton, predicted": ("newton", 1, None),
}
COUNT = 1000
RUNS = ((1, 1e-9), (20, 1e-9), (50, 1e-12))  # rounds of the ellipse in so many displacements, and residual


def main() -> None:
    model = lw.load(Path(__file__).parent / "six_axis_robot.yaml")
    mechanism = lw.prepare(model, coordinates="natural")
    start = mechanism.start()
    system = prescribed_system(mechanism, start)
    print(
        f"Finite displacements after table 3.1: a 6R robot, {COUNT} in natural coordinates; iterations and matrices of each"
    )
    counted = f"{'iterations':>11}{'matrices':>10}"
    print(f"{'rounds':>6}{'residual':>10}  {'method':<24}{counted}{'µs':>7}{'ratio':>7}{'published':>11}")
    spent, costs = [], []
    for rounds, tolerance in RUNS:
        times = np.linspace(0.0, rounds, COUNT + 1)
        options = [
            {"method": method, "prediction": order, "derivatives": 0, "tolerance": tolerance}
            for method, order, _ in WAYS.values()
        ]
        taken = best_times([partial(follow, system, times, start.y, **option) for option in options])
        for (name, (_, _, published)), option, seconds in zip(WAYS.items(), options, taken, strict=True):
            run = follow(system, times, start.y, **option)
            assert len(run.y) == len(times)
            counts = run.iterations.sum() / COUNT, run.factorisations / COUNT
            spent.append(counts)
            costs.append(seconds / COUNT * 1e6)
            ratio = "" if published is None else f"{53.1 / published:11.2f}"
            cells = f"{counts[0]:11.2f}{counts[1]:10.2f}{costs[-1]:7.2f}"
            print(f"{rounds:>6}{tolerance:>10.0e}  {name:<24}{cells}{taken[0] / seconds:7.2f}{ratio}", flush=True)
    solution, matrix = np.linalg.lstsq(np.array(spent), np.array(costs), rcond=None)[0]
    print(f"by least squares, a matrix costs {matrix:.2f} µs and an iteration {solution:.2f} µs beside it")


if __name__ == "__main__":
    main()
