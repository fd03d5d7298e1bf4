"""What a solver of problems of contacts is: its settings, and its kernel with what that works on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from linkwork.numerics.complementarity.contact_problem import LAWS, ContactProblem
from linkwork.numerics.kernels.complementarity.banded import Band, order_contacts
from linkwork.numerics.kernels.complementarity.corrections import Corrections
from linkwork.numerics.kernels.complementarity.gauss_seidel import Sweeps
from linkwork.numerics.kernels.language.calling import Kernel
from linkwork.numerics.kernels.language.records import Record
from linkwork.numerics.loader import compiled


@dataclass(frozen=True)
class ContactSolver(ABC):
    """limit: iterations, of all corrections together."""

    name: ClassVar[str]
    factors: ClassVar[bool]  # whether it factorises matrices with the blocks of A
    bounded: ClassVar[bool] = True  # whether it takes forces within bounds
    exact: ClassVar[bool] = True  # whether cones are what they are
    limit: int = 1000

    @property
    def laws(self) -> tuple[str, ...]:
        """The laws that it takes."""
        return tuple(LAWS)

    @property
    def told(self) -> str:
        """The cones that it takes, in words."""
        return "Coulomb's exact cones"

    @property
    @abstractmethod
    def entry(self) -> Kernel[..., Any]:
        """The kernel that begins with a problem in given units and ends with its answer."""

    @abstractmethod
    def memory(self, problem: ContactProblem) -> Record:
        """All that the kernel works on, for problems of this size."""


def corrections(problem: ContactProblem, most: int, proximal: float = 0.0) -> Corrections:
    """Those of convex solvers."""
    sweeps = Sweeps(waiting=1)
    return Corrections(rows=problem.b.size, most=most, proximal=proximal, sweeps=sweeps)


def band(problem: ContactProblem, *, general: bool = False) -> Band:
    """Room for a matrix that has the blocks of A, in the best order that is known."""
    shape = {"rows": problem.b.size, "count": problem.count}
    width = compiled(order_contacts)(problem.record(), Band(**shape)) if problem.count else 0
    return Band(**shape, room=width, width=width, general=int(general))
