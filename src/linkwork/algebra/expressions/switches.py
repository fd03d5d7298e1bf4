"""Formulas that jump or bend: their branch can be held while a step is taken.

``if``, ``step``, ``sign``, ``floor``, ``ceil`` and ``mod`` of the time or of the state jump, ``abs``, ``min`` and ``max``
bend, and tables do both. An integrator that steps across such a place loses its order there. So each of them gets a
*selector*, a parameter of the compiled functions. FREE, it leaves the formula as it is written. Otherwise it says which
branch holds, also a little beyond the place where the formula changes; a *guard* is positive as long as that is the right
one. The integrator locates the zero of the guard on a smooth solution, selects the next branch, and starts anew from there
(E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", section II.6).

Bends are held in functions of time alone: there they may be jumps of a prescribed speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import Any

import casadi as ca

from linkwork.algebra.expressions.evaluation import knots_passed, modulus, sx_functions, table_of_expressions
from linkwork.algebra.expressions.tabulated import TABLES, Tabulated

FREE = 1e300
SLACK = 4.0  # times what counts as alike


@dataclass(frozen=True, eq=False)
class Guard:
    """An expression that is positive while the branch holds, and the selector behind its zero."""

    value: ca.SX
    next: ca.SX


@dataclass(frozen=True, eq=False)
class LargestOf:
    """That the selector is the number of the largest of some measures (n), from 0, or of one as large but for *alike*.

    Of those that are alike the one holds that grows fastest, of those that grow alike that with the largest of *second* (n).
    """

    measures: ca.SX
    second: ca.SX
    alike: float


@dataclass(frozen=True, eq=False)
class Switch:
    """One place where a formula changes.

    selector: symbol of the parameter; value: the selector of the branch that holds, from the state
    timed: whether it is a function of time and parameters alone
    largest: of what the selector is found anew wherever anything changes
    """

    formula: str
    selector: ca.SX
    value: ca.SX
    guards: tuple[Guard, ...]
    timed: bool
    largest: LargestOf | None = None


class Switches:
    """Collects the switches of the formulas that are evaluated with its *functions*.

    t: the time; states: what else changes in a run. Formulas of parameters alone have no switches.
    """

    def __init__(self, t: ca.SX, states: ca.SX) -> None:
        self._t, self._states = t, states
        self.found: list[Switch] = []
        self.formula = ""

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions of the grammar, with branches that can be held."""
        return {
            **sx_functions(),
            "<": lambda a, b: self._holds(a < b, b - a),
            "<=": lambda a, b: self._holds(a <= b, b - a),
            ">": lambda a, b: self._holds(a > b, a - b),
            ">=": lambda a, b: self._holds(a >= b, a - b),
            "step": lambda x: self._holds(x >= 0, x),
            "sign": lambda x: self._sign(ca.SX(x)),
            "floor": lambda x: self._floor(ca.SX(x)),
            "ceil": lambda x: -self._floor(-ca.SX(x)),
            "mod": lambda a, b: modulus(a, b, self._floor),
            "abs": lambda x: self._bend(ca.SX(x), -ca.SX(x), ca.fmax),
            "min": lambda *arguments: reduce(lambda a, b: self._bend(ca.SX(a), ca.SX(b), ca.fmin), arguments),
            "max": lambda *arguments: reduce(lambda a, b: self._bend(ca.SX(a), ca.SX(b), ca.fmax), arguments),
            **{kind: partial(table_of_expressions, kind, passed=self._passed) for kind in TABLES.values()},
        }

    def largest_of(self, measures: Sequence[ca.SX], second: Sequence[ca.SX], alike: float) -> ca.SX:
        """The number of the largest measure, from 0; ``LargestOf`` says what is held of those that are alike."""
        every, number, best = ca.vertcat(*measures), ca.SX(0), measures[0]
        for i, measure in enumerate(measures[1:], start=1):
            number, best = ca.if_else(measure > best, i, number), ca.fmax(best, measure)
        if not self._changes(every) or len(measures) == 1:
            return number

        def guards(s: ca.SX) -> tuple[Guard, ...]:
            own, others = measures[0], ca.SX(-ca.inf)
            for i, measure in enumerate(measures):
                chosen = ca.fabs(s - i) < 0.5
                own = ca.if_else(chosen, measure, own)
                others = ca.fmax(others, ca.if_else(chosen, -FREE, measure))
            # it holds a little longer than it is the largest, so that what stays alike does not change
            return (Guard(own - others + SLACK * alike, number),)

        s = self._add(number, every, guards)
        self.found[-1] = replace(self.found[-1], largest=LargestOf(every, ca.vertcat(*second), alike))
        return ca.if_else(is_free(s), number, s)

    def _changes(self, value: ca.SX) -> bool:
        return bool(ca.depends_on(value, ca.vertcat(self._t, self._states)))

    def _timed(self, value: ca.SX) -> bool:
        return not self._states.numel() or not ca.depends_on(value, self._states)

    def _add(self, value: ca.SX, measure: ca.SX, guards: Callable[[ca.SX], tuple[Guard, ...]]) -> ca.SX:
        """A new switch; returns its selector."""
        selector = ca.SX.sym(f"branch {len(self.found) + 1} of {self.formula}")
        held = [Guard(ca.if_else(is_free(selector), 1, guard.value), guard.next) for guard in guards(selector)]
        self.found.append(Switch(self.formula, selector, value, tuple(held), self._timed(measure)))
        return selector

    def _holds(self, free: ca.SX, measure: ca.SX) -> ca.SX:
        """1 or 0: a condition, which holds where *measure* is positive."""
        free, measure = ca.SX(free), ca.SX(measure)
        if not self._changes(measure):
            return free
        s = self._add(free, measure, lambda s: (Guard(ca.if_else(s > 0.5, measure, -measure), 1 - s),))
        return ca.if_else(is_free(s), free, s)

    def _sign(self, x: ca.SX) -> ca.SX:
        if not self._changes(x):
            return ca.sign(x)
        holds = self._holds(x > 0, x)
        return ca.if_else(is_free(self.found[-1].selector), ca.sign(x), 2 * holds - 1)

    def _floor(self, x: ca.SX) -> ca.SX:
        if not self._changes(x):
            return ca.floor(x)
        n = self._add(ca.floor(x), x, lambda n: (Guard(x - n, n - 1), Guard(n + 1 - x, n + 1)))
        return ca.if_else(is_free(n), ca.floor(x), n)

    def _bend(self, a: ca.SX, b: ca.SX, choose: Callable[[ca.SX, ca.SX], ca.SX]) -> ca.SX:
        measure = a - b if choose is ca.fmax else b - a
        if not self._changes(measure) or not self._timed(measure):
            return choose(a, b)
        return ca.if_else(self._holds(measure >= 0, measure), a, b)

    def _passed(self, x: ca.SX, table: Tabulated) -> ca.SX:
        """How many knots of a table have been passed: the piece is held between them, where knots are jumps or timed."""
        free = knots_passed(table, x)
        if not self._changes(x) or not (table.jumps or self._timed(x)):
            return free
        knots, count = table.knots, len(table.knots)

        def guards(k: ca.SX) -> tuple[Guard, ...]:
            back = ca.if_else(k > 0.5, x - _chosen(k - 1, knots), 1)
            on = ca.if_else(k < count - 0.5, _chosen(k, knots) - x, 1)
            return Guard(back, k - 1), Guard(on, k + 1)

        k = self._add(free, x, guards)
        return ca.if_else(is_free(k), free, k)


def _chosen(i: ca.SX, values: Sequence[float]) -> ca.SX | float:
    """The value of number i, exactly; beyond the ends the value there."""
    middle = len(values) // 2
    if not middle:
        return values[0]
    return ca.if_else(i < middle - 0.5, _chosen(i, values[:middle]), _chosen(i - middle, values[middle:]))


def is_free(selector: ca.SX) -> ca.SX:
    """Whether the formula is as it is written."""
    return selector > 0.5 * FREE
