"""The grammar of formulas in model files: a small precedence-climbing parser, never Python's ``eval``.

    expression := unary, binary operators + - * / ^ (``**`` is the same as ``^``, which binds to the right)
    atom       := number | number unit | number [unit] | name | function(expression, ...) | (expression)
    condition  := expression (< | <= | > | >=) expression       only as the first argument of if(...)

A unit is as long as its words go on, with their products, quotients and whole powers: ``2*3 N/m`` is 2*(3 N/m) and
``100 cm^2`` is 100 (cm^2), alone and in a formula. Words of the table need no brackets; behind a number they are no names.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import NoReturn

from linkwork.algebra.expressions.functions import CONSTANTS, FUNCTIONS, MANY, TIME
from linkwork.algebra.expressions.tabulated import TABLES, table_fault
from linkwork.algebra.expressions.tokens import Token, fail, tokenise
from linkwork.algebra.expressions.tree import (
    OPERATORS,
    UNARY_STRENGTH,
    Binary,
    Call,
    Compare,
    Expression,
    Name,
    Number,
    Unary,
)
from linkwork.algebra.unit_texts import MAX_POWER, NUMBER, ONE, proposed_quantity, proposed_unit, read_unit
from linkwork.algebra.unit_words import AMBIGUOUS, UNIT_WORDS, Unit
from linkwork.errors import ExpressionError, UnitError, did_you_mean

MAX_DEPTH = 150
LONG = 100  # operators of a row that are joined one by one
_INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}
_CHOICES = {
    **dict.fromkeys(("if", "else"), "a choice is written if(condition, x, y), such as if(t > 1, 5, 0)"),
    **dict.fromkeys(("and", "or", "not"), "there are no 'and', 'or', 'not': nest one if(...) in another"),
}
_COMPARISONS = ("<", "<=", ">", ">=")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_LITERAL = re.compile(rf"\s*([+-]?)\s*((?>{NUMBER}))\s*([^\[\]]*[^\[\]\s])\s*")


def parse(text: str) -> Expression:
    """Parse a formula or a quantity; raise ExpressionError with the place, what was expected, and a hint."""
    if not isinstance(text, str):
        raise ExpressionError(f"{text!r} is not a text")
    literal = _whole_literal(text)
    return literal if literal is not None else _Parser(text).parse()


def number(value: float) -> Number:
    """Wrap a finite SI number."""
    if not math.isfinite(value):
        raise ExpressionError(f"{value!r} is not a finite number")
    return Number(float(value))


def _whole_literal(text: str) -> Expression | None:
    """Read a text that is one number with a unit, or return None when it must be a formula.

    Words outside the table are units only when they stand alone; ``t`` is the tonne only alone, else the time.
    """
    match = _LITERAL.fullmatch(text) if len(text) < 200 else None
    if match is None:
        return None
    sign, digits, words = match.groups()
    alone = words.isidentifier() or words in UNIT_WORDS
    if words in CONSTANTS or (words in FUNCTIONS and words not in UNIT_WORDS):
        return None
    try:
        unit = read_unit(words, table_only=not alone)
    except UnitError as error:
        if not alone:
            return None
        meant, product = proposed_unit(words), f"a product is written with a star: {digits}*{words}"
        hint = product if meant is None else f"write {sign}{digits} {meant}"
        fail(text, match.start(3), str(error), "" if words in AMBIGUOUS else hint)
    if unit.words == (ONE,) or (TIME in unit.words and not alone):
        return None
    minus = "-" if sign == "-" else ""
    return _quantity(text, match.start(2), f"{minus}{digits}", unit, f"{minus}{digits} {words}")


def _quantity(text: str, position: int, digits: str, unit: Unit, written: str) -> Number:
    value = float(digits) * unit.factor
    if not math.isfinite(value):
        fail(text, position, f"the number {digits} is too large")
    return Number(value, written)


class _Parser:
    """Precedence climbing over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenise(text)
        self.index = 0
        self.depths: dict[int, int] = {}  # id of a node -> height of its tree
        self.nodes: list[Expression] = []  # keeps the ids above valid

    def parse(self) -> Expression:
        if self._peek().kind == "end":
            fail(self.text, 0, "the formula is empty", "write a number, a quantity such as 25 mm, or a formula")
        result = self._expression(0, 0)
        token = self._peek()
        if token.kind != "end":
            self._unexpected_after_operand(token)
        return result

    # -- tokens ------------------------------------------------------------------------------------------------------

    def _peek(self) -> Token:
        return self.tokens[self.index]

    def _next(self) -> Token:
        token = self.tokens[self.index]
        self.index += 1
        return token

    def _fail(self, token: Token, reason: str, hint: str = "") -> NoReturn:
        fail(self.text, token.start, reason, hint)

    def _built(self, node: Expression, token: Token) -> Expression:
        """Register a new node; refuse a tree so deep that walking it could exhaust the stack."""
        depth = 1 + max((self.depths.get(id(child), 0) for child in node.children()), default=0)
        if depth > MAX_DEPTH:
            self._fail(token, f"the formula is nested more than {MAX_DEPTH} deep", "split it with parameters")
        self.depths[id(node)] = depth
        self.nodes.append(node)
        return node

    # -- rules -------------------------------------------------------------------------------------------------------

    def _expression(self, least: int, level: int) -> Expression:
        """Parse operators that bind more than *least*; *level* counts the open rules."""
        left = self._prefix(level)
        while (strength := OPERATORS.get(self._peek().text, 0)) > least:
            if self._peek().text == "^":  # a^b^c = a^(b^c); the others group to the left
                token = self._next()
                left = self._built(Binary("^", left, self._expression(strength - 1, level + 1)), token)
            else:
                left = self._grouped(left, self._row(strength, level))
        return left

    def _row(self, strength: int, level: int) -> list[tuple[Token, Expression]]:
        """Operators of one strength that follow each other, each with the operand behind it."""
        row = []
        while OPERATORS.get(self._peek().text, 0) == strength:
            token = self._next()
            row.append((token, self._expression(strength, level + 1)))
        return row

    def _grouped(self, left: Expression, row: list[tuple[Token, Expression]]) -> Expression:
        """Join a row from the left; what exceeds a hundred becomes one operand, a - b + c = a - (b - c), and stays flat."""
        for token, operand in row[:LONG]:
            left = self._built(Binary(token.text, left, operand), token)
        if len(row) <= LONG:
            return left
        token, operand = row[LONG]
        rest = row[LONG + 1 :]
        if token.text in "-/":
            rest = [(Token(sign.kind, _INVERSE[sign.text], sign.start), item) for sign, item in rest]
        return self._built(Binary(token.text, left, self._grouped(operand, rest)), token)

    def _prefix(self, level: int) -> Expression:
        token = self._next()
        if level > MAX_DEPTH:
            self._fail(token, f"the formula is nested more than {MAX_DEPTH} deep", "split it with parameters")
        if token.text in ("+", "-"):
            operand = self._expression(UNARY_STRENGTH, level + 1)
            return operand if token.text == "+" else self._negated(operand, token)
        if token.text == "(":
            inside = self._expression(0, level + 1)
            self._close(token)
            if isinstance(inside, Number) and inside.unit:
                return self._built(replace(inside, grouped=True), token)
            return inside
        if token.kind == "number":
            return self._built(self._number(token), token)
        if token.kind == "name":
            return self._call(token, level) if self._peek().text == "(" else self._name(token)
        return self._missing_operand(token)

    def _missing_operand(self, token: Token) -> NoReturn:
        what = f"'{token.text}'" if token.text else "the end"
        self._fail(token, f"expected a number, a name or '(' instead of {what}")

    def _negated(self, operand: Expression, token: Token) -> Expression:
        if isinstance(operand, Number):
            text = (
                operand.text.removeprefix("-") if operand.text.startswith("-") else operand.text and f"-{operand.text}"
            )
            return self._built(replace(operand, value=-operand.value, text=text), token)
        return self._built(Unary("-", operand), token)

    def _close(self, opening: Token) -> None:
        token = self._peek()
        if token.text == ")":
            self._next()
        elif token.text in _COMPARISONS:
            self._fail(token, f"'{token.text}' is not allowed here", "a comparison is the first argument of if(...)")
        elif token.kind == "end":
            self._fail(token, f"expected ')' for the '(' of column {opening.start + 1}")
        else:
            self._unexpected_after_operand(token)

    def _number(self, token: Token) -> Number:
        value = float(token.text)
        if not math.isfinite(value):
            self._fail(token, f"the number {token.text} is too large")
        following = self._peek()
        if following.kind in ("bracket", "unit"):
            return self._with_unit(token, self._next())
        if following.kind == "name":
            self._refuse_word(token, self._next())
        return Number(value)

    def _with_unit(self, token: Token, following: Token) -> Number:
        """A number and its unit, in brackets or without."""
        bare = following.kind == "unit"
        words = following.text if bare else following.text[1:-1].strip()
        try:
            unit = read_unit(words, table_only=bare)
        except UnitError as error:
            self._fail(following, str(error))
        written = f"{token.text} {words}" if bare else f"{token.text} [{words}]"
        if self._peek().text == "^":
            self._refuse_power(token.text, words, bare)
        return _quantity(self.text, token.start, token.text, unit, written)

    def _refuse_power(self, digits: str, words: str, bare: bool) -> NoReturn:
        """A power behind a quantity: of a unit without brackets it is none, and behind brackets it may be of either."""
        power = re.match(r"(?:\^|\*\*)\s*(-?\s*\d{1,2}(?![.\w])|)", self.text[self._peek().start :])
        exponent = power[1] if power else ""
        whole = f"write ({digits} [{words}])^{exponent or '(...)'}"
        if bare or not exponent:
            reason = f"a power of the unit '{words}' is a whole number up to {MAX_POWER}"
            self._fail(self._peek(), reason, f"{whole} for that power of {digits} {words}")
        unit = words if words.isalpha() else f"({words})"
        reason = f"the power may be that of {digits} [{words}], or of its unit"
        self._fail(self._peek(), reason, f"{whole} or {digits} [{unit}^{exponent}]")

    def _refuse_word(self, token: Token, word: Token) -> NoReturn:
        """A word behind a number that is none of the table of units."""
        if word.text in _CHOICES:
            self._fail(word, f"'{word.text}' right after a number", _CHOICES[word.text])
        product = f"{token.text}*{word.text}"
        if self._peek().text == "(":
            product = f"{product}(...)" if word.text in FUNCTIONS else f"{token.text} {word.text}*(...)"
            self._fail(word, f"'{word.text}(' right after a number", f"a product is written with a star: {product}")
        if word.text == TIME or word.text in CONSTANTS:
            self._fail(word, f"'{word.text}' right after a number", f"a product is written with a star: {product}")
        try:
            read_unit(word.text, table_only=True)
            reason = f"'{word.text}' right after a number"
        except UnitError as error:
            reason = str(error)
        meant = proposed_quantity(self.text)
        rarer = (
            f"a product is written with a star: {product}; a rarer unit stands in brackets: {token.text} [{word.text}]"
        )
        hint = rarer if meant is None else f"write {meant}"
        self._fail(word, reason, "" if word.text in AMBIGUOUS else hint)

    def _name(self, token: Token) -> Expression:
        name = token.text
        if _NAME.fullmatch(name) is None:
            self._fail(token, f"'{name}' is not a name", "names consist of letters a-z, digits and _")
        if name in CONSTANTS:
            return self._built(Number(CONSTANTS[name], name), token)
        if name in FUNCTIONS:
            self._fail(token, f"'{name}' is a function", f"write its argument in parentheses: {name}(...)")
        return self._built(Name(name), token)

    def _call(self, token: Token, level: int) -> Expression:
        name = token.text
        if name not in FUNCTIONS:
            self._fail(token, f"unknown function '{name}'", did_you_mean(name, sorted(FUNCTIONS)))
        opening = self._next()
        arguments: list[Expression] = []
        if self._peek().text != ")":
            arguments.append(self._condition(level) if name == "if" else self._expression(0, level + 1))
            while self._peek().text == ",":
                self._next()
                arguments.append(self._expression(0, level + 1))
        self._close(opening)
        least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            needed = f"{least}" if least == most else f"at least {least}" if most == MANY else f"{least} to {most}"
            self._fail(token, f"{name}() takes {needed} argument{'s' if most > 1 else ''}, not {len(arguments)}")
        if name in TABLES.values() and (fault := table_fault(arguments)):
            self._fail(token, fault, f"write {name}(t, 0, 5, 1, 8): x, and then rows of a number and its value")
        return self._built(Call(name, tuple(arguments)), token)

    def _condition(self, level: int) -> Expression:
        left = self._expression(0, level + 1)
        token = self._next()
        if token.text not in _COMPARISONS:
            self._fail(token, "expected a comparison < <= > >= in if(condition, then, otherwise)")
        return self._built(Compare(token.text, left, self._expression(0, level + 1)), token)

    def _unexpected_after_operand(self, token: Token) -> NoReturn:
        hint = ""
        if token.text in _CHOICES:
            hint = _CHOICES[token.text]
        elif token.text in UNIT_WORDS:
            hint = f"a unit stands right behind a number: write *1 {token.text}"
        elif token.kind in ("name", "number") or token.text == "(":
            hint = "a product is written with a star, *"
        elif token.kind == "bracket":
            hint = "a unit in brackets stands right after a number"
        elif token.text == "," and self.tokens[self.index - 1].kind == "number":
            hint = "decimals are written with a point, 0.5"
        elif token.text in _COMPARISONS:
            hint = "a comparison is the first argument of if(...)"
        self._fail(token, f"expected an operator instead of '{token.text}'", hint)
