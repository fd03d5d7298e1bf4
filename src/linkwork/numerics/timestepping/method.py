"""The method of Moreau and Jean, as one asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.choice import solver_named
from linkwork.numerics.complementarity.polyhedral import Polyhedral
from linkwork.numerics.complementarity.solver import ContactSolver


@dataclass(frozen=True)
class MoreauJean:
    """Time stepping with contacts: steps of one size, in each of which all impulses are found at once.

    theta: of the velocities in forces, (1 − θ) v + θ v°, v° those behind the step without contacts
    solver: of the cones, by its name, None: the one that suits
    tolerance: residual of the cones beside the largest velocity
    facets: of the pyramids that the solver ``polyhedral`` takes for cones, 8 unless they are given
    """

    name: ClassVar[str] = "moreau_jean"
    title: ClassVar[str] = "time stepping of Moreau and Jean: exact cones, Newton's restitution"
    theta: float = 0.5
    solver: str | None = None
    tolerance: float = 1e-8
    facets: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.theta <= 1.0:
            raise RefusedError(
                f"theta = {self.theta:g}; it is between 0, velocities before a step, and 1, those behind it"
            )
        if not 0.0 < self.tolerance <= 1e-2:
            raise RefusedError(
                f"tolerance = {self.tolerance:g}; a residual beside the largest velocity is 1e-2 or less"
            )
        if self.solver is not None:
            solver_named(self.solver)
        if self.facets is not None and self.solver != Polyhedral.name:
            raise RefusedError(
                f"facets = {self.facets}; solver='{Polyhedral.name}' alone has them, others take exact cones"
            )
        if self.facets is not None:
            Polyhedral(facets=self.facets)

    @property
    def asked(self) -> ContactSolver | None:
        """The solver that is asked alone."""
        if self.solver is None:
            return None
        return solver_named(self.solver) if self.facets is None else Polyhedral(facets=self.facets)

    @property
    def law(self) -> str:
        """What is taken for restitution and friction, in words."""
        cones = self.asked.told if self.asked is not None else "Coulomb's exact cones"
        return f"Newton's restitution in the form of Moreau, {cones}"


def stepping_named(wanted: MoreauJean | str) -> MoreauJean:
    """Time stepping as it is, or by its name with its usual settings."""
    return wanted if isinstance(wanted, MoreauJean) else MoreauJean()
