"""Rest at limits: stops that hold, ropes that are taut, and whatever else comes and goes with a room Φ ≥ 0.

    h + Cᵀλ = 0,   0 ≤ Φ ⊥ λ ≥ 0   for what comes and goes, equalities for the rest.

Searches go on as they do without limits, but no step leads through one: it ends where the first room is used up. Where a
search wants to go on from there, the limit is held, as a condition like any other. At rest with what holds, limits that
would have to pull are let go, and the search goes on without them. It ends where h is balanced by conditions with λ ≥ 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import brentq, lsq_linear

from linkwork.arrays import Array
from linkwork.coordinates.contributions import OneSided
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.errors import EquilibriumError
from linkwork.numerics.paths.rest import Rest, Resting, Search
from linkwork.results.equilibrium import HeldLimit

USED = 1e-11  # of the size of the mechanism: a room that is none
BLOCKED = 1e-7  # part of a step that leads nowhere
PULLS = 1e-9  # of the forces that act: less pulls nothing
MOST = 200  # changes of what holds

Searching = Callable[[Resting, Array, Search], Rest]


class _Blocked(Exception):
    """A step leads through limits at once; limits: their numbers, x: where."""

    def __init__(self, limits: list[int], x: Array) -> None:
        self.limits, self.x = limits, x


@dataclass(eq=False)
class _AtLimits:
    """A system whose steps end at limits that do not hold."""

    statics: Statics
    scale: Array = field(init=False)

    def __post_init__(self) -> None:
        self.scale = self.statics.scale
        self._none = USED * float(self.statics.c.kinematics.length)
        held = set(self.statics.held)
        self._places = [i for i in self.statics.c.one_sided if i not in held]
        every = list(self.statics.c.one_sided)
        self._free = np.array([every.index(i) for i in self._places], dtype=np.intp)

    def forces(self, x: Array) -> tuple[Array, Array, Array]:
        return self.statics.forces(x)

    def size(self, x: Array) -> float:
        return self.statics.size(x)

    def stiffness(self, x: Array, push: Array) -> Array:
        return self.statics.stiffness(x, push)

    def directions(self, jacobian: Array) -> Array:
        return self.statics.directions(jacobian)

    def push(self, h: Array, jacobian: Array) -> Array:
        return self.statics.push(h, jacobian)

    def close(self, x: Array) -> tuple[Array, bool]:
        return self.statics.close(x)

    def move(self, x: Array, delta: Array) -> Array:
        """x ⊕ s δ with the largest s ≤ 1 at which all rooms are left."""
        there = self.statics.move(x, delta)
        if not self._free.size:
            return there
        rooms = self._rooms(there)
        if rooms is None or np.all(rooms >= -self._none):
            return there

        def least(part: float) -> float:
            found = self._rooms(self.statics.move(x, part * delta))
            return -1.0 if found is None else float(np.min(found))

        if least(0.0) <= self._none:
            self._blocked(x, delta)
        part = float(brentq(least, 0.0, 1.0, xtol=1e-15, rtol=1e-14)) if least(0.0) > 0.0 else 0.0
        if part <= BLOCKED:
            self._blocked(x, delta)
        return self.statics.close(self.statics.move(x, part * delta))[0]

    def _blocked(self, x: Array, delta: Array) -> None:
        """Raises where limits without room are those that a step leads through."""
        size = float(np.max(np.abs(delta / self.scale), initial=0.0))
        little = self._rooms(self.statics.move(x, min(1.0, 1e-4 / max(size, 1e-300)) * delta))
        here = self._rooms(x)
        if little is None or here is None:
            return
        used = [
            i for i, now, then in zip(self._places, here, little, strict=True) if now <= 10 * self._none and then < now
        ]
        if used:
            raise _Blocked(used, x)

    def _rooms(self, x: Array) -> Array | None:
        closed, found = self.statics.close(x)
        return self.statics.rooms(closed)[self._free] if found else None


@dataclass(frozen=True, eq=False)
class LimitedRest:
    """Where a search has ended, with the system of what holds there; pushes: of the limits that hold, by their numbers."""

    rest: Rest
    statics: Statics
    pushes: dict[int, float]


def at_limits(way: Searching, statics: Statics, x: Array, search: Search) -> LimitedRest:
    """Look for rest from a position, with limits."""
    if not statics.c.one_sided:
        return LimitedRest(way(statics, x, search), statics, {})
    none, every = USED * float(statics.c.kinematics.length), list(statics.c.one_sided)
    beyond = [i for i, room in zip(every, statics.rooms(x), strict=True) if room < -none]
    statics, seen, iterations = statics.holding(sorted({*statics.held, *beyond})), set[tuple[int, ...]](), 0
    for _ in range(MOST):
        try:
            ended = way(_AtLimits(statics), x, search)
        except _Blocked as blocked:
            x, statics = blocked.x, statics.holding(sorted({*statics.held, *blocked.limits}))
            continue
        iterations += ended.iterations
        x = ended.x
        pushes, pulls = _pushes(statics, x)
        if not ended.found or not pulls:
            # what is touched and does not push leaves the way free
            pushing = {i: push for i, push in pushes.items() if push > _nothing(statics, x)}
            return LimitedRest(Rest(x, iterations, ended.found), statics.holding(pushing), pushing)
        if statics.held in seen and len(seen) > 2 ** min(len(statics.held), 6):
            break
        seen.add(statics.held)
        statics = statics.holding([i for i in statics.held if i != pulls[0]])
    names = ", ".join(statics.c.limits[i].name for i in statics.held)
    raise EquilibriumError(
        f"the search for rest goes round in circles between {names}, which hold and let go; begin elsewhere: start={{...}}"
    )


def _pushes(statics: Statics, x: Array) -> tuple[dict[int, float], list[int]]:
    """λ of the limits that hold, by their numbers, and those of them that would have to pull, the worst first.

    Where conditions depend on each other λ ≥ 0 are looked for that balance the forces as well as any.
    """
    if not statics.held:
        return {}, []
    h, _, jacobian = statics.forces(x)
    own = {i: int(np.flatnonzero(statics.kept == statics.c.coming[i][0])[0]) for i in statics.held}
    push, none = statics.push(h, jacobian), _nothing(statics, x)
    if min(push[place] for place in own.values()) < -none:
        lower = np.full(len(push), -np.inf)
        lower[list(own.values())] = 0.0
        rows = (jacobian * statics.scale).T
        found = lsq_linear(rows, -h * statics.scale, (lower, np.full(len(push), np.inf)), tol=1e-14).x
        left = [np.linalg.norm(h * statics.scale + rows @ item) for item in (push, found)]
        push = found if left[1] <= left[0] + 1e-9 * statics.size(x) else push
    pushes = {i: float(push[place]) for i, place in own.items()}
    return pushes, sorted((i for i, value in pushes.items() if value < -none), key=lambda i: pushes[i])


def _nothing(statics: Statics, x: Array) -> float:
    """λ of limits that is none, N."""
    return PULLS * statics.size(x) / float(statics.c.kinematics.length)


def free_way(statics: Statics, x: Array, delta: Array) -> Array:
    """A displacement or its opposite, whichever leaves more of the rooms that are used up."""
    if not statics.c.one_sided:
        return delta
    ways = [statics.close(statics.move(x, sign * delta))[0] for sign in (1.0, -1.0)]
    least = [float(np.min(np.minimum(statics.rooms(way), 0.0))) for way in ways]
    return delta if least[0] >= least[1] else -delta


def held_limit(limit: OneSided, push: float) -> HeldLimit:
    """A limit that holds, with what it pushes with."""
    unit, lever = ("N", 1.0) if limit.lever is None else ("N*m", limit.lever)
    return HeldLimit(limit.name, push * lever, unit)
