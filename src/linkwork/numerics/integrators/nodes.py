"""Where a run is looked at inside its steps, so that powers along it can be integrated afterwards.

Of a Runge-Kutta method the stages are kept: a quadrature ẇ = P(t, y) that had been integrated with the run would have gone
by

    w(t + θ h) = w + h Σ_i b_i(θ) P(t + c_i h, Y_i),

and so it goes, as accurately as the states themselves and without one more evaluation. Of other methods the dense output is
looked at in Gauss-Legendre nodes c_i, with b_i(θ) the integrals of the polynomials through them. Where a method remembers
its steps or has power series, what the dense output is made of is kept instead (``trails.py``): that is less, and
nothing is evaluated while the run goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array

MOST = 5  # nodes of the dense output in a step
FOLDED = 16  # steps whose extremes are looked for together
EXACT = 1e-10  # integral of a Legendre polynomial that counts as none


@dataclass(frozen=True, eq=False)
class NodeRule:
    """Nodes of a step and the weights of what is found there.

    places (k): c; whole (k): b(1); dense (k, degree): b_i(θ) = Σ_j dense_ij θ^(j+1), of nodes of the dense output with the
    integrals of Legendre polynomials in the place of powers
    rows (k): of the stages of a Runge-Kutta method; empty: nodes of the dense output, over the part of the step that counts
    estimators (k, 0 to 2): the embedded formulas by which steps are chosen; second: weight of the other one
    partial: whether states that follow from others are not among what is found, and are corrected before they are used
    left: degree of the first polynomial whose integral nodes of the dense output do not find
    """

    places: Array
    whole: Array
    dense: Array
    rows: NDArray[np.int64]
    estimators: Array = field(default_factory=lambda: np.zeros((0, 0)))
    second: float = 0.0
    partial: bool = False
    left: int = 0

    @cached_property
    def used(self) -> NDArray[np.bool_]:
        """(k) nodes that integrals over whole steps and their errors need."""
        return np.asarray((self.whole != 0.0) | np.any(self.estimators != 0.0, axis=1))

    def doubts(self, values: Array) -> Array:
        """Errors (S, q) of integrals over steps of length 1, estimated from what was found (S, k, q) at their nodes.

        Of stages by the embedded formulas, as the step control would have had it. Where a function has the coefficients
        a_m = a_0 ρ^m of Legendre polynomials, k nodes tell ρ^(k−1) = a_(k−1) / a_0, and leave out a_l = a_0 ρ^l, with
        l = 2k for Gaussian ones.
        """
        if not self.rows.size:
            found = np.abs(np.einsum("skq,km->msq", values, self.dense))
            largest = np.maximum(np.max(found, axis=0), 1e-300)
            return np.asarray(largest * (found[-1] / largest) ** (self.left / max(len(found) - 1, 1)))
        if not self.estimators.shape[1]:
            return np.zeros((values.shape[0], values.shape[2]))
        # e₁² / √(e₁² + s e₂²), free of squares that no number could hold
        found = np.abs(np.einsum("skq,km->msq", values, self.estimators))
        both = np.hypot(found[0], np.sqrt(self.second) * found[1]) if len(found) > 1 else found[0]
        return np.asarray(found[0] * (found[0] / np.maximum(both, 1e-300)))

    def weights(self, theta: Array) -> Array:
        """b(θ) (N, k) at some θ (N)."""
        if not self.rows.size:
            return np.asarray(_integrals(theta, self.dense) @ self.dense.T)
        powers = np.repeat(theta[:, None], self.dense.shape[1], axis=1)
        return np.asarray(np.multiply.accumulate(powers, axis=1, out=powers) @ self.dense.T)


@dataclass(frozen=True, eq=False)
class Steps(ABC):
    """S steps that follow each other: their starts, sizes and ends (S), and states at the nodes of a rule inside them.

    A step that an event has cut ends before its start + size.
    """

    rule: NodeRule
    start: Array
    size: Array
    end: Array

    @property
    @abstractmethod
    def states(self) -> Array:
        """(S, k, n)"""

    @property
    def extremes(self) -> Array:
        """(n) the largest size of each state."""
        states, used = self.states, self.rule.whole != 0.0
        return np.asarray(np.maximum(_most(states, np.maximum)[used], -_most(states, np.minimum)[used]).max(axis=0))

    @property
    def times(self) -> Array:
        """(S, k)"""
        return np.asarray(self.start[:, None] + self.span[:, None] * self.rule.places)

    @property
    def span(self) -> Array:
        """(S) what θ = 1 stands for."""
        return self.size if self.rule.rows.size else self.end - self.start


def _most(values: Array, extreme: np.ufunc) -> Array:
    """The largest or smallest of numbers (S, k, n) over S, many rows at a time: those of a step alone are few."""
    folded = len(values) // FOLDED
    if folded < FOLDED or not values.flags.c_contiguous:
        return np.asarray(extreme.reduce(values, axis=0))
    wide = values[: folded * FOLDED].reshape(folded, -1)
    most = extreme.reduce(extreme.reduce(wide, axis=0).reshape(FOLDED, *values.shape[1:]), axis=0)
    rest = values[folded * FOLDED :]
    return np.asarray(extreme(most, extreme.reduce(rest, axis=0)) if len(rest) else most)


@dataclass(frozen=True, eq=False)
class Nodes(Steps):
    """Steps of which the states at the nodes were kept."""

    kept: Array

    @property
    def states(self) -> Array:
        return self.kept


def join_steps(parts: Sequence[Steps]) -> Steps:
    """Steps of one rule that follow each other, as one."""
    if len(parts) == 1:
        return parts[0]
    start, size, end = (np.concatenate(items) for items in zip(*[(p.start, p.size, p.end) for p in parts], strict=True))
    return Nodes(parts[0].rule, start, size, end, np.concatenate([part.states for part in parts]))


@dataclass(frozen=True, eq=False)
class Kept:
    """What was kept of steps: the room that it takes, in bytes, and what makes steps of it when somebody asks for them."""

    nbytes: int
    make: Callable[[], Steps]

    @cached_property
    def steps(self) -> Steps:
        return self.make()


Gather = Callable[[Kept], object]


def stage_rule(nodes: Array, weights: Array, dense: Array, estimators: Array, second: float) -> NodeRule:
    """The stages of a tableau that have weight in the step, in its dense output or in its error (0 to 2, all stages)."""
    errors = estimators.reshape(-1, len(nodes)).T
    rows = np.flatnonzero((weights != 0.0) | np.any(dense != 0.0, axis=1) | np.any(errors != 0.0, axis=1))
    places, whole = nodes[rows].copy(), weights[rows].copy()
    return NodeRule(places, whole, dense[rows].copy(), rows.astype(np.int64), errors[rows].copy(), second)


@cache
def gauss_rule(order: int, most: int = MOST) -> NodeRule:
    """Gauss-Legendre nodes for a quadrature of this order; at most so many, where steps are short for their order."""
    points, weights = np.polynomial.legendre.leggauss(min(max(order // 2 + 1, 2), most))
    places = (1.0 + points) / 2
    # ℓ_i = w_i Σ_m (2m + 1) P_m(x_i) P_m is 1 at one node and 0 at the others
    degrees = 2 * np.arange(len(places)) + 1
    dense = np.polynomial.legendre.legvander(points, len(places) - 1) * degrees * (weights / 2)[:, None]
    return NodeRule(places, weights / 2, dense, np.zeros(0, np.int64), left=2 * len(places))


def collocation_rule(nodes: Array, weights: Array) -> NodeRule:
    """The nodes of a collocation method, where its dense output is what its stages are.

    ℓ_i = Σ_m C_mi P_m is 1 at one node and 0 at the others: V C = 1 with V_im = P_m(2 c_i − 1).
    """
    places = nodes[weights != 0.0]
    polynomials = np.linalg.inv(np.polynomial.legendre.legvander(2 * places - 1, len(places) - 1))
    whole = polynomials[0].copy()
    # at the latest, the square of the polynomial that vanishes at all nodes is not found
    missed = np.abs(whole @ np.polynomial.legendre.legvander(2 * places - 1, 2 * len(places))) > EXACT
    left = 1 + int(np.argmax(missed[1:]))
    return NodeRule(places.copy(), whole, polynomials.T.copy(), np.zeros(0, np.int64), left=left)


def _integrals(theta: Array, dense: Array) -> Array:
    """∫ P_m(2s − 1) ds from 0 to θ, (N, k): (P_{m+1} − P_{m−1}) / (4m + 2)."""
    count = dense.shape[1]
    values = np.polynomial.legendre.legvander(2 * theta - 1, count)
    found = np.empty((theta.size, count))
    found[:, 0] = theta
    m = np.arange(1, count)
    found[:, 1:] = (values[:, 2:] - values[:, :-2]) / (4 * m + 2)
    return found
