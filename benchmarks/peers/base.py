"""What every solver offers to the work-precision diagrams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peers.equation import Array

Run = Callable[[], Array]


@dataclass(frozen=True)
class Contender:
    """A solver of one problem with its range of settings, from coarse to fine.

    prepare(setting) does all that is done once (model, code, memory) and returns what is timed: a run from the start
    to the end that gives the observed numbers at the times of the grid. setting: tolerance or step [s], as *unit* says.
    own: whether it is Linkwork's.
    """

    name: str
    settings: tuple[float, ...]
    prepare: Callable[[float], Run]
    unit: str = "tolerance"
    own: bool = False
