"""What the audit costs a run: the problems of ``integrators.py`` with and without states that are kept for works.

A run keeps them where forces or drivers can do work, and evaluates nothing; the audit itself is made at the first look at a
result. Time: processor time, the best of several runs, both ways in turn.

    python benchmarks/audit.py [INTEGRATOR ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from peers import linkwork_flow
from problems import Problem, all_problems
from timing import best_times

from linkwork.analysis.gathering import has_powers
from linkwork.errors import LinkworkError
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.nodes import Nodes
from linkwork.numerics.integrators.run import integrate

INTEGRATORS = ("dop853", "dopri5", "taylor", "radau5", "bdf", "adams", "esdirk43")
TOLERANCES = (1e-6, 1e-9)
LONGEST = 0.2  # s


def prepared(problem: Problem, method: Method, rtol: float) -> list[Callable[[], int]]:
    """A run without and one with what is kept; each gives the number of its steps."""
    flow, start = linkwork_flow.fresh_flow(problem, method), linkwork_flow.prepared(problem)[1]
    memory = flow.ic.copy(), flow.w.copy()

    def run(keeps: bool) -> int:
        flow.ic[:], flow.w[:] = memory
        kept: list[Nodes] = []
        gather = kept.append if keeps else None
        return integrate(method, flow, start, problem.grid, rtol=rtol, atol=1e-2 * rtol, gather=gather).statistics.steps

    return [lambda: run(False), lambda: run(True)]


def main(names: list[str]) -> None:
    print(f"{'problem':<16}{'integrator':<12}{'rtol':>8}{'steps':>8}{'ms':>10}{'kept, ms':>10}{'ratio':>8}")
    for problem in all_problems():
        if not has_powers(linkwork_flow.prepared(problem)[0]):
            continue  # nothing is kept
        for name in names or INTEGRATORS:
            for rtol in TOLERANCES:
                try:
                    runs = prepared(problem, method_named(name), rtol)
                    steps = runs[0]()
                except LinkworkError:
                    continue
                plain, kept = best_times(runs, rounds=5, limit=LONGEST)
                row = f"{plain * 1e3:>10.3f}{kept * 1e3:>10.3f}{kept / plain:>8.2f}"
                print(f"{problem.name:<16}{name:<12}{rtol:>8.0e}{steps:>8}{row}")


if __name__ == "__main__":
    main(sys.argv[1:])
