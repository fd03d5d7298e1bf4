"""Accelerations of chains of bars, in the plane and in space, beside Pinocchio's articulated bodies.

One evaluation of ẏ from (t, y), both for the same state; values are compared first. Pinocchio is called from Python, which
costs it about a microsecond a call. With --first the time from a model to a run of 1 s, and to its printed result, in a new
process with an empty cache. With --shapes straight code beside tables: seconds to compile, and one evaluation.

    python benchmarks/chains.py [LINKS ...] [--first] [--shapes]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.bench.evaluations import LINKS, SAMPLES, accelerations, chain
from linkwork.bench.timing import best_time
from linkwork.numerics.flows.flow import evaluate_flow


def row(links: int, space: str) -> str:
    mechanism = lw.prepare(chain(links, space))
    operations = mechanism.program["accelerate"].instructions.operations
    ways = accelerations(partial(chain, links, space))
    found = {name: way() for name, way in ways.items()}
    seconds = {name: best_time(way, SAMPLES, limit=2.0) for name, way in ways.items()}
    whole = seconds["Linkwork"]
    text = f"{space:<9}{links:5d}{operations:9d}{1e6 * whole:11.3f}{1e9 * whole / links:11.1f}"
    other = found.get("Pinocchio")
    if other is None:
        return f"{text}{'-':>11}{'-':>8}"
    difference = np.abs(other - found["Linkwork"]).max() / np.abs(other).max()
    assert difference < 1e-8, f"the chain of {links} links is another one for Pinocchio: {difference:.1e}"
    return f"{text}{1e6 * seconds['Pinocchio']:11.3f}{seconds['Pinocchio'] / whole:8.1f}"


def first_result(links: int, space: str) -> str:
    """Seconds of the processor from a model to its first result, and to its printed page."""
    script = f"import chains; print(*chains.times_of_first_result({links}, {space!r}))"
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "LINKWORK_CACHE": folder, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=own,
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    run, printed = map(float, done.stdout.split())
    return f"{space:<9}{links:5d}{run:11.2f}{printed:11.2f}"


def shapes(links: int, space: str) -> str:
    """Seconds of the processor to compile the accelerations in both shapes, and microseconds of one evaluation of each."""
    columns, values = list[str](), list[np.ndarray]()
    for shape in ("straight", "tables"):
        mechanism = lw.prepare(chain(links, space), shape=shape)
        code, start = mechanism.program["accelerate"], mechanism.start()
        operations = code.instructions.operations
        begin = time.process_time()
        code.address  # noqa: B018
        seconds = time.process_time() - begin
        start.y[:] = 0.3 * np.random.default_rng(links).normal(size=start.y.size)
        flow, states = mechanism.flow(start), np.tile(start.y, (SAMPLES, 1))
        values.append(evaluate_flow(flow, np.zeros(1), states[:1]))
        once = best_time(lambda f=flow, y=states: evaluate_flow(f, np.zeros(SAMPLES), y), SAMPLES, limit=2.0)
        columns.append(f"{seconds:11.2f}{1e6 * once:11.3f}")
    straight, tables = values
    assert np.abs(tables - straight).max() < 1e-10 * np.abs(straight).max()
    return f"{space:<9}{links:5d}{operations:9d}{''.join(columns)}"


def times_of_first_result(links: int, space: str) -> tuple[float, float]:
    begin = time.process_time()
    result = lw.simulate(chain(links, space), until=1.0)
    run = time.process_time() - begin
    assert "completed" in str(result)
    return run, time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("links", nargs="*", type=int, default=LINKS)
    parser.add_argument("--first", action="store_true", help="the time to the first result too")
    parser.add_argument("--shapes", action="store_true", help="straight code beside tables")
    options = parser.parse_args()
    if options.shapes:
        print("Straight code beside tables: to compile with an empty cache (s), one evaluation (us)")
        print(f"{'space':<9}{'links':>5}{'operat.':>9}{'straight':>11}{'once':>11}{'tables':>11}{'once':>11}")
        os.environ["LINKWORK_CACHE"] = tempfile.mkdtemp()
        for space in ("planar", "spatial"):
            for links in options.links:
                print(shapes(links, space), flush=True)
        return
    print("One evaluation of the accelerations of a chain (us, and ns a link), and of Pinocchio's aba from Python")
    print(f"{'space':<9}{'links':>5}{'operat.':>9}{'Linkwork':>11}{'a link':>11}{'Pinocchio':>11}{'ratio':>8}")
    for space in ("planar", "spatial"):
        for links in options.links:
            print(row(links, space), flush=True)
    if options.first:
        print("First result of a new process with an empty cache: a run of 1 s, and its print (s of the processor)")
        print(f"{'space':<9}{'links':>5}{'run':>11}{'printed':>11}")
        for space in ("planar", "spatial"):
            for links in options.links:
                print(first_result(links, space), flush=True)


if __name__ == "__main__":
    main()
