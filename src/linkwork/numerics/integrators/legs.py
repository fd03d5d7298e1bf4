"""A run in legs: where something happens that no method can step across, one leg ends and another begins.

A leg is an integration of its own from the state that the last one has left, perhaps changed, perhaps by another method.
No leg uses what happened before it, so that each has the order of its method. The legs come back as one solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators.base import Array, Method
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import Leg, RunStatus, Solution, State

FEW = 50  # steps over which errors hardly grow, however sensitive a motion is


@dataclass(frozen=True, eq=False)
class NextLeg:
    """How a run goes on: by a method, from a state; why: what has changed there."""

    method: Method
    state: State
    why: str = ""


def integrate_in_legs(
    first: NextLeg,
    flow: Flow,
    grid: ArrayLike,
    turn: Callable[[Solution], NextLeg | None],
    *,
    max_steps: int = 10**7,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> Solution:
    """Integrate from *first* at grid[0] over the grid; *turn* looks at every leg and says how to go on, or that it ends.

    Options are those of `integrate`.
    """
    times = np.array(grid, dtype=np.float64).ravel()
    legs: list[Solution] = []
    following: NextLeg | None = first
    while following is not None:
        begin = legs[-1].t_reached if legs else float(times[0])
        left = np.concatenate([[begin], times[times > begin]])
        used = sum(leg.statistics.steps + leg.statistics.rejected for leg in legs)
        leg = integrate(
            following.method,
            flow,
            following.state.y,
            left,
            max_steps=max_steps - used,
            progress=_part(progress, begin, times),
            **options,
        )
        legs.append(_told(leg, following))
        ended = leg.status in (RunStatus.INTERRUPTED, RunStatus.COMPLETED) or leg.t_reached >= times[-1]
        try:
            following = None if ended else turn(legs[-1])
        except KeyboardInterrupt:
            following, legs[-1] = None, replace(legs[-1], status=RunStatus.INTERRUPTED, interrupted=True)
    return legs[0] if len(legs) == 1 else join(legs)


def _told(leg: Solution, turn: NextLeg) -> Solution:
    """A leg whose parts know their mode, and why and where they began."""
    begun = np.array(turn.state.y)
    parts = (replace(part, mode=turn.state.mode, why=turn.why, begun=begun) for part in leg.parts)
    return replace(leg, parts=tuple(parts))


def _part(progress: Callable[[float], object] | None, begin: float, times: Array) -> Callable[[float], object] | None:
    if progress is None or times[-1] == times[0]:
        return progress
    done = (begin - times[0]) / (times[-1] - times[0])
    return lambda fraction: progress(float(done + (1.0 - done) * fraction))


def join(legs: Sequence[Solution]) -> Solution:
    """One solution of several that follow each other: states on the grid, and the last state of all."""
    t, y = [], []
    for number, leg in enumerate(legs):
        # between two legs stands no output of its own
        first = 0 if number == 0 else 1
        last = len(leg.t) - int(leg.beyond and leg is not legs[-1])
        t.append(leg.t[first:last])
        y.append(leg.y[first:last])
    return replace(
        legs[-1],
        t=np.concatenate(t),
        y=np.concatenate(y),
        step_times=np.concatenate([legs[0].step_times, *(leg.step_times[1:] for leg in legs[1:])]),
        events=tuple(event for leg in legs for event in leg.events),
        statistics=sum((leg.statistics for leg in legs[1:]), legs[0].statistics),
        parts=tuple(part for leg in legs for part in leg.parts),
    )


def stretches(solution: Solution) -> Iterator[tuple[Leg, float, float, Array]]:
    """Parts of all legs, of FEW steps or somewhat more: the leg, from when to when, and the state with which it begins."""
    for leg in solution.parts:
        assert leg.begun is not None
        inside = np.flatnonzero((solution.t > leg.start) & (solution.t < leg.end))
        passed = np.searchsorted(solution.step_times, solution.t[inside]) // FEW
        rows = inside[np.flatnonzero(np.diff(passed, prepend=passed[:1]))]
        edges = [leg.start, *solution.t[rows].tolist(), leg.end]
        for (start, end), y in zip(pairwise(edges), [leg.begun, *solution.y[rows]], strict=True):
            if end > start:
                yield leg, start, end, y


def before(solution: Solution, time: float) -> Solution:
    """A solution without the rows from a time on, or a rounding error before it; the first one stays."""
    count = max(int(np.searchsorted(solution.t, time - 1e-12 * max(1.0, abs(time)))), 1)
    return replace(solution, t=solution.t[:count], y=solution.y[:count], beyond=False)
