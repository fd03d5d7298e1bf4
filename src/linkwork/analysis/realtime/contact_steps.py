"""Steps with contacts at a fixed cost: those of time stepping, with so many iterations at most.

No event is located. Every step is one of Moreau and Jean (``kernels/timestepping/moreau.py``), in which all impulses are
found at once; rigid stops, ropes, clearances and contacts act, and connections close and open between two steps.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.motion.stepped_source import SteppedSource
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.analysis.realtime.asked import LiveQuestion
from linkwork.analysis.realtime.by_hand import Hand
from linkwork.analysis.realtime.live_outputs import LiveOutputs
from linkwork.analysis.realtime.method import Chosen
from linkwork.analysis.realtime.step_checks import CHANGED, remarks_in_time, thinned
from linkwork.analysis.timestepping.auditing import SteppedAuditor
from linkwork.analysis.timestepping.description import shapes_of, step_system
from linkwork.analysis.timestepping.refusals import require_steps
from linkwork.analysis.timestepping.run import MEANS, hits, require_room
from linkwork.analysis.timestepping.touching import Touches
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.kernels.timestepping.live_steps import WORKS
from linkwork.numerics.kernels.timestepping.step_touches import PLACE
from linkwork.numerics.timestepping.live import LiveStepper, told_pairs
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.numerics.timestepping.room import StepSettings
from linkwork.numerics.timestepping.running import FAILURES
from linkwork.results.audit import Audit
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.solved import SolvedContacts

OTHERWISE = "simulate takes it; with an integrator such as 'rk4' real time leaves out what comes and goes"
BOUND = 50  # iterations of a problem of contacts: warm ones take less than ten


class ContactSteps:
    """A mechanism that touches things. start: with the parameters p that all that is compiled reads in place."""

    def __init__(self, mechanism: Mechanism, start: Start, asked: LiveQuestion) -> None:
        c = mechanism.coordinates
        require_steps(c, OTHERWISE)
        self.mechanism, self._p, self._asked = mechanism, start.p, asked
        self._method = asked.integrator if isinstance(asked.integrator, MoreauJean) else MoreauJean()
        self.chosen = Chosen(self._method, 0.0, "conditions come and go")
        self.hand = Hand(mechanism, start.p, self._closed)
        system = step_system(mechanism, start.p)
        self._of_body, count = system.shapes.of_body, len(system.shapes.records)
        self._pairs = np.array([one * count + other for one, other in told_pairs(system)], dtype=np.int64)
        seen = {"works": WORKS, "pushes": PLACE * len(self._pairs)}
        self.outputs = LiveOutputs(mechanism, asked.outputs, start.p, accelerations=True, **seen, touches=self._touches)
        bound = asked.iterations or BOUND
        self._settings = StepSettings(asked.step, self._method.theta, self._method.asked, self._method.tolerance, bound)
        self._stepper = LiveStepper(system, self._settings, self.outputs.view(*asked.ring), asked.clock)
        self.watched, self._pairs, self._launching = self._stepper.watched, self._stepper.live.pair, True

    @property
    def time(self) -> float:
        return self._stepper.time

    @property
    def y(self) -> Array:
        return self._stepper.memory.state.copy()

    @property
    def counted(self) -> dict[str, float | int]:
        return self._stepper.counted

    @property
    def solved(self) -> SolvedContacts:
        live = self._stepper.live
        most, tolerance = self._settings.iterations or 0, self._settings.tolerance
        last = int(live.contacts), int(live.iterations), most, float(live.residual)
        return SolvedContacts(*last, tolerance, float(live.overlap), met=not live.unsolved)

    @property
    def notes(self) -> tuple[str, ...]:
        late, steps, tally = int(self._stepper.live.late), int(self.watched.record.steps), self._stepper.memory.tally
        worst = float(self._stepper.live.worst)
        told = [
            f"contacts were not solved as well as was asked for in {late} of {steps} steps, with "
            f"{self._settings.iterations} iterations at most; the worst residual is {worst:.2g} of the largest velocity"
        ]
        told = told if late else []
        if tally.hit_count > tally.hit_room:
            told.append(f"{tally.hit_count} contacts have begun; the first {tally.hit_room} are among the events")
        return (*remarks_in_time(self.mechanism.coordinates, self._p), *told, MEANS)

    def begin(self, start: Start) -> Outcome:
        c = self.mechanism.coordinates
        # what comes and goes by itself is decided in each step
        self._p[c.limit_places][[i for i in range(len(c.limits)) if i not in c.connections]] = 0.0
        self._renew_shapes()
        if self._launching:
            self._launching = False
            require_room(c, self._stepper.system, self._settings, np.array([start.time]), start.y)
        return self._told(self._stepper.begin(start.time, start.y))

    def _renew_shapes(self) -> None:
        """Shapes and laws with the values that live parameters have now."""
        self._stepper.set_shapes(shapes_of(self.mechanism.coordinates, self._of_body, self._p))

    def go_on(self, shaping: bool) -> bool:
        self._renew_shapes()
        if shaping:
            return False
        self._stepper.look()
        return True

    def take(self, count: int) -> Outcome:
        return Outcome() if self._stepper.take(count) == count else self._told(int(self._stepper.live.code))

    def keep(self) -> None:
        self._stepper.keep()

    def clear(self) -> None:
        self._launching = True
        self.watched.clear()
        self._stepper.forget()

    def told(self) -> str:
        kind, bound = self.mechanism.coordinates.kind, self._settings.iterations
        return (
            f"{self._method.name} in {kind} coordinates: conditions come and go, {bound} iterations of contacts at most"
        )

    def settings(self) -> dict[str, str]:
        return {
            "coordinates": str(self.mechanism.coordinates.kind),
            "integrator": self._method.name,
            "law": self._method.law,
            "iterations": f"{self._settings.iterations} at most",
            "backend": self.mechanism.program.backend.name,
            "fixed step": f"{self._asked.step:g} s",
        }

    def events(self, since: float) -> list[EventRecord]:
        found = [*hits(self.mechanism.coordinates, self._stepper.memory), *self.hand.events]
        return sorted((event for event in found if event.time >= since), key=lambda event: event.time)

    def audit(self, start: Start, same: bool) -> Audit:
        now = np.concatenate([[self.time], self.watched.seen, self._p])
        begun = np.zeros((1, now.size))
        begun[0, 0], begun[0, 1 : 1 + start.y.size], begun[0, now.size - self._p.size :] = start.time, start.y, self._p
        rows = np.vstack([begun[: int(same)], thinned(self.watched.samples), now[None]])
        source = self.outputs.source(start, rows[np.unique(rows[:, 0], return_index=True)[1]])
        assert isinstance(source, SteppedSource)
        return SteppedAuditor(source, self._stepper.memory, self._asked.step, "" if same else CHANGED)()

    def _touches(self, values: Array) -> Touches:
        """What contacts pushed with, from what was seen."""
        return Touches.seen(self.mechanism.coordinates, len(self._of_body), self._pairs.tolist(), values)

    def _told(self, code: int) -> Outcome:
        if not code:
            return Outcome()
        return Outcome(Status.STOPPED_EARLY, FAILURES[code], self.time)

    def _closed(self, t: float, y: Array) -> Array:
        """The state on the conditions that hold from now on."""
        code = self._stepper.begin(t, y)
        if code:
            self._stepper.memory.state[:] = y
            raise RefusedError(f"at t = {t:.6g} s {FAILURES[code]}; all is as it was before")
        return self.y
