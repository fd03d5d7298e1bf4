"""Which row of the table of chains a loop is, and its closed form."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from linkwork.algebra.frames import Frame
from linkwork.closed_form import normal_first, plane_first, point_first, rotations_first
from linkwork.closed_form.base import Branch, Element
from linkwork.errors import RefusedError

FAMILIES: dict[str, Callable[[Sequence[Element], Frame], list[Branch]]] = {
    "rotations first": rotations_first.solve,
    "point first": point_first.solve,
    "normal first": normal_first.solve,
    "plane first": plane_first.solve,
}


@dataclass(frozen=True)
class Row:
    """One row of ``chains.csv``: a multiset of joint letters with the equation that solves it."""

    row: str
    family: str
    equation: str
    degree: int
    branches: int
    source: str

    @property
    def kinds(self) -> str:
        """The letters written out: 2R1P1G gives 'RRPG'."""
        return "".join(letter * int(count) for count, letter in zip(self.row[::2], self.row[1::2], strict=True))


@cache
def all_rows() -> tuple[Row, ...]:
    """The rows of the table, in its order."""
    path = Path(__file__).parent / "chains.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(r["row"], r["family"], r["equation"], int(r["degree"]), int(r["branches"]), r["source"])
            for r in csv.DictReader(file)
        )


def find_row(kinds: Iterable[str]) -> Row | None:
    """The row with these joint letters, in any order; None when there is no closed form for them."""
    wanted = Counter(kinds)
    return next((row for row in all_rows() if Counter(row.kinds) == wanted), None)


def solve(chain: Sequence[Element], displacement: Frame) -> list[Branch]:
    """All assemblies of *chain* with T₁ T₂ … Tₙ = *displacement*."""
    kinds = "".join(element.kind for element in chain)
    row = find_row(kinds)
    if row is None:
        known = ", ".join(r.row for r in all_rows())
        raise RefusedError(f"the loop {kinds} has no closed form; those that have: {known}. Solve it by iteration")
    return FAMILIES[row.family](chain, displacement)
