"""Jumps of limits: when each began, which are too low to be seen, and when those that were left out would have ended.

Every jump takes e times as long as the one before. A parabola that ends with the speed u after the time Δt is u Δt / 4 high,
one that begins with u against the acceleration a is u² / 2a high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linkwork.arrays import Array

HOP = 1e-12  # height of a jump, of the size of the mechanism, that is none
COMING = 0.2  # of it: the height of a jump that is not begun; rounding errors of rooms are a tenth of that


@dataclass(eq=False)
class Jumps:
    """Of the limits of one run, by their numbers. length: the size of the mechanism, m

    hit: when those that were hit last sent back what hit them; begun: when they were sent back or let go last; rests: when
    those would have come to rest that have stayed at this instant; thrown: those that an impact has just thrown off, by so
    much that it can be seen: a block that rocks comes to rest as a ball that bounces does
    """

    length: float
    hit: dict[int, float] = field(default_factory=dict)
    begun: dict[int, float] = field(default_factory=dict)
    rests: dict[int, float] = field(default_factory=dict)
    thrown: Sequence[int] = ()

    def sent_back(self, t: float, hit: Mapping[int, tuple[float, float]], back: Array) -> dict[int, float]:
        """The part of its speed that comes back of each of them that is hit, where its jumps can be seen.

        hit: speed and acceleration of those without room; back: e of all
        """
        self.rests.clear()
        found = dict[int, float]()
        for i, (rate, acceleration) in hit.items():
            part = float(back[i])
            if not (rate < 0.0 < part):
                continue
            last = t - self.begun.get(i, -float("inf"))
            pull, low = max(-acceleration, 0.0), HOP * self.length
            if part < 1.0 and -rate * last / 4 < low:
                self.rests[i] = t + last * part / (1.0 - part)
            elif part < 1.0 and (part * rate) ** 2 < 2.0 * COMING * low * pull:
                self.rests[i] = t - 2.0 * rate / pull * part / (1.0 - part)
            else:
                found[i] = part
        return found

    def unseen(self, rates: Mapping[int, float], accelerations: Mapping[int, float]) -> list[int]:
        """Of those that others throw off, those of which nobody can see the jump."""
        low = 2.0 * HOP * self.length
        return [i for i, a in accelerations.items() if a < 0.0 and rates[i] ** 2 < -low * a]

    def begin(self, t: float, hit: Mapping[int, float]) -> bool:
        """Whether some jump from this instant on; hit: those that had been before it."""
        return bool(self.thrown) or any(when == t and hit.get(i) != t for i, when in self.hit.items())

    def sent(self, t: float, limits: Sequence[int]) -> None:
        """These have sent back what hit them."""
        self.hit |= dict.fromkeys(limits, t)
        self.left(t, limits)

    def left(self, t: float, limits: Sequence[int]) -> None:
        """These are free from now on."""
        self.begun |= dict.fromkeys(limits, t)
