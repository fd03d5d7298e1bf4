"""Alternating directions (ADMM): a factor of A + ρ 1, and projections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver, band
from linkwork.numerics.kernels.complementarity.alternating_directions import Splitting
from linkwork.numerics.kernels.complementarity.entries import run_splitting
from linkwork.numerics.kernels.language.calling import Kernel


@dataclass(frozen=True)
class AlternatingDirections(ContactSolver):
    """rho: first penalty, of the mean diagonal; relaxation: 1 to 2."""

    name: ClassVar[str] = "alternating_directions"
    factors: ClassVar[bool] = True
    limit: int = 5000
    rho: float = 0.03
    relaxation: float = 1.6

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_splitting

    def memory(self, problem: ContactProblem) -> Splitting:
        return Splitting(rows=problem.b.size, rho=self.rho, band=band(problem), relaxation=self.relaxation)
