"""``realtime(model, step)``: a mechanism that is stepped by hand, with live parameters that may change between the steps.

The policy of García de Jalón and Bayo, section 7.3: steps of fixed size, of a fixed order, with a fixed number of
iterations, so that every step costs the same; the cost is measured at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.course import begin_flow, event_functions
from linkwork.analysis.motion.outcome import explain, stopped_at
from linkwork.analysis.motion.singular import check_position
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.undefined import is_defined
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.realtime.by_hand import Hand
from linkwork.analysis.realtime.live_outputs import LiveOutputs
from linkwork.analysis.realtime.method import ITERATIONS, Chosen, choose_formulation, choose_method
from linkwork.analysis.realtime.pacing import keep_pace
from linkwork.analysis.realtime.run_arguments import of_run
from linkwork.analysis.realtime.step_checks import audit_steps, rows_seen, shaping
from linkwork.analysis.runs.simulate import stepped_kind
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.answer.column import matching
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import remarks
from linkwork.coordinates.undefined import undefined_at
from linkwork.equations.formulations import Formulation
from linkwork.errors import AssemblyError, RefusedError, ResultError
from linkwork.formats import dump
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.newton import fix_iterations
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.integrators.run import with_solver
from linkwork.numerics.integrators.stepper import BIN_EDGES, Stepper
from linkwork.results.audit import NOT_ASKED, Audit, KeptAudit
from linkwork.results.outcome import Outcome
from linkwork.results.pacing import Pacing
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer
from linkwork.results.sketch import draw
from linkwork.results.timing import Timing

LARGE = 5000  # instructions of equations whose further formulas are compiled only when a run comes to need them


@verb
def realtime(
    model: Noun,
    fixed_step: Scalar = "1 ms",
    *,
    outputs: Sequence[str] = (),
    keep: int = 0,
    every: int = 1,
    parameters: Parameters | None = None,
    coordinates: KindChoice | None = None,
    formulation: str | Formulation | None = None,
    integrator: str | Method | None = None,
    max_iterations: int = ITERATIONS,
    clock: str = "wall",
    backend: str | Backend | None = None,
    audit: bool = True,
) -> RealTime:
    """Prepare a mechanism for steps that are asked for one by one, each of the same size and cost.

    model: or what else `simulate` takes, a result to go on from included.
    fixed_step: the size of all steps. outputs: names of quantities that are evaluated at every step in compiled code;
    others are evaluated when they are asked for. keep: how many samples of the past are kept, one *every* so many steps.
    parameters: first values of live parameters, which `set` changes between the steps.
    coordinates, formulation, integrator: as in `simulate`; by default explicit steps (rk4) where they are stable at the
    start, else the trapezoidal rule. max_iterations: of Newton's method in an implicit step, always that many.
    clock: 'wall', or 'processor', which does not count what other programs take; its readings cost more.
    audit: False leaves out the audit, which is made when it is looked at and costs no step anything.
    """
    size = si(fixed_step, "time")
    if not 0.0 < size < np.inf:
        raise RefusedError(f"fixed_step = {fixed_step}: the size of a step must be a positive time such as '1 ms'")
    for name, number, least in (("keep", keep, 0), ("every", every, 1)):
        if number < least:
            raise RefusedError(f"{name} = {number}: must not be less than {least}")
    subject = subject_of(model, "realtime")
    chosen = choose_formulation(formulation or (None if coordinates else subject.formulation), max_iterations)
    mechanism = subject.prepare(stepped_kind(coordinates, integrator, subject), chosen, backend)
    if mechanism.topology.mobility.free > 0:
        check_inertia(mechanism)
    values = subject.given | subject.model.in_si(parameters)
    stepped = partial(RealTime, mechanism, size, integrator, values, begin=partial(subject.start, mechanism))
    return stepped(outputs=outputs, ring=(keep, every), iterations=max_iterations, clock=clock, audit=audit)


class RealTime(ResultAnswer):
    """A mechanism in real time, see `realtime`: ``rt.step()``, ``rt.set(k=500)``, ``rt["B.x"]``. Printed, it says what its
    steps cost.

    A step that fails is not taken: the outcome says why, when and where, and the state is the one before it.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        step: float,
        integrator: str | Method | None,
        parameters: Mapping[str, float],
        *,
        begin: Callable[[Mapping[str, float]], Start],
        outputs: Sequence[str],
        ring: tuple[int, int],
        iterations: int,
        clock: str,
        audit: bool = True,
    ) -> None:
        self.mechanism, self.size = mechanism, step
        self._iterations, self._first, self._audited = iterations, dict(parameters), audit
        self._start_with, start = begin, begin(parameters)
        self._p = start.p.copy()  # read in place by all that is compiled
        self.hand = Hand(mechanism, self._p)  # that closes and opens joints
        self._same = True  # whether no parameter was set since the start
        self._start: Start
        self._values: dict[str, float]
        self._place(start, parameters)
        flow = mechanism.flow(self._start)
        self.chosen: Chosen = choose_method(integrator, mechanism.equations.formulation, flow, self._start.y, step)
        self._outputs = LiveOutputs(mechanism, outputs, self._p, accelerations=flow.own is None)
        self._stepper = Stepper(self.chosen.method, step, self._outputs.view(*ring), self._start.y.size, clock)
        self._launch()

    def __reduce__(self) -> tuple[object, ...]:
        raise RefusedError("a mechanism in real time runs, and is not kept: keep its result, timing or audit")

    # -- stepping ----------------------------------------------------------------------------------------------

    @of_run
    def step(self, count: int = 1) -> Outcome:
        """Take so many steps, in one call of compiled code; say how it went."""
        if count < 0 or count != int(count):
            raise RefusedError(f"step({count}): give a whole number of steps, not less than 0")
        if self._broken and not self._begin(self.time, self._y):
            return self._outcome
        if self._stepper.take(int(count)) < count:
            self._check(False)
        else:
            self._look()
        return self._outcome

    @of_run
    def advance(self, until: Scalar) -> Outcome:
        """Take steps until the time *until* is reached."""
        end = si(until, "time")
        if end < self.time - 0.5 * self.size:
            raise RefusedError(f"advance({until}): it is t = {self.time:.9g} s already; reset() goes back to the start")
        return self.step(max(0, int(np.ceil((end - self.time) / self.size - 1e-6))))

    @of_run
    def pace(
        self,
        duration: Scalar,
        callback: Callable[[RealTime], object] | None = None,
        *,
        count: int = 1,
        speed: float = 1.0,
    ) -> Pacing:
        """Take steps for a *duration* of the model at the pace of the clock on the wall, *count* at a time.

        callback: is called with this object after them; it may set parameters, and ends the run by returning False.
        speed: 2 is twice as fast as the clock.
        """
        return keep_pace(self, si(duration, "time"), callback, count, speed)

    def reset(self, parameters: Parameters | None = None, **named: Scalar) -> None:
        """Begin again where it began, with the first values of the parameters but for those given."""
        given = self.mechanism.model.in_si({**(parameters or {}), **named})
        values = {**self._first, **given}
        self._place(self._start_with(values), values)
        self._same = True
        self._launch()

    # -- live parameters ---------------------------------------------------------------------------------------

    def set(self, values: Parameters | None = None, /, **named: Scalar) -> None:
        """Change live parameters from here on: ``rt.set(k=500, steer="2 deg")``.

        Where a value moves a joint, a driver or a length of a loop, the loops are closed again with the smallest change of
        positions and velocities. A value with which they cannot be closed is refused, and all stays as it was.
        """
        given = {**self._values, **self.mechanism.model.in_si({**(values or {}), **named})}
        wanted = self.mechanism.topology.parameters(given)
        before = self._p.copy()
        changed = wanted != before[: wanted.size]
        if not changed.any():
            return
        names = [name for name, other in zip(self.parameters, changed, strict=True) if other]
        time, y = self.time, self._y
        self._p[: wanted.size] = wanted
        reason = self._take_over(time, y, bool((changed & self._shaping).any()))
        if reason:
            self._p[:] = before
            self._begin(time, y)
            raise RefusedError(
                f"{', '.join(names)} cannot be set at t = {time:.6g} s: {reason}; all is as it was before"
            )
        self._values = given
        self._same = False

    @property
    def parameters(self) -> dict[str, float]:
        """Live parameters and their values now."""
        return dict(zip(self.mechanism.topology.geometry.parameter_names, self._p.tolist(), strict=False))

    @cached_property
    def _shaping(self) -> NDArray[np.bool_]:
        """Of each live parameter, whether conditions on positions or velocities contain it."""
        return shaping(self.mechanism.coordinates, len(self.parameters))

    def connect(self, name: str, catching: Scalar | None = None) -> None:
        """Close a connection now, if it is open by no more than *catching*, a length or 'anywhere'."""
        self._go_behind(self.hand.connect(self.time, self._y, name, catching))

    def ground(self, body: str) -> None:
        """Hold a body to the ground where it is now, by a switch of the model that grounds it."""
        self._go_behind(self.hand.ground(self.time, self._y, body))

    def release(self, name: str) -> None:
        """Open a connection now, or let go of a body that is grounded."""
        self._go_behind(self.hand.release(self.time, self._y, name))

    def _go_behind(self, y: Array) -> None:
        self._same = False
        if not self._begin(self.time, y):
            raise RefusedError(f"the motion cannot go on at t = {self.time:.6g} s: {self._outcome.reason}")

    # -- what there is to see ----------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return self._stepper.time

    def __getitem__(self, name: str) -> float:
        """A named quantity at the end of the last step; those declared as outputs are there already."""
        found = self._outputs.read(name, self._stepper.values)
        if found is not None:
            return found
        known = self._outputs.known(name)
        return float(self._snapshot().evaluate([known])[known][0])

    def names(self, pattern: str = "*") -> list[str]:
        """Names of quantities that match a pattern such as ``B.*``."""
        return matching(pattern, self._outputs.catalogue)

    @property
    def state(self) -> dict[str, float]:
        """Coordinates and their velocities by name."""
        kinematics = self.mechanism.coordinates.kinematics
        return dict(zip((*kinematics.q_names, *kinematics.v_names), self._y.tolist(), strict=False))

    @property
    def outcome(self) -> Outcome:
        """How the last step went."""
        return self._outcome

    @property
    def timing(self) -> Timing:
        """What the steps since the last reset have cost."""
        found, size = self._stepper.timing, self.size
        worst = found.worst, found.worst_step * size
        return Timing(size, found.steps, found.mean, *worst, found.missed, BIN_EDGES, found.counts)

    @property
    def statistics(self) -> dict[str, float | int | str]:
        """What the steps since the last reset or change of a loop were made of."""
        return {"steps": self.timing.steps, **self._stepper.counted, "wall time": self.timing.mean * self.timing.steps}

    @property
    def result(self) -> Result:  # type: ignore[override]
        """The samples that are kept, with all quantities, plots and animation; needs ``keep``."""
        rows = self._stepper.samples
        if not self._stepper.view.rows:
            raise ResultError("no samples are kept: ask for them with realtime(..., keep=1000)")
        n = self._start.y.size
        t, y, p = rows[:, 0], rows[:, 1 : n + 1], rows[:, rows.shape[1] - self._p.size :]
        source = self._outputs.trajectory(self._start, t, y, rows[:, n + 1 : rows.shape[1] - self._p.size], p)
        return Result(
            name=self.mechanism.model.name or "mechanism",
            time=t,
            source=source,
            drawing=draw(self.mechanism.topology, self._p[: len(self.mechanism.topology.geometry.defaults)]),
            outcome=replace(self._outcome, time=self.time),
            model_text=dump(self.mechanism.model),
            freedoms=self.mechanism.topology.freedom_names,
            settings=self.chosen.settings(self.mechanism, self.size),
            statistics=self.statistics,
            auditor=KeptAudit(self.audit) if self._audited else None,
            noted=self.notes,
        )

    @property
    def audit(self) -> Audit:
        """What the steps so far say about themselves, by the state now, the start and the samples that are kept."""
        if not self._audited:
            return NOT_ASKED
        rows = rows_seen(self._stepper.samples, (self.time, self._y, self._p), self._start.y if self._same else None)
        return audit_steps(self.mechanism, self._start, self.chosen.method, self.size, rows)

    @property
    def title(self) -> str:
        return f"RealTime '{self.mechanism.model.name or 'mechanism'}' at t = {self.time:.9g} s: {self.timing.pace}"

    @property
    def notes(self) -> tuple[str, ...]:
        return remarks(self.mechanism.coordinates, self._start.p)

    def facts(self) -> list[tuple[str, str]]:
        """Method, outcome, audit and what the steps cost."""
        how = self.chosen.told(self.mechanism, self.size)
        status = [] if self._outcome.completed else [("outcome", str(self._outcome))]
        audit = [("audit", "\n".join([self.audit.line, *self.audit.findings]))] if self._audited else []
        return [*status, ("method", how), *audit, *self.timing.facts()]

    # -- inside ------------------------------------------------------------------------------------------------

    def _place(self, start: Start, parameters: Mapping[str, float]) -> None:
        """Put the mechanism where it is assembled."""
        check_position(self.mechanism, start)
        self._values = dict(parameters)
        self._p[:] = start.p
        self._start = replace(start, p=self._p)

    def _launch(self) -> None:
        self._stepper.clear()
        if not self._begin(self._start.time, self._start.y):
            raise RefusedError(f"the motion cannot begin: {self._outcome.reason}")
        self._stepper.keep()

    def _begin(self, time: float, y: Array) -> bool:
        """Go on from a state; whether that is possible."""
        flow = begin_flow(self.mechanism, Start(y, self._p, self._start.assembly), self.chosen.method, time)
        if sum(function.n_instructions() for function in self.mechanism.equations.scheme.functions.values()) < LARGE:
            flow.look_after()  # what a run may need later is compiled now
        flow = with_solver(self.chosen.method, flow, y.size)
        if flow.solver is not None:
            fix_iterations(flow.solver, self._iterations)
        events = event_functions(self.mechanism, {}, self._p, ca.SX(0, 1))
        return self._check(self._stepper.begin(flow, time, y, events))

    def _take_over(self, time: float, y: Array, shaping: bool) -> str:
        """Go on from y with parameters that have changed, *shaping* the loops or not; why that is impossible, or nothing."""
        closes = self.mechanism.equations.formulation.able.closes_loops
        if not self._broken and (closes or not shaping) and self._go_on():
            return ""
        try:
            if shaping:
                y = self.mechanism.settle(Start(y.copy(), self._p, self._start.assembly), time).y
            return "" if self._begin(time, y) else self._outcome.reason
        except AssemblyError as error:
            return str(error)

    def _go_on(self) -> bool:
        """Take over parameters that have changed, from the same state; whether that is possible."""
        memory = self._stepper.memory
        flow_parameters(memory.flow)[: self._p.size] = self._p
        memory.p[:] = self._p[: memory.p.size]
        return self._check(self._stepper.evaluate())

    def _check(self, fine: bool) -> bool:
        self._broken = not fine
        stepper = self._stepper
        why = None if fine else explain(self.mechanism, stepper.memory.flow, stepper.solution(), self._p, [])
        self._outcome = Outcome() if why is None else why
        return fine

    def _look(self) -> None:
        """Say so where a force on a prescribed motion has no value at the end of a step: no equation tells."""
        if is_defined(self.mechanism, self.time, self._y, self._p):
            return
        found = undefined_at(self.mechanism.coordinates, (self.time, self._y, self._p))
        if found is not None:
            self._broken, self._outcome = True, stopped_at(found, self.time)

    @property
    def _y(self) -> Array:
        """y as it is now."""
        return self._stepper.memory.shown.copy()

    def _snapshot(self) -> Trajectory:
        """All quantities of this moment."""
        t, y = np.array([self.time]), self._y[None, :]
        return self._outputs.trajectory(self._start, t, y, self._stepper.seen[None, y.size :], self._p[None, :])
