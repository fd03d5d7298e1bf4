"""A run of a mechanism: from its start over a grid of times."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import to_sx
from linkwork.analysis.motion.changes import Changes, parameters_along
from linkwork.analysis.motion.effort import RunEffort
from linkwork.analysis.motion.impacts import IMPACT_LAWS, ImpactLaw
from linkwork.analysis.motion.integrator import MethodChoice
from linkwork.analysis.motion.leaps import Leaps
from linkwork.analysis.motion.work import Gathered, Seam
from linkwork.analysis.prepared.prepare import Array, Mechanism, Start
from linkwork.compiler.program import build
from linkwork.coordinates.naming import Lookup
from linkwork.equations.energy import energy_function
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import begin_again
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.flow import Energy, Events, Flow
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.automatic import Automatic, MethodChange
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.energy_midpoint import ENERGY_MIDPOINT
from linkwork.numerics.integrators.legs import NextLeg, before, integrate_in_legs, stretches
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus, Solution, State
from linkwork.numerics.kernels.stepping.status import HELD, WATCHED
from linkwork.results.outcome import Outcome


@dataclass(frozen=True)
class Event:
    """A formula of the state whose zeros are found during a run.

    direction: +1 only upward crossings, −1 only downward ones, 0 both. stop: whether a crossing ends the run.
    """

    formula: str
    direction: int = 0
    stop: bool = False


@dataclass(frozen=True, eq=False)
class Course:
    """What a run was: its flow, its solution, what has changed on the way, and the changes of its integrator."""

    flow: Flow
    solution: Solution
    changes: Changes
    methods: tuple[MethodChange, ...] = ()
    ended: Outcome | None = None  # where a value ends that its equations do not need
    gathered: Gathered | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """A mechanism with a start, an integrator and its options.

    gather: makes what keeps states inside the steps, of the outputs and of the parameters in force; None: nobody does
    law: of impacts
    """

    mechanism: Mechanism
    choice: MethodChoice
    start: Start
    effort: RunEffort
    gather: Callable[[Array, Array], Gathered] | None = None
    law: ImpactLaw = IMPACT_LAWS["newton"]

    def advance(
        self,
        grid: Array,
        events: Mapping[str, Event] | None = None,
        progress: Callable[[float], object] | None = None,
        max_step: float = math.inf,
    ) -> Course:
        """Integrate over the grid; the events of relations that end and of formulas that jump are looked after."""
        method = self.choice.method
        flow = begin_flow(self.mechanism, replace(self.start, p=self.start.p.copy()), method)
        first = len(events or {}) + len(self.mechanism.coordinates.bounds)
        changes = Changes.of(self.mechanism, flow, fixed=self.effort.step is not None, others=first, law=self.law)
        review = self.choice.review()
        longest = min(max_step, changes.switching.longest_step(float(grid[0]), self.effort.until))
        begun = changes.begin(float(grid[0]), self.start.y, self.start.mode)
        p = flow_parameters(flow)[: self.mechanism.coordinates.p.numel()]
        watched = event_functions(self.mechanism, events or {}, p, changes.guards, changes.switching.rounding)
        gathered = self.gather(grid, p) if self.gather is not None else None
        options = {
            **self.effort.options,
            "max_step": longest,
            "events": watched,
            "review": review,
            "progress": progress,
            "gather": gathered if gathered is not None and gathered.wanted else None,
        }
        leaps = Leaps(watched, len(events or {}))
        solution = integrate_in_legs(
            NextLeg(method, begun), flow, grid, self._turn(changes, review, gathered, leaps), **options
        )
        changes.switching.release()
        if changes.stopped is not None:
            solution = before(solution, solution.t_reached)
        elif solution.status is RunStatus.EVENT and solution.events[-1].index >= first and not leaps.end:
            solution = replace(solution, status=RunStatus.COMPLETED)  # a jump at the very end
        located = tuple(event for event in solution.events if event.index < first)
        located = tuple(sorted([*located, *leaps.found], key=lambda event: event.t))
        if gathered is not None:
            gathered.impulses += changes.holding.impulses
            gathered.law = self.law.name
            if self.effort.step is None and max_step == math.inf:
                gathered.rtol, gathered.again = self.effort.rtol, partial(self._again, solution)
        others = () if review is None else tuple(review.changes)
        return Course(flow, replace(solution, events=located), changes, others, gathered=gathered)

    def _again(self, solution: Solution, grid: Array, max_step: float) -> Gathered | None:
        """What the same run leaves inside shorter steps: in stretches from states that it has reached itself."""
        if len(grid) < 2 or self.gather is None:
            return None
        flow = begin_flow(self.mechanism, replace(self.start, p=self.start.p.copy()), self.choice.method)
        known = flow_parameters(flow)[: self.mechanism.coordinates.p.numel()]
        gathered, begun = self.gather(grid, known), known.copy()
        for leg, start, end, y in stretches(solution):
            known[:] = parameters_along(self.mechanism.coordinates, [leg], np.array([start]), begun)[0]
            if not _begins(flow, start, y, limits=bool(self.mechanism.coordinates.limits)):
                return gathered
            method = self.choice.method if leg.method == self.choice.method.name else method_named(leg.method)
            inside = grid[(grid > start) & (grid < end)]
            options = {**self.effort.options, "max_step": max_step, "gather": gathered}
            part = integrate(method, flow, y, np.concatenate([[start], inside, [end]]), **options)
            if part.interrupted:
                raise KeyboardInterrupt
            if part.status is not RunStatus.COMPLETED:
                return gathered
        return gathered

    def _turn(
        self, changes: Changes, review: Automatic | None, gathered: Gathered | None, leaps: Leaps
    ) -> Callable[[Solution], NextLeg | None]:
        """How a run goes on after a leg: by another integrator, or behind what has changed; leaps: events on the way."""
        first = changes.switching.others

        def turn(leg: Solution) -> NextLeg | None:
            now = self.choice.method if review is None else review.method
            state = State(leg.t_reached, leg.y_reached, leg.parts[-1].mode)
            if leg.status is RunStatus.HANDED_OVER:
                return NextLeg(now, state)
            if leg.status is not RunStatus.EVENT or leg.events[-1].index < first:
                return None
            end = leg.t_reached
            here = [event for event in leg.events if event.index >= first and event.t >= end - 4 * np.spacing(abs(end))]
            values = leaps.values(end, leg.y_reached)
            found = changes.turn(state, leg.statistics.steps, {event.index - first for event in here})
            if found is not None and leaps.look(leg, values, found[0]):
                # the run ends before what happens here
                changes.holding.impulses[:] = [work for work in changes.holding.impulses if work.time < end]
                return None
            if found is not None and gathered is not None and not np.array_equal(state.y, found[0].y):
                p = flow_parameters(changes.flow)[: self.mechanism.coordinates.p.numel()].copy()
                held = tuple(sorted({*state.mode.held, *found[0].mode.held}))
                gathered.turns.append(Seam(end, np.array(state.y), np.array(found[0].y), p, held))
            return None if found is None else NextLeg(now, *found)

        return turn


def _begins(flow: Flow, t: float, y: Array, *, limits: bool) -> bool:
    """Let a flow go on from a state; limits: whether conditions come and go."""
    return begin_again(flow, t, y, first=True) is None if limits else flow.begin(t, y) >= 0


def begin_flow(mechanism: Mechanism, start: Start, method: Method, time: float | None = None) -> Flow:
    """The flow from a consistent state, with all that the integrator asks for."""
    flow = mechanism.flow(start, time, series=method.uses_series, slope=method.implicit)
    return replace(flow, energy=_energy(mechanism, start)) if method.keeps_energy else flow


def _energy(mechanism: Mechanism, start: Start) -> Energy:
    """The energy of a mechanism that nothing drives."""
    c, name = mechanism.coordinates, ENERGY_MIDPOINT.name
    if not c.a.is_zero() or mechanism.topology.drives.names:
        raise RefusedError(
            f"the integrator '{name}' keeps energies, which drivers and moving conditions change; take 'implicit_midpoint'"
        )
    compiled = mechanism.compiled(energy_function(c))
    return Energy(compiled, start.p, c.v.numel())


def event_functions(
    mechanism: Mechanism, events: Mapping[str, Event], p: Array, held: ca.SX, rounding: ArrayLike = 0.0
) -> Events | None:
    """The formulas of the events, behind them the bounds of relations and forces, which end the run, and guards that hold.

    rounding: of all of them; it is read where a leg begins
    """
    c = mechanism.coordinates
    if not events and not c.bounds and not held.numel():
        return None
    lookup = Lookup(c.topology, c.motion, c.t, c.related)
    values = [ca.SX(to_sx(lookup.model.formula(event.formula), lookup.name)) for event in events.values()]
    ends = [bound.room for _, bound in c.bounds]
    holding = [WATCHED if ca.depends_on(guard, c.y) else HELD for guard in ca.vertsplit(held)] if held.numel() else []
    outputs = [ca.densify(ca.vertcat(*values, *ends, held))]
    function = ca.Function("events", [c.t, c.y, c.p], outputs, ["t", "y", "p"], ["g"])
    program = build({"events": function}, mechanism.program.backend)
    return Events(
        function=program["events"],
        count=outputs[0].numel(),
        p=p,
        directions=[*(event.direction for event in events.values()), *([-1] * len(ends)), *holding],
        terminal=[*(event.stop for event in events.values()), *([True] * (len(ends) + held.numel()))],
        rounding=rounding,
    )
