"""The method of Moreau and Jean, as one asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.choice import solver_named


@dataclass(frozen=True)
class MoreauJean:
    """Time stepping with contacts: steps of one size, in each of which all impulses are found at once.

    theta: of the velocities in forces, (1 − θ) v + θ v°, v° those behind the step without contacts
    solver: of the cones, by its name, None: the one that suits
    tolerance: residual of the cones beside the largest velocity
    """

    name: ClassVar[str] = "moreau_jean"
    title: ClassVar[str] = "time stepping of Moreau and Jean: exact cones, Newton's restitution"
    law: ClassVar[str] = "Newton's restitution in the form of Moreau, Coulomb's exact cones"

    theta: float = 0.5
    solver: str | None = None
    tolerance: float = 1e-8

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


def stepping_named(wanted: MoreauJean | str) -> MoreauJean:
    """Time stepping as it is, or by its name with its usual settings."""
    return wanted if isinstance(wanted, MoreauJean) else MoreauJean()
