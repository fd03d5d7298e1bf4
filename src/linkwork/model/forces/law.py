"""The keys that springs of both kinds share: a linear law, tables, or a formula; and the answer they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.expressions.polynomials import degree
from linkwork.elements.forces.law import (
    DEGREE,
    LawForce,
    elastic_curve,
    linear,
    one_sided,
    polynomial,
    resisting_curve,
    stretched,
)
from linkwork.errors import Fault
from linkwork.model.draft import Draft
from linkwork.model.forces.base import Scene
from linkwork.model.tables import Table, damper_faults, table_faults

Side = Literal["pull", "push"]
RATES = ("speed", "rate")  # what formulas may call the rate of the coordinate


@dataclass(frozen=True)
class Words:
    """How a kind of spring calls its quantities: the coordinate, the deflection from the free one, the force."""

    coordinate: str
    deflection: str
    force: str

    @property
    def meanings(self) -> dict[str, str]:
        """Names that a formula of the force may use, with what they mean."""
        what = f"the {self.coordinate} of the spring"
        rates = dict.fromkeys(RATES, f"the rate of {what}")
        return {self.coordinate: what, self.deflection: f"{what} less the free one", **rates}


@dataclass(frozen=True)
class Law:
    """The laws of one spring, as declared."""

    words: Words
    stiffness: Expression
    damping: Expression
    free: Expression | None  # None: as drawn
    table: Table | None
    damping_table: Table | None
    formula: Expression | None
    only: Side | None
    given: frozenset[str]  # keys that were written

    def own_faults(self) -> Iterator[Fault]:
        """Too little, or two laws for the same thing."""
        elastic = [key for key in ("stiffness", "table", self.words.force) if key in self.given]
        resisting = [key for key in ("damping", "damping_table") if key in self.given]
        if not elastic and not resisting:
            hint = f"write stiffness, damping, or both; or a table, or {self.words.force}: with a formula"
            yield Fault("stiffness", "neither stiffness nor damping is given", hint)
        for keys in (elastic, resisting):
            if len(keys) > 1:
                yield Fault(keys[1], f"conflicts with {keys[0]}", "give one of them")
        free = f"free_{self.words.coordinate}"
        if self.table is not None and free in self.given:
            yield Fault(free, f"a table is over the {self.words.coordinate} itself", "leave it out")
        if self.only is not None and (elastic != ["stiffness"] or "damping_table" in self.given):
            hint = "give the table rows with zero force, or the formula a max(0, ...)"
            yield Fault("only", "goes with stiffness and damping alone", hint)

    def faults(self, draft: Draft, path: str) -> Iterator[Fault]:
        """Numbers that cannot be, and tables that do not increase."""
        damping = draft.number(self.damping)
        if damping is not None and damping < 0.0:
            yield Fault(f"{path}.damping", f"is {damping:g}; it cannot be negative", _ACTIVE)
        yield from table_faults(draft, f"{path}.table", self.table)
        increasing = list(table_faults(draft, f"{path}.damping_table", self.damping_table))
        yield from increasing or damper_faults(draft, f"{path}.damping_table", self.damping_table)

    @property
    def as_drawn(self) -> bool:
        """Whether it is without force as drawn: it answers to a deflection, and nothing says from where."""
        if self.free is not None or self.table is not None:
            return False
        formula = set() if self.formula is None else self.formula.names()
        return "stiffness" in self.given or self.words.deflection in formula

    def answer(
        self,
        scene: Scene,
        x: ca.SX,
        rate: ca.SX,
        drawn: Callable[[], ca.SX],
        meant: Callable[[ca.SX], ca.SX] = lambda free: free,
    ) -> LawForce:
        """The force that grows with the coordinate x.

        drawn: what x is where the mechanism is drawn; meant: what is meant by a free one that is given
        """
        free = drawn() if self.as_drawn else ca.SX(0) if self.free is None else meant(scene.value(self.free))
        return replace(self._answer(scene, free, x, rate), deflection=x - free)

    def _answer(self, scene: Scene, free: ca.SX, x: ca.SX, rate: ca.SX) -> LawForce:
        stiffness, damping = scene.value(self.stiffness), scene.value(self.damping)
        if self.only is not None:
            return one_sided(stiffness, damping, x - free, rate, self.only)
        if self.as_drawn or free.is_zero():
            answer = stretched(stiffness, x, free) + linear(ca.SX(0), damping, x, rate)
        else:
            answer = linear(stiffness, damping, x - free, rate)
        if self.table is not None:
            answer += elastic_curve(self.table.curve(scene), x)
        if self.damping_table is not None:
            answer += resisting_curve(self.damping_table.curve(scene), rate)
        if self.formula is not None:
            answer += self._formula(scene, self.formula, free, x, rate)
        return answer

    def _formula(self, scene: Scene, formula: Expression, free: ca.SX, x: ca.SX, rate: ca.SX) -> LawForce:
        coordinate, deflection = self.words.coordinate, self.words.deflection

        def force(at: ca.SX) -> ca.SX:
            return scene.value(formula, {coordinate: at, deflection: at - free, **dict.fromkeys(RATES, rate)})

        found = degree(formula, (coordinate, deflection), scene.parameters)
        if found is None or found > DEGREE:
            return LawForce(force(x), supplies=True)
        return polynomial(force, free, x)


_ACTIVE = "for an element that brings in power use a formula of the speed"
