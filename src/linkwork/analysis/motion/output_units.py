"""Units of the formulas of a user: what they measure, where every name in them has a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from linkwork.algebra.expressions import (
    Binary,
    Call,
    Compare,
    Defined,
    Expression,
    Name,
    Number,
    Unary,
    known_units,
    measured,
)
from linkwork.algebra.unit_texts import ONE, read_unit
from linkwork.algebra.unit_words import Exponents, Unit
from linkwork.errors import UnitError
from linkwork.model.parameters import Parameter, units_of

NAMED: dict[Exponents, str] = {
    (1, 1, -1): "N*s", (1, 1, -2): "N", (1, 2, -2): "N*m", (1, 2, -3): "W", (1, -1, -2): "Pa",
    (1, 0, -2): "N/m", (1, 0, -1): "N*s/m", (1, 2, -1): "N*m*s",
}  # fmt: skip
"""Of powers of (kg, m, s) that have a usual unit; others are put together of kilograms, metres and seconds."""
TURNS: dict[Exponents, str] = {(0, 0, 0): "rad", (0, 0, -1): "rad/s", (0, 0, -2): "rad/s^2"}
"""Of sums of angles, rates and accelerations; products of these may be anything."""
ANGLES = ("asin", "acos", "atan", "atan2")
"""Functions whose values are angles."""
_ANGLE = Name("an angle")


def output_unit(formula: Expression, units: Mapping[str, str], parameters: Mapping[str, Unit]) -> str:
    """The unit of a formula, '' where it is not known; *units*: of all quantities by name."""
    names = formula.names()
    known = {name: read_unit(units[name]) for name in names if units.get(name)}
    known |= {name: unit for name, unit in parameters.items() if name in names} | {_ANGLE.name: read_unit("rad")}
    with known_units(known):
        try:
            measured(formula)
            shown = _with_angles(formula)
            unit = measured(shown)
        except UnitError:
            return ""
    if unit is None or set(unit.words) <= {ONE}:
        return ""
    if unit.exponents in TURNS:
        return "" if _multiplies(shown) else TURNS[unit.exponents]
    return NAMED.get(unit.exponents) or _put_together(unit.exponents)


def parameter_unit(parameters: Mapping[str, Parameter], name: str) -> str:
    """The unit of a parameter in SI, '' where it was given as a bare number."""
    return output_unit(Name(name), {}, units_of(parameters))


def _with_angles(formula: Expression) -> Expression:
    """The formula with a name that is an angle in the place of every function that gives one."""
    match formula:
        case Call(function, _) if function in ANGLES:
            return _ANGLE
        case Call(_, arguments):
            return replace(formula, arguments=tuple(map(_with_angles, arguments)))
        case Defined(_, meaning):
            return _with_angles(meaning)
        case Unary(_, operand):
            return replace(formula, operand=_with_angles(operand))
        case Binary(_, left, right) | Compare(_, left, right):
            return replace(formula, left=_with_angles(left), right=_with_angles(right))
    return formula


def _multiplies(formula: Expression) -> bool:
    """Whether something that is named is multiplied, divided or raised to a power, by anything but a pure number."""
    products = (node for node in formula.walk() if isinstance(node, Binary) and node.operator in ("*", "/", "^"))
    return any(node.names() and not _by_pure(node) for node in products)


def _by_pure(product: Binary) -> bool:
    factors = (product.left, product.right) if product.operator != "^" else ()
    return any(isinstance(factor, Number) and factor.unit == ONE for factor in factors)


def _put_together(powers: Exponents) -> str:
    """kg*m^2/s of (1, 2, -1); '' of broken powers, and where nothing stands above the line."""
    if any(Fraction(power).denominator != 1 for power in powers):
        return ""
    parts = [(base, int(power)) for base, power in zip(("kg", "m", "s"), powers, strict=True) if power]
    above = [_power(base, power) for base, power in parts if power > 0]
    below = [_power(base, -power) for base, power in parts if power < 0]
    return "/".join(["*".join(above), *below]) if above else ""


def _power(base: str, power: int) -> str:
    return base if power == 1 else f"{base}^{power}"
