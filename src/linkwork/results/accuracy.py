"""The accuracy that a run has reached, where one was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Accuracy:
    """The error of every coordinate over a whole run, by the difference of the last two runs, the finer of which is kept.

    wish, reached: relative to the scale of each coordinate, see ``docs/theory/audit.md``
    worst: the coordinate with the largest error; holds_until: s, up to where the wish holds
    tenfold: s, in which errors grow tenfold where the motion is chaotic; 0 where it is not
    runs: how many there were; finest: what the last one was made with, such as 'rtol 1e-12'
    """

    wish: float
    reached: float
    worst: str
    holds_until: float
    end: float
    tenfold: float = 0.0
    runs: int = 2
    finest: str = ""

    @property
    def satisfied(self) -> bool:
        """Whether the wish holds to the end."""
        return self.reached <= self.wish

    @property
    def chaotic(self) -> bool:
        """Whether errors grow so fast that no tolerance could help."""
        return self.tenfold > 0.0

    def __str__(self) -> str:
        about = f"{self.runs} runs, the last with {self.finest}"
        if self.satisfied:
            return f"{self.reached:.1g} reached, {self.wish:g} asked for (worst: {self.worst}; {about})"
        why = (
            f"the motion is chaotic, its errors grow tenfold every {self.tenfold:.3g} s"
            if self.chaotic
            else "not reached"
        )
        return (
            f"{self.wish:g} holds up to t = {self.holds_until:.4g} s of {self.end:g} s: {why}; {self.worst} is off by "
            f"{self.reached:.1g} of its scale ({about})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for files."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Accuracy:
        """As a file has it."""
        return cls(**data)
