"""Events that are asked for whose values leap across zero where something changes: no step has their zero.

A speed that an impact turns round is one. A zero just at a change, beside it by a rounding error, is told here too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.flows.flow import Events
from linkwork.numerics.integrators.solution import LocatedEvent, Solution, State


@dataclass(frozen=True, eq=False)
class Leaps:
    """watched: all events of a run, of which the first *count* are asked for; found: those of one run.

    p of *watched* are the parameters in force
    """

    watched: Events | None
    count: int
    found: list[LocatedEvent] = field(default_factory=list)

    @property
    def end(self) -> bool:
        """Whether the last of them has ended the run."""
        return (
            bool(self.found)
            and self.watched is not None
            and bool(np.asarray(self.watched.terminal)[self.found[-1].index])
        )

    def values(self, t: float, y: Array) -> Array:
        """The values (count) of events that are asked for, with what is in force now."""
        if self.watched is None or not self.count:
            return np.zeros(0)
        found = np.zeros(self.watched.count)
        self.watched.evaluate(t, y, np.asarray(self.watched.p, dtype=np.float64), found)
        return found[: self.count]

    def look(self, leg: Solution, before: Array, behind: State) -> bool:
        """Keep the events between the values before and those of the state behind a change; whether one ends the run."""
        if not before.size or self.watched is None:
            return False
        t, now = behind.t, self.values(behind.t, behind.y)
        told = {event.index for event in leg.events if event.t >= t - 4 * np.spacing(abs(t))}
        ways, ends = np.asarray(self.watched.directions), np.asarray(self.watched.terminal)
        across = [
            i
            for i in range(self.count)
            if i not in told and before[i] * now[i] < 0.0 and ways[i] * (now[i] - before[i]) >= 0.0
        ]
        self.found.extend(LocatedEvent(i, t, np.array(behind.y)) for i in across)
        return any(ends[i] for i in across)
