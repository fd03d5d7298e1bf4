"""Solvers of contacts with friction beside each other: python benchmarks/complementarity.py [--quick] [--plot FILE]

Families of problems, each one step of a pile of bodies: stacks of cubes, the same with heavy ones on light ones,
walls of bricks, piles of balls, and a person on two feet, that slides and that stands. Every solver has each of them
from nothing, to a residual of 1e-3, 1e-6 and 1e-9 of the largest speed that is given; times are processor time of the
compiled call alone, the best of three.

The table has for each family the median over its problems of the time beside the quickest of that problem, of those
that were solved, and how many were. The figure is a performance profile (E. Dolan, J. Moré 2002): the part of all
problems that a solver has solved within so many times the time of the quickest.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "references"))

from contact_problems import feet, pile, stack, wall

from linkwork.numerics.complementarity.choice import ALL_SOLVERS, choose
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.gauss_seidel import GaussSeidel
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solver import ContactSolver
from linkwork.numerics.complementarity.solving import ready

TOLERANCES = (1e-3, 1e-6, 1e-9)
FACTORED = 4000  # rows beyond which solvers that factorise are left out, which counts as not solved
SWEEPS = 200  # that are timed
PATIENCE = 1.0  # s of a call: solvers that go on get as many iterations as fit
SOLVERS: dict[str, ContactSolver] = {
    **{solver.name: solver for solver in ALL_SOLVERS},
    "gauss_seidel ω 1.3": GaussSeidel(relaxation=1.3),
    "alart_curnier": SemismoothNewton(function="alart_curnier"),
}
Family = Callable[[bool], Iterator[ContactProblem]]


def stacks(quick: bool) -> Iterator[ContactProblem]:
    yield from (stack(n).problem() for n in ((2, 5, 10) if quick else (2, 3, 5, 8, 12, 20, 40)))


def heavy(quick: bool) -> Iterator[ContactProblem]:
    yield from (
        stack(n, growth=growth).problem() for n, growth in (((3, 10.0),) if quick else ((3, 10.0), (4, 5.0), (5, 10.0)))
    )


def walls(quick: bool) -> Iterator[ContactProblem]:
    yield from (
        wall(n, m).problem() for n, m in (((2, 2), (3, 3)) if quick else ((2, 2), (3, 3), (4, 5), (6, 6), (9, 9)))
    )


def piles(quick: bool) -> Iterator[ContactProblem]:
    for count, seed in ((12, 0), (30, 1)) if quick else ((12, 0), (30, 1), (60, 2), (120, 3), (300, 4), (600, 5)):
        bodies, velocity = pile(count, seed)
        yield bodies.problem(velocity)


def people(quick: bool) -> Iterator[ContactProblem]:
    for factor in (0.0, 1.0) if quick else (0.0, 0.3, 1.0, 3.0):
        bodies, velocity = feet()
        yield bodies.problem(factor * velocity)


FAMILIES: dict[str, Family] = {
    "stacks": stacks,
    "heavy on light": heavy,
    "walls": walls,
    "piles": piles,
    "feet": people,
}


@dataclass(frozen=True)
class Trial:
    """A problem and a tolerance: s and iterations of every solver, infinite where it did not end."""

    family: str
    rows: int
    tolerance: float
    seconds: dict[str, float]
    iterations: dict[str, int]
    chosen: float


def clock(problem: ContactProblem, solver: ContactSolver, tolerance: float) -> tuple[float, int]:
    """Time and iterations of one solver."""
    if solver.factors and problem.b.size > FACTORED:
        return np.inf, 0
    own = ready(problem, solver)
    begun = time.process_time()
    found = own.solve(problem.b, tolerance, np.zeros(problem.b.size))
    taken = time.process_time() - begun
    if not found.solved and taken < PATIENCE:
        more = int(min(20.0, PATIENCE / max(taken, 1e-4)) * solver.limit)
        own.solver = replace(solver, limit=more)
        found = own.solve(problem.b, tolerance, np.zeros(problem.b.size))
        taken = time.process_time() - begun - taken
    if not found.solved:
        return np.inf, found.iterations
    best = taken
    for _ in range(3 if taken < 0.2 * PATIENCE else 0):
        own.record.f[:], own.record.tolerance, own.record.limit = 0.0, tolerance, own.solver.limit
        own.memory = own.solver.memory(problem)
        begun = time.process_time()
        own.run()
        best = min(best, time.process_time() - begun)
    return best, found.iterations


def clock_choice(problem: ContactProblem, tolerance: float) -> float:
    """Time of the solvers that are chosen, one after the other, until one ends."""
    total = 0.0
    for solver in choose(problem, tolerance / problem.size).solvers:
        own, times = ready(problem, solver), []
        for _ in range(3):
            own.memory = solver.memory(problem)
            begun = time.process_time()
            found = own.solve(problem.b, tolerance, np.zeros(problem.b.size))
            times.append(time.process_time() - begun)
        total += min(times)
        if found.solved:
            return total
    return np.inf


def measure(families: list[str], *, quick: bool) -> list[Trial]:
    """All trials."""
    trials = []
    for name in families:
        for problem in FAMILIES[name](quick):
            for tolerance in TOLERANCES:
                both = {key: clock(problem, solver, tolerance * problem.size) for key, solver in SOLVERS.items()}
                chosen = clock_choice(problem, tolerance * problem.size)
                seconds, iterations = ({k: x[i] for k, x in both.items()} for i in (0, 1))
                trials.append(Trial(name, problem.b.size, tolerance, seconds, iterations, chosen))  # type: ignore[arg-type]
                best = min(seconds, key=lambda key: seconds[key])
                line = " ".join(f"{seconds[k] * 1e3:9.2f}" for k in SOLVERS)
                print(
                    f"{name:<15}{problem.b.size:5d} rows {tolerance:.0e}  {line}  {best}; chosen {chosen * 1e3:.2f}",
                    flush=True,
                )
    return trials


def ratios(trials: list[Trial], solver: str) -> np.ndarray:
    """Times beside the quickest of each trial."""
    return np.array([trial.seconds[solver] / min(trial.seconds.values()) for trial in trials])


def report(trials: list[Trial]) -> None:
    """The table."""
    print("\nTime beside the quickest of each problem, the median of those that were solved, and how many were")
    print(f"{'':<24}" + "".join(f"{solver:>22}" for solver in SOLVERS))
    families = dict.fromkeys(trial.family for trial in trials)
    for family in families:
        for tolerance in TOLERANCES:
            own = [trial for trial in trials if trial.family == family and trial.tolerance == tolerance]
            cells = []
            for solver in SOLVERS:
                known = ratios(own, solver)
                solved = known[np.isfinite(known)]
                cells.append(f"{np.median(solved) if solved.size else np.inf:12.1f} ({solved.size:2d}/{len(own):2d})")
            print(f"{family:<17}{tolerance:.0e} " + "".join(f"{cell:>22}" for cell in cells))
    taken = np.array([trial.chosen / min(trial.seconds.values()) for trial in trials])
    for family in families:
        own = [trial for trial in trials if trial.family == family]
        taken = np.array([trial.chosen / min(trial.seconds.values()) for trial in own])
        print(f"{family:<17}chosen: median {np.median(taken):.1f}, most {taken.max():.1f}")
    taken = np.array([trial.chosen / min(trial.seconds.values()) for trial in trials])
    print(f"those that are chosen: median {np.median(taken):.1f}, solved {np.isfinite(taken).sum()} of {taken.size}")


def sweep_rates() -> None:
    """What a sweep takes, beside the product with A of SciPy's sparse rows."""
    print("\nA sweep: ns for a block of A, cases of the contacts included, and beside A f of SciPy's sparse rows")
    bodies, velocity = pile(400)
    for name, problem in (
        ("pile of 400 balls", bodies.problem(velocity)),
        ("wall of 8 × 8 bricks", wall(8, 8).problem()),
    ):
        own = ready(problem, GaussSeidel(limit=SWEEPS, waiting=SWEEPS))
        own.solve(problem.b, 0.0)
        times: list[list[float]] = [[], []]
        for _ in range(5):
            own.record.f[:] = 0.0
            begun = time.process_time()
            own.run()
            times[0].append(time.process_time() - begun)
            begun = time.process_time()
            for _ in range(SWEEPS):
                problem.entries @ problem.b
            times[1].append(time.process_time() - begun)
        sweep, product = (min(x) / SWEEPS for x in times)
        print(
            f"{name:<22}{problem.count:5d} contacts {sweep / problem.columns.size * 1e9:6.1f} ns {sweep / product:6.2f}"
        )


