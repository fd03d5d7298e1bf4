"""Equations with multipliers and the conditions themselves, index 3 (García de Jalón and Bayo, eqs. 7.48 to 7.50):

    q̇ = T v,   M v̇ = h + Cᵀ λ,   Φ = 0

Positions satisfy their conditions at the end of every step; velocities and multipliers follow with one and two orders of
the step size less accuracy at first. The matrix of Newton's method is as ill-conditioned as 1/h³, but for the scaling of its
rows and columns, which takes that away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.dae import dae_scheme


@dataclass(frozen=True)
class Index3(Formulation):
    """Index-3 equations. What is shown of a run is returned to all conditions; its steps are not."""

    name: ClassVar[str] = "index3"
    summary: ClassVar[str] = "multipliers and conditions of positions, solved for in implicit steps (index 3)"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)
    implicit: ClassVar[bool] = True
    by_positions: ClassVar[bool] = True

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        return dae_scheme(coordinates, "index3", "output")
