"""Laws of impacts that know what happens while bodies touch: they are compressed, and then let go.

Without friction all that meets is compressed at once, as if nothing came back (impulses Λ_c), and then let go with what each
law says. With friction one place at a time is followed along its impulse (``sliding_path.py``), in the plane.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from linkwork.analysis.motion.complementarity import ZERO
from linkwork.analysis.motion.impacts.base import Blow, ImpactLaw, Struck
from linkwork.analysis.motion.impacts.sliding_path import Left, Pressed, SlidingPath
from linkwork.arrays import Array
from linkwork.errors import RefusedError


class PhasedImpact(ImpactLaw):
    """What both such laws have in common."""

    def strike(self, blow: Blow) -> Struck:
        rubs = [i for i in blow.near if i in blow.rubbing]
        return self._along(blow, rubs[0]) if rubs else self._at_once(blow)

    def _at_once(self, blow: Blow) -> Struck:
        """The blow without friction: 0 ≤ γ_c ⊥ Λ_c ≥ 0, then 0 ≤ γ⁺ ⊥ (Λ_e − e Λ_c) ≥ 0."""
        none = np.zeros(len(blow.system.mass))
        compressed = blow.system.solve(blow.near, none, blow.rates, blow.size)
        if not blow.back:
            return Struck(compressed.x, compressed.f)
        rows = [blow.normal(i) for i in blow.back]
        pushed = np.array(list(blow.back.values())) * np.maximum(compressed.f[rows], 0.0)
        pushed = self.let_go(blow, compressed.f, rows, pushed)
        start = blow.rates + blow.system.jacobian @ compressed.x
        given = blow.system.pushed(rows, pushed, none, np.zeros(len(start)))
        behind = start + blow.system.jacobian @ given.x
        kept = blow.system.solve(blow.near, none, behind, blow.size)
        return Struck(compressed.x + given.x + kept.x, compressed.f + given.f + kept.f)

    def _along(self, blow: Blow, limit: int) -> Struck:
        """The blow of one place that rubs."""
        if len(blow.near) > 1 or len(blow.rubbing[limit].rows) > 1:
            many = f"{len(blow.near)} places touch here" if len(blow.near) > 1 else "this one is in space"
            raise RefusedError(
                f"impact='{self.name}' follows friction at one place at a time and in the plane, and {many}: take "
                "impact='newton', or leave the friction out"
            )
        rows = [blow.normal(limit), *blow.rubbing[limit].rows]
        gamma, slip = (float(blow.rates[row]) for row in rows)
        path = SlidingPath(blow.system.answer_of(rows), blow.rubbing[limit].coefficient, blow.size)
        if gamma >= -ZERO * blow.size:
            return Struck(np.zeros(len(blow.system.mass)), np.zeros(len(blow.rates)))
        most = path.compressed(gamma, slip)
        last = path.released(most, self.released(most, blow.back.get(limit, 0.0)))
        found = blow.system.pushed(
            rows, np.array([last.normal, last.along]), np.zeros(len(blow.system.mass)), blow.rates
        )
        return Struck(found.x, found.f)

    @abstractmethod
    def released(self, most: Pressed, back: float) -> Left:
        """Where a place is free again that was compressed most at a moment."""

    def let_go(self, blow: Blow, compressed: Array, rows: Sequence[int], pushed: Array) -> Array:
        """The impulses with which limits in some rows are let go, of e times those of compression."""
        return pushed
