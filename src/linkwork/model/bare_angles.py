"""Angles that are plain numbers beyond a turn: they are radians, and may be meant as degrees.

Which formulas are angles is known where they are read: as fields of an angle, or by the checks that know the coordinate.
A formula with a unit or with pi in it says what it means, and so does a number of many digits, which was computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from linkwork.algebra.expressions import TIME, Binary, Call, Defined, Expression, Name, Number, Unary
from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.units import uncounted
from linkwork.model.checks import all_faults
from linkwork.model.described import Described
from linkwork.model.draft_model import draft_of
from linkwork.model.drive import Driver
from linkwork.model.fields import angles_told
from linkwork.model.parameters import TURN, Parameter, value_or_none

DIGITS = 3
"""Behind the point, of an angle that somebody writes."""
ROUND, LEAST = 15.0, 30.0
"""What numbers of degrees are multiples of, from 30 deg on: a formula of the time may have any number of radians."""


def bare_angles(model: Described) -> Iterator[str]:
    """What to look at again: by their paths, and of a table or a pair the largest angle."""
    draft = draft_of(model)
    with angles_told() as told:
        all_faults(draft)
    known = [(path, formula) for path, _, formula in draft.expressions() if formula.angle]
    doubts: dict[str, tuple[float, str]] = {}
    for path, formula in [*known, *told.items()]:
        doubt = None if _of_screw(model, path) else doubt_of(formula, draft.values, model.parameters)
        place = re.sub(r"(\[\d+\])+$", "", path)
        if doubt is not None and doubt[0] > doubts.get(place, (0.0, ""))[0]:
            doubts[place] = doubt
    yield from (f"{place} {text}" for place, (_, text) in doubts.items())


def doubt_of(
    formula: Expression, values: Mapping[str, float], parameters: Mapping[str, Parameter]
) -> tuple[float, str] | None:
    """The size of an angle that may be one of degrees, and what to say of it; None where nothing is wrong with it."""
    written = _written(formula, parameters)
    if any(number.text == "pi" for number in written):
        return None
    units = [read_unit(number.unit) for number in written if number.unit]
    if units:
        doubts = [doubt for unit in units if (doubt := uncounted(unit))] if TIME in formula.names() else []
        return (TURN, f"= {formula}: {doubts[0]}") if doubts else None
    if TIME in formula.names():
        size = max((abs(number) for number in _factors(formula) if _is_round(number)), default=0.0)
        text = f"= {formula} has {size:g} rad, {size / TURN:.3g} turns"
        return (size, _remedy(text, f"{size:g}")) if size else None
    value = value_or_none(formula, values)
    if value is None or abs(value) <= TURN or round(value, DIGITS) != value:
        return None
    return abs(value), _remedy(f"is {value:g} rad, {abs(value) / TURN:.3g} turns", f"{value:g}")


def _remedy(text: str, digits: str) -> str:
    return f"{text}: write '{digits} deg' where degrees are meant, '{digits} rad' where not"


def _written(formula: Expression, parameters: Mapping[str, Parameter]) -> list[Number]:
    """The numbers that are written in it, and in the parameters that it names."""
    found = [node for node in formula.walk() if isinstance(node, Number)]
    names = [node.name for node in formula.walk() if isinstance(node, Name) and node.name in parameters]
    return found + [node for name in names for node in _written(parameters[name].value, parameters)]


def _factors(formula: Expression) -> Iterator[float]:
    """Numbers that are terms or factors of a formula, none of those in functions and powers: 90 of 90*t, of 90*sin(2*t)."""
    match formula:
        case Number(value):
            yield value
        case Unary(_, operand) | Defined(_, operand):
            yield from _factors(operand)
        case Binary("+" | "-" | "*", left, right):
            yield from _factors(left)
            yield from _factors(right)
        case Binary("/", left, _):
            yield from _factors(left)
        case Call("if", (_, *branches)):
            for branch in branches:
                yield from _factors(branch)
        case Call("min" | "max", branches):
            for branch in branches:
                yield from _factors(branch)


def _is_round(number: float) -> bool:
    return abs(number) >= LEAST and number % ROUND == 0.0


def _of_screw(model: Described, path: str) -> bool:
    """Whether an angle is that of a screw, which turns many times."""
    section, _, rest = path.partition(".")
    name = rest.partition(".")[0]
    if section == "drivers" and isinstance(driver := model.drivers[name], Driver):
        name = driver.joint
    return section in ("drivers", "initial", "joints") and name in model.joints and model.joints[name].kind == "helical"
