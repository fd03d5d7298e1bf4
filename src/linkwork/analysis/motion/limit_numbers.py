"""What is evaluated of conditions that come and go: rooms, masses, rows as if all of them held, and friction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.analysis.motion.complementarity import Complementarity
from linkwork.analysis.motion.impacts import Rubbed
from linkwork.analysis.motion.work import WorkAtOnce
from linkwork.analysis.prepared.memo import of_noun
from linkwork.arrays import Array
from linkwork.coordinates.coming import OneSided
from linkwork.coordinates.coordinates import Coordinates
from linkwork.elements.rubbing import TINY

ROUNDING = 64 * float(np.finfo(float).eps)
INFINITE = 1e300  # room of what has no limit
CLOSED = 1e-9  # room, of the size of the mechanism, that is none where a run begins, and where a joint may close


@dataclass(frozen=True, eq=False)
class LimitTerms:
    """Rooms and restitutions (k), M, and C, a, b as if all conditions held, of a state at a time; h without friction.

    coefficients (k): with which impulses rub along what grips
    """

    t: float
    rooms: Array
    back: Array
    coefficients: Array
    mass: Array
    jacobian: Array
    a: Array
    b: Array
    forces: Array

    def speeds(self, v: Array) -> float:
        """The size of what speeds of conditions are made of."""
        return float(np.max(np.abs(self.jacobian) @ np.abs(v) + np.abs(self.a), initial=0.0))


@dataclass(frozen=True, eq=False)
class LimitNumbers:
    """p: parameters of a run, whose selectors and directions change."""

    c: Coordinates
    p: Array

    @property
    def velocities(self) -> slice:
        """Where v stands in y."""
        return slice(self.c.q.numel(), self.c.q.numel() + self.c.v.numel())

    def at(self, t: float, y: Array) -> LimitTerms:
        """All that does not depend on what holds."""
        c = self.c
        p = self.p[: c.p.numel()].copy()
        p[c.limit_places], p[c.slide_places] = 0.0, 0.0
        rooms, back, mu, mass, jacobian, *others = (np.array(item) for item in self._function(t, y, p))
        return LimitTerms(
            t, rooms.ravel(), back.ravel(), mu.ravel(), mass, jacobian, *(item.ravel() for item in others)
        )

    def system(self, at: LimitTerms, gripped: Sequence[int] = ()) -> Complementarity:
        """The problem of what holds; gripped: what holds anyhow, with all rows of its group."""
        groups = [() if i in gripped else rows for i, rows in enumerate(self.c.coming)]
        return Complementarity(at.mass, at.jacobian, self.c.kinematics.scale, groups)

    def rubbing(self, at: LimitTerms, near: Sequence[int]) -> dict[int, Rubbed]:
        """How limits rub in impacts, of those that are near."""
        c, found = self.c, dict[int, Rubbed]()
        for cone in c.cones:
            limit, coefficient = c.carriers.get(cone[0]), float(at.coefficients[cone[0]])
            if limit in near and limit is not None and coefficient > 0.0:
                found[limit] = Rubbed(tuple(c.coming[i][0] for i in cone), coefficient)
        return found

    def works(self, at: LimitTerms, v: Array, change: Array, impulses: Array) -> list[WorkAtOnce]:
        """The works of the impulses (m) of all rows, where velocities jump.

        Λ does the work Λ (C v⁻ + C v⁺) / 2, of which one that comes and goes destroys Λ (γ⁻ + γ⁺) / 2
        """
        found, rates, middle = list[WorkAtOnce](), at.jacobian @ v + at.a, 0.5 * (at.jacobian @ change)
        coming = {row for rows in self.c.coming for row in rows}
        work = impulses * (at.jacobian @ v + middle)
        for row in np.flatnonzero(impulses):
            name, own = self.c.labels[row].element, row in coming
            lost = float(impulses[row] * (rates[row] + middle[row])) if own else 0.0
            if own:
                found.append(WorkAtOnce(at.t, name, lost, destroyed=True))
            if abs(work[row] - lost) > ROUNDING * abs(lost):
                found.append(WorkAtOnce(at.t, name, float(work[row]) - lost))
        return found

    @property
    def _function(self) -> ca.Function:
        return of_noun(self.c, "limits", None, lambda: _limits(self.c))

    @property
    def friction(self) -> ca.Function:
        """h, the largest pushes of what sticks, those of what slips, and the rooms of its formulas."""
        return of_noun(self.c, "limits of friction", None, lambda: _friction(self.c))

    @property
    def retract(self) -> ca.Function:
        """q ⊕ δ, with δ in the place of v."""
        return of_noun(self.c, "retract", None, lambda: _retract(self.c))


# all runs of a mechanism have these in common: friction takes seconds to write


def _limits(c: Coordinates) -> ca.Function:
    sided = [(item.room, item.restitution) if isinstance(item, OneSided) else (INFINITE, 0) for item in c.limits]
    rooms, back = (ca.vertcat(ca.SX(0, 1), *items) for items in (zip(*sided, strict=True) if sided else ((), ())))
    rubs = [c.grips[i].coefficient if i in c.grips else None for i in range(len(c.limits))]
    mu = ca.vertcat(ca.SX(0, 1), *[ca.SX(0) if item is None else item for item in rubs])
    selectors = ca.vertcat(ca.SX(0, 1), *[item.selector for item in c.limits])
    whole = ca.substitute([c.jacobian, c.a, c.b], [selectors], [ca.SX.ones(selectors.shape)])
    outputs = [rooms, back, mu, c.mass, *whole, c.forces]
    return ca.Function("limits", [c.t, c.y, c.p], [ca.densify(item) for item in outputs])


def _friction(c: Coordinates) -> ca.Function:
    grips = list(c.grips.values())
    rooms = [bound.room for action in c.loading.actions.values() if action.implied for bound in action.bounds]
    parts = [[item.bound for item in grips], [item.sliding for item in grips], rooms]
    outputs = [c.forces, *(ca.vertcat(ca.SX(0, 1), *items) for items in parts)]
    return ca.Function("friction", [c.t, c.y, c.p], [ca.densify(item) for item in outputs])


def _retract(c: Coordinates) -> ca.Function:
    moved = c.q + c.v if c.kinematics.retract is None else c.kinematics.retract
    return ca.Function("retract", [c.t, c.y, c.p], [ca.densify(moved)])


def length_of(vector: ca.SX) -> ca.SX:
    """|a|, with a derivative at zero where there are several components."""
    return ca.fabs(vector) if vector.numel() == 1 else ca.sqrt(ca.dot(vector, vector) + TINY)
