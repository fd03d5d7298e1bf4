"""SciPy on the compiled right-hand side of Linkwork: DOP853 and Radau (in Python), LSODA (in Fortran)."""

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

PACKAGE = "scipy"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)


def contenders(task: Task) -> list[Contender]:
    names, read = ("DOP853", "Radau", "LSODA"), partial(observed, task)
    return [Contender(f"SciPy, {name}", TOLERANCES, partial(_prepare, task, name), read) for name in names]


def _prepare(task: Task, name: str, tolerance: float) -> Timed:
    from scipy.integrate import odeint, solve_ivp

    fill, start = rates_into(task)
    grid, out = task.grid, np.empty(start.size)

    def rates(t: float, y: Array) -> Array:
        fill(t, y, out)
        return out.copy()

    def run() -> Array:
        if name == "LSODA":
            options = {"rtol": tolerance, "atol": ATOL * tolerance, "mxstep": 10**6}
            return np.asarray(odeint(rates, start, grid, tfirst=True, **options))
        found = solve_ivp(rates, (0.0, task.end), start, name, grid, rtol=tolerance, atol=ATOL * tolerance)
        return np.asarray(found.y.T)

    return run
