"""Impulses and accelerations with conditions that come and go.

    M x = r + Bᵀ μ + Cᵀ λ,   B x + d = 0,   0 ≤ C x + d  ⊥  λ ≥ 0

B: rows that always hold. C: rows that come and go, each perhaps with others that hold while it does, of either sign. Without
them x = x₀; with the answers Y of x to λ, A = C Y and r = C x₀ + d, it is tried which of them hold, few before many:

    A λ = −r of those that hold, r + A λ ≥ 0 of the others.

x is unique, which of them hold need not be: then all hold that can, with the λ of least norm, as of redundant constraints.
Of more than ten, each alone in its group, those are tried which push where ½ λᵀA λ + rᵀλ is least for λ ≥ 0.
Where no choice works, some conditions contradict each other. Source: F. Pfeiffer, C. Glocker, "Multibody Dynamics with
Unilateral Contacts", chapters 5 and 6, without friction and restitution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from linkwork.arrays import Array
from linkwork.errors import LinkworkError, RefusedError

ZERO = 1e-9  # speeds, accelerations and pushes that are none, of the largest of the kind
MOST = 10  # groups of which all combinations are tried
DEPENDENT = 1e-10  # eigenvalue of A, of C M⁻¹ Cᵀ, that is none
ROUNDING = 64 * float(np.finfo(float).eps)
TAKES_PART = 1e-3  # factor of a row of length one, of the largest, with which it takes part in a contradiction


class Contradiction(LinkworkError):
    """No x satisfies all conditions; rows: those that contradict each other."""

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = tuple(rows)
        super().__init__(f"rows {list(rows)} contradict each other")


@dataclass(frozen=True, eq=False)
class Pushed:
    """x (n), all multipliers (m), and which of the groups hold."""

    x: Array
    f: Array
    holding: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Complementarity:
    """M (n × n), all rows (m × n), the scale (n) of x, and groups: rows that come and go together, the one-sided first."""

    mass: Array
    jacobian: Array
    scale: Array
    groups: Sequence[Sequence[int]]

    @cached_property
    def coming(self) -> list[int]:
        """All rows that come and go."""
        return [row for rows in self.groups for row in rows]

    @cached_property
    def always(self) -> list[int]:
        """All others."""
        return [i for i in range(len(self.jacobian)) if i not in self.coming]

    @cached_property
    def _scaled(self) -> Array:
        """M in scaled velocities."""
        return self.mass * np.outer(self.scale, self.scale)

    @cached_property
    def _inverse(self) -> tuple[Array, float]:
        """The inverse of [[M, Bᵀ], [B, 0]] in scaled velocities, and the size that M was divided by."""
        mass, rows = self._scaled, self.jacobian[self.always] * self.scale
        size = float(np.max(np.abs(mass), initial=0.0)) or 1.0
        corner = np.zeros((len(rows), len(rows)))
        return np.linalg.pinv(np.block([[mass / size, rows.T], [rows, corner]]), rcond=1e-12), size

    def _answer(self, right: Array, drift: Array) -> tuple[Array, Array]:
        """x (n × k) and μ of the rows that always hold, to r (n × k) and d (m × k)."""
        n, (inverse, size) = len(self.mass), self._inverse
        found = inverse @ np.concatenate([self.scale[:, None] * right / size, -drift[self.always]])
        return self.scale[:, None] * found[:n], -size * found[n:]

    @cached_property
    def _answers(self) -> tuple[Array, Array, Array, float]:
        """Y, μ of it, A, and the size of C M⁻¹ Cᵀ; of unknowns without inertia that of the inertia which B ties them to."""
        rows = self.jacobian[self.coming]
        x, pushes = self._answer(rows.T, np.zeros((len(self.jacobian), len(rows))))
        right = self.scale[:, None] * rows.T
        free, tied = (np.linalg.lstsq(mass, right, rcond=1e-12)[0] for mass in (self._scaled, self._tied))
        size = float(np.max(np.abs([np.sum(right * alone, axis=0) for alone in (free, tied)]), initial=0.0))
        return x, pushes, rows @ x, size

    @cached_property
    def _tied(self) -> Array:
        """M + Bᵀ W B in scaled velocities, as large as M."""
        held = self.jacobian[self.always] * self.scale
        weights = self._inverse[1] / np.maximum(np.sum(held**2, axis=1), 1e-300)
        return self._scaled + held.T @ (weights[:, None] * held)

    def _rounding(self, right: Array, x: Array) -> float:
        """What may be left of C x, also where all that r does is taken back, or where no row has to do with it."""
        n, (inverse, size) = len(self.mass), self._inverse
        parts = self.scale * (np.abs(inverse[:n, :n]) @ (self.scale * np.abs(right) / size))
        alone = self.scale * np.abs(np.linalg.lstsq(self._scaled, self.scale * right, rcond=1e-12)[0])
        left = np.max(np.abs(self.jacobian) @ np.maximum(parts, alone), initial=0.0)
        rows = np.linalg.norm(self.jacobian * self.scale, axis=1)
        return ROUNDING * float(max(left, np.max(rows, initial=0.0) * np.linalg.norm(x / self.scale)))

    def free(self, right: Array, drift: Array) -> Array:
        """x₀ (n), as if none of them held."""
        return self._answer(right[:, None], drift[:, None])[0][:, 0]

    def are_dependent(self, holding: Sequence[int]) -> bool:
        """Whether the λ of groups that hold are not unique."""
        rows = self._places(holding)
        _, _, matrix, size = self._answers
        return bool(np.any(np.linalg.eigvalsh(matrix[np.ix_(rows, rows)]) <= DEPENDENT * size))

    def surplus(self, holding: Sequence[int]) -> Array:
        """(k × groups) λ of the first rows of groups that hold which together push with nothing."""
        rows = [self._first[i] for i in holding]
        _, _, matrix, size = self._answers
        values, vectors = np.linalg.eigh(matrix[np.ix_(rows, rows)])
        return np.asarray(vectors[:, values <= DEPENDENT * size].T)

    def solve(
        self, near: Sequence[int], right: Array, drift: Array, size: float, *, ending: Collection[int] | None = ()
    ) -> Pushed:
        """near: groups that may hold; size: what C x and d are compared with, where they are smaller.

        ending: of these hold those alone that are needed, of others all that can; None: of all
        """
        start, pushes = (item[:, 0] for item in self._answer(right[:, None], drift[:, None]))
        left = self.jacobian @ start + drift
        zero = ZERO * max(size, float(np.max(np.abs(self.jacobian) @ np.abs(start) + np.abs(drift), initial=0.0)))
        zero = max(zero, self._rounding(right, start))
        most = float(np.max(np.abs(left[self.always]), initial=0.0))
        if most > zero:
            raise Contradiction([row for row in self.always if abs(left[row]) > TAKES_PART * most])
        found = self._chosen(near, left[self.coming], zero, near if ending is None else ending)
        holding = tuple(i for i in near if found[self._first[i]] > 0.0)
        return self._pushed((start, pushes), found, holding)

    def held(self, holding: Sequence[int], right: Array, drift: Array) -> Pushed:
        """x and the least multipliers where some groups hold, of whatever sign these are."""
        start, pushes = (item[:, 0] for item in self._answer(right[:, None], drift[:, None]))
        found = self._pushes(holding, (self.jacobian @ start + drift)[self.coming])
        return self._pushed((start, pushes), found, holding)

    def pushed(self, rows: Sequence[int], f: Array, right: Array, drift: Array) -> Pushed:
        """x and all multipliers where those of some rows that come and go are given."""
        start, pushes = (item[:, 0] for item in self._answer(right[:, None], drift[:, None]))
        found = np.zeros(len(self.coming))
        found[[self.coming.index(row) for row in rows]] = f
        return self._pushed((start, pushes), found, ())

    def _pushed(self, free: tuple[Array, Array], found: Array, holding: Sequence[int]) -> Pushed:
        """What follows from λ of all rows that come and go; free: x and μ without them."""
        f = np.zeros(len(self.jacobian))
        f[self.coming] = found
        f[self.always] = free[1] + self._answers[1] @ found
        return Pushed(free[0] + self._answers[0] @ found, f, tuple(holding))

    def answer_of(self, rows: Sequence[int]) -> Array:
        """A of some of the rows that come and go: what they let each other do."""
        places = [self.coming.index(row) for row in rows]
        return self._answers[2][np.ix_(places, places)]

    @cached_property
    def _first(self) -> dict[int, int]:
        """The places of the one-sided rows among those that come and go, by group."""
        return {i: self.coming.index(rows[0]) for i, rows in enumerate(self.groups) if rows}

    def _chosen(self, near: Sequence[int], r: Array, zero: float, ending: Collection[int]) -> Array:
        """λ of all rows that come and go."""
        matrix = self._answers[2]
        for chosen in self._choices(near, r):
            found = self._pushes(chosen, r)
            left = r + matrix @ found
            inside = all(left[self._first[i]] >= -zero for i in near)
            if inside and self._holds(chosen, left, found, zero):
                wide = [i for i in near if i in chosen or i not in ending]
                return self._widened(wide, chosen, (found, left, r), zero)
        raise Contradiction(self._entangled([i for i in near if r[self._first[i]] < -zero]))

    def _choices(self, near: Sequence[int], r: Array) -> Iterator[tuple[int, ...]]:
        """Groups that may be those that hold: all combinations, or of many that of the least ½ λᵀA λ + rᵀλ."""
        if len(near) <= MOST:
            yield from (chosen for count in range(len(near) + 1) for chosen in combinations(near, count))
        elif all(len(self.groups[i]) == 1 for i in near):
            yield self._least(near, r)
        else:
            raise RefusedError(
                f"{len(near)} conditions hold, come or go together, some of them with conditions on velocities: of such at "
                f"most {MOST} at once can be told apart; let fewer relations have both"
            )

    def _least(self, near: Sequence[int], r: Array) -> tuple[int, ...]:
        """λ ≥ 0 of the least ½ λᵀA λ + rᵀλ = ½ |S λ − b|² + ..., with A = SᵀS in units in which its diagonal is 1."""
        from scipy.optimize import nnls

        rows = [self._first[i] for i in near]
        matrix = self._answers[2][np.ix_(rows, rows)]
        sizes = np.sqrt(np.diag(matrix))
        units = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
        values, vectors = np.linalg.eigh(matrix * np.outer(units, units))
        known = values > DEPENDENT
        root = np.sqrt(values[known])[:, None] * vectors[:, known].T
        found, _ = nnls(root, -(vectors[:, known].T @ (units * r[rows])) / np.sqrt(values[known]))
        return tuple(i for i, push in zip(near, found, strict=True) if push > 0.0)

    def _holds(self, chosen: Sequence[int], left: Array, found: Array, zero: float) -> bool:
        """Whether rows that hold are satisfied, and push."""
        rows = self._places(chosen)
        push = ZERO * float(np.max(np.abs(found), initial=0.0))
        return bool(np.all(np.abs(left[rows]) <= zero)) and all(found[self._first[i]] >= -push for i in chosen)

    def _widened(
        self, near: Sequence[int], chosen: Sequence[int], known: tuple[Array, Array, Array], zero: float
    ) -> Array:
        """λ of least norm of all that hold without being needed, as long as none of them has to pull.

        known: λ of the chosen ones, what it leaves of all rows, and r
        """
        found, left, r = known
        held = [i for i in near if np.all(np.abs(left[self._places([i])]) <= zero)]
        while len(held) > len(chosen):
            wider = self._pushes(held, r)
            own = wider[[self._first[i] for i in held]]
            least = ZERO * float(np.max(np.abs(wider), initial=0.0))
            if np.all(own > least):
                return wider if np.all(np.abs(self._answers[2] @ (wider - found)) <= zero) else found
            held.pop(int(np.argmin(own)))
        # what is none but for rounding errors is none
        return np.where(np.abs(found) > ZERO * float(np.max(np.abs(found), initial=0.0)), found, 0.0)

    def _places(self, chosen: Sequence[int]) -> list[int]:
        return [self.coming.index(row) for i in chosen for row in self.groups[i]]

    def _pushes(self, chosen: Sequence[int], r: Array) -> Array:
        """The least λ with A λ = −r of the groups that hold."""
        rows, found = self._places(chosen), np.zeros(len(self.coming))
        _, _, matrix, size = self._answers
        values, vectors = np.linalg.eigh(matrix[np.ix_(rows, rows)])
        known = values > DEPENDENT * size
        found[rows] = vectors[:, known] @ ((vectors[:, known].T @ -r[rows]) / values[known])
        return found

    def _entangled(self, wanted: Sequence[int]) -> list[int]:
        """Rows of which one that cannot hold is a combination, with it."""
        rows = self.jacobian * self.scale
        rows = rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
        for i in wanted:
            row = self.groups[i][0]
            parts, *_ = np.linalg.lstsq(rows[self.always].T, rows[row], rcond=1e-12)
            if np.linalg.norm(rows[self.always].T @ parts - rows[row]) < 1e-6:
                part = TAKES_PART * float(np.max(np.abs(parts), initial=0.0))
                return [*(k for k, size in zip(self.always, np.abs(parts), strict=True) if size > part), row]
        return [self.groups[i][0] for i in wanted]
