"""Values of formulas: the same tree evaluates to floats and to CasADi expressions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import cache, partial, reduce
from typing import Any, TypeVar

from linkwork.algebra.expressions.tabulated import TABLES, Tabulated, table_of_floats, tabulated
from linkwork.algebra.expressions.tree import Binary, Call, Compare, Defined, Expression, Name, Number, Unary
from linkwork.errors import ExpressionError

V = TypeVar("V")


def evaluate(expression: Expression, lookup: Callable[[str], V], functions: Mapping[str, Callable[..., Any]]) -> V:
    """Evaluate a tree in any arithmetic.

    *lookup* gives the value of a name; *functions* has the operators ``+ - * / ^ negate < <= > >=``, all functions
    of the grammar, ``number`` that wraps a float, and ``defined`` that may remember what a definition gives. A comparison
    that gives a plain bool selects its branch at once, so that the other one is never evaluated.
    """
    match expression:
        case Number(value):
            return functions["number"](value)
        case Name(name):
            return lookup(name)
        case Defined(_, meaning):
            return functions["defined"](expression, lambda: evaluate(meaning, lookup, functions))
        case Unary(_, operand):
            return functions["negate"](evaluate(operand, lookup, functions))
        case Binary(symbol, left, right) | Compare(symbol, left, right):
            return functions[symbol](evaluate(left, lookup, functions), evaluate(right, lookup, functions))
        case Call("if", (condition, then, otherwise)):
            holds = evaluate(condition, lookup, functions)
            if isinstance(holds, bool):
                return evaluate(then if holds else otherwise, lookup, functions)
            branches = (evaluate(then, lookup, functions), evaluate(otherwise, lookup, functions))
            return functions["if"](holds, *branches)
        case Call(function, arguments):
            return functions[function](*(evaluate(argument, lookup, functions) for argument in arguments))
    raise ExpressionError(f"{expression!r} is not a node of a formula")


def to_float(expression: Expression, lookup: Callable[[str], float] | None = None) -> float:
    """Evaluate to a finite float; *lookup* gives the values of names (none are known without it)."""
    try:
        value = evaluate(expression, lookup or _no_names, FLOAT_FUNCTIONS)
    except (ArithmeticError, ValueError) as error:
        raise ExpressionError(f"'{expression}' has no value: {error}") from None
    if not math.isfinite(value):
        raise ExpressionError(f"'{expression}' has no finite value")
    return value


def to_sx(
    expression: Expression, lookup: Callable[[str], Any], functions: Mapping[str, Callable[..., Any]] | None = None
) -> Any:
    """Evaluate to a scalar CasADi SX; *lookup* gives an SX or a float for each name."""
    import casadi

    return casadi.SX(evaluate(expression, lookup, sx_functions() if functions is None else functions))


def _no_names(name: str) -> float:
    raise ExpressionError(f"'{name}' has no value here; only constants are allowed")


def _mod(a: float, b: float) -> float:
    return a - b * math.floor(a / b)


def modulus(a: Any, b: Any, floor: Callable[[Any], Any] | None = None) -> Any:
    """mod(a, b) of CasADi expressions; without a value where b is zero (CasADi takes 0·∞ for zero)."""
    import casadi

    quotient = casadi.SX(a) / b
    return a - b * (floor or casadi.floor)(quotient) if not casadi.SX(b).is_zero() else casadi.SX(math.nan)


def _anew(_: Defined, value: Callable[[], V]) -> V:
    """What a definition gives, evaluated wherever it is used."""
    return value()


FLOAT_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "number": float,
    "defined": _anew,
    "negate": operator.neg,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": math.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{name: getattr(math, name) for name in ("sinh", "cosh", "tanh", "sqrt", "exp", "log")},
    "abs": abs,
    "sign": lambda x: float((x > 0.0) - (x < 0.0)),
    "min": min,
    "max": max,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "mod": _mod,
    "step": lambda x: 1.0 if x >= 0.0 else 0.0,
    **{kind: table_of_floats(kind) for kind in TABLES.values()},
}


@cache
def sx_functions() -> Mapping[str, Callable[..., Any]]:
    """The functions of the grammar on CasADi expressions."""
    import casadi

    return {
        "number": casadi.SX,
        "defined": _anew,
        "negate": operator.neg,
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "^": operator.pow,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        **{name: getattr(casadi, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
        **{name: getattr(casadi, name) for name in ("sinh", "cosh", "tanh", "sqrt", "exp", "log", "sign")},
        "abs": casadi.fabs,
        "min": lambda *arguments: reduce(casadi.fmin, arguments),
        "max": lambda *arguments: reduce(casadi.fmax, arguments),
        "floor": casadi.floor,
        "ceil": casadi.ceil,
        "mod": modulus,
        "step": lambda x: casadi.SX(x) >= 0,
        "if": casadi.if_else,
        **{kind: partial(table_of_expressions, kind) for kind in TABLES.values()},
    }


def table_of_expressions(
    kind: str, x: Any, *numbers: Any, passed: Callable[[Any, Tabulated], Any] | None = None
) -> Any:
    """A table of CasADi expressions; *passed*: how many knots are taken as passed, by default all at x and before it."""
    import casadi

    x = casadi.SX(x)
    knots = [float(item) for item in numbers[::2]]
    table = tabulated(kind, [item for pair in zip(knots, numbers[1::2], strict=True) for item in pair], casadi.if_else)
    return table.value(x, knots_passed(table, x) if passed is None else passed(x, table), casadi.if_else)


def knots_passed(table: Tabulated, x: Any) -> Any:
    """How many knots are at x or before it, as an expression."""
    return sum((x >= knot for knot in table.knots[1:]), x >= table.knots[0])
