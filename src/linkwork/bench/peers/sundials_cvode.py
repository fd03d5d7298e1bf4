"""CVODE of SUNDIALS (through scikit-sundae) on the compiled right-hand side of Linkwork: Adams and BDF formulas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.compiled_rates import rates_into
from linkwork.bench.peers.linkwork_flow import ATOL, observed

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "scikit-sundae"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(task: Task) -> list[Contender]:
    import sksundae  # noqa: F401

    read = partial(observed, task)
    return [Contender(f"CVODE, {name}", TOLERANCES, partial(_prepare, task, name), read) for name in ("Adams", "BDF")]


def _prepare(task: Task, name: str, tolerance: float) -> Timed:
    from sksundae.cvode import CVODE

    rates, start = rates_into(task)
    grid = task.grid
    solver = CVODE(
        lambda t, y, out: rates(t, y, out),
        method=name,
        rtol=tolerance,
        atol=ATOL * tolerance,
        max_num_steps=10**6,
    )

    def run() -> Array:
        return np.asarray(solver.solve(grid, start).y)

    return run
