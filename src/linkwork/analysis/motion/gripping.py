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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import casadi as ca
import numpy as np
from scipy.optimize import linprog

from linkwork.analysis.motion.complementarity import ZERO, Complementarity, Contradiction
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import LinkworkError

SHARED = 60  # times that parts of friction are found anew from what they press with
CLOSE = 1e-12  # change of such parts that is none
BENEATH = 1 - 1e-9  # part of its friction that something has which does not slip
MOST = 5000  # choices that are tried
OVER = 1e-9  # part of the largest friction by which what sticks is above it where it lets go, so that it does not come back
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

    def decide(self, near: Sequence[int], resting: Sequence[int], into: Array) -> Tried:
        """near: limits that may hold; resting: grips without slip; into: directions of all others."""
        resting = [i for i in resting if self.c.carriers.get(i) in (None, *near)]
        seen, choice = set[GripChoice](), GripChoice(tuple(near), tuple(resting), tuple(into.tolist()))
        jams = False
        while choice not in seen:
            seen.add(choice)
            tried = self._tried(choice)
            jams |= not tried.room > 0.0
            better = self._better(tried, near, resting)
            if better is None:
                return self._still(tried, resting)
            choice = better
        for other in self._all(near, resting, choice.into):
            tried = self._tried(other)
            jams |= not tried.room > 0.0
            if self._better(tried, near, resting) is None:
                return self._still(tried, resting)
        if jams:
            touching = [i for i in self.c.grips if self.c.carriers.get(i) in (None, *near)]
            raise Jammed([self.c.limits[i].label.element for i in touching])
        raise Contradiction([self.c.coming[i][0] for i in (*near, *resting)])

    # -- one choice -------------------------------------------------------------------------------------------------

    def _tried(self, choice: GripChoice) -> Tried:
        basic = self._independent(choice)
        if basic == (*choice.limits, *choice.stuck):
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
        free = np.array([i not in choice.basic for i in stuck])
        into[np.array(places)[free]] = 0.0
        tried = self._solved(replace(choice, into=tuple(into.tolist())))
        matrix = self._freely(rows, [self.c.coming[i][0] for i in choice.limits])
        for _ in range(SHARED):
            if not np.all(np.isfinite(tried.f)):
                return tried
            now = tried.f[rows].copy()
            now[free] = -into[places][free] * tried.sliding[places][free]
            least = _evenly(matrix, matrix @ now, tried.bounds[places])
            wanted = into.copy()
            sliding = np.maximum(tried.sliding[places], 1e-300)
            wanted[np.array(places)[free]] = -(least / sliding)[free]
            change = float(np.max(np.abs(wanted - into), initial=0.0))
            into = wanted
            tried = self._solved(replace(choice, into=tuple(into.tolist())))
            if change <= CLOSE:
                break
        f = tried.f.copy()
        for k in np.flatnonzero(free):
            f[rows[k]] = -into[places[k]] * tried.sliding[places[k]]
        return replace(tried, f=f)

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
            elif i in choice.limits and push <= ZERO * force and self._are_idle(choice):
                # friction goes on to hold where the limit would have to pull
                yield 0.0, without
            if i not in choice.limits and rate < -ZERO * self.size:
                own = [k for k in resting if self.c.carriers.get(k) == i]
                stuck = tuple(sorted({*choice.stuck, *own}))
                yield -rate / self.size, replace(choice, limits=tuple(sorted((*choice.limits, i))), stuck=stuck)

    def _are_idle(self, choice: GripChoice) -> bool:
        """Whether some that hold could do it without others."""
        return bool(choice.stuck) and self.system.are_dependent([*choice.limits, *choice.stuck])

    def _of_stuck(self, tried: Tried) -> Iterator[tuple[float, GripChoice]]:
        """What holds more than its friction, all that is at its end together; and what something else moves."""
        choice, grips = tried.choice, list(self.c.grips)
        pushes = {i: float(tried.f[self.c.coming[i][0]]) for i in choice.stuck}
        parts = {i: abs(push) / max(tried.bounds[grips.index(i)], 1e-300) for i, push in pushes.items()}
        most, largest = max(parts.values(), default=0.0), max(map(abs, pushes.values()), default=0.0)
        if most > 1.0 + OVER * (0.5 if self.leaving else 1.0) and largest > ZERO * self._force(tried):
            yield most, self._letting_go(choice, {i: -pushes[i] for i in parts if parts[i] >= most * (1.0 - ALIKE)})
        for i in (i for i in choice.stuck if i not in choice.basic):
            rate = float(tried.rates[self.c.coming[i][0]])
            if abs(rate) > ZERO * self.size:
                yield np.inf, self._letting_go(choice, {i: rate})

    def _of_slipping(self, tried: Tried, slips: Sequence[int]) -> Iterator[tuple[float, GripChoice]]:
        """What would come back where it lets go."""
        for i in slips:
            back = -tried.choice.into[list(self.c.grips).index(i)] * tried.rates[self.c.coming[i][0]]
            if back > ZERO * self.size:
                yield back / self.size, self._sticking(tried.choice, i)

    def _force(self, tried: Tried) -> float:
        return float(np.max(np.abs(tried.f), initial=0.0))

    def _sticking(self, choice: GripChoice, grip: int) -> GripChoice:
        return replace(choice, stuck=tuple(sorted((*choice.stuck, grip))))

    def _letting_go(self, choice: GripChoice, ways: Mapping[int, float]) -> GripChoice:
        """Some of those that stick slip, into the direction of a number."""
        into = np.array(choice.into)
        for i, way in ways.items():
            into[list(self.c.grips).index(i)] = np.sign(way)
        stuck = tuple(i for i in choice.stuck if i not in ways)
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
        if 3 ** len(resting) * 2 ** len(near) > MOST:
            return
        for count in range(len(resting) + 1):
            for slipping in combinations(resting, count):
                for signs in product((1.0, -1.0), repeat=count):
                    directions = list(into)
                    for i, sign in zip(slipping, signs, strict=True):
                        directions[grips.index(i)] = sign
                    stuck = tuple(i for i in resting if i not in slipping)
                    for size in range(len(near) + 1):
                        for limits in combinations(near, size):
                            own = tuple(i for i in stuck if self.c.carriers.get(i) in (None, *limits))
                            yield GripChoice(limits, own, tuple(directions))


def _evenly(matrix: Array, needed: Array, bounds: Array) -> Array:
    """f with *matrix* f = *needed* and the least max |f| / bounds."""
    values, vectors = np.linalg.eigh(matrix)
    known = vectors[:, values > 1e-10 * values[-1]].T
    n, sizes = len(bounds), np.maximum(bounds, 1e-300 + 1e-12 * np.max(bounds, initial=0.0))
    scaled, unit = known * sizes, np.eye(n)
    target = known @ np.linalg.lstsq(matrix, needed, rcond=1e-10)[0]
    if len(known) == 1:
        # one freedom, |Σ s f/b| = |target|: all take the same part
        return np.sign(scaled[0]) * sizes * (target[0] / max(float(np.sum(np.abs(scaled))), 1e-300))
    upper = np.block([[unit, -np.ones((n, 1))], [-unit, -np.ones((n, 1))]])
    found = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=upper,
        b_ub=np.zeros(2 * n),
        A_eq=np.column_stack([scaled, np.zeros(len(known))]),
        b_eq=target,
        bounds=[(None, None)] * n + [(0, None)],
        method="highs",
    )
    return known.T @ target if found.x is None else found.x[:n] * sizes
