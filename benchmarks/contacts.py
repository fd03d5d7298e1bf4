"""Time stepping with contacts beside MuJoCo, on one core, in one process.

    $ python benchmarks/contacts.py [--quick]

What counts is the time for a simulated second with the longest step whose error is small enough:

- a box that is thrown onto a floor, slides and stops: where it stops, to 5 mm of some 0.5 m;
- ten boxes on each other at rest: no box moves by more than 0.1 mm in a second;
- a hundred balls fall into a box of planes: at the end none overlaps by more than 3 mm, of a diameter of 100.

MuJoCo's contacts give way: constraints are springs (its default solref of 0.02 s), cones are elliptic here, impratio is 10.
Both take one core. Times are the shortest of five runs, preparing and compiling apart.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.arrays import Array
from linkwork.model import Model

G, RUB = 9.81, 0.4
STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
ROUNDS = 5


@dataclass(frozen=True)
class Solid:
    """A box with half its edges (3), or a ball with its radius (1): its place, its mass, its velocity."""

    half: tuple[float, ...]
    place: tuple[float, float, float]
    mass: float = 1.0
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Problem:
    """Solids over planes (normal, place), until a time; error: of the places (n, 3) at its end."""

    name: str
    solids: Sequence[Solid]
    until: float
    error: Callable[[Array], float]
    allowed: float
    planes: Sequence[tuple[tuple[float, ...], tuple[float, ...]]] = (((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)),)


def thrown() -> Problem:
    """A flat box from 5 cm above the floor at 2.5 m/s: the impact takes μ v_z of its speed, and friction the rest."""
    drop, speed = 0.05, 2.5
    fall, after = np.sqrt(2.0 * drop / G), speed - RUB * np.sqrt(2.0 * G * drop)
    stops = speed * fall + after**2 / (2.0 * RUB * G)
    solid = Solid((0.2, 0.15, 0.1), (0.0, 0.0, 0.1 + drop), 1.0, (speed, 0.0, 0.0))
    return Problem("a box thrown", [solid], 1.5, lambda places: abs(float(places[0, 0]) - stops), 5e-3)


def stacked() -> Problem:
    """Ten boxes at rest on each other."""
    solids = [Solid((0.1, 0.1, 0.1), (0.0, 0.0, 0.1 + 0.2 * i)) for i in range(10)]
    begun = np.array([solid.place for solid in solids])
    return Problem("ten boxes", solids, 1.0, lambda places: float(np.max(np.abs(places - begun))), 1e-4)


def poured(count: int = 100) -> Problem:
    """Balls in layers of 25 that fall into a box of planes; the error is the deepest overlap at the end."""
    radius, pitch = 0.05, 0.11
    places = [
        (pitch * (i % 5) + 0.003 * (i // 25), pitch * (i // 5 % 5), 0.06 + pitch * (i // 25)) for i in range(count)
    ]
    low, high = -0.06, 0.52
    walls = [
        ((1.0, 0, 0), (low, 0, 0)),
        ((-1.0, 0, 0), (high, 0, 0)),
        ((0, 1.0, 0), (0, low, 0)),
        ((0, -1.0, 0), (0, high, 0)),
    ]

    def overlap(found: Array) -> float:
        apart = np.linalg.norm(found[:, None] - found[None], axis=2) + np.eye(len(found))
        beside = min(float(np.min(found[:, k] - low)) for k in (0, 1)), float(np.min(found[:, 2]))
        return max(2.0 * radius - float(apart.min()), radius - min(*beside, high - float(np.max(found[:, :2]))))

    planes = [((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), *walls]
    return Problem("a hundred balls", [Solid((radius,), place, 0.5) for place in places], 1.0, overlap, 3e-3, planes)


# -- Linkwork -------------------------------------------------------------------------------------------------------------


def linkwork_model(problem: Problem) -> Model:
    """The same for Linkwork."""
    bodies, starts = "", ""
    for i, solid in enumerate(problem.solids):
        form = f"sphere: {{radius: {solid.half[0]}}}" if len(solid.half) == 1 else f"box: {[2 * a for a in solid.half]}"
        shape = f"shapes: {{hull: {{{form}, mass: {solid.mass}}}}}"
        bodies += f"  s{i}: {{points: {{G{i}: [0, 0, 0]}}, origin: {list(solid.place)}, {shape}}}\n"
        starts += f"  s{i}: {{velocity: {list(solid.velocity)}}}\n" if any(solid.velocity) else ""
    listed = [
        f"p{k}: {{plane: {list(map(float, n))}, at: {list(map(float, at))}}}"
        for k, (n, at) in enumerate(problem.planes)
    ]
    named = ", ".join(f"s{i}" for i in range(len(problem.solids)))
    return lw.loads(
        f"linkwork: 1\nspace: spatial\ngravity: [0, 0, -{G}]\nbodies:\n{bodies}surfaces: {{{', '.join(listed)}}}\n"
        f"contacts: {{touch: {{between: [ground, {named}], friction: {RUB}}}}}\n"
        + (f"initial:\n{starts}" if starts else "")
    )


def run_linkwork(problem: Problem) -> Callable[[float], tuple[Array, float]]:
    model, count = linkwork_model(problem), len(problem.solids)

    def run(step: float) -> tuple[Array, float]:
        over = {"times": [0.0, problem.until], "fixed_step": step, "audit": False}
        results = [lw.simulate(model, integrator="moreau_jean", **over) for _ in range(ROUNDS)]
        places = [[results[0][f"s{i}.{axis}"][-1] for axis in "xyz"] for i in range(count)]
        return np.array(places), min(float(result.statistics["wall time"]) for result in results)

    return run


# -- MuJoCo ---------------------------------------------------------------------------------------------------------------


def mujoco_text(problem: Problem) -> str:
    """The same for MuJoCo."""
    world = ""
    for normal, at in problem.planes:
        world += f'<geom type="plane" size="0 0 1" pos="{_row(at)}" zaxis="{_row(normal)}"/>'
    for solid in problem.solids:
        form = "sphere" if len(solid.half) == 1 else "box"
        geom = f'<geom type="{form}" size="{_row(solid.half)}" mass="{solid.mass}"/>'
        world += f'<body pos="{_row(solid.place)}"><freejoint/>{geom}</body>'
    return (
        f'<mujoco><option gravity="0 0 -{G}" cone="elliptic" impratio="10"/>'
        f'<default><geom friction="{RUB} 0 0" condim="3"/></default><worldbody>{world}</worldbody></mujoco>'
    )


def _row(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.17g}" for number in numbers)


def run_mujoco(problem: Problem, mujoco: Any) -> Callable[[float], tuple[Array, float]]:
    model = mujoco.MjModel.from_xml_string(mujoco_text(problem))

    def run(step: float) -> tuple[Array, float]:
        model.opt.timestep, best, places = step, np.inf, np.zeros(0)
        for _ in range(ROUNDS):
            data = mujoco.MjData(model)
            for i, solid in enumerate(problem.solids):
                data.qvel[6 * i : 6 * i + 3] = solid.velocity
            begun = time.perf_counter()
            mujoco.mj_step(model, data, round(problem.until / step))
            best, places = min(best, time.perf_counter() - begun), data.qpos.reshape(-1, 7)[:, :3].copy()
        return places, best

    return run


# -- the table --------------------------------------------------------------------------------------------------------------


def measure(problem: Problem, run: Callable[[float], tuple[Array, float]]) -> tuple[float, float, float]:
    """The longest step whose error is allowed, its error, and the time of a simulated second, s."""
    found = (np.nan, np.nan, np.nan)
    for step in STEPS:
        places, spent = run(step)
        found = step, problem.error(places), spent / problem.until
        if found[1] <= problem.allowed:
            return found
    return np.nan, found[1], found[2]


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    try:
        import mujoco
    except ImportError:
        mujoco = None
        print("MuJoCo is left out: it is not installed (the extra `bench`)")
    problems = [thrown(), stacked(), poured(25 if "--quick" in arguments else 100)]
    print(f"{'problem':<16} {'program':<9} {'step':>8} {'error':>10} {'ms per simulated s':>20} {'ratio':>7}")
    for problem in problems:
        own = measure(problem, run_linkwork(problem))
        rows = [("linkwork", own)]
        if mujoco is not None:
            rows.append(("mujoco", measure(problem, run_mujoco(problem, mujoco))))
        for name, (step, error, spent) in rows:
            reached = f"{1e3 * step:.3g} ms" if np.isfinite(step) else "none"
            print(
                f"{problem.name:<16} {name:<9} {reached:>8} {error:>8.2g} m {1e3 * spent:>20.3g} {spent / own[2]:>7.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
