"""Of several ways to write one function, that with the fewest operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca


@dataclass(frozen=True, eq=False)
class FewestOperations:
    """A function, the way in which it was written, and the operations of all ways that were.

    what: it gives, in the plural; reason: why nothing else was written, where that is so
    """

    what: str
    function: ca.Function
    way: str
    counts: Mapping[str, int]
    reason: str = ""

    @property
    def remark(self) -> str:
        """Which way was chosen."""
        others = [f"{name} would take {count}" for name, count in self.counts.items() if name != self.way]
        if not others:
            return f"{self.what} by {self.way}, {self.reason}"
        return "; ".join([f"{self.what} by {self.way}, {self.counts[self.way]} operations", *others])


def fewest(what: str, written: Mapping[str, ca.Function], reason: str) -> FewestOperations:
    """The function with the fewest operations of those that were *written*, by their ways; none is repeated."""
    if len(written) > 1:
        written = {name: _shared(function) for name, function in written.items()}
    counts = {name: int(function.n_instructions()) for name, function in written.items()}
    best = min(counts, key=lambda name: counts[name])
    return FewestOperations(what, written[best], best, counts, reason)


def _shared(function: ca.Function) -> ca.Function:
    """The same without operations that were met before."""
    names = function.name_in(), function.name_out()
    known = function.sx_in()
    return ca.Function(function.name(), known, ca.cse(function.call(known, True, False)), *names)
