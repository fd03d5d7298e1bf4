"""Poisson's law of restitution: while bodies are let go, the part e of the impulse of compression acts again.

    p⁺ = (1 + e) p_c

Source: C. Glocker, F. Pfeiffer, "Multiple impacts with friction in rigid multibody systems" (1995).
"""

from __future__ import annotations

from typing import ClassVar

from linkwork.analysis.motion.impacts.phases import PhasedImpact
from linkwork.analysis.motion.impacts.sliding_path import Left, Pressed, by_impulse


class PoissonImpact(PhasedImpact):
    """What comes back is a part of the impulse of compression."""

    name: ClassVar[str] = "poisson"
    told: ClassVar[str] = (
        "impacts follow Poisson's law: compression of all that meets at once, then e times its impulses"
    )

    def released(self, most: Pressed, back: float) -> Left:
        return by_impulse((1.0 + back) * most.normal)
