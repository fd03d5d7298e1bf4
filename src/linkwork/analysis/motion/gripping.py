"""Which joints stick and which slip at an instant, together with the limits that hold.

Joints without slip stick as long as |λ| ≤ μ₀ N of all of them, or they slip into the direction in which they would go:

    M v̇ = h + Cᵀ λ,   h and N with the friction of all that slips,   sticks: ψ̇ = 0, |λ| ≤ μ₀ N,   slips: d ψ̇ ≥ 0.

It is begun with all that may stick. What holds too much lets go, what would come back sticks, limits that pull are left,
those that would be passed hold: one at a time, the worst first. Where that goes round in circles all choices are tried, few
slips before many. Where those that stick depend on each other, such as the pins of a four-bar, it is not unique what each
of them holds: as many as are needed do, and the others keep a part of their friction, so that the largest |λ|/μ₀ N of all
is the least possible. Where no choice works, and what slips has no value in one, friction has no solution (Painlevé).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import casadi as ca
import numpy as np

from linkwork.analysis.motion.complementarity import ZERO, Complementarity, Contradiction
from linkwork.analysis.motion.sharing import share_evenly
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.rubbing import joint_of
from linkwork.elements.touching import SLIPPING
from linkwork.errors import LinkworkError

BENEATH = 1 - 1e-9  # part of its friction that something has which does not slip
MOST = 5000  # choices that are tried
TURNS, BESIDE = 30, 1e-6  # steps of Newton's method for directions of slips, and angles (rad) of its differences
TRIES = 100  # choices that follow from each other
OVER = 1e-9  # part of the largest friction by which what sticks is above it where it lets go, so that it does not come back
SHARED = 60  # times that parts of friction are found anew from what they press with
CLOSE = 1e-12  # change of such parts that is none
ALIKE = 1e-6  # part by which what is at its end together may differ


class Jammed(LinkworkError):
    """What slips has no value; names: of the friction."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        super().__init__(f"{', '.join(self.names)} has no value")


@dataclass(frozen=True)
class GripChoice:
    """limits: that hold; stuck: grips that do not slip; into: directions (k) of all grips, of those that slip 1 or −1.

    basic: of those stuck that hold, the others keep a part of their friction
    """

    limits: tuple[int, ...]
    stuck: tuple[int, ...]
    into: tuple[float, ...]
    basic: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Tried:
    """A choice with all multipliers (m), accelerations (nv) and rates of what comes and goes (m); room: of its friction."""

    choice: GripChoice
    f: Array
    x: Array
    rates: Array
    bounds: Array
    sliding: Array
    room: float


