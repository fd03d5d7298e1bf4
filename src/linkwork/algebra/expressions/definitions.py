"""Formulas that are named once and used in others: their names become what they mean while a model is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from linkwork.algebra.expressions.grammar import MAX_DEPTH
from linkwork.algebra.expressions.tree import Call, Defined, Expression, Name, TwoOperands, Unary
from linkwork.errors import ExpressionError

LARGEST = 20_000  # parts of a formula with its definitions written out
_KNOWN: ContextVar[Mapping[str, Expression] | None] = ContextVar("definitions", default=None)


@contextmanager
def known_definitions(meanings: Mapping[str, Expression]) -> Iterator[None]:
    """While a model is read: what is defined in it, by name."""
    token = _KNOWN.set(meanings)
    try:
        yield
    finally:
        _KNOWN.reset(token)


def with_definitions(expression: Expression) -> Expression:
    """The formula with the definitions of the model that is being read; outside of one, as it is."""
    known = _KNOWN.get()
    if known is None or not any(_is_other(node, known) for node in expression.walk(written=True)):
        return expression
    found = _bound(expression, known)
    if _depth(found) > MAX_DEPTH:
        raise ExpressionError(f"with its definitions the formula is nested more than {MAX_DEPTH} deep")
    for count, _ in enumerate(found.walk()):
        if count > LARGEST:
            raise ExpressionError(f"with its definitions written out the formula has more than {LARGEST} parts")
    return found


def _is_other(node: Expression, known: Mapping[str, Expression]) -> bool:
    match node:
        case Defined(name, meaning):
            return known.get(name) != meaning
        case Name(name):
            return name in known
    return False


def _bound(node: Expression, known: Mapping[str, Expression]) -> Expression:
    """The same formula with the definitions that are known, and no others."""
    match node:
        case Defined(name) | Name(name):
            return Defined(name, known[name]) if name in known else Name(name)
        case Unary(_, operand):
            return replace(node, operand=_bound(operand, known))
        case TwoOperands(_, left, right):
            return replace(node, left=_bound(left, known), right=_bound(right, known))
        case Call(_, arguments):
            return replace(node, arguments=tuple(_bound(argument, known) for argument in arguments))
    return node


def _depth(expression: Expression) -> int:
    """Of the tree of a formula, level by level."""
    level, depth = {id(expression): expression}, 0
    while level:
        level = {id(child): child for node in level.values() for child in node.children()}
        depth += 1
    return depth
