"""Backward differentiation formulas of variable order (1 to 5) and step, for stiff and for algebraic equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.integrators.variable_order import VariableOrder
from linkwork.numerics.kernels.stepping.bdf import MOST, BackwardDifferences
from linkwork.numerics.kernels.stepping.run import Stepping

KAPPA = np.array([0.0, -0.1850, -1 / 9, -0.0823, -0.0415, 0.0])
"""κ_k, table 1 of the source; they make the steps of the same error longer by 26, 26, 26 and 12 % in the orders 1 to 4."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VariableBackwardDifferences(VariableOrder):
    """Orders 1 to *order* with backward differences of equal steps (``kernels/stepping/bdf.py``)."""

    memory: ClassVar[type[Stepping]] = BackwardDifferences
    family: ClassVar[str] = "bdf"
    knot_rows: ClassVar[int] = 1
    implicit = True
    evaluations = "1 solved"
    estimate = "the next backward difference"

    def own(self) -> Mapping[str, float | Array]:
        orders = np.arange(MOST + 1)
        gamma = np.concatenate([[0.0], np.cumsum(1.0 / orders[1:])])
        return {"gammas": gamma, "alphas": (1.0 - KAPPA) * gamma, "constants": KAPPA * gamma + 1.0 / (orders + 1)}


BDF = VariableBackwardDifferences(
    name="bdf",
    title="backward differentiation, variable order",
    order=MOST,
    dense_order=MOST,
    stability="A(α)-stable",
    source="L. F. Shampine, M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22",
)
