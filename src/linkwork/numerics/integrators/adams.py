"""Adams predictor-corrector of variable order (1 to 12) and step, for smooth equations that are costly to evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from linkwork.numerics.integrators.base import Array, Integers
from linkwork.numerics.integrators.variable_order import VariableOrder
from linkwork.numerics.kernels import adams_slots as own


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VariableAdams(VariableOrder):
    """Orders 1 to *order* with modified divided differences (``kernels/adams.py``)."""

    family: ClassVar[str] = "adams"
    knot_rows: ClassVar[int] = 2

    @property
    def implicit(self) -> bool:
        return False

    @property
    def evaluations(self) -> str:
        return "2"

    @property
    def estimate(self) -> str:
        return "correctors of two orders"

    def own_integers(self, n: int) -> Integers:
        return np.zeros(own.HEADER, np.int64)

    def own_numbers(self, n: int) -> Array:
        w = np.zeros(own.DIFFERENCES + own.BLOCKS * n)
        w[own.CONSTANTS :][: own.WIDTH] = corrector_constants(own.WIDTH)
        w[own.EVEN :][: own.WIDTH] = np.cumsum(corrector_constants(own.WIDTH))
        return w


def corrector_constants(count: int) -> list[float]:
    """γ*_j of the Adams-Moulton methods: Σ_{i≤j} γ*_{j−i} / (i + 1) = 0, γ*_0 = 1 (Hairer, Nørsett, Wanner I, III.1)."""
    constants = [Fraction(1)]
    for j in range(1, count):
        constants.append(-sum((constants[j - i] / (i + 1) for i in range(1, j + 1)), Fraction(0)))
    return [float(constant) for constant in constants]


ADAMS = VariableAdams(
    name="adams",
    title="Adams, variable order",
    order=own.MOST,
    dense_order=own.MOST,
    stability="conditionally stable",
    source="L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations, 1975",
)
