"""The accuracy that a run has reached, where one was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.answer import Answer, Column


@dataclass(frozen=True, repr=False)
class Accuracy(Answer):
    """The error of every coordinate over a whole run, by the difference of the last two runs, the finer of which is kept.

    wish, reached: relative to the scale of each coordinate, see ``docs/theory/audit.md``
    worst: the coordinate with the largest error; holds_until: s, up to where the wish holds
    tenfold: s, in which errors grow tenfold where the motion is chaotic; 0 where it is not
    runs: how many there were; finest: what the last one was made with, such as 'rtol 1e-12'
    """

    view = "checks.plot_accuracy"

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

    @property
    def title(self) -> str:
        about = f"{self.runs} runs, the last with {self.finest}"
        if self.satisfied:
            return f"{self.reached:.1g} reached, {self.wish:g} asked for (worst: {self.worst}; {about})"
        chaos = f"the motion is chaotic, its errors grow tenfold every {self.tenfold:.3g} s"
        return (
            f"{self.wish:g} holds up to t = {self.holds_until:.4g} s of {self.end:g} s: "
            f"{chaos if self.chaotic else 'not reached'}; {self.worst} is off by {self.reached:.1g} of its scale ({about})"
        )

    def columns(self) -> list[Column]:
        """One row: the coordinate with the largest error, and what holds of it."""
        units = {"wish": "1", "reached": "1", "holds_until": "s", "end": "s", "tenfold": "s", "runs": ""}
        numbers = (Column(name.replace("_", " "), [getattr(self, name)], unit) for name, unit in units.items())
        return [Column("worst", [self.worst]), *numbers, Column("finest", [self.finest])]
