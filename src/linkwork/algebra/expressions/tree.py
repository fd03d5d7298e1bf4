"""The tree of a formula: numbers, names, operators, comparisons, calls. Immutable, comparable, printable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from linkwork.algebra.unit_texts import NUMBER

OPERATORS: dict[str, int] = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 30}
"""Binary operators and their binding strength."""
UNARY_STRENGTH = 25
_ATOM_STRENGTH = 100


@dataclass(frozen=True)
class Expression:
    """Base of the nodes; ``str()`` gives a text that parses to an equal tree.

    angle: whether it is the whole of a formula that has been read as an angle
    """

    angle: bool = field(default=False, compare=False, repr=False, kw_only=True)

    def children(self) -> tuple[Expression, ...]:
        """The direct operands, left to right."""
        return ()

    def walk(self, written: bool = False) -> Iterator[Expression]:
        """All nodes, this one first; of a formula as it is *written* those of its definitions are left out."""
        stack: list[Expression] = [self]
        while stack:
            node = stack.pop()
            yield node
            if not (written and isinstance(node, Defined)):
                stack.extend(reversed(node.children()))

    def names(self) -> frozenset[str]:
        """The names that the formula refers to, such as ``t``, ``l1`` or ``O.angle``, also by its definitions."""
        return frozenset(node.name for node in self.walk() if isinstance(node, Name))

    def __str__(self) -> str:
        return _render(self)


@dataclass(frozen=True)
class Number(Expression):
    """A constant: SI ``value`` and, when written with a unit or as a named constant, its ``text``; a quantity may stand in
    parentheses, as in 3/(2 mm)."""

    value: float
    text: str = field(default="", compare=False)
    grouped: bool = field(default=False, compare=False)

    @property
    def unit(self) -> str:
        """The unit as written, without brackets; empty when there is none."""
        return self._written_unit.removeprefix("[").removesuffix("]")

    @property
    def bracketed(self) -> bool:
        """Whether the unit stands in brackets, so that its words cannot be mistaken for names."""
        return self._written_unit.startswith("[")

    @property
    def _written_unit(self) -> str:
        match = re.match(rf"-?(?:{NUMBER})\s*(.*)", self.text)
        return match[1] if match else ""

    def __str__(self) -> str:
        return self.text or _digits(self.value)


@dataclass(frozen=True)
class Name(Expression):
    """A parameter, the time ``t``, or a dotted quantity of the state such as ``coupler.P.x``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Defined(Expression):
    """The name of a formula that is defined elsewhere, and what it means."""

    name: str
    meaning: Expression

    def children(self) -> tuple[Expression, ...]:
        return (self.meaning,)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Unary(Expression):
    """A negated expression (``operator`` is always ``-``)."""

    operator: str
    operand: Expression

    def children(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class TwoOperands(Expression):
    """Two operands with an operator between them."""

    operator: str
    left: Expression
    right: Expression

    def children(self) -> tuple[Expression, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Binary(TwoOperands):
    """Two operands joined by ``+ - * / ^``."""


@dataclass(frozen=True)
class Compare(TwoOperands):
    """A comparison ``< <= > >=``; only the condition of ``if(condition, then, otherwise)``."""


@dataclass(frozen=True)
class Call(Expression):
    """A function of the table in ``functions.py`` with its arguments."""

    function: str
    arguments: tuple[Expression, ...]

    def children(self) -> tuple[Expression, ...]:
        return self.arguments


def _digits(value: float) -> str:
    """Shortest text of a number that reads back exactly; whole numbers without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _strength(node: Expression) -> int:
    match node:
        case Compare():
            return 0
        case Binary(operator):
            return OPERATORS[operator]
        case Unary():
            return UNARY_STRENGTH
        case Number(value, text) if value < 0.0 or text.startswith("-"):
            return UNARY_STRENGTH
        case Number() if node.unit:
            return OPERATORS["^"]  # (2 [m])^2, as 2 m^2 is 2 (m^2)
    return _ATOM_STRENGTH


def _operand(node: Expression, least: int) -> str:
    """Render an operand, in parentheses when it binds less than *least*."""
    text = _inner_number(node) if isinstance(node, Number) else _render(node)
    grouped = isinstance(node, Number) and node.grouped
    return f"({text})" if grouped or _strength(node) < least else text


def _inner_number(node: Number) -> str:
    """A number inside a formula: its unit stands in brackets, so that ``25 [mm]*m`` is not millimetres times metres."""
    unit = node.unit
    if unit and not node.bracketed:
        return f"{node.text.removesuffix(unit).rstrip()} [{unit}]"
    return str(node)


def _render(node: Expression) -> str:
    match node:
        case Unary(operator, operand):
            return operator + _operand(operand, UNARY_STRENGTH)
        case Binary("^", left, right):
            return f"{_operand(left, OPERATORS['^'] + 1)}^{_operand(right, UNARY_STRENGTH)}"
        case Binary(operator, left, right):
            strength = OPERATORS[operator]
            space = " " if strength == OPERATORS["+"] else ""
            return f"{_operand(left, strength)}{space}{operator}{space}{_operand(right, strength + 1)}"
        case Compare(operator, left, right):
            return f"{_operand(left, 1)} {operator} {_operand(right, 1)}"
        case Call(function, arguments):
            return f"{function}({', '.join(_operand(argument, 0) for argument in arguments)})"
    return str(node)
