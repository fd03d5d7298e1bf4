"""How the cost of a mechanism grows with its number of bodies: chains, trees and rows of windows, from ten on.

Every row is a new process with an empty cache. It reads the mechanism from a file, analyses and prepares it (to the first
evaluation: numbering, equations, compiling), evaluates its equations and makes steps of the classical Runge-Kutta method;
then it simulates a second and prints the result, for which the reactions of all joints are found at a thousand samples. It
tells how much memory the process has taken for preparing, and for all. Where Pinocchio is installed, its articulated bodies
evaluate the same trees beside it, called from Python.
Exponents k of time ~ Nᵏ are fitted to the rows from a hundred bodies on; what grows faster than N^1.1 is named.

    python benchmarks/growth.py [FAMILY[:SIZE,SIZE,...] ...] [--quick] [--limit SECONDS] [--memory GB]
        [--csv FILE] [--plot FILE]

A file keeps the figures of several runs, and all of them are drawn.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench.evaluations import GRAVITY, LENGTH, chain
from linkwork.bench.iftomm import n_four_bar
from linkwork.bench.timing import best_time
from linkwork.numerics.flows.flow import Flow, evaluate_flow
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.run import integrate

SIZES, QUICK = (10, 30, 100, 300, 1000, 3000, 10_000), (10, 30, 100, 300)
LARGE = 100  # bodies from which on exponents are fitted
LINKS = 20_000  # bodies that all evaluations of one timing go through
STEP, STEPS = 1e-5, 200
EQUAL = (
    1e-6  # of the largest acceleration, between Pinocchio and Linkwork: a chain of a thousand bars is ill conditioned
)
GOAL = 1.1  # exponents that are wished for
MEASURED = {
    "read": "s", "analyse": "s", "prepare": "s", "memory": "MB", "evaluation": "us", "step": "us", "run": "s", "print": "s",
    "memory of all": "MB", "Pinocchio": "us",
}  # fmt: skip
Row = dict[str, float]


def tree(bars: int, space: str) -> lw.Model:
    """Bars of 1 kg, two on the end of each; in space their axes are by turns vertical and across."""
    planar, up = space == "planar", [np.pi / 2 + 0.4, np.pi / 2 - 0.4]
    places, joints, bodies = [np.zeros(2)], {}, {}
    for i in range(bars):
        inner = (i + 1) // 2
        places.append(places[inner] + LENGTH * np.array([np.cos(up[i % 2]), np.sin(up[i % 2])]))
        joint = {"kind": "revolute", "bodies": [f"b{inner - 1}" if inner else "ground", f"b{i}"], "at": f"P{inner}"}
        joints[f"J{i}"] = joint if planar else joint | {"axis": [0, 0, 1] if i % 2 else [0, -1, 0]}
        bodies[f"b{i}"] = {"bar": [f"P{inner}", f"P{i + 1}"], "mass": 1}
    points = {f"P{i}": place.tolist() if planar else [place[0], 0, place[1]] for i, place in enumerate(places)}
    gravity = [0, -GRAVITY] if planar else [0, 0, -GRAVITY]
    return lw.Model(space=space, gravity=gravity, points=points, bodies=bodies, joints=joints)


FAMILIES: dict[str, Callable[[int], lw.Model]] = {
    "planar_chain": partial(chain, space="planar"),
    "spatial_chain": partial(chain, space="spatial"),
    "planar_tree": partial(tree, space="planar"),
    "spatial_tree": partial(tree, space="spatial"),
    "windows": lambda bodies: n_four_bar(max((bodies - 1) // 2, 1)),
}


def tell(what: str, value: float) -> None:
    print(f"{what}: {value:.6g}", flush=True)


def measure(family: str, bodies: int) -> None:
    """Measure one mechanism in this process, a line for each number as soon as it is known."""
    lw.simulate(lw.example("four_bar"), until=0.01)  # what every first run needs, however large
    file = Path(os.environ["LINKWORK_CACHE"]) / "model.yaml"
    lw.save(FAMILIES[family](bodies), file)
    rested = _memory()
    seconds, model = timed(lambda: lw.load(file))
    tell("read", seconds)
    seconds, topology = timed(lambda: lw.analyse(model))
    tell("analyse", seconds)
    seconds, (flow, y) = timed(lambda: ready(topology))
    tell("prepare", seconds)
    tell("memory", _memory() - rested)
    count = max(LINKS // bodies, 3)
    away = 0.3 * np.random.default_rng(bodies).normal(size=y.size)
    if family != "windows":  # these are closed at the start
        y = y + away
    states = moved(flow, y, count)
    tell("evaluation", 1e6 * best_time(lambda: evaluate_flow(flow, np.zeros(count), states), count, limit=2.0))
    tell("step", 1e6 * best_time(lambda: moved(flow, y, STEPS), STEPS, limit=2.0))
    seconds, result = timed(lambda: lw.simulate(model, until=1.0))
    tell("run", seconds)
    tell("print", timed(lambda: str(result))[0])
    tell("memory of all", _memory() - rested)
    peer = pinocchio(model, away) if family != "windows" else None
    if peer is not None:
        found, expected = peer(), evaluate_flow(flow, np.zeros(1), states[:1])[0, y.size // 2 :]
        apart = np.abs(found - expected).max() / np.abs(expected).max()
        if apart > EQUAL:
            print(f"{family} of {bodies} is another one for Pinocchio: {apart:.1e}", file=sys.stderr)
            return
        tell("Pinocchio", 1e6 * best_time(lambda: [peer() for _ in range(count)], count, limit=2.0))


def timed(function: Callable[[], object]) -> tuple[float, object]:
    """Seconds of the processor, and what a function gives."""
    begin = time.process_time()
    found = function()
    return time.process_time() - begin, found


def ready(topology: lw.Topology) -> tuple[Flow, Array]:
    """A compiled flow and its first state."""
    mechanism = lw.prepare(topology)
    start = mechanism.start()
    flow = mechanism.flow(start)
    evaluate_flow(flow, np.zeros(1), start.y[None])
    return flow, start.y


def moved(flow: Flow, y: Array, count: int) -> Array:
    """The states after 0, 1, ... *count* − 1 steps: of the same state accelerations are kept, and cost nothing."""
    found = integrate(method_named("rk4"), flow, y, STEP * np.arange(count), step=STEP).y
    assert np.all(np.isfinite(found))
    return found


def pinocchio(model: lw.Model, state: Array) -> Callable[[], Array] | None:
    """Accelerations of a tree of bars by Pinocchio, where it is installed; all angles are zero as drawn."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    places = {name: in_space(model, place) for name, place in model.points.items()}
    joint_of = {item.bodies[1]: item for item in model.joints.values()}
    found, numbers = pin.Model(), {"ground": 0}
    found.gravity.linear = in_space(model, model.gravity)
    where = {"ground": np.zeros(3)}
    for name, body in model.bodies.items():
        joint, inner = joint_of[name], joint_of[name].bodies[0]
        start, end = (places[point] for point in body.bar)
        axis = np.array([0.0, 0.0, 1.0]) if model.space == "planar" else in_space(model, joint.axis)
        place, along = pin.SE3(np.eye(3), start - where[inner]), end - start
        numbers[name] = found.addJoint(numbers[inner], pin.JointModelRevoluteUnaligned(axis), place, name)
        inertia = (np.dot(along, along) * np.eye(3) - np.outer(along, along)) / 12
        found.appendBodyToJoint(numbers[name], pin.Inertia(1.0, along / 2, inertia), pin.SE3.Identity())
        where[name] = start
    try:
        data, n = found.createData(), found.nv
    except MemoryError:  # it holds more than what this needs
        return None
    q, v, none = state[:n].copy(), state[n:].copy(), np.zeros(n)
    return lambda: pin.aba(found, data, q, v, none)


