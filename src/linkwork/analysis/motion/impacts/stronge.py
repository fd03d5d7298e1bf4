"""Stronge's energetic law of restitution: of the work that compression has taken along the normal, e² comes back.

    ∫ γ dp (let go) = −e² ∫ γ dp (compressed)

It never brings energy in, whatever the slip does meanwhile. Source: W. J. Stronge, "Rigid body collisions with friction",
Proceedings of the Royal Society A 431 (1990).
"""

from __future__ import annotations

from typing import ClassVar

from linkwork.analysis.motion.complementarity import ZERO
from linkwork.analysis.motion.impacts.base import Blow
from linkwork.analysis.motion.impacts.phases import PhasedImpact
from linkwork.analysis.motion.impacts.sliding_path import Left, Pressed, by_work
from linkwork.arrays import Array
from linkwork.errors import RefusedError


class StrongeImpact(PhasedImpact):
    """What comes back is a part of the work of compression."""

    name: ClassVar[str] = "stronge"
    told: ClassVar[str] = (
        "impacts follow Stronge's energetic law: e² of the work of compression along the normal comes back"
    )

    def released(self, most: Pressed, back: float) -> Left:
        return by_work((1.0 - back**2) * most.work)

    def check(self, blow: Blow, compressed: Array) -> None:
        """With one e for all that is hit, e times all impulses brings e² of every work back; with several it does not."""
        pressed = ZERO * float(max(abs(compressed), default=0.0))
        parts = {part for i, part in blow.back.items() if compressed[blow.normal(i)] > pressed}
        if len(parts) > 1:
            listed = ", ".join(f"{part:g}" for part in sorted(parts))
            raise RefusedError(
                f"impact='stronge' takes one restitution for all that meets at an instant, and here are {listed}: "
                "take impact='poisson', or one restitution"
            )
