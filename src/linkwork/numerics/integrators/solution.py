"""What an integration returns: the states on the grid, and a status that says what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from enum import Enum

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.kernels.stepping import status as codes


class RunStatus(Enum):
    """How a run ended; the value is the message."""

    COMPLETED = "The integration reached the end of its interval."
    EVENT = "A terminal event ended the integration."
    STEP_TOO_SMALL = (
        "The step size became too small: the equations cannot be continued, or are too stiff for an explicit method."
    )
    NOT_FINITE = "The equations gave infinite or undefined values, however small the step."
    FLOW_FAILED = (
        "The equations could not be evaluated within a step of fixed size; a smaller or adaptive step may help."
    )
    TOO_MANY_STEPS = "The largest number of steps was reached; allow more steps or loosen the tolerances."
    HANDED_OVER = "Another method takes over from here."
    INTERRUPTED = "The integration was interrupted."

    @property
    def ok(self) -> bool:
        """Whether the run ended where it was meant to end."""
        return self in (RunStatus.COMPLETED, RunStatus.EVENT)


BY_CODE = {getattr(codes, "RUNNING" if s is RunStatus.INTERRUPTED else s.name): s for s in RunStatus}


@dataclass(frozen=True, eq=False)
class LocatedEvent:
    """A zero of an event function: its index, the time (just after the zero) and the state (n)."""

    index: int
    t: float
    y: Array


def located(records: Sequence[Array]) -> tuple[LocatedEvent, ...]:
    """Events from their records, rows of index, t and y."""
    return tuple(LocatedEvent(int(row[0]), float(row[1]), row[2:]) for row in np.concatenate(records))


@dataclass(frozen=True)
class Statistics:
    """What a run cost.

    iterations, jacobians, factorisations: of Newton's method in implicit stages; wall_time: s
    """

    steps: int
    rejected: int
    evaluations: int
    wall_time: float
    iterations: int = 0
    jacobians: int = 0
    factorisations: int = 0

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Mode:
    """Which equations hold from one turn of a run to the next.

    held: groups of conditions that hold of those that come and go, by their numbers; branches: those of formulas that jump
    slides: directions of those that let go into one, 1 or −1, and less of those that stay where they are
    sides: of the zeros that switches wait for, 1 or −1; seats: where what they have closed holds
    """

    held: tuple[int, ...] = ()
    branches: tuple[float, ...] = ()
    slides: tuple[float, ...] = ()
    sides: tuple[float, ...] = ()
    seats: tuple[float, ...] = ()


WITHOUT = Mode()  # of a run in which nothing comes and goes


@dataclass(frozen=True, eq=False)
class State:
    """Where a run is: y (n) at a time, and its mode."""

    t: float
    y: Array
    mode: Mode = WITHOUT


@dataclass(frozen=True)
class Leg:
    """One leg of a run: the method, from when to when (s), what it cost, its mode, why it began, and the state (n) there."""

    method: str
    start: float
    end: float
    statistics: Statistics
    mode: Mode = WITHOUT
    why: str = ""
    begun: Array | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Solution:
    """States on the grid as far as the run went; after a terminal event the last row is the event itself.

    t (N), y (N, n): output
    step_times: times between the accepted steps, the start included; of a million and more, every second, fourth, ...
    failure: last failure code of the flow when it ended the run, else 0
    t_reached, y_reached (n): end of the last accepted step
    events: in time order
    last_step, last_error: size that the next step would have, and weighted error of the last one attempted
    beyond: whether the last row is no point of the grid, but a terminal event
    parts: the legs, in time order
    interrupted: whether Ctrl-C has come, perhaps when the end was reached already
    """

    t: Array
    y: Array
    step_times: Array
    status: RunStatus
    failure: int
    t_reached: float
    y_reached: Array
    events: tuple[LocatedEvent, ...]
    statistics: Statistics
    last_step: float = 0.0
    last_error: float = 0.0
    beyond: bool = False
    parts: tuple[Leg, ...] = ()
    interrupted: bool = False

    def __repr__(self) -> str:
        cost = f"{self.statistics.steps} steps, {self.statistics.evaluations} evaluations"
        return f"Solution({self.status.name} at t = {self.t_reached:.9g}, {len(self.t)} points, {cost})"
