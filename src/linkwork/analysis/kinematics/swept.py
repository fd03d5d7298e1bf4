"""A motion over the values of one coordinate u: derivatives by u, wherever the rows begin and whichever way they go.

It is followed along its way s ≥ 0 from the first value, u = u₀ ± s. With ′ for d/du, what is found along s is

    v′ = ± v,   v″ = v̇,   v‴ = ± v̈,

and the input of which Φ(q, u) = 0 are the conditions is u itself: u = cᵢ (s − s_k)ⁱ has coefficients of the same signs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.analysis.motion.driven_trajectory import LookedAt
from linkwork.arrays import Array
from linkwork.position.drives import NUMBERS

SIGNS = (-1.0) ** np.arange(NUMBERS - 1)  # of the coefficients of u(−x)


@dataclass(frozen=True, eq=False)
class Swept:
    """Where a coordinate begins, and whether it grows (1) or falls (-1)."""

    first: float
    sign: float

    def place(self, way: float) -> float:
        """The value of the coordinate so far on the way."""
        return self.first + self.sign * way

    def values(self, ways: Array) -> Array:
        return self.first + self.sign * ways

    def state(self, y: Array, speeds: slice) -> Array:
        """States (N, n) with velocities in the columns *speeds*, those by the coordinate."""
        turned = y.copy()
        turned[:, speeds] *= self.sign
        return turned

    def parameters(self, p: Array, live: int) -> Array:
        """Parameters (N, np) behind whose live ones the numbers of the input stand: when, and its coefficients."""
        turned, numbers = p.copy(), slice(live + 1, live + NUMBERS)
        turned[:, live] = self.values(p[:, live])
        if self.sign < 0:
            turned[:, numbers] = p[:, numbers] * SIGNS
        return turned

    def looked_at(self, dips: LookedAt) -> LookedAt:
        """What is known of singular positions, by their values."""
        passed = tuple(self.place(way) for way in dips.passed)
        near = [sorted((self.place(low), self.place(high))) for low, high in dips.near]
        return LookedAt(passed, dips.singular, tuple((low, high) for low, high in near))
