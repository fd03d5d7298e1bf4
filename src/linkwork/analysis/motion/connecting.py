"""What closes and opens in a run: connections, and bodies that are held to the ground where they are.

Each switch waits for zeros g = 0 of times and of a formula, with the side s = ±1 of each among the parameters: s g > 0 is
watched, and s turns round where it was passed. A connection that closes gets a seat first (``elements/relations``): its
frame on the parent is turned by the least ρ with which its conditions on angles hold where the bodies are, and shifted by
the least δ with which those on lengths hold then,

    min |ρ|: Φ_angles(A K, B) = 0,   min |δ|: Φ_lengths(A K, B) = 0,

and |δ|, L |ρ| are how far open it was. What velocities jump by is an impulse along all conditions (``holding.py``). One that
breaks opens where |f| of its force or |m| of its moment, from its multipliers, is no longer below what it bears.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import retract_quaternion, to_quaternion
from linkwork.algebra.space import Space
from linkwork.analysis.motion.limit_numbers import CLOSED
from linkwork.analysis.prepared.prepare import Array, Mechanism
from linkwork.coordinates.naming import Lookup
from linkwork.elements.relations.connection import ConnectionRelation, neutral_seat
from linkwork.errors import LinkworkError, RefusedError, did_you_mean
from linkwork.model.switches import ANYWHERE, JointSwitch
from linkwork.results.outcome import EventRecord

ROUNDS, SETTLED = 40, 1e-14  # of Newton's method for a seat, and its last step, of the size of the mechanism
ROUNDING = 64 * float(np.finfo(float).eps)
BEHIND = 1e-300  # added to guards: a zero at the start is no crossing


class TooFarOpen(LinkworkError):
    """A connection that should close is farther open than it may be."""

    def __init__(self, element: str, reason: str) -> None:
        self.element = element
        super().__init__(reason)


@dataclass(frozen=True)
class Zero:
    """One of the zeros that switches wait for: of a time, or of the formula."""

    name: str
    switch: JointSwitch
    time: Expression | None


@dataclass(eq=False)
class Connecting:
    """The switches of one run. p: the parameters of its flow, in which sides, seats and selectors are changed."""

    mechanism: Mechanism
    p: Array
    events: list[EventRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        c = self.mechanism.coordinates
        self.sides, self.selectors = self.p[c.side_places], self.p[c.limit_places]
        self._places = c.seat_places
        self._numbers = {item.name: i for i, item in c.connections.items()}

    @property
    def any(self) -> bool:
        """Whether there are switches, or connections for a hand."""
        return bool(self._numbers)

    @property
    def seats(self) -> tuple[float, ...]:
        """The numbers of all seats."""
        return tuple(float(self.p[k]) for places in self._places.values() for k in places)

    # -- what is waited for -----------------------------------------------------------------------------------------

    @cached_property
    def zeros(self) -> list[Zero]:
        """In the order of their sides."""
        found = []
        for name, switch in self.mechanism.model.switches.items():
            found += [Zero(name, switch, time) for time in switch.at or ()]
            found += [Zero(name, switch, None)] if switch.when is not None else []
        return found

    @cached_property
    def breaking(self) -> list[tuple[str, JointSwitch]]:
        """Switches that open under a load."""
        switches = self.mechanism.model.switches.items()
        return [(name, item) for name, item in switches if item.force is not None or item.moment is not None]

    @property
    def count(self) -> int:
        """How many guards there are."""
        return len(self.zeros) + len(self.breaking)

    @cached_property
    def _formulas(self) -> ca.SX:
        """g of all zeros."""
        c = self.mechanism.coordinates
        found = [ca.SX(0, 1)]
        for zero in self.zeros:
            if zero.time is not None:
                found.append(self._read(zero.time) - c.t)
            else:
                assert zero.switch.when is not None
                found.append(self._read(zero.switch.when))
        return ca.vertcat(*found)

    def _read(self, formula: Expression) -> ca.SX:
        """A formula of a switch."""
        return ca.SX(to_sx(formula, self._names))

    @cached_property
    def _names(self) -> Callable[[str], ca.SX]:
        """What names in formulas stand for."""
        c = self.mechanism.coordinates
        return Lookup(c.topology, c.motion, c.t, c.related).name

    @cached_property
    def guards(self) -> ca.SX:
        """Positive while nothing is to be done."""
        c = self.mechanism.coordinates
        if not self.count:
            return ca.SX(0, 1)
        sides = ca.vertcat(ca.SX(0, 1), *ca.vertsplit(c.p)[c.side_places])
        return BEHIND + ca.vertcat(sides * self._formulas, self._loads)

    @cached_property
    def _loads(self) -> ca.SX:
        """What is left of what each may bear, in parts of it; 1 while it is open."""
        if not self.breaking:
            return ca.SX(0, 1)
        c, found = self.mechanism.coordinates, []
        pushes = self.mechanism.equations.all_pushes(c.t, c.y, c.p)
        coming = [row for rows in c.coming for row in rows]
        for _, switch in self.breaking:
            number = self._numbers[str(switch.release)]
            rows = [(pushes[coming.index(row)], c.rows[row].meaning.turns) for row in c.coming[number]]
            left = [
                1 - ca.norm_2(ca.vertcat(*[push for push, turns in rows if turns == angular])) / bound
                for limit, angular in ((switch.force, False), (switch.moment, True))
                if limit is not None and (bound := self._read(limit)) is not None
            ]
            least = left[0] if len(left) == 1 else ca.fmin(*left)
            found.append(ca.if_else(c.limits[number].selector > 0.5, least, 1))
        return ca.vertcat(*found)

    @cached_property
    def _values(self) -> ca.Function:
        """g of all zeros, the sizes of what they are made of, and what is left of loads."""
        c = self.mechanism.coordinates
        known = ca.vertcat(c.t, c.y)
        sizes = ca.fabs(ca.jacobian(self._formulas, known)) @ ca.fabs(known)
        outputs = [ca.densify(item) for item in (self._formulas, sizes, self._loads)]
        return ca.Function("switches", [c.t, c.y, c.p], outputs)

    def _evaluate(self, t: float, y: Array) -> list[Array]:
        known = self.p[: self.mechanism.coordinates.p.numel()]
        return [np.array(item).ravel() for item in self._values(t, y, known)]

    def measure_rounding(self, rounding: Array, t: float, y: Array) -> None:
        """How large rounding errors of the guards may be near a state."""
        if self.count:
            sizes = self._evaluate(t, y)[1]
            rounding[:] = ROUNDING * np.concatenate([sizes, np.ones(len(self.breaking))])

    # -- what is done -----------------------------------------------------------------------------------------------

    def begin(self, t: float, y: Array, sides: Sequence[float], seats: Sequence[float], fresh: bool) -> None:
        """Look on which side of its zeros a run begins; sides, seats: so far, empty where nothing is known."""
        for place, value in zip((k for places in self._places.values() for k in places), seats, strict=False):
            self.p[place] = value
        if not self.count:
            return
        values = self._evaluate(t, y)[0]
        self.sides[:] = sides if len(sides) == len(values) else np.where(values >= 0.0, 1.0, -1.0)
        now = [i for i, zero in enumerate(self.zeros) if fresh and zero.time is not None and values[i] == 0.0]
        self.turn(t, y, now)

    def turn(self, t: float, y: Array, passed: Collection[int]) -> bool:
        """Do what belongs to the guards that were passed; whether something has closed or opened."""
        before, done = self.selectors.copy(), False
        for i in sorted(passed):
            if i >= len(self.zeros):
                done |= self.release(t, self.breaking[i - len(self.zeros)][1].release or "", "breaks")
                continue
            zero, falling = self.zeros[i], self.sides[i] > 0.0
            self.sides[i] = -self.sides[i]
            wanted = {"either": True, "falling": falling, "rising": not falling}[zero.switch.crossing]
            if zero.time is not None or wanted:
                done |= self._act(t, y, zero.name, zero.switch)
        return done and bool(np.any(before != self.selectors))

    def break_loaded(self, t: float, y: Array) -> bool:
        """Open what bears more than it may where it is decided what holds; whether there is such."""
        if not self.breaking:
            return False
        over = np.flatnonzero(self._evaluate(t, y)[2] < -ROUNDING)
        found = [self.release(t, self.breaking[i][1].release or "", "breaks") for i in over]
        return any(found)

    def _act(self, t: float, y: Array, name: str, switch: JointSwitch) -> bool:
        if switch.release is not None:
            return self.release(t, switch.release)
        if switch.ground is not None:
            return self.connect(t, y, name, np.inf)
        length = float(self.mechanism.coordinates.kinematics.length)
        within = CLOSED * length
        if switch.catching is not None:
            within = np.inf if isinstance(switch.catching, str) else self._number_of(switch.catching)
        return self.connect(t, y, str(switch.connect), max(within, CLOSED * length), passing=switch.otherwise == "pass")

    def _number_of(self, formula: Expression) -> float:
        """The value of a formula of parameters."""
        c = self.mechanism.coordinates
        f = ca.Function("number", [c.p], [ca.densify(self._read(formula))])
        return float(f(self.p[: c.p.numel()]))

    def release(self, t: float, name: str, word: str = "") -> bool:
        """Open a connection; whether it was closed."""
        number = self._number(name)
        if self.selectors[number] < 0.5:
            return False
        self.selectors[number] = 0.0
        self.events.append(EventRecord(f"{name} {word or self.mechanism.coordinates.limits[number].words[1]}", t))
        return True

    def connect(self, t: float, y: Array, name: str, within: float, *, passing: bool = False) -> bool:
        """Close a connection where the bodies are, if it is not open by more than so much (m); whether it was open."""
        number = self._number(name)
        if self.selectors[number] > 0.5:
            return False
        seat, opening = self._seated(name, t, y)
        if not opening <= within:
            if passing:
                return False
            raise TooFarOpen(
                name,
                f"{name} is open by {opening:.6g} m where it should close, at t = {t:.9g} s, and may be by {within:.3g} m; "
                f"let it close where its points meet, or write catching: {_rounded_up(opening)} m or catching: {ANYWHERE}",
            )
        self.p[self._places[number]] = seat
        self.selectors[number] = 1.0
        grounds = self._relation(name).grounds
        values = {} if grounds else {"opening": opening}
        self.events.append(EventRecord(f"{name} {self.mechanism.coordinates.limits[number].words[0]}", t, values))
        return True

    def answered(self, events: Sequence[EventRecord], reactions: Mapping[str, float]) -> list[EventRecord]:
        """The same events, those of joints that close with what all joints answer to the jump of their velocities."""
        closing = {f"{name} {self.mechanism.coordinates.limits[i].words[0]}" for name, i in self._numbers.items()}
        return [replace(event, reactions=reactions) if event.name in closing else event for event in events]

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            raise RefusedError(
                f"there is no connection '{name}'; "
                + (did_you_mean(name, list(self._numbers)) or "declare one: relations: {hook: {kind: connection, ...}}")
            )
        return self._numbers[name]

    def _relation(self, name: str) -> ConnectionRelation:
        found = self.mechanism.coordinates.geometry.relations[name]
        assert isinstance(found, ConnectionRelation)
        return found

    # -- seats ------------------------------------------------------------------------------------------------------

    def _seated(self, name: str, t: float, y: Array) -> tuple[Array, float]:
        """The seat with which a connection closes where the bodies are, and how far open it is (m)."""
        relation = self._relation(name)
        length, space = float(self.mechanism.coordinates.kinematics.length), relation.space
        moment = t, y, self.p[: self.mechanism.coordinates.p.numel()]
        between = np.array(self._functions(name)[0](*moment)).ravel()
        if relation.grounds:
            return between, 0.0
        for start in (_turned_near(space, between), between):
            seat = self._closed(name, moment, start, length)
            if seat is not None:
                return seat, _size(space, seat, start if space.planar else neutral_seat(space), length)
        raise TooFarOpen(name, f"{name} cannot be closed at t = {t:.9g} s: its joint has no seat where the bodies are")

    def _closed(self, name: str, moment: tuple[float, Array, Array], start: Array, length: float) -> Array | None:
        """The seat nearest to another one with which all conditions hold; None: it was not found."""
        space, seat = self._relation(name).space, start.copy()
        d, rows = space.dimension, self.mechanism.coordinates.coming[self._number(name)]
        lengths = np.array([not self.mechanism.coordinates.rows[row].meaning.turns for row in rows])
        units = np.concatenate([np.full(d, length), np.ones(space.rotations)])
        for _ in range(ROUNDS):
            residual, slope = (np.array(item) for item in self._functions(name)[1](*moment, seat))
            # what a turn does to lengths is left to the next round: no slot is tilted to meet a point
            slope = np.where(np.outer(lengths, np.arange(len(units)) >= d), 0.0, slope)
            step = -units * (np.linalg.pinv(slope * units, rcond=1e-10) @ residual.ravel())
            if not np.all(np.isfinite(step)):
                return None
            seat = _moved(space, seat, step)
            if np.max(np.abs(step) / units, initial=0.0) <= SETTLED * max(1.0, float(np.max(np.abs(moment[1])))):
                return seat
        return None

    def _functions(self, name: str) -> tuple[ca.Function, ca.Function]:
        """Of t, y, p: frame B seen from A as a seat; and with a seat the conditions, and their slopes along (δ, ρ)."""
        if name not in self._known:
            c, relation = self.mechanism.coordinates, self._relation(name)
            # in the plane by angles, which know a half turn from none
            ends = relation.ends(c.kinematics.frames)
            a, b = (Frame.planar(end.origin, _angle(end)) if c.space.planar else end for end in ends)
            seat, small = (
                ca.SX.sym(letter, n) for letter, n in (("seat", len(relation.seat)), ("e", c.space.freedoms))
            )
            between = a.inverse() @ b
            turned = [_angle(between)] if c.space.planar else [to_quaternion(between.axes)]
            shifted = ca.vertcat(*_displaced(c.space, seat, small))
            phi = ca.vertcat(*[row.closing for row in relation.rows((a, b), shifted)])
            at = ca.SX.zeros(small.numel())
            outputs = [ca.substitute(item, small, at) for item in (phi, ca.jacobian(phi, small))]
            known = [c.t, c.y, c.p]
            self._known[name] = (
                ca.Function("between", known, [ca.densify(ca.vertcat(between.origin, *turned))]),
                ca.Function("seated", [*known, seat], [ca.densify(item) for item in outputs]),
            )
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, tuple[ca.Function, ca.Function]]:
        return {}


def _angle(frame: Frame) -> ca.SX:
    """The angle of a frame in the plane, with its turns where it counts them."""
    return ca.atan2(frame.axes[1, 0], frame.axes[0, 0]) if frame.angle is None else frame.angle


def _displaced(space: Space, seat: ca.SX, small: ca.SX) -> Iterator[ca.SX]:
    """A seat moved by δ, in the axes of A, and turned by ρ, in its own."""
    d = space.dimension
    yield seat[:d] + small[:d]
    yield seat[d:] + small[d:] if space.planar else retract_quaternion(seat[d:], small[d:])


def _moved(space: Space, seat: Array, step: Array) -> Array:
    return np.array(
        ca.DM(ca.vertcat(*(ca.evalf(item) for item in _displaced(space, ca.SX(seat), ca.SX(step)))))
    ).ravel()


def _turned_near(space: Space, between: Array) -> Array:
    """The seat of a joint as it is declared, with as many whole turns as the bodies are apart."""
    found = neutral_seat(space)
    if space.planar:
        found[-1] = 2 * np.pi * np.round(between[-1] / (2 * np.pi))
    return found


def _size(space: Space, seat: Array, neutral: Array, length: float) -> float:
    """How far a seat is moved, m: the larger one of its way and its turn times the size of the mechanism."""
    d = space.dimension
    turn = abs(seat[d] - neutral[d]) if space.planar else 2 * np.arctan2(np.linalg.norm(seat[d + 1 :]), abs(seat[d]))
    return max(float(np.linalg.norm(seat[:d] - neutral[:d])), length * float(turn))


def _rounded_up(value: float) -> str:
    """A number with two digits, not below another."""
    scale = 10.0 ** (np.floor(np.log10(value)) - 1) if value > 0.0 else 1.0
    return f"{np.ceil(value / scale) * scale:.2g}"
