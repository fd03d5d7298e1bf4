"""Stronge's energetic law of restitution: of the work that compression has taken along the normal, e² comes back.

    ∫ γ dp (let go) = −e² ∫ γ dp (compressed)

It never brings energy in, whatever the slip does meanwhile. Where several with unlike e_i are hit at an instant, without
friction, they are let go with impulses as e_i Λ_i are, and bring back e_i² of the work that each has taken, all together.
Source: W. J. Stronge, "Rigid body collisions with friction", Proceedings of the Royal Society A 431 (1990).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from linkwork.analysis.motion.impacts.base import Blow
from linkwork.analysis.motion.impacts.phases import PhasedImpact
from linkwork.analysis.motion.impacts.sliding_path import Left, Pressed, by_work
from linkwork.arrays import Array


class StrongeImpact(PhasedImpact):
    """What comes back is a part of the work of compression."""

    name: ClassVar[str] = "stronge"
    told: ClassVar[str] = (
        "impacts follow Stronge's energetic law: e² of the work of compression along the normal comes back, of several that "
        "are hit at an instant the sum, with impulses as e times those of compression"
    )

    def released(self, most: Pressed, back: float) -> Left:
        return by_work((1.0 - back**2) * most.work)

    def let_go(self, blow: Blow, compressed: Array, rows: Sequence[int], pushed: Array) -> Array:
        """Impulses s e_i Λ_i with the s for which they bring back Σ e_i² W_i of the works W_i = −γ_i Λ_i/2 of compression.

        With one e for all that is hit s is one: e times all impulses bring e² of every work back.
        """
        wanted = -sum(
            part**2 * blow.rates[blow.normal(i)] * compressed[blow.normal(i)] for i, part in blow.back.items()
        )
        brought = float(pushed @ blow.system.answer_of(list(rows)) @ pushed)
        return pushed * math.sqrt(max(wanted, 0.0) / brought) if brought > 0.0 else pushed
