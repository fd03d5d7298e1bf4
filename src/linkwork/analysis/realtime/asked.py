"""What is asked of steps in real time, and what all ways of stepping answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from linkwork.analysis.prepared.prepare import Start
from linkwork.analysis.realtime.by_hand import Hand
from linkwork.analysis.realtime.live_outputs import LiveOutputs
from linkwork.analysis.realtime.method import Chosen
from linkwork.arrays import Array
from linkwork.numerics.integrators.base import Method
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.numerics.watching import Watched
from linkwork.results.audit import Audit
from linkwork.results.outcome import EventRecord, Outcome
from linkwork.results.solved import SolvedContacts


@dataclass(frozen=True, eq=False)
class LiveQuestion:
    """step: s; outputs: quantities that are evaluated at each; ring: how many samples are kept, one of so many steps;
    iterations: of an implicit step, or the most of a problem of contacts; None: the usual number
    """

    step: float
    integrator: str | Method | MoreauJean | None
    outputs: Sequence[str]
    ring: tuple[int, int]
    clock: str
    iterations: int | None


class LiveWay(Protocol):
    """A mechanism in steps of one size, which go on from any state."""

    watched: Watched
    outputs: LiveOutputs
    hand: Hand
    chosen: Chosen

    @property
    def time(self) -> float:
        """s, at the end of the last step."""
        ...

    @property
    def y(self) -> Array:
        """The state at the end of the last step."""
        ...

    @property
    def counted(self) -> dict[str, float | int]:
        """What the steps so far were made of."""
        ...

    @property
    def solved(self) -> SolvedContacts | None:
        """How well the contacts of the last step were solved; None: these steps know of none."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the steps."""
        ...

    def begin(self, start: Start) -> Outcome:
        """Go on from a state and its parameters; whether that is possible."""
        ...

    def go_on(self, shaping: bool) -> bool:
        """Take over parameters that have changed, *shaping* the loops or not, in the same state; whether that was enough."""
        ...

    def take(self, count: int) -> Outcome:
        """Take so many steps, and say how it went."""
        ...

    def keep(self) -> None:
        """Put what is seen now among the samples."""
        ...

    def clear(self) -> None:
        """Forget what was seen and counted so far."""
        ...

    def told(self) -> str:
        """What steps, how, and why."""
        ...

    def settings(self) -> dict[str, str]:
        """The same for a result."""
        ...

    def events(self, since: float) -> list[EventRecord]:
        """What has happened since a time."""
        ...

    def audit(self, start: Start, same: bool) -> Audit:
        """What the steps so far say about themselves; same: no parameter was set since the start."""
        ...
