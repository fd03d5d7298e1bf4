"""Projected Gauss-Seidel: cheap sweeps through all contacts, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver
from linkwork.numerics.kernels.complementarity.entries import run_sweeps
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps
from linkwork.numerics.kernels.language.calling import Kernel


@dataclass(frozen=True)
class GaussSeidel(ContactSolver):
    """relaxation: of every change, between 0 and 2; both_ways: every other sweep goes backwards
    waiting: sweeps between two looks at the residual
    """

    name: ClassVar[str] = "gauss_seidel"
    factors: ClassVar[bool] = False
    limit: int = 10_000
    relaxation: float = 1.0
    both_ways: bool = True
    waiting: int = 20

    def __post_init__(self) -> None:
        if not 0.0 < self.relaxation < 2.0:
            raise RefusedError(f"relaxation = {self.relaxation:g}; sweeps converge with one between 0 and 2")

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_sweeps

    def memory(self, problem: ContactProblem) -> Sweeps:
        return Sweeps(relaxation=self.relaxation, both_ways=int(self.both_ways), waiting=self.waiting)
