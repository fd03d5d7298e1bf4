"""A task: a model over some time, what is observed of it, and where possible its equations by hand.

The equations by hand are written for any arithmetic, so that they serve as a reference in extended precision and as
what a person would give to a general program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.arrays import Array

POINTS = 101  # output times, evenly spaced
ACCURACY = 1e-6  # at which times are compared, where a task has no limit of its own


@dataclass(frozen=True)
class ByHand:
    """ẏ = rates(y, functions of that arithmetic) from *start*; *observe* makes the observed numbers of states (N, n)."""

    start: Sequence[float]
    rates: Callable[[Sequence[Any], Any], list[Any]]
    observe: Callable[[Array], Array]


@dataclass(frozen=True)
class Task:
    """A model over *end* seconds.

    observe: makes the observed numbers from the names of the positions and states (N, n); None: their energy, whose
    changes are the error. accuracy: at which times are compared, in *unit*; official: whether it is that of the source.
    """

    name: str
    title: str
    model: Callable[[], lw.Model]
    end: float
    observe: Callable[[Sequence[str], Array], Array] | None
    hand: ByHand | None = None
    unit: str = "rad"
    accuracy: float = ACCURACY
    official: bool = False

    @property
    def grid(self) -> Array:
        return np.linspace(0.0, self.end, POINTS)

    def reference(self) -> Array:
        """The observed numbers at the times of the grid as changes from the start, from ``references.csv``."""
        if self.observe is None:
            return np.zeros(POINTS)
        text = (files("linkwork.bench") / "references.csv").read_text(encoding="utf-8")
        rows = [line.split(",") for line in text.splitlines()]
        return np.array([float(value) for name, _, value in rows if name == self.name])

    def error(self, found: Array) -> float:
        """The largest error of what is observed; infinite where a run has not come to its end."""
        error = float(np.abs(found - found[0] - self.reference()).max())
        return error if np.isfinite(error) else np.inf


def angle(name: str, sign: float = 1.0) -> Callable[[Sequence[str], Array], Array]:
    """Change of a joint angle from the start."""
    return lambda names, y: sign * (y[:, list(names).index(name)] - y[0, list(names).index(name)])
