"""Conditions that come and go, in a run: a rope that goes slack and taut.

Such a condition has a room Φ ≥ 0 and pushes with λ ≥ 0 only where the room is used up. While it holds, an event waits for
λ = 0, while it does not, for Φ = 0. There, and where anything else jumps, it is decided anew which of them hold, of those
without room. First for the velocities, which an impulse may change (it takes the speed along them, nothing bounces):

    M (v⁺ − v⁻) = Cᵀ Λ,   0 ≤ C v⁺ + a  ⊥  Λ ≥ 0

then, of those that do not part with these velocities, for the accelerations:

    M v̇ = h + Cᵀ λ,       0 ≤ C v̇ + b  ⊥  λ ≥ 0

with equalities for all other conditions. Both are solved by trying which of them hold, few before many: the motion behind
is unique, which of them hold need not be. Source: F. Pfeiffer, C. Glocker, "Multibody Dynamics with Unilateral Contacts",
chapters 5 and 6, without friction and restitution.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.work import Impulse
from linkwork.analysis.walk.prepare import Array, Mechanism
from linkwork.errors import AssemblyError, RefusedError
from linkwork.results.outcome import EventRecord, Outcome, Status

CLOSED = 1e-9  # room, of the size of the mechanism, that is none
ZERO = 1e-9  # speeds, accelerations and pushes that are none, of the largest of the kind
MOST = 10  # conditions at one time, which are tried in all combinations
RETURNS, STEPS = 8, 3  # a condition that comes and goes so often, each time after so few steps, will not stop
ROUNDING = 64 * float(np.finfo(float).eps)
BEHIND = 1e-300  # added to guards: a zero at the start is no crossing


@dataclass(eq=False)
class Holding:
    """The conditions of one run that come and go. p: the parameters of its flow, in which the selectors are changed."""

    mechanism: Mechanism
    p: Array
    events: list[EventRecord] = field(default_factory=list)
    impulses: list[Impulse] = field(default_factory=list)
    stopped: Outcome | None = None

    def __post_init__(self) -> None:
        c = self.mechanism.coordinates
        last = c.p.numel() - len(c.switches)
        self.places = slice(last - len(c.limits), last)
        self.selectors = self.p[self.places]
        self._returns = np.zeros(len(c.limits), dtype=int)
        self.history: list[tuple[float, Array]] = []

    @property
    def any(self) -> bool:
        """Whether there are such conditions."""
        return bool(self.mechanism.coordinates.limits)

    @cached_property
    def guards(self) -> ca.SX:
        """Positive while each of them stays as it is: what it pushes with, or its room."""
        c = self.mechanism.coordinates
        if not c.limits:
            return ca.SX(0, 1)
        pulls = ca.vertsplit(self.mechanism.equations.functions["pulls"](c.t, c.y, c.p))
        return BEHIND + ca.vertcat(
            *[ca.if_else(item.selector > 0.5, pull, item.room) for item, pull in zip(c.limits, pulls, strict=True)]
        )

    def begin(self, t: float, y: Array) -> Array:
        """Decide what holds at the start; returns the state behind it."""
        c = self.mechanism.coordinates
        if not c.limits:
            return y
        self.selectors[:] = 0.0
        room = self._evaluate(t, y)[0]
        size = float(c.kinematics.length)
        for item, left in zip(c.limits, room, strict=True):
            if left < -CLOSED * size:
                raise AssemblyError(
                    f"{item.label} is exceeded by {-left:.6g} m where the mechanism is assembled: draw its points nearer to "
                    "each other, or give it more length"
                )
        behind = self._decided(t, y, set())
        self.history = [(-np.inf, self.selectors.copy())]
        self.impulses.clear()  # the run begins behind them
        return behind

    def change(self, t: float, state: Array, steps: int, passed: Collection[int] = ()) -> Array | None:
        """Decide anew, after so many steps; passed: guards whose zeros are here. None: it has no end, see ``stopped``."""
        before = self.selectors.copy()
        y = self._decided(t, state, set(passed))
        asked = before != self.selectors
        asked[list(passed)] = True
        self._returns[:] = np.where(asked & (steps <= STEPS), self._returns + 1, 0)
        self.history.append((t, self.selectors.copy()))
        if np.max(self._returns) > RETURNS:
            name = self.mechanism.coordinates.limits[int(np.argmax(self._returns))].label
            reason = f"{name} comes and goes without end"
            self.stopped = Outcome(Status.STOPPED_EARLY, reason, t, name.element)
            return None
        return y

    def along(self, t: Array, p: Array) -> Array:
        """The parameters (N, np) in force at the times t (N)."""
        found = np.tile(p, (len(t), 1))
        times = np.array([time for time, _ in self.history])
        found[:, self.places] = np.array([held for _, held in self.history])[np.searchsorted(times, t) - 1]
        return found

    def measure_rounding(self, rounding: Array, t: float, y: Array) -> None:
        """How large rounding errors of the guards may be near a state."""
        c = self.mechanism.coordinates
        forces = self._evaluate(t, y)[5]
        pushes = float(np.max(np.abs(forces / np.maximum(c.kinematics.scale, 1e-300)), initial=0.0))
        rounding[:] = ROUNDING * np.where(self.selectors > 0.5, pushes, float(c.kinematics.length))

    # -- what holds -------------------------------------------------------------------------------------------------

    def _decided(self, t: float, state: Array, passed: set[int]) -> Array:
        """Set the selectors of a state without jumps of its position; returns it with the velocities behind impulses."""
        c = self.mechanism.coordinates
        room, mass, jacobian, a, b, forces = self._evaluate(t, state)
        held = self.selectors > 0.5
        near = [i for i in range(len(room)) if held[i] or i in passed or room[i] <= CLOSED * float(c.kinematics.length)]
        if len(near) > MOST:
            raise RefusedError(
                f"{len(near)} conditions come or go at t = {t:.6g} s: at most {MOST} at once can be told apart"
            )
        y, nq, nv = np.array(state), c.q.numel(), c.v.numel()
        v = y[nq : nq + nv].copy()
        system = _Complementarity(mass, jacobian, c.kinematics.scale, self._rows)
        speeds, impulse = system.solve(near, mass @ v, a, f"velocities at t = {t:.6g} s")
        if impulse[self._rows].any():
            y[nq : nq + nv] = speeds
        rates = jacobian[self._rows] @ y[nq : nq + nv] + a[self._rows]
        # of speeds there are, or of those that the mechanism takes up within its own size
        free = system.solve((), forces, b, "")[0]
        rush = float(np.max(np.abs(jacobian) @ np.abs(free) + np.abs(b), initial=0.0)) * float(c.kinematics.length)
        size = max(float(np.max(np.abs(jacobian) @ np.abs(v) + np.abs(a), initial=0.0)), np.sqrt(rush))
        staying = [i for i in near if rates[i] <= ZERO * size]
        if y[nq : nq + nv].tolist() != v.tolist():
            _, mass, jacobian, a, b, forces = self._evaluate(t, y)
            system = _Complementarity(mass, jacobian, c.kinematics.scale, self._rows)
        _, pushes = system.solve(staying, forces, b, f"accelerations at t = {t:.6g} s")
        self.selectors[:] = 0.0
        self.selectors[[i for i in staying if pushes[self._rows[i]] > 0.0]] = 1.0
        self._tell(t, held, impulse[self._rows], jacobian[self._rows] @ v + a[self._rows])
        return y

    def _tell(self, t: float, before: NDArray[np.bool_], impulses: Array, rates: Array) -> None:
        """Note what has come and gone, with the energy that impulses have destroyed."""
        for i, item in enumerate(self.mechanism.coordinates.limits):
            name, now = item.label.element, self.selectors[i] > 0.5
            if impulses[i] > 0.0:
                self.impulses.append(Impulse(t, name, 0.5 * float(impulses[i] * rates[i]), destroyed=True))
                self.events.append(EventRecord(f"{name} goes taut", t, {"impulse": float(impulses[i])}))
            elif now and not before[i]:
                self.events.append(EventRecord(f"{name} goes taut", t))
            if (before[i] or impulses[i] > 0.0) and not now:
                self.events.append(EventRecord(f"{name} goes slack", t))

    @property
    def _rows(self) -> list[int]:
        """The rows of the conditions that come and go."""
        c = self.mechanism.coordinates
        return [c.labels.index(item.label) for item in c.limits]

    def _evaluate(self, t: float, y: Array) -> list[Array]:
        """Rooms, M, C, a, b and h as if all conditions held."""
        p = self.p[: self.mechanism.coordinates.p.numel()].copy()
        p[self.places] = 1.0
        found = [np.array(item) for item in self._function(t, y, p)]
        return [found[0].ravel(), found[1], found[2], *(item.ravel() for item in found[3:])]

    @cached_property
    def _function(self) -> ca.Function:
        c = self.mechanism.coordinates
        rooms = ca.vertcat(ca.SX(0, 1), *[item.room for item in c.limits])
        outputs = [rooms, c.mass, c.jacobian, c.a, c.b, c.forces]
        return ca.Function("limits", [c.t, c.y, c.p], [ca.densify(item) for item in outputs])


@dataclass(frozen=True, eq=False)
class _Complementarity:
    """M x = r + Cᵀ f, with C x + d = 0 of all rows but those that come and go; of these 0 ≤ C x + d ⊥ f ≥ 0."""

    mass: Array
    jacobian: Array
    scale: Array
    coming: Sequence[int]

    def solve(self, near: Sequence[int], right: Array, drift: Array, what: str) -> tuple[Array, Array]:
        """x (n) and f (m); near: those of the coming rows, by their numbers, that may hold."""
        rows = [i for i in range(len(self.jacobian)) if i not in self.coming]
        longest = float(np.max(np.abs(self.jacobian * self.scale), initial=0.0)) or 1.0
        size = float(np.max(np.abs(self.scale * right), initial=0.0)) / longest + 1e-300
        for count in range(len(near) + 1):
            for chosen in combinations([self.coming[i] for i in near], count):
                x, f = self._with([*rows, *chosen], right, drift)
                left = self.jacobian @ x + drift
                others = [self.coming[i] for i in near if self.coming[i] not in chosen]
                speed = ZERO * max(
                    float(np.max(np.abs(self.jacobian) @ np.abs(x) + np.abs(drift), initial=0.0)), 1e-300
                )
                push = ZERO * (size + float(np.max(np.abs(f), initial=0.0)))
                if np.all(left[others] >= -speed) and np.all(f[list(chosen)] >= -push):
                    f[list(chosen)] = np.maximum(f[list(chosen)], 0.0)
                    return x, f
        raise RefusedError(
            f"no choice of the conditions that come and go gives {what}: two of them contradict each other"
        )

    def _with(self, rows: Sequence[int], right: Array, drift: Array) -> tuple[Array, Array]:
        n, scale = len(self.mass), self.scale
        mass, jacobian = self.mass * np.outer(scale, scale), self.jacobian[list(rows)] * scale
        size = float(np.max(np.abs(mass), initial=0.0)) or 1.0
        system = np.block([[mass / size, jacobian.T], [jacobian, np.zeros((len(rows), len(rows)))]])
        found = np.linalg.lstsq(system, np.concatenate([scale * right / size, -drift[list(rows)]]), rcond=1e-12)[0]
        f = np.zeros(len(self.jacobian))
        f[list(rows)] = -size * found[n:]
        return scale * found[:n], f
