"""Steps at the pace of the clock on the wall, for demonstrations and people in the loop."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from math import nan
from typing import Any, Protocol

import numpy as np

from linkwork.errors import RefusedError
from linkwork.results.outcome import Outcome
from linkwork.results.pacing import Pacing

SPIN = 1e-3  # s before the end of a wait that are spent awake: a sleep may last too long


class Steppable(Protocol):
    """What can be stepped by hand."""

    size: float

    @property
    def time(self) -> float: ...

    def step(self, count: int = 1) -> Outcome: ...


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
    delays = array("d")
    while run.time < first + duration - 0.5 * run.size:
        outcome = run.step(min(steps, max(1, round((first + duration - run.time) / run.size))))
        goes_on = outcome.completed and (callback is None or callback(run) is not False)
        delay = time.perf_counter() - (begin + (run.time - first) / speed)
        delays.append(delay if outcome.completed else nan)
        if not goes_on:
            break
        _wait(begin + (run.time - first) / speed)
    return Pacing(np.array(delays), outcome)


def _wait(until: float) -> None:
    left = until - time.perf_counter()
    if left > SPIN:
        time.sleep(left - SPIN)
    while time.perf_counter() < until:
        pass
