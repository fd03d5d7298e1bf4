"""Baumgarte's stabilisation as a wrapper (García de Jalón and Bayo, eqs. 5.26 to 5.28): C v̇ = −b − 2α Φ̇ − β² Φ.

Errors of the conditions decay like e^{−αt} instead of growing; they do not vanish, and α = β in 1 to 20 1/s is usual.
It fails near singular positions. Conditions on velocities alone, which have no Φ, get C v̇ = −b − 2α ψ (its eq. 5.47).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.numbering import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.multipliers import index_one_functions, multipliers_scheme


@dataclass(frozen=True)
class Baumgarte(Formulation):
    """Index-1 equations with multipliers whose drift is damped; α and β in 1/s."""

    name: ClassVar[str] = "baumgarte"
    summary: ClassVar[str] = "Lagrange multipliers, index 1, drift damped by Baumgarte's terms"
    abilities: ClassVar[Abilities] = Abilities(closes_loops=False, rolling=True)

    alpha: float = 10.0
    beta: float = 10.0

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        curvature = c.b + 2 * self.alpha * (c.jacobian @ c.v + c.a) + self.beta**2 * c.phi
        return multipliers_scheme(index_one_functions(c, curvature, t, y, p), project=False)
