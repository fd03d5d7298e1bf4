"""Newton's method on equations with kinks: Coulomb's law at once, with a quadratic end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.errors import RefusedError, did_you_mean
from linkwork.numerics.complementarity.contact_problem import LAWS, ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver, band
from linkwork.numerics.kernels.complementarity.entries import run_newton
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps
from linkwork.numerics.kernels.complementarity.semismooth import ALART_CURNIER, NATURAL, Slopes
from linkwork.numerics.kernels.language.calling import Kernel

FUNCTIONS = {"natural": NATURAL, "alart_curnier": ALART_CURNIER}


@dataclass(frozen=True)
class SemismoothNewton(ContactSolver):
    """function: 'natural' for both laws, 'alart_curnier' for Coulomb's alone."""

    name: ClassVar[str] = "semismooth_newton"
    factors: ClassVar[bool] = True
    limit: int = 200
    function: str = "natural"

    def __post_init__(self) -> None:
        if self.function not in FUNCTIONS:
            raise RefusedError(f"function = '{self.function}'; {did_you_mean(self.function, list(FUNCTIONS))}")

    @property
    def laws(self) -> tuple[str, ...]:
        return tuple(LAWS) if self.function == "natural" else ("coulomb",)

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_newton

    def memory(self, problem: ContactProblem) -> Slopes:
        sweeps = Sweeps(waiting=1)
        return Slopes(
            rows=problem.b.size, function=FUNCTIONS[self.function], sweeps=sweeps, band=band(problem, general=True)
        )
