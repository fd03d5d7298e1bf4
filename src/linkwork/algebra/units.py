"""Units at the edge: texts such as ``25 mm`` or ``3 N*m/rad`` become SI numbers; inside, everything is SI and radians.

Common units come from a small table; any other single word is looked up in pint, which is imported late.
Angles are dimensionless, so ``N*m`` and ``N*m/rad`` are interchangeable and a revolution is 2π.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from numbers import Real
from typing import Any

from linkwork.errors import UnitError, did_you_mean
from linkwork.words import meanings_of

NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""Regular expression of an unsigned decimal number."""

Exponents = tuple[int | Fraction, int | Fraction, int | Fraction]
"""Powers of kilogram, metre and second; broken ones only inside formulas, sqrt(2 [m])."""


@dataclass(frozen=True)
class Unit:
    """A unit as written: SI factor, powers of (kg, m, s), and the unit words in it."""

    factor: float
    exponents: Exponents
    words: tuple[str, ...] = ()


_DEG = math.pi / 180.0
_TURN = 2.0 * math.pi
_LB, _IN, _FT, _G0 = 0.45359237, 0.0254, 0.3048, 9.80665  # exact by definition

_PURE, _MASS, _LENGTH, _TIME = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
_RATE, _FORCE, _ENERGY, _POWER, _PRESSURE = (0, 0, -1), (1, 1, -2), (1, 2, -2), (1, 2, -3), (1, -1, -2)

