"""Words of units: a small table of the common ones; any other single word is looked up in pint, which is imported late."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from linkwork.errors import UnitError, did_you_mean

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

PURE, MASS, LENGTH, TIME = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
RATE, FORCE, ENERGY, POWER, PRESSURE = (0, 0, -1), (1, 1, -2), (1, 2, -2), (1, 2, -3), (1, -1, -2)

UNIT_WORDS: dict[str, tuple[float, Exponents]] = {
    # length
    "m": (1.0, LENGTH), "mm": (1e-3, LENGTH), "cm": (1e-2, LENGTH), "dm": (1e-1, LENGTH), "km": (1e3, LENGTH),
    "um": (1e-6, LENGTH), "µm": (1e-6, LENGTH), "μm": (1e-6, LENGTH), "nm": (1e-9, LENGTH),
    "in": (_IN, LENGTH), "inch": (_IN, LENGTH), "ft": (_FT, LENGTH),
    # mass
    "kg": (1.0, MASS), "g": (1e-3, MASS), "mg": (1e-6, MASS), "t": (1e3, MASS), "lb": (_LB, MASS),
    # time
    "s": (1.0, TIME), "ms": (1e-3, TIME), "us": (1e-6, TIME), "µs": (1e-6, TIME), "min": (60.0, TIME),
    "h": (3600.0, TIME),
    # angle and rate
    "rad": (1.0, PURE), "mrad": (1e-3, PURE), "deg": (_DEG, PURE), "°": (_DEG, PURE), "rev": (_TURN, PURE),
    "gon": (_TURN / 400.0, PURE),
    "turn": (_TURN, PURE), "rpm": (_TURN / 60.0, RATE), "Hz": (1.0, RATE), "kHz": (1e3, RATE),
    # force, energy, power, pressure
    "N": (1.0, FORCE), "mN": (1e-3, FORCE), "kN": (1e3, FORCE), "MN": (1e6, FORCE), "lbf": (_LB * _G0, FORCE),
    "kgf": (_G0, FORCE), "Nm": (1.0, ENERGY), "kNm": (1e3, ENERGY), "J": (1.0, ENERGY), "kJ": (1e3, ENERGY),
    "W": (1.0, POWER), "kW": (1e3, POWER), "Pa": (1.0, PRESSURE), "kPa": (1e3, PRESSURE), "MPa": (1e6, PRESSURE),
    "GPa": (1e9, PRESSURE), "bar": (1e5, PRESSURE),
    "%": (1e-2, PURE),
}  # fmt: skip


_GRAD = ("a degree in some languages and a gon, a hundredth of a right angle, in others", ("deg", "gon"))
AMBIGUOUS = dict.fromkeys(("grad", "grads", "Grad", "grade", "grades"), _GRAD)
"""Words of units that people mean differently: what they are, and what is written instead."""


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
    if word in AMBIGUOUS:
        meanings, units = AMBIGUOUS[word]
        raise UnitError(f"'{word}' is {meanings}: write {' or '.join(units)}")
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
