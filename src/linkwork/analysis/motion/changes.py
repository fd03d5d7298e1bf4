"""What changes within a run, from one leg to the next: branches of formulas that jump, conditions that come and go, and what
switches close and open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import casadi as ca
import numpy as np

from linkwork.analysis.motion.connecting import Connecting, TooFarOpen
from linkwork.analysis.motion.gripping import is_direction
from linkwork.analysis.motion.holding import Holding
from linkwork.analysis.motion.impacts import IMPACT_LAWS, ImpactLaw
from linkwork.analysis.motion.striking import Striking, Unresisted
from linkwork.analysis.motion.switching import Switching, guards
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.rubbing import joint_of
from linkwork.errors import RefusedError
from linkwork.numerics.flows.closure import solve_positions, solve_velocities
from linkwork.numerics.flows.constrained import Failure, begin_again, last_failure
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import PartitionError
from linkwork.numerics.integrators.solution import Leg, Mode, State
from linkwork.position.rank import dependent_rows
from linkwork.results.outcome import Outcome, Status
from linkwork.results.run_modes import RunMode, RunModes


@dataclass(frozen=True, eq=False)
class Changes:
    """All of one run; the guards of formulas stand before those of conditions, those of switches behind both, and those of
    given impulses last."""

    flow: Flow
    switching: Switching
    holding: Holding
    connecting: Connecting
    striking: Striking
    freedoms: dict[float, int] = field(default_factory=dict)  # of modes by when they begin, where joints close and open

    @classmethod
    def of(
        cls, mechanism: Mechanism, flow: Flow, *, fixed: bool, others: int, law: ImpactLaw = IMPACT_LAWS["newton"]
    ) -> Changes:
        """fixed: whether steps have one size; others: events before all guards; law: of impacts."""
        p = flow_parameters(flow)
        holding = Holding(mechanism, p, law)
        connecting = Connecting(mechanism, p, holding.events)
        striking = Striking(p, holding)
        behind = len(mechanism.coordinates.limits) + connecting.count + striking.count
        return cls(flow, Switching(mechanism, p, fixed, others, behind), holding, connecting, striking)

    @property
    def guards(self) -> ca.SX:
        own = guards(self.holding.mechanism.coordinates)
        return ca.vertcat(own, self.holding.guards, self.connecting.guards, self.striking.guards)

    @property
    def stopped(self) -> Outcome | None:
        return self.switching.stopped or self.holding.stopped

    @property
    def mode(self) -> Mode:
        """What holds now."""
        numbers = (self.switching.selectors, self.holding.slides, self.connecting.sides, self.connecting.seats)
        return Mode(self.holding.held, *(tuple(np.asarray(item).tolist()) for item in numbers))

    def begin(self, t: float, y: Array, mode: Mode | None, *, strikes: bool = True) -> State:
        """Choose branches and conditions at the start; the state behind impulses that they take.

        mode: the one so far, None where nothing is known of it; strikes: whether impulses that are given then do
        """
        so_far = Mode() if mode is None else mode
        try:
            self.connecting.begin(t, y, so_far.sides, so_far.seats, fresh=mode is None)
        except TooFarOpen as error:
            raise RefusedError(str(error)) from None
        self.switching.choose(t, y, self.holding.speed(t, y))
        begun = self.holding.begin(t, y, None if mode is None else mode.held, so_far.slides)
        self.switching.hold(t, begun)
        striking = self.striking.begin(t, begun) if strikes else []
        if striking:
            begun = self._struck(t, begun, 0, striking)
            self.holding.impulses.clear()  # the run begins behind them
            if self.stopped is not None:
                raise RefusedError(self.stopped.reason)
        self._count(t, begun)
        failure = self._renew(t, begun, first=True)
        if failure is not None:
            raise PartitionError(failure)
        return State(t, begun, self.mode)

    def turn(self, state: State, steps: int, passed: Collection[int]) -> tuple[State, str] | None:
        """The state behind guards that were passed after so many steps, and why; None: it ends here, see ``stopped``."""
        formulas = {index for index in passed if index < self.switching.count} - self.switching.chosen
        further = {index - self.switching.count for index in passed if index >= self.switching.count}
        known = len(self.holding.mechanism.coordinates.limits)
        limits, acting = {i for i in further if i < known}, {i - known for i in further if i >= known}
        striking = {i - self.connecting.count for i in acting if i >= self.connecting.count}
        acting = {i for i in acting if i < self.connecting.count}
        t, told, y, jumps = state.t, len(self.holding.events), np.array(state.y), False
        if self.holding.any or striking:
            y = self._put_right(t, y)
        self.switching.choose(t, y, self.holding.speed(t, y))
        if formulas or not further:
            jumps = self.switching.change(t, y, steps, formulas)
        if self.stopped is None and acting:
            self._act(t, y, acting)
        if self.stopped is None and (jumps or self.holding.any):
            y = self._decided(t, y, steps, limits)
            self.holding.events[told:] = self.connecting.answered(self.holding.events[told:], self.holding.answers)
        if self.stopped is None and striking:
            y = self._struck(t, y, steps, striking)
        if self.stopped is not None:
            return None
        self.switching.measure_rounding(t, y)
        self._count(t, y)
        failure = self._renew(t, y)
        if failure is not None:
            self.holding.stopped = Outcome(Status.STOPPED_EARLY, failure.message, t)
            return None
        switches = self.holding.mechanism.coordinates.switches
        jumped = sorted({f"{switches[i].formula} jumps" for i in self.switching.changed}) if formulas else []
        why = "; ".join([*jumped, *(event.name for event in self.holding.events[told:])])
        return State(t, y, self.mode), why

    def _count(self, t: float, y: Array) -> None:
        """How many velocities are free with what holds now."""
        c = self.holding.mechanism.coordinates
        if not c.connections:
            return
        numbers, held = self.holding.numbers, self.holding.held
        system = numbers.system(numbers.at(t, y), held)
        rows = system.jacobian[system.always] * system.scale
        self.freedoms[t] = c.v.numel() - len(rows) + len(dependent_rows(rows))

    def _act(self, t: float, y: Array, passed: Collection[int]) -> None:
        """Close and open what switches say."""
        try:
            if self.connecting.turn(t, y, passed):
                self._require_known_friction(t, y)
        except TooFarOpen as error:
            self.holding.stopped = Outcome(Status.STOPPED_EARLY, str(error), t, error.element)

    def _struck(self, t: float, y: Array, steps: int, passed: Collection[int]) -> Array:
        """The state behind given impulses, and what holds from then on."""
        try:
            behind = self.striking.strike(t, y, passed)
        except Unresisted as error:
            self.holding.stopped = Outcome(Status.STOPPED_EARLY, str(error), t, error.element)
            return y
        return self._decided(t, behind, steps, ())

    def _require_known_friction(self, t: float, y: Array) -> None:
        """Refuse friction where what presses is not unique: what was closed holds what others hold too."""
        c = self.holding.mechanism.coordinates
        rubbing = [name for name, action in c.loading.actions.items() if action.implied]
        connected = self.holding.connected
        if not rubbing or not connected:
            return
        system = self.holding.numbers.system(self.holding.numbers.at(t, y), connected)
        surplus = dependent_rows(system.jacobian[system.always] * system.scale)
        if surplus:
            names = ", ".join(f"'{c.limits[i].name}'" for i in connected)
            told = ", ".join(joint_of(name) for name in rubbing)
            raise TooFarOpen(
                c.limits[connected[-1]].name,
                f"friction of {told} is not known while {names} hold at t = {t:.9g} s: conditions depend on each other, "
                "so that what presses is not unique; close what holds no more than is free, or leave the friction out",
            )

    def _decided(self, t: float, y: Array, steps: int, limits: Collection[int]) -> Array:
        """The state behind what holds from now on; what breaks there opens at once."""
        found = self.holding.change(t, y, steps, limits)
        if found is not None and self.switching.choose(t, found, self.holding.speed(t, found)):
            # what was hit goes on along other sides
            found = self.holding.change(t, found, steps, limits)
        while found is not None and self.connecting.break_loaded(t, found):
            found = self.holding.change(t, found, steps)
        return y if found is None else found

    def _put_right(self, t: float, y: Array) -> Array:
        """A state with its conditions closed: inside a step they hold as well as the dense output only."""
        closed = y.copy()
        p = self.holding.p[: self.holding.mechanism.coordinates.p.numel()].copy()
        system = self.holding.mechanism.conditions(p)
        found = [solve(system, t, closed).converged for solve in (solve_positions, solve_velocities)]
        return closed if all(found) else y

    def _renew(self, t: float, y: Array, *, first: bool = False) -> Failure | None:
        """Let the flow go on with what holds from now on; what fails there."""
        if not self.holding.any:
            if not self.striking.count:
                return None
            self.striking.measure_rounding(self.switching.rounding[-self.striking.count :], t, y)
            return None if first or self.flow.begin(t, y) >= 0 else last_failure(self.flow)
        before = self.switching.others + self.switching.count
        rounding, limits = self.switching.rounding[before:], len(self.holding.mechanism.coordinates.limits)
        self.holding.measure_rounding(rounding[:limits], t, y)
        behind = limits + self.connecting.count
        self.connecting.measure_rounding(rounding[limits:behind], t, y)
        self.striking.measure_rounding(rounding[behind:], t, y)
        return begin_again(self.flow, t, y, first=first)


def parameters_along(c: Coordinates, legs: Sequence[Leg], t: Array, p: Array) -> Array:
    """The parameters (N, np) in force at the times t (N): those of a leg up to its end, with what holds in it."""
    modes = np.tile(p, (len(legs), 1))
    modes[:, c.limit_places] = 0.0
    for row, leg in zip(modes, legs, strict=True):
        row[c.limit_places][list(leg.mode.held)] = 1.0
        row[c.slide_places], row[c.side_places] = leg.mode.slides, leg.mode.sides
        row[[place for places in c.seat_places.values() for place in places]] = leg.mode.seats
        row[c.switch_places] = leg.mode.branches
    return modes[np.searchsorted([leg.start for leg in legs[1:]], t)]


def modes_of(c: Coordinates, legs: Sequence[Leg], freedoms: Mapping[float, int]) -> RunModes:
    """The modes of a run, for its result; none where nothing can change."""
    rows: list[RunMode] = []
    before: Mode | None = None
    for leg in legs if c.limits or c.switches else ():
        holds = tuple(dict.fromkeys(c.limits[i].name for i in _holding(c, leg.mode)))
        # what slips back and forth without rest slips on, and a place goes on touching along another side
        same = (
            before is not None
            and replace(leg.mode, slides=before.slides, sides=before.sides, branches=_formulas(c, leg.mode, before))
            == before
        )
        if same and holds == rows[-1].holds:
            rows[-1] = replace(rows[-1], end=leg.end)
        else:
            rows.append(RunMode(leg.start, leg.end, holds, leg.why, freedoms.get(leg.start)))
        before = leg.mode
    return RunModes(tuple(rows), bool(c.limits), {item.name: item.while_held for item in c.limits if item.while_held})


def _formulas(c: Coordinates, mode: Mode, before: Mode) -> tuple[float, ...]:
    """The branches of formulas of a mode, with the sides of polygons of another one."""
    if len(mode.branches) != len(before.branches):
        return mode.branches
    every = zip(c.switches, mode.branches, before.branches, strict=True)
    return tuple(now if switch.largest is None else was for switch, now, was in every)


def _holding(c: Coordinates, mode: Mode) -> list[int]:
    """What holds, and what does not slip as others hold it."""
    slides, still = dict(zip(c.grips, mode.slides, strict=True)), list[int]()
    for cone in c.cones:
        if not is_direction(np.array([slides[i] for i in cone])):
            still += [i for i in cone if i not in mode.held]
    return sorted([*mode.held, *still])
