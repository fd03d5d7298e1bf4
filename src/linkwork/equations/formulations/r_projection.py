"""All coordinates, with the equations of motion projected on the admissible velocities (García de Jalón and Bayo, eq. 5.17,
algorithm 5-2):

    [  C  ]        [ −b  ]
    [ RᵀM ]  v̇ =  [ Rᵀh ]

C R = 0, so that the multipliers drop out. R comes from [C; B] as in ``r_method``; its pivots are watched, and B is chosen
anew when it loses its independence from C. Accelerations satisfy the conditions, positions and velocities drift like
a₁ t + a₂; after every accepted step they are returned to the conditions by the smallest correction (``project``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.partitioning import closing_functions, open_scheme
from linkwork.equations.formulations.r_method import basis_notes
from linkwork.numerics.flows.r_matrix import BASES, by_projected_equations


@dataclass(frozen=True)
class RProjection(Formulation):
    """All coordinates by projected equations; *project* returns every step to the conditions.

    *basis*, *switch_ratio*: how B is found and when it is chosen anew, as in ``RMethod``.
    """

    name: ClassVar[str] = "r_projection"
    summary: ClassVar[str] = (
        "equations projected on the admissible velocities, all coordinates integrated, steps projected"
    )
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True)

    project: bool = True
    basis: str = "gauss"
    switch_ratio: float = 0.5

    def __post_init__(self) -> None:
        self.require("basis", BASES)
        self.require_numbers(fractions=("switch_ratio",))

    def drifting(self) -> RProjection:
        return replace(self, project=False)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        if not coordinates.rows:
            return open_scheme(coordinates, t, y, p)
        names = coordinates.kinematics.v_names

        procedure = by_projected_equations(self.basis, self.switch_ratio, self.project)
        return Scheme(closing_functions(coordinates), procedure, lambda flow: basis_notes(flow, self.basis, names))
