"""Steps of a motion without contacts: one of the integrators, of fixed cost and stable at the given step."""

from __future__ import annotations

import casadi as ca

from linkwork.analysis.motion.course import begin_flow, event_functions
from linkwork.analysis.motion.outcome import explain, stopped_at
from linkwork.analysis.motion.undefined import is_defined
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.realtime.asked import LiveQuestion
from linkwork.analysis.realtime.by_hand import Hand
from linkwork.analysis.realtime.live_outputs import LiveOutputs
from linkwork.analysis.realtime.method import ITERATIONS, Chosen, choose_method
from linkwork.analysis.realtime.step_checks import audit_steps, remarks_in_time, rows_seen
from linkwork.arrays import Array
from linkwork.coordinates.undefined import undefined_at
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.newton import fix_iterations
from linkwork.numerics.integrators.run import with_solver
from linkwork.numerics.integrators.stepper import Stepper
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.results.audit import Audit
from linkwork.results.outcome import EventRecord, Outcome

LARGE = 5000  # instructions of equations whose further formulas are compiled only when a run comes to need them


class SmoothSteps:
    """A mechanism that nothing hits. start: with the parameters p that all that is compiled reads in place."""

    solved = None

    def __init__(self, mechanism: Mechanism, start: Start, asked: LiveQuestion) -> None:
        self.mechanism, self._p, self._asked = mechanism, start.p, asked
        self.hand = Hand(mechanism, start.p)
        flow = mechanism.flow(start)
        assert not isinstance(asked.integrator, MoreauJean)
        formulation = mechanism.equations.formulation
        self.chosen: Chosen = choose_method(asked.integrator, formulation, flow, start.y, asked.step)
        assert not isinstance(self.chosen.method, MoreauJean)
        self._method = self.chosen.method
        self.outputs = LiveOutputs(mechanism, asked.outputs, start.p, accelerations=flow.own is None)
        view = self.outputs.view(*asked.ring)
        self._stepper = Stepper(self._method, asked.step, view, start.y.size, asked.clock)
        self.watched = self._stepper.watched
        self._broken = False

    @property
    def time(self) -> float:
        return self._stepper.time

    @property
    def y(self) -> Array:
        return self._stepper.memory.shown.copy()

    @property
    def counted(self) -> dict[str, float | int]:
        return {**self._stepper.counted}

    @property
    def notes(self) -> tuple[str, ...]:
        return remarks_in_time(self.mechanism.coordinates, self._p)

    def begin(self, start: Start) -> Outcome:
        flow = begin_flow(self.mechanism, start, self._method, start.time)
        if sum(function.n_instructions() for function in self.mechanism.equations.scheme.functions.values()) < LARGE:
            flow.look_after()  # what a run may need later is compiled now
        flow = with_solver(self._method, flow, start.y.size)
        if flow.solver is not None:
            fix_iterations(flow.solver, self._asked.iterations or ITERATIONS)
        events = event_functions(self.mechanism, {}, self._p, ca.SX(0, 1))
        return self._told(self._stepper.begin(flow, start.time, start.y, events))

    def go_on(self, shaping: bool) -> bool:
        if self._broken or (shaping and not self.mechanism.equations.formulation.able.closes_loops):
            return False
        memory = self._stepper.memory
        flow_parameters(memory.flow)[: self._p.size] = self._p
        memory.p[:] = self._p[: memory.p.size]
        return self._told(self._stepper.evaluate()).completed

    def take(self, count: int) -> Outcome:
        if self._stepper.take(count) < count:
            return self._told(False)
        return self._look()

    def keep(self) -> None:
        self._stepper.keep()

    def clear(self) -> None:
        self.watched.clear()

    def told(self) -> str:
        return self.chosen.told(self.mechanism, self._asked.step)

    def settings(self) -> dict[str, str]:
        return self.chosen.settings(self.mechanism, self._asked.step)

    def events(self, since: float) -> list[EventRecord]:
        return [event for event in self.hand.events if event.time >= since]

    def audit(self, start: Start, same: bool) -> Audit:
        rows = rows_seen(self.watched.samples, (self.time, self.y, self._p), start.y if same else None)
        return audit_steps(self.mechanism, start, self._method, self._asked.step, rows)

    def _told(self, fine: bool) -> Outcome:
        self._broken = not fine
        stepper = self._stepper
        why = None if fine else explain(self.mechanism, stepper.memory.flow, stepper.solution(), self._p, [])
        return Outcome() if why is None else why

    def _look(self) -> Outcome:
        """Say so where a force on a prescribed motion has no value at the end of a step: no equation tells."""
        if not is_defined(self.mechanism, self.time, self.y, self._p):
            found = undefined_at(self.mechanism.coordinates, (self.time, self.y, self._p))
            if found is not None:
                self._broken = True
                return stopped_at(found, self.time)
        return Outcome()
