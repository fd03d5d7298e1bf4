"""The drawing of the work-precision diagrams: one panel for each problem, errors smaller to the right.

    python benchmarks/diagrams.py CSV PICTURE

draws what ``integrators.py --csv`` has written.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from integrators import Results

    from linkwork.bench.tasks import Task
    from linkwork.results.comparison import Setting

COLUMNS = 2
BEST = 4  # integrators of Linkwork that are named in a panel beside its default
COLOURS = (
    *("#0072b2", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#e69f00", "#7570b3", "#a6761d"),
    *("#666666", "#1b9e77", "#e7298a", "#66a61e", "#b2182b", "#4393c3", "#b8860b", "#999999"),
)


def draw(measured: Iterable[tuple[Task, Results]], file: str) -> None:
    """Write the figure."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = list(measured)
    rows = math.ceil(len(panels) / COLUMNS)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(13, 4.6 * rows), layout="constrained", squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    lines = [_chosen(results) for _, results in panels]
    known = list(dict.fromkeys(name for panel in lines for name, _ in panel))
    for axis, (problem, _), panel in zip(axes.flat, panels, lines, strict=False):
        for name, points in panel:
            _line(axis, name, points, COLOURS[known.index(name) % len(COLOURS)])
        axis.set(title=problem.title, xlabel=f"largest error [{problem.unit}]", ylabel="time of the run [s]")
        axis.set_xlim(1e-1, 1e-12)
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(file, dpi=110)


def _chosen(results: Results) -> list[tuple[str, Sequence[Setting]]]:
    """The default, the best integrators of Linkwork, and all peers."""
    own = {name: points for name, points in results.items() if name.startswith("Linkwork, ")}
    ranked = sorted(own, key=lambda name: (not name.endswith(" default"), _cost(own[name])))
    peers = sorted(results.keys() - own.keys(), key=lambda name: _cost(results[name]))
    return [(name, results[name]) for name in (*ranked[: 1 + BEST], *peers)]


def _cost(points: Sequence[Setting]) -> float:
    """Mean of the logarithms of the times for errors of 1e-4, 1e-6 and 1e-8; not reached counts a hundredfold."""
    from integrators import time_for

    fastest = min(point.seconds for point in points)
    times = [time_for(list(points), target) for target in (1e-4, 1e-6, 1e-8)]
    return sum(math.log(100 * fastest if math.isnan(t) else t) for t in times)


def _line(axis: object, name: str, points: Sequence[Setting], colour: str) -> None:
    default, own = name.endswith(" default"), name.startswith("Linkwork")
    axis.loglog(  # type: ignore[attr-defined]
        [point.error for point in points],
        [point.seconds for point in points],
        "o-" if own else "s--",
        color="black" if default else colour,
        linewidth=2.2 if default else 1.2,
        markersize=3.5,
        label=name,
        zorder=3 if default else 2,
    )


def load(file: str) -> list[tuple[Task, Results]]:
    """What a file of ``integrators.py --csv`` has."""
    from linkwork.bench.tasks import task_named
    from linkwork.results.comparison import Setting

    found: dict[str, Results] = {}
    with Path(file).open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            points = found.setdefault(row["problem"], {}).setdefault(row["solver"], [])
            points.append(Setting(*(float(row[key]) for key in ("setting", "error", "seconds"))))
    return [(task_named(name), results) for name, results in found.items()]


if __name__ == "__main__":
    draw(load(sys.argv[1]), sys.argv[2])
