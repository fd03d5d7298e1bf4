"""Newton's law of restitution in the form of Moreau, for all that meets at an instant.

    M (v⁺ − v⁻) = Cᵀ Λ,   0 ≤ γ⁺ + e min(γ⁻, 0)  ⊥  Λ ≥ 0

A limit that is hit alone, or with others that are hit too and push, sends e times its speed back.
Source: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics" (1988).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwork.analysis.motion.impacts.base import Blow, ImpactLaw, Struck


class NewtonImpact(ImpactLaw):
    """What comes back is a part of the speed along the normal."""

    name: ClassVar[str] = "newton"
    told: ClassVar[str] = "impacts follow Newton's law of restitution in the form of Moreau"

    def strike(self, blow: Blow) -> Struck:
        asked = blow.rates.copy()
        for limit, part in blow.back.items():
            asked[blow.normal(limit)] *= 1.0 + part
        found = blow.system.solve(blow.near, np.zeros(len(blow.system.mass)), asked, blow.size)
        return Struck(found.x, found.f)
