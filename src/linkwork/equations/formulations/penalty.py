"""The penalty method (García de Jalón and Bayo, eq. 5.37):

    (M + Cᵀ α C) v̇ = h − Cᵀ α (b + 2 Ω μ Φ̇ + Ω² Φ)

Large fictitious masses α resist what violates the conditions, whose errors are damped like oscillators of frequency Ω and
damping μ. The size of the system is that of v, redundant constraints and singular positions are harmless; accelerations meet
the conditions only to the accuracy that α allows. Conditions on velocities alone, ψ = 0, have ψ in the place of Φ̇ and no Φ
(eq. 5.47).

After every step positions and velocities return to the conditions in the metric of the mass, by the same matrix,

    (M + Cᵀ α C) δ = −Cᵀ α Φ,   (M + Cᵀ α C) δ = −Cᵀ α (C v + a)

(E. Bayo, R. Ledesma, Nonlinear Dynamics 9, 1996, pp. 113-130). Near singular positions small errors of the conditions mean
large ones of the motion: without this a run leaves its branch after some passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.terms import closure_function, make_function, position_functions, terms_function
from linkwork.numerics.flows.constrained import by_penalties


@dataclass(frozen=True)
class Penalty(Formulation):
    """All coordinates integrated with penalties; *alpha* relative to the largest mass, *omega* in 1/s.

    *project* returns every step to the conditions.
    """

    name: ClassVar[str] = "penalty"
    summary: ClassVar[str] = "penalties instead of multipliers, errors of the conditions damped"
    abilities: ClassVar[Abilities] = Abilities(
        rolling=True, limits=True, singular_positions=True, singular_start=True, exact=False
    )

    alpha: float = 1e7
    omega: float = 10.0
    mu: float = 1.0
    project: bool = True

    def __post_init__(self) -> None:
        self.require_numbers(positive=("alpha",), not_negative=("omega", "mu"))

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        penalty = penalties(coordinates, self.alpha, t, y, p)

        return Scheme(damped_functions(coordinates, self.omega, self.mu), by_penalties(penalty, project=self.project))


def damped_functions(c: Coordinates, omega: float, mu: float) -> dict[str, ca.Function]:
    """Closure and terms with b + 2 Ω μ Φ̇ + Ω² Φ in the place of b."""
    curvature = c.b + 2 * omega * mu * (c.jacobian @ c.v + c.a) + omega**2 * c.phi
    return {"closure": closure_function(c), "terms": terms_function(c, curvature), **position_functions(c)}


def penalties(c: Coordinates, alpha: float, t: float, y: Array, p: Array) -> Array:
    """α of each row (m): *alpha* times the largest mass, as seen by a residual in metres."""
    (mass,) = (np.array(item) for item in make_function("mass", c, {"M": ca.diag(c.mass)}).call([t, y, p]))
    largest = float(np.max(mass.ravel() * c.kinematics.scale**2, initial=0.0)) / c.kinematics.length**2
    weights = np.array([row.weight for row in c.rows])
    return alpha * largest * weights**2
