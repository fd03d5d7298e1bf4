"""Units of the formulas of a user: what they measure, where every name in them has a unit."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.algebra.expressions import Binary, Expression, known_units, measured
from linkwork.algebra.units import Unit, read_unit
from linkwork.errors import UnitError

SHOWN: dict[tuple[object, ...], str] = {
    (0, 1, 0): "m", (0, 0, 1): "s", (1, 0, 0): "kg", (0, 2, 0): "m^2", (0, 3, 0): "m^3", (0, 1, -1): "m/s",
    (0, 1, -2): "m/s^2", (0, 2, -2): "m^2/s^2", (1, 1, -1): "N*s", (1, 1, -2): "N", (1, 2, -2): "N*m", (1, 2, -3): "W",
}  # fmt: skip
"""Of powers of (kg, m, s); other formulas are shown without a unit."""
TURNS: dict[tuple[object, ...], str] = {(0, 0, 0): "rad", (0, 0, -1): "rad/s", (0, 0, -2): "rad/s^2"}
"""Of sums of angles, rates and accelerations; products of these may be anything."""


def output_unit(formula: Expression, units: Mapping[str, str], parameters: Mapping[str, Unit]) -> str:
    """The unit of a formula, '' where it is not known; *units*: of all quantities by name."""
    names = formula.names()
    known = {name: read_unit(units[name]) for name in names if units.get(name)}
    with known_units({**known, **{name: unit for name, unit in parameters.items() if name in names}}):
        try:
            unit = measured(formula)
        except UnitError:
            return ""
    if unit is None or not unit.words:
        return ""
    powers = tuple(unit.exponents)
    if powers in TURNS:
        multiplied = any(isinstance(node, Binary) and node.operator in ("*", "/", "^") for node in formula.walk())
        return "" if multiplied else TURNS[powers]
    return SHOWN.get(powers, "")
