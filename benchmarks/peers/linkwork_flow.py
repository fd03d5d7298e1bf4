"""Linkwork itself, through the interface of the peers: its default, and every integrator that can step the problem."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

import linkwork as lw
from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.motion.integrator import choose_integrator
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.errors import LinkworkError
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.dop853 import DOP853
from linkwork.numerics.integrators.legs import NextLeg, integrate_in_legs
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus, Solution, State
from peers.base import Contender, Run
from peers.equation import Array

if TYPE_CHECKING:
    from problems import Problem

TOLERANCES = tuple(10.0**-k for k in range(3, 14))
STEPS = tuple(1 / 2**k for k in range(9, 17))  # of the run
ATOL = 1e-2  # of rtol, as in the defaults of ``simulate``
DEFAULT = "Linkwork, default"


def contenders(problem: Problem) -> list[Contender]:
    found = [Contender(DEFAULT, TOLERANCES, partial(prepare_default, problem), own=True)]
    for method in ALL_METHODS:
        if method.uses_series and prepared(problem)[0].equations.scheme.no_series:
            continue
        settings = TOLERANCES if method.adaptive else tuple(problem.end * step for step in STEPS)
        unit = "tolerance" if method.adaptive else "step"
        found.append(
            Contender(f"Linkwork, {method.name}", settings, partial(prepare_method, problem, method), unit, own=True)
        )
    return found


@cache
def prepared(problem: Problem) -> tuple[Mechanism, Array]:
    """The mechanism with the default formulation, and its start."""
    mechanism = lw.prepare(problem.model())
    return mechanism, mechanism.start().y


def fresh_flow(problem: Problem, method: Method = DOP853) -> Flow:
    """A flow from the start, with all that the integrator asks for."""
    mechanism, _ = prepared(problem)
    return begin_flow(mechanism, mechanism.start(), method)


def observed(problem: Problem, y: Array) -> Array:
    """What is observed, of states (N, n); undefined where a run has stopped early."""
    names = prepared(problem)[0].coordinates.kinematics.q_names
    whole = np.full((len(problem.grid), y.shape[1]), np.nan)
    whole[: len(y)] = y
    return problem.observe(names, whole)


def prepare_method(problem: Problem, method: Method, setting: float) -> Run:
    """A run with one integrator: of a tolerance, or of a step where the method has fixed ones."""
    options = {"rtol": setting, "atol": ATOL * setting} if method.adaptive else {"step": setting}
    flow, start, grid = fresh_flow(problem, method), prepared(problem)[1], problem.grid
    memory = flow.memory.snapshot()

    def run() -> Array:
        # a flow belongs to one run (it remembers its independent coordinates): put its memory back to the start
        flow.memory.restore(memory)
        return observed(problem, integrate(method, flow, start, grid, **options).y)

    return run


def prepare_default(problem: Problem, rtol: float) -> Run:
    """A run as ``simulate`` makes it when nobody says which integrator: it may change on the way."""
    choice = choose_integrator(None, prepared(problem)[0].equations, rtol)
    flow, start, grid = fresh_flow(problem, choice.method), prepared(problem)[1], problem.grid
    memory = flow.memory.snapshot()

    def run() -> Array:
        flow.memory.restore(memory)
        review = choice.review()

        def turn(leg: Solution) -> NextLeg | None:
            handed = leg.status is RunStatus.HANDED_OVER and review is not None
            return (
                NextLeg(review.method, State(leg.t_reached, leg.y_reached)) if handed and review is not None else None
            )

        options = {"rtol": rtol, "atol": ATOL * rtol, "events": None, "review": review, "progress": None}
        first = NextLeg(choice.method, State(float(grid[0]), start))
        return observed(problem, integrate_in_legs(first, flow, grid, turn, **options).y)

    return run


__all__ = ["DEFAULT", "LinkworkError", "contenders", "fresh_flow", "observed", "prepare_method", "prepared"]
