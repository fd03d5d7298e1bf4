"""Cones as pyramids, by Lemke's method: an approximation that says how many facets it has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.solver import ContactSolver
from linkwork.numerics.kernels.complementarity.entries import run_pyramids
from linkwork.numerics.kernels.complementarity.lemke import LinearProblem
from linkwork.numerics.kernels.complementarity.polyhedral import Pyramids
from linkwork.numerics.kernels.language.calling import Kernel

MOST = 60  # contacts at once: pivots take a dense table


@dataclass(frozen=True)
class Polyhedral(ContactSolver):
    """facets: of the pyramid that stands for the cone in space; in the plane two are exact."""

    name: ClassVar[str] = "polyhedral"
    factors: ClassVar[bool] = False
    bounded: ClassVar[bool] = False
    exact: ClassVar[bool] = False
    limit: int = 20_000
    facets: int = 8

    def __post_init__(self) -> None:
        if not 3 <= self.facets <= 64:
            raise RefusedError(f"facets = {self.facets}; a pyramid has 3 to 64")

    @property
    def laws(self) -> tuple[str, ...]:
        return ("coulomb",)

    @property
    def told(self) -> str:
        return (
            f"Coulomb's cones as pyramids of {self.facets} facets (in space friction is up to "
            f"{100.0 * (1.0 - math.cos(math.pi / self.facets)):.2g} % too small)"
        )

    @property
    def entry(self) -> Kernel[..., Any]:
        return run_pyramids

    def memory(self, problem: ContactProblem) -> Pyramids:
        contacts = min(problem.count, MOST)
        room = (self.facets + 2) * contacts
        linear = LinearProblem(n=room, matrix=np.zeros(0), q=np.zeros(0))
        return Pyramids(facets=self.facets, room=room, contacts=contacts, linear=linear)
