"""Units that are names as well: behind a number the word is a unit, and it is refused where the name may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkwork.algebra.expressions import Expression, Number
from linkwork.algebra.unit_texts import read_unit
from linkwork.errors import Fault


def mistaken_units(
    expression: Expression, names: Mapping[str, str], *, path: str = "", quantity: bool = False
) -> Iterator[Fault]:
    """Numbers with units of which a word is also one of the *names*, which are given with what they are.

    Where a field takes a *quantity* of one dimension, as a stiffness takes ``3 N/m``, only the first word of one that stands
    alone can be mistaken.
    """
    for node in expression.walk(written=True):
        if isinstance(node, Number) and node.unit and not node.bracketed:
            words = read_unit(node.unit).words
            for word in words[:1] if quantity and node is expression else words:
                if word in names:
                    yield Fault(path, f"'{node.text}': '{word}' is a unit and a {names[word]}", _told_apart(node, word))


def _told_apart(quantity: Number, word: str) -> str:
    """How the name and the unit are written: 5 [N]*h and 5 [N*h]."""
    digits = quantity.text.removesuffix(quantity.unit).strip()
    unit = f"{digits} [{quantity.unit}] for the unit"
    last = re.fullmatch(rf"([^(]*?)\s*([*/]?)\s*({word}(?:(?:\^|\*\*)\d+)?)", quantity.unit)
    if last is None:
        return f"write {unit}; for the name, put units into brackets: 2 [N]*{word}"
    before, operator, named = last.groups()
    return f"write {f'{digits} [{before}]' if before else digits}{operator or '*'}{named} for the name, {unit}"
