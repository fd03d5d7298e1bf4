"""``realtime(model, step)``: a mechanism that is stepped by hand, with live parameters that may change between the steps.

The policy of García de Jalón and Bayo, section 7.3: steps of fixed size, of a fixed order, with a fixed number of
iterations, so that every step costs the same; the cost is measured at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.singular import check_position
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.realtime.asked import LiveQuestion
from linkwork.analysis.realtime.by_hand import Hand
from linkwork.analysis.realtime.method import Chosen
from linkwork.analysis.realtime.pacing import keep_pace
from linkwork.analysis.realtime.run_arguments import of_run
from linkwork.analysis.realtime.step_checks import shaping
from linkwork.analysis.realtime.ways import MakeSteps, prepare_way
from linkwork.analysis.walk.subject import Noun, subject_of
from linkwork.answer.column import matching
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.formulations import Formulation
from linkwork.errors import AssemblyError, RefusedError, ResultError
from linkwork.formats import dump
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.numerics.watching import BIN_EDGES
from linkwork.results.audit import NOT_ASKED, Audit, KeptAudit
from linkwork.results.outcome import Outcome
from linkwork.results.pacing import Pacing
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer
from linkwork.results.sketch import draw
from linkwork.results.solved import SolvedContacts
from linkwork.results.timing import Timing


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
    integrator: str | Method | MoreauJean | None = None,
    max_iterations: int | None = None,
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
    start, else the trapezoidal rule; where stops, ropes or contacts come and go 'moreau_jean', time stepping. With another
    integrator or a formulation these do not act, and notes say so.
    max_iterations: of Newton's method in an implicit step, always that many (3); of a problem of contacts, at most (50).
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
    asked = LiveQuestion(size, integrator, outputs, (keep, every), clock, max_iterations)
    mechanism, make = prepare_way(subject, asked, (coordinates, formulation, backend))
    if mechanism.topology.mobility.free > 0:
        check_inertia(mechanism)
    values = subject.given | subject.model.in_si(parameters)
    return RealTime(mechanism, make, asked, values, begin=partial(subject.start, mechanism), audit=audit)


class RealTime(ResultAnswer):
    """A mechanism in real time, see `realtime`: ``rt.step()``, ``rt.set(k=500)``, ``rt["B.x"]``. Printed, it says what its
    steps cost.

    A step that fails is not taken: the outcome says why, when and where, and the state is the one before it.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        make: MakeSteps,
        asked: LiveQuestion,
        parameters: Mapping[str, float],
        *,
        begin: Callable[[Mapping[str, float]], Start],
        audit: bool = True,
    ) -> None:
        self.mechanism, self.size, self._asked = mechanism, asked.step, asked
        self._first, self._audited = dict(parameters), audit
        self._start_with, start = begin, begin(parameters)
        self._p = start.p.copy()  # read in place by all that is compiled
        self._same = True  # whether no parameter was set since the start
        self._start: Start
        self._values: dict[str, float]
        self._outcome = Outcome()
        self._place(start, parameters)
        self._steps = make(mechanism, self._start, asked)
        self._launch()

    def __reduce__(self) -> tuple[object, ...]:
        raise RefusedError("a mechanism in real time runs, and is not kept: keep its result, timing or audit")

    # -- stepping ----------------------------------------------------------------------------------------------

    @of_run
    def step(self, count: int = 1) -> Outcome:
        """Take so many steps, in one call of compiled code; say how it went."""
        if count < 0 or count != int(count):
            raise RefusedError(f"step({count}): give a whole number of steps, not less than 0")
        if self._outcome.completed or self._begin(self.time, self._steps.y):
            self._outcome = self._steps.take(int(count))
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
        time, y = self.time, self._steps.y
        self._p[: wanted.size] = wanted
        reason = self._take_over(time, y, bool((changed & self._shaping).any()))
        if reason:
            self._p[:] = before
            self._steps.go_on(False)
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
        self._go_behind(self.hand.connect(self.time, self._steps.y, name, catching))

    def ground(self, body: str) -> None:
        """Hold a body to the ground where it is now, by a switch of the model that grounds it."""
        self._go_behind(self.hand.ground(self.time, self._steps.y, body))

    def release(self, name: str) -> None:
        """Open a connection now, or let go of a body that is grounded."""
        self._go_behind(self.hand.release(self.time, self._steps.y, name))

    @property
    def chosen(self) -> Chosen:
        """The method, and why."""
        return self._steps.chosen

    @property
    def hand(self) -> Hand:
        """What closes and opens joints, with what it has done."""
        return self._steps.hand

    def _go_behind(self, y: Array) -> None:
        self._same = False
        if not self._begin(self.time, y):
            raise RefusedError(f"the motion cannot go on at t = {self.time:.6g} s: {self._outcome.reason}")

    # -- what there is to see ----------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        return self._steps.time

    def __getitem__(self, name: str) -> float:
        """A named quantity at the end of the last step; those declared as outputs are there already."""
        outputs, watched = self._steps.outputs, self._steps.watched
        found = outputs.read(name, watched.values)
        if found is not None:
            return found
        known, y = outputs.known(name), self._steps.y
        now = np.concatenate([[self.time], y, watched.seen[y.size :], self._p])
        return float(outputs.source(self._start, now[None]).evaluate([known])[known][0])

    def names(self, pattern: str = "*") -> list[str]:
        """Names of quantities that match a pattern such as ``B.*``."""
        return matching(pattern, self._steps.outputs.catalogue)

    @property
    def state(self) -> dict[str, float]:
        """Coordinates and their velocities by name."""
        kinematics = self.mechanism.coordinates.kinematics
        return dict(zip((*kinematics.q_names, *kinematics.v_names), self._steps.y.tolist(), strict=False))

    @property
    def outcome(self) -> Outcome:
        """How the last step went."""
        return self._outcome

    @property
    def solved(self) -> SolvedContacts | None:
        """How well the contacts of the last step were solved: residual, overlap, iterations, whether they were enough.

        None where the method knows no contacts.
        """
        return self._steps.solved

    @property
    def timing(self) -> Timing:
        """What the steps since the last reset have cost."""
        found, size = self._steps.watched.timing, self.size
        worst = found.worst, found.worst_step * size
        return Timing(size, found.steps, found.mean, *worst, found.missed, BIN_EDGES, found.counts)

    @property
    def statistics(self) -> dict[str, float | int | str]:
        """What the steps since the last reset or change of a loop were made of."""
        return {"steps": self.timing.steps, **self._steps.counted, "wall time": self.timing.mean * self.timing.steps}

    @property
    def result(self) -> Result:  # type: ignore[override]
        """The samples that are kept, with all quantities, plots and animation; needs ``keep``."""
        watched = self._steps.watched
        if not watched.view.rows:
            raise ResultError("no samples are kept: ask for them with realtime(..., keep=1000)")
        samples = watched.samples
        return Result(
            name=self.mechanism.model.name or "mechanism",
            time=samples[:, 0],
            source=self._steps.outputs.source(self._start, samples),
            drawing=draw(self.mechanism.topology, self._p[: len(self.mechanism.topology.geometry.defaults)]),
            outcome=replace(self._outcome, time=self.time),
            model_text=dump(self.mechanism.model),
            events=tuple(self._steps.events(float(samples[0, 0]))),
            freedoms=self.mechanism.topology.freedom_names,
            settings=self._steps.settings(),
            statistics=self.statistics,
            auditor=KeptAudit(self.audit) if self._audited else None,
            noted=self.notes,
        )

    @property
    def audit(self) -> Audit:
        """What the steps so far say about themselves, by the state now, the start and the samples that are kept."""
        return self._steps.audit(self._start, self._same) if self._audited else NOT_ASKED

    @property
    def title(self) -> str:
        return f"RealTime '{self.mechanism.model.name or 'mechanism'}' at t = {self.time:.9g} s: {self.timing.pace}"

    @property
    def notes(self) -> tuple[str, ...]:
        return self._steps.notes

    def facts(self) -> list[tuple[str, str]]:
        """Method, outcome, audit and what the steps cost."""
        how, solved = self._steps.told(), self._steps.solved
        status = [] if self._outcome.completed else [("outcome", str(self._outcome))]
        audit = [("audit", "\n".join([self.audit.line, *self.audit.findings]))] if self._audited else []
        touching = [] if solved is None else [("contacts", str(solved))]
        return [*status, ("method", how), *touching, *audit, *self.timing.facts()]

    # -- inside ------------------------------------------------------------------------------------------------

    def _place(self, start: Start, parameters: Mapping[str, float]) -> None:
        """Put the mechanism where it is assembled."""
        check_position(self.mechanism, start)
        self._values = dict(parameters)
        self._p[:] = start.p
        self._start = replace(start, p=self._p)

    def _launch(self) -> None:
        self._steps.clear()
        if not self._begin(self._start.time, self._start.y):
            raise RefusedError(f"the motion cannot begin: {self._outcome.reason}")
        self._steps.keep()

    def _begin(self, time: float, y: Array) -> bool:
        """Go on from a state; whether that is possible."""
        self._outcome = self._steps.begin(replace(self._start, y=y, time=time))
        return self._outcome.completed

    def _take_over(self, time: float, y: Array, shaping: bool) -> str:
        """Go on from y with parameters that have changed, *shaping* the loops or not; why that is impossible, or nothing."""
        if self._steps.go_on(shaping):
            self._outcome = Outcome()
            return ""
        try:
            if shaping:
                y = self.mechanism.settle(Start(y.copy(), self._p, self._start.assembly), time).y
            return "" if self._begin(time, y) else self._outcome.reason
        except AssemblyError as error:
            return str(error)
