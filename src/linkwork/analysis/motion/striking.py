"""Given impulses in a run: velocities jump where they strike, and all conditions answer at once.

    M (v⁺ − v⁻) = P + Cᵀ Λ,   C v⁺ + a = 0 of what always holds,   0 ≤ γ⁺  ⊥  Λ ≥ 0 of what touches

with the impulse P along the velocities. Positions stay, and forces are neglected beside P. What touches without speed is
pressed on by the blow and sends nothing back; what is hit at the same instant is hit before. With the velocity w of the
place that is struck, P does the work P (w⁻ + w⁺) / 2. Source: the percussions of E. J. Routh, "Dynamics of a System of
Rigid Bodies", part I, chapter VIII.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.analysis.motion.complementarity import ZERO, Contradiction
from linkwork.analysis.motion.gripping import told_of_rows
from linkwork.analysis.motion.holding import Holding
from linkwork.analysis.motion.impacts import Blow
from linkwork.analysis.motion.impulsive import VelocityJump
from linkwork.analysis.motion.limit_numbers import ROUNDING, LimitTerms
from linkwork.analysis.motion.work import WorkAtOnce
from linkwork.arrays import Array
from linkwork.coordinates.contributions import applied
from linkwork.coordinates.multipliers import require_unread
from linkwork.errors import LinkworkError
from linkwork.results.outcome import EventRecord

BEHIND = 1e-300  # added to guards: a zero at the start is no crossing
MET = 1e-9  # of an impulse: what inertia and conditions have to take up of it


class Unresisted(LinkworkError):
    """What is struck has no inertia, or conditions contradict each other; element: the impulse."""

    def __init__(self, element: str, reason: str) -> None:
        self.element = element
        super().__init__(reason)


@dataclass(eq=False)
class Striking:
    """The given impulses of one run. p: the parameters of its flow, in which sides are changed; holding: what else holds."""

    p: Array
    holding: Holding

    def __post_init__(self) -> None:
        self.c = self.holding.mechanism.coordinates
        self.names = list(self.c.strikes)
        self._sides = [self.c.constant_place(f"{name}.side") for name in self.names]

    @property
    def count(self) -> int:
        """How many guards there are."""
        return len(self.names)

    @cached_property
    def guards(self) -> ca.SX:
        """Positive until each of them strikes, and behind it."""
        found = [strike.side * (strike.time - self.c.t) for strike in self.c.strikes.values()]
        return BEHIND + ca.vertcat(*found) if found else ca.SX(0, 1)

    @cached_property
    def _function(self) -> ca.Function:
        """Times and sizes (k) of impulses, and P (nv × k) of all of them."""
        c, strikes = self.c, self.c.strikes
        along = [
            ca.jacobian(applied(c.motion, name, c.loading.actions[name]), item.acts) for name, item in strikes.items()
        ]
        items = [ca.vertcat(*[getattr(item, key) for item in strikes.values()]) for key in ("time", "size")]
        return ca.Function("strikes", [c.t, c.y, c.p], [ca.densify(item) for item in (*items, ca.horzcat(*along))])

    def _evaluate(self, t: float, y: Array) -> list[Array]:
        return [np.array(item) for item in self._function(t, y, self.p[: self.c.p.numel()])]

    def measure_rounding(self, rounding: Array, t: float, y: Array) -> None:
        """How large rounding errors of the guards may be near a state."""
        if self.count:
            rounding[:] = ROUNDING * (np.abs(self._evaluate(t, y)[0].ravel()) + abs(t))

    def begin(self, t: float, y: Array) -> list[int]:
        """Look which of them are still to come; those that strike where a run begins: one that ends there ends before."""
        if not self.count:
            return []
        left = self._evaluate(t, y)[0].ravel() - t
        self.p[self._sides] = np.where(left > 0.0, 1.0, -1.0)
        return np.flatnonzero(left == 0.0).tolist()

    def strike(self, t: float, y: Array, passed: Collection[int]) -> Array:
        """The state behind the impulses that strike now, all at once."""
        numbers, chosen = self.holding.numbers, sorted(passed)
        self.p[[self._sides[i] for i in chosen]] = -1.0
        _, sizes, every = self._evaluate(t, y)
        given, at = every[:, chosen], numbers.at(t, y)
        require_unread(self.c, f"the impulse '{self.names[chosen[0]]}' at t = {t:.6g} s")
        before, behind = y[numbers.velocities], np.array(y)
        names = [self.names[i] for i in chosen]
        change, impulses = self._jump(at, before, np.sum(given, axis=1), names)
        jump = VelocityJump(t, y.copy(), self.p.copy(), change, impulses, names)
        reactions = self.holding.jumped.add(jump)
        behind[numbers.velocities] += change
        works = given.T @ (before + 0.5 * change)
        for i, work in zip(chosen, works, strict=True):
            name, unit = self.names[i], self.c.strikes[self.names[i]].unit
            self.holding.impulses.append(WorkAtOnce(t, name, float(work)))
            values = {"impulse": float(sizes.ravel()[i]), "energy": float(work)}
            record = EventRecord(
                f"{name} strikes", t, values, units={"impulse": unit, "energy": "J"}, reactions=reactions
            )
            self.holding.events.append(record)
        self.holding.impulses += numbers.works(at, before, change, impulses)
        return behind

    def _jump(self, at: LimitTerms, v: Array, given: Array, names: Sequence[str]) -> tuple[Array, Array]:
        """v⁺ − v⁻ and the impulses of all rows, where the impulse *given* strikes."""
        holding = self.holding
        system, none = holding.numbers.system(at, holding.connected), np.zeros(len(self.c.rows))
        found = system.held((), given, none)
        rates = at.jacobian @ (v + found.x) + at.a
        size = max(at.speeds(v), at.speeds(found.x))
        near = holding.touching(at, size)
        change, impulses = found.x, found.f
        if any(rates[system.groups[i][0]] < -ZERO * size for i in near):
            blow = Blow(system, rates, near, {}, size, holding.numbers.rubbing(at, near))
            try:
                struck = holding.law.strike(blow)
            except Contradiction as contradiction:
                told = told_of_rows(self.c, contradiction.rows)
                raise Unresisted(names[0], f"'{names[0]}' strikes where {told}") from None
            change, impulses = change + struck.change, impulses + struck.impulses
        scale = self.c.kinematics.scale
        left = scale * (at.mass @ change - given - at.jacobian.T @ impulses)
        if np.max(np.abs(left), initial=0.0) > MET * np.max(np.abs(scale * given), initial=0.0):
            raise Unresisted(
                names[0],
                f"'{names[0]}' strikes what has no inertia at t = {at.t:.9g} s: no velocities answer; give the body that "
                "is struck a mass and an inertia, or strike another point",
            )
        return change, impulses
