"""Independent coordinates by the matrix R of admissible velocities (García de Jalón and Bayo, eqs. 5.60 to 5.67):

    v = R ż + S̄(−a),   v̇ = R z̈ + S̄(−b),   RᵀM R z̈ = Rᵀ(h − M S̄(−b)),   [S̄ R] = [C; B]⁻¹

ż = B v are any independent combinations of the velocities: some of them, chosen by Gauss with full pivoting, or directions
along the admissible motions by QR, singular values, or Gram and Schmidt. B is constant until it loses its independence from
C; then it is chosen anew. The state keeps all of q and v, so that a change neither restarts the integrator nor costs order.

Other ways to R have no constant B, and so no z: R anew at every position, by singular vectors (Singh and Likins) or null
eigenvectors of CᵀC (Kamman and Huston), which may turn and change signs from one position to the next; or R by rows of
[C; B] made orthonormal, with Ṙ (Liang and Lance, eqs. 3.47 to 3.52). With these all of q and v are integrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.partitioning import (
    INTEGRATED,
    LISTED,
    closing_functions,
    correction_notes,
    open_scheme,
    partition_notes,
)
from linkwork.equations.terms import jacobian_rate_function
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import partition_log
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.r_matrix import ANEW, BASES, DIFFERENTIABLE, by_independent_velocities, by_moving_r

MOVING = (*ANEW, DIFFERENTIABLE)
"""Ways to R without a constant B."""


@dataclass(frozen=True)
class RMethod(Formulation):
    """Independent velocities ż = B v.

    *basis*: how B is found, ``"gauss"`` (Boolean), ``"qr"``, ``"svd"`` or ``"gram_schmidt"``; or how R is found without a
    constant B, ``"svd_each"``, ``"eigen_each"`` or ``"differentiable"``.
    *integrate*: ``"independent"`` solves for positions and velocities in every evaluation (algorithm 5-5), the default where
    B is constant; ``"all"`` integrates all positions with ż (algorithm 5-4), and returns them to the conditions after a step
    that leaves a row open by more than *tolerance*, relative to the size of the mechanism.
    *switch_ratio*: B is chosen anew when its independence falls below this fraction of its best.
    """

    name: ClassVar[str] = "r_method"
    summary: ClassVar[str] = "independent velocities by a constant matrix B, dependent coordinates by Newton"
    abilities: ClassVar[Abilities] = Abilities(rolling=True, limits=True)

    basis: str = "gauss"
    integrate: str | None = None
    tolerance: float = 0.0
    switch_ratio: float = 0.5

    def __post_init__(self) -> None:
        self.require("basis", (*BASES, *MOVING))
        self.require_numbers(not_negative=("tolerance",), fractions=("switch_ratio",))
        if self.integrate is not None:
            self.require("integrate", INTEGRATED)
        if self.integrate == "independent" and self.basis in MOVING:
            raise RefusedError(
                f"RMethod: with basis='{self.basis}' the independent velocities are no rates of positions that could be "
                "integrated alone; take integrate='all', or a basis with a constant B: "
                + ", ".join(f"'{name}'" for name in BASES)
            )

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        if not coordinates.rows:
            return open_scheme(coordinates, t, y, p)
        if self.basis in MOVING:
            return self._moving(coordinates)
        tolerance = self.tolerance if self.integrate == "all" else None
        names = coordinates.kinematics.v_names

        def notes(flow: Flow) -> tuple[str, ...]:
            return *basis_notes(flow, self.basis, names), *(() if tolerance is None else correction_notes(flow))

        procedure = by_independent_velocities(self.basis, self.switch_ratio, tolerance)
        return Scheme(closing_functions(coordinates), procedure, notes)

    def _moving(self, c: Coordinates) -> Scheme:
        """The equations with an R that has no constant B."""
        functions = closing_functions(c)
        if self.basis == DIFFERENTIABLE:
            functions["jacobian_rate"] = jacobian_rate_function(c)
        names = c.kinematics.v_names

        def notes(flow: Flow) -> tuple[str, ...]:
            if self.basis == DIFFERENTIABLE:
                return *basis_notes(flow, "gauss", names), *correction_notes(flow)
            return correction_notes(flow)

        return Scheme(functions, by_moving_r(self.basis, self.switch_ratio, self.tolerance), notes)


def basis_notes(flow: Flow, basis: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The independent velocities of a run, and when they have changed."""
    if basis == "gauss":
        return partition_notes(flow, names)
    log = partition_log(flow)
    text = f"independent: {len(log.initial)} combination{'' if len(log.initial) == 1 else 's'} of velocities by {basis}"
    if not log.initial or not log.changes:
        return (text,) if log.initial else ()
    times = "; ".join(f"{time:.4g} s" for time, _ in log.history[:LISTED])
    often = "once" if log.changes == 1 else f"{log.changes} times"
    return (f"{text}; chosen anew {often} ({times}{'; ...' if log.changes > LISTED else ''})",)
