"""Backward differentiation formulas of variable order (1 to 5) and step, for stiff and for algebraic equations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwork.numerics.integrators.base import Array, Integers
from linkwork.numerics.integrators.variable_order import VariableOrder
from linkwork.numerics.kernels import bdf_slots as own

KAPPA = np.array([0.0, -0.1850, -1 / 9, -0.0823, -0.0415, 0.0])
"""κ_k, table 1 of the source; they make the steps of the same error longer by 26, 26, 26 and 12 % in the orders 1 to 4."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VariableBackwardDifferences(VariableOrder):
    """Orders 1 to *order* with backward differences of equal steps (``kernels/bdf.py``)."""

    family: ClassVar[str] = "bdf"
    knot_rows: ClassVar[int] = 1

    @property
    def implicit(self) -> bool:
        return True

    @property
    def evaluations(self) -> str:
        return "1 solved"

    @property
    def estimate(self) -> str:
        return "the next backward difference"

    def own_integers(self, n: int) -> Integers:
        ic = np.zeros(own.HEADER, np.int64)
        ic[own.AHEAD] = own.DIFFERENCES + own.WIDTH * n
        ic[own.END] = ic[own.AHEAD] + own.WIDTH * n
        ic[own.PREDICTED] = ic[own.END] + own.WIDTH * n
        ic[own.ADDED] = ic[own.PREDICTED] + n
        return ic

    def own_numbers(self, n: int) -> Array:
        w = np.zeros(own.DIFFERENCES + (3 * own.WIDTH + 2) * n)
        orders = np.arange(own.MOST + 1)
        gamma = np.concatenate([[0.0], np.cumsum(1.0 / orders[1:])])
        w[own.GAMMA :][: own.MOST + 1] = gamma
        w[own.ALPHA :][: own.MOST + 1] = (1.0 - KAPPA) * gamma
        w[own.CONSTANTS :][: own.MOST + 1] = KAPPA * gamma + 1.0 / (orders + 1)
        return w


BDF = VariableBackwardDifferences(
    name="bdf",
    title="backward differentiation, variable order",
    order=own.MOST,
    dense_order=own.MOST,
    stability="A(α)-stable",
    source="L. F. Shampine, M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22",
)
