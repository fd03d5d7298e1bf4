"""Table 3.1 of García de Jalón and Bayo: 1000 finite displacements of a 6R robot along an ellipse, in natural coordinates.

Newton's method, the modified one with the matrix of the last position, and that with a prediction by velocities (its
sections 3.3.1 to 3.3.3), to the same residual of 1e-9 of the size. Only positions are found, but for what the prediction
needs. How many displacements make one round of the ellipse, the source does not say: the longer they are, the more
iterations follow. Its times were taken on an HP 9000/834; only ratios are compared.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from timing import best_times

import linkwork as lw
from linkwork.analysis.kinematics import prescribed_system
from linkwork.numerics.displacement import follow

WAYS = {
    "Newton": ("newton", 0, 53.1),
    "modified": ("modified", 0, 21.7),
    "modified, predicted": ("modified", 1, 15.5),
    "modified, second order": ("modified", 2, None),
    "Newton, predicted": ("newton", 1, None),
}
COUNT = 1000
ROUNDS = (1, 5, 20)  # of the ellipse, in so many displacements


def main() -> None:
    model = lw.load(Path(__file__).parent / "six_axis_robot.yaml")
    mechanism = lw.prepare(model, coordinates="natural")
    start = mechanism.start()
    system = prescribed_system(mechanism, start)
    print(f"Finite displacements after table 3.1: a 6R robot, {COUNT} in natural coordinates")
    print(f"{'rounds':>6}  {'method':<24}{'iterations':>11}{'matrices':>10}{'µs each':>9}{'ratio':>7}{'published':>11}")
    for rounds in ROUNDS:
        times = np.linspace(0.0, rounds, COUNT + 1)
        options = [
            {"method": method, "prediction": order, "derivatives": 0, "tolerance": 1e-9}
            for method, order, _ in WAYS.values()
        ]
        taken = best_times([partial(follow, system, times, start.y, **option) for option in options])
        for (name, (_, _, published)), option, seconds in zip(WAYS.items(), options, taken, strict=True):
            run = follow(system, times, start.y, **option)
            assert len(run.y) == len(times)
            ratio = "" if published is None else f"{53.1 / published:11.2f}"
            cells = (
                f"{run.iterations.sum() / COUNT:11.2f}{run.factorisations / COUNT:10.2f}{seconds / COUNT * 1e6:9.2f}"
            )
            print(f"{rounds:>6}  {name:<24}{cells}{taken[0] / seconds:7.2f}{ratio}", flush=True)


if __name__ == "__main__":
    main()
