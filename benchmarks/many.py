"""Ten thousand four-bars with different lengths, ten seconds each, to an error of 1e-6, on all cores.

Crank-rockers of uniform bars swing under gravity from a crank at 3 rad/s; lengths are drawn at random. The tolerance is the
coarsest power of ten with which all angles of 64 of them are right to 1e-6 rad at the end, beside runs to 1e-13. Beside the
study, all that it does included, stands the compiled run of one four-bar after the other alone, without its start and
without anything that is read from it; and whole calls of ``simulate``. Times are of the processor, all threads together:
rates are those of a core. ``--quick`` takes a thousand.
"""

from __future__ import annotations

import sys
from os import cpu_count
from time import perf_counter, process_time

import numpy as np

import linkwork as lw
from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.motion.integrator import choose_integrator
from linkwork.bench.timing import best_time
from linkwork.numerics.integrators.run import integrate

COUNT, QUICK = 10_000, 1_000
END = 10.0  # s
WANTED = 1e-6  # rad, error of an angle at the end
SAMPLE, TIMED = 64, 32  # variants whose errors are measured, and those that are timed alone
ROUNDS = 5
LENGTHS = {"a": (0.25, 0.45), "b": (1.0, 1.4), "c": (0.9, 1.3)}  # m, of crank, coupler and rocker


def model() -> lw.Model:
    return lw.Model(
        name="four-bar",
        space="planar",
        gravity=[0, -9.81],
        parameters={name: {"value": sum(ends) / 2, "live": True} for name, ends in LENGTHS.items()},
        points={"O": [0, 0], "A": [0, 0.4], "B": [1.1, 0.9], "C": [1.3, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": "a", "mass": "2*a"},
            "coupler": {"bar": ["A", "B"], "length": "b", "mass": "2*b"},
            "rocker": {"bar": ["C", "B"], "length": "c", "mass": "2*c"},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        initial={"O": {"speed": 3}},
    )


def study_of(given: dict[str, np.ndarray], rtol: float) -> lw.answers.Study:
    return lw.simulate_many(
        model(), END, parameters=given, quantities=["O.angle", "C.angle"], final=True, rtol=rtol, atol=rtol * 1e-2
    )


def coarsest(given: dict[str, np.ndarray]) -> tuple[float, float]:
    """The tolerance, and the largest error that it leaves, rad."""
    some = {name: values[:SAMPLE] for name, values in given.items()}
    exact = study_of(some, 1e-13)
    for power in range(5, 12):
        found = study_of(some, 10.0**-power)
        error = max(float(np.max(np.abs(found[name] - exact[name]))) for name in found.values)
        if error <= WANTED:
            return 10.0**-power, error
    raise SystemExit("no tolerance is tight enough")


def time_alone(given: dict[str, np.ndarray], rtol: float) -> float:
    """Seconds of a compiled run, one after the other: the mean over variants of the best of several rounds."""
    mechanism, grid, found = lw.prepare(model()), np.array([0.0, END]), []
    method = choose_integrator(None, mechanism.equations, rtol).method
    for i in range(TIMED):
        start = mechanism.start({name: float(values[i]) for name, values in given.items()})
        flow = begin_flow(mechanism, start, method)
        runs = [integrate(method, flow, start.y, grid, rtol=rtol, atol=rtol * 1e-2) for _ in range(4 * ROUNDS)]
        found.append(min(run.statistics.wall_time for run in runs))
    return float(np.mean(found))


def time_calls(given: dict[str, np.ndarray], rtol: float) -> float:
    """Seconds of a whole call of simulate."""
    mechanism = lw.prepare(model())
    rows = [{name: float(values[i]) for name, values in given.items()} for i in range(TIMED)]

    def call() -> None:
        for row in rows:
            run = lw.simulate(mechanism, times=[0, END], parameters=row, rtol=rtol, atol=rtol * 1e-2, audit=False)
            run.values(["O.angle", "C.angle"])

    return best_time(call, TIMED, rounds=3)


def time_study(given: dict[str, np.ndarray], rtol: float) -> tuple[lw.answers.Study, float, float]:
    """The study, seconds of the processor for each of its variants, and on the clock for all; the best of several."""
    count, best, clock = len(next(iter(given.values()))), float("inf"), float("inf")
    for _ in range(ROUNDS):
        begin, on_clock = process_time(), perf_counter()
        study = study_of(given, rtol)
        best, clock = min(best, (process_time() - begin) / count), min(clock, perf_counter() - on_clock)
    return study, best, clock


def main() -> None:
    count = QUICK if "--quick" in sys.argv else COUNT
    rng = np.random.default_rng(0)
    given = {name: rng.uniform(*ends, count) for name, ends in LENGTHS.items()}
    rtol, error = coarsest(given)
    study, each, clock = time_study(given, rtol)
    alone, call = time_alone(given, rtol), time_calls(given, rtol)
    print(f"{count} four-bars over {END:g} s, rtol {rtol:g}, largest error {error:.1e} rad")
    print(f"{study.statistics['in lanes']} in lanes, {clock:.2f} s on the clock with {cpu_count()} cores")
    print(f"{'':<42}{'each, us':>10}{'a second and core':>20}{'ratio':>8}")
    for name, seconds in (
        ("simulate_many, all included", each),
        ("compiled runs alone, one after the other", alone),
        ("calls of simulate, one after the other", call),
    ):
        print(f"{name:<42}{seconds * 1e6:10.1f}{1.0 / seconds:20.0f}{seconds / each:8.1f}")


if __name__ == "__main__":
    main()
