"""Primal-dual interior point: few iterations, each with a factor, whatever the problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver, band
from linkwork.numerics.kernels.complementarity.entries import run_interior_point
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps
from linkwork.numerics.kernels.complementarity.interior_point import Interior
from linkwork.numerics.kernels.complementarity.semismooth import NATURAL, Slopes
from linkwork.numerics.kernels.language.calling import Kernel


@dataclass(frozen=True)
class InteriorPoint(ContactSolver):
    """Without settings."""

    name: ClassVar[str] = "interior_point"
    factors: ClassVar[bool] = True
    limit: int = 100

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_interior_point

    def memory(self, problem: ContactProblem) -> Interior:
        sweeps = Sweeps(waiting=1)
        slopes = Slopes(rows=problem.b.size, function=NATURAL, sweeps=sweeps, band=band(problem, general=True))
        return Interior(rows=problem.b.size, count=problem.count, slopes=slopes, band=band(problem))
