"""Steps at the pace of the clock on the wall, for demonstrations and people in the loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from linkwork.answer import Answer, Column
from linkwork.errors import RefusedError
from linkwork.results.outcome import Outcome

SPIN = 1e-3  # s before the end of a wait that are spent awake: a sleep may last too long


class Steppable(Protocol):
    """What can be stepped by hand."""

    size: float

    @property
    def time(self) -> float: ...

    def step(self, count: int = 1) -> Outcome: ...


@dataclass(frozen=True, repr=False)
class Pacing(Answer):
    """How a paced run went: *frames* of so many steps, how many of them ended after their time on the clock, and the largest
    delay in s; *outcome* says whether all of it was run."""

    frames: int
    late: int
    worst: float
    outcome: Outcome

    @property
    def title(self) -> str:
        return f"{self.frames} frames, {self.late} late, by at most {1e3 * self.worst:.3g} ms; {self.outcome}"

    def columns(self) -> list[Column]:
        """One row: what came of it."""
        numbers = (
            Column("frames", [self.frames], "1"),
            Column("late", [self.late], "1"),
            Column("worst", [self.worst], "s"),
        )
        return [Column("outcome", [str(self.outcome)]), *numbers]


def keep_pace(
    run: Steppable, duration: float, callback: Callable[[Any], object] | None, steps: int, speed: float
) -> Pacing:
    """Step for *duration* s of the model, *steps* at a time, *speed* times as fast as the clock.

    The callback is called after every frame; it may set parameters, and ends the run by returning False.
    """
    for name, number in (("duration", duration), ("steps", steps), ("speed", speed)):
        if not number > 0:
            raise RefusedError(f"{name} = {number}: must be positive")
    begin, first, outcome = time.perf_counter(), run.time, Outcome()
    frames = late = 0
    worst = 0.0
    while run.time < first + duration - 0.5 * run.size:
        outcome = run.step(min(steps, max(1, round((first + duration - run.time) / run.size))))
        frames += 1
        if not outcome.completed or (callback is not None and callback(run) is False):
            break
        delay = time.perf_counter() - (begin + (run.time - first) / speed)
        late, worst = late + (delay > 0.0), max(worst, delay)
        _wait(begin + (run.time - first) / speed)
    return Pacing(frames, late, worst, outcome)


def _wait(until: float) -> None:
    left = until - time.perf_counter()
    if left > SPIN:
        time.sleep(left - SPIN)
    while time.perf_counter() < until:
        pass
