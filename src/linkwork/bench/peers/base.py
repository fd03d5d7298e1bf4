"""What every solver offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from linkwork.arrays import Array

Timed = Callable[[], Any]


@dataclass(frozen=True)
class Contender:
    """A solver of one task with its range of settings, from coarse to fine.

    prepare(setting) does all that is done once (model, code, memory) and returns what is timed: a run from the start
    to the end. read(what the run gives) makes the observed numbers (N) at the times of the grid.
    setting: tolerance or step [s], as *unit* says. own: whether it is Linkwork's. program: what is compared, one or more
    solvers.
    """

    name: str
    settings: tuple[float, ...]
    prepare: Callable[[float], Timed]
    read: Callable[[Any], Array]
    unit: str = "tolerance"
    own: bool = False

    @property
    def program(self) -> str:
        """The program that it belongs to: the first part of its name."""
        return self.name.split(",")[0]