@dataclass(frozen=True, eq=False)
class Gripping:
    """The state of a mechanism in which it is chosen. b: of C v̇ + b where all hold; size: of accelerations of conditions."""

    c: Coordinates
    system: Complementarity
    b: Array
    size: float
    loads: ca.Function
    moment: tuple[float, Array, Array]
    leaving: bool  # whether what is at the end of its friction lets go

    def decide(self, near: Sequence[int], resting: Sequence[int], into: Array, ending: Collection[int] = ()) -> Tried:
        """near: limits that may hold; resting: grips without slip; into: directions of all others.

        ending: limits that have come to the end of their push, and hold again only where they have to
        """
        resting = [i for i in resting if self.c.carriers.get(i) in (None, *near)]
        begun = tuple(i for i in near if i not in ending)
        seen, choice = set[GripChoice](), GripChoice(begun, tuple(resting), tuple(into.tolist()))
        jams = False
        while choice not in seen and len(seen) < TRIES:
            seen.add(choice)
            tried = self._tried(choice, resting)
            jams |= not tried.room > 0.0
            better = self._better(tried, near, resting)
            if better is None:
                return self._still(tried, resting)
            choice = better
        for other in self._all(near, resting, choice.into):
            tried = self._tried(other, resting)
            jams |= not tried.room > 0.0
            if self._better(tried, near, resting) is None:
                return self._still(tried, resting)
        if jams:
            touching = [i for i in self.c.grips if self.c.carriers.get(i) in (None, *near)]
            raise Jammed([self.c.limits[i].label.element for i in touching])
        raise Contradiction([self.c.coming[i][0] for i in (*near, *resting)])

    # -- one choice -------------------------------------------------------------------------------------------------

    def _tried(self, choice: GripChoice, resting: Sequence[int]) -> Tried:
        """A choice, in which slips of two components begin into the direction of their own acceleration."""
        tried = self._held(choice)
        loose = self._loose(choice, resting)
        turning = [list(cone) for cone in self.c.cones if len(cone) > 1 and cone[0] in loose]
        for _ in range(TURNS if turning else 0):
            aside = self._aside(tried, turning)
            if np.max(np.abs(aside)) <= CLOSE:
                break
            slope = np.zeros((len(turning), len(turning)))
            for k in range(len(turning)):
                beside = self._turned(tried, turning, np.eye(len(turning))[k] * BESIDE)
                slope[:, k] = _angles(self._aside(beside, turning) - aside) / BESIDE
            step = -np.linalg.lstsq(slope, aside, rcond=1e-12)[0]
            tried = self._turned(
                tried,
                turning,
                np.asarray(step, dtype=float) * min(1.0, 0.5 / float(np.max(np.abs(step), initial=1e-300))),
            )
        return tried

    def _aside(self, tried: Tried, cones: Sequence[Sequence[int]]) -> Array:
        """Angles from the directions of slips to those of their accelerations; zero of what does not accelerate."""
        found = []
        for cone in cones:
            (x, y), (dx, dy) = self.rates(tried, cone), np.array(tried.choice.into)[self.places(cone)]
            moves = np.hypot(x, y) > ZERO * self.size
            found.append(np.arctan2(dx * y - dy * x, dx * x + dy * y) if moves else 0.0)
        return np.array(found)

    def _turned(self, tried: Tried, cones: Sequence[Sequence[int]], angles: Array) -> Tried:
        """The same choice with other directions of slips."""
        into = np.array(tried.choice.into)
        for cone, angle in zip(cones, angles, strict=True):
            places, c, s = self.places(cone), np.cos(angle), np.sin(angle)
            into[places] = np.array([[c, -s], [s, c]]) @ into[places]
        return self._held(replace(tried.choice, into=tuple(into.tolist())))

    def rates(self, tried: Tried, cone: Sequence[int]) -> Array:
        return np.asarray(tried.rates[[self.c.coming[i][0] for i in cone]])

    def places(self, cone: Sequence[int]) -> list[int]:
        """Where directions of some grips stand."""
        grips = list(self.c.grips)
        return [grips.index(i) for i in cone]

    def _held(self, choice: GripChoice) -> Tried:
        basic = self._independent(choice)
        if {*choice.stuck} <= {*basic}:
            return self._solved(replace(choice, basic=choice.stuck))
        return self._shared(replace(choice, basic=tuple(i for i in basic if i in choice.stuck)))

    def _solved(self, choice: GripChoice) -> Tried:
        (t, y, p), grips = self.moment, list(self.c.grips)
        p, into = p.copy(), np.array(choice.into)
        into[[grips.index(i) for i in choice.basic]] = 0.0
        choice = replace(choice, into=tuple(into.tolist()))
        holding, connected = [*choice.limits, *choice.basic], self.c.connections
        p[self.c.limit_places][[i for i in range(len(self.c.limits)) if i not in connected]] = 0.0
        p[self.c.limit_places][holding] = 1.0
        p[self.c.slide_places] = choice.into
        forces, bounds, sliding, room = (np.array(item).ravel() for item in self.loads(t, y, p))
        found = self.system.held(holding, forces, self.b)
        rates = self.system.jacobian @ found.x + self.b
        return Tried(choice, found.f, found.x, rates, bounds, sliding, float(np.min(room, initial=np.inf)))

    def _independent(self, choice: GripChoice) -> tuple[int, ...]:
        """Of all that should hold, as many as do not depend on each other, limits first."""
        kept: list[int] = []
        for i in (*choice.limits, *choice.stuck):
            if not self.system.are_dependent([*kept, i]):
                kept.append(i)
        return tuple(kept)

    def _shared(self, choice: GripChoice) -> Tried:
        """All that is stuck with the same part of its friction, as far as that is possible."""
        grips, into = list(self.c.grips), np.array(choice.into)
        stuck = list(choice.stuck)
        places, rows = [grips.index(i) for i in stuck], [self.c.coming[i][0] for i in stuck]
        free = np.array([i not in choice.basic for i in stuck], dtype=bool)
        into[np.array(places, dtype=int)[free]] = 0.0
        tried = self._solved(replace(choice, into=tuple(into.tolist())))
        matrix = self._freely(rows, [self.c.coming[i][0] for i in choice.limits])
        for _ in range(SHARED):
            if not np.all(np.isfinite(tried.f)):
                return tried
            now = tried.f[rows].copy()
            now[free] = -into[places][free] * tried.sliding[places][free]
            least = share_evenly(matrix, matrix @ now, tried.bounds[places], self._together(stuck))
            wanted = into.copy()
            sliding = tried.sliding[places]
            # what nothing presses takes no part
            pressed = free & (sliding > ZERO * np.max(sliding))
            wanted[np.array(places, dtype=int)[free]] = 0.0
            wanted[np.array(places, dtype=int)[pressed]] = -least[pressed] / sliding[pressed]
            change = float(np.max(np.abs(wanted - into), initial=0.0))
            into = wanted
            tried = self._solved(replace(choice, into=tuple(into.tolist())))
            if change <= CLOSE:
                break
        f = tried.f.copy()
        for k in np.flatnonzero(free):
            f[rows[k]] = -into[places[k]] * tried.sliding[places[k]]
        return replace(tried, f=f)

    def _together(self, stuck: Sequence[int]) -> list[list[int]]:
        """Which of those that stick have one bound together, by their places in the list."""
        return [[stuck.index(i) for i in cone] for cone in self.c.cones if cone[0] in stuck]

    def _freely(self, rows: Sequence[int], held: Sequence[int]) -> Array:
        """A of some rows, where the limits that hold push as they have to."""
        if not held:
            return self.system.answer_of(rows)
        whole, n = self.system.answer_of([*rows, *held]), len(rows)
        return whole[:n, :n] - whole[:n, n:] @ np.linalg.pinv(whole[n:, n:], rcond=1e-12) @ whole[n:, :n]

    # -- what is wrong with it --------------------------------------------------------------------------------------

    def _better(self, tried: Tried, near: Sequence[int], resting: Sequence[int]) -> GripChoice | None:
        """The choice without what is worst in this one; None: all of it holds."""
        choice = tried.choice
        if not np.all(np.isfinite(tried.f)) or not tried.room > 0.0:
            # what slips has no value: perhaps it sticks, or what shares with it holds more than there is
            slipping = self._loose(choice, resting)
            if slipping:
                return self._sticking(choice, slipping[-1])
            return max(self._of_stuck(tried), key=lambda item: item[0], default=(0.0, choice))[1]
        slips = self._loose(choice, resting)
        wrong = [*self._of_limits(tried, near, resting), *self._of_stuck(tried), *self._of_slipping(tried, slips)]
        return max(wrong, key=lambda item: item[0])[1] if wrong else None

    def _loose(self, choice: GripChoice, resting: Sequence[int]) -> list[int]:
        """What slips of all that rests, where the limits hold with which it rubs."""
        carriers = self.c.carriers
        return [i for i in resting if i not in choice.stuck and carriers.get(i) in (None, *choice.limits)]

    def _of_limits(
        self, tried: Tried, near: Sequence[int], resting: Sequence[int]
    ) -> Iterator[tuple[float, GripChoice]]:
        """Limits that pull, and those that are passed."""
        choice, force = tried.choice, self._force(tried)
        for i in near:
            push, rate = tried.f[self.c.coming[i][0]], tried.rates[self.c.coming[i][0]]
            limits = tuple(k for k in choice.limits if k != i)
            stuck = tuple(k for k in choice.stuck if self.c.carriers.get(k) != i)
            without = replace(choice, limits=limits, stuck=stuck)
            if i in choice.limits and push < -ZERO * force:
                yield -push / force, without
            elif i in choice.limits and (push <= self._nothing(i) or (push <= ZERO * force and self._are_idle(choice))):
                # all that are left alone at once part together; friction goes on to hold where a limit would have to pull
                yield 0.0, without
            if i not in choice.limits and rate < -ZERO * self.size:
                own = [k for k in resting if self.c.carriers.get(k) == i]
                stuck = tuple(sorted({*choice.stuck, *own}))
                yield -rate / self.size, replace(choice, limits=tuple(sorted((*choice.limits, i))), stuck=stuck)

    def _nothing(self, limit: int) -> float:
        """A push that accelerates nothing that could be told."""
        row = self.c.coming[limit][0]
        answer = float(self.system.answer_of([row])[0, 0])
        return 0.5 * ZERO * self.size / answer if answer > 0.0 else 0.0

    def _are_idle(self, choice: GripChoice) -> bool:
        """Whether some that hold could do it without others."""
        return bool(choice.stuck) and self.system.are_dependent([*choice.limits, *choice.stuck])

    def _of_stuck(self, tried: Tried) -> Iterator[tuple[float, GripChoice]]:
        """What holds more than its friction, all that is at its end together; and what something else moves."""
        choice = tried.choice
        cones = [cone for cone in self.c.cones if cone[0] in choice.stuck]
        pushes = {cone: tried.f[[self.c.coming[i][0] for i in cone]] for cone in cones}
        bounds = {cone: max(tried.bounds[self.places(cone)[0]], 1e-300) for cone in cones}
        parts = {cone: float(np.linalg.norm(push)) / bounds[cone] for cone, push in pushes.items()}
        largest = max((float(np.linalg.norm(push)) for push in pushes.values()), default=0.0)
        most = max(parts.values(), default=0.0)
        if most > 1.0 + OVER * (0.5 if self.leaving else 1.0) and largest > ZERO * self._force(tried):
            end = [cone for cone in cones if parts[cone] >= most * (1.0 - ALIKE)]
            yield most, self._letting_go(choice, {cone: -pushes[cone] for cone in end})
        for cone in (cone for cone in cones if not set(cone) <= {*choice.basic}):
            rates = self.rates(tried, cone)
            if float(np.linalg.norm(rates)) > ZERO * self.size:
                yield np.inf, self._letting_go(choice, {cone: rates})

    def _of_slipping(self, tried: Tried, slips: Sequence[int]) -> Iterator[tuple[float, GripChoice]]:
        """What would come back where it lets go."""
        for cone in (cone for cone in self.c.cones if cone[0] in slips):
            back = -float(np.array(tried.choice.into)[self.places(cone)] @ self.rates(tried, cone))
            if back > ZERO * self.size:
                yield back / self.size, self._sticking(tried.choice, cone[0])

    def _force(self, tried: Tried) -> float:
        return float(np.max(np.abs(tried.f), initial=0.0))

    def _sticking(self, choice: GripChoice, grip: int) -> GripChoice:
        (cone,) = (cone for cone in self.c.cones if grip in cone)
        return replace(choice, stuck=tuple(sorted({*choice.stuck, *cone})))

    def _letting_go(self, choice: GripChoice, ways: Mapping[tuple[int, ...], Array]) -> GripChoice:
        """Some of those that stick slip, into the direction of a vector."""
        into, gone = np.array(choice.into), {i for cone in ways for i in cone}
        for cone, way in ways.items():
            into[self.places(cone)] = way / max(float(np.linalg.norm(way)), 1e-300)
        stuck = tuple(i for i in choice.stuck if i not in gone)
        return replace(choice, stuck=stuck, into=tuple(into.tolist()))

    def _still(self, tried: Tried, resting: Sequence[int]) -> Tried:
        """The same, where what could slip does not, since others hold it."""
        grips, into = list(self.c.grips), list(tried.choice.into)
        held = [*tried.choice.limits, *tried.choice.basic]
        free = [i for i in self._loose(tried.choice, resting) if self.system.are_dependent([*held, i])]
        still = [i for i in free if abs(tried.rates[self.c.coming[i][0]]) <= ZERO * self.size]
        for i in still:
            into[grips.index(i)] *= BENEATH
        stuck = tuple(sorted((*tried.choice.stuck, *still)))
        return replace(tried, choice=replace(tried.choice, stuck=stuck, into=tuple(into)))

    def _all(self, near: Sequence[int], resting: Sequence[int], into: tuple[float, ...]) -> Iterator[GripChoice]:
        """All choices, few slips and few limits before many."""
        grips = list(self.c.grips)
        cones = [cone for cone in self.c.cones if cone[0] in resting]
        if 3 ** len(cones) * 2 ** len(near) > MOST:
            return
        for count in range(len(cones) + 1):
            for slipping in combinations(cones, count):
                for signs in product((1.0, -1.0), repeat=count):
                    directions = list(into)
                    for cone, sign in zip(slipping, signs, strict=True):
                        for i in cone:
                            directions[grips.index(i)] = sign if i == cone[0] else 0.0
                    gone = {i for cone in slipping for i in cone}
                    stuck = tuple(i for i in resting if i not in gone)
                    for size in range(len(near) + 1):
                        for limits in combinations(near, size):
                            own = tuple(i for i in stuck if self.c.carriers.get(i) in (None, *limits))
                            yield GripChoice(limits, own, tuple(directions))


