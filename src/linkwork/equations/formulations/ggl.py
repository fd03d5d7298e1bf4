"""Conditions of positions and of velocities at once, stabilised index 2 (C. W. Gear, B. Leimkuhler, G. K. Gupta,
J. Comput. Appl. Math. 12 & 13, 1985, pp. 77-90):

    q̇ = T (v + S² Cᵀ μ),   M v̇ = h + Cᵀ λ,   C v + a = 0,   Φ = 0

μ is zero in the solution. There is no drift, and the index is 2: errors of all states but the multipliers go with the full
order of the integrator, and its error estimates hold. S are typical sizes of the coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.dae import dae_scheme


@dataclass(frozen=True)
class GearGuptaLeimkuhler(Formulation):
    """Stabilised index-2 equations. What is shown between steps is returned to all conditions."""

    name: ClassVar[str] = "ggl"
    summary: ClassVar[str] = (
        "conditions of positions and velocities with two sets of multipliers (Gear, Gupta, Leimkuhler)"
    )
    abilities: ClassVar[Abilities] = Abilities(rolling=True)
    implicit: ClassVar[bool] = True

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        return dae_scheme(coordinates, "ggl", "output")
