"""Units at the edge: texts such as ``25 mm`` or ``3 N*m/rad`` become SI numbers; inside, everything is SI and radians.

Angles are dimensionless, so ``N*m`` and ``N*m/rad`` are interchangeable and a revolution is 2π.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from numbers import Real

from linkwork.algebra.unit_texts import NUMBER, read_unit
from linkwork.algebra.unit_words import (
    ENERGY,
    FORCE,
    LENGTH,
    MASS,
    POWER,
    PRESSURE,
    PURE,
    RATE,
    TIME,
    Exponents,
    Unit,
)
from linkwork.errors import UnitError

_ANGLE_WORDS = frozenset({"rad", "mrad", "deg", "°", "gon", "rev", "turn", "degree", "degrees", "radian", "radians"})

_COUNTED_BY = frozenset({"min", "minute", "minutes", "h", "hour", "hours"})
"""Times in which turns are counted: a speed of 60 1/min is one of 60 rpm to those who write it."""
_DEGREES = frozenset({"deg", "°", "degree", "degrees"})


@dataclass(frozen=True)
class Dimension:
    """A named physical dimension with an example for messages; ``exponents`` None accepts everything."""

    name: str
    exponents: Exponents | None
    example: str

    @property
    def spoken(self) -> str:
        """The name with its article: 'an angular speed'."""
        name = self.name.replace("_", " ")
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension("any", None, "1"),
        Dimension("dimensionless", PURE, "1"),
        Dimension("angle", PURE, "30 deg"),
        Dimension("length", LENGTH, "25 mm"),
        Dimension("mass", MASS, "1 kg"),
        Dimension("time", TIME, "1 s"),
        Dimension("speed", (0, 1, -1), "1 m/s"),
        Dimension("angular_speed", RATE, "60 rpm"),
        Dimension("acceleration", (0, 1, -2), "9.81 m/s^2"),
        Dimension("angular_acceleration", (0, 0, -2), "2 rad/s^2"),
        Dimension("force", FORCE, "12 N"),
        Dimension("torque", ENERGY, "12 N*m"),
        Dimension("stiffness", (1, 0, -2), "3 N/m"),
        Dimension("rotational_stiffness", ENERGY, "3 N*m/rad"),
        Dimension("damping", (1, 0, -1), "3 N*s/m"),
        Dimension("rotational_damping", (1, 2, -1), "3 N*m*s/rad"),
        Dimension("inertia", (1, 2, 0), "0.1 kg*m^2"),
        Dimension("density", (1, -3, 0), "7850 kg/m^3"),
        Dimension("impulse", (1, 1, -1), "3 N*s"),
        Dimension("angular_impulse", (1, 2, -1), "3 N*m*s"),
    )
}
_OTHER_NAMES: dict[Exponents, str] = {
    (0, 2, 0): "an area",
    (0, 3, 0): "a volume",
    POWER: "a power",
    PRESSURE: "a pressure",
    ENERGY: "a torque or an energy",
    (1, -1, 0): "a mass per length",
    (0, -1, 0): "a number per length",
    (-1, 0, 0): "a number per mass",
}


def si(value: float | str, dimension: str = "any") -> float:
    """Return *value* in SI; a text is a number with or without a unit, a bare number is SI already.

    >>> si("25 mm", "length")
    0.025
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
    elif isinstance(value, str):
        number = _quantity(value, dimension)
    else:
        raise UnitError(f"{value!r:.60} is neither a number nor a text with a unit such as '{_example(dimension)}'")
    if not math.isfinite(number):
        raise UnitError(f"{value!r} is not a finite number")
    return number


