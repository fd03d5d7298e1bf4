"""Adams predictor-corrector of variable order (1 to 12) and step, for smooth equations that are costly to evaluate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.integrators.variable_order import VariableOrder
from linkwork.numerics.kernels.stepping.adams import MOST, WIDTH, DividedDifferences
from linkwork.numerics.kernels.stepping.run import Stepping


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VariableAdams(VariableOrder):
    """Orders 1 to *order* with modified divided differences (``kernels/stepping/adams.py``)."""

    memory: ClassVar[type[Stepping]] = DividedDifferences
    family: ClassVar[str] = "adams"
    knot_rows: ClassVar[int] = 2
    implicit = False
    evaluations = "2"
    estimate = "correctors of two orders"

    def own(self) -> Mapping[str, float | Array]:
        constants = np.array(corrector_constants(WIDTH))
        return {"constants": constants, "even": np.cumsum(constants)}


def corrector_constants(count: int) -> list[float]:
    """γ*_j of the Adams-Moulton methods: Σ_{i≤j} γ*_{j−i} / (i + 1) = 0, γ*_0 = 1 (Hairer, Nørsett, Wanner I, III.1)."""
    constants = [Fraction(1)]
    for j in range(1, count):
        constants.append(-sum((constants[j - i] / (i + 1) for i in range(1, j + 1)), Fraction(0)))
    return [float(constant) for constant in constants]


ADAMS = VariableAdams(
    name="adams",
    title="Adams, variable order",
    order=MOST,
    dense_order=MOST,
    stability="conditionally stable",
    source="L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations, 1975",
)
