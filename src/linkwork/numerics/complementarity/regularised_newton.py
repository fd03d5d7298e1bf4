"""Newton's method on a problem with a little compliance, which proximal steps take back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver, band, corrections
from linkwork.numerics.kernels.complementarity.entries import CorrectedCompliance, run_compliant
from linkwork.numerics.kernels.complementarity.regularised import Compliance
from linkwork.numerics.kernels.language.calling import Kernel


@dataclass(frozen=True)
class RegularisedNewton(ContactSolver):
    """share: compliance, of the mean diagonal of each contact's own block; corrections: of b, at most."""

    name: ClassVar[str] = "regularised_newton"
    factors: ClassVar[bool] = True
    limit: int = 1000
    share: float = 1e-3
    corrections: int = 200

    def __post_init__(self) -> None:
        if not self.share > 0.0:
            raise RefusedError(f"share = {self.share:g}; forces follow from speeds where there is some compliance")

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_compliant

    def memory(self, problem: ContactProblem) -> CorrectedCompliance:
        return CorrectedCompliance(
            compliance=Compliance(rows=problem.b.size, r=self.share, band=band(problem)),
            corrections=corrections(problem, self.corrections, self.share),
        )
