"""Linkwork itself, through the interface of the peers: its default, and every integrator that can step the task."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import linkwork as lw
from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.motion.integrator import choose_integrator
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.equations.energy import kinetic_energy, potential_energy
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.dop853 import DOP853
from linkwork.numerics.integrators.legs import NextLeg, integrate_in_legs
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus, Solution, State

if TYPE_CHECKING:
    from linkwork.bench.task import Task

TOLERANCES = tuple(10.0**-k for k in range(3, 14))
STEPS = tuple(1 / 2**k for k in range(9, 17))  # of the run
ATOL = 1e-2  # of rtol, as in the defaults of ``simulate``
DEFAULT = "Linkwork, default"


def contenders(task: Task) -> list[Contender]:
    read = partial(observed, task)
    found = [Contender(DEFAULT, TOLERANCES, partial(prepare_default, task), read, own=True)]
    for method in ALL_METHODS:
        if method.uses_series and prepared(task)[0].equations.scheme.no_series:
            continue
        settings = TOLERANCES if method.adaptive else tuple(task.end * step for step in STEPS)
        unit = "tolerance" if method.adaptive else "step"
        found.append(
            Contender(f"Linkwork, {method.name}", settings, partial(prepare_method, task, method), read, unit, own=True)
        )
    return found


@cache
def prepared(task: Task) -> tuple[Mechanism, Array]:
    """The mechanism with the default formulation, and its start."""
    mechanism = lw.prepare(task.model())
    return mechanism, mechanism.start().y


def fresh_flow(task: Task, method: Method = DOP853) -> Flow:
    """A flow from the start, with all that the integrator asks for."""
    mechanism, _ = prepared(task)
    return begin_flow(mechanism, mechanism.start(), method)


def observed(task: Task, y: Array) -> Array:
    """What is observed, of states (N, n); undefined where a run has stopped early."""
    found = np.full(len(task.grid), np.nan)
    names = prepared(task)[0].coordinates.kinematics.q_names
    found[: len(y)] = energies(task, y) if task.observe is None else task.observe(names, y)
    return found


def energies(task: Task, y: Array) -> Array:
    """Kinetic and potential energy of states (N, n)."""
    mechanism, _ = prepared(task)
    c = mechanism.coordinates
    function = make_function("energies", c, {"E": kinetic_energy(c) + potential_energy(c)})
    return mechanism.compiled(function).batch(task.grid[: len(y)], y, mechanism.start().p)[:, 0]


def prepare_method(task: Task, method: Method, setting: float) -> Timed:
    """A run with one integrator: of a tolerance, or of a step where the method has fixed ones."""
    options: dict[str, Any] = {"rtol": setting, "atol": ATOL * setting} if method.adaptive else {"step": setting}
    flow, start, grid = fresh_flow(task, method), prepared(task)[1], task.grid
    memory = flow.memory.snapshot()

    def run() -> Array:
        # a flow belongs to one run (it remembers its independent coordinates): put its memory back to the start
        flow.memory.restore(memory)
        return integrate(method, flow, start, grid, **options).y

    return run


def prepare_default(task: Task, rtol: float) -> Timed:
    """A run as ``simulate`` makes it when nobody says which integrator: it may change on the way."""
    choice = choose_integrator(None, prepared(task)[0].equations, rtol)
    flow, start, grid = fresh_flow(task, choice.method), prepared(task)[1], task.grid
    memory = flow.memory.snapshot()

    def run() -> Array:
        flow.memory.restore(memory)
        review = choice.review()

        def turn(leg: Solution) -> NextLeg | None:
            handed = leg.status is RunStatus.HANDED_OVER and review is not None
            return (
                NextLeg(review.method, State(leg.t_reached, leg.y_reached)) if handed and review is not None else None
            )

        options: dict[str, Any] = {
            "rtol": rtol,
            "atol": ATOL * rtol,
            "events": None,
            "review": review,
            "progress": None,
        }
        first = NextLeg(choice.method, State(float(grid[0]), start))
        return integrate_in_legs(first, flow, grid, turn, **options).y

    return run
