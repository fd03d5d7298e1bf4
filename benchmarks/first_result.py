"""The first result of mechanisms of growing size: seconds of the processor from a file to a printed run, stage by stage.

Every row is a new process with an empty cache. It reads the file, analyses and prepares the mechanism, simulates a second
and prints the result, which tells the largest loads. What grows faster than the mechanism shows beside its smaller sister.

    python benchmarks/first_result.py [NAME[:SIZE][@COORDINATES] ...] [--quick] [--profile] [--limit SECONDS]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from chains import chain

import linkwork as lw
from linkwork.bench.iftomm import n_four_bar

STAGES = ("import", "read", "analyse", "prepare", "simulate", "print")


def four_bars(count: int) -> lw.Model:
    """Four-bars of equal lengths beside each other, which have nothing to do with one another but the ground."""
    points: dict[str, list[float]] = {}
    bodies: dict[str, object] = {}
    joints: dict[str, object] = {}
    for k in range(count):
        x = 5.0 * k
        places = {f"O{k}": [x, 0], f"A{k}": [x + 0.6, 0.8], f"B{k}": [x + 2.9, 1.9], f"C{k}": [x + 2.2, 0]}
        o, a, b, c = places
        links = {f"crank{k}": [o, a], f"coupler{k}": [a, b], f"rocker{k}": [c, b]}
        crank, coupler, rocker = links
        points |= places
        bodies |= {name: {"bar": ends, "mass": 1} for name, ends in links.items()}
        pairs = {o: ["ground", crank], a: [crank, coupler], b: [coupler, rocker], c: ["ground", rocker]}
        joints |= {at: {"kind": "revolute", "bodies": pair} for at, pair in pairs.items()}
    return lw.Model(space="planar", gravity=[0, -9.81], points=points, bodies=bodies, joints=joints)


def car(count: int) -> lw.Model:
    """The car of 25 bodies."""
    return lw.load(Path(__file__).parent / "car.yaml")


def rope(count: int, joint: Mapping[str, object], *, fixed: bool) -> lw.Model:
    """Bars of 10 cm and 100 g in an arc, from the ground on, where their last end is *fixed* too."""
    radius, angles = 0.1 * count / (0.6 * np.pi), np.linspace(1.2 * np.pi, 1.8 * np.pi, count + 1)
    names = [f"P{i}" for i in range(count + 1)]
    bars = {f"b{i}": {"bar": names[i : i + 2], "mass": 0.1, "radius": 0.01} for i in range(count)}
    ends = ["ground", *bars, *(["ground"] if fixed else [])]
    joints = {name: {**joint, "bodies": list(pair)} for name, pair in zip(names, pairwise(ends), strict=False)}
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={name: [radius * np.cos(a), 0.0, radius * np.sin(a)] for name, a in zip(names, angles, strict=True)},
        bodies=bars,
        joints=joints | ({names[-1]: {"kind": "spherical", "bodies": ends[-2:]}} if fixed else {}),
    )


UNIVERSAL = {"kind": "universal", "axes": [[0, 1, 0], [0, 0, 1]]}
MODELS: dict[str, Callable[[int], lw.Model]] = {
    "planar_chain": partial(chain, space="planar"),
    "spatial_chain": partial(chain, space="spatial"),
    "windows": n_four_bar,
    "four_bars": four_bars,
    "four_bar": lambda count: lw.example("four_bar"),
    "stewart": lambda count: lw.example("stewart_platform"),
    "car": car,
    "rope": partial(rope, joint={"kind": "spherical"}, fixed=False),
    "hanging_rope": partial(rope, joint={"kind": "spherical"}, fixed=True),
    "universal_rope": partial(rope, joint=UNIVERSAL, fixed=True),
}
QUICK = ("four_bar", "stewart", "car", "planar_chain:100", "spatial_chain:100", "windows:100")
ALL = (*QUICK, "four_bars:30", "planar_chain:300", "planar_chain:1000", "spatial_chain:1000", "windows:400")


def measured(row: str, limit: float, profile: str) -> str:
    """The line of a table for ``NAME:SIZE@COORDINATES``."""
    mechanism, _, coordinates = row.partition("@")
    name, _, size = mechanism.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.yaml"
        lw.save(MODELS[name](int(size or 0)), path)
        own = {**os.environ, "LINKWORK_CACHE": f"{folder}/cache", "OPENBLAS_NUM_THREADS": "1"}
        own.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its byte code
        process = subprocess.Popen(
            [
                sys.executable,
                __file__,
                "--stages",
                str(path),
                *(["--coordinates", coordinates] if coordinates else []),
                *(["--profile", f"{profile}/{row}"] if profile else []),
            ],
            env=own,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            text, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
    times = dict(line.split() for line in text.splitlines())
    cells = [f"{times[stage]:>10}" if stage in times else f"{'-':>10}" for stage in STAGES]
    whole = f"{sum(map(float, times.values())):10.2f}" if len(times) == len(STAGES) else f"{'-':>10}"
    return f"{row:<32}{''.join(cells)}{whole}"


def stages(path: str, profile: str, coordinates: str) -> None:
    """Go through the stages with the model of a file, a line for each as soon as it is over."""
    found: dict[str, object] = {}
    verbs: dict[str, Callable[[], object]] = {
        "read": lambda: lw.load(path),
        "analyse": lambda: str(lw.analyse(found["read"])),
        "prepare": lambda: lw.prepare(found["read"], coordinates=coordinates),
        "simulate": lambda: lw.simulate(found["read"], until=1.0, coordinates=coordinates),
        "print": lambda: str(found["simulate"]),
    }
    print("import", f"{time.process_time():.2f}", flush=True)
    for stage, verb in verbs.items():
        begin = time.process_time()
        found[stage] = profiled(verb, f"{profile}/{stage}.prof") if profile else verb()
        print(stage, f"{time.process_time() - begin:.2f}", flush=True)


def profiled(verb: Callable[[], object], path: str) -> object:
    from cProfile import Profile

    with Profile() as profile:
        found = verb()
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    profile.dump_stats(path)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help=f"of {', '.join(MODELS)}, with their sizes")
    parser.add_argument("--quick", action="store_true", help="mechanisms that take a few seconds each")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds on the clock after which a row is given up")
    parser.add_argument("--profile", default="", metavar="FOLDER", help="write a profile of each stage")
    parser.add_argument("--coordinates", default="relative", help=argparse.SUPPRESS)
    parser.add_argument("--stages", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stages:
        stages(options.stages, options.profile, options.coordinates)
        return
    print("First result with an empty cache, from a file to the printed run (s of the processor)")
    print(f"{'':<32}{''.join(f'{stage:>10}' for stage in STAGES)}{'whole':>10}")
    for row in options.rows or (QUICK if options.quick else ALL):
        print(measured(row, options.limit, options.profile), flush=True)


if __name__ == "__main__":
    main()
