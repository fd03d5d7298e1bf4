"""How much of its friction a mechanism needs to stay where it is, and where along a load or a coordinate it would stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite

import numpy as np

from linkwork.answer import Column, Grid
from linkwork.arrays import Array
from linkwork.results.equilibrium import HeldLimit
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer

RESTS = 1.0 + 1e-9  # usage that is all of the friction, but for rounding


@dataclass(frozen=True, eq=False, repr=False)
class FrictionAtRest(ResultAnswer):
    """Rest by friction: ``result`` has one sample with the friction that holds, reactions included.

    usage: the least part of their friction that all joints need at most; shares: of each joint, of that distribution
    along, values, usages: usage over a load or a coordinate, SI; ranges: where that is at most one, from and to
    holds: limits that push; unheld: what moves where no friction of this size holds it
    """

    name: str
    result: Result
    usage: float
    shares: Mapping[str, float]
    holds: tuple[HeldLimit, ...] = ()
    unheld: str = ""
    along: str = ""
    unit: str = ""
    values: Array = field(default_factory=lambda: np.zeros(0))
    usages: Array = field(default_factory=lambda: np.zeros(0))
    ranges: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def rests(self) -> bool:
        """Whether it stays where it is."""
        return self.usage <= RESTS

    @property
    def safety(self) -> float:
        """The factor by which all friction could be smaller; below one it moves."""
        return 1.0 / self.usage if self.usage > 0.0 else inf

    def __getitem__(self, name: str) -> float:
        return float(self.result[name][0])

    def __contains__(self, name: object) -> bool:
        return name in self.result

    def columns(self) -> Sequence[Column]:
        """Usage over what it was asked along, or the quantities of the one position."""
        if not self.along:
            return self.result.columns()
        return [Column(self.along, self.values, self.unit), Column("usage", self.usages, "")]

    @property
    def title(self) -> str:
        told = "stays by friction" if self.rests else "does not stay by friction"
        return f"{self.name} {told}"

    @property
    def brief(self) -> str:
        return f"{self.title}, usage {self.usage:.6g}"

    def report(self) -> list[str | Grid]:
        """Usage and safety, the shares of joints, limits that hold, ranges."""
        facts = [("usage", f"{self.usage:.6g} of the friction, {self._safety()}")]
        if self.unheld:
            facts.append(("unheld", self.unheld))
        shares = (f"{name} {share:.4g}" for name, share in self.shares.items())
        facts.append(("shares", ", ".join(shares) or "no joint has dry friction that sticks"))
        if self.holds:
            facts.append(("holds", ", ".join(map(str, self.holds))))
        if self.along:
            told = ", ".join(f"from {low:.9g} to {high:.9g}" for low, high in self.ranges) or "nowhere"
            span = f"of {self.values[0]:.6g} to {self.values[-1]:.6g} {self.unit}".rstrip()
            facts.append(("stays", f"{told} {self.unit}".rstrip() + f", {self.along}, {span}"))
        return [Grid([(label, text) for label, text in facts])]

    def _safety(self) -> str:
        if not isfinite(self.usage):
            return "no friction of these joints holds it"
        if not self.usage:
            return "it needs none"
        return f"which could be {self.safety:.6g} times smaller" if self.rests else f"{self.usage:.6g} times too little"
