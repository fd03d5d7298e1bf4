"""Parametrisations that are singular somewhere, and how they keep away from there.

Every set of three numbers has orientations that they do not determine, and so has the axis of a rotation by nothing. The
cure is to change one of the coordinate frames when the body comes near such a position (García de Jalón and Bayo, section
2.2.2): with the number n = 0 or 1 of the frame, the *chart*, as a further coordinate that has no rate,

    A = C(n) Ā(ē),   C(n) = 1 + n (C − 1),   C a constant rotation about x,

and Ā is singular in other orientations of the body for n = 1 than for n = 0. ``reframe`` takes the other chart as soon as
the measure of regularity falls below LIMIT; it is then above 1 − LIMIT there, so that the body has a long way to go until
the next change. Between two changes the coordinates are smooth, and A is smooth through all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.orientations.base import Array, Orientation

LIMIT = 0.19  # of a squared sine, so that a sine of 0.9 is the end of a chart


class ChartedOrientation(Orientation):
    """A parametrisation with two charts. ``names`` end with the number of the chart."""

    turn: ClassVar[tuple[float, float]]  # cosine and sine of C

    @abstractmethod
    def plain_axes(self, e: ca.SX) -> ca.SX:
        """Ā of the coordinates without the chart."""

    @abstractmethod
    def plain_rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        """Their rates."""

    @abstractmethod
    def plain_read(self, axes: ca.SX, near: ca.SX | None) -> ca.SX:
        """The coordinates of Ā, next to *near* or, without it, in their usual range."""

    @abstractmethod
    def regularity(self, axes: ca.SX) -> ca.SX:
        """The squared sine that vanishes where Ā is singular."""

    def axes(self, e: ca.SX) -> ca.SX:
        return self._frame(e[-1]) @ self.plain_axes(e[:-1])

    def rates(self, e: ca.SX, omega: ca.SX) -> ca.SX:
        return ca.vertcat(self.plain_rates(e[:-1], omega), ca.SX(1, 1))

    def reframe(self, e: ca.SX) -> tuple[ca.SX, ca.SX]:
        here = self.plain_axes(e[:-1])
        other = 1 - e[-1]
        there = self._frame(other).T @ self._frame(e[-1]) @ here
        leaves = self.regularity(here) < LIMIT
        return ca.if_else(leaves, ca.vertcat(self.plain_read(there, None), other), e), leaves

    def read(self, axes: ca.SX, near: ca.SX) -> ca.SX:
        return ca.vertcat(self.plain_read(self._frame(near[-1]).T @ axes, near[:-1]), near[-1])

    def coordinates(self, axes: Array) -> Array:
        given = ca.SX(axes)
        chart = int(float(self.regularity(given)) < LIMIT)
        plain = self.plain_read(self._frame(ca.SX(chart)).T @ given, None)
        return np.append(np.array(ca.DM(plain)).ravel(), float(chart))

    def _frame(self, chart: ca.SX) -> ca.SX:
        """C(n)."""
        cosine, sine = 1 + (self.turn[0] - 1) * chart, self.turn[1] * chart
        return ca.sparsify(ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, cosine, -sine), ca.horzcat(0, sine, cosine)))
