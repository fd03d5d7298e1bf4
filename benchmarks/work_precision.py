"""Work and precision: how long each solver takes for a given accuracy of the same motion.

A four-bar (crank 1 m, coupler 4 m, rocker 3.5 m, ground 3 m, uniform bars of 1 kg/m) falls from rest with the crank at
1 rad, open branch, for 10 s. Error: the largest error of the crank angle at 0, 0.1, ..., 10 s against
``four_bar_reference.txt``. Time: the best of several runs of the integration alone; models are built and compiled
before. The time for an error is interpolated between the settings of a solver, in logarithms.

    python benchmarks/work_precision.py [--all] [--plot FILE]
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from peers import find_contenders, linkwork_flow
from peers.base import Contender
from reference import load_reference
from timing import best_times

TARGETS = (1e-3, 1e-6, 1e-9)  # rad


@dataclass(frozen=True)
class Point:
    """One setting of a solver: its error [rad] and time [s]."""

    setting: float
    error: float
    time: float


def measure(contenders: list[Contender], reference: np.ndarray) -> dict[str, list[Point]]:
    """All settings of all solvers."""
    settings = [(contender, setting) for contender in contenders for setting in contender.settings]
    runs = [contender.prepare(setting) for contender, setting in settings]
    errors = [float(np.abs(run() - reference).max()) for run in runs]
    results: dict[str, list[Point]] = {contender.name: [] for contender in contenders}
    for (contender, setting), error, time in zip(settings, errors, best_times(runs), strict=True):
        results[contender.name].append(Point(setting, error, time))
    return results


def time_for(points: list[Point], target: float) -> float:
    """Seconds to reach an error: the shortest over neighbouring settings that enclose it; NaN when none reaches it.

    A solver whose coarsest settings are all better than asked is given the time of its fastest.
    """
    if all(point.error <= target for point in points):
        return min(point.time for point in points)
    found = math.nan
    for coarse, fine in pairwise(points):
        if fine.error <= target < coarse.error:
            part = math.log(coarse.error / target) / math.log(coarse.error / fine.error)
            found = float(np.nanmin([found, coarse.time * (fine.time / coarse.time) ** part]))
    return found


def print_times(results: dict[str, list[Point]], own: list[str]) -> None:
    """Times for the targets, and their ratios to the best of Linkwork."""
    times = {name: [time_for(points, target) for target in TARGETS] for name, points in results.items()}
    best = np.nanmin([times[name] for name in own], axis=0)
    print(f"{'time (ms) for an error of':<34}" + "".join(f"{target:>10.0e} rad{'ratio':>8}" for target in TARGETS))
    for name, row in sorted(times.items(), key=lambda item: np.nan_to_num(item[1][1], nan=np.inf)):
        cells = [
            f"{'-':>14}{'-':>8}" if math.isnan(t) else f"{t * 1e3:14.3f}{t / b:8.2f}"
            for t, b in zip(row, best, strict=True)
        ]
        print(f"{name:<34}" + "".join(cells))
    print("ratio: to the best of Linkwork; -: not reached with the settings tried")


def print_points(contender: Contender, points: list[Point]) -> None:
    for point in points:
        print(
            f"{contender.name:<34}{contender.unit:>10}{point.setting:9.0e}{point.error:12.1e}{point.time * 1e3:12.3f} ms"
        )


def plot(results: dict[str, list[Point]], file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    for name, points in results.items():
        line = "o-" if name.startswith("Linkwork") else "s--"
        axes.loglog([p.error for p in points], [p.time for p in points], line, markersize=4, label=name)
    axes.set(xlabel="largest error of the crank angle [rad]", ylabel="time of the run [s]", title="four-bar, 10 s")
    axes.invert_xaxis()
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(file)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="time for a given accuracy, Linkwork beside other programs")
    parser.add_argument("--all", action="store_true", help="print every setting of every solver")
    parser.add_argument("--plot", metavar="FILE", help="write a figure, such as work_precision.svg")
    options = parser.parse_args(arguments)
    reference = load_reference()
    own = linkwork_flow.contenders()
    peers, missing = find_contenders()
    results = measure(own + peers, reference)
    if options.all:
        for contender in own + peers:
            print_points(contender, results[contender.name])
    print("Work and precision: a four-bar of uniform bars from rest, 10 s")
    print_times(results, [contender.name for contender in own])
    for line in missing:
        print(line)
    if options.plot:
        plot(results, options.plot)


if __name__ == "__main__":
    main()
