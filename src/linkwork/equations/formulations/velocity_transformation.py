"""Velocity transformations (García de Jalón and Bayo, sections 5.3, 8.2 and 8.3): the equations of the opened chain,

    RᵀM R z̈ = Rᵀ(Q − C − M Sc)                                              (eqs. 5.67 and 8.38)

with R and Sc written down joint by joint, and loops closed by the conditions Φ² of the cut joints on z:

    multipliers      [[RᵀM R, Φ_zᵀ], [Φ_z, 0]] [z̈; −λ] = [Rᵀ(Q − C − M Sc); −b]    (eqs. 5.92 and 8.114)
    penalty          (RᵀM R + Φ_zᵀ α Φ_z) z̈ = Rᵀ(...) − Φ_zᵀ α (b + 2 Ω μ Φ̇ + Ω² Φ)    (eq. 8.115, its signs corrected)
    transformation   z̈ = R² ẅ + S²(−b), independent ẅ by the pivots of Φ_z           (eqs. 8.118 to 8.120)

Φ_z = Φ²_q R and b = Φ̇_z ż + ∂Φ̇/∂t are those of relative coordinates, and so are the methods that close the loops:
``multipliers`` or ``baumgarte``, ``penalty`` or ``augmented_lagrangian``, and ``r_method``. What differs is how the terms
come about: relative coordinates have them from composite bodies (section 8.1.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.relative import Relative
from linkwork.coordinates.transformed import DependentVelocities, OpenChain
from linkwork.equations.formulations.augmented_lagrangian import AugmentedLagrangian
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.baumgarte import Baumgarte
from linkwork.equations.formulations.multipliers import Multipliers
from linkwork.equations.formulations.penalty import Penalty
from linkwork.equations.formulations.r_method import RMethod
from linkwork.equations.terms import make_function
from linkwork.errors import RefusedError
from linkwork.numerics.flows.flow import Flow

DEPENDENT = ("bodies", "points")
"""Sets of dependent velocities: of centres of mass and orientations, or of points and unit vectors."""

CLOSINGS: dict[str, Formulation] = {"multipliers": Multipliers(), "penalty": Penalty(), "transformation": RMethod()}
"""How loops are closed, by name."""

ClosedBy = Multipliers | Baumgarte | Penalty | AugmentedLagrangian | RMethod


@dataclass(frozen=True)
class VelocityTransformation(Formulation):
    """Equations of the opened chain by its matrix R.

    *dependent*: ``"bodies"``, velocities of centres of mass and angular velocities with one block of M for each body
    (formulation B), or ``"points"``, velocities of points and unit vectors with a constant M (formulation A).
    *closed_by*: ``"multipliers"``, ``"penalty"`` or ``"transformation"``; or one of ``Multipliers``, ``Baumgarte``,
    ``Penalty``, ``AugmentedLagrangian`` and ``RMethod`` with parameters of its own.
    """

    name: ClassVar[str] = "velocity_transformation"
    summary: ClassVar[str] = "the opened chain by a matrix R written joint by joint, loops closed on its joints"
    abilities: ClassVar[Abilities] = Multipliers.abilities
    kinds: ClassVar[tuple[str, ...]] = (Relative.name,)

    dependent: str = "bodies"
    closed_by: str | Formulation = "multipliers"

    def __post_init__(self) -> None:
        self.require("dependent", DEPENDENT)
        if isinstance(self.closed_by, str):
            self.require("closed_by", CLOSINGS)
        elif not isinstance(self.closed_by, ClosedBy):
            raise RefusedError(
                f"VelocityTransformation: the chain is closed by Multipliers, Baumgarte, Penalty, AugmentedLagrangian or "
                f"RMethod, not by {self.closed_by!r}"
            )

    @property
    def closing(self) -> Formulation:
        """What closes the loops."""
        return CLOSINGS[self.closed_by] if isinstance(self.closed_by, str) else self.closed_by

    @property
    def able(self) -> Abilities:
        """That of what closes the loops."""
        return self.closing.able

    def drifting(self) -> VelocityTransformation | None:
        inner = self.closing.drifting()
        return None if inner is None else replace(self, closed_by=inner)

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        velocities = dependent_velocities(coordinates, self.dependent)
        scheme = self.closing.write(coordinates.with_inertia(*velocities.reduced), t, y, p)
        written = make_function("transformation", coordinates, {"R": velocities.transfer, "Sc": velocities.carried})

        def notes(flow: Flow) -> tuple[str, ...]:
            return self._describe(coordinates, velocities), *scheme.notes(flow)

        return replace(scheme, notes=notes, extra={**scheme.extra, written.name(): written})

    def _describe(self, c: Coordinates, velocities: DependentVelocities) -> str:
        count, size = velocities.transfer.shape
        text = f"R gives {count} velocities of {self.dependent} from {size} of joints"
        return f"{text}; closed by {self.closing.name}" if c.rows else text


def dependent_velocities(c: Coordinates, dependent: str, points: tuple[str, ...] = ()) -> DependentVelocities:
    """The dependent velocities of the tree of relative coordinates; further *points* ("hand.P") of bodies may be wanted."""
    if not isinstance(c.kind, Relative):
        raise RefusedError(f"velocity transformations work in relative coordinates, not in {c.kind.name} ones")
    chain = OpenChain(c.geometry, c.topology.tree, c.kind, c.kinematics)
    return chain.bodies() if dependent == "bodies" else chain.points(points)
