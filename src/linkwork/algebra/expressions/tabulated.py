"""Tables in formulas: ``linear_table(x, x0, f0, x1, f1, ...)`` goes in straight lines, ``smooth_table`` smoothly.

The first column are numbers x₀ ≤ x₁ ≤ …; a knot with two rows is a jump, from the value of the first to that of the second.
Before the first row and after the last the value stays what it is there. With the number k of knots that have been passed,

    f = f₀ + Σ uᵢ (bᵢ + uᵢ (cᵢ + uᵢ dᵢ)) + Σ Δⱼ [j < k],    uᵢ = 0 before the piece, x − xᵢ in it, and its width behind it.

What comes in it may be floats or CasADi expressions, and k may be held (``switches.py``). Smooth pieces are those of
``algebra/monotone.py``, from jump to jump.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from linkwork.algebra.expressions.tree import Call, Expression, Number, Unary
from linkwork.algebra.monotone import Choice, hermite, smooth_slopes
from linkwork.errors import ExpressionError

TABLES = {"linear": "linear_table", "smooth": "smooth_table"}
"""How to go between the rows -> the function that does."""


@dataclass(frozen=True, eq=False)
class Tabulated:
    """Knots (n) that differ, coefficients b, c, d of the pieces between them (n − 1), jumps at the knots, and f₀."""

    knots: Sequence[float]
    pieces: Sequence[tuple[Any, Any, Any]]
    jumps: dict[int, Any]
    first: Any

    def passed(self, x: float) -> int:
        """How many knots are at x or before it."""
        return bisect_right(self.knots, x)

    def value(self, x: Any, k: Any, choose: Choice) -> Any:
        """f at x, where k knots have been passed."""
        total = self.first
        for i, (b, c, d) in enumerate(self.pieces):
            low, high = self.knots[i], self.knots[i + 1]
            u = choose(k > i + 1.5, high - low, choose(k > i + 0.5, x - low, 0.0))
            total = total + u * (b + u * (c + u * d))
        for j, jump in self.jumps.items():
            total = total + choose(k > j + 0.5, jump, 0.0)
        return total


def tabulated(kind: str, numbers: Sequence[Any], choose: Choice) -> Tabulated:
    """The table of a function's further arguments x0, f0, x1, f1, ..."""
    rows = [(float(x), f) for x, f in zip(numbers[::2], numbers[1::2], strict=True)]
    groups = [(x, [f for _, f in group]) for x, group in groupby(rows, key=lambda row: row[0])]
    knots = [x for x, _ in groups]
    jumps = {j: values[-1] - values[0] for j, (_, values) in enumerate(groups) if len(values) > 1}
    pieces: list[tuple[Any, Any, Any]] = []
    ends = [0, *jumps, len(groups) - 1]
    for begin, end in pairwise(dict.fromkeys(ends)):
        spans = list(pairwise(groups[begin : end + 1]))
        widths = [b - a for (a, _), (b, _) in spans]
        means = [(after[0] - before[-1]) / (b - a) for (a, before), (b, after) in spans]
        slopes = smooth_slopes(widths, means, choose) if kind == "smooth_table" and len(means) > 1 else None
        for i, (h, mean) in enumerate(zip(widths, means, strict=True)):
            pieces.append((mean, 0.0, 0.0) if slopes is None else hermite(h, mean, slopes[i], slopes[i + 1]))
    return Tabulated(knots, pieces, jumps, groups[0][1][0])


def table_of_floats(kind: str) -> Callable[..., float]:
    """The function of floats."""

    def choose(condition: bool, then: float, otherwise: float) -> float:
        return then if condition else otherwise

    def value(x: float, *numbers: float) -> float:
        table = tabulated(kind, numbers, choose)
        return float(table.value(x, table.passed(x), choose))

    return value


def table_fault(arguments: Sequence[Expression]) -> str:
    """What is wrong with the arguments of a table; '' if nothing is."""
    if len(arguments) % 2 == 0:
        return "a table takes x and then rows of two numbers, x0, f0, x1, f1, ...; one number is left over"
    knots = [_constant(argument) for argument in arguments[1::2]]
    if None in knots:
        return f"'{arguments[1 + 2 * knots.index(None)]}' in the first column of a table is not a number"
    for i, (before, after) in enumerate(pairwise(knots)):
        if not before <= after:
            return f"row {i + 2} of the table begins with {after:g}, which does not come after {before:g}"
    if knots[0] == knots[-1]:
        return "all rows of the table begin with the same number"
    triple = next((x for x, y in zip(knots, knots[2:], strict=False) if x == y), None)
    return "" if triple is None else f"three rows of the table begin with {triple:g}; two of them make a jump"


def as_call(x: Expression, rows: Iterable[tuple[Expression, Expression]], interpolation: str) -> Call:
    """The formula of a table; ExpressionError where the rows make none."""
    call = Call(TABLES[interpolation], (x, *(item for row in rows for item in row)))
    if fault := table_fault(call.arguments):
        raise ExpressionError(fault)
    return call


def _constant(expression: Expression) -> Any:
    match expression:
        case Number(value):
            return value
        case Unary(_, Number(value)):
            return -value
    return None
