"""Multipliers by the range space of the conditions (García de Jalón and Bayo, eqs. 5.11 and 5.12):

    C M⁻¹ Cᵀ λ = −b − C M⁻¹ h,   v̇ = M⁻¹ (h + Cᵀ λ)

A system of the size of the conditions instead of one of both sizes. M must be regular. The Cholesky factor of the matrix is
found by QR with column pivoting, so that redundant constraints are left out where they are met.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.partitioning import closing_functions
from linkwork.equations.terms import idle_velocities
from linkwork.errors import RefusedError
from linkwork.numerics.flows.r_matrix import by_range_space


@dataclass(frozen=True)
class RangeSpace(Formulation):
    """Multipliers from a system of the size of the conditions; *project* returns every step to the conditions."""

    name: ClassVar[str] = "range_space"
    summary: ClassVar[str] = (
        "multipliers by the range space of the conditions, all coordinates integrated, steps projected"
    )
    abilities: ClassVar[Abilities] = Abilities(massless=False, rolling=True, limits=True)

    project: bool = True

    def drifting(self) -> RangeSpace:
        return replace(self, project=False)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        idle = idle_velocities(coordinates, t, y, p)
        if idle:
            some = ", ".join(idle[:4]) + (", ..." if len(idle) > 4 else "")
            raise RefusedError(
                f"the formulation 'range_space' divides by the mass matrix, which is singular in {coordinates.kind.name} "
                f"coordinates: {some} can change without inertia; take 'multipliers', 'r_projection' or 'partitioning', or "
                "coordinates that all have inertia"
            )

        return Scheme(closing_functions(coordinates), by_range_space(self.project))
