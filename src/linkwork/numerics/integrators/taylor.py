"""Taylor series of the order that the tolerance asks for; see ``numerics/kernels/stepping/taylor.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.dop853 import DOP853
from linkwork.numerics.integrators.nodes import NodeRule, gauss_rule
from linkwork.numerics.kernels.stepping import taylor as kernels
from linkwork.numerics.kernels.stepping.run import Stepping

LONGEST = kernels.LONGEST
NODES = 12  # of a step, for integrals along the run


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Taylor(Method):
    """Power series of the state, step by step. Its *order* is that of fixed steps; else the tolerance decides.

    Flows without a series, and parts of a run where there is none, are stepped by DOP853.
    """

    memory: ClassVar[type[Stepping]] = kernels.PowerSeries
    family: ClassVar[str] = "taylor"
    own_control: ClassVar[bool] = True
    uses_series: ClassVar[bool] = True
    adaptive = True
    implicit = False
    evaluations = "order + 1"
    estimate = "the defect at the end of the series"

    def __post_init__(self) -> None:
        if not kernels.LOWEST <= self.order <= kernels.LONGEST:
            raise RefusedError(
                f"the order of a Taylor series is {self.order}; it must be between {kernels.LOWEST} and {kernels.LONGEST}"
            )
        super().__post_init__()

    @cached_property
    def node_rule(self) -> NodeRule:
        return replace(gauss_rule(2 * NODES, NODES), partial=True)

    @property
    def rows(self) -> tuple[int, int]:
        return DOP853.rows

    @property
    def numbers(self) -> Mapping[str, float]:
        return DOP853.numbers

    def coefficients(self) -> Mapping[str, Array]:
        return DOP853.coefficients()

    def own(self) -> Mapping[str, float | Array]:
        return {"declared": self.order, "stage_alpha": DOP853.exponents[0]}


TAYLOR = Taylor(
    name="taylor",
    title="Taylor series; the order follows the tolerance, 6 with fixed steps",
    order=6,
    dense_order=6,
    exponents=DOP853.exponents,
    stability="conditionally stable",
    source="À. Jorba, M. Zou, A software package for the numerical integration of ODEs by means of high-order Taylor "
    "methods, Experimental Mathematics 14, 2005",
)
