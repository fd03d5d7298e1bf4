"""How well the contacts of a step were solved."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.answer.grid import rounded
from linkwork.results.audit import short


@dataclass(frozen=True)
class SolvedContacts:
    """Of one step in real time.

    contacts: places and limits that took part; iterations: of all solvers; most: that a problem may have
    residual: what was left of the problem of contacts, beside the largest velocity in it; tolerance: what was asked for
    overlap: m, by which shapes or limits overlapped where the step began
    met: whether the tolerance was met within the iterations
    """

    contacts: int
    iterations: int
    most: int
    residual: float
    tolerance: float
    overlap: float
    met: bool

    def __str__(self) -> str:
        if not self.contacts:
            return "nothing touches"
        verdict = "met" if self.met else "NOT met"
        return (
            f"{self.contacts} touching, residual {short(self.residual)} after {self.iterations} iterations "
            f"({rounded(self.tolerance)} {verdict}), overlap {short(self.overlap)} m"
        )
