"""Whether a formula is a polynomial, and of which degree."""

from __future__ import annotations

from collections.abc import Collection

from linkwork.algebra.expressions.tree import Binary, Defined, Expression, Name, Number, Unary


def degree(expression: Expression, variables: Collection[str], constants: Collection[str]) -> int | None:
    """The degree of a formula in the *variables*, all other names being *constants*; None for no such polynomial.

    >>> from linkwork.algebra.expressions import parse
    >>> degree(parse("k*x + 2*x^3"), ["x"], ["k"])
    3
    """
    match expression:
        case Number():
            return 0
        case Name(name):
            return 1 if name in variables else 0 if name in constants else None
        case Defined(_, operand) | Unary(_, operand):
            return degree(operand, variables, constants)
        case Binary(operator, left, right):
            return _binary(operator, right, degree(left, variables, constants), degree(right, variables, constants))
    return None if expression.names() & set(variables) or not expression.names() <= set(constants) else 0


def _binary(operator: str, right: Expression, first: int | None, second: int | None) -> int | None:
    if first is None or second is None:
        return None
    match operator:
        case "+" | "-":
            return max(first, second)
        case "*":
            return first + second
        case "/":
            return first if second == 0 else None
    if first == second == 0:
        return 0
    whole = isinstance(right, Number) and right.value >= 0 and right.value == int(right.value)
    return first * int(right.value) if whole and isinstance(right, Number) else None
