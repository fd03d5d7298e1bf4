"""One contact of the plane that is hit and rubs: speeds along the growing impulse, exactly.

With the normal impulse p and the speeds γ along the normal and s along the surface, and with A of both rows,

    dγ/dp = a_nn + a_nt f,   ds/dp = a_tn + a_tt f,   f = −μ sgn s;   s = 0: f = −a_tn/a_tt where that is at most μ,

so that γ and s are straight lines between the ends of slip. The contact is compressed up to γ = 0, at p_c and after the work
W_c = ∫ γ dp < 0, and let go up to an impulse or a work that the law says. Source: J. B. Keller, "Impact with friction",
Journal of Applied Mechanics 53 (1986); W. J. Stronge, "Impact Mechanics" (2000), chapter 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from linkwork.analysis.motion.complementarity import ZERO
from linkwork.arrays import Array

MOST = 16  # lines: slip ends at most twice, and compression once


@dataclass(frozen=True)
class Pressed:
    """A moment of a blow: impulses along and across the normal, speeds γ and s, and the work of the normal."""

    normal: float
    along: float
    gamma: float
    slip: float
    work: float


Left = Callable[["Pressed", float], float]
"""How far p may still grow from a moment of which γ grows with a slope."""


def by_impulse(last: float) -> Left:
    """Up to an impulse."""
    return lambda now, slope: last - now.normal


def by_work(last: float) -> Left:
    """Up to a work of the normal: W + γ Δ + slope Δ²/2 = last."""

    def left(now: Pressed, slope: float) -> float:
        missing = last - now.work
        if missing <= 0.0:  # as where nothing comes back
            return 0.0
        root = math.sqrt(max(now.gamma**2 + 2.0 * slope * missing, 0.0))
        # of both forms the one without differences of what is alike
        return 2.0 * missing / (now.gamma + root) if now.gamma + root > 0.0 else math.inf

    return left


@dataclass(frozen=True, eq=False)
class SlidingPath:
    """A (2 × 2) of the normal and the slip, μ, and the size of speeds, of which ``ZERO`` is none."""

    answer: Array
    mu: float
    size: float

    def compressed(self, gamma: float, slip: float) -> Pressed:
        """Where the contact is compressed most."""
        start = Pressed(0.0, 0.0, gamma, slip, 0.0)
        return self._advance(start, lambda now, slope: -now.gamma / slope if slope > 0.0 else math.inf)

    def released(self, now: Pressed, left: Left) -> Pressed:
        """Where it has been let go."""
        return self._advance(replace(now, gamma=0.0), left)

    def _advance(self, now: Pressed, left: Left) -> Pressed:
        (nn, nt), (tn, tt) = self.answer
        for _ in range(MOST):
            friction = self._friction(now.slip)
            slope, sliding = nn + nt * friction, tn + tt * friction
            whole = max(left(now, slope), 0.0)
            stops = -now.slip / sliding if now.slip * sliding < 0.0 else math.inf
            ends = stops < whole
            step = stops if ends else whole
            work = now.work + now.gamma * step + 0.5 * slope * step**2
            slip = 0.0 if ends else now.slip + sliding * step
            now = Pressed(now.normal + step, now.along + friction * step, now.gamma + slope * step, slip, work)
            if not ends:
                break
        return now

    def _friction(self, slip: float) -> float:
        """f: against the slip; where there is none, what keeps it none, or else against that which begins."""
        tn, tt = float(self.answer[1][0]), float(self.answer[1][1])
        if abs(slip) > ZERO * self.size:
            return -math.copysign(self.mu, slip)
        return -tn / tt if abs(tn) <= self.mu * tt else -math.copysign(self.mu, tn)
