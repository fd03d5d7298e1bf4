"""Equations with multipliers and conditions of accelerations, index 1 (García de Jalón and Bayo, section 7.2):

    q̇ = T v,   M v̇ = h + Cᵀ λ,   C v̇ + b = 0

solved together with the stage of an implicit integrator. Positions and velocities drift like the error of the integrator;
after every step they return to their conditions (``project``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.dae import dae_scheme


@dataclass(frozen=True)
class Index1(Formulation):
    """Index-1 equations; *project* returns every step to its conditions."""

    name: ClassVar[str] = "index1"
    summary: ClassVar[str] = "multipliers and conditions of accelerations, solved for in implicit steps (index 1)"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)
    implicit: ClassVar[bool] = True

    project: bool = True

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        return dae_scheme(coordinates, "index1", "steps" if self.project else "nothing")
