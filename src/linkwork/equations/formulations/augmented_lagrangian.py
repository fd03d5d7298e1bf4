"""The augmented Lagrangian method (García de Jalón and Bayo, eq. 5.51, algorithm 5-3): penalties whose multipliers are
corrected until the accelerations satisfy the conditions,

    λ* ← λ* + α (C v̇ + b + 2 Ω μ Φ̇ + Ω² Φ)

with the same matrix in every correction. Moderate penalties suffice, and the multipliers are exact; redundant constraints
and singular positions do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.penalty import damped_functions, penalties
from linkwork.numerics.flows.constrained import augmented_log, by_penalties
from linkwork.numerics.flows.flow import Flow


@dataclass(frozen=True)
class AugmentedLagrangian(Formulation):
    """All coordinates integrated; at most *corrections* of the multipliers, until they change by less than *tolerance*.

    *project* returns every step to the conditions, as in ``penalty``.
    """

    name: ClassVar[str] = "augmented_lagrangian"
    summary: ClassVar[str] = "penalties with multipliers that are corrected until the conditions hold"
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True, singular_positions=True, singular_start=True)

    alpha: float = 1e4
    omega: float = 10.0
    mu: float = 1.0
    corrections: int = 20
    tolerance: float = 1e-10
    project: bool = True

    def __post_init__(self) -> None:
        self.require_numbers(positive=("alpha",), not_negative=("omega", "mu", "corrections", "tolerance"))

    @property
    def able(self) -> Abilities:
        return replace(super().able, exact=self.corrections > 0)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        penalty = penalties(coordinates, self.alpha, t, y, p)

        return Scheme(
            damped_functions(coordinates, self.omega, self.mu),
            by_penalties(penalty, self.corrections, self.tolerance, self.project),
            correction_notes,
            doubts=lambda flow: unfinished_corrections(flow, self.corrections, self.tolerance),
        )


def correction_notes(flow: Flow) -> tuple[str, ...]:
    """How often a run has corrected its multipliers."""
    log = augmented_log(flow)
    if not log.evaluations:
        return ()
    mean = log.corrections / log.evaluations
    return (f"multipliers corrected {mean:.2g} times on average, at most {log.most} times",)


def unfinished_corrections(flow: Flow, corrections: int, tolerance: float) -> tuple[str, ...]:
    """Forces of conditions that are not as exact as the formulation asks for."""
    log = augmented_log(flow)
    if not log.unfinished:
        return ()
    return (
        f"forces of joints missed the tolerance of {tolerance:g} in {log.unfinished} of {log.evaluations} evaluations: "
        f"allow more corrections than {corrections}, or take another formulation",
    )
