"""Large mechanisms in coordinates of bodies and of points: a second of motion beside relative coordinates.

Seconds of the processor for a run and its print, with ratios to the same mechanism in relative coordinates in the same run,
and the largest difference of positions and speeds over the largest of each. With --sizes one evaluation of the
equations and the end of one step for growing sizes: what grows faster than the mechanism shows.

    python benchmarks/large.py [NAME:SIZE@COORDINATES ...] [--formulation NAME] [--sizes]
"""

from __future__ import annotations

import argparse
import time
from functools import cache
from itertools import count

import numpy as np
from first_result import MODELS

import linkwork as lw
from linkwork.bench.timing import best_time

ROWS = (
    "windows:100@reference_point",
    "windows:100@natural",
    "planar_chain:100@reference_point",
    "spatial_chain:100@reference_point",
)
GROWING = ((25, 50, 100, 200), ("windows@reference_point", "windows@natural", "spatial_chain@reference_point"))
TOLERANCES = {"rtol": 1e-12, "atol": 1e-13}
SAMPLED, UNTIL = 60, 1.0  # quantities that are compared
KEEPING = {"x", "y", "vx", "vy"}


def run(model: lw.Model, **options: object) -> tuple[lw.Result, float]:
    begin = time.process_time()
    result = lw.simulate(model, until=UNTIL, **TOLERANCES, times=np.linspace(0.0, UNTIL, 101), **options)
    str(result)
    return result, time.process_time() - begin


@cache
def beside(mechanism: str) -> tuple[lw.Result, float]:
    """The same in relative coordinates."""
    return run(model_of(mechanism))


def model_of(mechanism: str) -> lw.Model:
    name, _, size = mechanism.partition(":")
    return MODELS[name](int(size))


def row(text: str, formulation: str | None) -> str:
    mechanism, _, kind = text.partition("@")
    usual, seconds = beside(mechanism)
    found, own = run(model_of(mechanism), coordinates=kind, formulation=formulation)
    names = [item for item in usual.names() if item.rpartition(".")[2] in KEEPING]
    worst = 0.0
    for item in names[:: max(1, len(names) // SAMPLED)]:
        one, other = usual[item], found[item]
        worst = max(worst, float(np.abs(one - other).max() / max(1.0, np.abs(one).max())))
    return f"{text:<36}{seconds:10.2f}{own:10.2f}{own / seconds:8.2f}{worst:12.1e}"


def growing(text: str, sizes: tuple[int, ...]) -> str:
    name, _, kind = text.partition("@")
    cells: list[str] = []
    for size in sizes:
        mechanism = lw.prepare(MODELS[name](size), coordinates=kind)
        start = mechanism.start()
        flow, moments = mechanism.flow(start), count(1)
        y, rates = start.y.copy(), np.zeros(start.y.size)
        once = best_time(lambda f=flow, y=y, r=rates: f.evaluate(0.0, y, r), 1, limit=1.0)
        step = best_time(lambda f=flow, y=y, m=moments: f.correct(1e-9 * next(m), y), 1, limit=1.0)
        cells.append(f"{1e6 * once:9.1f}{1e6 * step:10.1f}")
    return f"{text:<32}{''.join(cells)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", default=ROWS)
    parser.add_argument("--formulation", default=None)
    parser.add_argument("--sizes", action="store_true")
    options = parser.parse_args()
    if options.sizes:
        sizes, rows = GROWING
        print("One evaluation, and the end of one step (us)")
        print(f"{'':<32}{''.join(f'{size:19d}' for size in sizes)}")
        for text in rows:
            print(growing(text, sizes), flush=True)
        return
    print("A second of motion and its print, beside relative coordinates (s of the processor)")
    print(f"{'':<36}{'relative':>10}{'these':>10}{'ratio':>8}{'difference':>12}")
    for text in options.rows:
        print(row(text, options.formulation), flush=True)


if __name__ == "__main__":
    main()
