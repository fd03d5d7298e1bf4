"""What closed forms save: one evaluation of the equations of motion, and a run, for one mechanism of every sort.

The mechanisms (``src/linkwork/mechanisms``) fall from rest. The flow is everything between (t, y) and the derivative, loops
included, at states of the run; the run is 2 s with the default tolerances. The ratios are to coordinate partitioning,
which solves every loop by Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from contenders import FORMULATIONS
from mechanisms import MECHANISMS, load_mechanism

import linkwork as lw
from linkwork.bench.timing import best_times
from linkwork.numerics.flows.flow import evaluate_flow
from linkwork.numerics.integrators.run import integrate

NEWTON = "partitioning"
GRID = np.linspace(0.0, 2.0, 1001)
RTOL, ATOL = 1e-9, 1e-11


@dataclass(frozen=True)
class Subject:
    """What is timed of one formulation: the flow at all states of a run, and the run."""

    flow: Callable[[], object]
    run: Callable[[], object]


def prepare(model: lw.Model, formulation: str) -> Subject:
    mechanism = lw.prepare(model, formulation=formulation)
    start = mechanism.start()
    again = mechanism.flow(start)

    def run() -> np.ndarray:
        # a flow belongs to one run
        solution = integrate("dop853", mechanism.flow(start), start.y, GRID, rtol=RTOL, atol=ATOL)
        if solution.t_reached < GRID[-1]:
            raise SystemExit(f"{mechanism.model.name}, {formulation}: the run ended at {solution.t_reached:g} s")
        return solution.y

    states = run()
    if not np.all(np.isfinite(evaluate_flow(again, GRID, states))):
        raise SystemExit(f"{mechanism.model.name}, {formulation}: the flow fails at a state of its own run")
    return Subject(lambda: evaluate_flow(again, GRID, states), run)


def main() -> None:
    print("Closed form and Newton: time of the flow (ns) and of a run of 2 s (ms), with the ratios to partitioning")
    print(f"{'':<20}" + "".join(f"{name:^32}" for name in FORMULATIONS))
    print(f"{'mechanism':<20}" + "".join(f"{'flow':>8}{'ratio':>7}{'run':>9}{'ratio':>7} " for _ in FORMULATIONS))
    for name, title in MECHANISMS.items():
        model = load_mechanism(name)
        subjects = [prepare(model, formulation) for formulation in FORMULATIONS]
        flows = np.array(best_times([subject.flow for subject in subjects])) / GRID.size
        runs = np.array(best_times([subject.run for subject in subjects]))
        newton = FORMULATIONS.index(NEWTON)
        cells = [
            f"{flow * 1e9:8.0f}{flow / flows[newton]:7.2f}{run * 1e3:9.3f}{run / runs[newton]:7.2f} "
            for flow, run in zip(flows, runs, strict=True)
        ]
        print(f"{title:<20}" + "".join(cells))


if __name__ == "__main__":
    main()
