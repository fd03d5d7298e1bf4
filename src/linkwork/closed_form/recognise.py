"""Which row of the table of chains a loop is, and its closed form."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.closed_form import normal_first, plane_first, point_first, rotations_first
from linkwork.closed_form.base import ChainBranch, ChainElement, Guess
from linkwork.errors import RefusedError

FAMILIES: dict[str, Callable[[Sequence[ChainElement], Frame], list[ChainBranch]]] = {
    "rotations first": rotations_first.solve,
    "point first": point_first.solve,
    "normal first": normal_first.solve,
    "plane first": plane_first.solve,
}
ON_ONE_SIDE: dict[str, Callable[[Sequence[ChainElement], Frame, ca.SX | int], ChainBranch]] = {
    "rotations first": rotations_first.solve_on,
    "point first": point_first.solve_on,
    "normal first": normal_first.solve_on,
}
FOLLOWING: dict[str, Callable[[Sequence[ChainElement], Frame, Sequence[Guess]], ChainBranch]] = {
    "point first": point_first.follow,
    "plane first": plane_first.follow,
}


@dataclass(frozen=True)
class ChainRow:
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
def all_rows() -> tuple[ChainRow, ...]:
    """The rows of the table, in its order."""
    path = Path(__file__).parent / "chains.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            ChainRow(r["row"], r["family"], r["equation"], int(r["degree"]), int(r["branches"]), r["source"])
            for r in csv.DictReader(file)
        )


def find_row(kinds: Iterable[str]) -> ChainRow | None:
    """The row with these joint letters, in any order; None when there is no closed form for them."""
    wanted = Counter(kinds)
    return next((row for row in all_rows() if Counter(row.kinds) == wanted), None)


def solve(chain: Sequence[ChainElement], displacement: Frame) -> list[ChainBranch]:
    """All assemblies of *chain* with T₁ T₂ … Tₙ = *displacement*."""
    return FAMILIES[_row_of(chain).family](chain, displacement)


def solve_on(chain: Sequence[ChainElement], displacement: Frame, side: ca.SX | int) -> ChainBranch:
    """One assembly of a chain whose row has two branches: *side* +1 is the first, −1 the second."""
    row = _row_of(chain)
    _check_branches(row, 2)
    return ON_ONE_SIDE[row.family](chain, displacement, side)


def follow(chain: Sequence[ChainElement], displacement: Frame, guesses: Sequence[Guess]) -> ChainBranch:
    """Of the assemblies of a chain whose row has four branches, the one nearest to the *guesses*, one per element.

    One freedom at least must have a guess. All four are compared as solutions of the equation in one unknown, real ones
    first; only the nearest is computed further.
    """
    row = _row_of(chain)
    _check_branches(row, 4)
    if all(guess.turn is None and guess.slide is None for guess in guesses):
        raise RefusedError(f"no element of the loop {row.row} has a guess, so that no branch is the nearest; give one")
    return FOLLOWING[row.family](chain, displacement, guesses)


def _row_of(chain: Sequence[ChainElement]) -> ChainRow:
    kinds = "".join(element.kind for element in chain)
    row = find_row(kinds)
    if row is None:
        known = ", ".join(r.row for r in all_rows())
        raise RefusedError(f"the loop {kinds} has no closed form; those that have: {known}. Solve it by iteration")
    return row


def _check_branches(row: ChainRow, wanted: int) -> None:
    if row.branches != wanted:
        raise RefusedError(f"the loop {row.row} has {row.branches} branches, not {wanted}; solve it for all of them")
