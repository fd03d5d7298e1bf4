"""What the audit costs a run, on the problems of ``integrators.py``. Four tables:

- the integration alone, with and without what is kept of its steps for works, by each integrator
- the whole of ``simulate`` with its default integrator, of a mechanism that is prepared, again and again: with audit=False,
  with an audit at which nobody looks, and where somebody does; and where nothing is kept of steps
- the same with 2000 steps of one size, of the first problem: looked at with and without the check by half steps
- a process of its own from its start to the first audit, with a filled cache: import, simulate, and the audit

Time: processor time, all ways in turn; the best of several runs, of repeated runs the median.

    python benchmarks/audit.py [INTEGRATOR ...]
    python benchmarks/audit.py --runs           the second table alone
    python benchmarks/audit.py --steps          the third
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import linkwork as lw
from linkwork.analysis.audit.auditor import Auditor
from linkwork.analysis.motion import gathering
from linkwork.analysis.motion.gathering import has_powers
from linkwork.bench.peers import linkwork_flow
from linkwork.bench.tasks import Task, all_tasks
from linkwork.bench.timing import best_times, median_times
from linkwork.errors import LinkworkError
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.nodes import Kept
from linkwork.numerics.integrators.run import integrate

INTEGRATORS = ("dop853", "dopri5", "taylor", "radau5", "bdf", "adams", "esdirk43")
TOLERANCES = (1e-6, 1e-9)
LONGEST = 0.2  # s
PROCESSES = 5
FIXED, STEPS = ("rk4", "trapezoidal", "abm4", "bdf2"), 2000
FIRST = """
import sys, warnings
from time import process_time
sys.path.insert(0, sys.argv[1])
start = process_time()
import linkwork as lw
imported = process_time()
warnings.simplefilter("ignore")
from linkwork.bench.tasks import all_tasks
problem = next(item for item in all_tasks() if item.name == sys.argv[2])
model = problem.model()
begin = process_time()
result = lw.simulate(model, times=problem.grid)
simulated = process_time()
result.audit
print(imported - start, simulated - begin, process_time() - simulated)
"""


def alone(problem: Task, method: Method, rtol: float) -> list[Callable[[], int]]:
    """An integration without and one with what is kept; each gives the number of its steps."""
    flow, start = linkwork_flow.fresh_flow(problem, method), linkwork_flow.prepared(problem)[1]
    memory = flow.memory.snapshot()

    def run(keeps: bool) -> int:
        flow.memory.restore(memory)
        kept: list[Kept] = []
        gather = kept.append if keeps else None
        return integrate(method, flow, start, problem.grid, rtol=rtol, atol=1e-2 * rtol, gather=gather).statistics.steps

    return [lambda: run(False), lambda: run(True)]


def whole(problem: Task, rtol: float) -> list[Callable[[], object]]:
    """Runs of a prepared mechanism: without an audit; not looked at; looked at; and where nothing is kept of steps."""
    mechanism, _ = linkwork_flow.prepared(problem)

    def run(audit: bool = True) -> lw.Result:
        return lw.simulate(mechanism, times=problem.grid, rtol=rtol, atol=1e-2 * rtol, audit=audit)

    def bare() -> object:
        gathering.has_powers = lambda mechanism: False
        try:
            return run(audit=False)
        finally:
            gathering.has_powers = has_powers

    return [lambda: run(audit=False), run, lambda: run().audit, bare]


def print_integrations(names: list[str]) -> None:
    print(f"{'problem':<16}{'integrator':<12}{'rtol':>8}{'steps':>8}{'ms':>10}{'kept, ms':>10}{'ratio':>8}")
    for problem in all_tasks():
        if not has_powers(linkwork_flow.prepared(problem)[0]):
            continue  # nothing is kept
        for name in names or INTEGRATORS:
            for rtol in TOLERANCES:
                try:
                    runs = alone(problem, method_named(name), rtol)
                    steps = runs[0]()
                except LinkworkError:
                    continue
                plain, kept = best_times(runs, rounds=5, limit=LONGEST)
                row = f"{plain * 1e3:>10.3f}{kept * 1e3:>10.3f}{kept / plain:>8.2f}"
                print(f"{problem.name:<16}{name:<12}{rtol:>8.0e}{steps:>8}{row}", flush=True)


def print_runs() -> None:
    print(f"\n{'simulate':<16}{'rtol':>8}{'audit=False, ms':>17}{'not looked at':>15}{'ratio':>8}", end="")
    print(f"{'looked at':>11}{'ratio':>8}{'nothing kept':>14}{'ratio':>8}")
    for problem in all_tasks():
        for rtol in TOLERANCES:
            functions = whole(problem, rtol)
            functions[2]()  # what an audit looks at is written once for a mechanism
            without, unseen, looked, bare = (1e3 * time for time in median_times(functions))
            row = f"{without:>17.2f}{unseen:>15.2f}{unseen / without:>8.2f}{looked:>11.2f}{looked / without:>8.2f}"
            print(f"{problem.name:<16}{rtol:>8.0e}{row}{bare:>14.2f}{bare / without:>8.2f}", flush=True)


def print_steps() -> None:
    print(
        f"\n{'fixed_step':<16}{'outputs':>8}{'audit=False, ms':>17}{'looked at':>11}{'check of steps':>16}{'ratio':>8}"
    )
    problem = all_tasks()[0]
    mechanism, _ = linkwork_flow.prepared(problem)
    until = float(problem.grid[-1])

    def run(name: str, outputs: int, audit: bool = True, check: bool = True) -> object:
        options = {"integrator": name, "fixed_step": until / STEPS, "step": until / outputs}
        result = lw.simulate(mechanism, until, audit=audit, **options)
        if not audit:
            return result
        auditor = result.auditor
        assert isinstance(auditor, Auditor)
        return auditor() if check else replace(auditor, again=None)()

    for name in FIXED:
        for outputs in (1000, 163):  # where steps end, and where they do not
            ways = [{"audit": False}, {"check": False}, {}]
            plain, others, looked = (
                1e3 * time for time in median_times([partial(run, name, outputs, **way) for way in ways])
            )
            row = f"{plain:>17.2f}{looked:>11.2f}{looked - others:>16.2f}{(looked - others) / plain:>8.2f}"
            print(f"{name:<16}{outputs:>8}{row}", flush=True)


def print_processes() -> None:
    print(f"\n{'first run':<16}{'import, ms':>12}{'simulate, ms':>14}{'audit, ms':>12}{'ratio':>8}")
    for problem in all_tasks():
        command = [sys.executable, "-c", FIRST, str(Path(__file__).parent), problem.name]
        rows = []
        for _ in range(PROCESSES):
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            rows.append([1e3 * float(word) for word in done.stdout.split()])
        imported, simulated, audited = (min(column) for column in zip(*rows, strict=True))
        row = f"{imported:>12.0f}{simulated:>14.1f}{audited:>12.1f}{1 + audited / simulated:>8.2f}"
        print(f"{problem.name:<16}{row}", flush=True)


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    alone = {("--runs",): print_runs, ("--steps",): print_steps}.get(tuple(names))
    if alone is not None:
        alone()
        return
    print_integrations(names)
    print_runs()
    print_steps()
    print_processes()


if __name__ == "__main__":
    main(sys.argv[1:])