def draw(trials: list[Trial], file: str) -> None:
    """The performance profiles."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(TOLERANCES), figsize=(15, 4.6), layout="constrained", sharey=True)
    for axis, tolerance in zip(axes, TOLERANCES, strict=True):
        own = [trial for trial in trials if trial.tolerance == tolerance]
        for number, solver in enumerate(SOLVERS):
            known = np.sort(ratios(own, solver))
            solved = known[np.isfinite(known)]
            share = np.arange(1, solved.size + 1) / known.size
            way = "--" if number >= len(ALL_SOLVERS) else "-"
            last = share[-1] if solved.size else 0.0
            axis.step([1.0, *solved, 1e4], [0.0, *share, last], where="post", label=solver, color=f"C{number}", ls=way)
        axis.set(
            xscale="log", xlim=(1.0, 1e3), ylim=(0.0, 1.02), title=f"residual {tolerance:.0e} of the largest speed"
        )
        axis.set_xlabel("time beside the quickest")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("part of the problems that are solved")
    axes[-1].legend(frameon=False, fontsize=8, loc="lower right")
    figure.savefig(file, dpi=110)


def main(arguments: list[str] | None = None) -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("families", nargs="*", default=list(FAMILIES), help=", ".join(FAMILIES))
    reader.add_argument("--quick", action="store_true")
    reader.add_argument("--plot", default=None)
    given = reader.parse_args(arguments)
    trials = measure(given.families, quick=given.quick)
    report(trials)
    sweep_rates()
    if given.plot is not None:
        draw(trials, given.plot)


if __name__ == "__main__":
    main()
