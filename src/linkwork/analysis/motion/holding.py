"""Conditions that come and go, in a run: a rope that goes slack and taut. And impulses, also those of speeds that jump.

Such a condition has a room Φ ≥ 0 and pushes with λ ≥ 0 only where the room is used up. While it holds, an event waits for
λ = 0, while it does not, for Φ = 0. There, and where anything else jumps, it is decided anew which of them hold, of those
without room. First for the velocities, which an impulse may change. With the speeds γ = C v + a and the part e of them that
comes back where they are negative, of several at once too (Newton's law in the form of Moreau):

    M (v⁺ − v⁻) = Cᵀ Λ,   0 ≤ γ⁺ + e min(γ⁻, 0)  ⊥  Λ ≥ 0

Jumps that become ever shorter have an end. What comes down from one that nobody can see stays, and the time at which all
that would have followed would have ended is told: every jump takes e times as long as the one before. Then, of those that do
not part with these velocities, for the accelerations:

    M v̇ = h + Cᵀ λ,       0 ≤ C v̇ + b  ⊥  λ ≥ 0

with equalities for all other conditions (``complementarity.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.complementarity import ZERO, Complementarity, Contradiction, Pushed
from linkwork.analysis.motion.gripping import OVER, Gripping, Jammed, is_direction, told_of_friction, told_of_rows
from linkwork.analysis.motion.impacts import IMPACT_LAWS, Blow, ImpactLaw, Rubbed
from linkwork.analysis.motion.impulsive import Jumped, VelocityJump
from linkwork.analysis.motion.jumps import Jumps
from linkwork.analysis.motion.limit_numbers import CLOSED, ROUNDING, LimitNumbers, LimitTerms, length_of
from linkwork.analysis.motion.surplus import Surplus
from linkwork.analysis.motion.work import WorkAtOnce
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.coordinates.multipliers import require_unread
from linkwork.coordinates.rubbing import joint_of
from linkwork.elements.touching import SLIPPING
from linkwork.equations.saddle import DAMPED
from linkwork.errors import AssemblyError, RefusedError
from linkwork.numerics.flows.closure import solve_positions
from linkwork.results.outcome import EventRecord, Outcome, Status

MET = 5e-14  # the same where something is met: less than the height of any jump
RETURNS, STEPS = 8, 3  # a condition that comes and goes so often, each time after so few steps, will not stop
UNSEEN = 1e-10  # room, of the size of the mechanism, that counts as none at most where a limit comes and goes
CHATTERS = "steps cannot tell whether it holds or parts; smaller steps, another integrator or some stiffness may go on"
BEHIND = 1e-300  # added to guards: a zero at the start is no crossing
ASIDE = 0.5  # part of a slip in space that is left along its direction where that is taken anew
CREEPING = 1e-7  # slip (of the size of the mechanism, in a second) of what does not slip
AHEAD = 0.05  # way, of the size of the mechanism, along which redundant constraints have to stay so

Hit = tuple[Mapping[int, float], Mapping[int, Rubbed]]
"""The part of the speed that comes back of limits that are hit, and how those that are near rub."""


@dataclass(eq=False)
class Holding:
    """The conditions of one run that come and go. p: parameters of its flow, with the selectors; law: of impacts."""

    mechanism: Mechanism
    p: Array
    law: ImpactLaw = IMPACT_LAWS["newton"]
    events: list[EventRecord] = field(default_factory=list)
    impulses: list[WorkAtOnce] = field(default_factory=list)
    stopped: Outcome | None = None
    answers: Mapping[str, float] = field(default_factory=dict)  # of joints, to the last jump of velocities

    def __post_init__(self) -> None:
        c = self.mechanism.coordinates
        self.numbers = LimitNumbers(c, self.p)
        self.selectors, self.slides = self.p[c.limit_places], self.p[c.slide_places]
        self._returns = np.zeros(len(c.limits), dtype=int)
        self._jumps = Jumps(float(c.kinematics.length))
        self.jumped = Jumped(self.mechanism)
        self._surplus = Surplus()
        self._choosing = False  # whether the law of impacts was asked for more than one impact without friction

    @property
    def notes(self) -> tuple[str, ...]:
        """The law of impacts, where another would say something else: of several, and with friction; what shares loads."""
        return (*((self.law.told,) if self._choosing else ()), *self._surplus.notes)

    @property
    def any(self) -> bool:
        """Whether there are such conditions."""
        return bool(self.mechanism.coordinates.limits)

    @property
    def held(self) -> tuple[int, ...]:
        """Those that hold, by their numbers."""
        return tuple(np.flatnonzero(self.selectors > 0.5).tolist())

    @property
    def connected(self) -> tuple[int, ...]:
        """Those of them that hold while nobody releases them."""
        return tuple(i for i in self.mechanism.coordinates.connections if self.selectors[i] > 0.5)

    @cached_property
    def guards(self) -> ca.SX:
        """Positive while each of them stays as it is: what it pushes with, or its room."""
        c = self.mechanism.coordinates
        if not c.limits:
            return ca.SX(0, 1)
        guarded = bool(c.one_sided or c.grips)  # others are ended by switches
        pushes = ca.vertsplit(self.mechanism.equations.pushes(c.t, c.y, c.p)) if guarded else [ca.SX(0)] * len(c.limits)
        found = {i: ca.if_else(item.selector > 0.5, pushes[i], item.room) for i, item in c.one_sided.items()}
        for cone in c.cones:
            found |= self._of_grips(cone, pushes)
        # of others nothing but a switch ends it
        return BEHIND + ca.vertcat(*[found.get(i, ca.SX(1)) for i in range(len(c.limits))])

    def _of_grips(self, cone: Sequence[int], pushes: Sequence[ca.SX]) -> dict[int, ca.SX]:
        """Guards of what sticks and slips together: of the largest push, or of the slip into its direction."""
        c, found = self.mechanism.coordinates, dict[int, ca.SX]()
        items = [c.grips[i] for i in cone]
        held = ca.vertcat(*[item.selector for item in items])
        way, slip = (ca.vertcat(*[getattr(item, name) for item in items]) for name in ("direction", "slip"))
        force = ca.if_else(held > 0.5, ca.vertcat(*[pushes[i] for i in cone]), -way * items[0].sliding)
        bound = (1.0 + OVER) * items[0].bound - length_of(force)
        ahead = ca.dot(way, slip) - (0 if len(cone) == 1 else ASIDE * length_of(slip))
        slipping, carrier = ca.fabs(ca.dot(way, way) - 1) <= SLIPPING, c.carriers.get(cone[0])
        for number, (i, item) in enumerate(zip(cone, items, strict=True)):
            creeping = CREEPING * c.kinematics.length - ca.fabs(item.slip)
            # one guard of both components is enough while they slip
            free = ca.if_else(slipping, ahead if number == 0 else 1, creeping)
            if carrier is not None:
                free = ca.if_else(c.limits[carrier].selector > 0.5, free, 1)
            found[i] = ca.if_else(item.selector > 0.5, bound, free)
        return found

    def begin(self, t: float, y: Array, held: Collection[int] | None, slides: Sequence[float] = ()) -> Array:
        """Decide what holds at the start; returns the state behind it.

        held, slides: what has held so far, None where nothing is known: then the first mode is no event.
        """
        c = self.mechanism.coordinates
        if not c.limits:
            return y
        first = self.connected if held is None else held
        self.selectors[:] = 0.0
        self.selectors[list(first)] = 1.0
        self.slides[:] = slides or 0.0
        size, rooms = float(c.kinematics.length), self.numbers.at(t, y).rooms
        for i, item in c.one_sided.items():
            left = float(rooms[i])
            if left < -CLOSED * size and i not in self.held:
                raise AssemblyError(
                    f"{item.label} is exceeded by {item.measured(-left)} where the mechanism is assembled: {item.remedy}"
                )
        try:
            behind = self._decided(t, y, set(), CLOSED)
        except Contradiction as contradiction:
            raise RefusedError(f"at the start {told_of_rows(self.mechanism.coordinates, contradiction.rows)}") from None
        except Jammed as jammed:
            raise RefusedError(f"at the start {told_of_friction(jammed)}") from None
        if held is None:
            self.events[:] = [event for event in self.events if event.values]
        self.impulses.clear()  # the run begins behind them
        return behind

    def change(self, t: float, state: Array, steps: int, passed: Collection[int] = ()) -> Array | None:
        """Decide anew, after so many steps; passed: guards whose zeros are here. None: it has no end, see ``stopped``."""
        c, before, slipping, hit = (
            self.mechanism.coordinates,
            self.selectors.copy(),
            self._slips(),
            dict(self._jumps.hit),
        )
        try:
            y = self._decided(t, state, set(passed))
        except Jammed as jammed:
            self._stop(told_of_friction(jammed), t, jammed.names[0])
        except Contradiction as contradiction:
            self._stop(told_of_rows(c, contradiction.rows), t, c.labels[contradiction.rows[-1]].element)
        except RefusedError as refused:
            self._stop(str(refused), t)  # what the law of impacts does not follow
        if self.stopped is not None:
            return None
        asked = before != self.selectors
        asked[list(passed)] = True
        # what sticks and is held by others from now on comes ever nearer to its end
        asked[list(c.grips)] = np.array(slipping) != np.array(self._slips())
        # jumps have an end of their own, and so has what they set in motion
        asked &= steps <= STEPS and not self._jumps.begin(t, hit)
        self._returns[:] = np.where(asked, self._returns + 1, 0)
        if np.max(self._returns, initial=0) > RETURNS:
            label = c.limits[int(np.argmax(self._returns))].label
            self._stop(f"{label} comes and goes without end: {CHATTERS}", t, label.element)
            return None
        return y

    def _stop(self, reason: str, t: float, element: str = "") -> None:
        """The run ends here."""
        self.stopped = Outcome(Status.STOPPED_EARLY, reason, t, element)

    def measure_rounding(self, rounding: Array, t: float, y: Array) -> None:
        """How large rounding errors of the guards may be near a state."""
        c, at = self.mechanism.coordinates, self.numbers.at(t, y)
        pushes = float(np.max(np.abs(at.forces / np.maximum(c.kinematics.scale, 1e-300)), initial=0.0))
        if self._system(at).are_dependent(self.held):
            pushes /= DAMPED
        free = np.full(len(c.limits), float(c.kinematics.length))
        # what leaves more slowly than steps are accurate comes back at once, and farther than rounding errors
        free *= np.clip(10.0 ** (self._returns - 1.0), 1.0, UNSEEN / ROUNDING)
        free[list(c.grips)] = self._size(at, y)
        rounding[:] = ROUNDING * np.where(self.selectors > 0.5, pushes, free)

    # -- what holds -------------------------------------------------------------------------------------------------

    def _decided(self, t: float, state: Array, passed: set[int], closed: float = MET) -> Array:
        """Set the selectors of a state without jumps of its position; returns it with the velocities behind impulses.

        closed: room, of the size of the mechanism, that is none
        """
        c, at = self.mechanism.coordinates, self.numbers.at(t, state)
        before, slipping = self.selectors > 0.5, self._slips()
        y, size = np.array(state), self._size(at, state)
        self.answers = {}
        rates, free = at.jacobian @ y[self.numbers.velocities] + at.a, self._free(at)
        near = self._near(at, rates, passed, closed)
        rows = {i: c.coming[i][0] for i in near}
        back = self._jumps.sent_back(t, {i: (float(rates[k]), float(free[k])) for i, k in rows.items()}, at.back)
        hit = back, self.numbers.rubbing(at, near)
        impulses = self._push(at, near, (), y, size, hit)
        if impulses.any():
            at = self.numbers.at(t, y)
        rates = at.jacobian @ y[self.numbers.velocities] + at.a
        staying = [i for i in near if rates[c.coming[i][0]] <= ZERO * size]
        thrown = [i for i in near if before[i] and i not in staying and self._jumps.hit.get(i) != t]
        unseen = self._unseen(at, thrown, staying, rates)
        self._jumps.thrown = [i for i in thrown if i not in unseen]
        staying = sorted([*staying, *unseen])
        holding = self._gripped(at, y, staying, passed, size) if c.grips else self._held(at, y, staying, passed, size)
        impulses += self._push(at, near, holding, y, size, ({}, {}))
        if impulses.any():
            change = (y - state)[self.numbers.velocities]
            self.answers = self.jumped.add(VelocityJump(t, np.array(state), self.p.copy(), change, impulses))
        kept = self.connected
        self.selectors[:] = 0.0
        self.selectors[[*kept, *holding]] = 1.0
        self._jumps.left(t, [i for i in c.one_sided if before[i] and i not in holding])
        self._tell(t, before, impulses)
        self._tell_slips(t, slipping)
        return y

    def speed(self, t: float, y: Array) -> float:
        """The size of speeds of a state."""
        return self._size(self.numbers.at(t, y), y) if self.any else 0.0

    def touching(self, at: LimitTerms, size: float) -> list[int]:
        """The limits without room, by their numbers; size: of speeds."""
        return self._near(at, np.full(len(self.mechanism.coordinates.rows), size), (), MET)

    def _near(self, at: LimitTerms, rates: Array, passed: Collection[int], closed: float) -> list[int]:
        """The limits that hold, are passed, or have no room; rates: of all rows, by which rounding errors of times count."""
        c, held = self.mechanism.coordinates, self.held
        none = closed * float(c.kinematics.length) + ROUNDING * abs(at.t) * np.abs(rates)
        return [i for i in c.one_sided if i in held or i in passed or at.rooms[i] <= none[c.coming[i][0]]]

    def _size(self, at: LimitTerms, y: Array) -> float:
        """The size of speeds: of those there are, or of those that the mechanism takes up within its own size."""
        free = np.abs(at.jacobian) @ np.abs(self._system(at).free(at.forces, at.b)) + np.abs(at.b)
        length = float(self.mechanism.coordinates.kinematics.length)
        return max(at.speeds(y[self.numbers.velocities]), float(np.sqrt(length * np.max(free, initial=0.0))))

    def _held(self, at: LimitTerms, y: Array, staying: Sequence[int], passed: set[int], size: float) -> tuple[int, ...]:
        """The limits that hold, of those that do not part; what has come to the end of its push lets go if it can."""
        system, pressed = self._system(at), size**2 / float(self.mechanism.coordinates.kinematics.length)
        ending = {i for i in passed if self.selectors[i] > 0.5}
        found = system.solve(staying, at.forces, at.b, pressed, ending=ending)
        if system.are_dependent(found.holding) and not self._lasts(at, y, found, size):
            found = system.solve(staying, at.forces, at.b, pressed, ending=None)
        return found.holding

    def _gripped(
        self, at: LimitTerms, y: Array, staying: Sequence[int], passed: set[int], size: float
    ) -> tuple[int, ...]:
        """The same together with joints that stick and slip, whose directions are set."""
        c = self.mechanism.coordinates
        rates, into, resting = at.jacobian @ y[self.numbers.velocities] + at.a, np.zeros(len(c.grips)), list[int]()
        for cone in c.cones:
            slip, places = rates[[c.coming[i][0] for i in cone]], [list(c.grips).index(i) for i in cone]
            speed = float(np.linalg.norm(slip))
            if speed <= ZERO * size or (len(cone) == 1 and cone[0] in passed):
                resting += cone
            into[places] = slip / speed if speed > 0.0 else 0.0
        # what was held so far and is at the end of its friction lets go
        ending = {i for i in passed if self.selectors[i] > 0.5}
        moment, pressed = (at.t, y, self.p[: c.p.numel()]), size**2 / float(c.kinematics.length)
        leaving = bool(ending & {*resting})
        gripping = Gripping(c, self._system(at), at.b, pressed, self.numbers.friction, moment, leaving)
        decided = gripping.decide(staying, sorted(resting), into, ending)
        self._surplus.look(gripping, decided)
        found = decided.choice
        self.slides[:] = found.into
        for cone in c.cones:
            if c.carriers.get(cone[0]) not in (None, *found.limits):  # it does not touch
                self.slides[[list(c.grips).index(i) for i in cone]] = np.eye(len(cone))[0]
        return *found.limits, *found.basic

    def _slips(self) -> list[bool | None]:
        """Which of those that grip slip; None: it does not touch."""
        c, found = self.mechanism.coordinates, dict[int, bool | None]()
        for cone in c.cones:
            carrier, places = c.carriers.get(cone[0]), [list(c.grips).index(i) for i in cone]
            slips = not any(self.selectors[i] > 0.5 for i in cone) and is_direction(self.slides[places])
            found |= dict.fromkeys(cone, None if carrier is not None and self.selectors[carrier] < 0.5 else slips)
        return [found[i] for i in c.grips]

    def _free(self, at: LimitTerms) -> Array:
        """Accelerations (m) of all rows where none of what comes and goes holds."""
        return np.asarray(at.jacobian @ self._system(at).free(at.forces, at.b) + at.b)

    def _unseen(self, at: LimitTerms, thrown: Sequence[int], staying: Sequence[int], rates: Array) -> list[int]:
        """Of those that held and are thrown off by what others do, those of which nobody can see the jump."""
        if not thrown:
            return []
        found = at.jacobian @ self._system(at).held(staying, at.forces, at.b).x + at.b
        rows = {i: self.mechanism.coordinates.coming[i][0] for i in thrown}
        return self._jumps.unseen(*({i: float(item[row]) for i, row in rows.items()} for item in (rates, found)))

    def _push(
        self, at: LimitTerms, near: Sequence[int], gripped: Sequence[int], y: Array, size: float, hit: Hit
    ) -> Array:
        """The impulses (m) that are needed where speeds do not fit, zeros elsewhere; y is changed.

        gripped: those that hold whatever the impulses, with all rows of their groups; hit: restitutions and friction
        """
        c, v = self.mechanism.coordinates, y[self.numbers.velocities]
        system = self._system(at, gripped)
        rates, none = at.jacobian @ v + at.a, np.zeros(len(c.rows))
        others = [i for i in near if i not in gripped]
        if np.all(np.abs(rates[system.always]) <= ZERO * size) and all(
            rates[c.coming[i][0]] >= -ZERO * size for i in others
        ):
            return none
        require_unread(c, f"an impulse at t = {at.t:.6g} s")
        found = self.law.strike(Blow(system, rates, others, hit[0], size, hit[1]))
        impulses = np.where(np.abs(found.impulses) > ZERO * np.max(np.abs(found.impulses)), found.impulses, 0.0)
        self._jumps.sent(at.t, [i for i in hit[0] if impulses[c.coming[i][0]] > 0.0])
        pushed = [i for i in others if impulses[c.coming[i][0]] > 0.0]
        self._choosing |= len(pushed) > 1 or any(i in hit[1] for i in pushed)
        self.impulses += self.numbers.works(at, v, found.change, impulses)
        y[self.numbers.velocities] += found.change
        return impulses

    def _lasts(self, at: LimitTerms, y: Array, found: Pushed, size: float) -> bool:
        """Whether conditions that depend on each other do so also a little further on, and not at this moment alone."""
        c, length = self.mechanism.coordinates, float(self.mechanism.coordinates.kinematics.length)
        v, scale = y[self.numbers.velocities], c.kinematics.scale
        fast, rise = (float(np.max(np.abs(item) / scale, initial=0.0)) for item in (v, found.x))
        if fast * length <= ZERO * size and rise * length <= ZERO * size**2 / length:
            return True
        span = AHEAD / max(fast, np.sqrt(AHEAD * rise))
        least = self._system(at).solve(found.holding, at.forces, at.b, size**2 / length, ending=None)
        p, moved = self.p[: c.p.numel()].copy(), y.copy()
        p[c.limit_places] = 0.0
        p[c.limit_places][[*self.connected, *least.holding]] = 1.0
        moved[self.numbers.velocities] = span * v + 0.5 * span**2 * found.x
        moved[: c.q.numel()] = np.array(self.numbers.retract(at.t, moved, p)).ravel()
        report = solve_positions(self.mechanism.conditions(p), at.t + span, moved)
        rooms = self.numbers.at(at.t + span, moved).rooms[list(found.holding)]
        return report.converged and bool(np.all(np.abs(rooms) <= CLOSED * length))

    def _tell(self, t: float, before: NDArray[np.bool_], impulses: Array) -> None:
        """Note what has come and gone."""
        c = self.mechanism.coordinates
        for i, item in c.one_sided.items():
            push, now = float(impulses[c.coming[i][0]]), self.selectors[i] > 0.5
            rests = {"rest from": self._jumps.rests[i]} if i in self._jumps.rests else {}
            values = {"impulse": (item.lever or 1.0) * push} | rests
            units = {"impulse": item.impulse_unit, "rest from": "s"}
            if push > 0.0:
                bounces = self._jumps.hit.get(i) == t
                name = f"{item.name} {item.words[-1 if bounces else 0]}"
                self.events.append(EventRecord(name, t, values, units=units, reactions=self.answers))
                if bounces:
                    continue
            elif now and not before[i]:
                self.events.append(EventRecord(f"{item.name} {item.words[0]}", t))
            if (before[i] or push > 0.0) and not now:
                self.events.append(EventRecord(f"{item.name} {item.words[1]}", t))

    def _tell_slips(self, t: float, before: Sequence[bool | None]) -> None:
        """Note what sticks and slips from now on."""
        c = self.mechanism.coordinates
        first = [cone[0] for cone in c.cones]
        for (i, item), was, now in zip(c.grips.items(), before, self._slips(), strict=True):
            if i in first and now is not None and was != now:
                self.events.append(EventRecord(f"{joint_of(item.name)} {item.words[int(now)]}", t))

    # -- numbers ----------------------------------------------------------------------------------------------------

    def _system(self, at: LimitTerms, gripped: Sequence[int] = ()) -> Complementarity:
        return self.numbers.system(at, [*gripped, *self.connected])
