"""The states of a motion between its samples, from positions, velocities and accelerations at both ends.

    q̇ = v      q by quintics, v and v̇ by their derivatives
    else       q by cubics, v by cubics, v̇ by their derivatives
    others     along straight lines

So v̇ between two samples is always the derivative of v, and what it does is the change of the kinetic energy, also where
accelerations jump in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array


class StatesBetween:
    """states: t (N), y (N, n), v̇ (N, nv); p (np): of the rates of the coordinates."""

    def __init__(self, mechanism: Mechanism, states: States, p: Array) -> None:
        self.mechanism, self.p = mechanism, p
        self.t, self.y, self.vdot = states

    def places(self, times: Array) -> NDArray[np.intp]:
        """The numbers of the samples before some times."""
        return np.clip(np.searchsorted(self.t, times, "right") - 1, 0, len(self.t) - 2)

    def states(self, times: Array) -> Array:
        """y (N, n) at some times."""
        if len(self.t) == 1:
            return np.tile(self.y, (len(times), 1))
        c = self.mechanism.coordinates
        nq, nv = c.q.numel(), c.v.numel()
        k, h, share = self._between(times)
        ends = self.y[k], self.y[k + 1]
        found = ends[0] + share * (ends[1] - ends[0])
        q, v = slice(nq), slice(nq, nq + nv)
        if self._plain:
            found[:, q], found[:, v], _ = self._quintics(k, h, share)
            return found
        found[:, q] = _hermite(share, h, [end[:, q] for end in ends], [self._rates[i] for i in (k, k + 1)])
        found[:, v] = _hermite(share, h, [end[:, v] for end in ends], [np.nan_to_num(self.vdot[i]) for i in (k, k + 1)])
        return found

    def accelerations(self, times: Array) -> Array:
        """v̇ (N, nv) at some times: the derivatives of the velocities."""
        c = self.mechanism.coordinates
        v = slice(c.q.numel(), c.q.numel() + c.v.numel())
        k, h, x = self._between(times)
        if self._plain:
            return self._quintics(k, h, x)[2]
        change = (self.y[k + 1, v] - self.y[k, v]) / h
        first, last = self.vdot[k], self.vdot[k + 1]
        return np.asarray((1 - x) * (1 - 3 * x) * first + x * (3 * x - 2) * last + 6 * x * (1 - x) * change)

    def _between(self, times: Array) -> tuple[NDArray[np.intp], Array, Array]:
        """The samples before some times (N), the lengths h (N, 1) of these intervals, and what part of them has gone."""
        k = self.places(times)
        h = (self.t[k + 1] - self.t[k])[:, None]
        return k, h, (times - self.t[k])[:, None] / h

    @property
    def _plain(self) -> bool:
        """Whether the rates of the coordinates are their velocities."""
        c = self.mechanism.coordinates
        return c.kinematics.retract is None and c.q.numel() == c.v.numel()

    def _quintics(self, k: NDArray[np.intp], h: Array, x: Array) -> tuple[Array, Array, Array]:
        """q, v and v̇ (N, nq) at parts x of intervals k: q₀ + h v₀ x + h² v̇₀ x²/2 + Σ cᵢ xⁱ, i = 3, 4, 5."""
        nq = self.mechanism.coordinates.q.numel()
        (q, end_q), (v, end_v) = ((self.y[i, :nq] for i in (k, k + 1)), (self.y[i, nq : 2 * nq] for i in (k, k + 1)))
        a, end_a = (np.nan_to_num(self.vdot[i]) for i in (k, k + 1))
        way, pace, bend = end_q - q - h * v - h**2 * a / 2, h * (end_v - v) - h**2 * a, h**2 * (end_a - a)
        c3, c4, c5 = 10 * way - 4 * pace + bend / 2, -15 * way + 7 * pace - bend, 6 * way - 3 * pace + bend / 2
        return (
            np.asarray(q + x * (h * v + x * (h**2 * a / 2 + x * (c3 + x * (c4 + x * c5))))),
            np.asarray(v + x * (h * a + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)) / h)),
            np.asarray(a + x * (6 * c3 + x * (12 * c4 + x * 20 * c5)) / h**2),
        )

    @cached_property
    def _rates(self) -> Array:
        """q̇ (N, nq) at the samples."""
        c = self.mechanism.coordinates
        function = ca.Function("rates", [c.t, c.y, c.p], [ca.densify(c.kinematics.rates)])
        p = np.tile(self.p[: c.p.numel(), None], (1, len(self.t)))
        return np.array(function(self.t[None, :], self.y.T, p)).T


def _hermite(x: Array, h: Array, values: Sequence[Array], rates: Sequence[Array]) -> Array:
    """The cubic with given values and rates at both ends of steps h, at parts x of them."""
    change, first, second = values[1] - values[0], h * rates[0], h * rates[1]
    return np.asarray(
        values[0] + x * (first + x * (3 * change - 2 * first - second + x * (first + second - 2 * change)))
    )
