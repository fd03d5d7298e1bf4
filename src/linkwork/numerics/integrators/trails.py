"""Steps of which only that was kept of which their dense output is made: power series, or the ends of steps.

Methods that remember their steps have polynomials in them through what they remember: `Trail` makes the same ones from the
states and rates where steps begin. States inside the steps are found when somebody asks for them.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.numerics.integrators.nodes import Array, Steps

Integers = NDArray[np.int64]
AT_ONCE = 4096  # steps: what is worked on stays in the cache of the processor


@dataclass(frozen=True, eq=False)
class SeriesTrail(Steps):
    """Power series y(t + τ) = Σ_j y_j τ^j of every step.

    kept (S, rows, n): y_j; orders (S): of the series, 0: there was none, and the rows are the states at the nodes
    """

    kept: Array
    orders: Integers

    @property
    def states(self) -> Array:
        count = self.rule.places.size
        found = np.array(self.kept[:, :count])
        for order in np.unique(self.orders[self.orders > 0]):
            chosen = np.flatnonzero(self.orders == order)
            for some in np.array_split(chosen, len(chosen) // AT_ONCE + 1):
                powers = self.span[some, None] ** np.arange(order + 1)
                scaled = self.kept[some, : order + 1] * powers[:, :, None]
                found[some] = self.rule.places[:, None] ** np.arange(order + 1) @ scaled
        return found


@dataclass(frozen=True, eq=False)
class Trail(Steps):
    """Knots (K): the starts of steps, ends that no step goes on from, and knots before the first step.

    kept (K, rows, n): states, and rates in the second row; moments (K): their times
    knots (S): that at the start of each step, the next one is that of its end; orders (S): of the polynomials in them
    """

    kept: Array
    moments: Array
    knots: Integers
    orders: Integers

    @property
    def states(self) -> Array:
        found = np.empty((len(self.knots), self.rule.places.size, self.kept.shape[2]))
        for order in np.unique(self.orders):
            chosen = np.flatnonzero(self.orders == order)
            for some in np.array_split(chosen, len(chosen) // AT_ONCE + 1):
                found[some] = self._inside(some, int(order))
        return found

    @property
    def extremes(self) -> Array:
        """At the ends of steps."""
        last = self.knots[-1] + 2
        return np.asarray(np.max(np.abs(self.kept[:last, 0]), axis=0, initial=0.0))

    def _inside(self, some: NDArray[np.intp], order: int) -> Array:
        """(s, k, n) at the nodes of some steps of one order."""
        knots = self.knots[some, None] + 1 - np.arange(order + 1)  # the end, the start, and backwards
        h = self.size[some, None]
        theta = self.rule.places * ((self.end - self.start)[some, None] / h)
        x = (self.moments[knots] - self.moments[knots[:, 1:2]]) / h  # 1, 0, and below
        return self._polynomial(self.kept[knots], x, h, theta)

    @abstractmethod
    def _polynomial(self, kept: Array, x: Array, h: Array, theta: Array) -> Array:
        """(s, k, n) at θ (s, k) of steps h (s, 1), from rows (s, j, rows, n) at x (s, j) in steps from the start."""


class ValueTrail(Trail):
    """Through the states at the end of a step and before it, as in backward differentiation formulas."""

    def _polynomial(self, kept: Array, x: Array, h: Array, theta: Array) -> Array:
        """Newton's form: y = Σ_j y[x_0 ... x_j] Π_{i<j} (θ − x_i)."""
        differences = divided_differences(kept[:, :, 0], x)
        found = np.zeros((*theta.shape, kept.shape[3]))
        for j in range(x.shape[1] - 1, -1, -1):
            found = found * (theta - x[:, j, None])[:, :, None] + differences[:, j, None]
        return found


class RateTrail(Trail):
    """The integral of the polynomial through the rates at the end of a step and before it, as in Adams methods.

    What it lacks at the end is blended in by θ² (3 − 2θ) (``kernels/stepping/adams.py``).
    """

    def _polynomial(self, kept: Array, x: Array, h: Array, theta: Array) -> Array:
        """y = y_0 + h Σ_j f[x_0 ... x_j] ∫_0^θ Π_{i<j} (s − x_i) ds with x from the start backwards, the end the last."""
        order = np.append(np.arange(1, x.shape[1]), 0)
        x, rates, states = x[:, order], kept[:, order, 1], kept[:, :, 0]
        differences = h[:, :, None] * divided_differences(rates, x)
        ahead = np.concatenate([theta, np.ones((len(theta), 1))], axis=1)
        found = np.repeat(states[:, 1:2], ahead.shape[1], axis=1)
        product = np.ones((len(x), 1))  # coefficients of the powers of s
        for j in range(x.shape[1]):
            integral = np.zeros(ahead.shape)
            for m in range(j, -1, -1):
                integral = integral * ahead + product[:, m, None] / (m + 1)
            found += (integral * ahead)[:, :, None] * differences[:, j, None]
            wider = np.zeros((len(x), j + 2))
            wider[:, 1:] = product
            wider[:, :-1] -= x[:, j, None] * product
            product = wider
        lack = states[:, 0] - found[:, -1]
        blend = theta**2 * (3.0 - 2.0 * theta)
        return np.asarray(found[:, :-1] + blend[:, :, None] * lack[:, None])


def divided_differences(values: Array, x: Array) -> Array:
    """f[x_0 ... x_j] (s, j, n) of values (s, j, n) at places x (s, j)."""
    table = values.copy()
    for j in range(1, x.shape[1]):
        table[:, j:] = (table[:, j:] - table[:, j - 1 : -1]) / (x[:, j:] - x[:, :-j])[:, :, None]
    return table