UNIT_WORDS: dict[str, tuple[float, Exponents]] = {
    # length
    "m": (1.0, _LENGTH), "mm": (1e-3, _LENGTH), "cm": (1e-2, _LENGTH), "dm": (1e-1, _LENGTH), "km": (1e3, _LENGTH),
    "um": (1e-6, _LENGTH), "µm": (1e-6, _LENGTH), "μm": (1e-6, _LENGTH), "nm": (1e-9, _LENGTH),
    "in": (_IN, _LENGTH), "inch": (_IN, _LENGTH), "ft": (_FT, _LENGTH),
    # mass
    "kg": (1.0, _MASS), "g": (1e-3, _MASS), "mg": (1e-6, _MASS), "t": (1e3, _MASS), "lb": (_LB, _MASS),
    # time
    "s": (1.0, _TIME), "ms": (1e-3, _TIME), "us": (1e-6, _TIME), "µs": (1e-6, _TIME), "min": (60.0, _TIME),
    "h": (3600.0, _TIME),
    # angle and rate
    "rad": (1.0, _PURE), "mrad": (1e-3, _PURE), "deg": (_DEG, _PURE), "°": (_DEG, _PURE), "rev": (_TURN, _PURE),
    "turn": (_TURN, _PURE), "rpm": (_TURN / 60.0, _RATE), "Hz": (1.0, _RATE), "kHz": (1e3, _RATE),
    # force, energy, power, pressure
    "N": (1.0, _FORCE), "mN": (1e-3, _FORCE), "kN": (1e3, _FORCE), "MN": (1e6, _FORCE), "lbf": (_LB * _G0, _FORCE),
    "kgf": (_G0, _FORCE), "Nm": (1.0, _ENERGY), "kNm": (1e3, _ENERGY), "J": (1.0, _ENERGY), "kJ": (1e3, _ENERGY),
    "W": (1.0, _POWER), "kW": (1e3, _POWER), "Pa": (1.0, _PRESSURE), "kPa": (1e3, _PRESSURE), "MPa": (1e6, _PRESSURE),
    "GPa": (1e9, _PRESSURE), "bar": (1e5, _PRESSURE),
    "%": (1e-2, _PURE),
}  # fmt: skip
_ANGLE_WORDS = frozenset({"rad", "mrad", "deg", "°", "rev", "turn", "degree", "degrees", "radian", "radians"})

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
        Dimension("dimensionless", _PURE, "1"),
        Dimension("angle", _PURE, "30 deg"),
        Dimension("length", _LENGTH, "25 mm"),
        Dimension("mass", _MASS, "1 kg"),
        Dimension("time", _TIME, "1 s"),
        Dimension("speed", (0, 1, -1), "1 m/s"),
        Dimension("angular_speed", _RATE, "60 rpm"),
        Dimension("acceleration", (0, 1, -2), "9.81 m/s^2"),
        Dimension("angular_acceleration", (0, 0, -2), "2 rad/s^2"),
        Dimension("force", _FORCE, "12 N"),
        Dimension("torque", _ENERGY, "12 N*m"),
        Dimension("stiffness", (1, 0, -2), "3 N/m"),
        Dimension("rotational_stiffness", _ENERGY, "3 N*m/rad"),
        Dimension("damping", (1, 0, -1), "3 N*s/m"),
        Dimension("rotational_damping", (1, 2, -1), "3 N*m*s/rad"),
        Dimension("inertia", (1, 2, 0), "0.1 kg*m^2"),
        Dimension("density", (1, -3, 0), "7850 kg/m^3"),
    )
}
_OTHER_NAMES: dict[Exponents, str] = {
    (0, 2, 0): "an area",
    (0, 3, 0): "a volume",
    _POWER: "a power",
    _PRESSURE: "a pressure",
    _ENERGY: "a torque or an energy",
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
    if dimension.startswith("angular") and any(word.endswith("Hz") for word in unit.words):
        raise UnitError(f"'{text}': Hz counts cycles; write rev/s, rpm or rad/s for {needed.spoken}")
    if unit.exponents != needed.exponents:
        raise UnitError(f"'{text}' is {describe(unit)}; {needed.spoken} such as '{needed.example}' is needed")


def counts_angles(unit: Unit) -> bool:
    """Whether a unit of angle stands in it, as in ``mm/rad``."""
    return not _ANGLE_WORDS.isdisjoint(unit.words)


def in_degrees(unit: Unit) -> bool:
    """Whether it is a unit of angle that counts degrees."""
    return unit.exponents == _PURE and not _DEGREES.isdisjoint(unit.words)


def describe(unit: Unit) -> str:
    """Say what a unit measures: 'a length', 'an angle', 'a torque or an energy', or its SI powers."""
    if unit.exponents == _PURE:
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


# -- reading unit texts ----------------------------------------------------------------------------------------------

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(r"\s*(?:(?P<word>(?:[^\W\d]|[°%])\w*)|(?P<integer>[0-9]+)|(?P<sign>\*\*|[*·⋅/^()-]))")
_MAX_TEXT, _MAX_POWER = 120, 12


def read_unit(text: str, *, table_only: bool = False) -> Unit:
    """Read a unit text: words with products (``*``, ``·``, space), quotients, integer powers and parentheses."""
    if len(text) > _MAX_TEXT:
        raise UnitError(f"'{text[:30]}...' is too long for a unit")
    try:
        return _UnitReader(text, table_only).read()
    except UnitError:
        meant = proposed_unit(text)
        if meant is None:
            raise
        raise UnitError(f"'{text.strip()}' is not a known unit; did you mean '{meant}'?") from None


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
    try:
        _UnitReader(meant, table_only=True).read()
    except UnitError:
        return None
    return meant if meant != text.strip() else None


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
        return unit

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
        elif token == "1":
            unit = Unit(1.0, _PURE)
        elif token and (token[0].isalpha() or token[0] in "_°%"):
            unit = unit_word(token, table_only=self.table_only)
        else:
            raise self._error(f"a unit word is expected, not '{token}'" if token else "a unit word is missing")
        if self._peek() in ("^", "**"):
            self._next()
            unit = times(Unit(1.0, _PURE), unit, self._power())
        return unit

    def _power(self) -> int:
        closing = self._peek() == "("
        if closing:
            self._next()
        sign = -1 if self._peek() == "-" else 1
        if sign < 0:
            self._next()
        token = self._next()
        if not token.isdecimal() or len(token) > 2 or int(token) > _MAX_POWER:
            raise self._error(f"a power must be a whole number up to {_MAX_POWER}")
        if closing and self._next() != ")":
            raise self._error("a ')' is missing")
        return sign * int(token)


def times(a: Unit, b: Unit, power: int) -> Unit:
    """a · b^power."""
    kg, m, s = (x + power * y for x, y in zip(a.exponents, b.exponents, strict=True))
    return Unit(a.factor * b.factor**power, (kg, m, s), a.words + b.words)


def power_of(unit: Unit, power: Fraction) -> Unit:
    """unit^power, of any power."""
    kg, m, s = (x * power for x in unit.exponents)
    return Unit(unit.factor ** float(power), (kg, m, s), unit.words)


def unit_word(word: str, *, table_only: bool = False) -> Unit:
    """Return one unit word from the table, or else from pint."""
    if word in UNIT_WORDS:
        factor, exponents = UNIT_WORDS[word]
        return Unit(factor, exponents, (word,))
    found = None if table_only else _pint_word(word)
    if found is None:
        raise UnitError(f"'{word}' is not a known unit; {did_you_mean(word, list(UNIT_WORDS), 'unit')}")
    return Unit(*found, (word,))


@cache
def _pint_word(word: str) -> tuple[float, Exponents] | None:
    """Ask pint for one word: SI factor and powers of (kg, m, s); None when it is no unit of mechanics."""
    registry = _registry()
    try:
        unit = registry.parse_units(word)
        one = registry.Quantity(1.0, unit).to_base_units()
        two = registry.Quantity(2.0, unit).to_base_units()
        powers = dict(one.dimensionality)
        factor = float(one.magnitude)
    except Exception:  # pint answers unknown words with many kinds of exception
        return None
    exponents = tuple(powers.pop(base, 0) for base in ("[mass]", "[length]", "[time]"))
    proportional = math.isclose(float(two.magnitude), 2.0 * factor, rel_tol=1e-12)  # not so for dB
    if powers or not proportional or any(power != int(power) for power in exponents):
        return None
    kg, m, s = map(int, exponents)
    return factor, (kg, m, s)


@cache
def _registry() -> Any:  # pint is imported late: 0.3 s
    import pint

    return pint.UnitRegistry()
