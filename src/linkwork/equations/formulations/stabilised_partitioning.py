"""Coordinate partitioning with Baumgarte's terms where they are needed (Park and Haug; García de Jalón and Bayo, 5.2.2).

All coordinates are integrated, v̇_D = A v̇_I + ξ, without a solution of the positions. While the conditions hold within a
tolerance nothing is added; beyond it errors are damped as in ``baumgarte``; near positions where the dependent block is
singular the positions and velocities are solved for, as in ``partitioning``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.partitioning import closing_functions, open_scheme, partition_notes
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.r_matrix import by_damped_set, step_counts


@dataclass(frozen=True)
class StabilisedPartitioning(Formulation):
    """All coordinates integrated; α and β in 1/s act while a row is open by more than *tolerance*.

    The tolerance is relative to the size of the mechanism.
    """

    name: ClassVar[str] = "stabilised_partitioning"
    summary: ClassVar[str] = "coordinate partitioning without position solutions, errors above a tolerance damped"
    abilities: ClassVar[Abilities] = Abilities(closes_loops=False, rolling=True, limits=True)

    alpha: float = 10.0
    beta: float = 10.0
    tolerance: float = 1e-8
    switch_ratio: float = 0.5

    def __post_init__(self) -> None:
        self.require_numbers(not_negative=("alpha", "beta", "tolerance"), fractions=("switch_ratio",))

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        if not coordinates.rows:
            return open_scheme(coordinates, t, y, p)
        procedure = by_damped_set(self.switch_ratio, self.tolerance, (self.alpha, self.beta))
        names = coordinates.kinematics.v_names

        def notes(flow: Flow) -> tuple[str, ...]:
            counts = step_counts(flow)
            taken = f"{counts.damped} steps with damped errors, {counts.solved} with solved positions"
            return *partition_notes(flow, names), taken

        return Scheme(closing_functions(coordinates), procedure, notes)
