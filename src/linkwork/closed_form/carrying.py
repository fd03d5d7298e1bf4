"""Three freedoms that carry something: from the solutions of the outer two to the values of all three."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.closed_form.freedoms import FreedomValue, Gap, polish
from linkwork.closed_form.outer_pair import Outer, OuterPair, best_of, closeness, nearest_pair, solve_pair


@dataclass(frozen=True, eq=False)
class Carried:
    """The values of the three freedoms in one assembly, and its validity."""

    name: str
    values: list[FreedomValue]
    valid: ca.SX


@dataclass(frozen=True, eq=False)
class Carrying:
    """A closing condition of three freedoms.

    ``first`` and ``third`` are the outer freedoms as the two invariants of the middle one see them; ``middle`` gives the
    value of the middle freedom that belongs to theirs; ``gap`` is the whole condition.
    """

    first: Outer
    third: Outer
    middle: Callable[[FreedomValue, FreedomValue], FreedomValue]
    gap: Gap

    def all_assemblies(self) -> list[Carried]:
        """The four assemblies of a condition whose equation is a quartic."""
        return [self.complete(pair) for pair in solve_pair(self.first, self.third)]

    def nearest(self, guesses: Sequence[FreedomValue | None]) -> Carried:
        """The one of the four that is nearest to what is thought of the freedoms; one guess at least is needed."""
        first, _, third = guesses
        if first is not None and third is not None:
            return self.complete(nearest_pair(self.first, self.third, first, third))
        items = []
        for pair in solve_pair(self.first, self.third):
            values = self._values(pair)
            known = [closeness(v, guess) for v, guess in zip(values, guesses, strict=True) if guess is not None]
            items.append((values, pair.valid, sum(known, ca.SX(0))))
        return self._polished("nearest", *best_of(items))

    def complete(self, pair: OuterPair) -> Carried:
        """The assembly that a solution for the outer freedoms belongs to."""
        return self._polished(pair.name, self._values(pair), pair.valid)

    def _values(self, pair: OuterPair) -> list[FreedomValue]:
        return [pair.first, self.middle(pair.first, pair.third), pair.third]

    def _polished(self, name: str, values: Sequence[FreedomValue], valid: ca.SX) -> Carried:
        return Carried(name, *polish(values, valid, self.gap))
