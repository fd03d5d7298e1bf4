"""Texts of units: words with products, quotients, powers and parentheses, alone or behind a number of a longer text."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import replace

from linkwork.algebra.unit_words import AMBIGUOUS, PURE, UNIT_WORDS, Unit, times, unit_word
from linkwork.errors import UnitError
from linkwork.words import meanings_of

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""Regular expression of an unsigned decimal number."""

ONE = "1"
"""The unit of a number that is a pure one, 2 [1]; a number without a unit may stand for any quantity in SI."""
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(r"\s*(?:(?P<word>(?:[^\W\d]|[°%])\w*)|(?P<integer>[0-9]+)|(?P<sign>\*\*|[*·⋅/^()-]))")
_MAX_TEXT = 120
MAX_POWER = 12
"""Of units."""
_WORD = r"(?:(?![⁰¹²³⁴-⁹])[^\W\d]|°)[^\W⁰¹²³⁴-⁹]*"
_PIECE = re.compile(rf"\s*(?:(?P<word>{_WORD})(?!\s*\(|\.\w)|[0-9]+(?![.\w])|[⁰¹²³⁴-⁹⁻]+|\*\*|[*·⋅/^()-])")
"""Pieces of a unit in a formula, where a word before a parenthesis is a function, and one before a dot an element."""


def read_unit(text: str, *, table_only: bool = False) -> Unit:
    """Read a unit text: words with products (``*``, ``·``, space), quotients, integer powers and parentheses."""
    if len(text) > _MAX_TEXT:
        raise UnitError(f"'{text[:30]}...' is too long for a unit")
    try:
        return _UnitReader(text, table_only).read()
    except UnitError:
        meant = None if table_only else proposed_unit(text)  # who asks for words of the table alone has other hints
        if meant is None or not AMBIGUOUS.keys().isdisjoint(re.findall(_WORD, text)):
            raise
        raise UnitError(f"'{text.strip()}' is not a known unit; did you mean '{meant}'?") from None


def end_of_unit(text: str, start: int, names: Collection[str] = ()) -> int:
    """Where the longest unit ends that stands at *start* of a longer text, of words in the table that are none of *names*;
    *start*, where there is none. So a unit is as long inside a formula as alone.

    >>> end_of_unit("2 kg*m^2/s^2*3", 2), end_of_unit("2 N*O.angle", 2), end_of_unit("2 mm/3", 2)
    (12, 3, 4)
    """
    ends, position = [], start
    while (match := _PIECE.match(text, position)) is not None:
        word = match["word"]
        if match.end() - start > _MAX_TEXT or (word is not None and (word not in UNIT_WORDS or word in names)):
            break
        position = match.end()
        ends.append(position)
    return next((end for end in reversed(ends) if _is_unit(text[start:end])), start)


def _is_unit(text: str) -> bool:
    try:
        _UnitReader(text, table_only=True).read()
    except UnitError:
        return False
    return True


def proposed_unit(text: str) -> str | None:
    """How a unit is written that is nearly one: m/s^2 for m/s2, N*m for N.m, rad/s for rad/sec; None: nobody knows.

    >>> proposed_unit("m/s2"), proposed_unit("kg-m2"), proposed_unit("rad/sec")
    ('m/s^2', 'kg*m^2', 'rad/s')
    """
    whole = [item.ours for item in meanings_of(text.strip()) if item.asked == "unit"]
    if len(whole) == 1:
        return whole[0]
    marked = re.sub(r"(?<=[^\W\d])[.\- ](?=[^\W\d])", "*", text.strip())
    powered = re.sub(r"(?<=[^\W\d_])\^?([-−]?\d)", r"^\1", re.sub(r"\s*([*/^])\s*", r"\1", marked)).replace("−", "-")
    meant = re.sub(r"[^\W\d]+", lambda match: _word_meant(match[0]), powered)
    return meant if meant != text.strip() and _is_unit(meant) else None


def _word_meant(word: str) -> str:
    """The only unit that a word may be, or the word itself."""
    if word in UNIT_WORDS:
        return word
    alike = [known for known in UNIT_WORDS if known.lower() == word.lower()]
    foreign = [item.ours for item in meanings_of(word) if item.asked == "unit"]
    return next((found[0] for found in (alike, foreign) if len(found) == 1), word)


def proposed_quantity(text: str) -> str | None:
    """The same for a number with a unit: 9.81 m/s^2 for 9.81 m/s2."""
    match = re.fullmatch(rf"\s*([+-]?\s*{NUMBER})\s*([^\W\d]\S*)\s*", text)
    meant = None if match is None else proposed_unit(match[2])
    return None if match is None or meant is None else f"{match[1]} {meant}"


class _UnitReader:
    """Recursive descent over one unit text."""

    def __init__(self, text: str, table_only: bool) -> None:
        self.text = text
        self.table_only = table_only
        self.tokens = self._split(re.sub("[⁰¹²³⁴-⁹⁻]+", lambda m: "^" + m[0].translate(_SUPERSCRIPTS), text))
        self.index = 0

    def _split(self, text: str) -> list[str]:
        tokens, position, text = [], 0, text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._error(f"'{text[position:].strip()[0]}' does not belong in a unit")
            tokens.append(match[0].strip())
            position = match.end()
        return tokens

    def _error(self, reason: str) -> UnitError:
        return UnitError(f"unit '{self.text.strip()}': {reason}")

    def _peek(self) -> str:
        return self.tokens[self.index] if self.index < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.index += 1
        return token

    def read(self) -> Unit:
        try:
            unit = self._product()
        except OverflowError:
            raise self._error("its factor is out of range") from None
        if self._peek():
            raise self._error(f"'{self._peek()}' is not expected here")
        if not (math.isfinite(unit.factor) and unit.factor > 0.0):
            raise self._error("its factor is out of range")
        return unit if unit.words else replace(unit, words=(ONE,))

    def _product(self) -> Unit:
        unit = self._factor()
        while (token := self._peek()) and token != ")":
            sign = 1
            if token in ("*", "·", "⋅", "/"):
                self._next()
                sign = -1 if token == "/" else 1
            unit = times(unit, self._factor(), sign)
        return unit

    def _factor(self) -> Unit:
        token = self._next()
        if token == "(":
            unit = self._product()
            if self._next() != ")":
                raise self._error("a ')' is missing")
        elif token == "1" and self._is_one():
            unit = Unit(1.0, PURE)
        elif token and (token[0].isalpha() or token[0] in "_°%"):
            unit = unit_word(token, table_only=self.table_only)
        else:
            raise self._error(f"a unit word is expected, not '{token}'" if token else "a unit word is missing")
        if self._peek() in ("^", "**"):
            self._next()
            unit = times(Unit(1.0, PURE), unit, self._power())
        return unit

    def _is_one(self) -> bool:
        """Whether a 1 is that of 1/s: N/1 s would be a number beside units, which formulas have."""
        begins = self.index == 1 or self.tokens[self.index - 2] == "("
        return begins and self._peek() in ("/", ")", "")

    def _power(self) -> int:
        closing = self._peek() == "("
        if closing:
            self._next()
        sign = -1 if self._peek() == "-" else 1
        if sign < 0:
            self._next()
        token = self._next()
        if not token.isdecimal() or len(token) > 2 or int(token) > MAX_POWER:
            raise self._error(f"a power must be a whole number up to {MAX_POWER}")
        if closing and self._next() != ")":
            raise self._error("a ')' is missing")
        return sign * int(token)
