"""What every solver of the four-bar offers to the work-precision benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peers.equation import Array

Run = Callable[[], Array]


@dataclass(frozen=True)
class Contender:
    """A solver with its range of settings, from coarse to fine.

    prepare(setting) does all that is done once (model, code, memory) and returns what is timed: a run from the start
    to 10 s that gives the crank angles at GRID (101), rad. setting: tolerance or step [s], as *unit* says.
    """

    name: str
    settings: tuple[float, ...]
    prepare: Callable[[float], Run]
    unit: str = "tolerance"