def in_space(model: lw.Model, vector: Iterable[object]) -> Array:
    """Numbers of a model as a vector in space."""
    return np.array([*map(model.number, vector), 0.0][:3])


def _memory() -> float:
    """The largest memory of this process so far (MB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row(family: str, bodies: int, limit: float, memory: float) -> Row:
    """One mechanism in a process of its own, as far as it comes within so many seconds and GB."""
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "LINKWORK_CACHE": folder, "OPENBLAS_NUM_THREADS": "1"}
        own.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, __file__, "--measure", family, str(bodies), str(memory)]
        process = subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True)
        try:
            text, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
    return {what: float(value) for what, value in (line.split(": ") for line in text.splitlines())}


def exponents(rows: Mapping[int, Row]) -> Row:
    """k of what is measured ~ Nᵏ, of the large mechanisms."""
    found = {}
    for what in MEASURED:
        points = [(bodies, own[what]) for bodies, own in rows.items() if bodies >= LARGE and own.get(what, 0.0) > 0.0]
        if len(points) > 1:
            sizes, values = np.log(np.array(points)).T
            found[what] = float(np.polyfit(sizes, values, 1)[0])
    return found


def keep(measured: Mapping[str, Mapping[int, Row]], file: Path) -> dict[str, dict[int, Row]]:
    """The figures of a file with these, which are written there."""
    found: dict[str, dict[int, Row]] = {}
    if file.exists():
        for family, bodies, what, value in csv.reader(file.read_text(encoding="utf-8").splitlines()):
            found.setdefault(family, {}).setdefault(int(bodies), {})[what] = float(value)
    for family, rows in measured.items():
        found.setdefault(family, {}).update(rows)
    with file.open("w", encoding="utf-8", newline="") as out:
        cells = (
            (f, n, what, value) for f, rows in found.items() for n, own in rows.items() for what, value in own.items()
        )
        csv.writer(out).writerows(cells)
    return found


def line(name: str, values: Row, form: str) -> str:
    cells = [f"{values[what]:{form}}" if what in values else "-" for what in MEASURED]
    return f"{name:<22}{''.join(f'{cell:>14}' for cell in cells)}{values.get('ratio', np.nan):>8.1f}".replace(
        "nan", "  -"
    )


def grow(family: str, sizes: Iterable[int], limit: float, memory: float) -> dict[int, Row]:
    """A family at several sizes, up to the first that exceeds a limit, line by line."""
    rows: dict[int, Row] = {}
    for bodies in sizes:
        rows[bodies] = own = row(family, bodies, limit, memory)
        ratio = {"ratio": own["Pinocchio"] / own["evaluation"]} if "Pinocchio" in own else {}
        print(line(f"{family} {bodies}", own | ratio, ".4g"), flush=True)
        if not MEASURED.keys() - {"Pinocchio"} <= own.keys():
            break
    found = exponents(rows)
    print(line("exponent of N", found, ".2f"), flush=True)
    if above := [what for what, k in found.items() if k > GOAL]:
        print(f"{'':<22}faster than N^{GOAL}: {', '.join(above)}", flush=True)
    return rows


def plot(measured: Mapping[str, Mapping[int, Row]], file: str) -> None:
    """A panel for each thing that is measured, on logarithmic scales, with a line of slope one."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 5, figsize=(22, 8), layout="constrained")
    for axis, (what, unit) in zip(axes.flat, MEASURED.items(), strict=True):
        for family, rows in measured.items():
            points = [(bodies, own[what]) for bodies, own in rows.items() if own.get(what, 0.0) > 0.0]
            if points:
                axis.loglog(*zip(*points, strict=True), marker="o", markersize=4, label=family.replace("_", " "))
        if axis.lines:
            sizes, (low, _) = np.array(axis.get_xlim()), np.array(axis.get_ylim())
            axis.loglog(sizes, low * sizes / sizes[0], "k:", linewidth=1, label="slope 1")
        axis.set(title=what, ylabel=unit, xlabel="bodies")
        axis.grid(alpha=0.3)
    axes.flat[0].legend(frameon=False, fontsize=8)
    figure.savefig(file, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "families", nargs="*", help=f"of {', '.join(FAMILIES)}, perhaps with their sizes: windows:100,300"
    )
    parser.add_argument("--quick", action="store_true", help="up to 300 bodies")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds on the clock after which a row is given up")
    parser.add_argument("--memory", type=float, default=8.0, help="GB beyond which a row is given up")
    parser.add_argument("--csv", default="", metavar="FILE", help="add the figures to those of a file")
    parser.add_argument("--plot", default="", metavar="FILE", help="draw the figures")
    parser.add_argument("--measure", nargs=3, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        family, bodies, memory = options.measure
        resource.setrlimit(resource.RLIMIT_DATA, (int(float(memory) * 2**30),) * 2)
        measure(family, int(bodies))
        return
    print("Growth with the number of bodies: processor time with an empty cache, memory")
    heads = [f"{what}, {unit}".replace("memory of all", "all") for what, unit in MEASURED.items()]
    print(f"{'':<22}" + "".join(f"{head:>14}" for head in heads) + f"{'ratio':>8}")
    measured: dict[str, dict[int, Row]] = {}
    for wanted in options.families or FAMILIES:
        family, _, given = wanted.partition(":")
        sizes = map(int, given.split(",")) if given else QUICK if options.quick else SIZES
        measured[family] = grow(family, sizes, options.limit, options.memory)
    if options.csv:
        measured = keep(measured, Path(options.csv))
    if options.plot:
        plot(measured, options.plot)


if __name__ == "__main__":
    main()
