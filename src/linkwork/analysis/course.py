"""A run of a mechanism: from its start over a grid of times, and again with the same steps where somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import parse, to_sx
from linkwork.analysis.prepare import Array, Mechanism, Start
from linkwork.analysis.switching import Switching, guards
from linkwork.analysis.work import States
from linkwork.compiler.program import build
from linkwork.coordinates.naming import Lookup
from linkwork.equations import AugmentedLagrangian
from linkwork.equations.energy import energy_function
from linkwork.equations.formulations.penalty import penalties
from linkwork.errors import RefusedError, ResultError
from linkwork.numerics.accelerations import accelerations
from linkwork.numerics.constrained import ConstrainedSystem, augmented_flow
from linkwork.numerics.explicit import flow_parameters
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.energy_midpoint import ENERGY_MIDPOINT
from linkwork.numerics.integrators.flow import Energy, Events, Flow, evaluate_flow
from linkwork.numerics.integrators.legs import Turn, before, integrate_in_legs
from linkwork.numerics.integrators.solution import Solution, Status


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
    """What a run was: its flow, its solution, and the jumps of its formulas."""

    flow: Flow
    solution: Solution
    switching: Switching


@dataclass(frozen=True, eq=False)
class Run:
    """A mechanism with a start, an integrator and its options, which can be run and run again with the same steps."""

    mechanism: Mechanism
    method: Method
    start: Start
    options: Mapping[str, Any]

    def advance(
        self,
        grid: Array,
        events: Mapping[str, Event] | None = None,
        progress: Callable[[float], object] | None = None,
    ) -> Course:
        """Integrate over the grid; the events of relations that end and of formulas that jump are looked after."""
        flow = self.mechanism.flow(replace(self.start, p=self.start.p.copy()))
        if self.method.keeps_energy:
            flow = replace(flow, energy=_energy(self.mechanism, self.start))
        switching = Switching(self.mechanism, flow_parameters(flow), fixed=self.options.get("step") is not None)
        first = len(events or {}) + len(self.mechanism.coordinates.bounds)

        def turn(leg: Solution) -> Turn | None:
            if leg.status is not Status.EVENT or leg.events[-1].index < first:
                return None
            state = switching.change(leg.t_reached, leg.y_reached, leg.statistics.steps)
            return None if state is None else Turn(self.method, state)

        switching.hold(float(grid[0]), self.start.y)
        watched = self._watched(events or {}, flow)
        options = {**self.options, "events": watched, "progress": progress}
        solution = integrate_in_legs(Turn(self.method, self.start.y), flow, grid, turn, **options)
        switching.release()
        if switching.stopped is not None:
            solution = before(solution, solution.t_reached)
        located = tuple(event for event in solution.events if event.index < first)
        return Course(flow, replace(solution, events=located), switching)

    def _watched(self, events: Mapping[str, Event], flow: Flow) -> Events | None:
        """The formulas of the events, behind them the bounds of the relations, which end the run, and all guards."""
        c = self.mechanism.coordinates
        held = guards(c)
        if not events and not c.bounds and not held.numel():
            return None
        lookup = Lookup(c.topology, c.motion, c.t, c.unknowns)
        values = [ca.SX(to_sx(parse(event.formula), lookup.name)) for event in events.values()]
        ends = [bound.room for _, bound in c.bounds]
        outputs = [ca.densify(ca.vertcat(*values, *ends, held))]
        function = ca.Function("events", [c.t, c.y, c.p], outputs, ["t", "y", "p"], ["g"])
        program = build({"events": function}, self.mechanism.program.backend)
        others = len(ends) + held.numel()
        return Events(
            address=program["events"].address,
            count=len(values) + others,
            p=flow_parameters(flow)[: c.p.numel()],
            directions=[*(event.direction for event in events.values()), *([-1] * others)],
            terminal=[*(event.stop for event in events.values()), *([True] * others)],
            keepalive=(program,),
        )

    def between(self, solution: Solution, times: Array) -> States:
        """States of a run at further times before its last output."""
        found = self.advance(np.concatenate([solution.t[:1], times, solution.t[-1:]])).solution
        if len(found.t) <= len(times):
            raise ResultError(f"the run could not be repeated to integrate powers: {found.status.value}")
        return self.states(found.t[1 : len(times) + 1], found.y[1 : len(times) + 1])

    def states(self, t: Array, y: Array) -> States:
        """t, y and v̇: of formulations that count no rank their own, elsewhere by the null space of the conditions.

        No choice of coordinates can fail there, and at singular positions the formulation is asked.
        """
        c = self.mechanism.coordinates
        system = replace(self.mechanism.system(self.start.p), accelerate=0)
        rankless = self.mechanism.equations.formulation.abilities.singular_start
        own = self._own_flow() if rankless or not system.terms else None
        if own is None:
            return t, y, accelerations(system, t, y, (self._own_flow, lambda: self._penalised(system)))
        return t, y, evaluate_flow(own, t, y)[:, c.q.numel() : c.q.numel() + c.v.numel()]

    def _own_flow(self) -> Flow | None:
        """The flow of the formulation, where it gives the derivatives of the state y."""
        flow = self.mechanism.flow(self.start)
        return flow if flow.own is None and not self.mechanism.equations.formulation.implicit else None

    def _penalised(self, system: ConstrainedSystem) -> Flow:
        chosen, c = AugmentedLagrangian(), self.mechanism.coordinates
        penalty = penalties(c, chosen.alpha, 0.0, self.start.y, self.start.p)
        return augmented_flow(system, penalty, corrections=chosen.corrections, tolerance=chosen.tolerance)


def _energy(mechanism: Mechanism, start: Start) -> Energy:
    """The energy of a mechanism that nothing drives."""
    c, name = mechanism.coordinates, ENERGY_MIDPOINT.name
    if not c.a.is_zero() or mechanism.model.drivers:
        raise RefusedError(f"the integrator '{name}' keeps energies, but drivers and moving conditions change them")
    compiled = mechanism.compiled(energy_function(c))
    return Energy(compiled.address, start.p, c.v.numel(), (compiled,))
