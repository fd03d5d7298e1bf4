"""Headings of columns: a name, and the unit of the numbers below it, ``O.angle [deg]`` or ``O.angle (deg)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.units import check_dimension
from linkwork.errors import UnitError

_FORM = re.compile(r"(?P<name>[^\[\](){}]*?)\s*(?:\[(?P<square>[^\[\]]*)\]\s*(?:\(.*\))?|\((?P<round>.*)\))?")


@dataclass(frozen=True)
class Heading:
    """A heading as it is written, its name, and its unit, '' where there is none; a remark may stand behind the unit."""

    text: str
    name: str
    unit: str = ""

    def factor(self, dimension: str) -> float:
        """What the numbers below it are multiplied by to be SI; UnitError where the unit is none of that dimension."""
        if not self.unit:
            return 1.0
        try:
            unit = read_unit(self.unit)
            check_dimension(self.unit, unit, dimension)
        except UnitError as error:
            raise UnitError(f"column '{self.text}': {error}") from None
        return unit.factor


def read_heading(text: str) -> Heading:
    """Name and unit of a heading.

    >>> read_heading("O.angle [deg] (as filmed)").unit
    'deg'
    """
    whole = text.strip()
    match = _FORM.fullmatch(whole)
    if match is None:
        return Heading(whole, whole)
    return Heading(whole, match["name"].strip(), (match["square"] or match["round"] or "").strip())


def read_headings(line: str) -> list[Heading]:
    """The headings of columns between which stand commas, semicolons, tabs or else space."""
    parts = [part for part in re.split(r"[,;\t]", line) if part.strip()]
    if len(parts) == 1:
        parts = re.findall(r"\S+(?:\s+\[[^\[\]]*\]|\s+\([^()]*\))?", line)
    return [read_heading(part) for part in parts]
