"""Work-precision diagrams: how long each solver takes for a given accuracy of the same motion.

Error: the largest error of what is observed at 101 times, against ``references.csv`` of ``linkwork.bench``, which other
programs made (``reference.py``). Time: processor time, the best of several runs of the integration alone; models are
built and compiled before. The time for an error is interpolated between the settings of a solver, in logarithms.

    python benchmarks/integrators.py [PROBLEM ...] [--quick] [--csv FILE] [--plot FILE]
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from linkwork.bench.peers import find_contenders, linkwork_flow
from linkwork.bench.peers.base import Contender
from linkwork.bench.sweep import Pace, measure
from linkwork.bench.tasks import Task, all_tasks
from linkwork.results.comparison import Setting

TARGETS = (1e-3, 1e-6, 1e-9)
SHORT = Pace(0.3, 2, 0.05)
QUICK = ("dop853", "taylor", "radau5", "bdf", "adams", "esdirk43", "dopri5")


Results = dict[str, list[Setting]]


def time_for(points: list[Setting], target: float) -> float:
    """Seconds to reach an error: the shortest over neighbouring settings that enclose it; NaN when none reaches it.

    A solver whose coarsest settings are all better than asked is given the time of its fastest.
    """
    if all(point.error <= target for point in points):
        return min(point.seconds for point in points)
    found = math.nan
    for coarse, fine in pairwise(points):
        if fine.error <= target < coarse.error:
            part = math.log(coarse.error / target) / math.log(coarse.error / max(fine.error, 1e-300))
            found = float(np.nanmin([found, coarse.seconds * (fine.seconds / coarse.seconds) ** part]))
    return found


def print_times(problem: Task, results: Results, contenders: list[Contender]) -> None:
    """Times for the targets, and as multiples of the default's."""
    own = {contender.name for contender in contenders if contender.own}
    times = {name: [time_for(points, target) for target in TARGETS] for name, points in results.items()}
    default = times.get(linkwork_flow.DEFAULT, [math.nan] * len(TARGETS))
    print(
        f"\n{problem.title}\n{'ms for an error of':<34}"
        + "".join(f"{t:>10.0e} {problem.unit:<3}{'ratio':>8}" for t in TARGETS)
    )
    for name, row in sorted(times.items(), key=lambda item: np.nan_to_num(item[1][1], nan=np.inf)):
        cells = [
            f"{'-':>14}{'-':>8}" if math.isnan(t) else f"{t * 1e3:14.3f}{t / b:8.2f}"
            for t, b in zip(row, default, strict=True)
        ]
        print(f"{name:<34}" + "".join(cells))
    for label, names in (("best peer", times.keys() - own), ("best of Linkwork", times.keys() & own)):
        ratios = []
        for i in range(len(TARGETS)):
            best = min((times[name][i] for name in names if not math.isnan(times[name][i])), default=math.nan)
            ratios.append(default[i] / best)
        print(f"default / {label:<24}" + "".join(f"{'':>14}{r:8.2f}" for r in ratios))


def write_csv(file: str, measured: Iterable[tuple[Task, Results]]) -> None:
    with Path(file).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["problem", "solver", "setting", "error", "seconds"])
        for problem, results in measured:
            for name, points in results.items():
                writer.writerows(
                    [problem.name, name, f"{p.value:g}", f"{p.error:.3e}", f"{p.seconds:.4e}"] for p in points
                )


def main(arguments: list[str] | None = None) -> None:
    names = [problem.name for problem in all_tasks()]
    parser = argparse.ArgumentParser(description="time for a given accuracy, Linkwork beside other programs")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help=f"of {', '.join(names)}; all by default")
    parser.add_argument("--quick", action="store_true", help="fewer integrators and settings, fewer runs of each")
    parser.add_argument("--csv", metavar="FILE", help="write all errors and times")
    parser.add_argument("--plot", metavar="FILE", help="draw them, such as integrators.png")
    options = parser.parse_args(arguments)
    if wrong := [name for name in options.problems if name not in names]:
        parser.error(f"there is no problem {', '.join(wrong)}; there are {', '.join(names)}")
    measured, lines = [], dict[str, None]()
    for problem in all_tasks():
        if options.problems and problem.name not in options.problems:
            continue
        peers, missing = find_contenders(problem)
        lines |= {f"{name}: left out ({reason}); pip install {name}": None for name, reason in missing.items()}
        contenders = linkwork_flow.contenders(problem) + peers
        if options.quick:
            contenders = [shorter(contender) for contender in contenders if wanted(contender)]
        results = measure(problem, contenders, SHORT if options.quick else Pace())
        print_times(problem, results, contenders)
        measured.append((problem, results))
    print("\nratio: to the default of Linkwork; -: not reached with the settings tried", *lines, sep="\n")
    if options.csv:
        write_csv(options.csv, measured)
    if options.plot:
        from diagrams import draw

        draw(measured, options.plot)


def wanted(contender: Contender) -> bool:
    return not contender.own or contender.name.split(", ")[1] in (*QUICK, "default")


def shorter(contender: Contender) -> Contender:
    settings = contender.settings[:: 2 if len(contender.settings) > 7 else 1]
    return replace(contender, settings=settings)


if __name__ == "__main__":
    main()
