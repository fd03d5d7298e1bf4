"""Baumgarte's stabilisation as a wrapper (García de Jalón and Bayo, eqs. 5.26 to 5.28): C v̇ = −b − 2α Φ̇ − β² Φ.

It stands around a formulation that integrates all coordinates, in the place of the projection of its steps. Errors of the
conditions decay like e^{−αt} instead of growing; they do not vanish, and α = β in 1 to 20 1/s is usual.
It fails near singular positions. Conditions on velocities alone, which have no Φ, get C v̇ = −b − 2α ψ (its eq. 5.47).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.errors import RefusedError


@dataclass(frozen=True)
class Baumgarte(Formulation):
    """Accelerations that damp the errors of the conditions; *alpha* and *beta* in 1/s.

    *around*: the formulation that gives them, one with steps to project: ``Multipliers()``, ``RangeSpace()``,
    ``RProjection()``.
    """

    name: ClassVar[str] = "baumgarte"
    summary: ClassVar[str] = "Lagrange multipliers, index 1, drift damped by Baumgarte's terms"
    abilities: ClassVar[Abilities] = Abilities(closes_loops=False, rolling=True, limits=True)

    alpha: float = 10.0
    beta: float = 10.0
    around: Formulation = field(default_factory=Multipliers)

    def __post_init__(self) -> None:
        self.require_numbers(not_negative=("alpha", "beta"))
        if self.around.drifting() is None:
            raise RefusedError(
                f"Baumgarte: the formulation '{self.around}' has no drift to damp; it stands around one that projects "
                "its steps: 'multipliers', 'range_space' or 'r_projection'"
            )

    @property
    def able(self) -> Abilities:
        return replace(self.abilities, limits=self.around.able.limits)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c, drifting = coordinates, self.around.drifting()
        assert drifting is not None  # checked when it was made
        damped = replace(c, b=c.b + 2 * self.alpha * (c.jacobian @ c.v + c.a) + self.beta**2 * c.phi)
        return drifting.write(damped, t, y, p)