def _angles(angles: Array) -> Array:
    """Between −π and π."""
    return np.asarray((angles + np.pi) % (2 * np.pi) - np.pi)


def is_direction(into: Array) -> bool:
    """Whether something slips into a direction, and does not keep a part of its friction where others hold it."""
    return abs(float(into @ into) - 1.0) <= SLIPPING


def told_of_friction(jammed: Jammed) -> str:
    """Why nothing goes on where friction has no value."""
    joints = [joint_of(name) for name in jammed.names]
    listed = " and ".join([", ".join(joints[:-1]), joints[-1]] if len(joints) > 1 else joints)
    guides = any(joint != name for joint, name in zip(joints, jammed.names, strict=True))
    return (
        f"friction of {listed} has no solution: whatever sticks or slips, what slips presses the harder the more it rubs; "
        f"take a smaller coefficient{', a longer guide, or the load nearer to it' if guides else ', or begin elsewhere'}"
    )


def told_of_rows(c: Coordinates, rows: Sequence[int]) -> str:
    """What contradicts what."""
    coming = [row for group in c.coming for row in group]
    labels = [c.labels[row] for row in rows]
    told = [label for label, row in zip(labels, rows, strict=True) if label.kind == "driver" or row in coming]
    names = list(dict.fromkeys(f"{label.kind} '{label.element}'" for label in (told if len(told) > 1 else labels)))
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return (
        f"{listed} contradict each other: no motion satisfies all of them from here; drive by a force where something "
        "may give way"
    )
