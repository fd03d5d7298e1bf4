"""Canonical equations in independent coordinates (García de Jalón and Bayo, eqs. 5.104 to 5.112, algorithm 5-7):

    η = RᵀM v,   RᵀM R ż = η − RᵀM S̄(−a),   η̇ = Rᵀ(h + Ṁ v) + ṘᵀM v,   Ṙ = −S̄ Ċ R,   [S̄ R] = [C; B]⁻¹

Positions and velocities are solved for as in ``r_method``, from as many momenta η as there are freedoms. ṘᵀM v is found
without Ṙ (``kernels/constrained/canonical_independent.py``). B is constant until it loses its independence from C; then it
is chosen anew and the momenta are encoded for the new one, at the end of a step and without a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.formulations.r_method import basis_notes
from linkwork.equations.momenta import MomentumTerms, momentum_functions, momentum_units
from linkwork.numerics.flows.canonical import by_independent_momenta
from linkwork.numerics.flows.r_matrix import BASES


@dataclass(frozen=True)
class CanonicalIndependent(Formulation):
    """As many momenta as freedoms, those of ż = B v.

    *basis*: how B is found, as in ``RMethod``; *switch_ratio*: B is chosen anew when its independence falls below this
    fraction of its best.
    """

    name: ClassVar[str] = "canonical_independent"
    summary: ClassVar[str] = "momenta of independent velocities, dependent coordinates by Newton"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)

    basis: str = "gauss"
    switch_ratio: float = 0.5

    def __post_init__(self) -> None:
        self.require("basis", BASES)
        self.require_numbers(fractions=("switch_ratio",))

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        units = momentum_units(c, t, y, p)
        terms = MomentumTerms(c.a, ca.SX(0, 1), ca.SX(c.v.numel(), 1))

        names = c.kinematics.v_names
        procedure = by_independent_momenta(units, self.basis, self.switch_ratio)
        return Scheme(momentum_functions(c, terms, units), procedure, lambda flow: basis_notes(flow, self.basis, names))
