"""Accelerations and multipliers written out, in an order of pivots that is fixed at a typical state:

    [ M  Bᵀ ] [  v̇ ]   [  h ]
    [ B  0  ] [ −λ ] = [ −b ]

B: the conditions that always hold, as far as they are independent there. Those that come and go follow last: what the others
leave of their diagonal is −C M⁻¹ Cᵀ, negative and as large as those that hold are independent. Their rows are multiplied by
selectors σ; where σ = 0, (σ − 1) s on the diagonal leaves λ = 0, with the size s of that pivot where they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, cast
from weakref import WeakKeyDictionary

import casadi as ca
import numpy as np

from linkwork.algebra.linear import eliminated_operations, solve_symmetric
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.elimination import EliminationOrder, choose_order
from linkwork.equations.terms import DEPENDENT, Array, held, kept_rows, make_function
from linkwork.errors import RefusedError

DAMPED, ROUNDS = 1e-8, 3  # part of s by which pushes are damped, and how often what that leaves is put right


_KNOWN: WeakKeyDictionary[Coordinates, tuple[object, Any]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Eliminated:
    """v̇, −λ of the rows that are kept and last of those that come and go, and the smallest pivot beside a typical one."""

    solution: ca.SX
    health: ca.SX


@dataclass(frozen=True, eq=False)
class Saddle:
    """The rows that are kept of those that always hold, and the order of pivots; None: there is none.

    coming: rows that come and go, with the number of their limit; sizes: s of each
    """

    coordinates: Coordinates
    typical: tuple[float, Array, Array]
    kept: list[int]
    order: EliminationOrder | None
    coming: list[tuple[int, int]]
    sizes: list[float]

    @classmethod
    def of(cls, c: Coordinates, t: float, y: Array, p: Array) -> Self:
        """Choose rows and an order at a state; of the same state they are remembered."""
        state = t, y.tobytes(), p.tobytes()
        known = _KNOWN.get(c)
        if known is None or known[0] != state:
            known = _KNOWN[c] = state, cls._chosen(c, t, y.copy(), p.copy())
        return cast(Self, known[1])

    @classmethod
    def _chosen(cls, c: Coordinates, t: float, y: Array, p: Array) -> Self:
        kept, coming = kept_rows(c, t, y, p)
        matrix = _matrix(c, kept)
        numbers = make_function("typical", c, {"K": matrix})(t, y, held(c, p)).sparse()
        order = choose_order(numbers, ca.DM(matrix.sparsity(), 1).sparse())
        sizes = _sizes(c, [row for row, _ in coming], (t, y, held(c, p))) if coming else []
        return cls(c, (t, y, p), kept, order, coming, sizes)

    @property
    def operations(self) -> int:
        """About how many operations its elimination takes, behind M, h and C; none where it has no order."""
        pattern = _matrix(self.coordinates, self.kept).sparsity()
        return eliminated_operations(pattern, self.order or [])

    @property
    def _idle(self) -> ca.SX:
        """(1 − σ) s, on a diagonal."""
        limits = self.coordinates.limits
        parts = [(1 - limits[number].selector) * s for (_, number), s in zip(self.coming, self.sizes, strict=True)]
        return ca.diagcat(ca.SX(0, 0), *parts)

    def solve(self, curvature: ca.SX) -> Eliminated | None:
        """All at once; *curvature* stands for b."""
        c, last = self.coordinates, [row for row, _ in self.coming]
        rows, n = [*self.kept, *last], c.v.numel()
        if self.order is None:
            return None
        matrix = _matrix(c, rows)
        if last:
            matrix[n + len(self.kept) :, n + len(self.kept) :] = -self._idle
        right = ca.vertcat(c.forces, -curvature[rows]) if rows else c.forces
        order = [*self.order, *((n + len(self.kept) + i,) for i in range(len(last)))]
        solution, pivots = solve_symmetric(matrix, right, order)
        typical = make_function("pivots", c, {"d": ca.vertcat(*pivots)})(*self.typical) if pivots else ca.DM(0, 1)
        health, sizes = ca.SX(1), np.abs(np.array(typical).ravel())
        if last:
            # a pivot that vanishes there, of conditions that depend on each other, is no measure
            sizes[-len(last) :] = np.fmax(sizes[-len(last) :], DEPENDENT * np.array(self.sizes))
        for pivot, size in zip(pivots, sizes, strict=True):
            if not pivot.is_constant():
                health = ca.fmin(health, ca.fabs(pivot) / size)
        return Eliminated(solution, health)

    def pushes(self) -> ca.SX:
        """λ of the first row of each of the limits."""
        last = [row for row, _ in self.coming]
        every = self.all_pushes()
        return ca.vertcat(*[every[last.index(rows[0])] for rows in self.coordinates.coming])

    def all_pushes(self) -> ca.SX:
        """What all rows of the limits push with, zero while they do not hold; where more hold than are needed, the least λ.

        Without them v̇ = x, and −b would need A λ = −(C x + b) with A = C Y, M Y = Cᵀ + Bᵀ ..., B Y = 0. A is symmetric and
        not negative, but singular where they depend on each other, such as four ropes of a plate: hence

            λ ← λ + (A + ε s)⁻¹ (r − A λ),  λ = 0 at first
        """
        c, last, n = self.coordinates, [row for row, _ in self.coming], self.coordinates.v.numel()
        if self.order is None:
            raise RefusedError(
                f"what {c.limits[0].label} pushes with has no formula: the equations of this mechanism have no fixed order "
                "of elimination where it is assembled; draw another position, or give masses to bodies without"
            )
        jacobian, none = c.jacobian[last, :], ca.SX(len(self.kept), len(last))
        free = ca.vertcat(c.forces, -c.b[self.kept]) if self.kept else c.forces
        right = ca.horzcat(free, ca.vertcat(jacobian.T, none))
        found = solve_symmetric(_matrix(c, self.kept), right, self.order)[0][:n, :]
        matrix = ca.densify(jacobian @ found[:, 1:] + self._idle)
        needed = -(jacobian @ found[:, 0] + c.b[last])
        factors = ca.ldl(matrix + DAMPED * min(self.sizes) * ca.SX.eye(len(last)))
        pushes = ca.SX(len(last), 1)
        for _ in range(ROUNDS):
            pushes += ca.ldl_solve(needed - matrix @ pushes, *factors)
        return pushes


def _sizes(c: Coordinates, rows: list[int], state: tuple[float, Array, Array]) -> list[float]:
    """Cᵢ M⁻¹ Cᵢᵀ of some rows at a state."""
    mass, jacobian = (np.array(x) for x in make_function("typical", c, {"M": c.mass, "C": c.jacobian[rows, :]})(*state))
    return [float(row @ np.linalg.lstsq(mass, row, rcond=None)[0]) or 1.0 for row in jacobian]


def _matrix(c: Coordinates, rows: list[int]) -> ca.SX:
    jacobian = c.jacobian[rows, :] if rows else ca.SX(0, c.v.numel())
    return ca.vertcat(ca.horzcat(c.mass, jacobian.T), ca.horzcat(jacobian, ca.SX(len(rows), len(rows))))


def pushes_function(c: Coordinates, t: float, y: Array, p: Array, every: bool = False) -> ca.Function:
    """What the limits push with, λ, zero while they do not hold, *every* row of them or the first of each; t, y, p: a
    typical state."""
    saddle = Saddle.of(c, t, y, p)
    return make_function("pushes", c, {"pushes": saddle.all_pushes() if every else saddle.pushes()})
