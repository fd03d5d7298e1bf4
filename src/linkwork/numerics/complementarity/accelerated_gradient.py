"""Accelerated projected gradients: one product with A a step, and momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver, corrections
from linkwork.numerics.kernels.complementarity.accelerated_gradient import GradientDescent
from linkwork.numerics.kernels.complementarity.entries import CorrectedGradients, run_gradients
from linkwork.numerics.kernels.language.calling import Kernel


@dataclass(frozen=True)
class AcceleratedGradient(ContactSolver):
    """corrections: of b, at most, until Coulomb's law holds."""

    name: ClassVar[str] = "accelerated_gradient"
    factors: ClassVar[bool] = False
    limit: int = 20_000
    corrections: int = 200

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_gradients

    def memory(self, problem: ContactProblem) -> CorrectedGradients:
        return CorrectedGradients(
            descent=GradientDescent(rows=problem.b.size), corrections=corrections(problem, self.corrections)
        )
