"""How a run at the pace of the clock went, as a user reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.arrays import Array
from linkwork.results.outcome import Outcome


@dataclass(frozen=True, eq=False, repr=False)
class Pacing(Answer):
    """How a paced run went, frame by frame.

    delays (N): of their ends behind the clock, s; negative where one had to wait, not a number where its steps failed
    outcome: whether all of it was run
    """

    view = "checks.plot_pacing"

    delays: Array
    outcome: Outcome

    @property
    def frames(self) -> int:
        """How many there were, each of so many steps."""
        return len(self.delays)

    @property
    def late(self) -> int:
        """How many of them ended after their time on the clock."""
        return int(np.sum(self.delays > 0.0))

    @property
    def worst(self) -> float:
        """The largest delay, s; zero where none was late."""
        return float(np.max(self.delays, where=self.delays > 0.0, initial=0.0))

    @property
    def title(self) -> str:
        return f"{self.frames} frames, {self.late} late, by at most {1e3 * self.worst:.3g} ms; {self.outcome}"

    def columns(self) -> list[Column]:
        """A row for every frame."""
        return [Column("frame", np.arange(1, self.frames + 1)), Column("delay", self.delays, "s")]
