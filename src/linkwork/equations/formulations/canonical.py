"""Canonical equations with multipliers (Lankarani and Nikravesh; García de Jalón and Bayo, eqs. 5.100 to 5.103,
algorithm 5-6): positions and momenta are integrated, velocities are solved for together with the impulses of the reactions,

    [ M  Cᵀ ] [ v ]   [  π ]
    [ C  0  ] [ τ ] = [ −a ],   π̇ = h + Ṁ v + Ċᵀ τ,   λ = −τ̇

The conditions are differentiated once instead of twice: velocities always satisfy them, and positions are returned to them
after every step, when the momenta are taken anew, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.formulations.base import Abilities, Array, Formulation, Scheme
from linkwork.equations.momenta import MomentumTerms, momentum_functions, momentum_units
from linkwork.numerics.flows.canonical import by_momenta


@dataclass(frozen=True)
class Canonical(Formulation):
    """Momenta instead of velocities as states, all coordinates integrated."""

    name: ClassVar[str] = "canonical"
    summary: ClassVar[str] = "momenta as states, velocities and impulses of the reactions solved for, steps projected"
    abilities: ClassVar[Abilities] = Abilities(rolling=True)
    renews: ClassVar[bool] = True

    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        c = coordinates
        terms = MomentumTerms(c.a, ca.SX(0, 1), ca.SX(c.v.numel(), 1))
        return Scheme(momentum_functions(c, terms, momentum_units(c, t, y, p)), by_momenta())