def _quantity(text: str, dimension: str) -> float:
    """Read ``[sign] number [unit]``."""
    if re.match(r"\s*[+-]?\d+,\d+", text):
        raise UnitError(f"'{text}': decimals are written with a point, {text.replace(',', '.', 1).strip()}")
    match = re.fullmatch(rf"\s*([+-]?)\s*({NUMBER})\s*(.*?)\s*", text)
    if match is None:
        raise UnitError(f"'{text}' is not a number with a unit; a text such as '{_example(dimension)}' is needed")
    sign, magnitude, words = match.groups()
    value = float(sign + magnitude)
    if not words:
        return value
    ratio = re.fullmatch(rf"/\s*({NUMBER})\s*(.*)", words)
    if ratio is not None and float(ratio[1]):
        one = f"{value / float(ratio[1]):.12g} {ratio[2]}".strip()
        raise UnitError(f"'{text.strip()}' has two numbers, and one is needed: write '{one}'")
    unit = read_unit(words.removeprefix("[").removesuffix("]"))
    check_dimension(text.strip(), unit, dimension)
    return value * unit.factor


def si_unit(text: str) -> str:
    """The unit of a quantity whose number is SI as it is written, else nothing.

    >>> si_unit("2 N*s/m"), si_unit("25 mm")
    ('N*s/m', '')
    """
    match = re.fullmatch(rf"\s*[+-]?\s*{NUMBER}\s*(.+?)\s*", text)
    try:
        return match[1] if match is not None and read_unit(match[1]).factor == 1.0 else ""
    except UnitError:
        return ""


def check_dimension(text: str, unit: Unit, dimension: str) -> None:
    """Raise UnitError when *unit* (as used in *text*) does not have the named *dimension*."""
    needed = DIMENSIONS[dimension]
    if needed.exponents is None:
        return
    if dimension.startswith("angular") and (doubt := uncounted(unit)):
        raise UnitError(f"'{text}': {doubt} for {needed.spoken}")
    if unit.exponents != needed.exponents:
        raise UnitError(f"'{text}' is {describe(unit)}; {needed.spoken} such as '{needed.example}' is needed")


def check_counted(one: Unit, other: Unit, text: str) -> None:
    """Raise UnitError when one of two units counts angles, as rad/s, and the other nothing, as Hz; *text* says where."""
    for unit, beside in ((one, other), (other, one)):
        if (counts_angles(beside) or "rpm" in beside.words) and (doubt := uncounted(unit)):
            raise UnitError(f"{text}: {doubt}")


def uncounted(unit: Unit) -> str:
    """Why it may be of turns or of radians, and what is written instead; of a rate by the second SI says radians."""
    if any(word.endswith("Hz") for word in unit.words):
        return "Hz counts cycles; write rev/s, rpm or rad/s"
    slow = {word for word in unit.words if word in _COUNTED_BY}
    if slow and unit.exponents[:2] == (0, 0) and slow.union(("s",)).issuperset(unit.words):
        per = min(slow) + (f"^{-unit.exponents[2]}" if unit.exponents[2] != -1 else "")
        return f"1/{per} may count turns or radians; write {'rpm' if per == 'min' else f'rev/{per}'} or rad/{per}"
    return ""


def counts_angles(unit: Unit) -> bool:
    """Whether a unit of angle stands in it, as in ``mm/rad``."""
    return not _ANGLE_WORDS.isdisjoint(unit.words)


def in_degrees(unit: Unit) -> bool:
    """Whether it is a unit of angle that counts degrees."""
    return unit.exponents == PURE and not _DEGREES.isdisjoint(unit.words)


def describe(unit: Unit) -> str:
    """Say what a unit measures: 'a length', 'an angle', 'a torque or an energy', or its SI powers."""
    if unit.exponents == PURE:
        return "an angle" if counts_angles(unit) else "a pure number"
    if unit.exponents in _OTHER_NAMES:
        return _OTHER_NAMES[unit.exponents]
    for dimension in DIMENSIONS.values():
        if dimension.exponents == unit.exponents:
            return dimension.spoken
    powers = (f"{base}^{power}" for base, power in zip(("kg", "m", "s"), unit.exponents, strict=True) if power)
    return "in " + "*".join(powers)


def _example(dimension: str) -> str:
    return DIMENSIONS[dimension].example
