"""Formulas without a value: which part it is, why, and where a value grows without bound.

A part has no value where its function has none (the square root of a negative number), where it is infinite (a division by
zero), or where it is too large for a number. Of ``if`` only the branch that holds counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from linkwork.algebra.expressions.evaluation import FLOAT_FUNCTIONS, evaluate
from linkwork.algebra.expressions.tree import Binary, Call, Defined, Expression, Name, Number, Unary

NumberOf = Callable[[str], float]
PARTIAL = frozenset({"tan", "asin", "acos", "sqrt", "log", "exp", "sinh", "cosh", "mod"})
"""Functions that have no finite value for some arguments."""
STEEP = 8  # powers above it are too large for any computation at bases of 1e5


@dataclass(frozen=True)
class Hole:
    """A part of a formula without a value: why it has none, and what would give it one."""

    part: Expression
    reason: str
    remedy: str


def may_fail(expression: Expression) -> bool:
    """Whether a formula has a part that can be without a value."""
    return any(_is_partial(node) for node in expression.walk())


def _is_partial(node: Expression) -> bool:
    match node:
        case Call(function):
            return function in PARTIAL
        case Binary("/", _, right):
            return not (isinstance(right, Number) and right.value != 0.0)
        case Binary("^", _, right):
            return not (isinstance(right, Number) and 0.0 <= right.value <= STEEP and right.value == int(right.value))
    return isinstance(node, Number) and not math.isfinite(node.value)


def find_hole(expression: Expression, lookup: NumberOf) -> Hole | None:
    """The first part of a formula that has no value although all that it is made of has; None where there is none.

    >>> from linkwork.algebra.expressions import parse
    >>> find_hole(parse("2*sqrt(0.5 - t)"), {"t": 1.0}.__getitem__).reason
    'the square root of -0.5'
    """
    match expression:
        case Call("if", (condition, then, otherwise)):
            found = _first(condition.children(), lookup)
            if found is not None:
                return found
            return find_hole(then if evaluate(condition, lookup, FLOAT_FUNCTIONS) else otherwise, lookup)
        case Defined(name, meaning):
            hole = find_hole(meaning, lookup)
            return None if hole is None else replace(hole, reason=f"{hole.reason}, in the definition of {name}")
        case Name() | Number():
            return (
                None if math.isfinite(_value(expression, lookup)) else Hole(expression, f"'{expression}' has none", "")
            )
    found = _first(expression.children(), lookup)
    if found is not None or math.isfinite(_value(expression, lookup)):
        return found
    given = [_value(child, lookup) for child in expression.children()]
    return Hole(expression, *_words(expression, given))


def _first(parts: tuple[Expression, ...], lookup: NumberOf) -> Hole | None:
    return next((hole for hole in (find_hole(part, lookup) for part in parts) if hole is not None), None)


def _value(expression: Expression, lookup: NumberOf) -> float:
    """Of a part whose own parts have values; NaN where it has none."""
    try:
        return float(evaluate(expression, lookup, FLOAT_FUNCTIONS))
    except (ArithmeticError, ValueError):
        return math.nan


def _words(node: Expression, given: list[float]) -> tuple[str, str]:
    """Why a part has no value for the given operands, and what would help."""
    match node:
        case Call("sqrt"):
            return (
                f"the square root of {_size(given[0])}",
                "keep its argument from falling below zero: sqrt(max(0, ...))",
            )
        case Call("log"):
            return f"the logarithm of {_size(given[0])}", "keep its argument above zero: log(max(1e-9, ...))"
        case Call("asin" | "acos" as name):
            return f"{name} of {_beyond(given[0])}", f"keep its argument between -1 and 1: {name}(max(-1, min(1, ...)))"
        case Binary("/") | Call("mod") if given[1] == 0.0:
            return f"a division by zero in '{node}'", "keep what it divides by away from zero"
        case Binary("^") if given[0] == 0.0:
            return f"a negative power of zero in '{node}'", "keep its base away from zero"
        case Binary("^") if given[0] < 0.0:
            return f"a fractional power of {_size(given[0])}", "keep its base from falling below zero: max(0, ...)"
    return f"'{node}' is too large for a number", "keep its argument smaller"


def _beyond(value: float) -> str:
    """A number beyond one, with the digits that show it."""
    return f"{value:.6g}" if abs(float(f"{value:.6g}")) > 1.0 else repr(value)


def _size(value: float) -> str:
    """A number, or where it is all but zero only its sign."""
    return f"{value:.6g}" if value == 0.0 or abs(value) > 1e-6 else "a number below zero"


def poles(expression: Expression) -> Iterator[tuple[Expression, Expression]]:
    """Parts of a formula that grow without bound where a factor has a zero, each with such a factor.

    >>> from linkwork.algebra.expressions import parse
    >>> [str(factor) for _, factor in poles(parse("1/(t*(t - 1)^2)"))]
    ['t', 't - 1']
    """
    for node in expression.walk():
        match node:
            case Binary("/", _, right):
                yield from ((node, factor) for factor in _factors(right))
            case Binary("^", left, Unary("-")) | Binary("^", left, Number()):
                if not (isinstance(node.right, Number) and node.right.value >= 0.0):
                    yield from ((node, factor) for factor in _factors(left))
            case Call("tan", (angle,)):
                yield node, Call("cos", (angle,))


def _factors(expression: Expression) -> Iterator[Expression]:
    """What a product or power vanishes with; numbers do not."""
    match expression:
        case Number():
            return
        case Binary("*", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case Binary("/", left, _):
            yield from _factors(left)
        case Defined(_, operand) | Unary(_, operand):
            yield from _factors(operand)
        case Binary("^", left, Number(value)) if value > 0.0:
            yield from _factors(left)
        case Call("sqrt" | "abs", (operand,)):
            yield from _factors(operand)
        case _:
            yield expression
