"""How a run ended, and what happened on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from linkwork.errors import ResultError

LONGEST = 100  # letters of an outcome where it is shown among other things


class Status(Enum):
    """How a run ended; the value is the message."""

    COMPLETED = "completed"
    STOPPED_BY_EVENT = "stopped by an event"
    STOPPED_EARLY = "stopped"
    INTERRUPTED = "interrupted"

    @property
    def message(self) -> str:
        """The status in words."""
        return self.value


@dataclass(frozen=True, repr=False)
class Outcome:
    """Status with its reason, the time reached in s, and the element of the model it is about.

    limit: where a driver has run into the limit of its joint, the value of the joint there, rad or m.
    place: where it ended in words, of what is not over time
    """

    status: Status = Status.COMPLETED
    reason: str = ""
    time: float = 0.0
    element: str = ""
    limit: float | None = None
    place: str = ""

    @property
    def completed(self) -> bool:
        """Whether the run reached the end that was asked for."""
        return self.status is Status.COMPLETED

    @property
    def short(self) -> str:
        """How it ended, without the reason."""
        place = self.place or f"t = {self.time:.6g} s"
        return self.status.message if self.completed else f"{self.status.message} at {place}"

    def __str__(self) -> str:
        if self.completed:
            return self.short
        named = f" ({self.element})" if self.element and self.element not in self.reason else ""
        return self.short + (f": {self.reason}{named}" if self.reason else named)

    def __repr__(self) -> str:
        text = " ".join(str(self).split())
        return f"<Outcome: {text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}>"


def refuse_without_samples(name: str, samples: int, outcome: Outcome) -> None:
    """Say why a run has no samples where some are asked for."""
    if not samples:
        raise ResultError(f"result '{name}' has no samples: it has {outcome}")


@dataclass(frozen=True, repr=False)
class EventRecord:
    """One event: its name, its time in s, named values at that time with their units, and whether it ended the run.

    reactions: where velocities jump, the impulses with which joints, relations and couplings answer, by name as forces and
    moments are: ``O.fx`` in N*s, ``O.mz`` in N*m*s; those that are not unique are left out
    """

    name: str
    time: float
    values: Mapping[str, float] = field(default_factory=dict)
    terminal: bool = False
    units: Mapping[str, str] = field(default_factory=dict)
    reactions: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        values = self.values_told
        return f"{self.name} at t = {self.time:.9g} s" + (f" ({values})" if values else "")

    @property
    def values_told(self) -> str:
        """Its values with their names and units."""
        return ", ".join(f"{name} = {self.told(name)}" for name in self.values)

    def told(self, name: str) -> str:
        """A value with its unit."""
        return f"{self.values[name]:.6g} {self.units.get(name, '')}".rstrip()

    def __repr__(self) -> str:
        return f"<Event: {self}>"
