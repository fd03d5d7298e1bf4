"""Cutting the text of a formula into tokens, and showing a place in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from linkwork.algebra.expressions.functions import TIME
from linkwork.algebra.unit_texts import NUMBER, end_of_unit
from linkwork.errors import ExpressionError

MAX_TEXT = 20_000
_TOKEN = re.compile(
    rf"""(?P<number>{NUMBER})
    | (?P<name>\$?(?:[^\W\d]|°)\w*(?:\.[^\W\d]\w*)*)
    | (?P<bracket>\[[^\]\[]*\])
    | (?P<operator>\*\*|<=|>=|[-+*/^(),<>])""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Token:
    """A piece of the text: kind (number, unit, name, bracket, operator, end), the piece itself, and where it starts."""

    kind: str
    text: str
    start: int


def tokenise(text: str) -> list[Token]:
    """Cut *text* into tokens; the last one has kind ``end``."""
    if len(text) > MAX_TEXT:
        fail(text, 0, f"a formula of {len(text)} characters is too long (limit {MAX_TEXT})", "split it with parameters")
    tokens: list[Token] = []
    position = _skip_space(text, 0)
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            fail(text, position, f"unexpected '{text[position]}'", _hint(text[position]))
        kind = str(match.lastgroup)
        piece = "^" if match[0] == "**" else match[0].removeprefix("$")  # $r of other tools is r
        tokens.append(Token(kind, piece, position))
        position = _skip_space(text, match.end())
        if kind == "number" and (end := end_of_unit(text, position, (TIME,))) > position:
            tokens.append(Token("unit", text[position:end], position))
            position = _skip_space(text, end)
    tokens.append(Token("end", "", len(text.rstrip())))
    return tokens


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _hint(character: str) -> str:
    hints = {
        "=": "formulas know the comparisons < <= > >= inside if(...)",
        "−": "write - (the minus of the keyboard)",
        "²": "write ^2",
        "³": "write ^3",
        "[": "a unit in brackets is closed by ']'",
        "×": "write * for a product",
        "·": "write * for a product",
        "$": "a name follows: $r is the same as r",
        "%": "write mod(a, b) for a remainder, 5 [%] for hundredths",
        ".": "a decimal number is written 0.5, a quantity of the state O.angle",
    }
    return hints.get(character, "")


def fail(text: str, position: int, reason: str, hint: str = "") -> NoReturn:
    """Raise ExpressionError: the reason, the text with a caret under *position*, and a hint."""
    first = max(0, position - 40)
    shown = "".join(" " if c.isspace() or not c.isprintable() else c for c in text[first : position + 30])
    caret = " " * (position - first) + "^"
    advice = f"\n    -> {hint}" if hint else ""
    raise ExpressionError(f"{reason} at column {position + 1}\n        {shown}\n        {caret}{advice}")
