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
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import best_time

import linkwork as lw
from linkwork.numerics.flows.flow import evaluate_flow

LINKS = (10, 40, 100)
SAMPLES = 500
LENGTH, GRAVITY = 0.5, 9.81


def chain(links: int, space: str) -> lw.Model:
    """Bars of 1 kg in a row; in space their axes are by turns vertical and across."""
    zero = [0.0] * (1 if space == "planar" else 2)
    joints = {}
    for i in range(links):
        joint = {"kind": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]}
        joints[f"P{i}"] = joint if space == "planar" else joint | {"axis": [0, 0, 1] if i % 2 else [0, -1, 0]}
    return lw.Model(
        space=space,
        gravity=[*zero, -GRAVITY],
        points={f"P{i}": [LENGTH * i, *zero] for i in range(links + 1)},
        bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(links)},
        joints=joints,
    )


def peer(links: int, space: str) -> Callable[[np.ndarray, np.ndarray], np.ndarray] | None:
    """v̇ by Pinocchio; None: it is not installed."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    bar = pin.Inertia(1.0, np.array([LENGTH / 2, 0.0, 0.0]), np.diag([0.0, LENGTH**2 / 12, LENGTH**2 / 12]))
    for i in range(links):
        across = space == "planar" or i % 2 == 0
        joint = pin.JointModelRevoluteUnaligned(np.array([0.0, -1.0, 0.0] if across else [0.0, 0.0, 1.0]))
        place = pin.SE3(np.eye(3), np.array([LENGTH * (i > 0), 0.0, 0.0]))
        model.appendBodyToJoint(model.addJoint(i, joint, place, f"j{i}"), bar, pin.SE3.Identity())
    data, none = model.createData(), np.zeros(links)
    return lambda q, v: pin.aba(model, data, q, v, none)


def row(links: int, space: str) -> str:
    mechanism = lw.prepare(chain(links, space))
    rng, start = np.random.default_rng(links), mechanism.start()
    start.y[:] = 0.3 * rng.normal(size=start.y.size)
    flow, states = mechanism.flow(start), np.tile(start.y, (SAMPLES, 1))
    own = evaluate_flow(flow, np.zeros(1), states[:1])[0, links:]
    whole = best_time(lambda: evaluate_flow(flow, np.zeros(SAMPLES), states), SAMPLES, limit=2.0)
    operations = mechanism.program["accelerate"].instructions.operations
    text = f"{space:<9}{links:5d}{operations:9d}{1e6 * whole:11.3f}{1e9 * whole / links:11.1f}"
    other = peer(links, space)
    if other is None:
        return f"{text}{'-':>11}{'-':>8}"
    q, v = start.y[:links].copy(), start.y[links:].copy()
    difference = np.abs(other(q, v) - own).max() / np.abs(own).max()
    assert difference < 1e-8, f"the chain of {links} links is another one for Pinocchio: {difference:.1e}"

    def repeat() -> None:
        for _ in range(SAMPLES):
            other(q, v)

    theirs = best_time(repeat, SAMPLES, limit=2.0)
    return f"{text}{1e6 * theirs:11.3f}{theirs / whole:8.1f}"


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
